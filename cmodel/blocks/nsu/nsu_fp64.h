/* SPDX-License-Identifier: Apache-2.0
 *
 * What the NSU's binary64 instructions (nsu_isa.def) compute: one thread's result from its
 * operands' bits.
 *
 * Operands and results of 32 bits are in the low half. The sums and products come from fp_exact.h;
 * the conversions use the host's arithmetic, which is exact or rounds to nearest. An op that is no
 * binary64 instruction gives 0.
 */
#ifndef NSU_FP64_H
#define NSU_FP64_H

#include <stdint.h>

#define NSU_NAN64 UINT64_C(0x7fffffffffffffff) /* the only NaN that arithmetic gives */

uint64_t nsu_fp64_cvt(unsigned op, uint64_t b);                     /* only the conversions */
uint64_t nsu_fp64(unsigned op, uint64_t a, uint64_t b, uint64_t c); /* all of them */

#endif
