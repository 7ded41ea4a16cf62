/* SPDX-License-Identifier: Apache-2.0 */
#include "axis_drop_fifo.h"

void axis_drop_fifo_reset(axis_drop_fifo_t *f) {
  memset(f, 0, sizeof *f);
}

void axis_drop_fifo_eval(const axis_drop_fifo_t *f, const axis_drop_fifo_in_t *in, axis_drop_fifo_out_t *out) {
  (void)in;
  out->s_axis_tready = f->used < ROOM || f->skip || f->fresh == f->used;
  out->m_axis_tvalid = f->used > f->fresh;
  out->m_axis_tdata = f->data[0];
  out->m_axis_tlast = f->last[0];
  out->dropped = f->dropped;
  out->passed = f->passed;
}

static void drop(axis_drop_fifo_t *f) {
  f->used -= f->fresh;
  f->fresh = 0;
  f->dropped = true;
}

static void accept(axis_drop_fifo_t *f, const axis_drop_fifo_in_t *in) {
  if (f->skip) {
    f->skip = !in->s_axis_tlast;
  } else if (f->used == ROOM) { /* and all of it is this frame's */
    drop(f);
    f->skip = !in->s_axis_tlast;
  } else {
    f->data[f->used] = in->s_axis_tdata;
    f->last[f->used++] = in->s_axis_tlast;
    f->fresh++;
    if (in->s_axis_tlast && in->s_axis_tuser) drop(f);
    else if (in->s_axis_tlast) f->fresh = 0, f->passed = true;
  }
}

static void leave(axis_drop_fifo_t *f) {
  f->used--;
  memmove(f->data, f->data + 1, (ROOM - 1) * sizeof *f->data);
  memmove(f->last, f->last + 1, (ROOM - 1) * sizeof *f->last);
}

void axis_drop_fifo_step(axis_drop_fifo_t *f, const axis_drop_fifo_in_t *in) {
  axis_drop_fifo_out_t out;
  axis_drop_fifo_eval(f, in, &out);
  PROTOCOL(stream_watch(&f->watch, out.m_axis_tvalid, in->m_axis_tready, (uint64_t[]){f->data[0], f->last[0]}, 2));
  f->dropped = f->passed = false;
  if (in->s_axis_tvalid && out.s_axis_tready) accept(f, in);
  if (out.m_axis_tvalid && in->m_axis_tready) leave(f);
}
