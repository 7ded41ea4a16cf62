/* SPDX-License-Identifier: Apache-2.0 */
#include "tom_watch.h"

void tom_watch_begin(tom_watch_t *w, unsigned warp) {
  w->warp[warp] = (tom_watch_warp_t){.open = true};
}

void tom_watch_access(tom_watch_t *w, tom_watched_t *sum, unsigned warp, uint64_t vaddr, unsigned gpu_stack, unsigned stacks) {
  tom_watch_warp_t *i = &w->warp[warp];
  if (!i->open) return;
  sum->accesses++;
  for (unsigned m = 0; m < TOM_WATCH_MAPS; m++) {
    const unsigned stack = m ? (unsigned)(vaddr >> (TOM_WATCH_BIT + m - 1)) % stacks : gpu_stack;
    if (!i->accesses) i->first[m] = (uint16_t)stack;
    i->touched[m] |= (uint16_t)(1U << stack);
    sum->map[m].same += stack == i->first[m];
  }
  i->accesses++;
}

void tom_watch_end(tom_watch_t *w, tom_watched_t *sum, unsigned warp) {
  tom_watch_warp_t *i = &w->warp[warp];
  if (!i->open) return;
  i->open = false;
  sum->instances++;
  for (unsigned m = 0; m < TOM_WATCH_MAPS; m++) sum->map[m].stacks += (unsigned)__builtin_popcount(i->touched[m]);
}

unsigned tom_watch_best(const tom_watched_t *sum) {
  unsigned best = 1;
  for (unsigned m = 2; m < TOM_WATCH_MAPS; m++)
    if (sum->map[m].same > sum->map[best].same) best = m;
  return TOM_WATCH_BIT + best - 1;
}
