/* SPDX-License-Identifier: Apache-2.0
 *
 * Equations 3 and 4 of the TOM paper. Coalescing ratios are 1 and half of the loads miss (section
 * 3.1.1); an acknowledgement is a quarter of a word. A predicate is a word of a warp, not one of
 * each thread (ours).
 */
#include "tom_compiler.h"

enum { COAL_LD = 1, COAL_ST = 1, MISSES_OF_TWO = 1 };

static int64_t words_of(tom_size_t size) {
  return (int64_t)size.words * TOM_WARP + size.predicates;
}

tom_change_t tom_change(tom_size_t sent, tom_size_t returned, uint64_t loads, uint64_t stores) {
  int64_t n_ld = (int64_t)loads, n_st = (int64_t)stores;
  int64_t load_tx = n_ld * COAL_LD * MISSES_OF_TWO * TOM_QUARTERS / 2;
  int64_t load_rx = n_ld * COAL_LD * TOM_LINE * MISSES_OF_TWO * TOM_QUARTERS / 2;
  return (tom_change_t){.tx = words_of(sent) * TOM_QUARTERS - (load_tx + n_st * (TOM_WARP + COAL_ST) * TOM_QUARTERS),
                        .rx = words_of(returned) * TOM_QUARTERS - (load_rx + n_st * COAL_ST)};
}

bool tom_holds(const tom_condition_t *c, uint32_t start, uint32_t bound, uint32_t step) {
  int64_t from = c->start == PTX_NONE ? 0 : c->is_signed ? (int64_t)(int32_t)start : (int64_t)start;
  int64_t to = c->bound == PTX_NONE ? 0 : c->is_signed ? (int64_t)(int32_t)bound : (int64_t)bound;
  int64_t by = c->is_signed ? (int64_t)(int32_t)step : (int64_t)step;
  int64_t distance = c->up ? to - from : from - to;
  switch (c->kind) {
  case TOM_DISTANCE: return distance >= c->imm;
  case TOM_STEPS: return distance >= by * (INT64_C(1) << c->shift) + c->beyond;
  default: return true;
  }
}
