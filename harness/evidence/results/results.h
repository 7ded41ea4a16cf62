/* SPDX-License-Identifier: Apache-2.0
 *
 * The database of results: one SQLite file, which regressions write and reports read. README.md
 * has its tables.
 *
 * Each call that changes something is one transaction, on disk when it returns. It appears whole
 * or not at all, also when its writer is killed. Times are text in ISO 8601, UTC
 * ("2026-01-31T12:00:00.123Z"), so they sort. A text may be NULL while it is not known. What a
 * reader's callback gets lives until the callback returns.
 */
#ifndef RESULTS_H
#define RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trouble.h"

enum { RESULTS_FORMAT = 1, RESULTS_OUTPUT = 65536 };

typedef struct results results_t;

typedef struct {
  int64_t id;
  const char *suite;     /* name, or path of a user's file */
  const char *suite_sha; /* hash of the suite's files and jobs */
  uint64_t seed;         /* the jobs' seeds derive from this seed */
  const char *started, *ended;
  const char *commit;
  bool dirty;
  const char *version, *tools; /* tools: JSON */
  const char *host;
  unsigned jobs;      /* at a time */
  const char *engine; /* "local", "slurm" */
  const char *state;  /* "running", "done", "stopped" */
  const char *folder; /* absolute; what the jobs left */
} results_run_t;

typedef struct {
  int64_t id, run;
  unsigned position;    /* 0, 1, ... in its run */
  const char *key;      /* the canonical command line, unique in its run: "check fifo --seed 7" */
  const char *verb;     /* "check" */
  const char *subject;  /* the block, or "SYSTEM WORKLOAD" */
  const char *args;     /* JSON array of the command line's words, the verb first */
  double limit_seconds; /* the job is killed after this time */
  const char *state;    /* "waiting", "running", "done" */
  const char *outcome;  /* once done: "PASS", "FAIL", "BAD_INPUT", "INFRA", "TIMEOUT", "KILLED" */
  int exit_code;        /* 128 + the number of the signal that ended the job */
  const char *started, *ended;
  double seconds, cpu_seconds;
  int64_t peak_rss_bytes;
  const char *signature; /* NULL after PASS; equal for equal faults */
  const char *output;    /* the last RESULTS_OUTPUT bytes printed */
  const char *result;    /* JSON, as the verb wrote it */
  const char *node;      /* host that ran the job */
} results_job_t;

/* write: makes the database when there is none. False: trouble is a line that names the file; it
 * is of another format, damaged, locked, or not there. Close with results_close. */
bool results_open(results_t **results, const char *path, bool write, trouble_t *trouble);
void results_close(results_t *results); /* NULL is fine */

/* The trouble of the last call that failed. The calls below return its kind; TROUBLE_NONE: all
 * went well. */
const trouble_t *results_trouble(const results_t *results);

/* Adds a run with all its jobs, each waiting. Sets run->id. */
trouble_kind_t results_add_run(results_t *results, results_run_t *run, const results_job_t *jobs, unsigned count);
trouble_kind_t results_end_run(results_t *results, int64_t run, const char *state, const char *ended);
/* Sets a stopped run running again. Jobs that ran when its process ended wait again. */
trouble_kind_t results_resume_run(results_t *results, int64_t run);

/* By run and position. A job that has ended is written once: a second result of it changes
 * nothing. */
trouble_kind_t results_start_job(results_t *results, int64_t run, unsigned position, const char *started,
                                 const char *node);
trouble_kind_t results_end_job(results_t *results, const results_job_t *job);
/* Another verdict of an ended job: its outcome, exit code and signature. */
trouble_kind_t results_judge_job(results_t *results, const results_job_t *job);
/* Puts ended jobs back to waiting, without a result. */
trouble_kind_t results_again(results_t *results, int64_t run, const unsigned *positions, unsigned count);

/* Readers give runs the newest first, jobs by position. A callback that returns false ends the
 * reading. */
typedef bool results_on_run_t(void *context, const results_run_t *run);
typedef bool results_on_job_t(void *context, const results_job_t *job);
trouble_kind_t results_runs(results_t *results, results_on_run_t *on_run, void *context);
trouble_kind_t results_jobs(results_t *results, int64_t run, results_on_job_t *on_job, void *context);

struct sqlite3 *results_sqlite(results_t *results); /* for other questions */

#endif
