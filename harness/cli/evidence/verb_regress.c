/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack regress: runs a suite's jobs, results in the database, what failed in buckets.
 *
 *   suite_load --> regress_open --> regress_choose --> run_jobs --> finish_regress
 *   FILE.yaml      the database     --resume, --only    on_done       what was compared; report
 *                                   take old results    prints failures
 */
#include "cli.h"
#include "clock.h"
#include "file.h"
#include "judged.h"
#include "lockstep_verbs.h"
#include "names.h"
#include "process.h"
#include "progress.h"
#include "regress.h"
#include "regress_catalog.h"
#include "regress_report.h"
#include "regress_union.h"
#include "slurm.h"
#include "switched_off.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* `failed` is --only failed, `list` --dry-run. `task` is the folder of a Slurm array: this process
 * is then one of its tasks. */
typedef struct {
  const char *suite, *database, *junit, *engine, *task;
  uint64_t jobs, seed;
  bool resume, failed, seed_given, list, database_given;
} options_t;

enum { KEY_DB = 0x100, KEY_JUNIT, KEY_ONLY, KEY_RESUME, KEY_ENGINE, KEY_SEED, KEY_DRY, KEY_TASK };

static const struct argp_option argp_options[] = {
    {"jobs", 'j', "N", 0, "Jobs at a time (default: one a processor; slurm: as many as it likes)", 0},
    {"db", KEY_DB, "FILE", 0,
     "Database of results, made when it is not there (default build/lockstack.db; installed: "
     "lockstack-out/lockstack.db)",
     0},
    {"junit", KEY_JUNIT, "FILE", CLI_MADE, "Also write the results as JUnit XML", 0},
    {"only", KEY_ONLY, "failed", 0,
     "Only the suite's jobs that have not passed, or whose result is of what has changed since, as a run of its own",
     0},
    {"resume", KEY_RESUME, NULL, 0,
     "Go on with the suite's last run: what it has no result of, and what has changed since its result", 0},
    {"engine", KEY_ENGINE, "E", 0, "Where jobs run: local (default), or slurm: job arrays on a Slurm cluster", 0},
    {"seed", KEY_SEED, "N", 0, "What the jobs' seeds are derived from, instead of the suite's", 0},
    {"task", KEY_TASK, "FOLDER", OPTION_HIDDEN, "A task of a Slurm array", 0},
    {"dry-run", KEY_DRY, NULL, 0, "Print the jobs' commands, and run nothing", 0},
    {0},
};

static bool engine_known(const char *name) {
  return !strcmp(name, "local") || !strcmp(name, "slurm");
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  options_t *o = state->input;
  switch (key) {
  case 'j': return cli_number(state, "--jobs", arg, 1, 1024, &o->jobs);
  case KEY_DB:
    o->database = arg, o->database_given = true;
    return *arg ? 0 : cli_usage(state, "--db: a file name is missing");
  case KEY_JUNIT: o->junit = arg; return *arg ? 0 : cli_usage(state, "--junit: a file name is missing");
  case KEY_ONLY:
    o->failed = true;
    return strcmp(arg, "failed") == 0 ? 0 : cli_usage(state, "--only: '%s' should be failed", arg);
  case KEY_RESUME: o->resume = true; return 0;
  case KEY_ENGINE:
    o->engine = arg;
    return engine_known(arg) ? 0 : cli_usage(state, "--engine: '%s' should be local or slurm", arg);
  case KEY_SEED: o->seed_given = true; return cli_number(state, "--seed", arg, 0, INT64_MAX, &o->seed);
  case KEY_TASK: o->task = arg; return 0;
  case KEY_DRY: o->list = true; return 0;
  case ARGP_KEY_ARG:
    if (o->suite) return ARGP_ERR_UNKNOWN;
    o->suite = arg;
    return 0;
  case ARGP_KEY_END:
    if (!o->suite)
      return cli_usage(
          state,
          "a SUITE is missing; `lockstack list suites` names them, and there are your own: a path to a YAML file");
    return o->resume && o->failed ? cli_usage(state, "--resume and --only: give one of them") : 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

/* ---- a run ---- */

typedef struct {
  cli_t *cli;
  progress_t progress;
  regress_t regress;
  suite_t suite;
  double start;
} session_t;

/* Progress counts the jobs of this run alone. */
static void on_tick(void *context, unsigned done) {
  session_t *s = context;
  progress_update(&s->progress, done - s->regress.already);
}

/* A job ended: a line for each that did not pass. */
static void on_done(void *context, const plan_job_t *job, const results_job_t *result) {
  session_t *s = context;
  if (strcmp(result->outcome, "PASS") != 0) {
    progress_end(&s->progress);
    fprintf(s->cli->out, "%-9s %s (%.1f s)\n", result->outcome, job->key, result->seconds);
    fflush(s->cli->out);
  }
  on_tick(context, s->regress.done);
}

static const options_t *asked; /* for reload_suite, which gets no context */

/* Loads the suite again with the seed of the run that goes on. A --seed that differs is not
 * changed: the suite's hash will differ then, and the message about that is right. */
static bool reload_suite(suite_t *suite, uint64_t seed, trouble_t *trouble) {
  if (asked->seed_given && seed != asked->seed) return true; /* the hash will differ, and that is said */
  suite_free(suite);
  return suite_load(suite, asked->suite, &seed, regress_catalog(), trouble);
}

/* The name under which the database knows the suite: a suite of one's own by its whole path. To be
 * freed; NULL: no such file. */
static char *suite_name(const char *name) {
  size_t n = strlen(name);
  bool path = strchr(name, '/') || (n > 5 && !strcmp(name + n - 5, ".yaml"));
  return path ? realpath(name, NULL) : strdup(name);
}

/* 0, or the exit code of r->trouble. */
static int run_jobs(session_t *s) {
  regress_t *r = &s->regress;
  if (r->ended) return 0;
  progress_start(&s->progress, r->suite_name, "jobs", r->count - r->already);
  const int code = regress_run(r);
  progress_end(&s->progress);
  return code;
}

/* ---- what came out ---- */

/* Failures with one signature, and the command of each. */
static void print_bucket(FILE *out, const json_t *bucket) {
  size_t i;
  json_t *key;
  fprintf(out, "  %lld  %s\n", (long long)json_integer_value(json_object_get(bucket, "count")),
          json_string_value(json_object_get(bucket, "signature")));
  json_array_foreach(json_object_get(bucket, "keys"), i, key)
      fprintf(out, "       %s %s\n", cli_command(), json_string_value(key));
}

/* The sums of the run, and its failures in buckets. */
static void print_report(const session_t *s, const json_t *report) {
  FILE *out = s->cli->out;
  const regress_t *r = &s->regress;
  const json_t *counts = json_object_get(report, "counts"), *buckets = json_object_get(report, "buckets");
  const char *outcome;
  json_t *count, *bucket;
  size_t i;
  fprintf(out, "%s, run %lld: %u of %u jobs done", r->suite_name, (long long)r->run, r->done, r->count);
  json_object_foreach((json_t *)counts, outcome,
                      count) if (strcmp(outcome, "jobs") && strcmp(outcome, "done") && json_integer_value(count))
      fprintf(out, ", %lld %s", (long long)json_integer_value(count), outcome);
  fprintf(out, "; %.1f s, %.1f CPU s\n", clock_seconds() - s->start,
          json_real_value(json_object_get(report, "cpu_seconds")));
  if (json_array_size(buckets))
    fprintf(out, "failures in %zu bucket%s, and how to reproduce each:\n", json_array_size(buckets),
            json_array_size(buckets) == 1 ? "" : "s");
  json_array_foreach(buckets, i, bucket) print_bucket(out, bucket);
}

/* `report` is what the jobs gave; the rest says how they were run. `stale` is there where results
 * are not of what is there now: their jobs run again. */
static json_t *regress_to_json(const session_t *s, const json_t *report) {
  const regress_t *r = &s->regress;
  json_t *root = cli_json("regress", 1);
  json_object_update_new(root, json_pack("{s:s, s:s, s:I, s:I, s:s, s:s, s:I, s:s, s:b, s:f}", "suite", r->suite_name,
                                         "suite_sha", s->suite.sha, "seed", (json_int_t)s->suite.seed, "run",
                                         (json_int_t)r->run, "database", r->database, "engine", r->engine, "jobs",
                                         (json_int_t)r->slots, "state", r->done < r->count ? "stopped" : "done",
                                         "resumed", r->resumed, "seconds", clock_seconds() - s->start));
  if (r->stale)
    json_object_set_new(root, "stale", json_pack("{s:I, s:s}", "results", (json_int_t)r->stale, "first", r->why));
  json_object_update(root, (json_t *)report);
  return root;
}

/* ---- what the checks of a block compared together ---- */

/* Makes a tally in which everything was compared except the outputs in `never`: "name", or
 * "name[3]" for one bit. */
static void tally_without(tally_t *tally, const json_t *never) {
  char name[256];
  size_t i;
  json_t *one;
  tally->cycles = 1;
  for (unsigned v = 0; v < tally->num_valid; v++) tally->valid[v].seen = tally->valid[v].bits;
  json_array_foreach(never, i, one) {
    const char *text = json_string_value(one), *bracket = strchr(text, '[');
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "["), text);
    const int port = dut_find_port(tally->dut, name, false);
    tally_valid_t *v = port < 0 ? NULL : (tally_valid_t *)tally_valid(tally, (unsigned)port);
    if (v) v->seen &= bracket ? ~((uint64_t)1 << strtoul(bracket + 1, NULL, 10)) : 0;
  }
}

/* Removes from `never` the outputs that the tally no longer misses. */
static void keep_missing(const tally_t *tally, json_t *never) {
  char text[256];
  for (size_t i = json_array_size(never); i-- > 0;) {
    const char *one = json_string_value(json_array_get(never, i)), *bracket = strchr(one, '[');
    snprintf(text, sizeof text, "%.*s", (int)strcspn(one, "["), one);
    const int port = dut_find_port(tally->dut, text, false);
    const tally_valid_t *v = port < 0 ? NULL : tally_valid(tally, (unsigned)port);
    const uint64_t bits = bracket ? (uint64_t)1 << strtoul(bracket + 1, NULL, 10) : UINT64_MAX;
    if (v && !(tally_missing(v) & bits)) json_array_remove(never, i);
  }
}

/* For regress_union: removes from `never` those outputs of a block that its parameters switch off.
 * If the block cannot be built here, nothing is removed. */
static void drop_switched_off(void *context, const char *name, const char *params, const char *rtl, json_t *never) {
  const session_t *s = context;
  const places_t places = verbs_places();
  char path[BUILD_PATH];
  trouble_t trouble;
  block_t block;
  const dut_t *dut;
  tally_t tally;
  if (!block_find(&block, &places, name, params, &trouble) || (*rtl && !block_instead(&block, rtl, &trouble)) ||
      !block_object(&block, &places, "model", path, &trouble) || !dut_load(path, &dut, &trouble))
    return;
  if (tally_open(&tally, dut)) {
    tally_without(&tally, never);
    switched_off(&block, dut, &tally, s->cli->out);
    keep_missing(&tally, never);
  }
  tally_close(&tally);
}

/* The end of a run: the union of what was compared, the report, JUnit, JSON. */
static int finish_regress(session_t *s, const options_t *o) {
  regress_t *r = &s->regress;
  trouble_t trouble = {0};
  json_t *compared;
  unsigned not_passed;
  if (regress_union(r->results, r->run, r->done == r->count, drop_switched_off, s, &compared)) {
    json_decref(compared);
    return cli_trouble(results_trouble(r->results));
  }
  json_t *report = regress_report(r->results, r->run, r->folder, cli_command(), &not_passed);
  if (!report) return json_decref(compared), cli_trouble(results_trouble(r->results));
  json_object_set_new(report, "compared", compared);
  print_report(s, report);
  int code = not_passed ? EXIT_BROKEN : EXIT_HELD;
  if (r->done < r->count)
    code = cli_error(EXIT_ENV, "interrupted with %u of %u jobs done; --resume goes on", r->done, r->count);
  if (o->junit && !regress_junit(r->results, r->run, r->suite_name, cli_command(), o->junit, &trouble))
    code = cli_trouble(&trouble);
  json_t *root = regress_to_json(s, report);
  json_decref(report);
  return cli_finish(s->cli, root, (cli_exit_t)code);
}

/* --only failed, and nothing failed: no job runs, and the files that were asked for say so. JUnit
 * is of run 0, which is no run. */
static int nothing_failed(session_t *s, const options_t *o) {
  regress_t *r = &s->regress;
  trouble_t trouble = {0};
  unsigned not_passed;
  int code = EXIT_HELD;
  json_t *report = regress_report(r->results, r->run, r->folder, cli_command(), &not_passed);
  if (!report) return cli_trouble(results_trouble(r->results));
  fprintf(s->cli->out, "nothing failed in run %lld of %s\n", (long long)r->run, r->suite_name);
  if (o->junit && !regress_junit(r->results, 0, r->suite_name, cli_command(), o->junit, &trouble))
    code = cli_trouble(&trouble);
  json_t *root = regress_to_json(s, report);
  json_decref(report);
  return cli_finish(s->cli, root, (cli_exit_t)code);
}

/* One line: how many earlier results are stale, and why the first one is. */
static void say_stale(session_t *s) {
  const regress_t *r = &s->regress;
  if (!r->stale) return;
  fprintf(s->cli->out, "%u result%s of run %lld %s stale, and %s again (%s)\n", r->stale, r->stale == 1 ? "" : "s",
          (long long)r->last, r->stale == 1 ? "is" : "are", r->stale == 1 ? "its job runs" : "their jobs run", r->why);
  fflush(s->cli->out);
}

/* A run with the database open. 0 or the exit code after a line. */
static int with_database(session_t *s, const options_t *o) {
  regress_t *r = &s->regress;
  int code = regress_open(r);
  if (!code) code = regress_choose(r, &s->suite, reload_suite);
  if (!code) say_stale(s);
  if (!code && o->failed && !r->count) {
    code = nothing_failed(s, o);
    regress_close(r);
    return code;
  }
  if (!code && o->resume && !r->resumed)
    fprintf(stderr, "lockstack: %s has no run of %s yet: a new one starts\n", r->database, r->suite_name);
  if (!code) code = run_jobs(s);
  code = code ? cli_trouble(&r->trouble) : finish_regress(s, o);
  regress_close(r);
  return code;
}

/* --dry-run: the commands that would run. With --only and --resume these are not all of the
 * suite's. */
static int list_jobs(session_t *s) {
  regress_t *r = &s->regress;
  const int code = regress_plan(r, &s->suite, reload_suite);
  if (code) return cli_trouble(&r->trouble);
  json_t *root = cli_json("regress", 1), *commands = json_array();
  for (unsigned i = 0; i < r->count; i++) {
    if (r->jobs[i].outcome) continue;
    fprintf(s->cli->out, "%s %s\n", cli_command(), r->jobs[i].key);
    json_array_append_new(commands, json_string(r->jobs[i].key));
  }
  json_object_update_new(root, json_pack("{s:s, s:s, s:I, s:o}", "suite", s->regress.suite_name, "suite_sha",
                                         s->suite.sha, "seed", (json_int_t)s->suite.seed, "commands", commands));
  return cli_finish(s->cli, root, EXIT_HELD);
}

/* The database's whole path; NULL: its folder does not exist. The default folder is made; a missing
 * folder of --db may be a typing mistake, and stays missing. */
static char *database_path(const options_t *o) {
  const char *slash = strrchr(o->database, '/');
  char *folder = !o->database_given && !o->list && slash ? strndup(o->database, (size_t)(slash - o->database)) : NULL;
  if (folder) file_folder(folder);
  free(folder);
  char *whole = file_whole_path(o->database);
  return whole || !o->list ? whole : strdup(o->database);
}

static regress_mode_t run_mode(const options_t *o) {
  if (o->resume) return REGRESS_RESUME;
  return o->failed ? REGRESS_FAILED : REGRESS_NEW;
}

/* Reads the suite, then lists its jobs or runs them with the database open. */
static int regress(cli_t *cli, const options_t *o) {
  trouble_t trouble = {0};
  session_t s = {.cli = cli, .start = clock_seconds()};
  if (!suite_load(&s.suite, o->suite, o->seed_given ? &o->seed : NULL, regress_catalog(), &trouble))
    return cli_error((cli_exit_t)trouble.kind, "%s%s", trouble.text,
                     strncmp(trouble.text, "no suite '", 10) ? "" : names_nearest("regressions", o->suite));
  char *name = suite_name(o->suite), *database = database_path(o);
  json_t *provenance = cli_provenance();
  s.regress = (regress_t){.suite_name = name,
                          .database = database,
                          .program = process_self(),
                          .engine = o->engine,
                          .slots = (unsigned)o->jobs,
                          .mode = run_mode(o),
                          .provenance = provenance,
                          .interrupted = cli_is_interrupted,
                          .on_done = on_done,
                          .on_tick = on_tick,
                          .context = &s};
  int code;
  if (!database || !name) code = cli_error(EXIT_BAD, "%s: no such folder", o->database);
  else code = o->list ? list_jobs(&s) : with_database(&s, o);
  if (o->list) regress_close(&s.regress);
  json_decref(provenance);
  free(database);
  free(name);
  suite_free(&s.suite);
  return code;
}

/* A task of a Slurm array: Slurm says in the environment which one it is. */
static int run_task(const options_t *o) {
  trouble_t trouble = {0};
  const char *index = getenv("SLURM_ARRAY_TASK_ID");
  if (!index) return cli_error(EXIT_BAD, "--task: Slurm starts this");
  return slurm_task(o->task, (unsigned)strtoul(o->suite, NULL, 10), (unsigned)strtoul(index, NULL, 10), process_self(),
                    cli_is_interrupted, &trouble)
             ? 0
             : cli_trouble(&trouble);
}

static const struct argp argp = {
    argp_options,
    parse,
    "SUITE",
    "Runs a suite's jobs: every one is this command with other arguments, a process of its own for a limited time. "
    "Results go to one "
    "database as they come; what is killed goes on with --resume, nothing finished is lost or run twice. Failures are "
    "sorted by what "
    "failed, each with the command that reproduces it. SUITE is a name (`lockstack list suites`) or a path to a YAML "
    "file "
    "(harness/evidence/regress/README.md). Exit status 1: a job did not pass.\v"
    "Examples:\n  lockstack regress smoke --jobs 2\n  lockstack regress nightly --resume --junit nightly.xml\n"
    "  lockstack regress mine.yaml --only failed --db mine.db\n",
    NULL,
    NULL,
    NULL};

static int run(cli_t *cli, int argc, char **argv) {
  options_t o = {.database = cli_database(), .engine = "local"};
  int code = cli_parse(cli, &argp, argc, argv, &o);
  if (code) return code;
  if (o.task) return run_task(&o);
  if (!o.jobs && !strcmp(o.engine, "local")) o.jobs = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
  asked = &o;
  judged_unknown(); /* each job says it of its own */
  code = regress(cli, &o);
  return code;
}

const verb_t verb_regress = {"regress", "a suite of jobs: results in a database, resumable", run, &argp};
