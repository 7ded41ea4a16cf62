/* SPDX-License-Identifier: Apache-2.0 */
#include "sram_area.h"

#include "judged.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_MEMORIES = 64 };

typedef struct {
  double bits, width, um2;
} memory_t;

static int read_memories(memory_t *memories, const char *path, trouble_t *trouble) {
  char line[256];
  unsigned number = 0;
  int count = 0;
  judged_file(path);
  FILE *file = fopen(path, "r");
  if (!file) count = -1, trouble_set(trouble, TROUBLE_ENVIRONMENT, "%s: %s", path, strerror(errno));
  while (file && count >= 0 && fgets(line, sizeof line, file)) {
    double rows, width, mm2;
    number++;
    if (*line == '#') continue;
    if (count < MOST_MEMORIES && sscanf(line, "%lf,%lf,%lf", &rows, &width, &mm2) == 3 && rows > 0 && width > 0 && mm2 > 0)
      memories[count++] = (memory_t){rows * width, width, mm2 * 1e6};
    else {
      trouble_set(trouble, TROUBLE_INPUT, "%s:%u: should be: rows, bits of a row, mm2", path, number);
      count = -1;
    }
  }
  if (file) fclose(file);
  return count;
}

static double at_node(const sram_fit_t *fit, double bits, double width) {
  return fit->per_bit * bits + fit->per_width2 * width * width;
}

static void measure(sram_fit_t *fit, const memory_t *m) {
  double wrong = fabs(at_node(fit, m->bits, m->width) / m->um2 - 1);
  fit->worst = fmax(fit->worst, wrong);
  fit->least_bits = fmin(fit->least_bits, m->bits), fit->most_bits = fmax(fit->most_bits, m->bits);
  fit->least_width = fmin(fit->least_width, m->width), fit->most_width = fmax(fit->most_width, m->width);
}

bool sram_fit(sram_fit_t *fit, const char *path, trouble_t *trouble) {
  memory_t memories[MOST_MEMORIES];
  int count = read_memories(memories, path, trouble);
  double xx = 0, xy = 0, yy = 0, x1 = 0, y1 = 0; /* sums of the normal equations; both sides over the true area */
  for (int i = 0; i < count; i++) {
    double x = memories[i].bits / memories[i].um2, y = memories[i].width * memories[i].width / memories[i].um2;
    xx += x * x, xy += x * y, yy += y * y, x1 += x, y1 += y;
  }
  double det = xx * yy - xy * xy;
  *fit = (sram_fit_t){.least_bits = HUGE_VAL, .least_width = HUGE_VAL};
  if (count < 0) return false;
  if (det <= 1e-9 * xx * yy) return trouble_set(trouble, TROUBLE_INPUT, "%s: too few different memories for a fit", path);
  fit->per_bit = (x1 * yy - y1 * xy) / det;
  fit->per_width2 = (y1 * xx - x1 * xy) / det;
  for (int i = 0; i < count; i++) measure(fit, &memories[i]);
  return true;
}

double sram_um2(const sram_fit_t *fit, unsigned long rows, unsigned long width, double nm) {
  double scale = nm / SRAM_DATA_NM;
  return at_node(fit, (double)rows * (double)width, (double)width) * scale * scale;
}

bool sram_outside(const sram_fit_t *fit, unsigned long rows, unsigned long width) {
  double bits = (double)rows * (double)width, w = (double)width;
  return bits < fit->least_bits || bits > fit->most_bits || w < fit->least_width || w > fit->most_width;
}
