/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions return 0 or an exit code, with a line in r->trouble.
 */
#include "regress.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "clock.h"
#include "file.h"
#include "local.h"
#include "processes.h"
#include "slurm.h"

/* Takes the database's trouble over. */
static int from_results(regress_t *r, trouble_kind_t status) {
  if (status) r->trouble = *results_trouble(r->results);
  return (int)status;
}

/* ---- the database ---- */

/* The order counts. Only who has the lock may kill: the tagged processes are then nobody's. The
 * guard starts before the first job does. */
int regress_open(regress_t *r) {
  char lock[4200];
  long owner;
  snprintf(lock, sizeof lock, "%.4000s.lock", r->database);
  if (!processes_own(lock, &owner)) {
    if (owner < 0) trouble_set(&r->trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", lock, strerror(errno));
    else
      trouble_set(&r->trouble, TROUBLE_ENVIRONMENT,
                  "%s: another regression (process %ld) is writing to it; wait for it, or give another --db",
                  r->database, owner);
    return TROUBLE_ENVIRONMENT;
  }
  char all[4200];
  snprintf(r->tag, sizeof r->tag, "%.4000s", r->database);
  snprintf(all, sizeof all, "%.4000s/", r->tag); /* the slash excludes a database whose name only begins alike */
  processes_kill(all);                           /* the last regression and its guard may both have been killed */
  if (!processes_guard(all)) {
    trouble_set(&r->trouble, TROUBLE_ENVIRONMENT, "cannot start a process: %s", strerror(errno));
    return TROUBLE_ENVIRONMENT;
  }
  return results_open(&r->results, r->database, true, &r->trouble) ? 0 : (int)r->trouble.kind;
}

/* ---- which jobs ---- */

/* The latest run of the suite. */
typedef struct {
  const char *suite;
  int64_t id;
  uint64_t seed;
  char *sha, *tools, *folder, *engine, *commit, *state;
} last_t;

/* NULL becomes "". */
static char *copy_text(const char *text) {
  return strdup(text ? text : "");
}

/* Runs come newest first, so the first one of the suite is its last run. */
static bool keep_last(void *context, const results_run_t *run) {
  last_t *last = context;
  if (strcmp(run->suite, last->suite) != 0) return true;
  last->id = run->id;
  last->seed = run->seed;
  last->sha = copy_text(run->suite_sha);
  last->tools = copy_text(run->tools);
  last->folder = copy_text(run->folder);
  last->engine = copy_text(run->engine);
  last->commit = copy_text(run->commit);
  last->state = copy_text(run->state);
  return false;
}

static void free_last(last_t *last) {
  free(last->sha);
  free(last->tools);
  free(last->folder);
  free(last->engine);
  free(last->commit);
  free(last->state);
}

/* NULL: no memory. The next call may move it. */
static plan_job_t *add_job(regress_t *r) {
  plan_job_t *jobs = realloc(r->jobs, (r->count + 1) * sizeof *jobs);
  if (!jobs) return NULL;
  r->jobs = jobs;
  jobs[r->count] = (plan_job_t){.position = r->count};
  return &jobs[r->count++];
}

/* Keeps the reason of the first stale result only. The others usually share it: one changed
 * file. */
bool regress_is_now(regress_t *r, const char *key, const char *result) {
  trouble_t trouble;
  json_t *document = result ? json_loads(result, 0, NULL) : NULL;
  const bool same = content_is_now(&r->now, document, &trouble);
  if (!same && !r->stale++) snprintf(r->why, sizeof r->why, "%.100s: %.400s", key, trouble.text);
  json_decref(document);
  return same;
}

/* A job of the run that goes on. One that is done keeps its outcome, unless its result is stale. */
static bool keep_job(void *context, const results_job_t *job) {
  regress_t *r = context;
  const bool done = !strcmp(job->state, "done") && regress_is_now(r, job->key, job->result);
  plan_job_t *p = add_job(r);
  if (!p) return false;
  p->key = copy_text(job->key);
  p->verb = copy_text(job->verb);
  p->subject = copy_text(job->subject);
  p->args = json_loads(job->args, 0, NULL);
  p->limit = job->limit_seconds;
  if (!done) return true;
  p->outcome = copy_text(job->outcome);
  r->already = ++r->done;
  return true;
}

/* False: out of memory. */
static bool jobs_of_suite(regress_t *r, const suite_t *suite) {
  for (unsigned i = 0; i < suite->count; i++) {
    const suite_job_t *from = &suite->jobs[i];
    plan_job_t *p = add_job(r);
    if (!p) return false;
    p->key = copy_text(from->key);
    p->verb = copy_text(from->verb);
    p->subject = copy_text(from->subject);
    p->args = json_incref(from->args);
    p->limit = from->limit;
  }
  return true;
}

/* ---- --only failed: the suite's jobs without those that have passed */

typedef struct {
  regress_t *r;
  json_t *open; /* keys without a result so far */
  int64_t *runs;
  unsigned count;
} failed_t;

/* Runs of the suite, the newest first. */
static bool keep_id(void *context, const results_run_t *run) {
  failed_t *f = context;
  if (strcmp(run->suite, f->r->suite_name) != 0) return true;
  int64_t *more = realloc(f->runs, (f->count + 1) * sizeof *more);
  if (!more) return false;
  f->runs = more;
  f->runs[f->count++] = run->id;
  return true;
}

/* The newest result of a job decides. A job that need not run gets its outcome here. */
static bool see_result(void *context, const results_job_t *job) {
  failed_t *f = context;
  const json_t *position = json_object_get(f->open, job->key);
  if (!position || strcmp(job->state, "done") != 0) return true;
  plan_job_t *p = &f->r->jobs[json_integer_value(position)];
  if (!strcmp(job->outcome, "PASS") && regress_is_now(f->r, job->key, job->result))
    p->outcome = copy_text(job->outcome);
  json_object_del(f->open, job->key);
  return true;
}

static void free_job(plan_job_t *p) {
  free(p->key), free(p->verb), free(p->subject), free(p->outcome);
  json_decref(p->args);
}

/* Jobs with an outcome go; the others get new positions. */
static void drop_passed(regress_t *r) {
  unsigned kept = 0;
  for (unsigned i = 0; i < r->count; i++) {
    if (r->jobs[i].outcome) free_job(&r->jobs[i]);
    else {
      r->jobs[kept] = r->jobs[i];
      r->jobs[kept].position = kept;
      kept++;
    }
  }
  r->count = kept;
}

static int out_of_memory(regress_t *r) {
  trouble_memory(&r->trouble);
  return TROUBLE_ENVIRONMENT;
}

/* Looks through runs until each job has a result, or no run is left. */
static int jobs_that_failed(regress_t *r, const suite_t *suite) {
  failed_t f = {.r = r, .open = json_object()};
  if (!jobs_of_suite(r, suite)) return json_decref(f.open), out_of_memory(r);
  for (unsigned i = 0; i < r->count; i++) json_object_set_new(f.open, r->jobs[i].key, json_integer(i));
  int code = from_results(r, results_runs(r->results, keep_id, &f));
  for (unsigned i = 0; i < f.count && !code && json_object_size(f.open); i++)
    code = from_results(r, results_jobs(r->results, f.runs[i], see_result, &f));
  json_decref(f.open);
  free(f.runs);
  if (!code) drop_passed(r);
  return code;
}

/* ---- a new run ---- */

/* The document's "provenance" and a checksum of the program, because two builds of one changed
 * tree have the same commit. NULL: no memory. */
static char *tools_of(const regress_t *r) {
  uint32_t crc;
  file_crc32(r->program, &crc);
  json_t *tools = json_copy((json_t *)r->provenance);
  json_object_set_new(tools, "program_crc32", json_integer((json_int_t)crc));
  char *text = json_dumps(tools, JSON_COMPACT | JSON_PRESERVE_ORDER);
  json_decref(tools);
  return text;
}

static const char *provenance_text(const regress_t *r, const char *key) {
  return json_string_value(json_object_get(r->provenance, key));
}

static void free_rows(results_job_t *rows, unsigned count) {
  for (unsigned i = 0; rows && i < count; i++) free((char *)rows[i].args);
  free(rows);
}

/* Jobs as the database takes them. NULL: no memory. */
static results_job_t *rows_of(const regress_t *r) {
  results_job_t *rows = calloc(r->count, sizeof *rows);
  for (unsigned i = 0; rows && i < r->count; i++) {
    const plan_job_t *p = &r->jobs[i];
    rows[i] = (results_job_t){.position = p->position,
                              .key = p->key,
                              .verb = p->verb,
                              .subject = p->subject,
                              .limit_seconds = p->limit,
                              .args = json_dumps(p->args, JSON_COMPACT)};
  }
  return rows;
}

static int make_folder(regress_t *r) {
  if (file_folder(r->folder)) return 0;
  trouble_set(&r->trouble, TROUBLE_ENVIRONMENT, "%s: cannot make the folder: %s", r->folder, strerror(errno));
  return TROUBLE_ENVIRONMENT;
}

/* The run's folder is named by time and process, so that two runs never share one. */
static int new_run(regress_t *r, const suite_t *suite) {
  char now[40], host[256] = "?";
  clock_utc(now);
  gethostname(host, sizeof host - 1);
  snprintf(r->folder, sizeof r->folder, "%.3900s.files/%.4s%.2s%.2sT%.2s%.2s%.2s-%ld", r->database, now, now + 5,
           now + 8, now + 11, now + 14, now + 17, (long)getpid());
  int code = make_folder(r);
  if (code) return code;
  char *tools = tools_of(r);
  results_job_t *rows = rows_of(r);
  results_run_t run = {.suite = r->suite_name,
                       .suite_sha = suite->sha,
                       .seed = suite->seed,
                       .started = now,
                       .host = host,
                       .tools = tools,
                       .commit = provenance_text(r, "commit"),
                       .version = provenance_text(r, "version"),
                       .engine = r->engine,
                       .jobs = r->slots,
                       .dirty = json_is_true(json_object_get(r->provenance, "dirty")),
                       .folder = r->folder};
  code = from_results(r, results_add_run(r->results, &run, rows, r->count));
  r->run = run.id;
  free_rows(rows, r->count);
  free(tools);
  return code;
}

/* ---- an earlier run ---- */

static int cannot_resume(regress_t *r, const last_t *last, const char *why) {
  trouble_set(&r->trouble, TROUBLE_INPUT, "run %lld of %s cannot go on: %s; without --resume a new one starts",
              (long long)last->id, r->suite_name, why);
  return TROUBLE_INPUT;
}

static int keep_jobs(regress_t *r, const last_t *last) {
  r->last = last->id;
  return from_results(r, results_jobs(r->results, last->id, keep_job, r));
}

/* Puts stale jobs of the run that goes on back to waiting. Jobs that wait already stay so. */
static int wait_again(regress_t *r) {
  unsigned *positions = calloc(r->count + 1, sizeof *positions), count = 0;
  for (unsigned i = 0; positions && i < r->count; i++)
    if (!r->jobs[i].outcome) positions[count++] = r->jobs[i].position;
  int code = positions ? from_results(r, results_again(r->results, r->run, positions, count)) : out_of_memory(r);
  free(positions);
  return code;
}

/* A run goes on only with the same suite, the same program and the same engine. */
static int may_resume(regress_t *r, const suite_t *suite, const last_t *last) {
  char why[300];
  if (strcmp(suite->sha, last->sha) != 0)
    return cannot_resume(r, last, "the suite, its seed or the list of blocks has changed since");
  char *tools = tools_of(r);
  bool same = tools && !strcmp(tools, last->tools);
  free(tools);
  snprintf(why, sizeof why, "it was made by another build of this program (commit %.40s)", last->commit);
  if (!same) return cannot_resume(r, last, why);
  snprintf(why, sizeof why, "it is of --engine %.40s", last->engine);
  return strcmp(last->engine, r->engine) ? cannot_resume(r, last, why) : 0;
}

/* A run without anything left to do is `ended`. */
static int resume_run(regress_t *r, const suite_t *suite, const last_t *last) {
  int code = may_resume(r, suite, last);
  if (code) return code;
  r->run = last->id;
  r->resumed = true;
  snprintf(r->folder, sizeof r->folder, "%s", last->folder);
  code = keep_jobs(r, last);
  r->ended = !strcmp(last->state, "done") && !r->stale;
  if (!code && r->stale) code = wait_again(r);
  if (!code && r->done < r->count) code = make_folder(r);
  if (!code && r->done < r->count) code = from_results(r, results_resume_run(r->results, last->id));
  return code;
}

/* Without such jobs, there is no new run. */
static int failed_run(regress_t *r, const suite_t *suite, const last_t *last) {
  r->last = last->id;
  int code = jobs_that_failed(r, suite);
  if (code) return code;
  if (r->count) return new_run(r, suite);
  r->run = last->id;
  return 0;
}

/* FAILED needs an earlier run. If that run had another seed, the suite is loaded again with it. */
static int find_last(regress_t *r, suite_t *suite, last_t *last, bool (*reload)(suite_t *, uint64_t, trouble_t *)) {
  int code = from_results(r, results_runs(r->results, keep_last, last));
  if (code) return code;
  if (r->mode == REGRESS_FAILED && !last->id) {
    trouble_set(&r->trouble, TROUBLE_INPUT, "%s has no run of %s whose failed jobs could be run again", r->database,
                r->suite_name);
    return TROUBLE_INPUT;
  }
  return last->id && suite->seed != last->seed && !reload(suite, last->seed, &r->trouble) ? (int)r->trouble.kind : 0;
}

static int choose_run(regress_t *r, suite_t *suite, const last_t *last) {
  if (r->mode == REGRESS_FAILED) return failed_run(r, suite, last);
  if (last->id) return resume_run(r, suite, last);
  return jobs_of_suite(r, suite) ? new_run(r, suite) : out_of_memory(r);
}

/* `place` is set last, because the run's folder is only known when the run is chosen. */
int regress_choose(regress_t *r, suite_t *suite, bool (*reload)(suite_t *suite, uint64_t seed, trouble_t *trouble)) {
  last_t last = {.suite = r->suite_name};
  int code = r->mode == REGRESS_NEW ? 0 : find_last(r, suite, &last, reload);
  if (!code) code = choose_run(r, suite, &last);
  free_last(&last);
  r->place = (task_place_t){r->program, r->folder, r->tag};
  return code;
}

/* Chooses like regress_choose but adds no run, so a dry run leaves the database as it was.
 * RESUME without a database plans a new run. */
int regress_plan(regress_t *r, suite_t *suite, bool (*reload)(suite_t *suite, uint64_t seed, trouble_t *trouble)) {
  last_t last = {.suite = r->suite_name};
  bool fresh = r->mode == REGRESS_NEW || (r->mode == REGRESS_RESUME && access(r->database, F_OK));
  int code = fresh || results_open(&r->results, r->database, false, &r->trouble) ? 0 : (int)r->trouble.kind;
  if (!code && !fresh) code = find_last(r, suite, &last, reload);
  if (!code && last.id && r->mode == REGRESS_RESUME) code = may_resume(r, suite, &last);
  if (!code && r->mode == REGRESS_FAILED) code = jobs_that_failed(r, suite);
  else if (!code && last.id) code = from_results(r, results_jobs(r->results, last.id, keep_job, r));
  else if (!code && !jobs_of_suite(r, suite)) code = out_of_memory(r);
  free_last(&last);
  return code;
}

/* ---- results ---- */

int regress_started(regress_t *r, const plan_job_t *job, const char *node) {
  char now[40];
  clock_utc(now);
  return from_results(r, results_start_job(r->results, r->run, job->position, now, node));
}

/* The database has the result before anybody hears of it: what on_done prints survives a crash. */
int regress_record(regress_t *r, plan_job_t *job, results_job_t *result) {
  result->run = r->run;
  int code = from_results(r, results_end_job(r->results, result));
  if (!code) {
    job->outcome = copy_text(result->outcome);
    r->done++;
    r->on_done(r->context, job, result);
  }
  task_free_result(result);
  return code;
}

int regress_end(regress_t *r, bool stopped) {
  char now[40];
  clock_utc(now);
  return from_results(r, results_end_run(r->results, r->run, stopped ? "stopped" : "done", now));
}

int regress_run(regress_t *r) {
  const int code = strcmp(r->engine, "slurm") ? local_run(r) : slurm_run(r);
  return code ? code : regress_end(r, r->done < r->count);
}

/* ---- what is there already ---- */

typedef struct {
  char *tools;
  int64_t *run; /* runs of this program */
  unsigned runs;
  results_on_job_t *on_job;
  void *context;
} passed_t;

/* Runs of this very program. */
static bool keep_run(void *context, const results_run_t *run) {
  passed_t *p = context;
  if (strcmp(run->tools, p->tools) != 0) return true;
  int64_t *more = realloc(p->run, (p->runs + 1) * sizeof *more);
  if (!more) return false;
  p->run = more;
  p->run[p->runs++] = run->id;
  return true;
}

static bool give_passed(void *context, const results_job_t *job) {
  const passed_t *p = context;
  return strcmp(job->state, "done") || strcmp(job->outcome, "PASS") || p->on_job(p->context, job);
}

/* Compares the whole provenance and the program's checksum, so a result of another build of the
 * same commit does not count. */
int regress_passed(regress_t *r, results_on_job_t *on_job, void *context) {
  passed_t p = {.tools = tools_of(r), .on_job = on_job, .context = context};
  int code = p.tools ? from_results(r, results_runs(r->results, keep_run, &p)) : out_of_memory(r);
  for (unsigned i = 0; i < p.runs && !code; i++)
    code = from_results(r, results_jobs(r->results, p.run[i], give_passed, &p));
  free(p.run);
  free(p.tools);
  return code;
}

/* The folders go when they are empty. A job that failed, or was asked for files, leaves them. */
void regress_close(regress_t *r) {
  char parent[4096];
  snprintf(parent, sizeof parent, "%.4000s.files", r->database);
  if (*r->folder) rmdir(r->folder), rmdir(parent); /* rmdir keeps a folder with files */
  for (unsigned i = 0; i < r->count; i++) free_job(&r->jobs[i]);
  free(r->jobs);
  content_now_free(&r->now);
  results_close(r->results);
  processes_dismiss();
}
