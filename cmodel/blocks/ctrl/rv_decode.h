/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of rv_decode, the decoder of the controller's core: legality, kind and immediate of
 * an instruction (rtl/ctrl/rv_decode.ports).
 *
 * rv_decode_eval gives the outputs for instr of the same cycle; step and reset do nothing. The rule
 * is rv_isa.h. All outputs but legal are 0 for an illegal instruction.
 */
#ifndef RV_DECODE_H
#define RV_DECODE_H

#include "rv_decode_ports.h"
#include "rv_isa.h"

typedef struct {
  unsigned none; /* combinational: no state */
} rv_decode_t;

void rv_decode_reset(rv_decode_t *s);
void rv_decode_eval(const rv_decode_t *s, const rv_decode_in_t *in, rv_decode_out_t *out);
void rv_decode_step(rv_decode_t *s, const rv_decode_in_t *in);

#endif
