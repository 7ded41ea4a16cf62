/* SPDX-License-Identifier: Apache-2.0
 *
 * Both kinds of stimulus run on one pair, for the same cycles and seeds. Each run starts from
 * power-up.
 */
#include "cover_compare.h"

#include "compared.h"

#include "clock.h"

#include <stdio.h>
#include <string.h>

/* State of the comparison. `before`: cycles of the finished runs, for progress. */
typedef struct {
  const cover_t *cover;
  compare_result_t *result;
  lockstep_t ls;
  cover_watch_t watch;
  cover_map_t map;
  cover_table_t table;
  uint64_t before;
} work_t;

/* Passes progress on, over all runs of both kinds; false stops. */
static bool on_cycles(void *context, uint64_t done) {
  work_t *w = context;
  const cover_t *c = w->cover;
  if (!c->on_cycles || c->on_cycles(c->context, w->before + done, 2 * c->cycles * w->result->seeds)) return true;
  w->result->stopped = true;
  return false;
}

/* One run with the k-th seed. Adds its samples to the mean curve; a run with fewer samples counts
 * with its final number of points. */
static void compare_one(work_t *w, unsigned k, bool unguided) {
  compare_result_t *r = w->result;
  guide_result_t g;
  const guide_t guide = {.ls = &w->ls,
                         .map = &w->map,
                         .watch = &w->watch,
                         .seed = w->cover->seed + k,
                         .cycles = w->cover->cycles,
                         .unguided = unguided,
                         .on_cycles = on_cycles,
                         .context = w};
  guide_run(&guide, &g);
  r->outcome = g.outcome;
  w->before += g.cycles;
  for (unsigned i = 0; i < GUIDE_SAMPLES; i++) {
    const guide_sample_t *s = &g.curve[i];
    if (i < g.num_samples && i >= r->num_samples) r->num_samples = i + 1;
    if (i < g.num_samples) r->curve[i].cycles = s->cycles;
    *(unguided ? &r->curve[i].unguided : &r->curve[i].guided) +=
        (double)(i < g.num_samples ? s->hit : g.hit) / r->seeds;
  }
  (unguided ? r->unguided : r->guided)[k] = g.hit;
  trace_free(&g.trace);
  tape_free(&g.tape);
}

/* Both runs of each seed, one after the other, until one fails. */
static void compare_seeds(work_t *w) {
  compare_result_t *r = w->result;
  const double start = clock_seconds();
  for (unsigned k = 0; k < r->seeds; k++)
    for (int u = 0; u < 2; u++)
      if (r->outcome == OUTCOME_PASS && !r->stopped) compare_one(w, k, u);
  r->seconds = clock_seconds() - start;
  if (r->outcome == OUTCOME_INFRA) trouble_memory(&r->trouble);
  if (r->outcome == OUTCOME_BAD_INPUT)
    trouble_set(&r->trouble, TROUBLE_INPUT, "%s: %s", w->cover->block->ports, w->ls.text);
}

void cover_compare(const cover_t *cover, compare_result_t *r) {
  char path[BUILD_PATH];
  const dut_t *dut;
  work_t w = {.cover = cover, .result = r};
  memset(r, 0, sizeof *r);
  r->seeds = cover->runs < COMPARE_SEEDS ? cover->runs : COMPARE_SEEDS;
  r->cycles = cover->cycles;
  if (!block_object(cover->block, &cover->places, "rtl+cov", path, &r->trouble) || !dut_load(path, &dut, &r->trouble)) {
    r->outcome = outcome_of(&r->trouble);
    return;
  }
  bool ok = lockstep_open(&w.ls, dut) && cover_watch(&w.watch, &w.ls);
  const char *root = *cover->block->folder ? cover->block->folder : cover->places.source;
  if (!ok) {
    trouble_set(&r->trouble, w.ls.outcome == OUTCOME_DUT_ASSERT ? TROUBLE_INPUT : TROUBLE_ENVIRONMENT, "%s",
                *w.ls.text ? w.ls.text : "out of memory");
    r->outcome = outcome_of(&r->trouble);
  } else if (!cover_map(&w.map, &w.table, dut, path, cover->block->ports, root, &r->trouble)) {
    r->outcome = OUTCOME_INFRA;
  } else {
    r->points = w.table.count;
    compare_seeds(&w);
    if (r->outcome == OUTCOME_PASS && !r->stopped && compared_nothing(&w.ls.tally)) r->outcome = OUTCOME_NOT_COMPARED;
  }
  cover_unwatch(&w.watch);
  cover_map_free(&w.map);
  cover_table_free(&w.table);
  lockstep_close(&w.ls);
}
