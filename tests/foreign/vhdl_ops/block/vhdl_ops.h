/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators of VHDL.
 */
#ifndef VHDL_OPS_H
#define VHDL_OPS_H

#include "vhdl_ops_ports.h"

typedef struct vhdl_ops {
  uint8_t kept[8], moved[8], row, stored, passed;
} vhdl_ops_t;

void vhdl_ops_reset(vhdl_ops_t *state);
void vhdl_ops_eval(const vhdl_ops_t *state, const vhdl_ops_in_t *in, vhdl_ops_out_t *out);
void vhdl_ops_step(vhdl_ops_t *state, const vhdl_ops_in_t *in);

#endif
