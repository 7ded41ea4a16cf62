/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_mergebuf: a buffer whose entries are merged from several packets of a memory
 * instruction (NSU paper, section 4.1.2; rtl/nsu/nsu_mergebuf.ports).
 *
 * The rule is in nsu_merge_core.h. Call nsu_mergebuf_eval for the outputs of a cycle, then
 * nsu_mergebuf_step with the same inputs for its clock edge. lk_hit, lk_idx and taken depend on
 * inputs of the same cycle (Mealy).
 */
#ifndef NSU_MERGEBUF_H
#define NSU_MERGEBUF_H

#include "nsu_merge_core.h"
#include "nsu_mergebuf_ports.h"

typedef struct {
  merge_core_t core;
  merge_entry_t entry[Depth];
  uint32_t rows[(Depth)*LaneBits]; /* a row is 32 threads of LaneBits bits: LaneBits words */
  uint32_t row[LaneBits];          /* the row taken last */
} nsu_mergebuf_t;

/* Frees all entries. The rows are a memory: zero the struct once, at power-up. */
void nsu_mergebuf_reset(nsu_mergebuf_t *m);
void nsu_mergebuf_eval(const nsu_mergebuf_t *m, const nsu_mergebuf_in_t *in, nsu_mergebuf_out_t *out);
void nsu_mergebuf_step(nsu_mergebuf_t *m, const nsu_mergebuf_in_t *in);
/* True: while wr_valid and take are 0, step changes nothing. */
bool nsu_mergebuf_idle(const nsu_mergebuf_t *m);

#endif
