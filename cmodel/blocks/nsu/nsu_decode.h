/* SPDX-License-Identifier: Apache-2.0
 *
 * nsu_decode -- golden model of the instruction decoder; contract: rtl/nsu/nsu_decode.ports.
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
