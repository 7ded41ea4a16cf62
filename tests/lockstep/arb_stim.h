/* SPDX-License-Identifier: Apache-2.0
 *
 * Requests for the stimuli of the router's arbiters and allocators: sets of requesters, and how a
 * stimulus starts and begins anew.
 */
#ifndef ARB_STIM_H
#define ARB_STIM_H

#include <string.h>

#include "rng.h"
#include "stim.h"

/* Defines X_stim of a file with state_t (rng and profile in it), profiles and next. */
#define ARB_STIM_DEFINE(block)                                     \
  static void init(void *state, uint64_t seed, unsigned profile) { \
    state_t *s = state;                                            \
    rng_init(&s->rng, seed);                                       \
    s->profile = profile;                                          \
  }                                                                \
  static bool reset(void *state, uint64_t cycle) {                 \
    state_t *s = state;                                            \
    uint64_t seed = rng_next(&s->rng);                             \
    unsigned profile = s->profile;                                 \
    (void)cycle;                                                   \
    if (seed % 1000) return false;                                 \
    memset(s, 0, sizeof *s);                                       \
    init(s, seed, profile);                                        \
    return true;                                                   \
  }                                                                \
  const stim_t block##_stim = {                                    \
      .profiles = profiles,                                        \
      .num_profiles = sizeof profiles / sizeof *profiles,          \
      .state_size = sizeof(state_t),                               \
      .init = init,                                                \
      .next = next,                                                \
      .reset = reset,                                              \
  };

static inline uint64_t arb_everybody(unsigned n) {
  return ~UINT64_C(0) >> (64 - n);
}

static inline uint64_t arb_one(rng_t *rng, unsigned n) {
  return UINT64_C(1) << rng_below(rng, n);
}

/* Each of n asks with chance 1 / 2^halvings; 0: all. */
static inline uint64_t arb_thinned(rng_t *rng, unsigned n, unsigned halvings) {
  uint64_t set = arb_everybody(n);
  for (unsigned i = 0; i < halvings; i++) set &= rng_next(rng);
  return set;
}

/* Any kind of set: all, none, one, a pair of neighbours, the ends, all but one, or thinned. */
static inline uint64_t arb_any(rng_t *rng, unsigned n) {
  uint64_t all = arb_everybody(n);
  switch (rng_below(rng, 9)) {
  case 0: return all;
  case 1: return 0;
  case 2: return arb_one(rng, n);
  case 3: return (UINT64_C(3) << rng_below(rng, n)) & all;
  case 4: return (UINT64_C(1) | UINT64_C(1) << (n - 1)) & all;
  case 5: return all & ~arb_one(rng, n);
  default: return arb_thinned(rng, n, (unsigned)rng_range(rng, 1, 4));
  }
}

/* Who asks until it is served, about as often as there are grants: from nobody to everybody. A
 * stimulus sees a grant one cycle late: `gnt` and `update` are those of the cycle before. */
typedef struct {
  uint64_t asking;
  bool update;
} arb_hold_t;

static inline unsigned arb_hold_halvings(unsigned n) {
  return n > 1 ? 65 - (unsigned)__builtin_clzll(n - 1) : 1;
}

static inline uint64_t arb_hold(rng_t *rng, arb_hold_t *h, unsigned n, uint64_t gnt) {
  if (h->update) h->asking &= ~gnt;
  h->asking |= arb_thinned(rng, n, arb_hold_halvings(n));
  h->update = rng_chance(rng, 1, 2);
  return h->asking;
}

#endif
