/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the lines of synth/timing.tcl. Points belong to the path before them.
 *
 *   unit SECONDS                              of the times that follow
 *   shortest TIME | clock NAME PERIOD | slack setup|hold TIME|none VIOLATED
 *   loose unclocked|unwanted|undelayed COUNT FIRST
 *   path KIND FROM-TO SLACK START END         then its points
 *   point ARRIVAL PIN CELL NET FANOUT
 */
#include "timing.h"

#include <stdlib.h>
#include <string.h>

static unsigned count_boxes(const char *log) {
  unsigned count = 0;
  for (; (log = strstr(log, "Creating black box for ")); log++) count++;
  return count;
}

/* ---- its answer */

/* A time of OpenSTA, in `unit` seconds, as FO4 or ns. */
static double in_cell_unit(const sta_ask_t *ask, const char *text, double unit) {
  return strtod(text, NULL) * unit / (ask->cells->path_ps * 1e-12);
}

static bool add_path(timing_t *t, const sta_ask_t *ask, char *const *field, double unit) {
  timing_path_t *more = realloc(t->paths, (t->num_paths + 1) * sizeof *more);
  if (!more) return false;
  t->paths = more;
  const char *dash = strchr(field[2], '-');
  timing_path_t *p = &t->paths[t->num_paths++];
  *p = (timing_path_t){.kind = strdup(field[1]),
                       .from = dash ? strndup(field[2], (size_t)(dash - field[2])) : NULL,
                       .to = dash ? strdup(dash + 1) : NULL,
                       .slack = in_cell_unit(ask, field[3], unit),
                       .start = strdup(field[4]),
                       .end = strdup(field[5])};
  return p->kind && p->from && p->to && p->start && p->end;
}

static bool add_point(timing_t *t, const sta_ask_t *ask, char *const *field, double unit) {
  timing_path_t *p = t->num_paths ? &t->paths[t->num_paths - 1] : NULL;
  timing_point_t *more = p ? realloc(p->points, (p->num_points + 1) * sizeof *more) : NULL;
  if (!more) return false;
  p->points = more;
  timing_point_t *point = &p->points[p->num_points++];
  *point = (timing_point_t){.arrival = in_cell_unit(ask, field[1], unit),
                            .pin = strdup(field[2]),
                            .cell = strdup(field[3]),
                            .net = strdup(field[4]),
                            .fanout = (unsigned)strtoul(field[5], NULL, 10)};
  return point->pin && point->cell && point->net;
}

/* "none": the design has no such path. */
static void take_slack(timing_slack_t *s, const sta_ask_t *ask, char *const *field, double unit) {
  s->any = strcmp(field[2], "none") != 0;
  s->slack = s->any ? in_cell_unit(ask, field[2], unit) : 0;
  s->violated = (unsigned)strtoul(field[3], NULL, 10);
}

static bool take_loose(timing_t *t, char *const *field) {
  timing_loose_t *loose = &t->undelayed;
  if (strcmp(field[1], "unclocked") == 0) loose = &t->unclocked;
  else if (strcmp(field[1], "unwanted") == 0) loose = &t->unwanted;
  *loose = (timing_loose_t){(unsigned)strtoul(field[2], NULL, 10), strdup(field[3])};
  return loose->first;
}

/* Several clocks of different periods have no common period: 0. */
static bool take_clock(timing_t *t, const sta_ask_t *ask, char *const *field, double unit, unsigned *clocks,
                       trouble_t *trouble) {
  const double period = in_cell_unit(ask, field[2], unit);
  if (!(period > 0))
    return trouble_set(trouble, TROUBLE_INPUT, "%s: clock %s has a period of %s: more than 0 would be right", ask->sdc,
                       field[1], field[2]);
  t->period = ++*clocks > 1 && period != t->period ? 0 : period;
  return true;
}

typedef struct {
  timing_t *t;
  const sta_ask_t *ask;
  double unit;
  unsigned clocks;
} reading_t;

/* Lines of other words are passed over. */
static bool take_timing_line(void *context, char *const field[STA_FIELDS], trouble_t *trouble) {
  reading_t *r = context;
  timing_t *t = r->t;
  const char *word = field[0];
  bool ok = true;
  if (strcmp(word, "unit") == 0) r->unit = strtod(field[1], NULL);
  else if (strcmp(word, "shortest") == 0) t->shortest = in_cell_unit(r->ask, field[1], r->unit);
  else if (strcmp(word, "clock") == 0) return take_clock(t, r->ask, field, r->unit, &r->clocks, trouble);
  else if (strcmp(word, "slack") == 0)
    take_slack(strcmp(field[1], "setup") ? &t->hold : &t->setup, r->ask, field, r->unit);
  else if (strcmp(word, "loose") == 0) ok = take_loose(t, field);
  else if (strcmp(word, "path") == 0) ok = add_path(t, r->ask, field, r->unit);
  else if (strcmp(word, "point") == 0) ok = add_point(t, r->ask, field, r->unit);
  return ok || trouble_memory(trouble);
}

bool timing_run(const sta_ask_t *ask, timing_t *timing, trouble_t *trouble) {
  char *log, *answer = sta_run(ask, &log, trouble);
  reading_t reading = {.t = timing, .ask = ask};
  *timing = (timing_t){.shortest = ask->sdc ? -1 : 0};
  bool ok = answer && sta_lines(ask, answer, take_timing_line, &reading, trouble);
  if (ok && ask->sdc && !reading.clocks)
    ok = trouble_set(trouble, TROUBLE_INPUT, "%s: makes no clock: create_clock would be right", ask->sdc);
  if (ok) timing->macros = count_boxes(log), timing->left_out = sta_left_out(ask, log, &timing->first_left_out);
  if (ok && !ask->sdc) timing->period = ask->period > 0 ? ask->period : timing->shortest;
  free(answer), free(log);
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
  free(t->unclocked.first), free(t->unwanted.first), free(t->undelayed.first);
  *t = (timing_t){0};
}
