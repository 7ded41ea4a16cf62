/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of rv_alu, the arithmetic unit of the controller's core: results of OP and OP_IMM,
 * and whether a branch is taken (rtl/ctrl/rv_alu.ports).
 *
 * rv_alu_eval gives the outputs for the inputs of the same cycle; step and reset do nothing.
 */
#ifndef RV_ALU_H
#define RV_ALU_H

#include <stdbool.h>

#include "rv_alu_ports.h"

typedef struct {
  unsigned none; /* combinational: no state */
} rv_alu_t;

uint32_t rv_alu_result(unsigned sub, uint32_t a, uint32_t b); /* sub of OP, 0 .. 15 (rv_isa.def) */
bool rv_alu_taken(unsigned sub, uint32_t a, uint32_t b);      /* sub of BRANCH */

void rv_alu_reset(rv_alu_t *s);
void rv_alu_eval(const rv_alu_t *s, const rv_alu_in_t *in, rv_alu_out_t *out);
void rv_alu_step(rv_alu_t *s, const rv_alu_in_t *in);

#endif
