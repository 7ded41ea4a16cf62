/* SPDX-License-Identifier: Apache-2.0
 *
 * rv_alu -- golden model of what the controller's core computes in a cycle; contract:
 * rtl/ctrl/rv_alu.ports.
 */
#ifndef RV_ALU_H
#define RV_ALU_H

#include <stdbool.h>

#include "rv_alu_ports.h"

typedef struct {
  unsigned none; /* no state */
} rv_alu_t;

uint32_t rv_alu_result(unsigned sub, uint32_t a, uint32_t b); /* sub as of OP, 0 to 15 */
bool rv_alu_taken(unsigned sub, uint32_t a, uint32_t b);      /* sub as of BRANCH */

void rv_alu_reset(rv_alu_t *s);
void rv_alu_eval(const rv_alu_t *s, const rv_alu_in_t *in, rv_alu_out_t *out);
void rv_alu_step(rv_alu_t *s, const rv_alu_in_t *in);

#endif
