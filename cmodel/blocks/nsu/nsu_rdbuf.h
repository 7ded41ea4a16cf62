/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_rdbuf -- golden model of the read data buffer; contract: rtl/nsu/nsu_rdbuf.ports, rule:
 * nsu_merge_core.h. Papers/000 section 4.1.2, Table 2.
 */
#ifndef NSU_RDBUF_H
#define NSU_RDBUF_H

#include "nsu_merge_core.h"
#include "nsu_rdbuf_ports.h"

typedef struct {
  merge_core_t core;
  merge_entry_t entry[Depth];
  uint32_t rows[(Depth)*PKT_WORD_BITS];
  uint32_t row[PKT_WORD_BITS];
} nsu_rdbuf_t;

void nsu_rdbuf_reset(nsu_rdbuf_t *m); /* leaves the memory alone: zero the struct at power-up */
void nsu_rdbuf_eval(const nsu_rdbuf_t *m, const nsu_rdbuf_in_t *in, nsu_rdbuf_out_t *out);
void nsu_rdbuf_step(nsu_rdbuf_t *m, const nsu_rdbuf_in_t *in);
bool nsu_rdbuf_idle(const nsu_rdbuf_t *m); /* while wr_valid and take are 0 */

#endif
