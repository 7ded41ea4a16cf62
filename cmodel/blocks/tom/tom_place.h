/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of tom_place: the stack where a line lives, and its place there (TOM paper, sections
 * 3.2 and 5.1; rtl/tom/tom_place.ports).
 *
 * tom_place_eval gives the outputs for the inputs of the same cycle; step and reset do nothing. A
 * line is a byte address without its TOM_LINE_BITS lowest bits.
 */
#ifndef TOM_PLACE_H
#define TOM_PLACE_H

#include "tom_place_ports.h"

typedef struct {
  unsigned none; /* combinational: no state */
} tom_place_t;

void tom_place_reset(tom_place_t *s);
void tom_place_eval(const tom_place_t *s, const tom_place_in_t *in, tom_place_out_t *out);
void tom_place_step(tom_place_t *s, const tom_place_in_t *in);

#endif
