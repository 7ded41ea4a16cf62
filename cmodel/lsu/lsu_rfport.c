/* SPDX-License-Identifier: Apache-2.0 */
#include "lsu_rfport.h"

#include <string.h>

#include "lsu_access.h"

enum { READERS = 3, WRITERS = 3, GATHER = 0, SMEM = 1, MESSAGE = 2 };

void lsu_rfport_reset(lsu_rfport_t *s) { *s = (lsu_rfport_t){0}; }

static int writer(const lsu_rfport_t *s, const lsu_rfport_in_t *in) {
  return lsu_turn(s->wr_first, WRITERS, (unsigned)(in->g_valid << GATHER | in->s_valid << SMEM | in->w_valid << MESSAGE));
}

static void eval_read(const lsu_rfport_t *s, const lsu_rfport_in_t *in, lsu_rfport_out_t *out) {
  int win = lsu_turn(s->rd_first, READERS, (unsigned)in->rd_req);
  if (win < 0) return;
  out->rd_valid = 1;
  out->rd_gnt = 1ull << win;
  out->rd_warp = in->rd_req_warp >> LSU_warp_W * win & LSU_MASK(warp);
  out->rd_reg = in->rd_req_reg >> LSU_reg_W * win & LSU_MASK(reg);
}

static void write_row(lsu_rfport_out_t *out, uint64_t warp, uint64_t reg, uint64_t mask, const uint32_t *row) {
  out->wr_valid = 1;
  out->wr_warp = warp;
  out->wr_reg = reg;
  out->wr_mask = mask;
  memcpy(out->wr_data, row, sizeof out->wr_data);
}

void lsu_rfport_eval(const lsu_rfport_t *s, const lsu_rfport_in_t *in, lsu_rfport_out_t *out) {
  memset(out, 0, sizeof *out);
  eval_read(s, in, out);
  int win = writer(s, in);
  out->g_gnt = win == GATHER;
  out->s_gnt = win == SMEM;
  out->w_take = win == MESSAGE;
  if (win == GATHER) write_row(out, in->g_warp, in->g_reg, 0xffffffff, in->g_data);
  if (win == SMEM) write_row(out, in->s_warp, in->s_reg, in->s_mask, in->s_data);
  if (win == MESSAGE) write_row(out, LSU_GET(in->w_hdr, warp), LSU_GET(in->w_hdr, reg), in->w_mask, in->w_data);
  out->done = s->done;
  out->done_id = s->done_id;
}

void lsu_rfport_step(lsu_rfport_t *s, const lsu_rfport_in_t *in) {
  int rd = lsu_turn(s->rd_first, READERS, (unsigned)in->rd_req), wr = writer(s, in);
  if (rd >= 0) s->rd_first = (unsigned)(rd + 1) % READERS;
  if (wr >= 0) s->wr_first = (unsigned)(wr + 1) % WRITERS;
  s->done = wr == MESSAGE && !(LSU_GET(in->w_hdr, areg) & LSU_FLAG);
  s->done_id = s->done ? (unsigned)LSU_GET(in->w_hdr, id) : 0;
}
