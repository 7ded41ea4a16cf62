/* SPDX-License-Identifier: Apache-2.0
 *
 * The lowest requester wins. There is no state.
 */
#include "arb_fixed.h"

#include "request_set.h"

void arb_fixed_reset(arb_fixed_t *s) {
  s->none = 0;
}

void arb_fixed_eval(const arb_fixed_t *s, const arb_fixed_in_t *in, arb_fixed_out_t *out) {
  (void)s;
  out->gnt = in->req ? set_of(set_lowest(in->req)) : 0;
}

void arb_fixed_step(arb_fixed_t *s, const arb_fixed_in_t *in) {
  (void)s;
  (void)in;
}
