/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of arb_fixed, the fixed-priority arbiter: the lowest requester wins
 * (rtl/router/arb_fixed.ports).
 *
 * arb_fixed_eval gives the grant for req of the same cycle; step and reset do nothing.
 */
#ifndef ARB_FIXED_H
#define ARB_FIXED_H

#include "arb_fixed_ports.h"

typedef struct {
  char none; /* no state: C has no empty struct */
} arb_fixed_t;

void arb_fixed_reset(arb_fixed_t *s);
void arb_fixed_eval(const arb_fixed_t *s, const arb_fixed_in_t *in, arb_fixed_out_t *out);
void arb_fixed_step(arb_fixed_t *s, const arb_fixed_in_t *in);

#endif
