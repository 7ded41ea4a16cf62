/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures coverage of a block: runs every profile with several seeds in lockstep, merges points
 * over runs and parameter sets, applies waivers, ranks runs.
 */
#ifndef COVER_H
#define COVER_H

#include "build.h"
#include "cover_auto.h"
#include "cover_table.h"
#include "run.h"
#include "waive.h"

/* A run of one profile with one seed from power-up. The run ends with a reset in mid-operation. */
typedef struct {
  const char *params; /* parameters of the variant: "NumReq=8" */
  const char *profile;
  uint64_t seed, cycles;
  uint64_t *seen; /* one bit a point that this run hits */
  unsigned hit;   /* points that this run hits */
  /* rank: 1 is first; 0: the run adds nothing to the ranked ones. gain: points that are new with
   * the run. */
  unsigned rank, gain;
} cover_run_t;

typedef struct {
  const block_t *block; /* block->params are those of the first variant */
  places_t places;
  /* Further parameter sets, "NumReq=1"; NULL-terminated, may be NULL. */
  const char *const *variants;
  uint64_t seed, cycles; /* the first seed; cycles of each run */
  unsigned runs;         /* seeds of each profile */
  const char *profile;   /* NULL: all profiles */
  const char *waivers;   /* path of the waiver file; NULL: none */
  /* Called now and then; false stops. May be NULL. */
  bool (*on_cycles)(void *context, uint64_t done, uint64_t all);
  void *context;
} cover_t;

typedef struct {
  /* points: all; waived: missed with a waiver; proved: waived by a proof. */
  unsigned points, hit, waived, proved;
} cover_sum_t;

typedef struct {
  outcome_t outcome;
  trouble_t trouble; /* with BAD_INPUT and INFRA */
  char base[4096];   /* base of the points' files: the block's folder, or the tree */
  bool stopped;      /* on_cycles ended the run */
  failure_t failure; /* of the last run */
  const dut_t *dut;  /* the object that failed, or the first one */
  cover_table_t table;
  cover_run_t *runs;
  unsigned num_runs;
  uint64_t cycles;
  double seconds;
  waivers_t waivers;
  cover_sum_t sums[COVER_KINDS];
} cover_result_t;

/* Fills in `result`, whatever the outcome. cover_free frees it. */
void cover_run(const cover_t *cover, cover_result_t *result);
void cover_free(cover_result_t *result);
void cover_sum(cover_result_t *result); /* recomputes `sums` after waivers have changed */

/* Counts functional points of a pair in lockstep, as the observer of `ls`. */
typedef struct {
  const dut_t *dut;
  void *state;
  uint32_t *counts; /* the port file's points, then the automatic ones */
  unsigned num_counts;
  cover_auto_t automatic;
} cover_watch_t;

/* Begins to count: takes the place of the pair's observer. cover_unwatch frees, also after a
 * failure. */
bool cover_watch(cover_watch_t *watch, lockstep_t *ls); /* false: out of memory */
void cover_unwatch(cover_watch_t *watch);
void cover_watch_clear(cover_watch_t *watch); /* clears counts and state, as at power-up */

/* Ranks runs greedily: first the run that hits most, then each time the run that adds most. False:
 * out of memory. */
bool cover_rank(cover_run_t *runs, unsigned num_runs, unsigned num_points);

#endif
