/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of router_epoch, which has no inputs but the reset.
 */
#include "router_epoch.h"

#include "router_stim.h"

enum { RUN, RESETS };

static const stim_profile_t profiles[] = {
  [RUN] = {"run", "undisturbed"},
  [RESETS] = {"resets", "a reset now and then, in any cycle of an epoch"},
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

static void next(void *state, uint64_t cycle, const void *out, void *in) {
  (void)state;
  (void)cycle;
  (void)out;
  (void)in;
}

static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  (void)cycle;
  return s->profile == RESETS && rng_chance(&s->rng, 1, Period < 1000 ? 3 * (Period) : 1000);
}

const stim_t router_epoch_stim = {
  .profiles = profiles,
  .num_profiles = 2,
  .state_size = sizeof(state_t),
  .init = init,
  .next = next,
  .reset = reset,
};
