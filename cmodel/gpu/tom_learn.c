/* SPDX-License-Identifier: Apache-2.0 */
#include "tom_learn.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coalesce.h"
#include "host_link.h"
#include "l2.h"
#include "stack_address.h"

typedef struct {
  uint64_t start, bytes;
  bool at_host, marked;
} range_t;

typedef enum { LEARNS, STOPS, MOVES, KNOWS } phase_t;

struct tom_learn {
  const gpu_shared_t *sh;
  phase_t phase;
  unsigned candidates;             /* of the kernel that runs */
  unsigned open;                   /* instances under way */
  uint64_t target;                 /* instances; 0: no kernel with candidates has run */
  uint64_t now, spurred, moved_at; /* cycles: this one; since when one more instance is awaited; when what is moved is there */
  range_t range[TOM_LEARN_ALLOCATIONS];
  unsigned ranges;
  host_link_t *link;
  tom_watch_t watch[GPU_MAX_SMS];
  tom_learn_result_t result;
};

tom_learn_t *tom_learn_new(const gpu_shared_t *sh, l2_t *slices) {
  tom_learn_t *l = calloc(1, sizeof *l);
  if (!l) return NULL;
  l->sh = sh;
  l->phase = sh->pages->map->choose ? LEARNS : KNOWS; /* there is something to be learnt, or not */
  if ((l->link = host_link_new(sh, slices))) return l;
  free(l);
  return NULL;
}

void tom_learn_free(tom_learn_t *l) {
  if (!l) return;
  host_link_free(l->link);
  free(l);
}

/* ---- Allocations ------------------------------------------------------------------------------------------------- */

int tom_learn_allocated(tom_learn_t *l, uint64_t vaddr, uint64_t bytes, gpu_error_t *err) {
  const page_table_t *pages = l->sh->pages;
  if (l->phase == KNOWS) return 0;
  if (l->ranges == TOM_LEARN_ALLOCATIONS)
    return gpu_fail(err, 2, "more than %d allocations while it is learnt where data should be; as many at most, or map.mode=bmap, would be right",
                    TOM_LEARN_ALLOCATIONS);
  range_t *r = &l->range[l->ranges++];
  *r = (range_t){vaddr, bytes ? bytes : 1, true, false};
  for (uint64_t at = vaddr; at < vaddr + r->bytes; at += PAGE_BYTES) pages->map->move(pages->places, page_table_find(pages, at)->frame, HOME_HOST);
  return 0;
}

void tom_learn_released(tom_learn_t *l, uint64_t vaddr) {
  for (unsigned i = 0; i < l->ranges; i++) {
    if (l->range[i].start != vaddr) continue;
    memmove(&l->range[i], &l->range[i + 1], (l->ranges - i - 1) * sizeof l->range[i]);
    l->ranges--;
    return;
  }
}

/* Addresses rise in the table. */
static void mark(tom_learn_t *l, uint64_t vaddr) {
  unsigned low = 0, high = l->ranges;
  while (low < high) {
    const unsigned mid = (low + high) / 2;
    if (vaddr < l->range[mid].start) high = mid;
    else if (vaddr - l->range[mid].start < l->range[mid].bytes) {
      l->range[mid].marked = true;
      return;
    } else low = mid + 1;
  }
}

/* ---- What is seen ------------------------------------------------------------------------------------------------ */

bool tom_learn_watches(const tom_learn_t *l) {
  return l->phase != KNOWS || l->sh->config->tom_watch;
}

void tom_learn_begin(tom_learn_t *l, unsigned sm, unsigned warp) {
  l->spurred = l->now;
  l->open += !l->watch[sm].warp[warp].open;
  tom_watch_begin(&l->watch[sm], warp);
}

static void choose(tom_learn_t *l) {
  l->result.chosen = true;
  l->result.learnt = l->result.sum;
  l->result.bit = tom_watch_best(&l->result.sum);
  if (l->phase == LEARNS) l->phase = STOPS;
}

void tom_learn_end(tom_learn_t *l, unsigned sm, unsigned warp) {
  if (!tom_learn_watches(l)) return;
  l->open -= l->watch[sm].warp[warp].open;
  tom_watch_end(&l->watch[sm], &l->result.sum, warp);
  if (!l->result.chosen && l->target && l->result.sum.instances >= l->target) choose(l);
}

void tom_learn_access(tom_learn_t *l, unsigned sm, unsigned warp, uint32_t mask, const uint64_t *vaddr, const uint64_t *paddr) {
  coalesce_t lines;
  if (!l->watch[sm].warp[warp].open || !tom_learn_watches(l)) return;
  coalesce(&lines, vaddr, mask);
  for (unsigned i = 0; i < lines.count; i++) {
    const unsigned gpu_stack = stack_of(paddr[__builtin_ctz(lines.lanes[i])]);
    tom_watch_access(&l->watch[sm], &l->result.sum, warp, lines.line[i], gpu_stack, l->sh->config->num_stacks);
    if (l->phase == LEARNS) mark(l, vaddr[__builtin_ctz(lines.lanes[i])]);
  }
  const unsigned look = l->sh->config->tom_look;
  if (l->phase == LEARNS && look && l->watch[sm].warp[warp].accesses >= look) tom_learn_end(l, sm, warp);
}

/* ---- Phases ------------------------------------------------------------------------------------------------------ */

static void settle_range(const tom_learn_t *l, range_t *r, address_map_home_t home) {
  const page_table_t *pages = l->sh->pages;
  const gpu_memory_t *m = l->sh->memory;
  uint8_t data[PAGE_BYTES];
  for (uint64_t at = r->start; at < r->start + r->bytes; at += PAGE_BYTES) {
    const uint64_t frame = page_table_find(pages, at)->frame;
    for (unsigned i = 0; i < PAGE_BYTES; i += GPU_LINE_BYTES) m->read(m->ctx, page_table_physical(pages, frame + i), data + i, GPU_LINE_BYTES);
    pages->map->move(pages->places, frame, home);
    for (unsigned i = 0; i < PAGE_BYTES; i += GPU_LINE_BYTES) m->write(m->ctx, page_table_physical(pages, frame + i), data + i, GPU_LINE_BYTES);
  }
  r->at_host = false;
}

/* All that is with the host to the GPU. */
static void bring(tom_learn_t *l) {
  for (unsigned i = 0; i < l->ranges; i++)
    if (l->range[i].at_host) settle_range(l, &l->range[i], HOME_GPU);
}

/* Cycles of the SMs for one of links and crossbar. */
static double cycles_of_xbar(const tom_learn_t *l) {
  const gpu_stats_t *s = l->sh->stats;
  return s->xbar_cycles ? (double)s->core_cycles / (double)s->xbar_cycles : 1;
}

/* Marked allocations to where the bit says, the others to where the GPU's map says. Cycles until it is done. */
static uint64_t settle(tom_learn_t *l) {
  const page_table_t *pages = l->sh->pages;
  const gpu_config_t *c = l->sh->config;
  uint64_t bytes = 0;
  pages->map->choose(pages->places, l->result.bit);
  for (unsigned i = 0; i < l->ranges; i++) {
    if (!l->range[i].marked) continue;
    bytes += l->range[i].at_host ? 0 : l->range[i].bytes;
    settle_range(l, &l->range[i], HOME_NEAR);
    l->result.ranges++;
  }
  bring(l);
  if (!c->tom_watch) memset(l->watch, 0, sizeof l->watch);
  l->sh->stats->learn_moved += bytes;
  return (uint64_t)((double)bytes / (PACKET_FLIT_BYTES * c->link_flits * c->num_stacks) * cycles_of_xbar(l));
}

void tom_learn_launch(tom_learn_t *l, unsigned candidates, bool any) {
  const simt_run_t *run = &l->sh->run->simt;
  l->candidates = candidates;
  l->spurred = l->now;
  if (l->phase == LEARNS && !candidates) bring(l);
  if (l->phase == LEARNS && !any) l->phase = KNOWS;
  if (!l->target && candidates) {
    const double share = ceil(l->sh->config->tom_learn * (double)run->num_blocks * run->warps * candidates);
    l->target = share > TOM_LEARN_LEAST ? (uint64_t)share : TOM_LEARN_LEAST;
  }
}

bool tom_learn_stops(const tom_learn_t *l) {
  return l->phase == STOPS || l->phase == MOVES;
}

/* An instance of each warp under way would not be enough; or, of those that have begun there are too few and no further one has for as long as an access of
 * the host takes. */
bool tom_learn_wants_cta(tom_learn_t *l) {
  const gpu_run_t *run = l->sh->run;
  const uint64_t warps = (run->next_cta - run->done_ctas) * run->simt.warps, wanted = l->target - l->result.sum.instances;
  if (l->phase != LEARNS || !l->candidates) return !tom_learn_stops(l);
  if (warps >= wanted && (l->open >= wanted || l->now - l->spurred < l->sh->config->host_latency)) return false;
  l->spurred = l->now;
  return true;
}

bool tom_learn_at_host(const tom_learn_t *l, const packet_t *p) {
  return l->phase != KNOWS && (p->hdr.type == PKT_READ || p->hdr.type == PKT_WRITE) && l->sh->pages->map->at_host(p->hdr.addr);
}

void tom_learn_tick(tom_learn_t *l, uint64_t now, bool quiet) {
  l->now = now;
  if (l->phase == KNOWS) return;
  if (l->candidates) l->sh->stats->learn_cycles++;
  host_link_tick(l->link, now);
  if (l->phase == STOPS && quiet) {
    l->moved_at = now + settle(l);
    l->phase = MOVES;
  }
  if (l->phase == MOVES && now >= l->moved_at) l->phase = KNOWS;
}

tom_learn_result_t tom_learn_result(const tom_learn_t *l) {
  return l->result;
}
