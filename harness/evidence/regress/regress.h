/* SPDX-License-Identifier: Apache-2.0
 *
 * A regression: which jobs are to be run, and their results on the way to the database. What runs
 * them is an engine (local.h, slurm.h); it calls regress_record once for each.
 */
#ifndef REGRESS_H
#define REGRESS_H

#include "json_sure.h"
#include <stdbool.h>
#include <stdint.h>

#include "content_json.h"
#include "results.h"
#include "suite.h"
#include "task.h"

typedef enum { REGRESS_NEW, REGRESS_RESUME, REGRESS_FAILED } regress_mode_t;

typedef struct regress {
  /* Given. */
  const char *suite_name; /* name, or absolute path */
  const char *database, *program, *engine;
  unsigned slots; /* jobs at a time; 0: as many as the engine likes */
  regress_mode_t mode;
  const json_t *provenance; /* version, commit, dirty, tools */
  bool (*interrupted)(void);
  void (*on_done)(void *context, const plan_job_t *job, const results_job_t *result);
  void (*on_tick)(void *context, unsigned done); /* now and then */
  void *context;

  /* Kept. */
  results_t *results;
  int64_t run, last; /* last: that an earlier one is read of */
  char folder[4096], tag[4200];
  task_place_t place;
  plan_job_t *jobs;
  unsigned count, done, already; /* already: done before this process began */
  bool resumed, ended;           /* ended: as it was found, there is nothing to do */
  unsigned stale;                /* results that are not of what is there now: their jobs run again */
  content_now_t now;
  char why[TROUBLE_TEXT]; /* of the first: "/home/me/a.sv has changed" */
  trouble_t trouble;      /* why a function did not return 0; its kind is the exit code */
} regress_t;

/* Owns the database (one regression at a time), and ends what
 * an earlier one has left running. 0, or an exit code. */
int regress_open(regress_t *regress);

/* Chooses the run: a new one of the suite, or what is missing of the last, or a new one of those of
 * the suite's jobs whose last result in the database is no PASS, or that have none. A result whose
 * content is not what is there now (content_json.h), or that does not say of what it is, counts as
 * missing, or as failed. Then the jobs that are not done have no outcome. `reload` loads the suite
 * again with a run's seed. 0, or an exit code. */
int regress_choose(regress_t *regress, suite_t *suite,
                   bool (*reload)(suite_t *suite, uint64_t seed, trouble_t *trouble));

/* Instead of open and choose: which jobs those would be, of a
 * database that is only read. To be closed. 0, or an exit code. */
int regress_plan(regress_t *regress, suite_t *suite, bool (*reload)(suite_t *suite, uint64_t seed, trouble_t *trouble));

/* For engines. Non-zero: stop everything and return it. */
int regress_started(regress_t *regress, const plan_job_t *job, const char *node);
int regress_record(regress_t *regress, plan_job_t *job, results_job_t *result); /* frees the result's texts */

/* Is this document of an earlier job (NULL: it left none) of
 * what is there now? If not, it is counted in `stale`. */
bool regress_is_now(regress_t *regress, const char *key, const char *result);

/* Runs what has no outcome, on the engine, and ends the run. 0, or an exit code. */
int regress_run(regress_t *regress);

int regress_end(regress_t *regress, bool stopped);

/* Between open and choose: every job of the database that passed in a run of this very program, of
 * any suite, the latest run first; whether it is of what is there now is for the callback to ask.
 * 0, or an exit code. */
int regress_passed(regress_t *regress, results_on_job_t *on_job, void *context);

void regress_close(regress_t *regress);

#endif
