/* SPDX-License-Identifier: Apache-2.0
 *
 * Children are polled, not waited for, so that progress and Ctrl-C go on meanwhile.
 */
#include "figure_runs.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "child.h"
#include "run_store.h"
#include "workload.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- Which runs ------------------------------------------------------------------------------------------------------- */

static bool add(figure_run_t *run, const char *text) {
  unsigned n = 0;
  while (n < RUN_ARGUMENTS && run->argument[n]) n++;
  return n < RUN_ARGUMENTS && (run->argument[n] = strdup(text));
}

static bool add_set(figure_run_t *run, const char *setting) { return add(run, "--set") && add(run, setting); }

static bool add_simulation(const figure_runs_t *runs, const figure_configuration_t *c, figure_run_t *run) {
  bool ok = add(run, "run") && add(run, c->system) && add(run, runs->system->workloads[run->workload]);
  if (!runs->small) ok = ok && add(run, "--full");
  for (unsigned i = 0; runs->small && i < FIGURES_SETTINGS && runs->system->small[i]; i++) ok = ok && add_set(run, runs->system->small[i]);
  for (unsigned i = 0; i < FIGURES_SETTINGS && c->set[i]; i++) ok = ok && add_set(run, c->set[i]);
  for (unsigned i = 0; i < runs->sets; i++) ok = ok && add_set(run, runs->set[i]);
  return ok;
}

static bool add_compilation(const figure_runs_t *runs, figure_run_t *run) {
  const workload_t *w = workload_find(runs->system->workloads[run->workload]);
  return w && add(run, "offload") && add(run, "--rule") && add(run, runs->system->rule) && add(run, runs->place(w->ptx_file));
}

static bool needed(const figure_runs_t *runs, unsigned workload, unsigned configuration) {
  const figure_system_t *s = runs->system;
  for (unsigned f = 0; f < s->num_figures; f++)
    if (runs->figure[f] && figure_needs(&s->figures[f], configuration) && figure_has(&s->figures[f], s->workloads[workload])) return true;
  return false;
}

static bool same_arguments(const figure_run_t *one, const figure_run_t *other) {
  unsigned i = 0;
  while (one->argument[i] && other->argument[i] && !strcmp(one->argument[i], other->argument[i])) i++;
  return !one->argument[i] && !other->argument[i];
}

static void forget(figure_run_t *run) {
  for (unsigned k = 0; run->argument[k]; k++) free(run->argument[k]);
  free(run->error);
}

/* The run with these arguments that is there already; else this, the last one, is a new one. */
static const figure_run_t *shared(figure_runs_t *runs) {
  figure_run_t *last = &runs->run[runs->count];
  for (unsigned i = 0; i < runs->count; i++)
    if (same_arguments(&runs->run[i], last)) {
      forget(last);
      return &runs->run[i];
    }
  runs->count++;
  return last;
}

bool figure_runs_plan(figure_runs_t *runs) {
  const figure_system_t *s = runs->system;
  bool ok = true;
  for (unsigned w = 0; w < s->num_workloads; w++)
    for (unsigned c = 0; c < s->num_configurations; c++) {
      if (!runs->workload[w] || !needed(runs, w, c)) continue;
      figure_run_t *run = &runs->run[runs->count];
      *run = (figure_run_t){.workload = w, .configuration = c};
      ok = ok && add(run, "lockstack");
      if (s->configurations[c].source == FIGURE_SIMULATION) ok = ok && add_simulation(runs, &s->configurations[c], run);
      else ok = ok && add_compilation(runs, run);
      ok = ok && add(run, "--json") && add(run, "-");
      runs->of[w * s->num_configurations + c] = shared(runs);
    }
  return ok;
}

static bool plain(const char *text) {
  return *text && strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,/:@%") == strlen(text);
}

char *figure_run_command(const figure_run_t *run) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  for (unsigned i = 0; run->argument[i]; i++) {
    fputs(i ? " " : "", out);
    if (plain(run->argument[i])) {
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

/* ---- What came of one ------------------------------------------------------------------------------------------------- */

static char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *text_of(const char *format, ...) {
  char *text;
  va_list args;
  va_start(args, format);
  int n = vasprintf(&text, format, args);
  va_end(args);
  return n < 0 ? NULL : text;
}

char *figure_run_wrong(figure_source_t source, const json_t *result) {
  if (source == FIGURE_COMPILATION) {
    json_t *refused = json_array_get(json_object_get(result, "refused"), 0);
    if (!refused) return NULL;
    const char *why = json_string_value(json_object_get(refused, "text"));
    return text_of("a kernel cannot be compiled: %s", why ? why : "no reason given");
  }
  const json_t *lockstep = json_object_get(result, "lockstep");
  json_int_t diverged = json_integer_value(json_object_get(lockstep, "divergences"));
  if (!json_is_true(json_object_get(result, "result_ok"))) return text_of("memory does not equal the host reference");
  return diverged ? text_of("%lld divergences", (long long)diverged) : NULL;
}

/* Why a child that ended with `status` has no result that can be used; NULL: it has. */
static char *failure(figure_source_t source, int status, const json_t *result, const json_error_t *json, child_t *child) {
  char *wrong = result ? figure_run_wrong(source, result) : NULL;
  if (wrong || (!status && result)) return wrong;
  char *errors = child_text(child->err);
  const char *line = errors ? child_last_line(errors) : "";
  if (status > 128) wrong = text_of("ended by signal %d (%s)", status - 128, strsignal(status - 128));
  else if (!status) wrong = text_of("its result is no JSON: %s", json->text);
  else wrong = text_of("exit status %d: %s", status, *line ? line : "no word why");
  free(errors);
  return wrong;
}

static bool stopping(const figure_runs_t *runs) { return runs->interrupted && *runs->interrupted; }

/* For all workloads and configurations that share the run; takes the result over. */
static void set_result(figure_runs_t *runs, const figure_run_t *run, json_t *result) {
  for (unsigned i = 0; i < RUNS_MAX; i++)
    if (runs->of[i] == run) runs->result[i] = json_incref(result);
  json_decref(result);
}

static void ended(figure_runs_t *runs, figure_run_t *run, run_state_t state) {
  run->state = state;
  runs->done++;
  if (runs->ended) runs->ended(runs, run);
}

static void finish(figure_runs_t *runs, figure_run_t *run, child_t *child, int status) {
  json_error_t json = {.text = ""};
  char *text = child_text(child->out);
  json_t *result = text && *text ? json_loads(text, 0, &json) : NULL;
  free(text);
  run->error = failure(runs->system->configurations[run->configuration].source, status, result, &json, child);
  child_free(child);
  if (!run->error) {
    if (!run_store_write(runs, run, result)) snprintf(runs->error, sizeof runs->error, "%s: %s", runs->folder, strerror(errno));
    set_result(runs, run, result);
    ended(runs, run, RUN_MADE);
    return;
  }
  json_decref(result);
  if (!stopping(runs)) {
    ended(runs, run, RUN_FAILED);
    return;
  }
  run->state = RUN_TO_DO; /* it was told to stop */
  free(run->error);
  run->error = NULL;
}

/* ---- All of them ------------------------------------------------------------------------------------------------------ */

static void take_stored(figure_runs_t *runs) {
  for (unsigned i = 0; i < runs->count; i++) {
    figure_run_t *run = &runs->run[i];
    json_t *result = run_store_read(runs, run);
    char *wrong = result ? figure_run_wrong(runs->system->configurations[run->configuration].source, result) : NULL;
    if (result && !wrong) {
      set_result(runs, run, result);
      ended(runs, run, RUN_KEPT);
    } else {
      json_decref(result);
    }
    free(wrong);
  }
}

static void start(figure_runs_t *runs, figure_run_t *run, child_t *child) {
  run->state = RUN_GOING;
  run->seconds = now();
  if (child_start(child, runs->program, run->argument) == 0) return;
  run->error = text_of("cannot be started: %s", strerror(errno));
  run->seconds = 0;
  ended(runs, run, RUN_FAILED);
}

static void wait_a_little(void) { nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL); }

void figure_runs_make(figure_runs_t *runs) {
  static child_t child[RUNS_MAX];
  unsigned going = 0;
  bool told = false;
  if (runs->resume) take_stored(runs);
  for (;;) {
    bool stop = stopping(runs);
    for (unsigned i = 0; i < runs->count && going < runs->jobs && !stop; i++) {
      if (runs->run[i].state != RUN_TO_DO) continue;
      start(runs, &runs->run[i], &child[i]);
      going += runs->run[i].state == RUN_GOING;
    }
    if (!going) return;
    for (unsigned i = 0; i < runs->count; i++) {
      int status;
      if (runs->run[i].state != RUN_GOING) continue;
      if (stop && !told) child_stop(&child[i]);
      if (!child_done(&child[i], &status)) continue;
      going--;
      runs->run[i].seconds = now() - runs->run[i].seconds;
      finish(runs, &runs->run[i], &child[i], status);
    }
    told = stop;
    if (runs->tick) runs->tick(runs);
    if (going) wait_a_little();
  }
}

void figure_runs_free(figure_runs_t *runs) {
  for (unsigned i = 0; i < runs->count; i++) forget(&runs->run[i]);
  for (unsigned i = 0; i < RUNS_MAX; i++) json_decref(runs->result[i]);
  json_decref(runs->identity);
  memset(runs->result, 0, sizeof runs->result);
  memset(runs->of, 0, sizeof runs->of);
  runs->identity = NULL;
  runs->count = 0;
}
