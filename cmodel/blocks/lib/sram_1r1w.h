/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of sram_1r1w: Depth rows of Width bits, one write and one read a cycle. Reset
 * changes nothing. A read's row is at rd_data from the next cycle until the next read; it has the
 * content before a write of the same cycle. Addresses are below Depth.
 */
#ifndef SRAM_1R1W_H
#define SRAM_1R1W_H

#include "sram_1r1w_ports.h"

typedef struct sram_1r1w {
  uint32_t rows[Depth][PORT_WORDS(Width)];
  uint32_t rd_data[PORT_WORDS(Width)];
} sram_1r1w_t;

void sram_1r1w_reset(sram_1r1w_t *sram);
void sram_1r1w_eval(const sram_1r1w_t *sram, const sram_1r1w_in_t *in, sram_1r1w_out_t *out);
void sram_1r1w_step(sram_1r1w_t *sram, const sram_1r1w_in_t *in);

#endif
