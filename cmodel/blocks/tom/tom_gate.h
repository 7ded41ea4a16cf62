/* SPDX-License-Identifier: Apache-2.0
 *
 * tom_gate -- golden model of the pending instances of each stack; contract:
 * rtl/tom/tom_gate.ports.
 */
#ifndef TOM_GATE_H
#define TOM_GATE_H

#include <stdbool.h>

#include "tom_gate_ports.h"

typedef struct {
  unsigned pending[Stacks];
  unsigned turn[Stacks]; /* the SM that is looked at first; Sms: the first */
  uint64_t gnt, nak, answered;
  uint64_t seen;
  bool irq, err;
} tom_gate_t;

void tom_gate_reset(tom_gate_t *s);
void tom_gate_eval(const tom_gate_t *s, const tom_gate_in_t *in, tom_gate_out_t *out);
void tom_gate_step(tom_gate_t *s, const tom_gate_in_t *in);

#endif
