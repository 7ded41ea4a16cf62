/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_wrbuf, the NSU's write address buffer: the WTAs of a store wait here for
 * their ST (NSU paper, section 4.1.2, Table 2; rtl/nsu/nsu_wrbuf.ports).
 *
 * The rule is in nsu_merge_core.h. Call nsu_wrbuf_eval for the outputs of a cycle, then
 * nsu_wrbuf_step with the same inputs for its clock edge. lk_hit, lk_idx and taken depend on inputs
 * of the same cycle (Mealy).
 */
#ifndef NSU_WRBUF_H
#define NSU_WRBUF_H

#include "nsu_merge_core.h"
#include "nsu_wrbuf_ports.h"

typedef struct {
  merge_core_t core;
  merge_entry_t entry[Depth];
  uint32_t rows[(Depth)*PKT_ADDR_BITS]; /* a row is 32 byte addresses of 40 bits */
  uint32_t row[PKT_ADDR_BITS];          /* the row taken last */
} nsu_wrbuf_t;

/* Frees all entries. The rows are a memory: zero the struct once, at power-up. */
void nsu_wrbuf_reset(nsu_wrbuf_t *m);
void nsu_wrbuf_eval(const nsu_wrbuf_t *m, const nsu_wrbuf_in_t *in, nsu_wrbuf_out_t *out);
void nsu_wrbuf_step(nsu_wrbuf_t *m, const nsu_wrbuf_in_t *in);
/* True: while wr_valid and take are 0, step changes nothing. */
bool nsu_wrbuf_idle(const nsu_wrbuf_t *m);

#endif
