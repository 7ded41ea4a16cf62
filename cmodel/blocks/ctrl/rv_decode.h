/* SPDX-License-Identifier: Apache-2.0
 *
 * rv_decode -- golden model of the decoder of the controller's core; contract:
 * rtl/ctrl/rv_decode.ports.
 */
#ifndef RV_DECODE_H
#define RV_DECODE_H

#include "rv_decode_ports.h"
#include "rv_isa.h"

typedef struct {
  unsigned none; /* no state */
} rv_decode_t;

void rv_decode_reset(rv_decode_t *s);
void rv_decode_eval(const rv_decode_t *s, const rv_decode_in_t *in, rv_decode_out_t *out);
void rv_decode_step(rv_decode_t *s, const rv_decode_in_t *in);

#endif
