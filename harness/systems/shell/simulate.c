/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "file.h"
#include "host.h"
#include "instance.h"
#include "process.h"
#include "system_stats.h"

static ptx_module_t *read_module(const simulate_job_t *job, simulate_result_t *result) {
  ptx_error_t err;
  const workload_t *w = job->workload;
  ptx_module_t *module = job->ptx_path ? ptx_read(job->ptx_path, &err)
                                       : ptx_parse(w->ptx, (size_t)(w->ptx_end - w->ptx), w->ptx_file, &err);
  if (!module) result->trouble = err.trouble;
  return module;
}

static void lose_result(simulate_result_t *result) {
  trouble_set(&result->trouble, TROUBLE_ENVIRONMENT, "out of memory for the result");
}

static void check_workload(const simulate_job_t *job, const void *state, simulate_result_t *result) {
  const workload_t *w = job->workload;
  result->result_ok = w->check(state, &result->wrong);
  if (w->keep && job->keep) w->keep(state, &result->trouble);
  if (w->facts && !(result->facts = w->facts(state))) lose_result(result);
}

/* They are the result's from here on. */
static void keep_toggles(system_t *system, simulate_result_t *result) {
  const char *counter;
  toggles_t *toggles = system_toggles(system, &counter, &result->counted);
  snprintf(result->counter, sizeof result->counter, "%s", counter ? counter : "");
  if (!toggles) return;
  result->toggles = *toggles;
  *toggles = (toggles_t){0};
}

static void run_workload(const simulate_job_t *job, system_t *system, const ptx_module_t *module,
                         simulate_result_t *result) {
  host_t host = {.system = system};
  runtime_t runtime = host_runtime(&host, module);
  const workload_t *w = job->workload;
  const uint64_t seed = job->system.composition.seed;
  void *state = w->make ? w->make(w, seed) : w->create(job->values, seed);
  if (!state) {
    trouble_set(&result->trouble, TROUBLE_ENVIRONMENT, "out of memory for the data of %s", w->name);
    return;
  }
  const int status = w->run(state, &runtime);
  result->trouble = host.trouble;
  if (status && !host.trouble.kind)
    trouble_set(&result->trouble, (trouble_kind_t)status, "%s ended with status %d", w->name, status);
  system_describe_waits(system, result->waits, sizeof result->waits);
  if (!status) check_workload(job, state, result);
  trouble_t trouble = {0};
  if (job->capture.folder && !system_capture(system, &job->capture, &trouble))
    fprintf(stderr, "lockstack: no replay file: %s\n", trouble.text);
  if (!system_stats(system, &result->stats)) lose_result(result);
  if (!result->trouble.kind) keep_toggles(system, result);
  w->destroy(state);
}

static void run_module(const simulate_job_t *job, const ptx_module_t *module, simulate_result_t *result) {
  system_t *system = system_new(&job->system, &result->trouble);
  if (system && !system_load(system, module, &result->trouble)) run_workload(job, system, module, result);
  system_free(system);
}

void simulate_result_free(simulate_result_t *result) {
  system_stats_free(&result->stats);
  toggles_close(&result->toggles);
  free(result->facts);
  result->facts = NULL;
}

void simulate_here(const simulate_job_t *job, simulate_result_t *result) {
  memset(result, 0, sizeof *result);
  ptx_module_t *module = read_module(job, result);
  if (!module) return;
  run_module(job, module, result);
  ptx_free(module);
}

/* What a child sends: progress, any number of times, then its result. */
typedef struct {
  bool last;
  double progress;
  uint64_t warp_instructions;
} message_t;

static bool write_result(int fd, const simulate_result_t *r) {
  static const message_t last = {true, 1, 0};
  const size_t length = r->facts ? strlen(r->facts) : 0;
  return file_put(fd, &last, sizeof last) && file_put(fd, r, sizeof *r) && file_put(fd, &length, sizeof length) &&
         file_put(fd, r->facts, length) && system_stats_put(&r->stats, fd) && toggles_put(&r->toggles, fd);
}

static bool read_facts(int fd, simulate_result_t *r) {
  size_t length;
  r->facts = NULL;
  if (!file_get(fd, &length, sizeof length)) return false;
  if (!length) return true;
  return (r->facts = calloc(1, length + 1)) && file_get(fd, r->facts, length);
}

static bool read_result(int fd, simulate_result_t *r) {
  const bool good = file_get(fd, r, sizeof *r) && read_facts(fd, r);
  memset(&r->stats, 0, sizeof r->stats); /* its pointers are the child's */
  memset(&r->toggles, 0, sizeof r->toggles);
  return good && system_stats_get(&r->stats, fd) && toggles_get(&r->toggles, fd);
}

static void send_progress(void *ctx, double share, uint64_t warp_instructions) {
  message_t message = {false, share, warp_instructions};
  (void)!file_put(*(int *)ctx, &message, sizeof message);
}

typedef struct {
  int fd;
  simulate_result_t *result;
} ending_t;

/* A model has failed outside of lockstep. */
static _Noreturn void end_child(void *context, int exit_code, const char *line) {
  const ending_t *ending = context;
  trouble_set(&ending->result->trouble, (trouble_kind_t)exit_code, "%s", line);
  memset(&ending->result->stats, 0, sizeof ending->result->stats); /* may be half made */
  memset(&ending->result->toggles, 0, sizeof ending->result->toggles);
  _exit(write_result(ending->fd, ending->result) ? 0 : 3);
}

static _Noreturn void child(const simulate_job_t *job, int fd) {
  static simulate_result_t result;
  simulate_job_t mine = *job;
  if (mine.system.progress) mine.system.progress = send_progress;
  mine.system.progress_ctx = &fd;
  ending_t ending = {fd, &result};
  instance_on_end(end_child, &ending);
  simulate_here(&mine, &result);
  bool sent = write_result(fd, &result);
  fflush(NULL);
  _exit(sent ? 0 : 3);
}

/* Ctrl-C in a terminal reaches the child as well; what tells only
 * us to stop is passed on when the child does not end by itself. */
static void await(const simulate_job_t *job, int fd, pid_t pid, double *since) {
  static const double patience = 1.0;
  struct pollfd ready = {fd, POLLIN, 0};
  do {
    if (*since >= 0 && clock_seconds() - *since > patience) {
      kill(pid, SIGTERM);
      *since = HUGE_VAL;
    }
    if (*since < 0 && job->system.interrupted && *job->system.interrupted) *since = clock_seconds();
  } while (poll(&ready, 1, 100) <= 0);
}

static bool receive(const simulate_job_t *job, int fd, pid_t pid, simulate_result_t *result) {
  message_t message;
  double since = -1; /* the interrupt; infinite: it was passed on */
  while (await(job, fd, pid, &since), file_get(fd, &message, sizeof message)) {
    if (message.last) return read_result(fd, result);
    if (job->system.progress)
      job->system.progress(job->system.progress_ctx, message.progress, message.warp_instructions);
  }
  return false;
}

void simulate(const simulate_job_t *job, simulate_result_t *result) {
  int ends[2];
  memset(result, 0, sizeof *result);
  trouble_t *trouble = &result->trouble;
  /* here, so that a build is not counted as simulation */
  if (!system_prepare(&job->system, trouble)) return;
  if (pipe(ends)) {
    trouble_set(trouble, TROUBLE_ENVIRONMENT, "no pipe to the simulation: %s", strerror(errno));
    return;
  }
  pid_t pid = process_fork(SIGTERM); /* a second Ctrl-C kills us, and then this too */
  if (pid < 0) {
    trouble_set(trouble, TROUBLE_ENVIRONMENT, "no process for the simulation: %s", strerror(errno));
    close(ends[0]);
    close(ends[1]);
    return;
  }
  if (!pid) {
    close(ends[0]);
    child(job, ends[1]);
  }
  close(ends[1]);
  bool got = receive(job, ends[0], pid, result);
  close(ends[0]);
  int how = 0;
  struct rusage usage = {0};
  while (wait4(pid, &how, 0, &usage) < 0 && errno == EINTR) continue;
  if (!got && WIFSIGNALED(how))
    trouble_set(trouble, TROUBLE_ENVIRONMENT, "the simulation was ended by signal %d (%s)", WTERMSIG(how),
                strsignal(WTERMSIG(how)));
  else if (!got) trouble_set(trouble, TROUBLE_ENVIRONMENT, "the simulation ended without a result");
  result->cpu_seconds = clock_of(&usage.ru_utime) + clock_of(&usage.ru_stime);
  result->peak_rss_bytes = (uint64_t)usage.ru_maxrss * 1024;
}
