/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of nsu_decode: which unit executes an NSU instruction, what it reads, and whether it
 * is legal (rtl/nsu/nsu_decode.ports).
 *
 * nsu_decode_eval gives the outputs for instr of the same cycle; step and reset do nothing. All
 * outputs but legal are 0 for an illegal instruction.
 */
#ifndef NSU_DECODE_H
#define NSU_DECODE_H

#include <stdbool.h>

#include "nsu_isa.h"
#include "nsu_packet.h"
#include "nsu_decode_ports.h"

typedef struct {
  char none; /* combinational: no state */
} nsu_decode_t;

void nsu_decode_reset(nsu_decode_t *s);
void nsu_decode_eval(const nsu_decode_t *s, const nsu_decode_in_t *in, nsu_decode_out_t *out);
void nsu_decode_step(nsu_decode_t *s, const nsu_decode_in_t *in);

#endif
