/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of flits by link and direction over a window; its end compares them with the limit.
 */
#include "tom_busy.h"

#include <string.h>

void tom_busy_reset(tom_busy_t *s) {
  memset(s, 0, sizeof *s);
}

void tom_busy_eval(const tom_busy_t *s, const tom_busy_in_t *in, tom_busy_out_t *out) {
  (void)in;
  memset(out, 0, sizeof *out);
  out->hot_tx = s->tx.hot;
  out->hot_rx = s->rx.hot;
  out->probe_count = s->count;
  for (unsigned i = 0; i < Links; i++) {
    out->link_tx |= (uint64_t)s->tx.link[i] << i;
    out->link_rx |= (uint64_t)s->rx.link[i] << i;
    bits_put(out->probe_tx, i * TOM_BUSY_SUM_W, TOM_BUSY_SUM_W, s->tx.flits[i]);
    bits_put(out->probe_rx, i * TOM_BUSY_SUM_W, TOM_BUSY_SUM_W, s->rx.flits[i]);
  }
}

/* At least `limit` per cent of what this many links can carry in a window. 0 is always
 * true, more than 100 never (rule 3). */
static bool busy(uint64_t flits, uint64_t limit, uint64_t links) {
  return flits * 100 >= limit * links * (Flits) * (Window);
}

/* The verdicts of a window, and sums of 0 for the next. `limit` is that of its last cycle. */
static void end_window(tom_busy_way_t *way, uint64_t limit) {
  uint64_t all = 0;
  for (unsigned i = 0; i < Links; i++) {
    all += way->flits[i];
    way->link[i] = busy(way->flits[i], limit, 1);
    way->flits[i] = 0;
  }
  way->hot = busy(all, limit, Links);
}

void tom_busy_step(tom_busy_t *s, const tom_busy_in_t *in) {
  for (unsigned i = 0; i < Links; i++) {
    s->tx.flits[i] += tom_busy_flits(in->tx_flits, i);
    s->rx.flits[i] += tom_busy_flits(in->rx_flits, i);
  }
  if (++s->count < (Window)) return;
  s->count = 0;
  end_window(&s->tx, in->limit);
  end_window(&s->rx, in->limit);
}
