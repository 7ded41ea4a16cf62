/* SPDX-License-Identifier: Apache-2.0
 *
 * The runs that figures need: which they are, their execution, and their results.
 *
 * A run is its arguments (system, workload, settings), so configurations with equal arguments
 * share it. The queue of regressions (regress.h) makes several at a time, here or on a Slurm
 * cluster. Each result is checked and stored in a file.
 *
 *   figure_runs_t runs = {.system = ..., .figure[..] = true, .workload[..] = true, .jobs = 2, ...};
 *   figure_runs_plan(&runs);      which runs
 *   figure_runs_make(&runs);      stored results, rows, then the queue
 *   ... runs.result ...
 *   figure_runs_free(&runs);
 */
#ifndef FIGURE_RUNS_H
#define FIGURE_RUNS_H

#include <signal.h>
#include <stddef.h>

#include "figures.h"
#include "run_rows.h"

enum { RUNS_MAX = FIGURES_WORKLOADS * FIGURES_CONFIGURATIONS, RUN_ARGUMENTS = 96 };

typedef enum {
  RUN_TO_DO,
  RUN_MADE,
  RUN_KEPT,  /* the result existed already: stored, or a row */
  RUN_FAILED /* error says why */
} run_state_t;

typedef struct figure_run {
  unsigned workload, configuration;  /* the first pair that needs this run */
  char *argument[RUN_ARGUMENTS + 1]; /* "lockstack", "run", "mpu", "axpy", ..., NULL */
  run_state_t state;
  char *error;
  double seconds; /* wall clock; 0 unless made or failed */
} figure_run_t;

typedef struct figure_runs {
  const figure_system_t *system;
  bool figure[FIGURES_MAX], workload[FIGURES_WORKLOADS]; /* which of the system's are wanted */
  /* true: default sizes on the small machine; false: full sizes on the paper's machine */
  bool small;
  /* KEY=VALUE for every simulation, after the configuration's own */
  const char *const *set;
  unsigned sets, jobs;
  const char *program;                    /* absolute path of this executable */
  const char *engine;                     /* "local" or "slurm" */
  const char *(*place)(const char *path); /* maps a path in the tree to a path on disk */
  const char *folder;                     /* for stored results and queue.db */
  /* take stored results of this program */
  bool resume;
  /* simulate nothing: a run without a stored result or row stays RUN_TO_DO */
  bool no_runs;
  run_rows_t *rows;                                                       /* read first, then extended; NULL: no rows */
  json_t *identity;                                                       /* figure_identity */
  const volatile sig_atomic_t *interrupted;                               /* stop soon; NULL: never */
  void (*ended)(const struct figure_runs *runs, const figure_run_t *run); /* after each run; NULL: not wanted */
  void (*tick)(const struct figure_runs *runs);                           /* now and then; NULL: not wanted */
  void *context;

  figure_run_t run[RUNS_MAX]; /* set by plan and make, as all below */
  unsigned count, done;
  unsigned others;                  /* stored results of another program or other arguments */
  const figure_run_t *of[RUNS_MAX]; /* the run that gives this result; NULL: not needed */
  json_t *result[RUNS_MAX];         /* [workload * num_configurations + configuration], NULL: none */
  trouble_t trouble;                /* why results could not be made or stored */
} figure_runs_t;

/* plan: false when out of memory. make: takes stored results first, if runs->resume; each run is
 * then MADE, KEPT, FAILED or still TO_DO (stopped, or no_runs). free: releases runs->identity,
 * too. */
bool figure_runs_plan(figure_runs_t *runs);
void figure_runs_make(figure_runs_t *runs);
void figure_runs_free(figure_runs_t *runs);

/* What a stored result must have in common with this program to be taken: version, commit, the
 * program's bytes and those of the systems' files. Adds to `provenance` and returns it. */
json_t *figure_identity(json_t *provenance, const char *program, const figure_system_t *system,
                        const char *(*place)(const char *path));

/* Why a run's result must not be used, which the caller frees; NULL: it may be used. */
char *figure_run_wrong(figure_source_t source, const json_t *result);

char *figure_run_command(const figure_run_t *run); /* for a shell; the caller frees it */

#endif
