/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of router_epoch, whose only input is the reset. One profile: resets in any cycle of an
 * epoch, and then none, so that the count reaches all its bits.
 */
#include "router_epoch.h"

#include "router_stim.h"

static const stim_profile_t profiles[] = {
    {"run", "resets at first, in any cycle of an epoch; then undisturbed, so that the count gets to all its bits"}};

typedef struct {
  rng_t rng;
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  (void)profile;
}

static void next(void *state, uint64_t cycle, const void *out, void *in) {
  (void)state;
  (void)cycle;
  (void)out;
  (void)in;
}

/* Resets end after a tenth of a long epoch, or after some short epochs. */
static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  const unsigned between = Period < 1000 ? 3 * (Period) : 1000, last = Period < 1000 ? 30 * between : (Period) / 10;
  return cycle < last && rng_chance(&s->rng, 1, between);
}

const stim_t router_epoch_stim = {
    .profiles = profiles,
    .num_profiles = 1,
    .state_size = sizeof(state_t),
    .init = init,
    .next = next,
    .reset = reset,
};
