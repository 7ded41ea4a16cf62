/* SPDX-License-Identifier: Apache-2.0 */
#include "lsu_gather.h"

#include <string.h>

#include "lsu_access.h"

void lsu_gather_reset(lsu_gather_t *s) {
  for (unsigned i = 0; i < Gathers; i++) s->entry[i].used = false;
  s->complete = 0;
  s->busy = s->high = s->done = s->err = false;
}

static int lowest_free(const lsu_gather_t *s) {
  for (int i = 0; i < Gathers; i++)
    if (!s->entry[i].used) return i;
  return -1;
}

static bool all_there(const lsu_gather_entry_t *e) { return e->used && e->there == (1u << e->n) - 1; }

static bool writing(const lsu_gather_t *s) { return s->busy && s->wait == 0; }

/* Thread i's value is its access bytes, the lower or the upper four of eight. */
static void assemble(const lsu_gather_entry_t *e, bool high, uint32_t *row) {
  unsigned bytes = e->size < 2 ? 1u << e->size : 4;
  for (unsigned i = 0; i < LSU_LANES; i++) {
    uint32_t value = 0;
    for (unsigned b = 0; b < bytes; b++)
      value |= lsu_get_byte(e->data, e->off + (i << e->size) + (high ? 4 : 0) + b) << 8 * b;
    row[i] = lsu_extend(value, e->size, e->sign);
  }
}

void lsu_gather_eval(const lsu_gather_t *s, const lsu_gather_in_t *in, lsu_gather_out_t *out) {
  (void)in;
  memset(out, 0, sizeof *out);
  int idx = lowest_free(s);
  out->free = idx >= 0;
  out->idx = idx >= 0 ? (unsigned)idx : 0;
  out->done = s->done;
  out->done_id = s->done_id;
  out->err = s->err;
  for (unsigned i = 0; i < Gathers; i++) out->probe_complete |= (uint64_t)all_there(&s->entry[i]) << i;
  if (!writing(s)) return;
  const lsu_gather_entry_t *e = &s->entry[s->order[0]];
  out->rw_valid = 1;
  out->rw_warp = e->warp;
  out->rw_reg = (e->reg + s->high) & LSU_MASK(reg);
  assemble(e, s->high, out->rw_data);
}

static void end_entry(lsu_gather_t *s) {
  lsu_gather_entry_t *e = &s->entry[s->order[0]];
  e->used = s->busy = s->high = false;
  s->done = true;
  s->done_id = e->id;
  memmove(s->order, s->order + 1, --s->complete);
}

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

static void take_transfer(lsu_gather_t *s, const lsu_gather_in_t *in) {
  lsu_gather_entry_t *e = in->wr_idx < Gathers ? &s->entry[in->wr_idx] : NULL;
  s->err = !e || !e->used || in->wr_k >= e->n || e->there >> in->wr_k & 1;
  if (s->err) return;
  memcpy(&e->data[in->wr_k * LSU_XFER_WORDS], in->wr_data, sizeof in->wr_data);
  e->there |= (uint16_t)(1u << in->wr_k);
  if (all_there(e)) s->order[s->complete++] = (uint8_t)in->wr_idx;
}

void lsu_gather_step(lsu_gather_t *s, const lsu_gather_in_t *in) {
  int idx = lowest_free(s);
  unsigned complete = s->complete;
  s->err = false;
  if (in->wr_valid) take_transfer(s, in); /* sees the entries before this cycle's end of one and begin of another */
  unsigned completed = s->complete - complete;
  s->complete = complete;                 /* what is complete now is seen in the next cycle */
  uint8_t newest = completed ? s->order[complete] : 0;
  step_assembler(s, in->rw_gnt);
  if (completed) s->order[s->complete++] = newest;
  if (!in->alloc || idx < 0) return;
  lsu_gather_entry_t *e = &s->entry[idx];
  *e = (lsu_gather_entry_t){.used = true, .sign = in->al_sign, .warp = (uint8_t)in->al_warp, .reg = (uint8_t)in->al_reg};
  e->size = (uint8_t)in->al_size;
  e->off = (uint8_t)in->al_off;
  e->n = (uint8_t)in->al_n;
  e->id = (uint8_t)in->al_id;
}
