/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries that collect transfers, and one assembler that writes the rows. Numbers in brackets are
 * rules of the port file.
 */
#include "lsu_gather.h"

#include <string.h>

void lsu_gather_reset(lsu_gather_t *s) {
  s->used = s->whole = s->complete = 0;
  s->busy = s->high = s->done = s->err = false;
}

/* Thread i's value is its bytes of the access; for 8 bytes the lower or the upper four. */
void lsu_gather_row(const lsu_gather_t *s, uint32_t *row) {
  const lsu_gather_entry_t *e = &s->entry[s->order[0]];
  unsigned first = e->off + (s->high ? 4u : 0);
  for (unsigned i = 0; i < LSU_LANES; i++)
    row[i] = lsu_extend(lsu_get_word(e->data, first + (i << e->size)), e->size, e->sign);
}

void lsu_gather_eval(const lsu_gather_t *s, const lsu_gather_in_t *in, lsu_gather_out_t *out) {
  (void)in;
  memset(out, 0, sizeof *out);
  int idx = lsu_gather_free(s);
  out->free = idx >= 0;
  out->idx = idx >= 0 ? (unsigned)idx : 0;
  out->done = s->done;
  out->done_id = s->done_id;
  out->err = s->err;
  out->probe_complete = s->whole;
  if (!lsu_gather_writes(s)) return;
  out->rw_valid = 1;
  out->rw_warp = lsu_gather_warp(s);
  out->rw_reg = lsu_gather_reg(s);
  lsu_gather_row(s, out->rw_data);
}

/* The last row is written: the entry is free and its id shows for a cycle [8]. */
static void end_entry(lsu_gather_t *s) {
  unsigned idx = s->order[0];
  s->used &= ~(1u << idx);
  s->whole &= ~(1u << idx);
  s->busy = s->high = false;
  s->done = true;
  s->done_id = s->entry[idx].id;
  memmove(s->order, s->order + 1, --s->complete);
}

/* An entry of n transfers takes n cycles to read before its row shows [6, 7]. */
static void step_assembler(lsu_gather_t *s, bool granted) {
  s->done = false;
  if (!s->busy && s->complete) {
    s->busy = true;
    s->wait = s->entry[s->order[0]].n;
  } else if (s->busy && s->wait) {
    s->wait--;
  } else if (s->busy && granted) {
    if (s->entry[s->order[0]].size < 3 || s->high) end_entry(s);
    else s->high = true;
  }
}

/* Stores a transfer. Returns the entry that it completes, or -1. A
 * wrong transfer is dropped [3]. */
static int take_transfer(lsu_gather_t *s, const lsu_gather_in_t *in) {
  unsigned idx = (unsigned)in->wr_idx, k = (unsigned)in->wr_k;
  lsu_gather_entry_t *e = &s->entry[idx < Gathers ? idx : 0];
  s->err = idx >= Gathers || !(s->used >> idx & 1) || k >= e->n || e->there >> k & 1;
  if (s->err) return -1;
  memcpy(&e->data[k * LSU_XFER_WORDS], in->wr_data, sizeof in->wr_data);
  e->there |= (uint16_t)(1u << k);
  return e->there == (1u << e->n) - 1 ? (int)idx : -1;
}

static void begin_entry(lsu_gather_t *s, unsigned idx, const lsu_gather_in_t *in) {
  lsu_gather_entry_t *e = &s->entry[idx];
  s->used |= 1u << idx;
  e->sign = in->al_sign;
  e->warp = (uint8_t)in->al_warp;
  e->reg = (uint8_t)in->al_reg;
  e->size = (uint8_t)in->al_size;
  e->off = (uint8_t)in->al_off;
  e->n = (uint8_t)in->al_n;
  e->id = (uint8_t)in->al_id;
  e->there = 0;
}

/* All events see the entries as they were at the beginning of the cycle. */
void lsu_gather_step(lsu_gather_t *s, const lsu_gather_in_t *in) {
  int free = lsu_gather_free(s), completed = -1;
  s->err = false;
  if (in->wr_valid) completed = take_transfer(s, in);
  step_assembler(s, in->rw_gnt);
  if (completed >= 0) {
    s->order[s->complete++] = (uint8_t)completed;
    s->whole |= 1u << completed;
  }
  if (in->alloc && free >= 0) begin_entry(s, (unsigned)free, in);
}

extern inline bool lsu_gather_idle(const lsu_gather_t *s);
