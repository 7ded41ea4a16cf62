/* SPDX-License-Identifier: Apache-2.0
 *
 * Charts as inline SVG. They are drawn for a width of 360 (a phone's) and scale up. Colours are
 * classes of style.css, so that they follow light and dark. Each chart has a title and a
 * description for readers who cannot see it. Points that are not finite are left out.
 */
#ifndef SVG_H
#define SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { SVG_WIDTH = 360, SVG_SERIES = 6 };

typedef struct {
  const char *title, *about; /* what the chart shows, in words */
  const char *x_label, *y_label;
  double x_least, x_most, y_most; /* ends of the axes; y begins at 0 */
  double mark;                    /* x of a vertical line; NAN: none */
  const char *mark_label;
  const char *const *x_names; /* labels of x = 1, 2, ... x_most; NULL: numbers */
} svg_chart_t;

typedef struct {
  const char *name;
  const double *x, *y;
  size_t count;
  bool dashed;
} svg_series_t;

/* Up to SVG_SERIES series have different colours. Without a point to draw, it writes a sentence
 * instead. */
void svg_lines(FILE *out, const svg_chart_t *chart, const svg_series_t *series, size_t count);

/* Stacked columns, one a category: value[category * parts + part]. */
typedef struct {
  const char *title, *about, *y_label;
  size_t categories, parts;
  const char *const *category; /* may be NULL */
  const char *const *part;
  const char *const *classes; /* class of each part */
  const double *value;
} svg_columns_t;
void svg_columns(FILE *out, const svg_columns_t *columns);

/* A horizontal bar of several parts; nothing when all are 0. */
void svg_stack(FILE *out, const char *title, const char *const *part, const char *const *classes, const double *value,
               size_t parts);

/* A small line for a sentence or a cell. Bad values and the last one have dots. */
void svg_spark(FILE *out, const char *title, const double *value, const bool *bad, size_t count);

/* Returns the end of an axis, at least `most`; *step is the distance of its ticks: 1, 2, 2.5 or
 * 5 times a power of ten. */
double svg_axis(double most, double *step);

#endif
