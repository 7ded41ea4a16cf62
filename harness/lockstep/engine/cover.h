/* SPDX-License-Identifier: Apache-2.0
 *
 * Coverage of a block: every profile with several seeds in lockstep, points merged over runs and
 * sets of parameters, waivers applied, runs ranked.
 */
#ifndef COVER_H
#define COVER_H

#include "build.h"
#include "cover_auto.h"
#include "cover_table.h"
#include "run.h"
#include "waive.h"

/* One profile with one seed, from power-up; at its
 * end a reset out of whatever the block was doing. */
typedef struct {
  const char *params; /* "NumReq=8": of the variant */
  const char *profile;
  uint64_t seed, cycles;
  uint64_t *seen; /* a bit for each point that this run alone hits */
  unsigned hit;
  unsigned rank, gain; /* rank 1 is first; 0: adds nothing to those ranked. gain: points new with it */
} cover_run_t;

typedef struct {
  const block_t *block; /* its params are those of the first variant */
  places_t places;
  /* further sets of parameters, "NumReq=1"; NULL-terminated, may be NULL */
  const char *const *variants;
  uint64_t seed, cycles;                                         /* first seed; cycles of a run */
  unsigned runs;                                                 /* seeds of each profile */
  const char *profile;                                           /* NULL: all */
  const char *waivers;                                           /* the waiver file; NULL: none */
  bool (*on_cycles)(void *context, uint64_t done, uint64_t all); /* now and then; false: stop. May be NULL */
  void *context;
} cover_t;

typedef struct {
  unsigned points, hit, waived, proved;
} cover_sum_t;

typedef struct {
  outcome_t outcome;
  trouble_t trouble; /* BAD_INPUT, INFRA */
  char base[4096];   /* of the points' files: the block's own folder, or the tree */
  bool stopped;
  failure_t failure; /* with its run, the last one */
  const dut_t *dut;  /* that failed, or the first */
  cover_table_t table;
  cover_run_t *runs;
  unsigned num_runs;
  uint64_t cycles;
  double seconds;
  waivers_t waivers;
  cover_sum_t sums[COVER_KINDS];
} cover_result_t;

void cover_run(const cover_t *cover, cover_result_t *result);
void cover_free(cover_result_t *result);
void cover_sum(cover_result_t *result); /* again, after waivers have changed */

/* Functional counts of a pair in lockstep: observes it. */
typedef struct {
  const dut_t *dut;
  void *state;
  uint32_t *counts; /* those of the port file, then the automatic ones */
  unsigned num_counts;
  cover_auto_t automatic;
} cover_watch_t;

bool cover_watch(cover_watch_t *watch, lockstep_t *ls); /* false: out of memory */
void cover_unwatch(cover_watch_t *watch);
void cover_watch_clear(cover_watch_t *watch); /* counts and state: power-up */

/* Greedy: the run that adds most, then the one that adds most to it, until nothing is added. */
bool cover_rank(cover_run_t *runs, unsigned num_runs, unsigned num_points);

#endif
