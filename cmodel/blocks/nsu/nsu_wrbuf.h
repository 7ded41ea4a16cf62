/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_wrbuf -- golden model of the write address buffer; contract: rtl/nsu/nsu_wrbuf.ports, rule:
 * nsu_merge_core.h. Papers/000 section 4.1.2, Table 2; a row is 32 addresses of 40 bits.
 */
#ifndef NSU_WRBUF_H
#define NSU_WRBUF_H

#include "nsu_merge_core.h"
#include "nsu_wrbuf_ports.h"

typedef struct {
  merge_core_t core;
  merge_entry_t entry[Depth];
  uint32_t rows[(Depth)*PKT_ADDR_BITS];
  uint32_t row[PKT_ADDR_BITS];
} nsu_wrbuf_t;

void nsu_wrbuf_reset(nsu_wrbuf_t *m); /* leaves the memory alone: zero the struct at power-up */
void nsu_wrbuf_eval(const nsu_wrbuf_t *m, const nsu_wrbuf_in_t *in, nsu_wrbuf_out_t *out);
void nsu_wrbuf_step(nsu_wrbuf_t *m, const nsu_wrbuf_in_t *in);
bool nsu_wrbuf_idle(const nsu_wrbuf_t *m); /* while wr_valid and take are 0 */

#endif
