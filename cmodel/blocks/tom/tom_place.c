/* SPDX-License-Identifier: Apache-2.0
 *
 * The place of a line, bit by bit on byte addresses, as the paper names them. Numbers in brackets
 * are rules of the port file.
 */
#include "tom_place.h"

enum { WINDOW_BIT = 31 }; /* bit of an address in the stack that separates the two maps [4] */

void tom_place_reset(tom_place_t *s) {
  s->none = 0;
}

static unsigned bit_of(uint64_t address, unsigned bit) {
  return (unsigned)(address >> bit) & 1;
}

/* The lowest address bit that the place leaves out: the stack's own bits [2], or
 * bits that the mixed stack implies [3]. */
static unsigned first_cut(const tom_place_in_t *in) {
  return TOM_LINE_BITS + (in->ndp ? (unsigned)in->bit : 0);
}

/* Bit i of the stack's number [2, 3]. */
static unsigned stack_bit(uint64_t address, const tom_place_in_t *in, unsigned i) {
  if (in->ndp) return bit_of(address, first_cut(in) + i);
  return bit_of(address, 7 + i) ^ bit_of(address, 7 + (StackBits) + i) ^ bit_of(address, 13 + i) ^
         bit_of(address, 19 + i);
}

/* The place takes all address bits but those cut, with ndp put in between [4]. */
void tom_place_eval(const tom_place_t *s, const tom_place_in_t *in, tom_place_out_t *out) {
  const uint64_t address = in->line << TOM_LINE_BITS;
  const unsigned cut = first_cut(in);
  uint64_t inside = 0; /* an address in the stack */
  unsigned to = TOM_LINE_BITS;
  (void)s;
  out->stack = 0;
  for (unsigned i = 0; i < StackBits; i++) out->stack |= (uint64_t)stack_bit(address, in, i) << i;
  for (unsigned from = TOM_LINE_BITS; from < AddrBits; from++) {
    if (to == WINDOW_BIT) inside |= in->ndp << to++;
    if (from < cut || from >= cut + (StackBits)) inside |= (uint64_t)bit_of(address, from) << to++;
  }
  out->place = inside >> TOM_LINE_BITS;
}

void tom_place_step(tom_place_t *s, const tom_place_in_t *in) {
  (void)s;
  (void)in;
}
