/* SPDX-License-Identifier: Apache-2.0
 *
 * The ports of alloc_islip around the rule of islip.h.
 */
#include "alloc_islip.h"

#include "alloc_rows.h"
#include "islip.h"

_Static_assert((int)NOBODY == (int)ISLIP_NOBODY, "one sign for no partner");
static const islip_size_t size = {.ins = NumIn, .outs = NumOut, .iters = Iters};

/* The match of this cycle, for the grants and for the pointers. */
static void allocate(const alloc_islip_t *s, const alloc_islip_in_t *in, islip_match_t *m) {
  set_t wants[NumIn];
  uint16_t level[NumIn * NumOut]; /* written where req is 1 */
  for (unsigned i = 0; i < NumIn; i++) {
    wants[i] = alloc_row(in->req, i);
    for (set_t left = wants[i]; left; left = set_rest(left)) {
      unsigned cell = i * NumOut + set_lowest(left);
      level[cell] = (uint16_t)bits_get(in->level, cell * LevelBits, LevelBits);
    }
  }
  islip_match(size, s->in_first, s->out_first, wants, level, m);
}

void alloc_islip_reset(alloc_islip_t *s) {
  *s = (alloc_islip_t){0};
}

void alloc_islip_eval(const alloc_islip_t *s, const alloc_islip_in_t *in, alloc_islip_out_t *out) {
  islip_match_t m;
  allocate(s, in, &m);
  alloc_show(m.partner, out->gnt);
}

void alloc_islip_step(alloc_islip_t *s, const alloc_islip_in_t *in) {
  islip_match_t m;
  if (!in->update) return;
  allocate(s, in, &m);
  islip_advance(size, s->in_first, s->out_first, &m);
}
