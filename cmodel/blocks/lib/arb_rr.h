/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of arb_rr: round-robin arbiter, one grant a cycle, combinational from req to gnt.
 * A requester's turn comes at the latest after NumReq - 1 other grants that were taken.
 */
#ifndef ARB_RR_H
#define ARB_RR_H

#include "arb_rr_ports.h"

typedef struct arb_rr {
  unsigned first; /* requester with the highest priority, 0 .. NumReq - 1; NumReq: past the last, so 0 comes first */
} arb_rr_t;

void arb_rr_reset(arb_rr_t *arb);
void arb_rr_eval(const arb_rr_t *arb, const arb_rr_in_t *in, arb_rr_out_t *out);
void arb_rr_step(arb_rr_t *arb, const arb_rr_in_t *in);

#endif
