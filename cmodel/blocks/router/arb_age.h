/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of arb_age, the weighted arbiter: the highest level wins, equals take turns
 * (rtl/router/arb_age.ports).
 *
 * Call arb_age_eval for the grant of a cycle, then arb_age_step with the same inputs for its clock
 * edge. gnt depends on req and level of the same cycle (Mealy). The pointer moves only with update.
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
