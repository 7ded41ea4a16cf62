/* SPDX-License-Identifier: Apache-2.0
 *
 * The table is written twice: the first time only to measure its columns.
 */
#include "sweep_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "number.h"

/* ---- for people ---- */

enum { CELL = 96 };

/* Four digits that say something, more or less. */
static int count_decimals(double size) {
  if (size >= 1000) return 1;
  if (size >= 100) return 2;
  return size >= 1 ? 3 : 4;
}

/* Whole numbers in groups of three. mark: the network was not stable. Returns cell. */
static const char *cell_number(double value, bool mark, char cell[CELL]) {
  char whole[32];
  const double size = fabs(value);
  const char *star = mark ? "*" : "";
  if (isnan(value)) snprintf(cell, CELL, "-");
  else if (size < 1e15 && value >= 0 && value == floor(value))
    snprintf(cell, CELL, "%s%s", number_text((uint64_t)value, whole), star);
  else if (size >= 1e15 || size < 1e-3) snprintf(cell, CELL, "%.4g%s", value, star);
  else snprintf(cell, CELL, "%.*f%s", count_decimals(size), value, star);
  return cell;
}

typedef struct {
  const sweep_t *s;
  FILE *out;
  unsigned *width; /* of each column; NULL while they are measured */
  unsigned column, columns;
  unsigned *widest;
} table_t;

/* Writes a cell, or measures it while there is no file. */
static void put_cell(table_t *t, const char *text, bool left) {
  const unsigned n = (unsigned)strlen(text);
  if (!t->out) t->widest[t->column] = n > t->widest[t->column] ? n : t->widest[t->column];
  else
    fprintf(t->out, "%s%*s", t->column ? "  " : "", left ? -(int)t->widest[t->column] : (int)t->widest[t->column],
            text);
  t->column++;
}

static void end_row(table_t *t) {
  if (t->out) fputc('\n', t->out);
  t->column = 0;
}

/* Columns of a metric: the mean, with seeds also least and most. */
static unsigned values_of(const sweep_t *s) {
  return s->seeds > 1 ? 3 : 1;
}

/* The same cells as put_point, in the same order. */
static void put_head(table_t *t) {
  const sweep_t *s = t->s;
  for (unsigned a = 0; a < s->axes; a++) put_cell(t, s->axis[a].name, false);
  for (unsigned m = 0; m < s->metrics; m++) {
    put_cell(t, s->metric[m].name, false);
    if (values_of(s) > 1) put_cell(t, "least", false), put_cell(t, "most", false);
  }
  end_row(t);
}

static void put_point(table_t *t, unsigned point) {
  const sweep_t *s = t->s;
  char cell[CELL];
  for (unsigned a = 0; a < s->axes; a++) put_cell(t, sweep_value(s, point, a), false);
  for (unsigned m = 0; m < s->metrics; m++) {
    const sweep_spread_t v = sweep_spread(s, point, m);
    put_cell(t, cell_number(v.mean, v.unstable > 0, cell), false);
    if (values_of(s) > 1)
      put_cell(t, cell_number(v.least, false, cell), false), put_cell(t, cell_number(v.most, false, cell), false);
  }
  end_row(t);
}

static void put_table(table_t *t) {
  put_head(t);
  for (unsigned p = 0; p < t->s->points; p++) put_point(t, p);
}

/* What the star means, and what the metrics are. */
static void print_notes(const sweep_t *s, FILE *out) {
  bool unstable = false;
  for (unsigned i = 0; i < s->runs; i++) unstable = unstable || s->run[i].unstable;
  if (unstable)
    fprintf(out, "*: not stable, the network is offered more than it takes; latency grows with the time one looks\n");
  for (unsigned m = 0; m < s->metrics; m++)
    if (*s->metric[m].text)
      fprintf(out, "%s: %s%s%s\n", s->metric[m].name, s->metric[m].text,
              *s->metric[m].unit && strcmp(s->metric[m].unit, s->metric[m].text) ? ", " : "",
              strcmp(s->metric[m].unit, s->metric[m].text) ? s->metric[m].unit : "");
}

static void print_failures(const sweep_t *s, const char *command, FILE *out) {
  for (unsigned i = 0; i < s->runs; i++)
    if (s->run[i].state == SWEEP_FAILED)
      fprintf(out, "FAILED: %s\n        %s %s\n", s->run[i].error ? s->run[i].error : "", command, s->run[i].key);
}

/* A star marks a mean with an unstable run among its seeds. */
void sweep_print(const sweep_t *s, const char *command, FILE *out) {
  table_t t = {.s = s, .widest = calloc(s->axes + 3 * s->metrics + 1, sizeof *t.widest)};
  if (!t.widest) return;
  put_table(&t);
  t.out = out;
  put_table(&t);
  free(t.widest);
  print_notes(s, out);
  print_failures(s, command, out);
}

/* ---- CSV ---- */

static const char *const states[] = {
    [SWEEP_NOT_RUN] = "not run", [SWEEP_MADE] = "run", [SWEEP_KEPT] = "earlier", [SWEEP_FAILED] = "failed"};

/* Ten digits are more than any metric is exact to. */
void sweep_csv(const sweep_t *s, FILE *out) {
  for (unsigned a = 0; a < s->axes; a++) csv_text(out, s->axis[a].name), fputc(',', out);
  fprintf(out, "%sstate", s->seeds ? "seed," : "");
  for (unsigned m = 0; m < s->metrics; m++) fputc(',', out), csv_text(out, s->metric[m].name);
  fputc('\n', out);
  for (unsigned i = 0; i < s->runs; i++) {
    const sweep_run_t *run = &s->run[i];
    for (unsigned a = 0; a < s->axes; a++) csv_text(out, sweep_value(s, run->point, a)), fputc(',', out);
    if (s->seeds) fprintf(out, "%llu,", (unsigned long long)run->seed);
    fputs(run->unstable ? "not stable" : states[run->state], out);
    for (unsigned m = 0; m < s->metrics; m++) {
      fputc(',', out);
      if (!isnan(run->value[m])) fprintf(out, "%.10g", run->value[m]);
    }
    fputc('\n', out);
  }
}

/* ---- JSON ---- */

static json_t *real_or_null(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

/* An entry of points[].runs. */
static json_t *run_json(const sweep_t *s, const sweep_run_t *run) {
  json_t *o = json_object(), *values = json_object();
  if (s->seeds) json_object_set_new(o, "seed", json_integer((json_int_t)run->seed));
  json_object_set_new(o, "command", json_string(run->key));
  json_object_set_new(o, "state", json_string(states[run->state]));
  json_object_set_new(o, "seconds", json_real(run->seconds));
  for (unsigned m = 0; m < s->metrics; m++) json_object_set_new(values, s->metric[m].name, real_or_null(run->value[m]));
  json_object_set_new(o, "values", values);
  json_object_set_new(o, "stable", json_boolean(!run->unstable));
  if (run->error) json_object_set_new(o, "error", json_string(run->error));
  return o;
}

/* A metric that no seed of the point has is null. */
static json_t *point_json(const sweep_t *s, unsigned point) {
  const unsigned seeds = s->seeds ? s->seeds : 1;
  json_t *settings = json_object(), *metrics = json_object(), *runs = json_array();
  for (unsigned a = 0; a < s->axes; a++)
    json_object_set_new(settings, s->axis[a].name, json_string(sweep_value(s, point, a)));
  for (unsigned m = 0; m < s->metrics; m++) {
    const sweep_spread_t v = sweep_spread(s, point, m);
    json_object_set_new(metrics, s->metric[m].name,
                        v.count ? json_pack("{s:f, s:f, s:f, s:f, s:i}", "mean", v.mean, "least", v.least, "most",
                                            v.most, "deviation", v.deviation, "runs", (int)v.count)
                                : json_null());
  }
  for (unsigned i = point * seeds; i < (point + 1) * seeds; i++) json_array_append_new(runs, run_json(s, &s->run[i]));
  return json_pack("{s:o, s:o, s:o}", "settings", settings, "metrics", metrics, "runs", runs);
}

/* Settings are strings as typed: "16" and "1e3 MHz" are equally good settings. */
void sweep_json(const sweep_t *s, json_t *root) {
  json_t *over = json_array(), *metrics = json_array(), *points = json_array(), *counts = json_object();
  for (unsigned a = 0; a < s->axes; a++) {
    json_t *values = json_array();
    for (unsigned i = 0; i < s->axis[a].values; i++) json_array_append_new(values, json_string(s->axis[a].value[i]));
    json_array_append_new(over, json_pack("{s:s, s:o}", "key", s->axis[a].name, "values", values));
  }
  for (unsigned m = 0; m < s->metrics; m++)
    json_array_append_new(metrics,
                          json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", s->metric[m].name, "over", s->metric[m].over,
                                    "under", s->metric[m].under, "unit", s->metric[m].unit, "text", s->metric[m].text));
  for (unsigned p = 0; p < s->points; p++) json_array_append_new(points, point_json(s, p));
  for (sweep_state_t state = SWEEP_NOT_RUN; state <= SWEEP_FAILED; state++)
    json_object_set_new(counts, states[state], json_integer(sweep_count(s, state)));
  json_object_set_new(root, "verb", json_string(s->verb));
  json_object_set(root, "arguments", s->arguments);
  json_object_set(root, "options", s->options);
  json_object_set_new(root, "over", over);
  json_object_set_new(root, "seeds", json_integer(s->seeds));
  json_object_set_new(root, "metrics", metrics);
  json_object_set_new(root, "runs", counts);
  json_object_set_new(root, "points", points);
}
