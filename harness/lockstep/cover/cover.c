/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs of coverage, and the observer that counts functional points.
 *
 *   for each set of parameters:   run_variant: object rtl+cov, pair, cover_map
 *     for each profile and seed:  one_run: power-up --> stimulus --> reset --> cover_collect
 *   all sets: cover_rank, waivers_apply, cover_sum
 */
#include "cover.h"

#include "clock.h"
#include "compared.h"
#include "stim_default.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- functional points, cycle by cycle */

/* Observer of the pair: counts the functional points of each cycle. */
static void observe_points(void *observer, const void *in, const void *out) {
  cover_watch_t *w = observer;
  if (!in) {
    memset(w->state, 0, w->dut->cover_size);
    cover_auto_reset(&w->automatic);
    return;
  }
  w->dut->cover(w->state, in, out, w->counts);
  cover_auto_cycle(&w->automatic, in, out, w->counts + w->dut->num_cover_points);
}

bool cover_watch(cover_watch_t *w, lockstep_t *ls) {
  *w = (cover_watch_t){.dut = ls->dut, .state = calloc(1, ls->dut->cover_size + 1)};
  if (!w->state || !cover_auto_open(&w->automatic, ls->dut)) return false;
  w->num_counts = ls->dut->num_cover_points + w->automatic.num_points;
  w->counts = calloc(w->num_counts + 1, sizeof *w->counts);
  ls->observe = observe_points;
  ls->observer = w;
  return w->counts;
}

void cover_unwatch(cover_watch_t *w) {
  free(w->state);
  free(w->counts);
  cover_auto_close(&w->automatic);
}

void cover_watch_clear(cover_watch_t *w) {
  memset(w->state, 0, w->dut->cover_size);
  memset(w->counts, 0, w->num_counts * sizeof *w->counts);
  cover_auto_reset(&w->automatic);
}

/* --- runs */

/* One set of parameters. */
typedef struct {
  const cover_t *cover;
  cover_result_t *result;
  lockstep_t ls;
  cover_watch_t watch;
  cover_map_t map;
  uint64_t total, compared; /* cycles: of all runs; of a variant's stimuli in lockstep */
} work_t;

/* Ends the measurement with a trouble. Returns the outcome. */
static outcome_t fail_cover(cover_result_t *r, trouble_kind_t kind, const char *text) {
  trouble_set(&r->trouble, kind, "%s", text);
  return r->outcome = outcome_of(&r->trouble);
}

/* Passes progress on; false stops the run, and result->stopped says so. */
static bool on_cycles(void *context, uint64_t done) {
  work_t *w = context;
  if (!w->cover->on_cycles || w->cover->on_cycles(w->cover->context, w->result->cycles + done, w->total)) return true;
  w->result->stopped = true;
  return false;
}

/* Resets the block in mid-operation, and compares two cycles after that. */
static void end_with_reset(lockstep_t *ls) {
  if (lockstep_reset(ls, NULL) != OUTCOME_PASS) return;
  for (int i = 0; i < 2; i++) lockstep_cycle(ls, NULL);
}

/* Appends a run, with a bit for each point that is known so far. */
static cover_run_t *new_run(work_t *w, const char *params, unsigned profile, uint64_t seed) {
  cover_result_t *r = w->result;
  cover_run_t *runs = realloc(r->runs, (r->num_runs + 1) * sizeof *runs);
  if (!runs) return NULL;
  r->runs = runs;
  cover_run_t *run = &runs[r->num_runs++];
  *run = (cover_run_t){.params = params, .profile = stim_of(w->ls.dut)->profiles[profile].name, .seed = seed};
  run->seen = calloc((w->result->table.count + 63) / 64 + 1, sizeof *run->seen);
  return run->seen ? run : NULL;
}

/* One profile with one seed. Counts are cleared before, and collected into the table after. */
static outcome_t one_run(work_t *w, const char *params, unsigned profile, uint64_t seed) {
  cover_result_t *r = w->result;
  driver_t driver = {0};
  cover_run_t *run = new_run(w, params, profile, seed);
  if (!run) return fail_cover(r, TROUBLE_ENVIRONMENT, "out of memory");
  if (!lockstep_power_up(&w->ls)) return fail_cover(r, TROUBLE_ENVIRONMENT, w->ls.text);
  cover_watch_clear(&w->watch);
  if (!driver_open(&driver, w->ls.dut, seed, profile)) return fail_cover(r, TROUBLE_ENVIRONMENT, "out of memory");
  const uint64_t before = w->ls.tally.cycles;
  run_stimulus(&w->ls, &driver, w->cover->cycles, on_cycles, w);
  w->compared += w->ls.tally.cycles - before;
  driver_close(&driver);
  if (w->ls.outcome == OUTCOME_PASS) end_with_reset(&w->ls);
  run->cycles = w->ls.cycle;
  r->cycles += w->ls.cycle;
  r->outcome = w->ls.outcome;
  /* the rest is what the runs before reached */
  if (r->outcome == OUTCOME_INTERRUPTED) r->stopped = true, r->outcome = OUTCOME_PASS;
  if (r->outcome >= OUTCOME_BAD_INPUT)
    trouble_set(&r->trouble, r->outcome == OUTCOME_BAD_INPUT ? TROUBLE_INPUT : TROUBLE_ENVIRONMENT, "%s: %s",
                w->cover->block->ports, w->ls.text);
  if (r->outcome != OUTCOME_PASS) failure_of(&w->ls, &r->failure);
  cover_collect(&w->map, w->ls.dev, w->watch.counts, run->seen);
  return r->outcome;
}

/* The index of the profile that was asked for; -1: none. */
static int find_profile(const work_t *w, const stim_t *stim) {
  for (unsigned i = 0; i < stim->num_profiles; i++)
    if (strcmp(stim->profiles[i].name, w->cover->profile) == 0) return (int)i;
  return -1;
}

/* The trouble of an unknown profile, with all profiles of the block. */
static outcome_t no_profile(work_t *w, const stim_t *stim) {
  cover_result_t *r = w->result;
  char names[TROUBLE_TEXT] = "";
  for (unsigned i = 0; i < stim->num_profiles; i++)
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s %s", i ? "," : "", stim->profiles[i].name);
  trouble_set(&r->trouble, TROUBLE_INPUT, "block %s has no profile '%s'; it has:%s", w->cover->block->name,
              w->cover->profile, names);
  return r->outcome = OUTCOME_BAD_INPUT;
}

/* All seeds of all profiles, or of the one that was asked for, until one fails. */
static outcome_t all_runs(work_t *w, const char *params) {
  const cover_t *c = w->cover;
  const stim_t *stim = stim_of(w->ls.dut);
  int only = c->profile ? find_profile(w, stim) : -1;
  if (c->profile && only < 0) return no_profile(w, stim);
  for (unsigned p = 0; p < stim->num_profiles && w->result->outcome == OUTCOME_PASS; p++)
    for (unsigned k = 0; k < c->runs && w->result->outcome == OUTCOME_PASS && !w->result->stopped; k++)
      if (only < 0 || (int)p == only) one_run(w, params, p, c->seed + k);
  return w->result->outcome;
}

/* A run that compared nothing proves nothing, whatever it covered: NOT_COMPARED. */
static void nothing_compared(cover_result_t *r, const char *why) {
  r->outcome = OUTCOME_NOT_COMPARED;
  r->failure = (failure_t){.outcome = OUTCOME_NOT_COMPARED, .port = -1};
  snprintf(r->failure.text, sizeof r->failure.text, "%s", why);
}

/* One set of parameters: builds its object and does all its runs. */
static outcome_t run_variant(const cover_t *cover, cover_result_t *r, const char *params) {
  work_t w = {.cover = cover, .result = r};
  char path[BUILD_PATH];
  block_t block = *cover->block;
  snprintf(block.params, sizeof block.params, "%s", params);
  snprintf(r->base, sizeof r->base, "%s", *block.folder ? block.folder : cover->places.source);
  if (!block_object(&block, &cover->places, "rtl+cov", path, &r->trouble) || !dut_load(path, &r->dut, &r->trouble))
    return r->outcome = outcome_of(&r->trouble);
  const stim_t *stim = stim_of(r->dut);
  w.total = r->cycles + cover->cycles * cover->runs * (cover->profile ? 1 : stim->num_profiles);
  if (!lockstep_open(&w.ls, r->dut)) {
    fail_cover(r, w.ls.outcome == OUTCOME_DUT_ASSERT ? TROUBLE_INPUT : TROUBLE_ENVIRONMENT, w.ls.text);
  } else if (!cover_watch(&w.watch, &w.ls)) {
    fail_cover(r, TROUBLE_ENVIRONMENT, "out of memory");
  } else if (!cover_map(&w.map, &r->table, r->dut, path, block.ports, r->base, &r->trouble)) {
    r->outcome = OUTCOME_INFRA;
  } else {
    const double start = clock_seconds();
    all_runs(&w, params);
    /* the cycles after the last reset are in the tally, too */
    const char *why = w.compared ? compared_nothing(&w.ls.tally) : COMPARED_NOTHING;
    if (r->outcome == OUTCOME_PASS && !r->stopped && why) nothing_compared(r, why);
    r->seconds += clock_seconds() - start;
  }
  cover_unwatch(&w.watch);
  cover_map_free(&w.map);
  lockstep_close(&w.ls);
  return r->outcome;
}

void cover_sum(cover_result_t *r) {
  memset(r->sums, 0, sizeof r->sums);
  for (unsigned i = 0; i < r->table.count; i++) {
    const cover_point_t *p = &r->table.points[i];
    cover_sum_t *s = &r->sums[p->kind];
    s->points++;
    s->hit += p->state == COVER_HIT;
    s->waived += p->state == COVER_WAIVED;
    s->proved += p->state == COVER_WAIVED && p->proved;
  }
}

/* Gives every run the bits of the whole table. Runs of earlier variants have bits only up to the
 * table's size at that time. */
static bool even_out(cover_result_t *r) {
  const size_t words = (r->table.count + 63) / 64 + 1;
  for (unsigned i = 0; i < r->num_runs; i++) {
    uint64_t *seen = calloc(words, sizeof *seen);
    if (!seen) return false;
    memcpy(seen, r->runs[i].seen, r->runs[i].hit * sizeof *seen);
    free(r->runs[i].seen);
    r->runs[i].seen = seen;
  }
  return true;
}

void cover_run(const cover_t *cover, cover_result_t *r) {
  memset(r, 0, sizeof *r);
  if (cover->waivers && !waivers_read(&r->waivers, cover->waivers, &r->trouble)) r->outcome = outcome_of(&r->trouble);
  const char *params = cover->block->params;
  unsigned from = 0;
  for (unsigned i = 0; params && r->outcome == OUTCOME_PASS && !r->stopped; i++) {
    run_variant(cover, r, params);
    /* in words, until even_out */
    for (; from < r->num_runs; from++) r->runs[from].hit = (r->table.count + 63) / 64;
    params = cover->variants ? cover->variants[i] : NULL;
  }
  if (r->outcome < OUTCOME_BAD_INPUT && (!even_out(r) || !cover_rank(r->runs, r->num_runs, r->table.count)))
    fail_cover(r, TROUBLE_ENVIRONMENT, "out of memory");
  if (r->outcome == OUTCOME_PASS) waivers_apply(&r->waivers, &r->table);
  cover_sum(r);
}

void cover_free(cover_result_t *r) {
  for (unsigned i = 0; i < r->num_runs; i++) free(r->runs[i].seen);
  free(r->runs);
  cover_table_free(&r->table);
  waivers_free(&r->waivers);
}
