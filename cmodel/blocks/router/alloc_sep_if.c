/* SPDX-License-Identifier: Apache-2.0
 *
 * Two steps: every input picks one output by its pointer, then every picked output grants one of
 * those inputs by its own.
 */
#include "alloc_sep_if.h"

#include "alloc_rows.h"

/* partner[i] is the output that input i got, or NOBODY. */
static void allocate(const alloc_sep_if_t *s, const uint32_t *req, uint8_t partner[NumIn]) {
  set_t picked_by[NumOut] = {0}, picked = 0;
  for (unsigned i = 0; i < NumIn; i++) {
    partner[i] = NOBODY;
    int pick = set_turn(alloc_row(req, i), s->in_first[i]);
    if (pick < 0) continue;
    picked_by[pick] |= set_of(i);
    picked |= set_of((unsigned)pick);
  }
  for (; picked; picked = set_rest(picked)) {
    unsigned o = set_lowest(picked);
    partner[set_turn(picked_by[o], s->out_first[o])] = (uint8_t)o;
  }
}

void alloc_sep_if_reset(alloc_sep_if_t *s) {
  *s = (alloc_sep_if_t){0};
}

void alloc_sep_if_eval(const alloc_sep_if_t *s, const alloc_sep_if_in_t *in, alloc_sep_if_out_t *out) {
  uint8_t partner[NumIn];
  allocate(s, in->req, partner);
  alloc_show(partner, out->gnt);
}

/* Rule 4: only grants move pointers. An input with a pick that lost keeps its pointer. */
void alloc_sep_if_step(alloc_sep_if_t *s, const alloc_sep_if_in_t *in) {
  uint8_t partner[NumIn];
  if (!in->update) return;
  allocate(s, in->req, partner);
  for (unsigned i = 0; i < NumIn; i++) {
    unsigned o = partner[i];
    if (o == NOBODY) continue;
    s->in_first[i] = (uint8_t)set_next((int)o, NumOut);
    s->out_first[o] = (uint8_t)set_next((int)i, NumIn);
  }
}
