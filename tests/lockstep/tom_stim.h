/* SPDX-License-Identifier: Apache-2.0
 *
 * What the stimuli of the blocks of transparent offloading share.
 */
#ifndef TOM_STIM_H
#define TOM_STIM_H

#include "block_stim.h"

/* All zero, all one, the top bit or all below it, one bit, a
 * few low bits, minus a few, or anything; of `bits` bits. */
static inline uint64_t tom_number(rng_t *rng, unsigned bits) {
  const uint64_t all = bits_ones(bits), top = UINT64_C(1) << (bits - 1);
  switch (rng_below(rng, 8)) {
  case 0: return rng_bits(rng, 1) ? all : 0;
  case 1: return rng_bits(rng, 1) ? top : top - 1;
  case 2: return UINT64_C(1) << rng_below(rng, bits);
  case 3: return rng_below(rng, 20) & all;
  case 4: return (0 - rng_below(rng, 20)) & all;
  case 5: return rng_bits(rng, bits) >> rng_below(rng, bits);
  default: return rng_bits(rng, bits);
  }
}

#endif
