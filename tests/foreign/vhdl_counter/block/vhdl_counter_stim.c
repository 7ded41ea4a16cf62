/* SPDX-License-Identifier: Apache-2.0
 *
 * Never loads 255, which the RTL does not take.
 */
#include "rng.h"
#include "stim.h"
#include "vhdl_counter.h"

enum { COUNTS, MIXED };

static const stim_profile_t profiles[] = {
    [COUNTS] = {"counts", "mostly counts, from near an end of the range"},
    [MIXED] = {"mixed", "all commands alike"},
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

static void next(void *state, uint64_t cycle, const void *out, void *inputs) {
  state_t *s = state;
  vhdl_counter_in_t *in = inputs;
  (void)cycle, (void)out;
  const bool counts = s->profile == COUNTS && rng_chance(&s->rng, 15, 16);
  in->Command_mode = counts ? 2 : rng_below(&s->rng, 4);
  in->Command_value = rng_chance(&s->rng, 1, 2) ? 254 - rng_below(&s->rng, 8) : rng_below(&s->rng, 255);
}

static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  return rng_chance(&s->rng, 1, 500) && cycle;
}

const stim_t vhdl_counter_stim = {
    .profiles = profiles,
    .num_profiles = sizeof profiles / sizeof *profiles,
    .state_size = sizeof(state_t),
    .init = init,
    .next = next,
    .reset = reset,
};
