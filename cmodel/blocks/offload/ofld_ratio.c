/* SPDX-License-Identifier: Apache-2.0
 *
 * Algorithm 1 of the NSU paper, line by line, with its names. Numbers in brackets are rules of the
 * port file.
 */
#include "ofld_ratio.h"

enum { ALL = 20 }; /* twentieths: every block */

void ofld_ratio_reset(ofld_ratio_t *s) {
  *s = (ofld_ratio_t){.first = true, .dir = 1, .step = StepInit, .ratio = Init};
}

void ofld_ratio_eval(const ofld_ratio_t *s, const ofld_ratio_in_t *in, ofld_ratio_out_t *out) {
  (void)in;
  out->ratio = s->ratio;
  out->threshold = ((uint64_t)s->ratio << 32) / ALL;
  out->epoch_end = s->epoch_end;
  out->probe_up = s->dir > 0;
  out->probe_step = s->step;
  out->probe_history = 0;
  for (unsigned i = 0; i < s->epochs; i++) out->probe_history = out->probe_history << 1 | s->changed[i];
  out->probe_count = s->count;
  out->probe_cycle = s->cycles;
  out->probe_known = !s->first;
  out->probe_prev = s->first ? 0 : s->prev;
}

/* The history has the last Window epochs [4a]. */
static void ofld_ratio_push_back(ofld_ratio_t *s, bool change) {
  if (s->epochs == (Window)) {
    for (unsigned i = 1; i < (Window); i++) s->changed[i - 1] = s->changed[i];
    s->epochs--;
  }
  s->changed[s->epochs++] = change;
}

/* Many reversals make the step smaller, few make it greater [4b]. */
static void ofld_ratio_new_step(ofld_ratio_t *s) {
  unsigned changes = 0;
  for (unsigned i = 0; i < s->epochs; i++) changes += s->changed[i];
  if (2 * changes > (Window) && (StepMin) < s->step) s->step--;
  else if (s->step < (StepMax)) s->step++;
}

/* A move beyond 0 or 20 is not made and reverses the direction [4c]. */
static void ofld_ratio_move(ofld_ratio_t *s) {
  const int to = (int)s->ratio + s->dir * (int)((MoveBy) ? 1 : s->step);
  if (to >= 0 && to <= ALL) s->ratio = (unsigned)to;
  else s->dir = -s->dir;
}

/* The end of an epoch: fewer instructions than before reverse the direction [4]. */
static void ofld_ratio_decide(ofld_ratio_t *s) {
  const bool change = s->cur < s->prev;
  if (change) s->dir = -s->dir;
  ofld_ratio_push_back(s, change);
  ofld_ratio_new_step(s);
  ofld_ratio_move(s);
}

/* The sum stops at its highest value [2]. Cycles without run count for no epoch [1]. */
static void ofld_ratio_count(ofld_ratio_t *s, const ofld_ratio_in_t *in) {
  const uint64_t most = (UINT64_C(1) << (CountBits)) - 1;
  if (in->done_valid) s->count += in->done_instrs;
  if (s->count > most) s->count = most;
  s->cycles += in->run != 0;
}

/* The decision comes one cycle after the epoch's end, so the new ratio shows after two [3]. */
void ofld_ratio_step(ofld_ratio_t *s, const ofld_ratio_in_t *in) {
  s->epoch_end = s->ended;
  if (s->ended) {
    if (!s->first) ofld_ratio_decide(s);
    s->prev = s->cur;
    s->first = false;
  }
  ofld_ratio_count(s, in);
  s->ended = s->cycles == (EpochCycles);
  if (!s->ended) return;
  s->cur = s->count;
  s->cycles = 0;
  s->count = 0;
}

bool ofld_ratio_idle(const ofld_ratio_t *s) {
  return !s->ended && !s->epoch_end;
}
