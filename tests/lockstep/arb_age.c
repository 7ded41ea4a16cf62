/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of arb_age: requests with a level each, and grants that are taken or refused.
 */
#include "arb_age.h"

#include "arb_stim.h"
#include "bits.h"

enum { RANDOM, EQUAL, ONE_HIGH, NEAR, AGES, WITHHELD };

/* Random levels are seldom equal, so random alone would not reach the turns among equals.
 *  equal: the turns decide alone.
 *  one-high: one level wins against turns, or does not ask.
 *  near: levels differ in one bit, which a comparator with a missing bit takes for equal.
 *  ages: levels saturate at the last one, and the oldest must win.
 *  withheld: a refused grant must not advance the turns. */
static const stim_profile_t profiles[] = {
    [RANDOM] = {"random", "random levels, any set of requesters"},
    [EQUAL] = {"equal", "all levels equal: takes turns"},
    [ONE_HIGH] = {"one-high", "one requester above the others, which it asks with or without"},
    [NEAR] = {"near", "few levels that differ in one bit, so that equals and neighbours are many"},
    [AGES] = {"ages",
              "a requester asks until it is served and its level is the cycles it has waited, up to the last level"},
    [WITHHELD] = {"withheld", "random levels, grants are taken rarely"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  uint64_t base, high; /* EQUAL, ONE_HIGH: kept for a while */
  arb_hold_t hold;
  uint64_t waited[NumReq];
} state_t;

/* Level of requester i in this cycle. */
static uint64_t level(state_t *s, unsigned i) {
  uint64_t any = rng_bits(&s->rng, LevelBits);
  switch (s->profile) {
  case EQUAL: return s->base;
  case ONE_HIGH: return i == s->high ? s->base | 1 : s->base & ~UINT64_C(1);
  case NEAR: return rng_below(&s->rng, 2) ? s->base : s->base ^ UINT64_C(1) << rng_below(&s->rng, LevelBits);
  case AGES: return s->waited[i];
  default: return any;
  }
}

/* Call after the requests. A requester that asks and was not served is a cycle older. */
static void grow_older(state_t *s) {
  for (unsigned i = 0; i < NumReq; i++) {
    if (!(s->hold.asking >> i & 1)) s->waited[i] = 0;
    else if (s->waited[i] < bits_ones(LevelBits)) s->waited[i]++;
  }
}

static void next(void *state, uint64_t cycle, const void *out_bytes, void *in_bytes) {
  state_t *s = state;
  const arb_age_out_t *out = out_bytes;
  arb_age_in_t *in = in_bytes;
  if (cycle == 0 || rng_chance(&s->rng, 1, 4 * NumReq)) {
    s->base = rng_bits(&s->rng, LevelBits);
    s->high = rng_below(&s->rng, NumReq);
  }
  bool ages = s->profile == AGES;
  if (ages && s->hold.update)
    for (unsigned i = 0; i < NumReq; i++) s->waited[i] *= !(out->gnt >> i & 1); /* it may ask again at once */
  in->req = ages ? arb_hold(&s->rng, &s->hold, NumReq, out->gnt) : arb_any(&s->rng, NumReq);
  in->update = ages ? s->hold.update : rng_chance(&s->rng, s->profile == WITHHELD ? 1 : 7, 8);
  for (unsigned i = 0; i < NumReq; i++) bits_put(in->level, i * LevelBits, LevelBits, level(s, i));
  grow_older(s);
}

ARB_STIM_DEFINE(arb_age)
