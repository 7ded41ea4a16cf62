/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries that count answers down.
 */
#include "lsu_stores.h"

void lsu_stores_reset(lsu_stores_t *s) {
  *s = (lsu_stores_t){0};
}

void lsu_stores_eval(const lsu_stores_t *s, const lsu_stores_in_t *in, lsu_stores_out_t *out) {
  (void)in;
  int idx = lsu_stores_free(s);
  out->free = idx >= 0;
  out->idx = idx >= 0 ? (unsigned)idx : 0;
  out->done = s->done;
  out->done_id = s->done_id;
  out->err = s->err;
}

/* Rules 2 and 3: the last answer ends the store, one for a free entry is an error. */
static void count_ack(lsu_stores_t *s, uint64_t idx) {
  s->err = idx >= Stores || !(s->used >> idx & 1);
  if (s->err || --s->entry[idx].left) return;
  s->used &= ~(1u << idx);
  s->done = true;
  s->done_id = s->entry[idx].id;
}

void lsu_stores_step(lsu_stores_t *s, const lsu_stores_in_t *in) {
  int idx = lsu_stores_free(s); /* before an answer frees one */
  s->done = s->err = false;
  if (in->ack) count_ack(s, in->ack_idx);
  if (!in->alloc || idx < 0) return;
  s->used |= 1u << idx;
  s->entry[idx].left = (uint8_t)in->al_n;
  s->entry[idx].id = (uint8_t)in->al_id;
}

extern inline bool lsu_stores_idle(const lsu_stores_t *s);
