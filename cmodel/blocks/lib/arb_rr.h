/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of arb_rr, a round-robin arbiter: at most one grant a cycle (rtl/lib/arb_rr.ports).
 *
 * Call arb_rr_eval for the grant of a cycle, then arb_rr_step with the same inputs for its clock
 * edge. The grant depends on the requests of the same cycle (Mealy). A requester waits for at most
 * NumReq - 1 grants to others that were taken.
 */
#ifndef ARB_RR_H
#define ARB_RR_H

#include "arb_rr_ports.h"

typedef struct arb_rr {
  unsigned first; /* requester with the highest priority, 0 .. NumReq; NumReq counts as 0 */
} arb_rr_t;

void arb_rr_reset(arb_rr_t *arb);
void arb_rr_eval(const arb_rr_t *arb, const arb_rr_in_t *in, arb_rr_out_t *out);
void arb_rr_step(arb_rr_t *arb, const arb_rr_in_t *in);

#endif
