/* SPDX-License-Identifier: Apache-2.0
 *
 * A job runs in a session of its own: only this process passes the terminal's Ctrl-C on. The job
 * ends when this process does, however that happens.
 */
#include "task.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "file.h"
#include "process.h"
#include "processes.h"
#include "signature.h"
#include "utf8.h"

static const char result_file[] = "result.json";

/* ---- start ---- */

/* The job's words, and --json into the job's folder. NULL: no memory. */
static char **build_argv(const task_t *task, const char *program) {
  size_t n = json_array_size(task->job->args);
  char **argv = calloc(n + 4, sizeof *argv);
  if (!argv) return NULL;
  argv[0] = (char *)program;
  for (size_t i = 0; i < n; i++) argv[i + 1] = (char *)json_string_value(json_array_get(task->job->args, i));
  argv[n + 1] = "--json";
  argv[n + 2] = (char *)result_file;
  return argv;
}

/* The output goes to a file without a name, which vanishes with its last holder. errno is saved
 * over the clean-up. */
bool task_start(task_t *task, const task_place_t *place, const plan_job_t *job) {
  *task = (task_t){.job = job, .start = clock_seconds()};
  clock_utc(task->started);
  snprintf(task->folder, sizeof task->folder, "%.4000s/%u", place->folder, job->position);
  snprintf(task->tag, sizeof task->tag, "%.4200s/%u.", place->tag, job->position);
  /* what a killed one left is not its */
  if (!file_remove_all(task->folder) || !file_folder(task->folder)) return false;
  char **argv = build_argv(task, place->program);
  task->output = argv ? tmpfile() : NULL;
  if (task->output) fcntl(fileno(task->output), F_SETFD, FD_CLOEXEC);
  const int out = task->output ? fileno(task->output) : -1;
  if (task->output)
    task->pid = process_start(&(process_t){.argv = argv,
                                           .folder = task->folder,
                                           .variable = PROCESSES_VARIABLE,
                                           .value = task->tag,
                                           .out = out,
                                           .err = out,
                                           .dies_with_us = SIGKILL,
                                           .session = true});
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

/* The last RESULTS_OUTPUT bytes of what the job printed, as valid UTF-8 without zero bytes.
 * NULL: no memory. */
static char *output_end(FILE *file) {
  off_t size = lseek(fileno(file), 0, SEEK_END), from = size > RESULTS_OUTPUT ? size - RESULTS_OUTPUT : 0;
  char *text = malloc((size_t)(size - from) + 1);
  ssize_t n = text ? pread(fileno(file), text, (size_t)(size - from), from) : -1;
  if (!text) return NULL;
  if (n > 0) utf8_clean_bytes(text, (size_t)n);
  text[n > 0 ? n : 0] = 0;
  return text;
}

/* Reads and removes the document. NULL: there is none. */
static json_t *read_result(const task_t *task) {
  char path[4200];
  snprintf(path, sizeof path, "%.4090s/%s", task->folder, result_file);
  json_t *root = json_load_file(path, 0, NULL);
  unlink(path);
  return root;
}

/* The folder of such a job stays, also when it passes. */
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

/* Why exit status 0 is no PASS; NULL: the document agrees. (--help ends with 0, too.) */
static const char *why_no_verdict(const json_t *root) {
  const char *schema = json_string_value(json_object_get(root, "schema")),
             *outcome = json_string_value(json_object_get(root, "outcome"));
  if (!schema || strncmp(schema, "lockstack.", 10)) return "there is no result";
  const bool held =
      !json_is_false(json_object_get(root, "held")) && !json_is_true(json_object_get(root, "interrupted"));
  return held && (!outcome || !strcmp(outcome, "PASS")) ? NULL : "the result says otherwise";
}

/* wrong: why exit status 0 does not count. */
static const char *outcome_of(const task_t *task, int status, const char *wrong) {
  if (task->timeout) return "TIMEOUT";
  if (WIFSIGNALED(status)) return "KILLED";
  switch (WEXITSTATUS(status)) {
  case 0: return wrong ? "INFRA" : "PASS";
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

/* This host's name, by Slurm if it runs here. */
static const char *node_name(void) {
  static char name[256];
  const char *slurm = getenv("SLURMD_NODENAME");
  if (!*name && slurm) snprintf(name, sizeof name, "%s", slurm);
  if (!*name && gethostname(name, sizeof name - 1)) strcpy(name, "?");
  return name;
}

/* Reads the job's document and output, and judges them. Removes its folder after a pass. */
static void take_result(task_t *task, int status, const struct rusage *usage, results_job_t *result) {
  char ended[40];
  clock_utc(ended);
  *result = (results_job_t){.position = task->job->position,
                            .started = strdup(task->started),
                            .ended = strdup(ended),
                            .seconds = clock_seconds() - task->start,
                            .cpu_seconds = clock_of(&usage->ru_utime) + clock_of(&usage->ru_stime),
                            .peak_rss_bytes = (int64_t)usage->ru_maxrss * 1024,
                            .node = node_name()};
  json_t *root = read_result(task);
  const char *wrong = status ? NULL : why_no_verdict(root);
  set_outcome(result, outcome_of(task, status, wrong), process_status(status));
  char said[100] = "";
  if (wrong) snprintf(said, sizeof said, "lockstack: the job ended with exit status 0, but %s\n", wrong);
  lseek(fileno(task->output), 0, SEEK_END);
  if (wrong) dprintf(fileno(task->output), "%s", said);
  result->output = output_end(task->output);
  result->result = root ? json_dumps(root, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9)) : NULL;
  bool pass = !strcmp(result->outcome, "PASS");
  if (!pass)
    result->signature = signature_of(task->job->verb, task->job->subject, result->outcome, result->exit_code, root,
                                     wrong ? said : result->output);
  if (pass && !asked_for_files(task->job->args)) file_remove_all(task->folder);
  else rmdir(task->folder); /* rmdir keeps a folder with files */
  json_decref(root);
  fclose(task->output);
  task->pid = 0;
}

/* Never waits. A job over its limit dies by SIGKILL, and all that it started; the result follows
 * in the same call or the next. */
bool task_ended(task_t *task, results_job_t *result) {
  int status;
  struct rusage usage;
  if (!task->timeout && clock_seconds() - task->start > task->job->limit) {
    task->timeout = true;
    kill(task->pid, SIGKILL);
    processes_kill(task->tag);
  }
  pid_t got = wait4(task->pid, &status, WNOHANG, &usage);
  if (got != task->pid) return false;
  if (WIFSIGNALED(status)) processes_kill(task->tag); /* its children have no parent now */
  take_result(task, status, &usage, result);
  return true;
}

bool task_cut_short(const results_job_t *result) {
  json_t *root = result->result ? json_loads(result->result, 0, NULL) : NULL;
  const bool cut = json_is_true(json_object_get(root, "interrupted")) || result->exit_code == 128 + SIGTERM ||
                   result->exit_code == 128 + SIGINT;
  json_decref(root);
  return cut;
}

/* Unlike a time-out, this leaves no result and no folder. The job is one that has not run. */
void task_stop(task_t *task) {
  if (!task->pid) return;
  kill(task->pid, SIGKILL);
  processes_kill(task->tag);
  process_wait(task->pid);
  fclose(task->output);
  file_remove_all(task->folder);
  task->pid = 0;
}

/* 127 is the shell's status for a command that it cannot run. */
void task_not_started(const plan_job_t *job, int error, results_job_t *result) {
  char now[40];
  clock_utc(now);
  *result =
      (results_job_t){.position = job->position, .started = strdup(now), .ended = strdup(now), .node = node_name()};
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
