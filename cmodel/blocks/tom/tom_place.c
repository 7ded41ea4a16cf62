/* SPDX-License-Identifier: Apache-2.0
 *
 * On addresses of bytes, as the paper names them, a bit after the other.
 */
#include "tom_place.h"

enum { WINDOW_BIT = 31 }; /* of an address in a stack */

void tom_place_reset(tom_place_t *s) {
  s->none = 0;
}

static unsigned bit_of(uint64_t address, unsigned bit) {
  return (unsigned)(address >> bit) & 1;
}

/* Bits from the lowest up that name the stack, or,
 * mixed, that the stack and the others say again. */
static unsigned first_cut(const tom_place_in_t *in) {
  return TOM_LINE_BITS + (in->ndp ? (unsigned)in->bit : 0);
}

static unsigned stack_bit(uint64_t address, const tom_place_in_t *in, unsigned i) {
  if (in->ndp) return bit_of(address, first_cut(in) + i);
  return bit_of(address, 7 + i) ^ bit_of(address, 7 + (StackBits) + i) ^ bit_of(address, 13 + i) ^
         bit_of(address, 19 + i);
}

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
