/* SPDX-License-Identifier: Apache-2.0 */
#include "quiet.h"

#include "dut_table.h"

#include <stdlib.h>

enum { STEADY = 64 }; /* Cycles after which an input that never changed counts as constant. */

struct quiet *quiet_new(const dut_t *dut) {
  struct quiet *q = calloc(1, sizeof *q);
  if (!q) return NULL;
  q->events = calloc(dut->num_ports + 1, sizeof *q->events);
  q->wide = calloc(dut->in_size / 8 + 1, sizeof *q->wide);
  for (unsigned i = 0; i < dut->num_ports && q->events && q->wide; i++) {
    const dut_port_t *p = &dut->ports[i];
    if (p->dir != DUT_IN || p->valid) continue;
    if (p->width == 1)
      q->events[q->num_events++] = (struct event){p->offset / 8, dut_qualifies(dut, p) == DUT_INVERTED};
    for (uint32_t w = 0; p->width > 1 && w < p->size / 8; w++) q->wide[q->num_wide++].word = p->offset / 8 + w;
  }
  return q;
}

void quiet_free(struct quiet *q) {
  if (!q) return;
  free(q->events);
  free(q->wide);
  free(q);
}

bool quiet_cycle(struct quiet *q, const uint64_t *in) {
  bool quiet = true;
  for (unsigned i = 0; i < q->num_wide; i++) {
    struct wide *w = &q->wide[i];
    if (!q->age) w->first = in[w->word], w->changed = false;
    w->changed |= in[w->word] != w->first;
    quiet &= !in[w->word] || (!w->changed && q->age >= STEADY);
  }
  q->age++;
  for (unsigned i = 0; i < q->num_events; i++) quiet &= in[q->events[i].word] == q->events[i].low;
  return quiet;
}
