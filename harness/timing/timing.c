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
  fprintf(to, "cd {%s}\nset top {%s}\nset netlist whole.v\nset answer timing.txt\nset clock {%s}\nset ideal {%s}\n", ask->work, ask->top, ask->clock,
          ask->ideal);
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

/* The user's name of one of our files, with room for what follows: "slow0.lib", "fast1.lib", "constraints.sdc"; NULL: another one. */
static const char *file_named(const timing_ask_t *ask, const char *text, size_t *length, char path[RTL_LIST]) {
  static const char sdc[] = "constraints.sdc";
  unsigned number;
  int end = 0;
  if (ask->sdc && strncmp(text, sdc, sizeof sdc - 1) == 0) return *length = sizeof sdc - 1, ask->sdc;
  const bool slow = strncmp(text, "slow", 4) == 0, is = slow || strncmp(text, "fast", 4) == 0;
  if (!is || sscanf(text + 4, "%u.lib%n", &number, &end) != 1 || !end) return NULL;
  const char *at = slow ? ask->cells->files : ask->fast;
  *length = 4 + (size_t)end;
  for (bool more = true; more && (more = rtl_next(&at, path, RTL_LIST));)
    if (!number--) return path;
  return NULL;
}

/* "constraints.sdc, 4 port 'x' not found.", "slow0.lib, line 3 TEXT": is it of a file of the user's? Then it is bad input. */
static bool is_placed(const timing_ask_t *ask, const char *text, trouble_t *trouble) {
  char path[RTL_LIST];
  size_t n;
  const char *file = file_named(ask, text, &n, path), *line = text;
  if (!file || strncmp(text + n, ", ", 2)) return false;
  line = text + n + 2;
  line += strncmp(line, "line ", 5) ? 0 : 5;
  const char *what = line + strspn(line, "0123456789");
  what += strspn(what, " ");
  trouble_set(trouble, TROUBLE_INPUT, "%s:%.*s: %.*s", file, (int)strspn(line, "0123456789"), line, (int)strcspn(what, "\n"), what);
  return true;
}

/* "Warning: constraints.sdc, ..." is an error, too: nothing that OpenSTA does not take is left out silently. Of Liberty files errors alone are: they
 * have much that it does not look at. */
static bool check_log(const timing_ask_t *ask, const char *log, trouble_t *trouble) {
  static const char warning[] = "Warning: ", error[] = "Error: ";
  const char *other = NULL;
  for (const char *line = log; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    const bool warns = strncmp(line, warning, sizeof warning - 1) == 0, fails = strncmp(line, error, sizeof error - 1) == 0;
    const char *text = line + (warns ? sizeof warning - 1 : sizeof error - 1);
    if (!warns && !fails) continue;
    if ((fails || strncmp(text, "constraints", 11) == 0) && is_placed(ask, text, trouble)) return false;
    if (fails && !other) other = text;
  }
  return !other || trouble_set(trouble, TROUBLE_ENVIRONMENT, "OpenSTA says: %.*s", (int)strcspn(other, "\n"), other);
}

static bool take_error(const timing_ask_t *ask, const char *text, trouble_t *trouble) {
  if (strncmp(text, "Error: ", 7) == 0) text += 7;
  return !is_placed(ask, text, trouble) && trouble_set(trouble, TROUBLE_ENVIRONMENT, "OpenSTA says: %s", *text ? text : "an error without a word");
}

static void count_left_out(timing_t *t, const timing_ask_t *ask, const char *log) {
  static const char warning[] = "Warning: ";
  trouble_t place;
  for (; (log = strstr(log, warning)); log++)
    if (strncmp(log + sizeof warning - 1, "constraints", 11) && is_placed(ask, log + sizeof warning - 1, &place) && !t->left_out++)
      t->first_left_out = strdup(place.text);
}

static unsigned count_boxes(const char *log) {
  unsigned count = 0;
  for (; (log = strstr(log, "Creating black box for ")); log++) count++;
  return count;
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
  *p = (timing_path_t){.kind = strdup(field[1]),
                       .from = dash ? strndup(field[2], (size_t)(dash - field[2])) : NULL,
                       .to = dash ? strdup(dash + 1) : NULL,
                       .slack = number(ask, field[3], unit),
                       .start = strdup(field[4]),
                       .end = strdup(field[5])};
  return p->kind && p->from && p->to && p->start && p->end;
}

static bool add_point(timing_t *t, const timing_ask_t *ask, char *const *field, double unit) {
  timing_path_t *p = t->num_paths ? &t->paths[t->num_paths - 1] : NULL;
  timing_point_t *more = p ? realloc(p->points, (p->num_points + 1) * sizeof *more) : NULL;
  if (!more) return false;
  p->points = more;
  timing_point_t *point = &p->points[p->num_points++];
  *point = (timing_point_t){.arrival = number(ask, field[1], unit),
                            .pin = strdup(field[2]),
                            .cell = strdup(field[3]),
                            .net = strdup(field[4]),
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

static void split(char *line, char *field[FIELDS]) {
  static char none[] = "";
  for (unsigned i = 0; i < FIELDS; i++) {
    field[i] = line ? line : none;
    if (line && (line = strchr(line, '\t'))) *line++ = 0;
  }
}

static bool take(timing_t *t, const timing_ask_t *ask, char *text, trouble_t *trouble) {
  char *field[FIELDS];
  double unit = 0;
  unsigned clocks = 0;
  for (char *line = text, *next; line && *line; line = next) {
    if ((next = strchr(line, '\n'))) *next++ = 0;
    split(line, field);
    bool ok = true;
    if (strcmp(line, "end") == 0)
      return !ask->sdc || clocks || trouble_set(trouble, TROUBLE_INPUT, "%s: makes no clock: create_clock would be right", ask->sdc);
    if (strcmp(line, "error") == 0) return take_error(ask, field[1], trouble);
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
  count_left_out(t, ask, log);
  t->shortest = ask->sdc ? -1 : 0;
  bool ok = text || trouble_set(trouble, TROUBLE_ENVIRONMENT, "OpenSTA ended without an answer; what it said is in %s/timing.log", ask->work);
  ok = ok && check_log(ask, log, trouble) && take(t, ask, text, trouble);
  if (ok && !ask->sdc) t->period = ask->period > 0 ? ask->period : t->shortest;
  free(text);
  return ok;
}

bool timing_run(const timing_ask_t *ask, timing_t *timing, trouble_t *trouble) {
  char script[PATHS], log[PATHS], answer[PATHS], *argv[] = {"sta", "-no_init", "-no_splash", "-exit", script, NULL};
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
  free(t->paths), free(t->first_left_out);
  *t = (timing_t){0};
}
