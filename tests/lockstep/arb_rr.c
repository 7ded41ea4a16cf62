/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of arb_rr: sets of requesters, and grants that are taken or refused.
 */
#include "arb_rr.h"
#include "rng.h"
#include "stim.h"

enum { DENSE, SPARSE, ALL, HOLD };

/* dense and sparse cover sets and gaps. all shows the whole round in order.
 *  hold: refused grants must leave the turn as it is, and a reset must return it to requester 0. */
static const stim_profile_t profiles[] = {
    [DENSE] = {"dense", "each requester asks half of the time, most grants are taken"},
    [SPARSE] = {"sparse", "seldom more than one requester"},
    [ALL] = {"all", "everybody asks all the time"},
    [HOLD] = {"hold", "a requester asks until it is served, grants are often refused; resets in between"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  uint64_t pending; /* HOLD: requesters that ask until they are served */
} state_t;

static const uint64_t everybody = ~0ull >> (64 - NumReq);

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

/* A served requester sometimes goes on asking, so that the turn has to pass it. */
static void hold(state_t *s, const arb_rr_out_t *out, arb_rr_in_t *in) {
  s->pending |= rng_next(&s->rng) & rng_next(&s->rng) & rng_next(&s->rng) & everybody;
  in->req = s->pending;
  in->update = rng_chance(&s->rng, 1, 2);
  if (rng_chance(&s->rng, 3, 4)) s->pending &= ~out->gnt;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  arb_rr_in_t *in = in_bytes;
  (void)cycle;
  in->update = rng_chance(&s->rng, 7, 8);
  switch (s->profile) {
  case DENSE: in->req = rng_next(&s->rng) & everybody; break;
  case SPARSE: in->req = rng_chance(&s->rng, 1, 2) ? 1ull << rng_below(&s->rng, NumReq) : 0; break;
  case ALL: in->req = everybody; break;
  case HOLD: hold(s, out, in); break;
  }
}

static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  return s->profile == HOLD && cycle % 500 == 499;
}

const stim_t arb_rr_stim = {
    .profiles = profiles,
    .num_profiles = 4,
    .state_size = sizeof(state_t),
    .init = init,
    .next = next,
    .reset = reset,
};
