/* SPDX-License-Identifier: Apache-2.0
 *
 * The register file as an array of rows. The first requester in the order ex, st, en reads; ex
 * writes before ld.
 */
#include "nsu_regfile.h"

#include <assert.h>

/* A memory has no reset. */
void nsu_regfile_reset(nsu_regfile_t *s) {
  (void)s;
}

void nsu_regfile_eval_grants(const nsu_regfile_in_t *in, nsu_regfile_out_t *out) {
  out->st_rd_gnt = in->st_rd_valid && !in->ex_rd_valid;
  out->en_rd_gnt = in->en_rd_valid && !in->ex_rd_valid && !in->st_rd_valid;
  out->ld_wr_gnt = in->ld_wr_valid && !in->ex_wr_valid;
}

void nsu_regfile_eval(const nsu_regfile_t *s, const nsu_regfile_in_t *in, nsu_regfile_out_t *out) {
  nsu_regfile_eval_grants(in, out);
  memcpy(out->rd_data, s->rd_data, sizeof s->rd_data);
}

static uint32_t *nsu_regfile_row(nsu_regfile_t *s, uint64_t slot, uint64_t reg) {
  assert(slot < NumWarps);
  return s->row[slot][reg];
}

static void nsu_regfile_read(nsu_regfile_t *s, uint64_t slot, uint64_t reg) {
  memcpy(s->rd_data, nsu_regfile_row(s, slot, reg), sizeof s->rd_data);
}

/* Threads outside of the mask keep their words. */
static void nsu_regfile_write(uint32_t *row, uint64_t mask, const uint32_t *data) {
  for (unsigned i = 0; i < PKT_WARP_WIDTH; i++) row[i] = mask >> i & 1 ? data[i] : row[i];
}

void nsu_regfile_step(nsu_regfile_t *s, const nsu_regfile_in_t *in) {
  /* The read comes before the write, so it gives the old row (rule 4). */
  if (in->ex_rd_valid) nsu_regfile_read(s, in->ex_rd_slot, in->ex_rd_reg);
  else if (in->st_rd_valid) nsu_regfile_read(s, in->st_rd_slot, in->st_rd_reg);
  else if (in->en_rd_valid) nsu_regfile_read(s, in->en_rd_slot, in->en_rd_reg);
  if (in->ex_wr_valid)
    nsu_regfile_write(nsu_regfile_row(s, in->ex_wr_slot, in->ex_wr_reg), in->ex_wr_mask, in->ex_wr_row);
  else if (in->ld_wr_valid)
    nsu_regfile_write(nsu_regfile_row(s, in->ld_wr_slot, in->ld_wr_reg), in->ld_wr_mask, in->ld_wr_row);
}
