/* SPDX-License-Identifier: Apache-2.0
 *
 * arb_age -- golden model of the weighted arbiter; contract: rtl/router/arb_age.ports.
 */
#ifndef ARB_AGE_H
#define ARB_AGE_H

#include "arb_age_ports.h"

typedef struct {
  unsigned first; /* the round-robin pointer, 0 .. NumReq - 1 */
} arb_age_t;

void arb_age_reset(arb_age_t *s);
void arb_age_eval(const arb_age_t *s, const arb_age_in_t *in, arb_age_out_t *out);
void arb_age_step(arb_age_t *s, const arb_age_in_t *in);

#endif
