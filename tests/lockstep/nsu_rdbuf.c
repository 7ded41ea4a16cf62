/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_rdbuf: the common profiles of the merge buffers (merge_stim.h) with random lines.
 */
#include "nsu_rdbuf.h"

#include "merge_stim.h"

/* A random header with the fields of a packet; the rest of the header must not matter. */
static void drive_packet(state_t *s, nsu_rdbuf_in_t *in, const stim_packet_t *p) {
  stim_header(&s->rng, in->wr_hdr);
  HDR_SET(in->wr_hdr, sm, p->sm);
  HDR_SET(in->wr_hdr, warp, p->warp);
  HDR_SET(in->wr_hdr, seq, p->seq);
  HDR_SET(in->wr_hdr, mask, p->mask);
  HDR_SET(in->wr_hdr, lmask, p->lmask);
  HDR_SET(in->wr_hdr, size, p->size);
  rng_fill(&s->rng, in->wr_data, PKT_LINE_BITS);
}

static void next(void *state, uint64_t cycle, const void *out_bytes, void *in_bytes) {
  state_t *s = state;
  const nsu_rdbuf_out_t *out = out_bytes;
  nsu_rdbuf_in_t *in = in_bytes;
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

STIM_DEFINE(nsu_rdbuf, .reset = reset)
