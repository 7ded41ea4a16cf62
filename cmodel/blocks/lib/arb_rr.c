/* SPDX-License-Identifier: Apache-2.0
 *
 * Round robin: look at the requesters from `first` upwards, around the end; the first that asks is
 * granted.
 */
#include "arb_rr.h"

/* The requester that is granted, or -1 without a request. */
static int winner(const arb_rr_t *arb, uint64_t req) {
  for (unsigned i = 0; i < NumReq; i++) {
    unsigned candidate = (arb->first + i) % NumReq; /* NumReq wraps to 0 */
    if (req >> candidate & 1) return (int)candidate;
  }
  return -1;
}

void arb_rr_reset(arb_rr_t *arb) {
  arb->first = 0;
}

void arb_rr_eval(const arb_rr_t *arb, const arb_rr_in_t *in, arb_rr_out_t *out) {
  int win = winner(arb, in->req);
  out->gnt = win < 0 ? 0 : 1ull << win;
  out->probe_mask = 0;
  for (unsigned i = arb->first; i < NumReq; i++) out->probe_mask |= 1ull << i;
}

/* The pointer moves past the winner only when its grant is taken (update). */
void arb_rr_step(arb_rr_t *arb, const arb_rr_in_t *in) {
  int win = winner(arb, in->req);
  if (in->update && win >= 0) arb->first = (unsigned)win + 1;
}
