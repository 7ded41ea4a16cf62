/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_credits: entries of three buffers are freed, and a packet takes all counts.
 */
#include "nsu_credits.h"

#include "nsu_stim.h"

enum { MIXED, TAKEN, SATURATED, ALONE };

/* mixed and taken keep the counts small, and freed entries meet a take.
 *  saturated: counts stay at their highest value.
 *  alone: each count passes all its values by itself. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "entries freed and counts taken at random"},
    [TAKEN] = {"taken", "taken nearly every cycle"},
    [SATURATED] = {"saturated", "taken rarely: counts stay at their end"},
    [ALONE] = {"alone", "one count at a time, through its values while the others are 0"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  unsigned alone; /* the count that goes up: 0 rd, 1 wr, 2 cmd */
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

/* One buffer frees entries until the next take; then it is the turn of another one. */
static void alone(state_t *s, nsu_credits_in_t *in) {
  in->take = rng_chance(&s->rng, 1, 800);
  if (in->take) s->alone = (s->alone + 1) % 3;
  bool freed = chance8(&s->rng, 7);
  in->rd_free = freed && s->alone == 0;
  in->wr_free = freed && s->alone == 1;
  in->cmd_free = freed && s->alone == 2;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  nsu_credits_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  if (s->profile == ALONE) {
    alone(s, in);
    return;
  }
  unsigned rate = s->profile == SATURATED ? 7 : 3;
  in->cmd_free = chance8(&s->rng, rate);
  in->rd_free = chance8(&s->rng, rate);
  in->wr_free = chance8(&s->rng, rate);
  in->take = s->profile == SATURATED ? rng_chance(&s->rng, 1, 2500) : chance8(&s->rng, s->profile == TAKEN ? 7 : 1);
}

STIM_RESET

STIM_DEFINE(nsu_credits, .reset = reset)
