/* SPDX-License-Identifier: Apache-2.0
 *
 * One move at a time, as a small machine. Numbers in brackets are rules of the port file.
 */
#include "move_engine.h"

#include <string.h>

enum { OFFLOAD = 1, LSU = 2 }; /* bits of gnt */

void move_engine_reset(move_engine_t *s) {
  memset(s, 0, sizeof *s);
}

/* The requester whose move begins in the next cycle [2]. In the cycle of its answer the LSU
 * still shows the request that is answered, so it is not heard [8]. */
static unsigned grant(const move_engine_t *s, const move_engine_in_t *in) {
  if (s->phase != MOVE_NONE) return 0;
  if (in->mv_req) return OFFLOAD;
  return in->need_data && !s->answered ? LSU : 0;
}

/* The register of the row that moves now. */
static unsigned this_reg(const move_engine_t *s) {
  return (s->reg + s->second) & LSU_MASK(reg);
}

/* REGW with the row, or RMV without one [3, 4]. */
static void show_message(const move_engine_t *s, uint64_t nbu_id, move_engine_out_t *out) {
  uint64_t hdr = LSU_PUT(LSU_PUT(UINT64_C(0), type, s->near ? LSU_REGW : LSU_RMV), nbu, nbu_id);
  hdr = LSU_PUT(LSU_PUT(hdr, size, 2), warp, s->warp);
  out->dn_hdr = LSU_PUT(LSU_PUT(hdr, reg, this_reg(s)), id, MoveId);
  if (s->near) memcpy(out->dn_data, s->row, sizeof s->row);
  else memset(out->dn_data, 0, sizeof out->dn_data);
}

/* A finished move names its first row [7]. */
static void show_end(const move_engine_t *s, move_engine_out_t *out) {
  out->done_warp = s->warp;
  out->done_reg = s->reg;
  out->done_near = s->near;
  if (s->answered) memcpy(out->dt_data, s->row, sizeof s->row);
}

void move_engine_eval(const move_engine_t *s, const move_engine_in_t *in, move_engine_out_t *out) {
  out->gnt = grant(s, in);
  out->done = s->done;
  out->dt_valid = s->answered;
  out->frf_req = s->phase == MOVE_READ;
  out->fwr_valid = s->phase == MOVE_WRITE;
  out->dn_valid = s->phase == MOVE_SEND;
  out->frf_warp = out->fwr_warp = s->warp;
  out->frf_reg = out->fwr_reg = this_reg(s);
  if (s->done || s->answered) show_end(s, out);
  if (out->dn_valid) show_message(s, in->nbu_id, out);
  if (out->fwr_valid) memcpy(out->fwr_data, s->row, sizeof s->row);
}

/* To near the row is read first; to far the near half is asked for it. */
static void begin_row(move_engine_t *s) {
  s->phase = s->near ? MOVE_READ : MOVE_SEND;
}

/* The LSU's move is always one row to far. */
static void begin(move_engine_t *s, const move_engine_in_t *in, unsigned gnt) {
  s->for_lsu = gnt == LSU;
  s->near = !s->for_lsu && in->mv_near;
  s->wide = !s->for_lsu && in->mv_wide;
  s->second = false;
  s->warp = (uint8_t)(s->for_lsu ? in->need_warp : in->mv_warp);
  s->reg = (uint8_t)(s->for_lsu ? in->need_reg : in->mv_reg);
  begin_row(s);
}

/* A wide move goes on with the next row [6]; otherwise the requester learns the end. */
static void end_row(move_engine_t *s) {
  if (s->wide && !s->second) {
    s->second = true;
    begin_row(s);
    return;
  }
  s->phase = MOVE_NONE;
  s->done = !s->for_lsu;
  s->answered = s->for_lsu;
}

/* To near only the CPL counts, to far only the MVR [9]. */
static void step_reply(move_engine_t *s, const move_engine_in_t *in) {
  if (s->near) {
    if (in->cp_valid) end_row(s);
  } else if (in->mr_valid) {
    memcpy(s->row, in->mr_data, sizeof s->row);
    if (s->for_lsu) end_row(s);
    else s->phase = MOVE_WRITE;
  }
}

void move_engine_step(move_engine_t *s, const move_engine_in_t *in) {
  unsigned gnt = grant(s, in);
  s->done = s->answered = false;
  switch (s->phase) {
  case MOVE_NONE:
    if (gnt) begin(s, in, gnt);
    break;
  case MOVE_READ:
    if (in->frf_gnt) s->phase = MOVE_ROW;
    break;
  case MOVE_ROW:
    memcpy(s->row, in->frf_data, sizeof s->row);
    s->phase = MOVE_SEND;
    break;
  case MOVE_SEND:
    if (in->dn_take) s->phase = MOVE_REPLY;
    break;
  case MOVE_REPLY: step_reply(s, in); break;
  case MOVE_WRITE:
    if (in->fwr_gnt) end_row(s);
    break;
  }
}

bool move_engine_idle(const move_engine_t *s) {
  return s->phase != MOVE_ROW && !s->done && !s->answered;
}
