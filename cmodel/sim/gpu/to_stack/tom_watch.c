/* SPDX-License-Identifier: Apache-2.0
 *
 * The wires of tom_map, its queue of events, and the sums of the GPU's own map.
 */
#include "tom_watch.h"

#include "bits.h"
#include "block_engine.h"
#include "tom_map_ports.h"

_Static_assert((int)TOM_WATCH_BITS == (int)Maps, "tom_map tries as many");

enum { SETTLES = TOM_WATCH_BITS }; /* cycles in which each sum is read once */

int tom_watch_init(tom_watch_t *w, const gpu_config_t *c, const block_engine_t *const *engines, unsigned which) {
  *w = (tom_watch_t){.queue = {.size = sizeof(tom_watch_event_t)},
                     .line_bits = TOM_WATCH_BITS - 1 + (unsigned)__builtin_ctz(c->num_stacks)};
  return offload_instance_open(&w->instance, engines, which);
}

void tom_watch_deinit(tom_watch_t *w) {
  offload_instance_close(&w->instance);
  ring_deinit(&w->queue);
}

/* ---- What happens ---------------------------------------------------------------------------- */

/* Queues an event. false: out of host memory. */
static bool queue_event(tom_watch_t *w, tom_watch_event_t event) {
  return ring_put(&w->queue, &event);
}

bool tom_watch_begin(tom_watch_t *w, unsigned warp) {
  w->warp[warp] = (tom_watch_warp_t){.open = true};
  return queue_event(w, (tom_watch_event_t){TOM_WATCH_BEGIN, (uint8_t)warp, 0});
}

bool tom_watch_access(tom_watch_t *w, unsigned warp, uint64_t vaddr, unsigned gpu_stack) {
  tom_watch_warp_t *i = &w->warp[warp];
  if (!i->open) return true;
  if (!i->accesses++) i->first = (uint16_t)gpu_stack;
  i->stacks |= (uint16_t)(1U << gpu_stack);
  w->sum.map[0].same += gpu_stack == i->first;
  return queue_event(w, (tom_watch_event_t){TOM_WATCH_LINE, (uint8_t)warp, vaddr});
}

bool tom_watch_end(tom_watch_t *w, unsigned warp) {
  tom_watch_warp_t *i = &w->warp[warp];
  if (!i->open) return true;
  i->open = false;
  w->sum.map[0].stacks += (unsigned)__builtin_popcount(i->stacks);
  return queue_event(w, (tom_watch_event_t){TOM_WATCH_END, (uint8_t)warp, 0});
}

/* ---- Clock ----------------------------------------------------------------------------------- */

/* Puts the events of one cycle on the wires; false: none. */
static bool put_events(tom_watch_t *w, tom_map_in_t *in) {
  int last = -1;
  for (const tom_watch_event_t *e; (e = ring_front(&w->queue)) && (int)e->what > last; ring_drop(&w->queue)) {
    last = e->what;
    if (e->what == TOM_WATCH_BEGIN) in->beg_valid = 1, in->beg_warp = e->warp;
    else if (e->what == TOM_WATCH_LINE)
      in->acc_valid = 1, in->acc_warp = e->warp, in->acc_addr = e->line >> TOM_WATCH_BIT & bits_ones(w->line_bits);
    else in->end_valid = 1, in->end_warp = e->warp;
  }
  return last >= 0;
}

bool tom_watch_settled(const tom_watch_t *w) {
  return !w->queue.count && !w->left;
}

/* After the last event, each map's sums are read once more. */
bool tom_watch_tick(tom_watch_t *w, trouble_t *fault) {
  const unsigned read = w->reads;
  tom_map_in_t in = {.on = 1, .rd_map = read};
  if (tom_watch_settled(w)) return false;
  if (put_events(w, &in)) w->left = SETTLES;
  else w->left--;
  offload_instance_step(&w->instance, &in, fault);
  const tom_map_out_t *out = offload_instance_out(&w->instance);
  w->sum.instances = out->seen, w->sum.accesses = out->total;
  w->sum.map[1 + read].same = out->rd_same, w->sum.map[1 + read].stacks = out->rd_touched;
  w->reads = (read + 1) % TOM_WATCH_BITS;
  return out->more;
}

/* ---- Sums ------------------------------------------------------------------------------------ */

void tom_watched_add(tom_watched_t *sum, const tom_watched_t *more) {
  sum->instances += more->instances, sum->accesses += more->accesses;
  for (unsigned m = 0; m < TOM_WATCH_MAPS; m++)
    sum->map[m].same += more->map[m].same, sum->map[m].stacks += more->map[m].stacks;
}

unsigned tom_watch_best(const tom_watched_t *sum) {
  unsigned best = 1;
  for (unsigned m = 2; m < TOM_WATCH_MAPS; m++)
    if (sum->map[m].same > sum->map[best].same) best = m;
  return TOM_WATCH_BIT + best - 1;
}
