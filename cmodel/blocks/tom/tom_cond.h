/* SPDX-License-Identifier: Apache-2.0
 *
 * tom_cond -- golden model of the condition of a candidate; contract: rtl/tom/tom_cond.ports.
 */
#ifndef TOM_COND_H
#define TOM_COND_H

#include "tom_cond_ports.h"

typedef struct {
  unsigned none; /* no state */
} tom_cond_t;

void tom_cond_reset(tom_cond_t *s);
void tom_cond_eval(const tom_cond_t *s, const tom_cond_in_t *in, tom_cond_out_t *out);
void tom_cond_step(tom_cond_t *s, const tom_cond_in_t *in);

#endif
