/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_credits.
 */
#include "nsu_credits.h"

#include "nsu_stim.h"

enum { MIXED, TAKEN, SATURATED };

static const stim_profile_t profiles[] = {
  [MIXED] = {"mixed", "entries freed and counts taken at random"},
  [TAKEN] = {"taken", "taken nearly every cycle"},
  [SATURATED] = {"saturated", "taken rarely: counts stay at their end"},
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
  nsu_credits_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  unsigned rate = s->profile == SATURATED ? 7 : 3;
  in->cmd_free = chance8(&s->rng, rate);
  in->rd_free = chance8(&s->rng, rate);
  in->wr_free = chance8(&s->rng, rate);
  in->take = s->profile == SATURATED ? rng_chance(&s->rng, 1, 2500) : chance8(&s->rng, s->profile == TAKEN ? 7 : 1);
}

STIM_RESET

STIM_DEFINE(nsu_credits, .reset = reset)
