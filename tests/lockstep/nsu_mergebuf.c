/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_mergebuf: the common profiles of the merge buffers (merge_stim.h) with random
 * rows.
 */
#include "nsu_mergebuf.h"

#include "merge_stim.h"

/* The fields of a packet as the block's ports have them. */
static void drive_packet(state_t *s, nsu_mergebuf_in_t *in, const stim_packet_t *p) {
  in->wr_sm = p->sm;
  in->wr_warp = p->warp;
  in->wr_seq = p->seq;
  in->wr_mask = p->mask;
  in->wr_lmask = p->lmask;
  in->wr_size = p->size;
  rng_fill(&s->rng, in->wr_row, 32 * LaneBits);
}

static void next(void *state, uint64_t cycle, const void *out_bytes, void *in_bytes) {
  state_t *s = state;
  const nsu_mergebuf_out_t *out = out_bytes;
  nsu_mergebuf_in_t *in = in_bytes;
  (void)cycle;
  if (chance8(&s->rng, s->profile == MIXED ? 5 : 7)) {
    stim_packet_t p = merge_stim_packet(s);
    in->wr_valid = p.valid;
    if (p.valid) drive_packet(s, in, &p);
  }
  const op_t *op = merge_stim_look_up(s, out->lk_hit, &in->take);
  merge_stim_take(s, &in->take, &in->take_idx, out->lk_idx);
  in->lk_sm = op->sm;
  in->lk_warp = op->warp;
  in->lk_seq = op->seq;
}

STIM_RESET

STIM_DEFINE(nsu_mergebuf, .reset = reset)
