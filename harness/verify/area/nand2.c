/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the table and interpolates. Rows come from the largest node to the smallest.
 */
#include "nand2.h"

#include "table_lines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the table: um2 is the sum of logarithms until all rows are read */

/* Adds a library to its node, or opens the next smaller node. False: the rows are not in order,
 * or too many nodes. */
static bool add_row(nand2_t *t, double nm, double um2) {
  nand2_node_t *n = t->nodes + t->count - 1;
  if (!t->count || nm < n->nm) {
    if (t->count == NAND2_NODES) return false;
    t->nodes[t->count++] = (nand2_node_t){nm, log(um2), um2, um2, 1};
    return true;
  }
  n->um2 += log(um2), n->libraries++;
  n->low = fmin(n->low, um2), n->high = fmax(n->high, um2);
  return nm == n->nm;
}

/* Fits log(um2) = slope * log(nm) + at_1 by least squares. Returns the greatest factor off the
 * line. */
static double fit_residual(const nand2_t *t) {
  double x = 0, y = 0, xx = 0, xy = 0, worst = 0;
  const double n = t->count;
  for (const nand2_node_t *k = t->nodes; k < t->nodes + t->count; k++)
    x += log(k->nm), y += log(k->um2), xx += log(k->nm) * log(k->nm), xy += log(k->nm) * log(k->um2);
  const double slope = (n * xy - x * y) / (n * xx - x * x), at_1 = (y - slope * x) / n;
  for (const nand2_node_t *k = t->nodes; k < t->nodes + t->count; k++)
    worst = fmax(worst, fabs(log(k->um2) - at_1 - slope * log(k->nm)));
  return exp(worst);
}

/* Turns sums of logarithms into means, then sets the spread of nodes with one library. */
static void finish_nand2_means(nand2_t *t) {
  for (nand2_node_t *n = t->nodes; n < t->nodes + t->count; n++) n->um2 = exp(n->um2 / n->libraries);
  t->residual = fit_residual(t);
  for (nand2_node_t *n = t->nodes; n < t->nodes + t->count; n++)
    if (n->libraries == 1) n->low = n->um2 / t->residual, n->high = n->um2 * t->residual;
}

static bool take_nand2_line(void *context, const char *line) {
  double nm, um2;
  int at = 0;
  return sscanf(line, "%lf,%lf,%n", &nm, &um2, &at) == 2 && at && nm > 0 && um2 > 0 && strchr(line, '\n') &&
         add_row(context, nm, um2);
}

bool nand2_read(nand2_t *t, const char *path, trouble_t *trouble) {
  *t = (nand2_t){0};
  if (!table_lines(path, take_nand2_line, t, "nm,um2,width,height,cell,library,source; from the largest nm downwards",
                   trouble))
    return false;
  if (t->count < 3) return trouble_set(trouble, TROUBLE_INPUT, "%s: too few nodes: three would be right", path);
  finish_nand2_means(t);
  return true;
}

/* ---- a node */

/* The value at nm on the line in logarithms through (a, at_a) and (b, at_b). */
static double interpolate_nand2(double nm, const nand2_node_t *a, const nand2_node_t *b, double at_a, double at_b) {
  return exp(log(at_a) + (log(at_b) - log(at_a)) * (log(nm) - log(a->nm)) / (log(b->nm) - log(a->nm)));
}

nand2_area_t nand2_at(const nand2_t *t, double nm) {
  const nand2_node_t *b = t->nodes, *end = t->nodes + t->count;
  while (b < end && b->nm > nm) b++;
  if (b < end && b->nm == nm) return (nand2_area_t){b->um2, b->low, b->high, 0, 0, b->libraries};
  if (b == t->nodes || b == end) return (nand2_area_t){-1, -1, -1, 0, 0, 0};
  const nand2_node_t *a = b - 1;
  return (nand2_area_t){interpolate_nand2(nm, a, b, a->um2, b->um2),
                        interpolate_nand2(nm, a, b, a->low, b->low),
                        interpolate_nand2(nm, a, b, a->high, b->high),
                        a->nm,
                        b->nm,
                        a->libraries + b->libraries};
}
