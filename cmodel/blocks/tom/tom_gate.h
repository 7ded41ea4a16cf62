/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of tom_gate: pending offload requests of each stack, and the instance that may be
 * next (TOM paper, sections 3.3, 4.2 and 4.3; rtl/tom/tom_gate.ports).
 *
 * Call tom_gate_eval for the outputs of a cycle, then tom_gate_step with the same inputs for its
 * clock edge. All outputs are state (Moore).
 */
#ifndef TOM_GATE_H
#define TOM_GATE_H

#include <stdbool.h>

#include "tom_gate_ports.h"

typedef struct {
  unsigned pending[Stacks];    /* instances granted and not done */
  unsigned turn[Stacks];       /* by stack: the SM with priority; Sms counts as 0 */
  uint64_t gnt, nak, answered; /* SMs, a bit each: answers of this cycle; asks already answered */
  uint64_t seen;               /* instances while the map is learnt; stops at its highest value */
  bool irq, err;               /* the target was reached; a fault since reset */
} tom_gate_t;

void tom_gate_reset(tom_gate_t *s);
void tom_gate_eval(const tom_gate_t *s, const tom_gate_in_t *in, tom_gate_out_t *out);
void tom_gate_step(tom_gate_t *s, const tom_gate_in_t *in);

#endif
