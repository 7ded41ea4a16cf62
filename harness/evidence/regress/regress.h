/* SPDX-License-Identifier: Apache-2.0
 *
 * A regression: which jobs are to run, and their results on the way to the database. An engine
 * (local.h, slurm.h) runs the jobs and calls regress_record once for each.
 *
 *   regress_open --> regress_choose --> regress_run --> regress_close
 *   lock, database   NEW, RESUME or     engine, then
 *                    FAILED jobs        end of the run
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
  /* Set by the caller. */
  const char *suite_name; /* name, or absolute path */
  const char *database, *program, *engine;
  unsigned slots; /* jobs at a time; 0: as many as the engine likes */
  regress_mode_t mode;
  const json_t *provenance; /* version, commit, dirty, tools */
  bool (*interrupted)(void);
  void (*on_done)(void *context, const plan_job_t *job, const results_job_t *result);
  void (*on_tick)(void *context, unsigned done); /* now and then */
  void *context;

  /* Set by the functions below. */
  results_t *results;
  int64_t run, last; /* last: the earlier run that FAILED or RESUME reads; 0: none */
  char folder[4096], tag[4200];
  task_place_t place;
  plan_job_t *jobs;
  unsigned count, done, already; /* already: done before this process */
  bool resumed, ended;           /* ended: nothing was left to do */
  unsigned stale;                /* stale results; their jobs run again */
  content_now_t now;
  char why[TROUBLE_TEXT]; /* why the first is stale: "/home/me/a.sv has changed" */
  trouble_t trouble;      /* after a failure; its kind is the exit code */
} regress_t;

/* Takes the database (one regression at a time), and ends what an earlier regression left
 * running. Returns 0 or an exit code; trouble says why. */
int regress_open(regress_t *regress);

/* Chooses the run by `mode`. NEW: all jobs of the suite. RESUME: what is missing of the suite's
 * last run. FAILED: a new run of those jobs whose last result is not PASS, or that have none. A
 * stale result counts as missing (or failed): its content has changed since, or it does not say
 * what it judged (content_json.h). Afterwards, jobs without an outcome are to run. reload loads
 * the suite again with a run's seed. Returns 0 or an exit code. */
int regress_choose(regress_t *regress, suite_t *suite,
                   bool (*reload)(suite_t *suite, uint64_t seed, trouble_t *trouble));

/* In place of open and choose: which jobs would run, from a database that is only read. Close it
 * afterwards. Returns 0 or an exit code. */
int regress_plan(regress_t *regress, suite_t *suite, bool (*reload)(suite_t *suite, uint64_t seed, trouble_t *trouble));

/* For engines. A result other than 0 means: stop everything and return it. */
int regress_started(regress_t *regress, const plan_job_t *job, const char *node);
int regress_record(regress_t *regress, plan_job_t *job, results_job_t *result); /* frees the result's texts */

/* Is an earlier job's document still valid for the present files? NULL: the job left none. If
 * not, `stale` counts it. */
bool regress_is_now(regress_t *regress, const char *key, const char *result);

/* Runs all jobs without an outcome on the engine, and ends the run. Returns 0 or an exit code. */
int regress_run(regress_t *regress);

int regress_end(regress_t *regress, bool stopped);

/* Between open and choose: calls on_job for each job that passed in a run of this very program,
 * of any suite. The latest run comes first. The callback itself checks whether a result is
 * stale. Returns 0 or an exit code. */
int regress_passed(regress_t *regress, results_on_job_t *on_job, void *context);

void regress_close(regress_t *regress);

#endif
