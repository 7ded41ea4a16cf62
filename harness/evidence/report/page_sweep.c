/* SPDX-License-Identifier: Apache-2.0
 *
 * Charts of a block's area over a parameter: one for each parameter with LEAST values or more,
 * while the other parameters keep their defaults.
 */
#include "page.h"

#include "cells.h"
#include "html.h"
#include "svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 3, MOST = 32, NAME = 64 };

typedef struct {
  double value, cells; /* GE, without memory macros */
} point_t;

typedef struct {
  char name[NAME];
  point_t points[MOST];
  size_t count;
} sweep_t;

/* Reads "Depth=8" measured on the default cells. False: defaults, several parameters, or other
 * cells. */
static bool read_point(const json_t *area, char name[NAME], point_t *point) {
  const char *params = fact_text(area, "params"), *target = fact_text(area, "target"),
             *equals = params ? strchr(params, '=') : NULL;
  char *end;
  if (!equals || equals == params || equals - params >= NAME || !target || strcmp(target, CELLS_DEFAULT)) return false;
  point->value = strtod(equals + 1, &end);
  point->cells = fact_number(area, "ge");
  memcpy(name, params, (size_t)(equals - params));
  name[equals - params] = 0;
  return end != equals + 1 && !*end && isfinite(point->value) && isfinite(point->cells);
}

/* Adds the area if it belongs to this sweep's parameter; the first one decides which that is. */
static void add_area(sweep_t *sweep, const json_t *area) {
  char name[NAME];
  point_t point;
  if (sweep->count == MOST || !read_point(area, name, &point)) return;
  if (!*sweep->name) memcpy(sweep->name, name, sizeof sweep->name);
  if (strcmp(sweep->name, name) == 0) sweep->points[sweep->count++] = point;
}

static int by_value(const void *a, const void *b) {
  const point_t *p = a, *q = b;
  return (p->value > q->value) - (p->value < q->value);
}

/* Values in order of the parameter, whatever the order of the runs. */
static void draw_sweep(FILE *out, sweep_t *sweep) {
  double x[MOST], cells[MOST], most = 0;
  qsort(sweep->points, sweep->count, sizeof *sweep->points, by_value);
  for (size_t i = 0; i < sweep->count; i++) {
    x[i] = sweep->points[i].value, cells[i] = sweep->points[i].cells;
    most = fmax(most, cells[i]);
  }
  char title[NAME + 32], about[NAME + 96];
  snprintf(title, sizeof title, "Area over %s", sweep->name);
  snprintf(about, sizeof about, "Area in gate equivalents against %s, the other parameters at their defaults",
           sweep->name);
  const svg_series_t series[] = {{"cells", x, cells, sweep->count, false}};
  const svg_chart_t chart = {title, about, sweep->name, "GE", 0, x[sweep->count - 1], most, NAN, "", NULL};
  html(out, "<p class=\"note\">%s</p>", title);
  svg_lines(out, &chart, series, 1);
}

/* All areas of the block by number: its variants, then its own. */
static const json_t *area_at(const json_t *area, size_t i) {
  const json_t *list = json_object_get(area, "variants");
  return i < json_array_size(list) ? json_array_get(list, i) : area;
}

/* Quadratic in the number of areas, which is small. `before` keeps a parameter from a second
 * chart. */
void page_sweeps(FILE *out, const json_t *area) {
  const size_t count = json_array_size(json_object_get(area, "variants")) + 1;
  for (size_t i = 0; i < count; i++) {
    sweep_t before = {0}, sweep = {0};
    add_area(&sweep, area_at(area, i));
    if (!sweep.count) continue;
    memcpy(before.name, sweep.name, sizeof before.name);
    for (size_t k = 0; k < i; k++) add_area(&before, area_at(area, k));
    if (before.count) continue; /* drawn where its parameter was met first */
    for (size_t k = i + 1; k < count; k++) add_area(&sweep, area_at(area, k));
    if (sweep.count >= LEAST) draw_sweep(out, &sweep);
  }
}
