/* SPDX-License-Identifier: Apache-2.0
 *
 * One message at a time: read the row, keep it, send it.
 */
#include "move_near.h"

#include <string.h>

#include "lsu_msg.h"

void move_near_reset(move_near_t *s) {
  s->state = MOVE_NEAR_IDLE;
}

void move_near_eval(const move_near_t *s, const move_near_in_t *in, move_near_out_t *out) {
  out->rf_req = s->state == MOVE_NEAR_IDLE && in->v_valid;
  out->rf_warp = LSU_GET(in->v_hdr, warp);
  out->rf_reg = LSU_GET(in->v_hdr, reg);
  out->v_take = out->rf_req && in->rf_gnt;
  out->out_valid = s->state == MOVE_NEAR_OUT;
  out->out_hdr = s->hdr;
  memcpy(out->out_data, s->row, sizeof s->row);
}

void move_near_step(move_near_t *s, const move_near_in_t *in) {
  switch (s->state) {
  case MOVE_NEAR_IDLE:
    if (!in->v_valid || !in->rf_gnt) break;
    s->hdr = in->v_hdr;
    s->state = MOVE_NEAR_ROW;
    break;
  case MOVE_NEAR_ROW:
    memcpy(s->row, in->rf_data, sizeof s->row);
    s->state = MOVE_NEAR_OUT;
    break;
  case MOVE_NEAR_OUT:
    if (in->out_take) s->state = MOVE_NEAR_IDLE;
    break;
  }
}

extern inline bool move_near_idle(const move_near_t *s);
