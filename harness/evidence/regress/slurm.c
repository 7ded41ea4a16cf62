/* SPDX-License-Identifier: Apache-2.0
 *
 * A job of the run goes through these states:
 *
 *   waiting --sbatch--> queued --> running --> result-P.json --> recorded
 *      ^                   |          |
 *      +-- not in the queue twice, and no result: lost with its node, up to MOST_ATTEMPTS times
 *
 * The names of the arrays contain the run's folder. A regression that was killed finds its tasks
 * in the queue by them.
 */
#include "slurm.h"

#include "clock.h"
#include "file.h"
#include "process.h"
#include "whole.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ATTEMPTS = 5 };
static const double patience = 60; /* seconds that the controller may be away */

typedef struct {
  regress_t *regress;
  char folder[4096], name[256], user[32];
  unsigned arrays, array_size;
  json_t **positions; /* positions of each array's jobs */
  double start, away; /* away: since when the controller is silent; 0: it answers */
} slurm_t;

/* ---- Slurm's commands ---- */

/* 127 is the status of a program that is not there. */
static int report_tool(slurm_t *s, const char *tool, int status, const char *text) {
  int n = (int)strcspn(text ? text : "", "\n");
  if (status == 127)
    trouble_set(&s->regress->trouble, TROUBLE_ENVIRONMENT, "%s is not there; install the package slurm-client", tool);
  else trouble_set(&s->regress->trouble, TROUBLE_ENVIRONMENT, "%s: %.*s", tool, n, text ? text : "");
  return TROUBLE_ENVIRONMENT;
}

/* The controller is restarted now and then. True: wait for it, up to `patience` seconds. */
static bool may_come_back(slurm_t *s, int status, const char *text) {
  bool away =
      status != 127 && text &&
      (strstr(text, "contact") || strstr(text, "onnection") || strstr(text, "imed out") || strstr(text, "emporarily"));
  if (!away) return false;
  if (s->away == 0) s->away = clock_seconds();
  return clock_seconds() - s->away < patience;
}

/* The cluster's limit for tasks of an array; 1000 where it does not say. */
static void find_array_size(slurm_t *s) {
  char *argv[] = {"scontrol", "show", "config", NULL};
  int status;
  char *text = process_text(argv, &status), *at = text ? strstr(text, "MaxArraySize") : NULL;
  unsigned long size = at && strchr(at, '=') ? strtoul(strchr(at, '=') + 1, NULL, 10) : 0;
  s->array_size = size > 1 && size < 1000000 ? (unsigned)size - 1 : 1000;
  free(text);
}

/* ---- files ---- */

/* The script that each task runs: this program, with the number of its array. */
static bool write_script(slurm_t *s) {
  char path[4200];
  snprintf(path, sizeof path, "%.4000s/task.sh", s->folder);
  FILE *file = fopen(path, "w");
  json_t *words = json_pack("[s, s, s, s]", s->regress->program, "regress", "--task", s->regress->folder);
  char *line = suite_command(words);
  bool ok = file && line && fprintf(file, "#!/bin/sh\nexec %s \"$1\"\n", line) > 0;
  if (file) ok = fclose(file) == 0 && ok;
  free(line);
  json_decref(words);
  return ok;
}

static int cannot_write(slurm_t *s) {
  trouble_set(&s->regress->trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", s->folder, strerror(errno));
  return TROUBLE_ENVIRONMENT;
}

/* Reads the arrays of a regression that was killed. */
static int load_arrays(slurm_t *s) {
  char path[4200];
  for (;;) {
    snprintf(path, sizeof path, "%.4000s/submit-%u.json", s->folder, s->arrays);
    if (access(path, F_OK)) return 0;
    json_t *jobs = json_load_file(path, 0, NULL), *positions = json_array(), *job;
    size_t i;
    json_array_foreach(jobs, i, job) json_array_append(positions, json_object_get(job, "position"));
    json_decref(jobs);
    json_t **more = realloc(s->positions, (s->arrays + 1) * sizeof *more);
    if (!more) return trouble_memory(&s->regress->trouble), TROUBLE_ENVIRONMENT;
    s->positions = more;
    s->positions[s->arrays++] = positions;
  }
}

/* ---- results ---- */

/* A copy; NULL: the member is missing. */
static const char *copy_member(const json_t *root, const char *key) {
  const char *text = json_string_value(json_object_get(root, key));
  return text ? strdup(text) : NULL;
}

/* Result files are written by slurm_task.c (result_json). */
static int record_result(slurm_t *s, plan_job_t *job, json_t *root) {
  const char *node = json_string_value(json_object_get(root, "node"));
  results_job_t result = {.position = job->position,
                          .outcome = json_string_value(json_object_get(root, "outcome")),
                          .exit_code = (int)json_integer_value(json_object_get(root, "exit_code")),
                          .started = copy_member(root, "started"),
                          .ended = copy_member(root, "ended"),
                          .seconds = json_number_value(json_object_get(root, "seconds")),
                          .cpu_seconds = json_number_value(json_object_get(root, "cpu_seconds")),
                          .peak_rss_bytes = json_integer_value(json_object_get(root, "peak_rss_bytes")),
                          .signature = copy_member(root, "signature"),
                          .output = copy_member(root, "output"),
                          .result = copy_member(root, "result"),
                          .node = node};
  return regress_record(s->regress, job, &result);
}

/* Records results that came since the last look. earlier: results that tasks left after their
 * parent was killed; the sources may have changed since, so these are checked. */
static int merge_results(slurm_t *s, bool earlier) {
  char path[4200];
  int code = 0;
  for (unsigned i = 0; i < s->regress->count && !code; i++) {
    plan_job_t *job = &s->regress->jobs[i];
    snprintf(path, sizeof path, "%.4000s/result-%u.json", s->folder, job->position);
    json_t *root = job->outcome || access(path, F_OK) ? NULL : json_load_file(path, 0, NULL);
    if (!root) continue;
    if (!earlier || regress_is_now(s->regress, job->key, json_string_value(json_object_get(root, "result"))))
      code = record_result(s, job, root);
    if (!code) unlink(path);
    json_decref(root);
  }
  return code;
}

/* ---- the queue ---- */

/* Reads "NAME-3|17|RUNNING|n2": task 17 of our array 3. NULL: not ours. */
static plan_job_t *job_of_line(const slurm_t *s, const char *line, char state[32], char node[64]) {
  unsigned array, index;
  size_t n = strlen(s->name);
  *node = 0;
  if (strncmp(line, s->name, n) || sscanf(line + n, "-%u|%u|%31[A-Z_]|%63[^|\n]", &array, &index, state, node) < 3)
    return NULL;
  const json_t *position = array < s->arrays ? json_array_get(s->positions[array], index) : NULL;
  unsigned at = (unsigned)json_integer_value(position);
  return position && at < s->regress->count ? &s->regress->jobs[at] : NULL;
}

/* The job is in the queue. A task that is COMPLETING has written its result. */
static int note_state(slurm_t *s, plan_job_t *job, const char *state, const char *node) {
  if (job->outcome || !strcmp(state, "COMPLETING")) return 0;
  job->missed = 0;
  if (job->attempts == 0) job->attempts = 1;
  if (strcmp(state, "RUNNING") != 0 || job->running) return 0;
  job->running = true;
  return regress_started(s->regress, job, node);
}

/* *seen: the queue was read, so jobs that are not in it are missing. */
static int poll_queue(slurm_t *s, bool *seen) {
  char *argv[] = {"squeue", "--noheader", "--array", "--user", s->user, "--format", "%j|%K|%T|%N", NULL}, state[32],
       node[64];
  int status, code = 0;
  char *text = process_text(argv, &status);
  *seen = status == 0;
  if (status && !may_come_back(s, status, text)) code = report_tool(s, "squeue", status, text);
  if (*seen) s->away = 0;
  for (unsigned i = 0; *seen && i < s->regress->count; i++) s->regress->jobs[i].missed++;
  for (char *line = text, *next; *seen && line && *line && !code; line = next) {
    next = line + strcspn(line, "\n");
    if (*next) *next++ = 0;
    plan_job_t *job = job_of_line(s, line, state, node);
    if (job) code = note_state(s, job, state, node);
  }
  free(text);
  return code;
}

/* ---- submitting ---- */

/* False: errno. The file appears whole or not at all. */
static bool write_array(const slurm_t *s, json_t *jobs) {
  char path[4200];
  whole_t whole;
  snprintf(path, sizeof path, "%.4000s/submit-%u.json", s->folder, s->arrays);
  int error = json_dump_file(jobs, whole_begin(&whole, path), JSON_COMPACT) ? errno : 0;
  errno = whole_end(&whole, error);
  return !errno;
}

/* *done: Slurm has the array. The time limit is in whole minutes, with one minute to spare. */
static int call_sbatch(slurm_t *s, size_t count, double limit, bool *done) {
  char array[64], name[300], output[4200], script[4200], minutes[32], number[16];
  snprintf(array, sizeof array, "--array=0-%zu", count - 1);
  if (s->regress->slots) snprintf(array + strlen(array), 16, "%%%u", s->regress->slots);
  snprintf(name, sizeof name, "--job-name=%s-%u", s->name, s->arrays);
  snprintf(output, sizeof output, "--output=%.4000s/log-%u-%%a.txt", s->folder, s->arrays);
  snprintf(minutes, sizeof minutes, "--time=%.0f", ceil(limit / 60) + 1);
  snprintf(script, sizeof script, "%.4000s/task.sh", s->folder);
  snprintf(number, sizeof number, "%u", s->arrays);
  char *argv[] = {"sbatch",     "--parsable",           array,  name,   output, minutes, "--no-requeue",
                  "--ntasks=1", "--open-mode=truncate", script, number, NULL};
  int status;
  char *text = process_text(argv, &status);
  *done = status == 0;
  int code = status && !may_come_back(s, status, text) ? report_tool(s, "sbatch", status, text) : 0;
  free(text);
  return code;
}

/* Submits one array of these jobs. An attempt counts once Slurm has the array. */
static int submit_array(slurm_t *s, plan_job_t **jobs, size_t count) {
  json_t *list = json_array(), *positions = json_array();
  double limit = 0;
  bool done;
  for (size_t i = 0; i < count; i++) {
    const plan_job_t *j = jobs[i];
    json_array_append_new(list, json_pack("{s:i, s:s, s:s, s:s, s:O, s:f}", "position", (int)j->position, "key", j->key,
                                          "verb", j->verb, "subject", j->subject, "args", j->args, "limit", j->limit));
    json_array_append_new(positions, json_integer(j->position));
    limit = fmax(limit, j->limit);
  }
  json_t **more = realloc(s->positions, (s->arrays + 1) * sizeof *more);
  if (more) s->positions = more;
  bool ok = more && write_array(s, list);
  json_decref(list);
  if (!ok) {
    json_decref(positions);
    return cannot_write(s);
  }
  int code = call_sbatch(s, count, limit, &done);
  s->positions[s->arrays++] = positions; /* a failed submission uses its number up, too */
  for (size_t i = 0; i < count && done; i++) {
    jobs[i]->attempts++;
    jobs[i]->missed = 0;
    jobs[i]->running = false;
  }
  return code;
}

/* What Slurm printed about the job's latest task, at most RESULTS_OUTPUT bytes. */
static char *last_log(const slurm_t *s, const plan_job_t *job) {
  char path[4200];
  for (unsigned k = s->arrays; k-- > 0;)
    for (size_t i = 0; i < json_array_size(s->positions[k]); i++) {
      if (json_integer_value(json_array_get(s->positions[k], i)) != (json_int_t)job->position) continue;
      snprintf(path, sizeof path, "%.4000s/log-%u-%zu.txt", s->folder, k, i);
      FILE *file = fopen(path, "r");
      char *text = file ? calloc(1, RESULTS_OUTPUT) : NULL;
      if (text && fread(text, 1, RESULTS_OUTPUT - 1, file) == 0) *text = 0;
      if (file) fclose(file);
      if (text) return text;
    }
  return strdup("");
}

/* Too many tasks ended without a result: INFRA, with the last log. */
static int give_up(slurm_t *s, plan_job_t *job) {
  results_job_t result;
  char *log = last_log(s, job), *text = NULL;
  task_not_started(job, EIO, &result);
  if (asprintf(&text, "lockstack: %u tasks of it ended without a result\n%s", job->attempts, log ? log : "") > 0) {
    free((char *)result.output);
    result.output = text;
  }
  free(log);
  return regress_record(s->regress, job, &result);
}

/* A job must be missing twice: its result can come between two looks. */
static int submit_missing(slurm_t *s) {
  regress_t *r = s->regress;
  plan_job_t **jobs = calloc(r->count, sizeof *jobs);
  size_t count = 0;
  int code = jobs ? 0 : (trouble_memory(&r->trouble), TROUBLE_ENVIRONMENT);
  for (unsigned i = 0; i < r->count && !code; i++) {
    plan_job_t *job = &r->jobs[i];
    if (job->outcome || job->missed < (job->attempts ? 2 : 1)) continue;
    if (job->attempts >= MOST_ATTEMPTS) code = give_up(s, job);
    else jobs[count++] = job;
  }
  for (size_t from = 0; from < count && !code; from += s->array_size)
    code = submit_array(s, jobs + from, count - from < s->array_size ? count - from : s->array_size);
  free(jobs);
  return code;
}

/* Cancels tasks in this state ("--state=PENDING"), or all (NULL). */
static void cancel_tasks(slurm_t *s, char *state) {
  char name[300];
  int status;
  for (unsigned k = 0; k < s->arrays; k++) {
    snprintf(name, sizeof name, "--name=%s-%u", s->name, k);
    char *argv[] = {"scancel", "--user", s->user, name, state, NULL};
    free(process_text(argv, &status));
  }
}

/* ---- a run ---- */

/* Half a second at first, ten seconds later: the controller is everybody's. */
static void wait_a_while(const slurm_t *s) {
  double seconds = fmin(fmax((clock_seconds() - s->start) / 60, 0.5), 10);
  clock_pause((unsigned)(1e3 * seconds));
}

/* Polls queue and folder until all jobs have results. Jobs that Slurm lost are submitted again,
 * but only after the queue was read: without it, all jobs look lost. */
static int run_until_done(slurm_t *s) {
  regress_t *r = s->regress;
  bool seen;
  int code = merge_results(s, r->resumed);
  while (!code && r->done < r->count && !r->interrupted()) {
    code = poll_queue(s, &seen);
    if (!code) code = merge_results(s, false);
    if (!code && seen) code = submit_missing(s);
    r->on_tick(r->context, r->done);
    if (!code && r->done < r->count && !r->interrupted()) wait_a_while(s);
  }
  if (r->done < r->count && r->interrupted()) {
    cancel_tasks(s, NULL);
    if (!code) code = merge_results(s, false);
  } else if (r->done == r->count) {
    /* of a node that died Slurm puts a task back,
     * --no-requeue or not, which another one stood in for */
    cancel_tasks(s, "--state=PENDING");
  }
  return code;
}

/* The folder stays unless all jobs are done, for --resume to find the arrays and the results. */
int slurm_run(regress_t *r) {
  slurm_t s = {.regress = r, .start = clock_seconds()};
  const char *slash = strrchr(r->folder, '/');
  snprintf(s.folder, sizeof s.folder, "%.4000s/slurm", r->folder);
  snprintf(s.name, sizeof s.name, "lockstack-%.200s", slash ? slash + 1 : r->folder);
  snprintf(s.user, sizeof s.user, "%u", getuid());
  int code = 0;
  if (r->done == r->count) { /* the last parent died between its last result and its end */
    file_remove_all(s.folder);
    return 0;
  }
  if (!file_folder(s.folder) || !write_script(&s)) code = cannot_write(&s);
  if (!code) code = load_arrays(&s);
  if (!code) find_array_size(&s);
  if (!code) code = run_until_done(&s);
  if (!code && r->done == r->count) file_remove_all(s.folder);
  for (unsigned i = 0; i < s.arrays; i++) json_decref(s.positions[i]);
  free(s.positions);
  return code;
}
