/* SPDX-License-Identifier: Apache-2.0
 *
 * Least squares with two unknowns, solved by the normal equations. Both sides are divided by the
 * true value, so that the fit minimises relative errors.
 */
#include "sram_area.h"

#include "table_lines.h"

#include <math.h>
#include <stdio.h>

enum { MOST_MEMORIES = 64, AREA = 0, READ, WRITE, LEAKAGE, VALUES };

typedef struct {
  double bits, width, values[VALUES]; /* um2, joule, joule, watt */
} memory_t;

static const double units[VALUES] = {1e6, 1e-9, 1e-9, 1e-3};

typedef struct {
  memory_t list[MOST_MEMORIES];
  int count;
} memories_t;

/* "rows,width,mm2,nJ,nJ,mW", for instance "256,1024,0.356777,0.093155,0.142418,26.5729". */
static bool take_memory_line(void *context, const char *line) {
  memories_t *all = context;
  memory_t *m = &all->list[all->count];
  double rows, *v = m->values;
  if (all->count == MOST_MEMORIES) return false;
  if (sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf", &rows, &m->width, &v[AREA], &v[READ], &v[WRITE], &v[LEAKAGE]) != 6)
    return false;
  m->bits = rows * m->width;
  bool good = rows > 0 && m->width > 0;
  for (int i = 0; i < VALUES; i++) good = good && v[i] > 0, v[i] *= units[i];
  all->count += good;
  return good;
}

static double sram_line_value(const sram_line_t *line, double bits, double width) {
  return line->per_bit * bits + line->per_width2 * width * width;
}

/* The greatest relative error of the line at any memory of the data. */
static void measure_worst_error(sram_line_t *line, const memory_t *memories, int count, int value) {
  for (int i = 0; i < count; i++)
    line->worst = fmax(
        line->worst, fabs(sram_line_value(line, memories[i].bits, memories[i].width) / memories[i].values[value] - 1));
}

/* False: the memories are too few, or bits and width^2 are proportional in all of them. */
static bool fit_both(sram_line_t *line, const memory_t *memories, int count, int value) {
  double xx = 0, xy = 0, yy = 0, x1 = 0, y1 = 0; /* sums of the normal equations; both sides over the true value */
  for (int i = 0; i < count; i++) {
    const double x = memories[i].bits / memories[i].values[value],
                 y = memories[i].width * memories[i].width / memories[i].values[value];
    xx += x * x, xy += x * y, yy += y * y, x1 += x, y1 += y;
  }
  const double det = xx * yy - xy * xy;
  if (det <= 1e-9 * xx * yy) return false;
  *line = (sram_line_t){.per_bit = (x1 * yy - y1 * xy) / det, .per_width2 = (y1 * xx - x1 * xy) / det};
  measure_worst_error(line, memories, count, value);
  return true;
}

/* The same with one unknown: leakage is of the cells alone. */
static void fit_bits(sram_line_t *line, const memory_t *memories, int count, int value) {
  double xx = 0, x1 = 0;
  for (int i = 0; i < count; i++) {
    const double x = memories[i].bits / memories[i].values[value];
    xx += x * x, x1 += x;
  }
  *line = (sram_line_t){.per_bit = x1 / xx};
  measure_worst_error(line, memories, count, value);
}

bool sram_fit(sram_fit_t *fit, const char *path, trouble_t *trouble) {
  memories_t all = {.count = 0};
  const memory_t *list = all.list;
  *fit = (sram_fit_t){.least_bits = HUGE_VAL, .least_width = HUGE_VAL};
  if (!table_lines(path, take_memory_line, &all, "rows, bits of a row, mm2, nJ of a read, nJ of a write, mW of leakage",
                   trouble))
    return false;
  if (!fit_both(&fit->area, list, all.count, AREA) || !fit_both(&fit->read, list, all.count, READ) ||
      !fit_both(&fit->write, list, all.count, WRITE))
    return trouble_set(trouble, TROUBLE_INPUT, "%s: too few different memories for a fit", path);
  fit_bits(&fit->leakage, list, all.count, LEAKAGE);
  for (const memory_t *m = list; m < list + all.count; m++) {
    fit->least_bits = fmin(fit->least_bits, m->bits), fit->most_bits = fmax(fit->most_bits, m->bits);
    fit->least_width = fmin(fit->least_width, m->width), fit->most_width = fmax(fit->most_width, m->width);
  }
  return true;
}

double sram_at(const sram_line_t *line, unsigned long rows, unsigned long width) {
  return sram_line_value(line, (double)rows * (double)width, (double)width);
}

double sram_um2(const sram_fit_t *fit, unsigned long rows, unsigned long width, double nm) {
  double scale = nm / SRAM_DATA_NM;
  return sram_at(&fit->area, rows, width) * scale * scale;
}

bool sram_outside(const sram_fit_t *fit, unsigned long rows, unsigned long width) {
  double bits = (double)rows * (double)width, w = (double)width;
  return bits < fit->least_bits || bits > fit->most_bits || w < fit->least_width || w > fit->most_width;
}
