/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of alloc_islip. The common profiles of the allocators (alloc_stim.h) run with equal
 * levels, so that the turns alone decide. Four more profiles make levels differ.
 */
#include "alloc_islip.h"

#include "alloc_stim.h"

enum { LEVELS = ALLOC_PROFILES, ONE_HIGH, NEAR, FULL_LEVELS };

/* Equal levels never test a comparison of levels; random ones are seldom equal or neighbours.
 *  levels: any order of levels.
 *  one-high: one cell, row or column wins although turns favour others.
 *  near: levels differ in one bit, which a comparator with a missing bit takes for equal.
 *  full-levels: the most requests, so that several iterations match inputs at different levels. */
static const stim_profile_t profiles[] = {
    ALLOC_PROFILE_TEXTS,
    [LEVELS] = {"levels", "rows of any kind, random levels"},
    [ONE_HIGH] = {"one-high", "one cell, or one row, or one column is above the others"},
    [NEAR] = {"near", "levels that differ in one bit, so that equals and neighbours are many"},
    [FULL_LEVELS] = {"full-levels", "every input asks for every output, one or two levels"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  alloc_stim_t alloc;
  /* ONE_HIGH: the high cell; NumIn means all rows, NumOut all columns */
  unsigned row, column;
  uint64_t base;
} state_t;

/* Level of input i's request for output o. */
static uint64_t level(state_t *s, unsigned i, unsigned o) {
  switch (s->profile) {
  case LEVELS: return rng_bits(&s->rng, LevelBits);
  case ONE_HIGH:
    if ((s->row == NumIn || s->row == i) && (s->column == NumOut || s->column == o)) return s->base | 1;
    return s->base & ~UINT64_C(1);
  case NEAR: return rng_below(&s->rng, 2) ? s->base : s->base ^ UINT64_C(1) << rng_below(&s->rng, LevelBits);
  case FULL_LEVELS: return rng_below(&s->rng, 8) ? s->base : bits_ones(LevelBits);
  default: return s->base;
  }
}

/* Requests that go with the levels: a common profile keeps its own; full-levels asks for all. */
static unsigned requests_of(unsigned profile) {
  if (profile == FULL_LEVELS) return FULL;
  return profile < ALLOC_PROFILES ? profile : MIXED;
}

static void next(void *state, uint64_t cycle, const void *out_bytes, void *in_bytes) {
  state_t *s = state;
  const alloc_islip_out_t *out = out_bytes;
  alloc_islip_in_t *in = in_bytes;
  (void)cycle;
  if (!s->alloc.begun || rng_chance(&s->rng, 1, 16)) {
    s->base = rng_bits(&s->rng, LevelBits);
    s->row = (unsigned)(rng_chance(&s->rng, 1, 4) ? NumIn : rng_below(&s->rng, NumIn));
    s->column = (unsigned)(rng_chance(&s->rng, 1, 4) ? NumOut : rng_below(&s->rng, NumOut));
  }
  in->update = alloc_stim_next(&s->rng, requests_of(s->profile), &s->alloc, out->gnt, in->req);
  for (unsigned i = 0; i < NumIn; i++)
    for (unsigned o = 0; o < NumOut; o++) {
      unsigned cell = i * NumOut + o;
      bits_put(in->level, cell * LevelBits, LevelBits, level(s, i, o));
    }
}

ARB_STIM_DEFINE(alloc_islip)
