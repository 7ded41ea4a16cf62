/* SPDX-License-Identifier: Apache-2.0
 *
 * One job as a child process: `lockstack VERB ... --json FILE`, in a folder of its own, for a
 * limited time.
 */
#ifndef TASK_H
#define TASK_H

#include "json_sure.h"
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "results.h"

/* What to run. */
typedef struct {
  const char *program; /* absolute path of the executable */
  const char *folder;  /* the run's, absolute; FOLDER/POSITION is the job's */
  const char *tag;     /* mark of the processes; the job adds "/POSITION." */
} task_place_t;

typedef struct {
  unsigned position;
  char *key, *verb, *subject;
  json_t *args;
  double limit;
  char *outcome;             /* NULL: not done yet */
  unsigned attempts, missed; /* Slurm: submissions; polls in a row without the job */
  bool running;
} plan_job_t;

typedef struct {
  const plan_job_t *job;
  pid_t pid; /* 0: none */
  FILE *output;
  double start; /* monotonic clock, seconds */
  bool timeout;
  char started[40], folder[4096], tag[4400];
} task_t;

/* False: errno says why it could not be started. */
bool task_start(task_t *task, const task_place_t *place, const plan_job_t *job);

/* True: it has ended; free the result's texts with task_free_result. Kills the job when its time
 * is over. */
bool task_ended(task_t *task, results_job_t *result);
/* its process was told to stop, and says so: that is no result of the job */
bool task_cut_short(const results_job_t *result);
void task_stop(task_t *task); /* kills the job and all that it started; no result */

/* The result of a job that could not be started: INFRA. */
void task_not_started(const plan_job_t *job, int error, results_job_t *result);
void task_free_result(results_job_t *result);

#endif
