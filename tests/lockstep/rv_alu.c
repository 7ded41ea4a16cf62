/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of rv_alu, a block without state: an operation and two numbers in each cycle.
 */
#include "rv_alu.h"

#include "rv_stim.h"

enum { ANY, NEAR };

/* Random numbers are hardly ever equal: near gives comparisons equal numbers, or one bit that
 * decides. */
static const stim_profile_t profiles[] = {
    [ANY] = {"any", "two numbers, small, large, of one bit or random"},
    [NEAR] = {"near", "two numbers that are equal, or differ in one bit"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  rv_alu_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  in->sub = rng_bits(&s->rng, 4);
  in->a = rv_stim_number(&s->rng, 32);
  in->b = rv_stim_number(&s->rng, 32);
  if (s->profile == NEAR) in->b = in->a ^ (rng_bits(&s->rng, 1) ? UINT64_C(1) << rng_bits(&s->rng, 5) : 0);
}

RV_STIM_DEFINE(rv_alu)
