/* SPDX-License-Identifier: Apache-2.0
 *
 * What instructions of an NSU with binary64 compute (nsu_fp64.def): one thread's result from its operands' bits. A word stands in the low half.
 */
#ifndef NSU_FP64_H
#define NSU_FP64_H

#include <stdint.h>

enum {
#define FP64_OP(name, code, mnemonic, sources, pairs) OP_##name = (code), FP64_PAIRS_##name = (pairs),
#include "nsu_fp64.def"
};

#define NSU_NAN64 UINT64_C(0x7fffffffffffffff) /* the only NaN that arithmetic gives */

typedef enum { FP64_D = 1, FP64_A = 2, FP64_B = 4, FP64_C = 8 } fp64_pair_t;
/* Which operands are pairs; 0: not one of these. */
static inline unsigned nsu_fp64_pairs(unsigned op) {
  static const uint8_t pairs_of[256] = {
#define FP64_OP(name, code, mnemonic, sources, pairs) [code] = (pairs),
#include "nsu_fp64.def"
  };
  return op < 256 ? pairs_of[op] : 0;
}

uint64_t nsu_fp64(unsigned op, uint64_t a, uint64_t b, uint64_t c); /* 0: not one of these */

#endif
