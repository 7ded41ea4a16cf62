/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of int_alu: integer arithmetic, logic, shifts, compares, selection and sub-word
 * conversion for a lane of the NSU (rtl/nsu/int_alu.ports).
 *
 * int_alu_eval gives y for op, a, b and c of the same cycle; step and reset do nothing. y is 0 for
 * an op of another unit. The rule is nsu_alu_int (nsu_alu.h).
 */
#ifndef INT_ALU_H
#define INT_ALU_H

#include <stdbool.h>

#include "nsu_alu.h"
#include "int_alu_ports.h"

typedef struct {
  char none; /* combinational: no state */
} int_alu_t;

void int_alu_reset(int_alu_t *s);
void int_alu_eval(const int_alu_t *s, const int_alu_in_t *in, int_alu_out_t *out);
void int_alu_step(int_alu_t *s, const int_alu_in_t *in);

#endif
