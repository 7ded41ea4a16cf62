/* SPDX-License-Identifier: Apache-2.0
 *
 * A run's arguments are built in the order in which later settings win:
 *
 *   system, workload, --full, the small machine's settings, classes of the workload,
 *   the configuration, --set of the user
 */
#include "figure_runs.h"

#include "file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "content_json.h"
#include "one_line.h"
#include "regress.h"
#include "run_store.h"
#include "workload.h"

/* Seconds of a run. No real run reaches this limit. */
enum { LIMIT = 30 * 24 * 3600 };

/* ---- Which runs ------------------------------------------------------------------------------ */

/* False: no memory, or too many arguments. */
static bool add_argument(figure_run_t *run, const char *text) {
  unsigned n = 0;
  while (n < RUN_ARGUMENTS && run->argument[n]) n++;
  return n < RUN_ARGUMENTS && (run->argument[n] = strdup(text));
}

/* Adds "--set KEY=VALUE". Earlier settings of KEY get the same value, so that two configurations
 * that mean the same have equal arguments. */
static bool add_set(figure_run_t *run, const char *setting) {
  const size_t n = strcspn(setting, "=") + 1;
  for (unsigned i = 1; i < RUN_ARGUMENTS && run->argument[i]; i++) {
    if (strcmp(run->argument[i - 1], "--set") || strncmp(run->argument[i], setting, n) ||
        !strcmp(run->argument[i], setting))
      continue;
    char *other = strdup(setting);
    if (!other) return false;
    free(run->argument[i]);
    run->argument[i] = other;
  }
  return add_argument(run, "--set") && add_argument(run, setting);
}

/* The user's settings are for the system's machine. Another machine (system->whole) takes only
 * these. */
static bool is_everybodys(const char *setting) {
  return !strncmp(setting, "workload.", 9) || !strncmp(setting, "system.", 7);
}

/* "run SYSTEM WORKLOAD" and its settings. */
static bool add_simulation(const figure_runs_t *runs, const figure_configuration_t *c, figure_run_t *run) {
  const bool named = !strpbrk(c->system, "/.");
  bool ok = add_argument(run, "run") && add_argument(run, named ? c->system : runs->place(c->system)) &&
            add_argument(run, runs->system->workloads[run->workload]);
  if (!runs->small) ok = ok && add_argument(run, "--full");
  const bool second = runs->system->second_sizes && run->configuration >= runs->system->second_sizes;
  figure_scale_t scale = second ? FIGURE_SECOND_SIZE : FIGURE_FULL_SCALE;
  if (runs->small) scale = FIGURE_SMALL_SCALE;
  const bool whole = runs->system->whole && !strcmp(c->system, runs->system->whole);
  for (unsigned i = 0; runs->small && !whole && i < FIGURES_SETTINGS && runs->system->small[i]; i++)
    ok = ok && add_set(run, runs->system->small[i]);
  for (const figure_small_t *of = runs->small ? runs->system->small_of : NULL; of && of->system; of++)
    if (!strcmp(of->system, c->system)) ok = ok && add_set(run, of->set);
  for (const figure_class_t *of = runs->system->classes; of && of->workloads; of++)
    for (unsigned i = 0;
         figure_in_class(of, runs->system->workloads[run->workload], scale) && i < FIGURES_SETTINGS && of->set[i]; i++)
      ok = ok && add_set(run, of->set[i]);
  for (unsigned i = 0; i < FIGURES_SETTINGS && c->set[i]; i++) ok = ok && add_set(run, c->set[i]);
  for (unsigned i = 0; i < runs->sets; i++)
    ok = ok && (whole && !is_everybodys(runs->set[i]) ? true : add_set(run, runs->set[i]));
  return ok;
}

/* "offload --rule RULE FILE": the workload's PTX, or one that the configuration names. False:
 * there is no PTX. */
static bool add_compilation(const figure_runs_t *runs, const figure_configuration_t *c, figure_run_t *run) {
  const workload_t *w = workload_find(runs->system->workloads[run->workload]);
  const char *ptx = c->set[0];
  if (!ptx && w) ptx = w->ptx_file;
  return ptx && add_argument(run, "offload") && add_argument(run, "--rule") && add_argument(run, runs->system->rule) &&
         add_argument(run, runs->place(ptx));
}

static bool add_arguments(const figure_runs_t *runs, const figure_configuration_t *c, figure_run_t *run) {
  switch (c->source) {
  case FIGURE_SIMULATION: return add_simulation(runs, c, run);
  case FIGURE_COMPILATION: return add_compilation(runs, c, run);
  default: return add_argument(run, "offload") && add_argument(run, "--targets") && add_argument(run, c->set[0]);
  }
}

/* Does a wanted figure read this configuration's result of this workload? */
static bool is_needed(const figure_runs_t *runs, unsigned workload, unsigned configuration) {
  const figure_system_t *s = runs->system;
  for (unsigned f = 0; f < s->num_figures; f++)
    if (runs->figure[f] && figure_needs(&s->figures[f], configuration) &&
        figure_has(&s->figures[f], s->workloads[workload]))
      return true;
  return false;
}

/* All arguments count, also their order. */
static bool same_arguments(const figure_run_t *one, const figure_run_t *other) {
  unsigned i = 0;
  while (one->argument[i] && other->argument[i] && !strcmp(one->argument[i], other->argument[i])) i++;
  return !one->argument[i] && !other->argument[i];
}

static void free_run(figure_run_t *run) {
  for (unsigned k = 0; run->argument[k]; k++) free(run->argument[k]);
  free(run->error);
}

/* The run with the arguments of the newest one. If an earlier run has them, the newest one goes. */
static const figure_run_t *share_run(figure_runs_t *runs) {
  figure_run_t *last = &runs->run[runs->count];
  for (unsigned i = 0; i < runs->count; i++)
    if (same_arguments(&runs->run[i], last)) {
      free_run(last);
      return &runs->run[i];
    }
  runs->count++;
  return last;
}

/* A run is made only if a wanted figure reads its result. `of` then says which run gives the
 * result of each workload and configuration. */
bool figure_runs_plan(figure_runs_t *runs) {
  const figure_system_t *s = runs->system;
  bool ok = true;
  for (unsigned w = 0; w < s->num_workloads; w++)
    for (unsigned c = 0; c < s->num_configurations; c++) {
      if (!runs->workload[w] || !is_needed(runs, w, c)) continue;
      figure_run_t *run = &runs->run[runs->count];
      *run = (figure_run_t){.workload = w, .configuration = c};
      ok = ok && add_argument(run, "lockstack") && add_arguments(runs, &s->configurations[c], run) &&
           add_argument(run, "--json") && add_argument(run, "-");
      runs->of[w * s->num_configurations + c] = share_run(runs);
    }
  return ok;
}

/* A shell takes the word as it is, without quotes. */
static bool is_plain_word(const char *text) {
  return *text &&
         strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,/:@%") == strlen(text);
}

/* Quotes words as a shell needs it, so that a user can paste the line. */
char *figure_run_command(const figure_run_t *run) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  for (unsigned i = 0; run->argument[i]; i++) {
    fputs(i ? " " : "", out);
    if (is_plain_word(run->argument[i])) {
      fputs(run->argument[i], out);
      continue;
    }
    fputc('\'', out);
    for (const char *p = run->argument[i]; *p; p++)
      if (*p == '\'') fputs("'\\''", out);
      else fputc(*p, out);
    fputc('\'', out);
  }
  fclose(out);
  return text;
}

/* ---- What came of one ------------------------------------------------------------------------ */

static char *format_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* NULL: no memory. The caller frees the text. */
static char *format_text(const char *format, ...) {
  char *text;
  va_list args;
  va_start(args, format);
  int n = vasprintf(&text, format, args);
  va_end(args);
  return n < 0 ? NULL : text;
}

/* A simulation counts only when its memory equals the reference and no block diverged. A wrong
 * machine can be as fast as the paper's. */
char *figure_run_wrong(figure_source_t source, const json_t *result) {
  if (source == FIGURE_COMPILATION) {
    json_t *refused = json_array_get(json_object_get(result, "refused"), 0);
    if (!refused) return NULL;
    const char *why = json_string_value(json_object_get(refused, "text"));
    return format_text("a kernel cannot be compiled: %s", why ? why : "no reason given");
  }
  if (source == FIGURE_TARGETS) return json_object_get(result, "targets") ? NULL : format_text("no targets in it");
  const json_t *lockstep = json_object_get(result, "lockstep");
  json_int_t diverged = json_integer_value(json_object_get(lockstep, "divergences"));
  if (!json_is_true(json_object_get(result, "result_ok")))
    return format_text("memory does not equal the host reference");
  return diverged ? format_text("%lld divergences", (long long)diverged) : NULL;
}

/* Why an ended job has no usable result; NULL: it has one. */
static char *why_failed(figure_source_t source, const results_job_t *job, const json_t *result) {
  const int status = job->exit_code;
  char *wrong = result ? figure_run_wrong(source, result) : NULL;
  if (wrong || (!status && result)) return wrong;
  size_t length;
  const char *line = last_line(job->output ? job->output : "", &length);
  if (!length) line = "no word why", length = strlen(line);
  if (status > 128) return format_text("ended by signal %d (%s)", status - 128, strsignal(status - 128));
  if (!status) return format_text("it wrote no JSON: %.*s", (int)length, line);
  return format_text("exit status %d: %.*s", status, (int)length, line);
}

/* Sets the result for all workloads and configurations that share the run. Takes the reference. */
static void set_result(figure_runs_t *runs, const figure_run_t *run, json_t *result) {
  for (unsigned i = 0; i < RUNS_MAX; i++)
    if (runs->of[i] == run) runs->result[i] = json_incref(result);
  json_decref(result);
}

static void end_figure_run(figure_runs_t *runs, figure_run_t *run, run_state_t state) {
  run->state = state;
  runs->done++;
  if (runs->ended) runs->ended(runs, run);
}

static void add_row(figure_runs_t *runs, const figure_run_t *run, const json_t *result) {
  if (runs->rows) run_rows_add(runs->rows, runs, run, result, &runs->trouble);
}

/* Judges and stores the result of a job. A result that cannot be stored still counts. */
static void finish_run(figure_runs_t *runs, figure_run_t *run, const results_job_t *job) {
  json_t *result = job->result ? json_loads(job->result, 0, NULL) : NULL;
  content_judged_too(result);
  run->seconds = job->seconds;
  run->error = why_failed(runs->system->configurations[run->configuration].source, job, result);
  if (run->error) {
    json_decref(result);
    end_figure_run(runs, run, RUN_FAILED);
    return;
  }
  if (!run_store_write(runs, run, result))
    trouble_set(&runs->trouble, TROUBLE_ENVIRONMENT, "%s: %s", runs->folder, strerror(errno));
  add_row(runs, run, result);
  set_result(runs, run, result);
  end_figure_run(runs, run, RUN_MADE);
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* Results on disk of this program and these arguments. */
static void take_stored(figure_runs_t *runs) {
  for (unsigned i = 0; i < runs->count; i++) {
    figure_run_t *run = &runs->run[i];
    json_t *result = run_store_read(runs, run);
    char *wrong = result ? figure_run_wrong(runs->system->configurations[run->configuration].source, result) : NULL;
    if (result && !wrong) {
      content_judged_too(result);
      add_row(runs, run, result);
      set_result(runs, run, result);
      end_figure_run(runs, run, RUN_KEPT);
    } else {
      json_decref(result);
    }
    free(wrong);
  }
}

/* Results that are rows of a CSV file; these have only what figures read. */
static void take_rows(figure_runs_t *runs) {
  for (unsigned i = 0; i < runs->count; i++) {
    figure_run_t *run = &runs->run[i];
    json_t *result = run->state == RUN_TO_DO ? run_rows_result(runs->rows, runs, run) : NULL;
    if (!result) continue;
    set_result(runs, run, result);
    end_figure_run(runs, run, RUN_KEPT);
  }
}

/* ---- The queue: a regression of runs that have no result yet --------------------------------- */

typedef struct {
  figure_runs_t *runs;
  figure_run_t *run[RUNS_MAX]; /* by position of the job */
  suite_job_t job[RUNS_MAX];
  suite_t suite;
} queue_t;

static const volatile sig_atomic_t *stop; /* regress.h's `interrupted` has no context */

static bool interrupted(void) {
  return stop && *stop;
}

static void on_done(void *context, const plan_job_t *job, const results_job_t *result) {
  const queue_t *q = context;
  finish_run(q->runs, q->run[job->position], result);
}

static void on_tick(void *context, unsigned done) {
  const queue_t *q = context;
  (void)done;
  if (q->runs->tick) q->runs->tick(q->runs);
}

/* Adds the run's words without the program in front and "--json -" behind: the queue writes JSON
 * to a file. */
static bool add_job(queue_t *q, figure_run_t *run) {
  suite_job_t *job = &q->job[q->suite.count];
  json_t *args = json_array();
  for (unsigned i = 1; run->argument[i] && strcmp(run->argument[i], "--json"); i++)
    json_array_append_new(args, json_string(run->argument[i]));
  *job = (suite_job_t){.key = suite_command(args),
                       .verb = run->argument[1],
                       .args = args,
                       .limit = LIMIT,
                       .subject = format_text("%s %s", run->argument[2], run->argument[3])};
  q->run[q->suite.count++] = run;
  return job->key && job->subject;
}

/* Runs the jobs in a database of their own, FOLDER/queue.db. Not 0: trouble says why. */
static int run_queue(figure_runs_t *runs, queue_t *q, const char *folder) {
  char database[4200];
  snprintf(database, sizeof database, "%.4000s/queue.db", folder);
  regress_t r = {.suite_name = "reproduce",
                 .database = database,
                 .program = runs->program,
                 .engine = runs->engine,
                 .slots = runs->jobs,
                 .provenance = runs->identity,
                 .interrupted = interrupted,
                 .on_done = on_done,
                 .on_tick = on_tick,
                 .context = q};
  int code = regress_open(&r);
  if (!code) code = regress_choose(&r, &q->suite, NULL);
  if (!code) code = regress_run(&r);
  if (code) trouble_set(&runs->trouble, TROUBLE_ENVIRONMENT, "%s", r.trouble.text);
  regress_close(&r);
  return code;
}

/* Compilations are quick, so no_runs does not keep them from being made. */
static bool to_be_made(const figure_runs_t *runs, const figure_run_t *run) {
  return run->state == RUN_TO_DO &&
         !(runs->no_runs && runs->system->configurations[run->configuration].source == FIGURE_SIMULATION);
}

/* Three sources, the best first: a stored result is whole, a row has only what figures read, and
 * the rest is run. If the queue fails, the results so far stay. */
void figure_runs_make(figure_runs_t *runs) {
  queue_t *q = calloc(1, sizeof *q);
  bool good = q != NULL;
  if (runs->resume) take_stored(runs);
  if (runs->rows) take_rows(runs);
  if (good) *q = (queue_t){.runs = runs, .suite = {.jobs = q->job, .sha = "reproduce"}};
  stop = runs->interrupted;
  for (unsigned i = 0; good && i < runs->count; i++)
    if (to_be_made(runs, &runs->run[i])) good = add_job(q, &runs->run[i]);
  char *folder = good && q->suite.count && file_folder(runs->folder) ? realpath(runs->folder, NULL) : NULL;
  if (folder) run_queue(runs, q, folder);
  else if (!good || q->suite.count)
    trouble_set(&runs->trouble, TROUBLE_ENVIRONMENT, "%s: %s", runs->folder, good ? strerror(errno) : "out of memory");
  for (unsigned i = 0; q && i < q->suite.count; i++)
    free(q->job[i].key), free(q->job[i].subject), json_decref(q->job[i].args);
  free(folder);
  free(q);
}

/* The rows belong to the caller. */
void figure_runs_free(figure_runs_t *runs) {
  for (unsigned i = 0; i < runs->count; i++) free_run(&runs->run[i]);
  for (unsigned i = 0; i < RUNS_MAX; i++) json_decref(runs->result[i]);
  json_decref(runs->identity);
  memset(runs->result, 0, sizeof runs->result);
  memset(runs->of, 0, sizeof runs->of);
  runs->identity = NULL;
  runs->count = 0;
}
