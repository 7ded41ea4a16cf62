/* SPDX-License-Identifier: Apache-2.0
 *
 * How the stimuli of the router's blocks begin, and begin anew.
 */
#ifndef ROUTER_STIM_H
#define ROUTER_STIM_H

#include <string.h>

#include "bits.h"
#include "rng.h"
#include "stim.h"

/* Defines X_stim of a file with profiles, next, and a state_t that has rng and profile, and is all
 * zero otherwise at the start. One cycle in `life` is a reset, in the middle of whatever is under
 * way. */
#define ROUTER_STIM_DEFINE(block, life)                            \
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
    if (seed % (life)) return false;                               \
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

static inline uint64_t stim_all(unsigned n) {
  return n ? ~UINT64_C(0) >> (64 - n) : 0;
}

static inline uint64_t stim_one(rng_t *rng, unsigned n) {
  return UINT64_C(1) << rng_below(rng, n);
}

/* A set of n: all, none, one, all but one, or thinned to a half, a quarter, an eighth. */
static inline uint64_t stim_set(rng_t *rng, unsigned n) {
  uint64_t all = stim_all(n);
  switch (rng_below(rng, 8)) {
  case 0: return all;
  case 1: return 0;
  case 2: return stim_one(rng, n);
  case 3: return all & ~stim_one(rng, n);
  case 4: return all & rng_next(rng) & rng_next(rng);
  case 5: return all & rng_next(rng) & rng_next(rng) & rng_next(rng);
  default: return all & rng_next(rng);
  }
}

/* Output ports of n input VCs: all the same, two, their own
 * number, or any; with strays also numbers of no port. */
static inline void stim_out_ports(rng_t *rng, uint32_t *vector, unsigned n, unsigned ports, bool strays) {
  unsigned kind = (unsigned)rng_below(rng, 5), a = (unsigned)rng_below(rng, ports), b = (unsigned)rng_below(rng, ports);
  for (unsigned i = 0; i < n; i++) {
    unsigned port = (unsigned)rng_below(rng, ports);
    if (kind == 0) port = a;
    if (kind == 1) port = rng_bits(rng, 1) ? a : b;
    if (kind == 2) port = (a + i) % ports;
    if (strays && rng_chance(rng, 1, 3)) port = (unsigned)rng_bits(rng, 4);
    bits_put(vector, 4 * i, 4, port);
  }
}

/* Levels of 12 bits of n input VCs: all 0, all equal, two
 * neighbours, single bits, ranks like those of a list, or any. */
static inline void stim_levels(rng_t *rng, uint32_t *vector, unsigned n) {
  unsigned kind = (unsigned)rng_below(rng, 6), base = (unsigned)rng_below(rng, 4095);
  for (unsigned i = 0; i < n; i++) {
    unsigned level = 0;
    switch (kind) {
    case 0: break;
    case 1: level = base; break;
    case 2: level = base + (unsigned)rng_bits(rng, 1); break;
    case 3: level = 1u << rng_below(rng, 12); break;
    case 4: level = (unsigned)(rng_below(rng, 9) << 5 | rng_bits(rng, 1) << 4); break;
    default: level = (unsigned)rng_bits(rng, 12); break;
    }
    bits_put(vector, 12 * i, 12, level);
  }
}

#endif
