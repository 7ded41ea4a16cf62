/* SPDX-License-Identifier: Apache-2.0 */
#include "timing.h"

#include "file.h"
#include "process.h"
#include "rtl.h"
#include "words.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-truncation" /* paths that are too long fail when they are opened */

enum { PATHS = 4096, FIELDS = 8, SECONDS = 3600 };

/* ---- what OpenSTA is told: all in one folder, by plain names */

static bool put(const timing_ask_t *ask, const char *name, const char *text, trouble_t *trouble) {
  char path[PATHS];
  snprintf(path, sizeof path, "%s/%s", ask->work, name);
  FILE *file = fopen(path, "we");
  bool ok = file && fputs(text, file) >= 0;
  if (file && fclose(file)) ok = false;
  return ok || trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: cannot write: %s", path, strerror(errno));
}

/* OpenSTA does not read gzip. */
static bool put_libraries(const timing_ask_t *ask, const char *files, const char *stem, FILE *names, trouble_t *trouble) {
  char path[RTL_LIST], name[64];
  unsigned i = 0;
  bool ok = true;
  for (const char *at = files; ok && rtl_next(&at, path, sizeof path); i++) {
    char *text = liberty_text(path, path, trouble);
    snprintf(name, sizeof name, "%s%u.lib", stem, i);
    ok = text && put(ask, name, text, trouble);
    fprintf(names, " %s", name);
    free(text);
  }
  return ok;
}

static bool put_sdc(const timing_ask_t *ask, trouble_t *trouble) {
  char *text = ask->sdc ? file_read(ask->sdc) : NULL;
  if (ask->sdc && !text) return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", ask->sdc, strerror(errno));
  const bool ok = !text || put(ask, "constraints.sdc", text, trouble);
  free(text);
  return ok;
}

static bool put_ask(const timing_ask_t *ask, trouble_t *trouble) {
  const liberty_cell_t *driver = liberty_driver(&ask->cells->library);
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to) return trouble_memory(trouble);
  fprintf(to, "cd {%s}\nset top {%s}\nset netlist whole.v\nset answer timing.txt\nset clock {%s}\nset ideal {%s}\n", ask->work, ask->top, ask->clock, ask->ideal);
  fprintf(to, "set period %.9g\nset sdc {%s}\nset driver {%s}\nset paths %u\n", ask->period * ask->cells->path_ps * 1e-12, ask->sdc ? "constraints.sdc" : "",
          driver ? driver->name : "", ask->paths);
  fputs("set libraries {", to);
  bool ok = put_libraries(ask, ask->cells->files, "slow", to, trouble);
  fputs(" }\nset fast {", to);
  ok = ok && put_libraries(ask, ask->fast, "fast", to, trouble);
  fprintf(to, " }\nsource {%s}\n", ask->script);
  if (fclose(to)) ok = trouble_memory(trouble);
  ok = ok && put(ask, "ask.tcl", text, trouble) && put(ask, "whole.v", ask->netlist, trouble) && put_sdc(ask, trouble);
  free(text);
  return ok;
}

/* ---- what it said */

/* "Warning: constraints.sdc, 4 port 'x' not found.": nothing that it does not take is left out silently. */
static bool check_sdc(const timing_ask_t *ask, const char *log, trouble_t *trouble) {
  static const char *const kinds[] = {"Warning: constraints.sdc, ", "Error: constraints.sdc, "};
  const char *first = NULL, *at;
  size_t n = 0;
  for (size_t i = 0; ask->sdc && i < 2; i++)
    if ((at = strstr(log, kinds[i])) && (!first || at < first)) first = at, n = strlen(kinds[i]);
  if (!first) return true;
  const char *line = first + n + strspn(first + n, "line "), *text = line + strspn(line, "0123456789");
  text += strspn(text, " ");
  return trouble_set(trouble, TROUBLE_INPUT, "%s:%.*s: %.*s", ask->sdc, (int)strspn(line, "0123456789"), line, (int)strcspn(text, "\n"), text);
}

static unsigned count_boxes(const char *log) {
  unsigned count = 0;
  for (; (log = strstr(log, "Creating black box for ")); log++) count++;
  return count;
}

/* A module that is neither in the netlist nor in the Liberty files, and no memory: paths through it would be missing without a word. */
static bool check_errors(const char *log, trouble_t *trouble) {
  const char *error = strstr(log, "Error: ");
  if (!error) return true;
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "OpenSTA says: %.*s", (int)strcspn(error + 7, "\n"), error + 7);
}

/* ---- its answer */

static double number(const timing_ask_t *ask, const char *text, double unit) {
  return strtod(text, NULL) * unit / (ask->cells->path_ps * 1e-12);
}

static bool add_path(timing_t *t, const timing_ask_t *ask, char *const *field, double unit) {
  timing_path_t *more = realloc(t->paths, (t->num_paths + 1) * sizeof *more);
  if (!more) return false;
  t->paths = more;
  const char *dash = strchr(field[2], '-');
  timing_path_t *p = &t->paths[t->num_paths++];
  *p = (timing_path_t){.kind = strdup(field[1]), .from = dash ? strndup(field[2], (size_t)(dash - field[2])) : NULL, .to = dash ? strdup(dash + 1) : NULL,
                       .slack = number(ask, field[3], unit), .start = strdup(field[4]), .end = strdup(field[5])};
  return p->kind && p->from && p->to && p->start && p->end;
}

static bool add_point(timing_t *t, const timing_ask_t *ask, char *const *field, double unit) {
  timing_path_t *p = t->num_paths ? &t->paths[t->num_paths - 1] : NULL;
  timing_point_t *more = p ? realloc(p->points, (p->num_points + 1) * sizeof *more) : NULL;
  if (!more) return false;
  p->points = more;
  timing_point_t *point = &p->points[p->num_points++];
  *point = (timing_point_t){.arrival = number(ask, field[1], unit), .pin = strdup(field[2]), .cell = strdup(field[3]), .net = strdup(field[4]),
                            .fanout = (unsigned)strtoul(field[5], NULL, 10)};
  return point->pin && point->cell && point->net;
}

static void take_slack(timing_slack_t *s, const timing_ask_t *ask, char *const *field, double unit) {
  s->any = strcmp(field[2], "none") != 0;
  s->slack = s->any ? number(ask, field[2], unit) : 0;
  s->violated = (unsigned)strtoul(field[3], NULL, 10);
}

static bool take_clock(timing_t *t, const timing_ask_t *ask, char *const *field, double unit, unsigned *clocks, trouble_t *trouble) {
  const double period = number(ask, field[2], unit);
  if (!(period > 0)) return trouble_set(trouble, TROUBLE_INPUT, "%s: clock %s has a period of %s: more than 0 would be right", ask->sdc, field[1], field[2]);
  t->period = ++*clocks > 1 && period != t->period ? 0 : period;
  return true;
}

static unsigned split(char *line, char *field[FIELDS]) {
  static char none[] = "";
  unsigned n = 0;
  for (unsigned i = 0; i < FIELDS; i++) field[i] = none;
  for (char *tab = line; tab && n < FIELDS; n++) {
    field[n] = tab;
    if ((tab = strchr(tab, '\t'))) *tab++ = 0;
  }
  return n;
}

static bool take(timing_t *t, const timing_ask_t *ask, char *text, trouble_t *trouble) {
  char *field[FIELDS];
  double unit = 0;
  unsigned clocks = 0;
  for (char *line = text, *next; line && *line; line = next) {
    if ((next = strchr(line, '\n'))) *next++ = 0;
    const unsigned n = split(line, field);
    bool ok = true;
    if (strcmp(line, "end") == 0) return !ask->sdc || clocks || trouble_set(trouble, TROUBLE_INPUT, "%s: makes no clock: create_clock would be right", ask->sdc);
    if (strcmp(line, "error") == 0) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "OpenSTA says: %s", n > 1 ? field[1] : "an error without a word");
    if (strcmp(line, "unit") == 0) unit = strtod(field[1], NULL);
    else if (strcmp(line, "shortest") == 0) t->shortest = number(ask, field[1], unit);
    else if (strcmp(line, "clock") == 0 && !take_clock(t, ask, field, unit, &clocks, trouble)) return false;
    else if (strcmp(line, "slack") == 0) take_slack(strcmp(field[1], "setup") ? &t->hold : &t->setup, ask, field, unit);
    else if (strcmp(line, "path") == 0) ok = add_path(t, ask, field, unit);
    else if (strcmp(line, "point") == 0) ok = add_point(t, ask, field, unit);
    if (!ok) return trouble_memory(trouble);
  }
  return trouble_set(trouble, TROUBLE_ENVIRONMENT, "OpenSTA's answer ends in the middle");
}

static bool read_answer(timing_t *t, const timing_ask_t *ask, const char *log, trouble_t *trouble) {
  char path[PATHS];
  snprintf(path, sizeof path, "%s/timing.txt", ask->work);
  char *text = file_read(path);
  t->macros = count_boxes(log);
  t->shortest = ask->sdc ? -1 : 0;
  bool ok = text || trouble_set(trouble, TROUBLE_ENVIRONMENT, "OpenSTA ended without an answer; what it said is in %s/timing.log", ask->work);
  ok = ok && check_sdc(ask, log, trouble) && take(t, ask, text, trouble) && check_errors(log, trouble);
  if (ok && !ask->sdc) t->period = ask->period > 0 ? ask->period : t->shortest;
  free(text);
  return ok;
}

bool timing_run(const timing_ask_t *ask, timing_t *timing, trouble_t *trouble) {
  char script[PATHS], log[PATHS], answer[PATHS], *argv[] = {"sta", "-no_splash", "-exit", script, NULL};
  *timing = (timing_t){0};
  if (!process_there("sta")) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "OpenSTA (sta) is not installed: package opensta has it");
  if (!put_ask(ask, trouble)) return false;
  snprintf(script, sizeof script, "%s/ask.tcl", ask->work), snprintf(log, sizeof log, "%s/timing.log", ask->work);
  snprintf(answer, sizeof answer, "%s/timing.txt", ask->work), remove(answer);
  const int status = process_run(argv, log, SECONDS, ask->stop, ask->context);
  if (status == PROCESS_STOPPED) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "interrupted");
  if (status == PROCESS_TIMEOUT) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "OpenSTA took more than %d s", SECONDS);
  char *said = file_read(log);
  const bool ok = status ? trouble_set(trouble, TROUBLE_ENVIRONMENT, "OpenSTA ended with %d; what it said is in %s", status, log)
                         : read_answer(timing, ask, said ? said : "", trouble);
  free(said);
  return ok;
}

double timing_delay(const timing_t *t, const timing_path_t *path) {
  return t->period - path->slack;
}

void timing_free(timing_t *t) {
  for (timing_path_t *p = t->paths; p < t->paths + t->num_paths; p++) {
    for (timing_point_t *i = p->points; i < p->points + p->num_points; i++) free(i->pin), free(i->cell), free(i->net);
    free(p->kind), free(p->from), free(p->to), free(p->start), free(p->end), free(p->points);
  }
  free(t->paths);
  *t = (timing_t){0};
}
