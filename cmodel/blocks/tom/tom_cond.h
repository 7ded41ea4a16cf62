/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of tom_cond, the condition of a candidate block: will its loop run often enough to
 * save traffic? (TOM paper, sections 3.1.3 and 4.2; rtl/tom/tom_cond.ports.)
 *
 * tom_cond_eval gives hold for the inputs of the same cycle; step and reset do nothing.
 */
#ifndef TOM_COND_H
#define TOM_COND_H

#include "tom_cond_ports.h"

typedef struct {
  unsigned none; /* combinational: no state */
} tom_cond_t;

void tom_cond_reset(tom_cond_t *s);
void tom_cond_eval(const tom_cond_t *s, const tom_cond_in_t *in, tom_cond_out_t *out);
void tom_cond_step(tom_cond_t *s, const tom_cond_in_t *in);

#endif
