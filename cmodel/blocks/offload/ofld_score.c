/* SPDX-License-Identifier: Apache-2.0
 *
 * The NSU paper's section 7.3 in its own words: averages, Benefit, score. Numbers in brackets are
 * rules of the port file.
 */
#include "ofld_score.h"

#include <string.h>

enum { LINE_BYTES = 128, WARP = 32, WORD_BYTES = 4 }; /* WARP: threads */

void ofld_score_reset(ofld_score_t *s) {
  memset(s, 0, sizeof *s);
  for (unsigned b = 0; b < (Entries); b++) s->allowed[b] = true;
}

void ofld_score_eval(const ofld_score_t *s, const ofld_score_in_t *in, ofld_score_out_t *out) {
  (void)in;
  out->allow = 0;
  for (unsigned b = 0; b < (Entries); b++) out->allow |= (uint64_t)s->allowed[b] << b;
  out->probe_valid = s->summed.valid;
  out->probe_block = s->summed.block;
  out->probe_n = (uint64_t)s->summed.sum.n;
  out->probe_misses = (uint64_t)s->summed.sum.misses;
  out->probe_hit_bytes = (uint64_t)s->summed.sum.hit_bytes;
  out->probe_worth = s->summed.worth;
  out->probe_epochs = s->epochs;
}

/* Equation 1 in bytes; more than 0 is worth it [3]. Rule 0 is the paper's, for one average
 * instance. Rule 1 counts all instances, and takes off what caches sent. */
static int64_t ofld_score_of(const ofld_update_t *u) {
  const ofld_measured_t *e = &u->sum;
  const int64_t stores = u->stores * WORD_BYTES * WARP, overhead = u->regs * WORD_BYTES * WARP;
  const int64_t average = (e->misses + e->n - 1) / e->n; /* lines times miss rate, rounded up */
  if ((Rule) == 0) return average * LINE_BYTES + stores - overhead;
  return e->misses * LINE_BYTES + e->n * (stores - overhead) - e->hit_bytes;
}

/* Adds an instance. A full entry is halved first [2]. */
static void ofld_score_add(ofld_measured_t *e, const ofld_measured_t *one) {
  if (e->n == (1 << (CountBits)) - 1) e->n /= 2, e->misses /= 2, e->hit_bytes /= 2;
  e->n += one->n, e->misses += one->misses, e->hit_bytes += one->hit_bytes;
}

/* Suppressed blocks may be offloaded again, with empty entries [5]. */
static void ofld_score_let_in(ofld_score_t *s) {
  for (unsigned b = 0; b < (Entries); b++) {
    if (s->allowed[b]) continue;
    s->allowed[b] = true;
    s->entry[b] = (ofld_measured_t){0};
  }
}

/* Counts epochs; the last of Retry lets blocks in again [5]. */
static void ofld_score_epoch(ofld_score_t *s, bool ended) {
  s->again = false;
  if (!(Retry) || !ended || ++s->epochs < (Retry)) return;
  s->epochs = 0;
  s->again = true;
}

/* An update of a block without an entry is ignored [1]. */
static void ofld_score_update(ofld_score_t *s, const ofld_score_in_t *in) {
  const ofld_measured_t one = {1, (int64_t)in->upd_misses, (int64_t)in->upd_hit_bytes};
  s->came = (ofld_update_t){0};
  if (!in->upd_valid || in->upd_block >= (Entries)) return;
  s->came = (ofld_update_t){.valid = true,
                            .block = (unsigned)in->upd_block,
                            .stores = (int64_t)in->upd_stores,
                            .regs = (int64_t)in->upd_regs,
                            .sum = one};
}

/* The order within a cycle is that of the port file: verdict, blocks let in, update. */
void ofld_score_step(ofld_score_t *s, const ofld_score_in_t *in) {
  if (in->clear) {
    ofld_score_reset(s);
    return;
  }
  if (s->judged.valid) s->allowed[s->judged.block] = s->judged.worth;
  s->judged = s->summed;
  if (s->again) {
    ofld_score_let_in(s);
    s->judged = (ofld_update_t){0};
  }
  s->summed = s->came;
  if (s->came.valid) {
    ofld_score_add(&s->entry[s->came.block], &s->came.sum);
    s->summed.sum = s->entry[s->came.block];
    s->summed.worth = s->summed.sum.n < (MinInstances) || ofld_score_of(&s->summed) > 0;
  }
  ofld_score_epoch(s, in->epoch_end);
  ofld_score_update(s, in);
}

bool ofld_score_idle(const ofld_score_t *s) {
  return !s->came.valid && !s->summed.valid && !s->judged.valid && !s->again;
}
