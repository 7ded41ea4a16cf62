/* SPDX-License-Identifier: Apache-2.0
 *
 * tom_place -- golden model of where a line lives; contract: rtl/tom/tom_place.ports.
 */
#ifndef TOM_PLACE_H
#define TOM_PLACE_H

#include "tom_place_ports.h"

typedef struct {
  unsigned none; /* no state */
} tom_place_t;

void tom_place_reset(tom_place_t *s);
void tom_place_eval(const tom_place_t *s, const tom_place_in_t *in, tom_place_out_t *out);
void tom_place_step(tom_place_t *s, const tom_place_in_t *in);

#endif
