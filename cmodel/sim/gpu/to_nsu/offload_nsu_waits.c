/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports of what NSU offloading waits for: the manager, an SM, a warp in a block.
 */
#include "offload_nsu.h"

#include <inttypes.h>
#include <stdio.h>

size_t nsu_waits_die(const void *die, unsigned link, char *text, size_t size) {
  const nsu_die_t *d = die;
  size_t used = 0;
  if (link >= GPU_MAX_NSU_STACKS) return 0; /* no NSU can be there */
  for (unsigned k = d->manager.first[link]; k < d->manager.first[link + 1]; k++) {
    const ndp_nsu_t *s = &d->manager.nsu[k];
    if (!s->count && s->cmd == d->manager.max_cmd) continue;
    const int n = snprintf(
        used < size ? text + used : NULL, used < size ? size - used : 0,
        "NDP manager, stack %u unit %u: %u requests wait; free entries: %u command, %u read, %u write; %" PRIu64
        " writes under way\n",
        link, s->unit, s->count, s->cmd, s->rd, s->wr, d->wta_in_flight[link]);
    used += n > 0 ? (size_t)n : 0;
  }
  return used;
}

size_t nsu_waits_sm(const void *self, unsigned id, char *text, size_t size) {
  const nsu_sm_t *s = self;
  (void)id;
  const int n = snprintf(text, size, ", pending %u, ready packets %u", s->pending, s->ready_count);
  return n > 0 ? (size_t)n : 0;
}

size_t nsu_waits_warp(const void *self, unsigned warp, char *text, size_t size) {
  const nsu_sm_t *s = self;
  const nsu_warp_t *w = &s->warp[warp];
  char state[128];
  if (w->phase == NSU_OUTSIDE) return 0;
  if (w->target < 0) snprintf(state, sizeof state, "no target yet");
  else if (!w->granted)
    snprintf(state, sizeof state, "waits for 1 command, %u read, %u write entries", w->block->num_loads,
             w->block->num_stores);
  else if (!w->ack)
    snprintf(state, sizeof state, "granted, waits for OFLD_ACK%s",
             w->pending_head || w->command ? ", has packets to send" : "");
  else snprintf(state, sizeof state, "acknowledged, waits for %u INVALs", w->invals);
  const int n = snprintf(text, size, "  SM %u warp %u: block at line %d, target NSU %d: %s\n", s->port.id, warp,
                         s->port.sh->run->simt.kernel->func->instrs[w->block->first].line, w->target, state);
  return n > 0 ? (size_t)n : 0;
}
