/* SPDX-License-Identifier: Apache-2.0
 *
 * Request matrices for the allocators: their profiles, and the stimulus but for what a block adds.
 * Includer: NumIn, NumOut.
 */
#ifndef ALLOC_STIM_H
#define ALLOC_STIM_H

#include "arb_stim.h"
#include "bits.h"

enum { FULL, DENSE, SPARSE, MIXED, DIAGONAL, LINE, HOLD, WITHHELD, ALLOC_PROFILES };

/* clang-format off */
#define ALLOC_PROFILE_TEXTS                                                                      \
  [FULL] = {"full", "every input asks for every output, all the time"},                          \
  [DENSE] = {"dense", "half of the cells ask"},                                                  \
  [SPARSE] = {"sparse", "an input asks for one output or for none"},                             \
  [MIXED] = {"mixed", "rows of any kind and density, for all inputs, for some or for none"},     \
  [DIAGONAL] = {"diagonal", "one or two diagonals, in either direction, for some cycles"},       \
  [LINE] = {"line", "one input asks for everything, or all for the same output"},                \
  [HOLD] = {"hold", "cells ask until they are served, half of the updates are withheld"},        \
  [WITHHELD] = {"withheld", "update comes rarely"}
/* clang-format on */

typedef struct {
  uint64_t asking[NumIn]; /* HOLD */
  bool update;
  unsigned shift, shift2; /* DIAGONAL */
  bool rising, begun;
} alloc_stim_t;

static inline uint64_t alloc_stim_diagonal(const alloc_stim_t *a, unsigned i) {
  unsigned n = NumIn > NumOut ? NumIn : NumOut;
  unsigned o = (a->rising ? a->shift + n - i : a->shift + i) % n,
           o2 = (a->rising ? a->shift2 + n - i : a->shift2 + i) % n;
  return (UINT64_C(1) << o | UINT64_C(1) << o2) & arb_everybody(NumOut);
}

static inline uint64_t alloc_stim_line(const alloc_stim_t *a, unsigned i) {
  if (a->rising) return i == a->shift % NumIn ? arb_everybody(NumOut) : 0;
  return UINT64_C(1) << a->shift % NumOut;
}

static inline uint64_t alloc_stim_row(rng_t *rng, unsigned profile, alloc_stim_t *a, unsigned i) {
  switch (profile) {
  case FULL: return arb_everybody(NumOut);
  case SPARSE: return rng_chance(rng, 3, 4) ? arb_one(rng, NumOut) : 0;
  case MIXED: return arb_any(rng, NumOut);
  case DIAGONAL: return alloc_stim_diagonal(a, i);
  case LINE: return alloc_stim_line(a, i);
  case HOLD: return a->asking[i] |= arb_thinned(rng, NumOut, arb_hold_halvings(NumOut));
  default: return arb_thinned(rng, NumOut, 1);
  }
}

/* Fills req; gnt is that of the cycle before. Returns update. */
static inline bool alloc_stim_next(rng_t *rng, unsigned profile, alloc_stim_t *a, const uint32_t *gnt, uint32_t *req) {
  unsigned n = NumIn > NumOut ? NumIn : NumOut;
  if (!a->begun || rng_chance(rng, 1, 8)) {
    a->shift = (unsigned)rng_below(rng, n);
    a->shift2 = rng_chance(rng, 1, 2) ? a->shift : (unsigned)rng_below(rng, n);
    a->rising = rng_chance(rng, 1, 2);
  }
  bool some = profile == MIXED || (profile == SPARSE && rng_chance(rng, 1, 8));
  uint64_t awake = some ? arb_any(rng, NumIn) : arb_everybody(NumIn);
  for (unsigned i = 0; i < NumIn; i++) {
    if (a->update) a->asking[i] &= ~bits_get(gnt, i * NumOut, NumOut);
    if (awake >> i & 1) bits_put(req, i * NumOut, NumOut, alloc_stim_row(rng, profile, a, i));
  }
  a->begun = true;
  a->update = rng_chance(rng, profile == HOLD ? 4 : profile == WITHHELD ? 1 : 7, 8);
  return a->update;
}

#endif
