/* SPDX-License-Identifier: Apache-2.0 */
#ifndef op_unit_MODEL_H
#define op_unit_MODEL_H

#include "op_unit_ports.h" /* made of op_unit.ports: op_unit_in_t, op_unit_out_t */

typedef struct op_unit_state {
  uint64_t nothing;
} op_unit_t;

void op_unit_reset(op_unit_t *state);
void op_unit_eval(const op_unit_t *state, const op_unit_in_t *in, op_unit_out_t *out);
void op_unit_step(op_unit_t *state, const op_unit_in_t *in);

#endif
