/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstack sweep: a command of another verb over the cross product of settings and seeds, through
 * the queue of regressions.
 *
 *   sweep_arguments --> check_points: each point once, as a dry run; the metrics
 *      --> run_queue: earlier results (--resume), then jobs --> finish_sweep: table, files, JSON
 */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "content_json.h"
#include "file.h"
#include "one_line.h"
#include "process.h"
#include "progress.h"
#include "regress.h"
#include "regress_catalog.h"
#include "sweep_arguments.h"
#include "sweep_check.h"
#include "sweep_plot.h"
#include "sweep_report.h"

enum { LIMIT = 30 * 24 * 3600 /* seconds of a run: none is over it */ };

/* ---- the checks, before any run ---- */

/* Adds a metric, as `like` (a dry run's JSON) has its keys. 0, or an exit code after a line. */
static int add_metric(sweep_t *s, const char *text, const json_t *like) {
  trouble_t trouble = {0};
  if (s->metrics == SWEEP_METRICS) return cli_error(EXIT_BAD, "--metric: at most %d", SWEEP_METRICS);
  if (!sweep_metric(&s->metric[s->metrics++], text, like, &trouble))
    return cli_error((cli_exit_t)trouble.kind, "--metric: %s", trouble.text);
  for (unsigned i = 0; i + 1 < s->metrics; i++)
    if (!strcmp(s->metric[i].name, text)) return cli_error(EXIT_BAD, "--metric: %s is there twice", text);
  return 0;
}

/* The metrics of --metric, or those that are usual for the verb. */
static int choose_metrics(sweep_arguments_t *a, const json_t *like) {
  int code = 0;
  for (unsigned i = 0; i < a->metrics && !code; i++) code = add_metric(&a->sweep, a->metric[i], like);
  for (unsigned i = 0; !a->metrics && !code && sweep_metric_usual(like, i); i++)
    code = add_metric(&a->sweep, sweep_metric_usual(like, i), like);
  return code;
}

/* A run has to have one result: a range inside the swept command would hide which result is
 * meant. */
static int check_result(const sweep_run_t *run, const json_t *like) {
  const json_t *results = json_object_get(like, "results");
  if (!results || json_integer_value(results) == 1) return 0;
  return cli_error(EXIT_BAD, "'%s' has %lld results; one a run would be right, what differs is to be --over", run->key,
                   (long long)json_integer_value(results));
}

/* Checks a point: its command, its one result, and that every metric is in it. The first point also
 * chooses the metrics. */
static int check_point(sweep_arguments_t *a, const sweep_run_t *run) {
  sweep_t *s = &a->sweep;
  trouble_t trouble = {0};
  json_t *like;
  int code = sweep_check(a->verb, run->args, &like, &trouble)
                 ? check_result(run, like)
                 : cli_error((cli_exit_t)trouble.kind, "'%s': %s", run->key, trouble.text);
  if (!code && !s->metrics) code = choose_metrics(a, like);
  for (unsigned m = 0; m < s->metrics && !code; m++)
    if (!sweep_metric_there(&s->metric[m], like, &trouble))
      code = cli_error((cli_exit_t)trouble.kind, "--metric: '%s': %s", run->key, trouble.text);
  json_decref(like);
  return code;
}

/* Checks the first seed of each point; other seeds differ in nothing that is checked. */
static int check_points(sweep_arguments_t *a) {
  sweep_t *s = &a->sweep;
  const unsigned seeds = s->runs / s->points;
  progress_t progress;
  int code = 0;
  progress_start(&progress, "sweep", "points checked", s->points);
  for (unsigned p = 0; p < s->points && !code; p++) {
    progress_update(&progress, p);
    code =
        cli_interrupted ? cli_error(EXIT_ENV, "interrupted before the first run") : check_point(a, &s->run[p * seeds]);
  }
  progress_end(&progress);
  return code;
}

/* Refuses a place for the picture that cannot be written, before the first run. */
static int check_places(const sweep_arguments_t *a) {
  trouble_t trouble;
  return a->plot && !sweep_plot_check(&a->sweep, &trouble) ? cli_trouble(&trouble) : 0;
}

/* ---- the queue ---- */

/* A sweep's runs are jobs of a suite that is made in memory; regress.h runs them. */
typedef struct {
  cli_t *cli;
  sweep_arguments_t *arguments;
  sweep_t *sweep;
  regress_t regress;
  suite_t suite;
  sweep_run_t **run; /* by the job's position */
  progress_t progress;
  double start;
} session_t;

static void on_tick(void *context, unsigned done) {
  session_t *s = context;
  progress_update(&s->progress, done);
}

/* A run ended: takes its result. A failed run gets the last line of its output as its error. */
static void on_done(void *context, const plan_job_t *job, const results_job_t *result) {
  session_t *s = context;
  sweep_run_t *run = s->run[job->position];
  json_t *json = result->result ? json_loads(result->result, 0, NULL) : NULL;
  const bool good = json && !strcmp(result->outcome, "PASS");
  run->seconds = result->seconds;
  content_judged_too(json);
  sweep_take(s->sweep, run, good ? SWEEP_MADE : SWEEP_FAILED, json);
  if (!good) {
    size_t length = 0;
    const char *line = last_line(result->output ? result->output : "", &length);
    if (asprintf(&run->error, "%s%s%.*s", result->outcome, length ? ": " : "", (int)length, line) < 0)
      run->error = NULL;
    progress_end(&s->progress);
    fprintf(stderr, "sweep: FAILED: %s: %s\n", run->key, run->error ? run->error : "");
  }
  json_decref(json);
  on_tick(context, s->regress.done);
}

/* For --resume: takes an earlier result of the same command with the same program, if what it was
 * judged on is unchanged. Returns true to go on. */
static bool take_passed(void *context, const results_job_t *job) {
  session_t *s = context;
  for (unsigned i = 0; i < s->sweep->runs; i++) {
    sweep_run_t *run = &s->sweep->run[i];
    const bool wanted = run->state == SWEEP_NOT_RUN && !strcmp(run->key, job->key) && job->result;
    json_t *json =
        wanted && regress_is_now(&s->regress, job->key, job->result) ? json_loads(job->result, 0, NULL) : NULL;
    if (json) content_judged_too(json), sweep_take(s->sweep, run, SWEEP_KEPT, json), run->seconds = job->seconds;
    json_decref(json);
  }
  return true;
}

/* The arguments of a run before its first option, as one text, to be freed: what the database calls
 * its subject. */
static char *subject_of(const sweep_run_t *run) {
  json_t *words = json_array();
  for (size_t i = 1; i < json_array_size(run->args) && *json_string_value(json_array_get(run->args, i)) != '-'; i++)
    json_array_append(words, json_array_get(run->args, i));
  char *text = suite_command(words);
  json_decref(words);
  return text;
}

/* Makes a suite of the runs that have no result. False: out of memory. */
static bool plan_queue(session_t *s) {
  const sweep_t *sweep = s->sweep;
  suite_t *suite = &s->suite;
  *suite = (suite_t){.jobs = calloc(sweep->runs, sizeof *suite->jobs), .help = strdup(""), .sha = "sweep"};
  s->run = calloc(sweep->runs, sizeof *s->run);
  for (unsigned i = 0; suite->jobs && s->run && i < sweep->runs; i++) {
    sweep_run_t *run = &sweep->run[i];
    if (run->state != SWEEP_NOT_RUN) continue;
    s->run[suite->count] = run;
    suite->jobs[suite->count++] = (suite_job_t){.key = strdup(run->key),
                                                .verb = strdup(sweep->verb),
                                                .subject = subject_of(run),
                                                .args = json_incref(run->args),
                                                .limit = LIMIT};
  }
  return suite->jobs && s->run;
}

/* Fills in earlier results, then runs the rest. 0, or an exit code after a line. */
static int run_queue(session_t *s) {
  regress_t *r = &s->regress;
  int code = s->arguments->resume ? regress_passed(r, take_passed, s) : 0;
  if (s->regress.stale) fprintf(s->cli->out, "%u earlier results are stale (%s)\n", s->regress.stale, s->regress.why);
  if (!code && !plan_queue(s)) return cli_error(EXIT_ENV, "out of memory");
  if (!code && s->suite.count) code = regress_choose(r, &s->suite, NULL);
  progress_start(&s->progress, "sweep", "runs", s->suite.count);
  if (!code && s->suite.count) code = regress_run(r);
  progress_end(&s->progress);
  return code ? cli_trouble(&r->trouble) : 0;
}

/* The same with the database open. */
static int make_runs(session_t *s) {
  regress_t *r = &s->regress;
  int code = regress_open(r);
  code = code ? cli_trouble(&r->trouble) : run_queue(s);
  regress_close(r);
  suite_free(&s->suite);
  free(s->run);
  return code;
}

/* ---- what came out ---- */

/* --csv: a row a run. */
static int write_csv(const sweep_t *s, const char *path) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out) return cli_error(EXIT_ENV, "out of memory");
  sweep_csv(s, out);
  fclose(out);
  const int code = cli_write_text(path, text, size);
  free(text);
  return code;
}

/* The sweep's points and results, then where and how they were made. */
static json_t *sweep_to_json(const session_t *s) {
  const sweep_arguments_t *a = s->arguments;
  json_t *root = cli_json("sweep", 1);
  sweep_json(s->sweep, root);
  json_object_set_new(root, "database", json_string(s->regress.database));
  json_object_set_new(root, "queue", json_string(a->queue));
  json_object_set_new(root, "jobs", json_integer(s->regress.slots));
  json_object_set_new(root, "seconds", json_real(clock_seconds() - s->start));
  return root;
}

/* The last line of the report. */
static void print_counts(const session_t *s) {
  const sweep_t *sweep = s->sweep;
  const unsigned kept = sweep_count(sweep, SWEEP_KEPT), failed = sweep_count(sweep, SWEEP_FAILED),
                 missing = sweep_count(sweep, SWEEP_NOT_RUN);
  fprintf(s->cli->out, "%u point%s, %u run%s", sweep->points, sweep->points == 1 ? "" : "s", sweep->runs,
          sweep->runs == 1 ? "" : "s");
  if (kept) fprintf(s->cli->out, ", %u of earlier", kept);
  if (failed) fprintf(s->cli->out, ", %u failed", failed);
  if (missing) fprintf(s->cli->out, ", %u not made", missing);
  fprintf(s->cli->out, "; %.1f s; results in %s\n", clock_seconds() - s->start, s->arguments->database);
}

/* The end. A later reason outweighs an earlier one: failed runs, a CSV or plot that cannot be
 * written, Ctrl-C. */
static int finish_sweep(session_t *s, int code) {
  const sweep_arguments_t *a = s->arguments;
  trouble_t trouble;
  sweep_print(s->sweep, cli_command(), s->cli->out);
  print_counts(s);
  if (sweep_count(s->sweep, SWEEP_FAILED)) code = EXIT_BROKEN;
  if (a->csv) code = write_csv(s->sweep, a->csv) ? EXIT_ENV : code;
  if (a->plot && !sweep_plot(s->sweep, a->plot, &trouble)) code = cli_trouble(&trouble);
  if (cli_interrupted)
    code = cli_error(EXIT_ENV, "interrupted; what is known until then was reported, and --resume goes on");
  return cli_finish(s->cli, sweep_to_json(s), (cli_exit_t)code);
}

/* --dry-run: the commands of all runs. */
static int list_runs(session_t *s) {
  json_t *root = cli_json("sweep", 1), *commands = json_array();
  for (unsigned i = 0; i < s->sweep->runs; i++) {
    fprintf(s->cli->out, "%s %s\n", cli_command(), s->sweep->run[i].key);
    json_array_append_new(commands, json_string(s->sweep->run[i].key));
  }
  json_object_set_new(root, "commands", commands);
  return cli_finish(s->cli, root, EXIT_HELD);
}

/* Where add_choice puts a value: the text and the JSON array. */
typedef struct {
  FILE *out;
  json_t *list;
} choices_t;

/* A value that a --metric can read, as a line and as JSON. */
static void add_choice(void *context, const char *name, const char *unit, const char *text) {
  const choices_t *c = context;
  const bool said = strcmp(unit, text) == 0;
  fprintf(c->out, "%-36s %s%s%s\n", name, text, *text && *unit && !said ? ", " : "", said ? "" : unit);
  json_array_append_new(c->list, json_pack("{s:s, s:s, s:s}", "name", name, "unit", unit, "text", text));
}

/* --metrics: the values in the result of the first point. */
static int list_metrics(session_t *s) {
  trouble_t trouble = {0};
  json_t *like;
  const sweep_run_t *run = &s->sweep->run[0];
  if (!sweep_check(s->arguments->verb, run->args, &like, &trouble))
    return cli_error((cli_exit_t)trouble.kind, "'%s': %s", run->key, trouble.text);
  const choices_t choices = {s->cli->out, json_array()};
  sweep_metric_each(like, add_choice, (void *)&choices);
  json_decref(like);
  json_t *root = cli_json("sweep", 1);
  json_object_set_new(root, "choices", choices.list);
  return cli_finish(s->cli, root, EXIT_HELD);
}

/* ---- all ---- */

/* Makes the database's folder, and its path absolute. 0, or an exit code after a line; *whole is to
 * be freed. */
static int place_database(const char *path, char **whole) {
  const char *slash = strrchr(path, '/');
  char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
  *whole = folder && file_folder(folder) ? file_whole_path(path) : NULL;
  free(folder);
  return *whole ? 0 : cli_error(EXIT_BAD, "--db: %s: %s", path, strerror(errno));
}

/* Runs what the database does not have yet, and reports all. 0, or an exit code after a line. */
static int run_sweep(session_t *s) {
  const sweep_arguments_t *a = s->arguments;
  char *database = NULL, *name = NULL;
  int code = place_database(a->database, &database);
  if (code) return code;
  json_t *provenance = cli_provenance();
  if (asprintf(&name, "sweep %s", s->sweep->verb) < 0) name = NULL;
  s->regress = (regress_t){.suite_name = name,
                           .database = database,
                           .program = process_self(),
                           .engine = a->queue,
                           .slots = (unsigned)a->jobs,
                           .provenance = provenance,
                           .interrupted = cli_is_interrupted,
                           .on_done = on_done,
                           .on_tick = on_tick,
                           .context = s};
  code = make_runs(s);
  code = finish_sweep(s, code);
  json_decref(provenance);
  free(database);
  free(name);
  return code;
}

static int run(cli_t *cli, int argc, char **argv) {
  static sweep_arguments_t arguments;
  session_t s = {.cli = cli, .arguments = &arguments, .sweep = &arguments.sweep, .start = clock_seconds()};
  int code = sweep_arguments(cli, argc, argv, &arguments);
  if (!code && arguments.list_metrics) code = list_metrics(&s);
  else if (!code) {
    code = check_places(&arguments);
    if (!code) code = check_points(&arguments);
    if (!code) code = arguments.dry ? list_runs(&s) : run_sweep(&s);
  }
  sweep_free(&arguments.sweep);
  return code;
}

const verb_t verb_sweep = {"sweep", "a command over the cross product of settings and seeds", run, &sweep_argp};
