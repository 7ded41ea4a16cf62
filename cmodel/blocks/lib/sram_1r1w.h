/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of sram_1r1w: Depth rows of Width bits, one write and one read port
 * (rtl/lib/sram_1r1w.ports).
 *
 * Call sram_1r1w_eval for the outputs of a cycle, then sram_1r1w_step with the same inputs for its
 * clock edge. A read's row is at rd_data from the next cycle until the next read. A read of the row
 * that is written in the same cycle gives the old row. The struct must be zero at power-up; reset
 * changes nothing. sram_1r1w_step asserts that addresses are below Depth.
 */
#ifndef SRAM_1R1W_H
#define SRAM_1R1W_H

#include "sram_1r1w_ports.h"

typedef struct sram_1r1w {
  uint32_t rows[Depth][PORT_WORDS(Width)]; /* contents, zero at power-up */
  uint32_t rd_data[PORT_WORDS(Width)];     /* the row of the last read, 0 before the first */
} sram_1r1w_t;

void sram_1r1w_reset(sram_1r1w_t *sram);
void sram_1r1w_eval(const sram_1r1w_t *sram, const sram_1r1w_in_t *in, sram_1r1w_out_t *out);
void sram_1r1w_step(sram_1r1w_t *sram, const sram_1r1w_in_t *in);

#endif
