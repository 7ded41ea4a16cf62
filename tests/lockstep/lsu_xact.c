/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of lsu_xact: transactions begin, are looked up on two ports, and end on two others.
 */
#include "lsu_xact.h"

#include "block_stim.h"

enum { MIXED, FULL, EMPTY, ABUSE };

/* mixed keeps the table between its ends.
 *  full: a tag ends and begins again in few cycles.
 *  empty: few tags are in use.
 *  abuse: tags that are free, beyond the last, just beginning, or ended on both ports. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "transactions begin, are looked up and end at random"},
    [FULL] = {"full", "the table is full nearly always"},
    [EMPTY] = {"empty", "few transactions"},
    [ABUSE] = {"abuse",
               "also releases and answers of tags that are free, are not there, or end twice; fills and drains"},
};

STIM_STATE(lsu_xact, bool drains;)

/* A tag in use that is not `other`, or -1. */
static int used(state_t *s, int other) {
  unsigned first = (unsigned)rng_below(&s->rng, Xacts);
  for (unsigned i = 0; i < Xacts; i++) {
    int tag = (int)((first + i) % Xacts);
    if (lsu_xact_in_use(&s->shadow, (unsigned)tag) && tag != other) return tag;
  }
  return -1;
}

/* A tag for one port, different from `other` but in abuse. Returns the port's valid bit. */
static bool choose(state_t *s, unsigned often, int other, uint64_t *valid, uint64_t *tag) {
  int found = used(s, other);
  *valid = found >= 0 && chance8(&s->rng, often);
  *tag = *valid ? (unsigned)found : 0;
  if (s->profile != ABUSE || !chance8(&s->rng, 1)) return *valid;
  *valid = 1;
  const int free = lsu_xact_free(&s->shadow);
  switch (rng_below(&s->rng, 4)) {
  case 0: *tag = rng_bits(&s->rng, 8); break;
  case 1: *tag = rng_bits(&s->rng, 3); break;
  case 2: *tag = free >= 0 ? (unsigned)free : 0; break;                     /* may begin in this cycle */
  default: *tag = other >= 0 ? (unsigned)other : rng_below(&s->rng, Xacts); /* ended twice */
  }
  return true;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  static const unsigned begin[] = {[MIXED] = 4, [FULL] = 8, [EMPTY] = 1, [ABUSE] = 4},
                        end[] = {[MIXED] = 2, [FULL] = 3, [EMPTY] = 4, [ABUSE] = 2};
  state_t *s = state;
  lsu_xact_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  STIM_LOOK(lsu_xact, s, in);
  if (s->profile == ABUSE && rng_chance(&s->rng, 1, 64)) s->drains = !s->drains;
  in->alloc = now.free && !s->drains && chance8(&s->rng, begin[s->profile]);
  if (in->alloc) {
    in->al_kind = rng_bits(&s->rng, 2);
    in->al_ref = rng_bits(&s->rng, 11);
  }
  choose(s, 4, -1, &in->lk_valid, &in->lk_tag);
  choose(s, 4, -1, &in->up_valid, &in->up_tag);
  bool rel = choose(s, end[s->profile], -1, &in->rel_valid, &in->rel_tag);
  choose(s, end[s->profile], rel ? (int)in->rel_tag : -1, &in->rel2_valid, &in->rel2_tag);
  lsu_xact_step(&s->shadow, in);
}

STIM_DEFINE(lsu_xact, .reset = reset)
