/* SPDX-License-Identifier: Apache-2.0
 *
 * Two round-robin ports, one for reads and one for writes.
 */
#include "lsu_rfport.h"

#include <string.h>

void lsu_rfport_reset(lsu_rfport_t *s) {
  *s = (lsu_rfport_t){0};
}

/* Requests of the ports' clients, a bit each. */
static unsigned readers(const lsu_rfport_in_t *in) {
  return (unsigned)in->rd_req;
}

static unsigned writers(const lsu_rfport_in_t *in) {
  return (unsigned)(in->g_valid << LSU_WRITER_GATHER | in->s_valid << LSU_WRITER_SMEM |
                    in->w_valid << LSU_WRITER_MESSAGE);
}

static void eval_read(const lsu_rfport_t *s, const lsu_rfport_in_t *in, lsu_rfport_out_t *out) {
  int win = lsu_rfport_reader(s, readers(in));
  if (win < 0) return;
  out->rd_valid = 1;
  out->rd_gnt = 1ull << win;
  out->rd_warp = in->rd_req_warp >> LSU_warp_W * win & LSU_MASK(warp);
  out->rd_reg = in->rd_req_reg >> LSU_reg_W * win & LSU_MASK(reg);
}

/* The granted client's fields on the write port. */
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
  int win = lsu_rfport_writer(s, writers(in));
  out->g_gnt = win == LSU_WRITER_GATHER;
  out->s_gnt = win == LSU_WRITER_SMEM;
  out->w_take = win == LSU_WRITER_MESSAGE;
  if (win == LSU_WRITER_GATHER) write_row(out, in->g_warp, in->g_reg, LSU_ALL_THREADS, in->g_data);
  if (win == LSU_WRITER_SMEM) write_row(out, in->s_warp, in->s_reg, in->s_mask, in->s_data);
  if (win == LSU_WRITER_MESSAGE)
    write_row(out, LSU_GET(in->w_hdr, warp), LSU_GET(in->w_hdr, reg), in->w_mask, in->w_data);
  out->done = s->done;
  out->done_id = s->done_id;
}

/* Rules 3 and 5. A message with its flag set gets no CPL. */
void lsu_rfport_advance(lsu_rfport_t *s, int reader, int writer, uint64_t w_hdr) {
  if (reader >= 0) s->rd_first = (unsigned)(reader + 1) % LSU_READERS;
  if (writer >= 0) s->wr_first = (unsigned)(writer + 1) % LSU_WRITERS;
  s->done = writer == LSU_WRITER_MESSAGE && !(LSU_GET(w_hdr, areg) & LSU_FLAG);
  s->done_id = s->done ? (unsigned)LSU_GET(w_hdr, id) : 0;
}

void lsu_rfport_step(lsu_rfport_t *s, const lsu_rfport_in_t *in) {
  lsu_rfport_advance(s, lsu_rfport_reader(s, readers(in)), lsu_rfport_writer(s, writers(in)), in->w_hdr);
}

extern inline bool lsu_rfport_idle(const lsu_rfport_t *s);
