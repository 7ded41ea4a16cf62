/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_mergebuf -- golden model of the buffer merged from several packets; contract:
 * rtl/nsu/nsu_mergebuf.ports, rule: nsu_merge_core.h. A row of 32 threads of LaneBits bits is
 * LaneBits words.
 */
#ifndef NSU_MERGEBUF_H
#define NSU_MERGEBUF_H

#include "nsu_merge_core.h"
#include "nsu_mergebuf_ports.h"

typedef struct {
  merge_core_t core;
  merge_entry_t entry[Depth];
  uint32_t rows[(Depth)*LaneBits];
  uint32_t row[LaneBits];
} nsu_mergebuf_t;

void nsu_mergebuf_reset(nsu_mergebuf_t *m); /* leaves the memory alone: zero the struct at power-up */
void nsu_mergebuf_eval(const nsu_mergebuf_t *m, const nsu_mergebuf_in_t *in, nsu_mergebuf_out_t *out);
void nsu_mergebuf_step(nsu_mergebuf_t *m, const nsu_mergebuf_in_t *in);
bool nsu_mergebuf_idle(const nsu_mergebuf_t *m); /* while wr_valid and take are 0 */

#endif
