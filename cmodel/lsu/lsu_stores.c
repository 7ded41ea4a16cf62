/* SPDX-License-Identifier: Apache-2.0 */
#include "lsu_stores.h"

void lsu_stores_reset(lsu_stores_t *s) { *s = (lsu_stores_t){0}; }

static int lowest_free(const lsu_stores_t *s) {
  for (int i = 0; i < Stores; i++)
    if (!s->entry[i].used) return i;
  return -1;
}

void lsu_stores_eval(const lsu_stores_t *s, const lsu_stores_in_t *in, lsu_stores_out_t *out) {
  (void)in;
  int idx = lowest_free(s);
  out->free = idx >= 0;
  out->idx = idx >= 0 ? (unsigned)idx : 0;
  out->done = s->done;
  out->done_id = s->done_id;
  out->err = s->err;
}

static void count_ack(lsu_stores_t *s, uint64_t idx) {
  s->err = idx >= Stores || !s->entry[idx].used;
  if (s->err || --s->entry[idx].left) return;
  s->entry[idx].used = false;
  s->done = true;
  s->done_id = s->entry[idx].id;
}

void lsu_stores_step(lsu_stores_t *s, const lsu_stores_in_t *in) {
  int idx = lowest_free(s); /* before an answer frees one */
  s->done = s->err = false;
  if (in->ack) count_ack(s, in->ack_idx);
  if (!in->alloc || idx < 0) return;
  s->entry[idx].used = true;
  s->entry[idx].left = (unsigned)in->al_n;
  s->entry[idx].id = (unsigned)in->al_id;
}
