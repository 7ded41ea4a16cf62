/* SPDX-License-Identifier: Apache-2.0
 *
 * `area --timing`: static timing of a block's netlist.
 *
 *   block_object "gates" --> whole.v, clocking.txt --> run_opensta --> timing_t --> text and JSON
 *                                    once with the library, then once for each of its corners
 */
#include "area_timing.h"

#include "cli.h"
#include "lockstep_verbs.h"
#include "object.h"
#include "timing.h"
#include "work.h"

#include <stdlib.h>
#include <string.h>

enum { PATHS_TOLD = 20 }; /* of setup, and of hold; those that are alike are told once */

/* ---- the netlist */

/* The job's block as block_object takes it: parameters with commas instead of blanks, and the
 * cells. */
static bool set_up_timed_block(const area_job_t *job, const block_t *own, const char *choice, block_t *block,
                               trouble_t *trouble) {
  const places_t places = verbs_places();
  char params[sizeof block->params];
  snprintf(params, sizeof params, "%s", job->params);
  for (char *p = params; *p; p++)
    if (*p == ' ') *p = ',';
  if (own) *block = *own;
  else if (!block_find(block, &places, job->block, params, trouble)) return false;
  snprintf(block->params, sizeof block->params, "%s", params);
  snprintf(block->cells, sizeof block->cells, "%s", choice);
  return true;
}

/* ---- for people */

/* Are these the same but for indices in brackets? "mem[0][7]" and "mem[0][8]" are. */
static bool ends_alike(const char *a, const char *b) {
  for (;; a++, b++) {
    while (*a == '[') a += strcspn(a, "]") + 1;
    while (*b == '[') b += strcspn(b, "]") + 1;
    if (*a != *b || !*a) return *a == *b;
  }
}

/* Is an earlier path of the same kind alike at both ends? Then the report leaves this one out. */
static bool is_told(const timing_t *t, const timing_path_t *p) {
  for (const timing_path_t *q = t->paths; q < p; q++)
    if (strcmp(q->kind, p->kind) == 0 && ends_alike(q->start, p->start) && ends_alike(q->end, p->end)) return true;
  return false;
}

/* A path, one line a pin: arrival, the increment since the pin before, cell, pin, fan-out, net. */
static void print_path(FILE *out, const timing_t *t, const timing_path_t *p, const char *unit) {
  const bool hold = strcmp(p->kind, "hold") == 0;
  double before = 0;
  fprintf(out, "    %s: %s to %s, slack %.3f %s\n", p->kind, p->start, p->end, p->slack, unit);
  for (const timing_point_t *i = p->points; i < p->points + p->num_points; i++) {
    fprintf(out, "      %9.3f  %+8.3f  %-12s  %-14s  drives %3u  %s\n", i->arrival, i->arrival - before, i->cell,
            i->pin, i->fanout, i->net);
    before = i->arrival;
  }
  if (!hold && t->shortest > 0 && strcmp(p->to, "reg") == 0)
    fprintf(out, "      %9.3f  %+8.3f  the register's setup\n", timing_delay(t, p), timing_delay(t, p) - before);
}

/* "setup slack 0.120 ns, violated at 3 ends". */
static void print_slack(FILE *out, const char *name, const timing_slack_t *s, const char *unit) {
  if (!s->any) fprintf(out, "%s: no such path", name);
  else fprintf(out, "%s slack %.3f %s", name, s->slack, unit);
  if (s->violated) fprintf(out, ", violated at %u ends", s->violated);
}

/* The longest path of a class; NULL: there is none. */
static const timing_path_t *find_longest_path(const timing_t *t, const char *from, const char *to) {
  for (const timing_path_t *p = t->paths; p < t->paths + t->num_paths; p++)
    if (strcmp(p->kind, "class") == 0 && strcmp(p->from, from) == 0 && strcmp(p->to, to) == 0) return p;
  return NULL;
}

/* The classes of paths: from where, to where, and what the report calls them. */
static const char *const classes[][3] = {{"reg", "reg", "register to register"},
                                         {"in", "reg", "input to register"},
                                         {"reg", "out", "register to output"},
                                         {"in", "out", "input to output"}};
enum { CLASSES = sizeof classes / sizeof *classes };

/* Shortest period, frequency and slacks in one line. MHz are only for cells of a process. corner
 * NULL: the library that the logic is mapped onto. */
static void print_periods(FILE *out, const timing_t *t, const cells_t *cells, const char *corner) {
  const bool real = strcmp(cells->path_unit, "ns") == 0;
  fprintf(out, "    %s%s: ", corner ? "corner " : "timing", corner ? corner : "");
  if (t->shortest > 0) fprintf(out, "shortest period %.3f %s", t->shortest, cells->path_unit);
  if (t->shortest > 0 && real) fprintf(out, " (%.1f MHz)", 1e3 / t->shortest);
  if (t->shortest > 0) fprintf(out, "; ");
  if (t->period > 0) fprintf(out, "at %.3f %s ", t->period, cells->path_unit);
  print_slack(out, "setup", &t->setup, cells->path_unit), fputs(", ", out);
  print_slack(out, "hold", &t->hold, cells->path_unit), fputc('\n', out);
}

/* Paths that OpenSTA could not time, and an example. */
static void print_loose(FILE *out, const timing_loose_t *loose, const char *what) {
  if (loose->count)
    fprintf(out, "    %u %s, the first one: %s; these figures say nothing of their paths\n", loose->count, what,
            loose->first);
}

/* The timing of one block in one corner. What OpenSTA could not time has a line of its own, so that
 * no figure passes for one of the whole block. `details` adds the worst paths, point by point. */
static void print_timing(FILE *out, const timing_t *t, const cells_t *cells, bool details) {
  print_periods(out, t, cells, NULL);
  for (unsigned i = 0; i < CLASSES && t->shortest >= 0; i++) {
    const timing_path_t *p = find_longest_path(t, classes[i][0], classes[i][1]);
    if (p)
      fprintf(out, "    %-20s  %9.3f %s  %s to %s\n", classes[i][2], timing_delay(t, p), cells->path_unit, p->start,
              p->end);
  }
  if (t->macros)
    fprintf(out, "    %u memory macros have no timing: paths that begin or end at them are not in these figures\n",
            t->macros);
  print_loose(out, &t->unclocked, "registers have no clock");
  print_loose(out, &t->unwanted, "ends of paths have no time that is wanted");
  print_loose(out, &t->undelayed, "inputs have no time at which they come");
  if (t->left_out)
    fprintf(out, "    OpenSTA leaves out %u parts of the library, the first one: %s\n", t->left_out,
            t->first_left_out ? t->first_left_out : "");
  for (const timing_path_t *p = t->paths; details && p < t->paths + t->num_paths; p++) {
    if (strcmp(p->kind, "class") && !is_told(t, p)) print_path(out, t, p, cells->path_unit);
  }
}

/* ---- JSON */

/* `slack` is null where there is no path to check. `violated` counts the ends that miss their
 * time. */
static json_t *slack_json(const timing_slack_t *s) {
  return json_pack("{s:o, s:i}", "slack", s->any ? json_real(s->slack) : json_null(), "violated", (int)s->violated);
}

/* `delay` is null for hold, and where there is no shortest period: only setup paths have a
 * delay. */
static json_t *path_json(const timing_t *t, const timing_path_t *p) {
  json_t *points = json_array();
  for (const timing_point_t *i = p->points; i < p->points + p->num_points; i++)
    json_array_append_new(points, json_pack("{s:f, s:s, s:s, s:s, s:i}", "arrival", i->arrival, "pin", i->pin, "cell",
                                            i->cell, "net", i->net, "fanout", (int)i->fanout));
  return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:f, s:o}", "kind", p->kind, "from", p->from, "to", p->to, "start",
                   p->start, "end", p->end, "delay",
                   t->shortest > 0 && strcmp(p->kind, "hold") ? json_real(timing_delay(t, p)) : json_null(), "slack",
                   p->slack, "points", points);
}

/* `period` and `shortest_period` are in `unit`; null: none was asked for, or no path has one.
 * `fmax_mhz` is null for cells of no process, whose unit is no time. */
static json_t *timing_json(const timing_t *t, const area_clock_t *clock, const cells_t *cells) {
  json_t *paths = json_array();
  const bool real = strcmp(cells->path_unit, "ns") == 0, any = t->shortest > 0;
  for (const timing_path_t *p = t->paths; p < t->paths + t->num_paths; p++)
    json_array_append_new(paths, path_json(t, p));
  return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:i, s:i, s:i, s:i, s:o}", "tool", "OpenSTA", "unit",
                   cells->path_unit, "sdc", clock->sdc ? json_string(clock->sdc) : json_null(), "period",
                   t->period > 0 ? json_real(t->period) : json_null(), "shortest_period",
                   any ? json_real(t->shortest) : json_null(), "fmax_mhz",
                   any && real ? json_real(1e3 / t->shortest) : json_null(), "setup", slack_json(&t->setup), "hold",
                   slack_json(&t->hold), "macros_untimed", (int)t->macros, "unclocked", (int)t->unclocked.count,
                   "unwanted", (int)t->unwanted.count, "undelayed", (int)t->undelayed.count, "library_left_out",
                   (int)t->left_out, "paths", paths);
}

/* The same figures of another corner, without its paths. */
static json_t *corner_json(const char *name, const timing_t *t, bool real) {
  const bool any = t->shortest > 0;
  return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "name", name, "period",
                   t->period > 0 ? json_real(t->period) : json_null(), "shortest_period",
                   any ? json_real(t->shortest) : json_null(), "fmax_mhz",
                   any && real ? json_real(1e3 / t->shortest) : json_null(), "setup", slack_json(&t->setup), "hold",
                   slack_json(&t->hold));
}

/* ---- one block */

/* Runs OpenSTA on the netlist beside `object`. libraries: a corner's; NULL: the cells' own. The
 * working folder stays if the environment failed, because the message names a log in it. */
static bool run_opensta(const area_clock_t *clock, const area_job_t *job, const block_t *block, const char *object,
                        const char *libraries, timing_t *timing, trouble_t *trouble) {
  char *netlist = object_side(object, "whole.v"), *clocking = object_side(object, "clocking.txt");
  work_t work;
  if (!netlist || !clocking)
    return free(netlist), free(clocking),
           trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: has no netlist beside it", object);
  if (!work_open(&work, job->cache, "timing", trouble)) return free(netlist), free(clocking), false;
  const sta_ask_t ask = {.top = block->name,
                         .netlist = netlist,
                         .cells = job->target->cells,
                         .libraries = libraries,
                         .clocking = clocking,
                         .period = clock->period,
                         .sdc = clock->sdc,
                         .paths = PATHS_TOLD,
                         .work = work.path,
                         .script = cli_data("synth/timing.tcl"),
                         .stop = job->stop,
                         .context = job->context};
  const bool ok = timing_run(&ask, timing, trouble);
  work_close(&work, !ok && trouble->kind == TROUBLE_ENVIRONMENT);
  free(netlist), free(clocking);
  return ok;
}

/* The same netlist with the cells of each corner: adds a result for each to `list`. */
static bool run_corners(const area_clock_t *clock, FILE *out, const area_job_t *job, const block_t *block,
                        const char *object, json_t *list, trouble_t *trouble) {
  const cells_t *cells = job->target->cells;
  bool good = true;
  for (unsigned i = 0; good && i < cells->num_corners; i++) {
    timing_t timing = {0};
    good = run_opensta(clock, job, block, object, cells->corners[i].files, &timing, trouble);
    if (good) print_periods(out, &timing, cells, cells->corners[i].name);
    if (good)
      json_array_append_new(list, corner_json(cells->corners[i].name, &timing, strcmp(cells->path_unit, "ns") == 0));
    timing_free(&timing);
  }
  return good;
}

bool area_timing_row(const area_clock_t *clock, FILE *out, const area_job_t *job, const block_t *own,
                     const char *choice, bool details, json_t *row, double *shortest, trouble_t *trouble) {
  const places_t places = verbs_places();
  char object[OBJECT_PATH];
  block_t *block = calloc(1, sizeof *block);
  timing_t timing = {0};
  *shortest = -1;
  if (!block) return trouble_memory(trouble);
  bool good = set_up_timed_block(job, own, choice, block, trouble) &&
              block_object(block, &places, "gates", object, trouble) &&
              run_opensta(clock, job, block, object, NULL, &timing, trouble);
  if (good) {
    print_timing(out, &timing, job->target->cells, details);
    json_t *json = timing_json(&timing, clock, job->target->cells), *corners = json_array();
    good = run_corners(clock, out, job, block, object, corners, trouble);
    json_object_set_new(json, "corners", corners);
    json_object_set_new(row, "timing", json);
    *shortest = timing.shortest > 0 ? timing.shortest : -1;
  }
  timing_free(&timing);
  free(block);
  return good;
}
