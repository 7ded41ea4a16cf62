/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_rdbuf, the NSU's read data buffer: RDF responses wait here for their LD (NSU
 * paper, section 4.1.2, Table 2; rtl/nsu/nsu_rdbuf.ports).
 *
 * The rule is in nsu_merge_core.h. Call nsu_rdbuf_eval for the outputs of a cycle, then
 * nsu_rdbuf_step with the same inputs for its clock edge. lk_hit, lk_idx and taken depend on inputs
 * of the same cycle (Mealy).
 */
#ifndef NSU_RDBUF_H
#define NSU_RDBUF_H

#include "nsu_merge_core.h"
#include "nsu_rdbuf_ports.h"

typedef struct {
  merge_core_t core;
  merge_entry_t entry[Depth];
  uint32_t rows[(Depth)*PKT_WORD_BITS]; /* a row is 32 words, one a thread */
  uint32_t row[PKT_WORD_BITS];          /* the row taken last */
} nsu_rdbuf_t;

/* Frees all entries. The rows are a memory: zero the struct once, at power-up. */
void nsu_rdbuf_reset(nsu_rdbuf_t *m);
void nsu_rdbuf_eval(const nsu_rdbuf_t *m, const nsu_rdbuf_in_t *in, nsu_rdbuf_out_t *out);
void nsu_rdbuf_step(nsu_rdbuf_t *m, const nsu_rdbuf_in_t *in);
/* True: while wr_valid and take are 0, step changes nothing. */
bool nsu_rdbuf_idle(const nsu_rdbuf_t *m);

#endif
