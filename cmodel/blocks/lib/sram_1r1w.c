/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory as an array. A read comes before the write of the same cycle, so it gives the old row.
 */
#include "sram_1r1w.h"

#include <assert.h>
#include <string.h>

static uint32_t bit(const uint32_t *words, unsigned i) {
  return words[i / 32] >> (i % 32) & 1;
}

/* A memory has no reset: contents and rd_data stay. */
void sram_1r1w_reset(sram_1r1w_t *sram) {
  (void)sram;
}

void sram_1r1w_eval(const sram_1r1w_t *sram, const sram_1r1w_in_t *in, sram_1r1w_out_t *out) {
  (void)in;
  memcpy(out->rd_data, sram->rd_data, sizeof out->rd_data);
}

/* Bit k of wr_mask writes the bits from k * LaneBits on; the others keep their value. */
void sram_1r1w_step(sram_1r1w_t *sram, const sram_1r1w_in_t *in) {
  if (in->rd_en) {
    assert(in->rd_addr < Depth);
    memcpy(sram->rd_data, sram->rows[in->rd_addr], sizeof sram->rd_data);
  }
  if (!in->wr_en) return;
  assert(in->wr_addr < Depth);
  uint32_t *row = sram->rows[in->wr_addr];
  for (unsigned i = 0; i < Width; i++) {
    if (!bit(in->wr_mask, i / LaneBits)) continue;
    uint32_t mask = 1u << (i % 32);
    row[i / 32] = (row[i / 32] & ~mask) | (in->wr_data[i / 32] & mask);
  }
}
