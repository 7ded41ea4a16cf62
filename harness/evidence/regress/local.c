/* SPDX-License-Identifier: Apache-2.0
 *
 *   fill_slots --> collect --> on_tick --> sleep until a child ends, or a tenth of a second
 *
 * The sleep ends early enough to see jobs whose time is over and to print the line of progress.
 */
#include "local.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  regress_t *regress;
  task_t *tasks;
  unsigned next, running;
  char host[256];
} local_t;

/* A job that cannot be started has the result INFRA. */
static int start_one(local_t *l, task_t *task, plan_job_t *job) {
  if (task_start(task, &l->regress->place, job)) {
    l->running++;
    return 0;
  }
  results_job_t result;
  task_not_started(job, errno, &result);
  return regress_record(l->regress, job, &result);
}

/* Starts waiting jobs in all free slots. */
static int fill_slots(local_t *l) {
  regress_t *r = l->regress;
  int code = 0;
  for (unsigned i = 0; i < r->slots && !code && !r->interrupted(); i++)
    while (!code && !l->tasks[i].pid && l->next < r->count) {
      plan_job_t *job = &r->jobs[l->next++];
      if (!job->outcome) code = start_one(l, &l->tasks[i], job);
    }
  return code;
}

/* Records jobs that have ended. After an interrupt, a job that was told to stop has no result. */
static int collect(local_t *l, unsigned *ended) {
  results_job_t result;
  int code = 0;
  *ended = 0;
  for (unsigned i = 0; i < l->regress->slots && !code; i++) {
    task_t *task = &l->tasks[i];
    if (!task->pid || !task_ended(task, &result)) continue;
    ++*ended;
    l->running--;
    if (l->regress->interrupted() && task_cut_short(&result)) {
      task_free_result(&result);
      continue;
    }
    code = regress_record(l->regress, &l->regress->jobs[task->job->position], &result);
  }
  return code;
}

/* True: a child ended. SIGCHLD is blocked, so that none is missed between two looks. */
static bool sleep_until_child(const sigset_t *child) {
  const struct timespec most = {0, 100000000};
  return sigtimedwait(child, NULL, &most) >= 0;
}

/* Tells the database which jobs run. A job shorter than one sleep does not pay for being seen. */
static int mark_running(local_t *l) {
  int code = 0;
  for (unsigned i = 0; i < l->regress->slots && !code; i++) {
    if (!l->tasks[i].pid) continue;
    plan_job_t *job = &l->regress->jobs[l->tasks[i].job->position];
    if (!job->running) code = regress_started(l->regress, job, l->host);
    job->running = true;
  }
  return code;
}

/* The loop of the head comment. It ends when all jobs are done or the user interrupts. Jobs that
 * still run after an interrupt are local_run's to stop. */
static int run_loop(local_t *l, const sigset_t *child) {
  unsigned ended;
  int code = 0;
  while (!code) {
    code = fill_slots(l);
    if (code || l->running == 0 || l->regress->interrupted()) break;
    code = collect(l, &ended);
    l->regress->on_tick(l->regress->context, l->regress->done);
    if (!ended && !code && !sleep_until_child(child)) code = mark_running(l);
  }
  return code;
}

/* SIGCHLD is blocked before the first job starts. Unblocked, it could arrive between the look at
 * the children and the sleep, and the sleep would not end early. Jobs start with an empty mask
 * (process.c). */
int local_run(regress_t *r) {
  local_t l = {.regress = r, .tasks = calloc(r->slots, sizeof(task_t))};
  sigset_t child, before;
  gethostname(l.host, sizeof l.host - 1);
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, &before);
  int code = l.tasks ? run_loop(&l, &child) : (trouble_memory(&r->trouble), TROUBLE_ENVIRONMENT);
  for (unsigned i = 0; l.tasks && i < r->slots; i++) task_stop(&l.tasks[i]);
  sigprocmask(SIG_SETMASK, &before, NULL);
  free(l.tasks);
  return code;
}
