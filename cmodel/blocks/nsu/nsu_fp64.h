/* SPDX-License-Identifier: Apache-2.0
 *
 * What the NSU's binary64 instructions (nsu_isa.def) compute: one thread's result from its
 * operands' bits. A word stands in the low half.
 */
#ifndef NSU_FP64_H
#define NSU_FP64_H

#include <stdint.h>

#define NSU_NAN64 UINT64_C(0x7fffffffffffffff) /* the only NaN that arithmetic gives */

uint64_t nsu_fp64_cvt(unsigned op, uint64_t b);                     /* the conversions; 0: neither */
uint64_t nsu_fp64(unsigned op, uint64_t a, uint64_t b, uint64_t c); /* 0: not one of these */

#endif
