/* SPDX-License-Identifier: Apache-2.0
 *
 * tom_place for one line. The block has no state that matters: a reset, then its outputs.
 */
#include "tom_place_entry.h"

#include "tom_place.h"

uint64_t tom_place_entry(uint64_t line, bool ndp, unsigned bit, unsigned *stack) {
  tom_place_t s = {0};
  tom_place_out_t out = {0};
  const tom_place_in_t in = {.line = line, .ndp = ndp, .bit = bit};
  tom_place_reset(&s);
  tom_place_eval(&s, &in, &out);
  *stack = (unsigned)out.stack;
  return out.place;
}
