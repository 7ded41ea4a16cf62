/* SPDX-License-Identifier: Apache-2.0
 *
 * What stimuli of any block share: how one is defined and begins anew, a state with a shadow of the
 * model, which knows the outputs that are state before the inputs are made, knobs by profile, masks
 * of a warp's threads, random bits of a port. It knows no family's lists.
 */
#ifndef BLOCK_STIM_H
#define BLOCK_STIM_H

#include <string.h>

#include "bits.h"
#include "rng.h"
#include "stim.h"

/* clang-format off */
#define STIM_DEFINE(block, ...)                             \
  const stim_t block##_stim = {                             \
    .profiles = profiles,                                   \
    .num_profiles = sizeof profiles / sizeof *profiles,     \
    .state_size = sizeof(state_t),                          \
    .init = init,                                           \
    .next = next,                                           \
    __VA_ARGS__                                             \
  };
/* clang-format on */

/* Defines `reset`: now and then everything begins anew, in the middle of whatever is under way. For
 * state_t with rng and profile, whose init also makes shadow models as after reset. */
#define STIM_RESET                                 \
  static bool reset(void *state, uint64_t cycle) { \
    state_t *s = state;                            \
    uint64_t seed = rng_next(&s->rng);             \
    unsigned profile = s->profile;                 \
    (void)cycle;                                   \
    if (seed % 5000) return false;                 \
    memset(s, 0, sizeof *s);                       \
    init(s, seed, profile);                        \
    return true;                                   \
  }

/* True n times of 8. */
static inline bool chance8(rng_t *rng, unsigned n) {
  return rng_chance(rng, n, 8);
}

/* All, none, one, a few, a half, or any threads. */
static inline uint32_t stim_mask(rng_t *rng) {
  switch (rng_below(rng, 8)) {
  case 0: return 0;
  case 1: return 1u << rng_below(rng, 32);
  case 2: return rng_below(rng, 2) ? 0xffff : 0xffff0000;
  case 3: return (uint32_t)(rng_next(rng) & rng_next(rng) & rng_next(rng));
  case 4: return (uint32_t)rng_next(rng);
  default: return 0xffffffff;
  }
}

/* A part of the mask, not empty unless the mask is. */
static inline uint32_t stim_part(rng_t *rng, uint32_t mask) {
  if (rng_below(rng, 2)) return mask;
  uint32_t part = mask & (uint32_t)rng_next(rng);
  return part ? part : mask & (0 - mask);
}

/* Random bits lsb .. end - 1 of a port's words. */
static inline void stim_noise(rng_t *rng, uint32_t *words, unsigned lsb, unsigned end) {
  for (unsigned width; lsb < end; lsb += width) {
    width = end - lsb < 32 ? end - lsb : 32;
    bits_put(words, lsb, width, rng_bits(rng, width));
  }
}

/* state_t, init and reset for a block; what else state_t holds comes after its name. */
#define STIM_STATE(block, ...)                                     \
  typedef struct {                                                 \
    rng_t rng;                                                     \
    unsigned profile;                                              \
    block##_t shadow;                                              \
    __VA_ARGS__                                                    \
  } state_t;                                                       \
  static void init(void *state, uint64_t seed, unsigned profile) { \
    state_t *s = state;                                            \
    rng_init(&s->rng, seed);                                       \
    s->profile = profile;                                          \
    block##_reset(&s->shadow);                                     \
  }                                                                \
  STIM_RESET

/* The outputs that are state, and those that these inputs give. */
#define STIM_LOOK(block, s, in) \
  block##_out_t now;            \
  memset(&now, 0, sizeof now);  \
  block##_eval(&(s)->shadow, in, &now)

#endif
