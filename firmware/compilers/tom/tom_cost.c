/* SPDX-License-Identifier: Apache-2.0
 *
 * Equations 3 and 4 of the TOM paper. Coalescing ratios are 1, and half of the loads
 * miss (section 3.1.1). An acknowledgement is a quarter of a word. A predicate is a word
 * of a warp, not one of each thread (ours).
 *
 *    TX = sent * SW           - (loads / 2 + stores * (SW + 1))
 *    RX = returned * SW       - (loads / 2 * SC + stores / 4)
 */
#include "tom_compiler.h"

enum { COAL_LD = 1, COAL_ST = 1, MISSES_OF_TWO = 1 };

/* Words that a warp sends for these registers. */
static int64_t warp_words(tom_size_t size) {
  return (int64_t)size.words * TOM_WARP + size.predicates;
}

/* All products are in quarters of a word, so halves and quarters are exact. */
tom_change_t tom_change(tom_size_t sent, tom_size_t returned, uint64_t loads, uint64_t stores) {
  int64_t n_ld = (int64_t)loads, n_st = (int64_t)stores;
  int64_t load_tx = n_ld * COAL_LD * MISSES_OF_TWO * TOM_QUARTERS / 2;
  int64_t load_rx = n_ld * COAL_LD * TOM_LINE * MISSES_OF_TWO * TOM_QUARTERS / 2;
  return (tom_change_t){.tx = warp_words(sent) * TOM_QUARTERS - (load_tx + n_st * (TOM_WARP + COAL_ST) * TOM_QUARTERS),
                        .rx = warp_words(returned) * TOM_QUARTERS - (load_rx + n_st * COAL_ST)};
}

/* A 32-bit register as the condition compares it. */
static int64_t as_value(const tom_condition_t *c, uint32_t bits) {
  return c->is_signed ? (int64_t)(int32_t)bits : (int64_t)bits;
}

/* 64 bits hold every difference of two 32-bit values. */
bool tom_holds(const tom_condition_t *c, uint32_t start, uint32_t bound, uint32_t step) {
  int64_t from = c->start == PTX_NONE ? 0 : as_value(c, start);
  int64_t to = c->bound == PTX_NONE ? 0 : as_value(c, bound);
  int64_t by = as_value(c, step);
  int64_t distance = c->up ? to - from : from - to;
  switch (c->kind) {
  case TOM_DISTANCE: return distance >= c->imm;
  case TOM_STEPS: return distance >= by * (INT64_C(1) << c->shift) + c->beyond;
  default: return true;
  }
}
