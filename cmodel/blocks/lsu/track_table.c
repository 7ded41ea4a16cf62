/* SPDX-License-Identifier: Apache-2.0
 *
 * Two bits a register: the places with a valid copy.
 */
#include "track_table.h"

#include <string.h>

enum { FAR = 1, NEAR = 2, BOTH = 3 };

void track_table_reset(track_table_t *s) {
  memset(s->copies, BOTH, sizeof s->copies);
}

void track_table_eval(const track_table_t *s, const track_table_in_t *in, track_table_out_t *out) {
  uint64_t fb = 0, nb = 0;
  for (unsigned i = 0; i < TRACK_TABLE_LOOKUPS && in->lk_warp < Warps; i++) {
    unsigned reg = in->lk_regs >> 8 * i & 255, copies = reg < Regs ? s->copies[in->lk_warp][reg] : 0;
    fb |= (uint64_t)(copies & 1) << i;
    nb |= (uint64_t)(copies >> 1) << i;
  }
  out->fb = fb;
  out->nb = nb;
}

/* Rule 2: write, copy and clear in this order, so that the later one wins. */
void track_table_step(track_table_t *s, const track_table_in_t *in) {
  if (in->wr_valid && in->wr_warp < Warps && in->wr_reg < Regs)
    s->copies[in->wr_warp][in->wr_reg] = in->wr_near ? NEAR : FAR;
  if (in->mv_valid && in->mv_warp < Warps && in->mv_reg < Regs)
    s->copies[in->mv_warp][in->mv_reg] |= in->mv_near ? NEAR : FAR;
  if (in->clear_valid && in->clear_warp < Warps) memset(s->copies[in->clear_warp], BOTH, Regs);
}

bool track_table_idle(const track_table_t *s) {
  (void)s;
  return true;
}
