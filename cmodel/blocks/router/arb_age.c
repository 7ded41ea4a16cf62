/* SPDX-License-Identifier: Apache-2.0
 *
 * The requesters of the highest level, and among them the round-robin pointer's turn.
 */
#include "arb_age.h"

#include "bits.h"
#include "request_set.h"

/* Requesters with the highest level; levels of those that do not ask are ignored. */
static set_t highest(const arb_age_in_t *in) {
  uint64_t best = 0;
  set_t equals = 0;
  for (set_t left = in->req; left; left = set_rest(left)) {
    unsigned i = set_lowest(left);
    uint64_t level = bits_get(in->level, i * LevelBits, LevelBits);
    if (level > best) best = level, equals = 0;
    if (level == best) equals |= set_of(i);
  }
  return equals;
}

/* The requester that is granted, or -1 without a request. */
static int winner(const arb_age_t *s, const arb_age_in_t *in) {
  return set_turn(highest(in), s->first);
}

void arb_age_reset(arb_age_t *s) {
  s->first = 0;
}

void arb_age_eval(const arb_age_t *s, const arb_age_in_t *in, arb_age_out_t *out) {
  int win = winner(s, in);
  out->gnt = win < 0 ? 0 : set_of((unsigned)win);
  out->probe_first = s->first;
}

void arb_age_step(arb_age_t *s, const arb_age_in_t *in) {
  int win = winner(s, in);
  if (in->update && win >= 0) s->first = set_next(win, NumReq);
}
