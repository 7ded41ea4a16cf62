/* SPDX-License-Identifier: Apache-2.0
 *
 * Learning of the data placement. tom_learn.h has the phases and their rules.
 */
#include "tom_learn.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coalesce.h"
#include "host_link.h"
#include "l2.h"
#include "stack_address.h"
#include "tom_marks.h"

typedef struct {
  uint64_t start, bytes;
  bool at_host, marked; /* marked: before its entry was last written */
} range_t;

typedef enum { LEARNS, STOPS, READS, MOVES, KNOWS } phase_t;

struct tom_learn {
  const gpu_shared_t *sh;
  phase_t phase;
  unsigned candidates; /* of the running kernel */
  unsigned open;       /* instances under way */
  uint64_t target;     /* instances; 0: no kernel with candidates has run */
  /* cycles: the current one; the start of the wait for one more instance; the end of the move */
  uint64_t now, spurred, moved_at;
  range_t range[TOM_LEARN_ALLOCATIONS];
  unsigned ranges;
  host_link_t *link;
  tom_watch_t *watch; /* [num_sms] */
  tom_marks_t marks;  /* if something is to be learnt */
  uint64_t seen;      /* SMs with one more instance in this cycle, one bit each */
  tom_learn_result_t result;
};

/* One analyzer an SM. */
static bool make_watches(tom_learn_t *l) {
  const gpu_config_t *c = l->sh->config;
  if (!(l->watch = calloc(c->num_sms, sizeof *l->watch))) return false;
  for (unsigned s = 0; s < c->num_sms; s++)
    if (tom_watch_init(&l->watch[s], c, l->sh->engine[GPU_HARDWARE_tom_map], s)) return false;
  return true;
}

tom_learn_t *tom_learn_new(const gpu_shared_t *sh, l2_t *slices) {
  tom_learn_t *l = calloc(1, sizeof *l);
  if (!l) return NULL;
  l->sh = sh;
  /* without the hardware there is nothing to learn */
  l->phase = gpu_config_instances(sh->config, GPU_HARDWARE_tom_ranges) ? LEARNS : KNOWS;
  if ((l->link = host_link_new(sh, slices)) && make_watches(l) &&
      (l->phase == KNOWS || !tom_marks_init(&l->marks, sh->engine[GPU_HARDWARE_tom_ranges])))
    return l;
  tom_learn_free(l);
  return NULL;
}

void tom_learn_free(tom_learn_t *l) {
  if (!l) return;
  host_link_free(l->link);
  for (unsigned s = 0; l->watch && s < l->sh->config->num_sms; s++) tom_watch_deinit(&l->watch[s]);
  free(l->watch);
  tom_marks_deinit(&l->marks);
  free(l);
}

/* ---- Allocations ----------------------------------------------------------------------------- */

/* Writes the table from an entry on. Addresses rise. A written entry loses its mark, which the
 * range keeps. */
static void write_entries(tom_learn_t *l, unsigned from) {
  for (unsigned i = from; i < l->ranges; i++)
    tom_marks_write(&l->marks, i, l->range[i].start, l->range[i].bytes, l->ranges, l->sh->fault);
}

int tom_learn_allocated(tom_learn_t *l, uint64_t vaddr, uint64_t bytes, trouble_t *err) {
  const page_table_t *pages = l->sh->pages;
  if (l->phase == KNOWS) return 0;
  if (l->ranges == TOM_LEARN_ALLOCATIONS)
    return trouble_fail(
        err, TROUBLE_INPUT,
        "more than %d allocations while it is learnt where data should be; as many at most, or map.mode=bmap, would "
        "be right",
        TOM_LEARN_ALLOCATIONS);
  range_t *r = &l->range[l->ranges++];
  *r = (range_t){vaddr, bytes ? bytes : 1, true, false};
  write_entries(l, l->ranges - 1);
  for (uint64_t at = vaddr; at < vaddr + r->bytes; at += PAGE_BYTES)
    pages->map->move(pages->places, page_table_find(pages, at)->frame, HOME_HOST);
  return 0;
}

/* Entries behind the freed one move up, so their marks are read before. */
void tom_learn_released(tom_learn_t *l, uint64_t vaddr) {
  for (unsigned i = 0; i < l->ranges; i++) {
    if (l->range[i].start != vaddr) continue;
    for (unsigned k = i; k < l->ranges && l->phase == LEARNS; k++)
      l->range[k].marked |= tom_marks_read_now(&l->marks, k, l->sh->fault);
    memmove(&l->range[i], &l->range[i + 1], (l->ranges - i - 1) * sizeof l->range[i]);
    l->ranges--;
    if (l->phase == LEARNS) write_entries(l, i);
    return;
  }
}

/* ---- What is seen ---------------------------------------------------------------------------- */

bool tom_learn_watches(const tom_learn_t *l) {
  return l->phase != KNOWS || l->sh->config->tom_watch;
}

/* Sums over all SMs. */
static void sum_up(const tom_learn_t *l, tom_watched_t *sum) {
  *sum = (tom_watched_t){0};
  for (unsigned s = 0; s < l->sh->config->num_sms; s++) tom_watched_add(sum, &l->watch[s].sum);
}

/* Freezes the sums and chooses the bit. */
static void choose_bit(tom_learn_t *l) {
  sum_up(l, &l->result.learnt);
  l->result.bit = tom_watch_best(&l->result.learnt);
  l->result.chosen = true;
}

static void fail_memory(const tom_learn_t *l) {
  trouble_fail(l->sh->fault, TROUBLE_ENVIRONMENT, "out of memory for what candidates access");
}

void tom_learn_begin(tom_learn_t *l, unsigned sm, unsigned warp) {
  l->spurred = l->now;
  l->open += !l->watch[sm].warp[warp].open;
  if (!tom_watch_begin(&l->watch[sm], warp)) fail_memory(l);
}

void tom_learn_end(tom_learn_t *l, unsigned sm, unsigned warp) {
  if (!tom_learn_watches(l)) return;
  l->open -= l->watch[sm].warp[warp].open;
  if (!tom_watch_end(&l->watch[sm], warp)) fail_memory(l);
}

/* An instance that has accessed tom.look lines has been seen. */
void tom_learn_access(tom_learn_t *l, unsigned sm, unsigned warp, uint32_t mask, const uint64_t *vaddr,
                      const uint64_t *paddr) {
  coalesce_t lines;
  if (!l->watch[sm].warp[warp].open || !tom_learn_watches(l)) return;
  coalesce(&lines, vaddr, mask);
  for (unsigned i = 0; i < lines.count; i++) {
    const unsigned lane = (unsigned)__builtin_ctz(lines.lanes[i]);
    const bool there = tom_watch_access(&l->watch[sm], warp, lines.line[i], stack_of(paddr[lane]));
    if (!there || (l->phase == LEARNS && !tom_marks_access(&l->marks, sm, vaddr[lane]))) fail_memory(l);
  }
  const unsigned look = l->sh->config->learn.look;
  if (l->phase == LEARNS && look && l->watch[sm].warp[warp].accesses >= look) tom_learn_end(l, sm, warp);
}

uint64_t tom_learn_seen(const tom_learn_t *l) {
  return l->seen;
}

uint64_t tom_learn_target(const tom_learn_t *l) {
  return l->target;
}

void tom_learn_enough(tom_learn_t *l) {
  if (l->phase == LEARNS) l->phase = STOPS;
  else if (l->phase == KNOWS && !l->result.chosen) choose_bit(l);
}

/* ---- Phases ---------------------------------------------------------------------------------- */

/* Moves an allocation to its new home, by value, because its physical addresses change. */
static void move_range(const tom_learn_t *l, range_t *r, address_map_home_t home) {
  const page_table_t *pages = l->sh->pages;
  const gpu_memory_t *m = l->sh->memory;
  uint8_t data[PAGE_BYTES];
  for (uint64_t at = r->start; at < r->start + r->bytes; at += PAGE_BYTES) {
    const uint64_t frame = page_table_find(pages, at)->frame;
    for (unsigned i = 0; i < PAGE_BYTES; i += GPU_LINE_BYTES)
      m->read(m->ctx, page_table_physical(pages, frame + i), data + i, GPU_LINE_BYTES);
    pages->map->move(pages->places, frame, home);
    for (unsigned i = 0; i < PAGE_BYTES; i += GPU_LINE_BYTES)
      m->write(m->ctx, page_table_physical(pages, frame + i), data + i, GPU_LINE_BYTES);
  }
  r->at_host = false;
}

/* Moves all host data to the GPU, by the GPU's map. */
static void bring_to_gpu(tom_learn_t *l) {
  for (unsigned i = 0; i < l->ranges; i++)
    if (l->range[i].at_host) move_range(l, &l->range[i], HOME_GPU);
}

/* Core cycles of a crossbar cycle. */
static double cycles_of_xbar(const tom_learn_t *l) {
  const gpu_stats_t *s = l->sh->stats;
  return s->xbar_cycles ? (double)s->core_cycles / (double)s->xbar_cycles : 1;
}

/* Moves marked allocations by the bit, the others by the GPU's map. Returns the cycles until the
 * move is done. */
static uint64_t place_ranges(tom_learn_t *l) {
  const page_table_t *pages = l->sh->pages;
  const gpu_config_t *c = l->sh->config;
  uint64_t bytes = 0;
  pages->map->choose(pages->places, l->result.bit);
  for (unsigned i = 0; i < l->ranges; i++) {
    if (!l->range[i].marked && !l->marks.marked[i]) continue;
    bytes += l->range[i].at_host ? 0 : l->range[i].bytes;
    move_range(l, &l->range[i], HOME_NEAR);
    l->result.ranges++;
  }
  bring_to_gpu(l);
  l->sh->stats->learn_moved += bytes;
  return (uint64_t)((double)bytes / (PACKET_FLIT_BYTES * c->link_flits * c->num_stacks) * cycles_of_xbar(l));
}

void tom_learn_launch(tom_learn_t *l, unsigned candidates, bool any) {
  const simt_run_t *run = &l->sh->run->simt;
  l->candidates = candidates;
  l->spurred = l->now;
  if (l->phase == LEARNS && !candidates) bring_to_gpu(l);
  if (l->phase == LEARNS && !any) l->phase = KNOWS;
  if (!l->target && candidates) {
    const double share = ceil(l->sh->config->learn.share * (double)run->num_blocks * run->warps * candidates);
    l->target = TOM_LEARN_LEAST;
    if (share > TOM_LEARN_LEAST) l->target = share < TOM_LEARN_MOST ? (uint64_t)share : TOM_LEARN_MOST;
  }
}

bool tom_learn_stops(const tom_learn_t *l) {
  return l->phase != LEARNS && l->phase != KNOWS;
}

/* Another CTA starts if the present warps, at one instance each, would not be enough. Another one
 * also starts if too few instances have begun, and none within the latency of a host access. */
bool tom_learn_wants_cta(tom_learn_t *l) {
  const gpu_run_t *run = l->sh->run;
  if (l->phase != LEARNS || !l->candidates) return !tom_learn_stops(l);
  uint64_t seen = 0;
  for (unsigned s = 0; s < l->sh->config->num_sms; s++) seen += l->watch[s].sum.instances;
  const uint64_t warps = (run->next_cta - run->done_ctas) * run->simt.warps,
                 wanted = l->target > seen ? l->target - seen : 0;
  if (warps >= wanted && (l->open >= wanted || l->now - l->spurred < l->sh->config->host.latency)) return false;
  l->spurred = l->now;
  return true;
}

bool tom_learn_at_host(const tom_learn_t *l, const packet_t *p) {
  return l->phase != KNOWS && (p->hdr.type == PKT_READ || p->hdr.type == PKT_WRITE) &&
         l->sh->pages->map->at_host(p->hdr.addr);
}

/* The analyzers have processed all events. */
static bool events_are_done(const tom_learn_t *l) {
  for (unsigned s = 0; s < l->sh->config->num_sms; s++)
    if (!tom_watch_settled(&l->watch[s])) return false;
  return l->phase == KNOWS || tom_marks_idle(&l->marks);
}

bool tom_learn_quiet(const tom_learn_t *l) {
  return !tom_learn_watches(l) || events_are_done(l);
}

/* Next cycle of analyzers and marks. */
static void tick_hardware(tom_learn_t *l) {
  l->seen = 0;
  if (!tom_learn_watches(l)) return;
  for (unsigned s = 0; s < l->sh->config->num_sms; s++)
    l->seen |= (uint64_t)tom_watch_tick(&l->watch[s], l->sh->fault) << s;
  if (l->phase != KNOWS) tom_marks_tick(&l->marks, l->sh->fault);
}

void tom_learn_tick(tom_learn_t *l, uint64_t now, bool quiet) {
  l->now = now;
  tick_hardware(l);
  if (l->phase == KNOWS) return;
  if (l->candidates) l->sh->stats->learn_cycles++;
  host_link_tick(l->link, now);
  if (l->phase == STOPS && quiet && events_are_done(l)) {
    choose_bit(l);
    l->phase = READS;
  }
  if (l->phase == READS && tom_marks_read(&l->marks, l->sh->fault)) {
    l->moved_at = now + place_ranges(l);
    l->phase = MOVES;
  }
  if (l->phase == MOVES) l->sh->stats->learn_move_cycles++; /* progress without packets */
  if (l->phase == MOVES && now >= l->moved_at) l->phase = KNOWS;
}

tom_learn_result_t tom_learn_result(const tom_learn_t *l) {
  tom_learn_result_t r = l->result;
  sum_up(l, &r.sum);
  return r;
}
