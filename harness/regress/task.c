/* SPDX-License-Identifier: Apache-2.0
 *
 * A session of its own, so that the terminal's Ctrl-C is ours alone to pass on; and it ends when we do, however that is.
 */
#include "task.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "processes.h"
#include "signature.h"

static const char result_file[] = "result.json";

double task_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void task_time(char out[40]) {
  struct timespec t;
  struct tm parts;
  clock_gettime(CLOCK_REALTIME, &t);
  gmtime_r(&t.tv_sec, &parts);
  size_t n = strftime(out, 40, "%Y-%m-%dT%H:%M:%S", &parts);
  snprintf(out + n, 40 - n, ".%03ldZ", t.tv_nsec / 1000000);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
  (void)info;
  (void)kind;
  (void)where;
  return remove(path);
}

bool task_remove(const char *folder) {
  return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0 || access(folder, F_OK) != 0;
}

/* ---- start ---- */

static char **command(const task_t *task, const char *program) {
  size_t n = json_array_size(task->job->args);
  char **argv = calloc(n + 4, sizeof *argv);
  if (!argv) return NULL;
  argv[0] = (char *)program;
  for (size_t i = 0; i < n; i++) argv[i + 1] = (char *)json_string_value(json_array_get(task->job->args, i));
  argv[n + 1] = "--json";
  argv[n + 2] = (char *)result_file;
  return argv;
}

static void become(const task_t *task, char *const argv[], pid_t parent) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127); /* it ended before the line above */
  setsid();
  setenv(PROCESSES_VARIABLE, task->tag, 1);
  int nothing = open("/dev/null", O_RDONLY), out = fileno(task->output);
  if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(127);
  if (chdir(task->folder) == 0) execv(argv[0], argv);
  dprintf(2, "lockstack: %s: %s\n", argv[0], strerror(errno));
  _exit(127);
}

bool task_start(task_t *task, const task_place_t *place, const plan_job_t *job) {
  pid_t parent = getpid();
  *task = (task_t){.job = job, .start = task_clock()};
  task_time(task->started);
  snprintf(task->folder, sizeof task->folder, "%.4000s/%u", place->folder, job->position);
  snprintf(task->tag, sizeof task->tag, "%.4200s/%u.", place->tag, job->position);
  if (!task_remove(task->folder) || mkdir(task->folder, 0777)) return false; /* what a killed one left is not its */
  char **argv = command(task, place->program);
  task->output = argv ? tmpfile() : NULL;
  if (task->output) fcntl(fileno(task->output), F_SETFD, FD_CLOEXEC);
  if (task->output) task->pid = fork();
  if (task->output && task->pid == 0) become(task, argv, parent);
  int error = errno;
  free(argv);
  if (task->output && task->pid > 0) return true;
  if (task->output) fclose(task->output);
  task->pid = 0;
  rmdir(task->folder);
  errno = error;
  return false;
}

/* ---- end ---- */

/* The end of what it printed, as text: no zero bytes. */
static char *end_of(FILE *file) {
  off_t size = lseek(fileno(file), 0, SEEK_END), from = size > RESULTS_OUTPUT ? size - RESULTS_OUTPUT : 0;
  char *text = malloc((size_t)(size - from) + 1);
  ssize_t n = text ? pread(fileno(file), text, (size_t)(size - from), from) : -1;
  for (ssize_t i = 0; i < n; i++)
    if (!text[i]) text[i] = ' ';
  if (text) text[n > 0 ? n : 0] = 0;
  return text;
}

static json_t *read_result(const task_t *task) {
  char path[4200];
  snprintf(path, sizeof path, "%.4090s/%s", task->folder, result_file);
  json_t *root = json_load_file(path, 0, NULL);
  unlink(path);
  return root;
}

static bool asked_for_files(const json_t *args) {
  static const char *const options[] = {"--out", "--draw", "--wave", "--html"};
  size_t i;
  json_t *word;
  json_array_foreach(args, i, word) {
    for (unsigned k = 0; k < sizeof options / sizeof *options; k++)
      if (!strcmp(json_string_value(word), options[k])) return true;
  }
  return false;
}

static const char *outcome_of(const task_t *task, int status) {
  if (task->timeout) return "TIMEOUT";
  if (WIFSIGNALED(status)) return "KILLED";
  switch (WEXITSTATUS(status)) {
  case 0: return "PASS";
  case 2: return "BAD_INPUT";
  case 3:
  case 127: return "INFRA";
  default: return "FAIL";
  }
}

static void set_outcome(results_job_t *result, const char *outcome, int exit_code) {
  result->outcome = outcome;
  result->exit_code = exit_code;
}

static double seconds(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

static const char *node_name(void) {
  static char name[256];
  const char *slurm = getenv("SLURMD_NODENAME");
  if (!*name && slurm) snprintf(name, sizeof name, "%s", slurm);
  if (!*name && gethostname(name, sizeof name - 1)) strcpy(name, "?");
  return name;
}

static void take(task_t *task, int status, const struct rusage *usage, results_job_t *result) {
  char ended[40];
  task_time(ended);
  *result = (results_job_t){.position = task->job->position, .started = strdup(task->started), .ended = strdup(ended),
                            .seconds = task_clock() - task->start, .cpu_seconds = seconds(usage->ru_utime) + seconds(usage->ru_stime),
                            .peak_rss_bytes = (int64_t)usage->ru_maxrss * 1024, .node = node_name()};
  set_outcome(result, outcome_of(task, status), WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
  json_t *root = read_result(task);
  result->output = end_of(task->output);
  result->result = root ? json_dumps(root, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9)) : NULL;
  bool pass = !strcmp(result->outcome, "PASS");
  if (!pass) result->signature = signature_of(task->job->verb, task->job->subject, result->outcome, result->exit_code, root, result->output);
  if (pass && !asked_for_files(task->job->args)) task_remove(task->folder);
  else rmdir(task->folder); /* when there is nothing in it */
  json_decref(root);
  fclose(task->output);
  task->pid = 0;
}

bool task_ended(task_t *task, results_job_t *result) {
  int status;
  struct rusage usage;
  if (!task->timeout && task_clock() - task->start > task->job->limit) {
    task->timeout = true;
    kill(task->pid, SIGKILL);
    processes_kill(task->tag);
  }
  pid_t got = wait4(task->pid, &status, WNOHANG, &usage);
  if (got != task->pid) return false;
  if (WIFSIGNALED(status)) processes_kill(task->tag); /* what it started is nobody's now */
  take(task, status, &usage, result);
  return true;
}

void task_stop(task_t *task) {
  if (!task->pid) return;
  kill(task->pid, SIGKILL);
  processes_kill(task->tag);
  while (waitpid(task->pid, NULL, 0) < 0 && errno == EINTR) continue;
  fclose(task->output);
  task_remove(task->folder);
  task->pid = 0;
}

void task_not_started(const plan_job_t *job, int error, results_job_t *result) {
  char now[40];
  task_time(now);
  *result = (results_job_t){.position = job->position, .started = strdup(now), .ended = strdup(now), .node = node_name()};
  set_outcome(result, "INFRA", 127);
  char *text = NULL;
  if (asprintf(&text, "lockstack: the job could not be started: %s\n", strerror(error)) < 0) text = NULL;
  result->output = text;
  result->signature = signature_of(job->verb, job->subject, "INFRA", 127, NULL, text ? text : "");
}

void task_free_result(results_job_t *result) {
  const char **texts[] = {&result->started, &result->ended, &result->signature, &result->output, &result->result};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    free((char *)*texts[i]);
    *texts[i] = NULL;
  }
}
