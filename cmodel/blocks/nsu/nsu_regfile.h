/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_regfile, the NSU's register file: NumWarps x 16 registers of 32 threads x 32
 * bits, one read and one write port (rtl/nsu/nsu_regfile.ports).
 *
 * Call nsu_regfile_eval for the outputs of a cycle, then nsu_regfile_step with the same inputs for
 * its clock edge. The grants depend on inputs of the same cycle (Mealy); rd_data is state. A read
 * of the row that is written in the same cycle gives the old row. nsu_regfile_step asserts that
 * slots are below NumWarps.
 */
#ifndef NSU_REGFILE_H
#define NSU_REGFILE_H

#include <stdbool.h>

#include "nsu_beat.h"
#include "nsu_isa.h"
#include "nsu_regfile_ports.h"

/* Both arrays are a memory: zero at power-up, untouched by reset. */
typedef struct {
  uint32_t row[NumWarps][ISA_NUM_REGS][LINE_WORDS]; /* a word a thread */
  uint32_t rd_data[LINE_WORDS];                     /* the row of the last granted read */
} nsu_regfile_t;

void nsu_regfile_reset(nsu_regfile_t *s);
void nsu_regfile_eval(const nsu_regfile_t *s, const nsu_regfile_in_t *in, nsu_regfile_out_t *out);
/* All outputs but the wide rd_data. The whole NSU's model reads rd_data from the state. */
void nsu_regfile_eval_grants(const nsu_regfile_in_t *in, nsu_regfile_out_t *out);
void nsu_regfile_step(nsu_regfile_t *s, const nsu_regfile_in_t *in);

#endif
