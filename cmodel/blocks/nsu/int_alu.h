/* SPDX-License-Identifier: Apache-2.0
 *
 * int_alu -- golden model of the integer unit; contract: rtl/nsu/int_alu.ports.
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
