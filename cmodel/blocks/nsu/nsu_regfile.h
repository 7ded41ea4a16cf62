/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_regfile -- golden model of the register file; contract: rtl/nsu/nsu_regfile.ports.
 */
#ifndef NSU_REGFILE_H
#define NSU_REGFILE_H

#include <stdbool.h>

#include "nsu_beat.h"
#include "nsu_isa.h"
#include "nsu_regfile_ports.h"

/* Both are a memory: zero at power-up, not touched by reset. */
typedef struct {
  uint32_t row[NumWarps][ISA_NUM_REGS][LINE_WORDS];
  uint32_t rd_data[LINE_WORDS];
} nsu_regfile_t;

void nsu_regfile_reset(nsu_regfile_t *s);
void nsu_regfile_eval(const nsu_regfile_t *s, const nsu_regfile_in_t *in, nsu_regfile_out_t *out);
/* All outputs but the wide rd_data, for who looks at the state's itself. */
void nsu_regfile_eval_grants(const nsu_regfile_in_t *in, nsu_regfile_out_t *out);
void nsu_regfile_step(nsu_regfile_t *s, const nsu_regfile_in_t *in);

#endif
