/* SPDX-License-Identifier: Apache-2.0
 *
 * Charts as inline SVG. They are drawn for a width of 360 (a phone's) and scale up; colours are
 * classes of style.css, so that they follow light and dark. Each has a title and a description for
 * those who cannot see it. Points that are not finite are left out.
 */
#ifndef SVG_H
#define SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { SVG_WIDTH = 360, SVG_SERIES = 6 };

typedef struct {
  const char *title, *about; /* what it shows, in words */
  const char *x_label, *y_label;
  double x_least, x_most, y_most; /* of the axes; y begins at 0 */
  double mark;                    /* a vertical line here; NAN: none */
  const char *mark_label;
  const char *const *x_names; /* of x = 1, 2, ... to x_most, instead of numbers; NULL: numbers */
} svg_chart_t;

typedef struct {
  const char *name;
  const double *x, *y;
  size_t count;
  bool dashed;
} svg_series_t;

void svg_lines(FILE *out, const svg_chart_t *chart, const svg_series_t *series, size_t count);

/* Stacked columns, one a category: value[category * parts + part]. */
typedef struct {
  const char *title, *about, *y_label;
  size_t categories, parts;
  const char *const *category; /* may be NULL */
  const char *const *part;
  const char *const *classes; /* of each part */
  const double *value;
} svg_columns_t;
void svg_columns(FILE *out, const svg_columns_t *columns);

/* One horizontal bar of several parts; nothing when all are 0. */
void svg_stack(FILE *out, const char *title, const char *const *part, const char *const *classes, const double *value,
               size_t parts);

/* A small line along a sentence or in a cell: values in their
 * order, those that are bad marked, the last one too. */
void svg_spark(FILE *out, const char *title, const double *value, const bool *bad, size_t count);

/* Where a round tick of an axis is; *step: between them. Returns the end of the axis, >= most. */
double svg_axis(double most, double *step);

#endif
