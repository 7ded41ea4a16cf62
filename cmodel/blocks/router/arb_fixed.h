/* SPDX-License-Identifier: Apache-2.0
 *
 * arb_fixed -- golden model of the fixed-priority arbiter; contract: rtl/router/arb_fixed.ports.
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
