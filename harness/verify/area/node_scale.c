/* SPDX-License-Identifier: Apache-2.0
 *
 * The published factors and lines between them.
 */
#include "node_scale.h"

#include "table_lines.h"

#include <math.h>
#include <stdio.h>

/* 40: the TOM paper and CACTI's data. 22: CACTI's smallest node. 20: the MPU paper. */
const unsigned node_papers[] = {40, 22, 20, 0};

/* "130,0.34". The first row is 180 nm with the factor 1, and nodes get smaller. */
static bool take_factor_line(void *context, const char *line) {
  node_factors_t *f = context;
  double *nm = &f->nm[f->count], *factor = &f->factor[f->count];
  if (f->count == NODE_MOST || sscanf(line, "%lf,%lf", nm, factor) != 2 || *nm <= 0 || *factor <= 0) return false;
  return f->count++ ? *nm < nm[-1] : *nm == NODE_CELLS_NM && *factor == 1;
}

bool node_read(node_factors_t *f, const char *path, trouble_t *trouble) {
  char should_be[64];
  snprintf(should_be, sizeof should_be, "nm, factor; from %d,1 downwards", NODE_CELLS_NM);
  f->count = 0;
  if (!table_lines(path, take_factor_line, f, should_be, trouble)) return false;
  return f->count >= 2 || trouble_set(trouble, TROUBLE_INPUT, "%s: too few nodes", path);
}

double node_factor(const node_factors_t *f, double nm) {
  unsigned i = 1, last = f->count - 1;
  if (nm >= f->nm[0]) return f->factor[0] * pow(nm / f->nm[0], 2);
  if (nm <= f->nm[last]) return f->factor[last] * pow(nm / f->nm[last], 2);
  while (f->nm[i] > nm) i++;
  double slope = log(f->factor[i - 1] / f->factor[i]) / log(f->nm[i - 1] / f->nm[i]);
  return f->factor[i] * pow(nm / f->nm[i], slope);
}

node_area_t node_scale(const node_factors_t *f, const sram_fit_t *fit, double cells, unsigned cells_nm, double macros,
                       unsigned nm) {
  double square = pow((double)nm / cells_nm, 2), of_macros = macros * pow((double)nm / SRAM_DATA_NM, 2);
  node_area_t a = {.nm = nm, .cells = cells * node_factor(f, nm) / node_factor(f, cells_nm), .macros = of_macros};
  a.low = a.cells * NODE_LOW + of_macros / (1 + fit->area.worst);
  a.high = a.cells * NODE_HIGH + of_macros * (1 + fit->area.worst);
  a.ideal = cells * square + of_macros;
  return a;
}
