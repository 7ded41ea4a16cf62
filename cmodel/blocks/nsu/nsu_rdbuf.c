/* SPDX-License-Identifier: Apache-2.0
 *
 * The ports of nsu_rdbuf around the rule of nsu_merge_core.h. Outputs that are not valid are 0.
 */
#include "nsu_rdbuf.h"
#include "nsu_merge_packet.h"

void nsu_rdbuf_reset(nsu_rdbuf_t *m) {
  merge_core_reset(&m->core, m->entry, Depth);
}

void nsu_rdbuf_eval(const nsu_rdbuf_t *m, const nsu_rdbuf_in_t *in, nsu_rdbuf_out_t *out) {
  const merge_core_t *c = &m->core;
  int found = merge_lookup(
      c, m->entry, (merge_id_t){.sm = (uint8_t)in->lk_sm, .warp = (uint8_t)in->lk_warp, .seq = (uint8_t)in->lk_seq});
  out->lk_hit = found >= 0;
  out->lk_idx = found >= 0 ? (unsigned)found : 0;
  out->taken = in->take && merge_takes(c, m->entry, in->take_idx);
  memcpy(out->row, m->row, sizeof m->row);
  out->row_mask = c->row_mask;
  out->row_size = c->row_size;
  out->cpl_valid = c->cpl_valid;
  out->cpl_sm = c->cpl_valid ? c->cpl.sm : 0;
  out->cpl_warp = c->cpl_valid ? c->cpl.warp : 0;
  out->cpl_seq = c->cpl_valid ? c->cpl.seq : 0;
  out->cpl_idx = c->cpl_valid ? c->probe_write_idx : 0;
  out->err_overflow = c->err_overflow;
  out->err_merge = c->err_merge;
  out->probe_write = c->probe_write;
  out->probe_write_idx = c->probe_write ? c->probe_write_idx : 0;
  out->probe_level = c->level;
}

void nsu_rdbuf_step(nsu_rdbuf_t *m, const nsu_rdbuf_in_t *in) {
  merge_packet_t packet;
  if (in->wr_valid) packet = merge_packet_of(in->wr_hdr);
  merge_core_step(&m->core, m->entry, m->rows, m->row, Depth, PKT_WORD_BITS, in->wr_valid ? &packet : NULL, in->wr_data,
                  in->take ? (int)in->take_idx : -1);
}

bool nsu_rdbuf_idle(const nsu_rdbuf_t *m) {
  return merge_core_idle(&m->core);
}
