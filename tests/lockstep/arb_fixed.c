/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of arb_fixed: sets of requesters, and grants that are taken or refused.
 */
#include "arb_fixed.h"

#include "arb_stim.h"

enum { DENSE, SPARSE, ALL, HOLD, WITHHELD, CORNERS };

/* dense, sparse and all cover how many ask; the other profiles cover how they ask.
 *  hold: a requester keeps asking while lower indices win; a random set would drop it.
 *  withheld: the choice must not depend on the grants that were taken.
 *  corners: sets at the ends, which random sets of many requesters hardly contain. */
static const stim_profile_t profiles[] = {
    [DENSE] = {"dense", "each requester asks half of the time, most grants are taken"},
    [SPARSE] = {"sparse", "seldom more than one requester"},
    [ALL] = {"all", "everybody asks all the time"},
    [HOLD] = {"hold", "a requester asks until it is served, half of the grants are refused"},
    [WITHHELD] = {"withheld", "grants are taken rarely"},
    [CORNERS] = {"corners", "all, none, one, neighbours, the ends, all but one"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  arb_hold_t hold;
} state_t;

/* Requests of this cycle; `gnt` is the grant of the cycle before. */
static uint64_t ask(state_t *s, uint64_t gnt) {
  switch (s->profile) {
  case SPARSE: return rng_chance(&s->rng, 1, 2) ? arb_one(&s->rng, NumReq) : 0;
  case ALL: return arb_everybody(NumReq);
  case HOLD: return arb_hold(&s->rng, &s->hold, NumReq, gnt);
  case CORNERS: return arb_any(&s->rng, NumReq);
  default: return arb_thinned(&s->rng, NumReq, 1);
  }
}

static void next(void *state, uint64_t cycle, const void *out_bytes, void *in_bytes) {
  state_t *s = state;
  const arb_fixed_out_t *out = out_bytes;
  arb_fixed_in_t *in = in_bytes;
  (void)cycle;
  in->req = ask(s, out->gnt);
  in->update = s->profile == HOLD ? s->hold.update : rng_chance(&s->rng, s->profile == WITHHELD ? 1 : 7, 8);
}

ARB_STIM_DEFINE(arb_fixed)
