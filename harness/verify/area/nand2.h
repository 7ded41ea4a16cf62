/* SPDX-License-Identifier: Apache-2.0
 *
 * What a gate equivalent is in um2: areas of a NAND of two inputs in published libraries
 * (synth/nand2.csv).
 *
 * A node with several libraries has their geometric mean, and the least and the greatest of them as
 * its spread. A node with one has the spread of the fit: a line through the means of all nodes in
 * logarithms, and the factor by which the worst of them is off it. Between two nodes all three lie
 * on lines in logarithms.
 */
#ifndef NAND2_H
#define NAND2_H

#include "trouble.h"

#include <stdbool.h>

enum { NAND2_NODES = 32 };

typedef struct {
  double nm, um2, low, high;
  unsigned libraries;
} nand2_node_t;

typedef struct {
  nand2_node_t nodes[NAND2_NODES]; /* from the largest to the smallest */
  unsigned count;
  double residual; /* of the fit, a factor above 1 */
} nand2_t;

typedef struct {
  double um2, low, high; /* of one gate equivalent; below 0: the node is outside of the published ones */
  double above, below;   /* the published nodes that it lies between; 0: it is one of them */
  unsigned libraries;    /* of that node, or of both */
} nand2_area_t;

/* False: INPUT, "FILE:LINE: should be ..."; ENVIRONMENT, it cannot be read. */
bool nand2_read(nand2_t *table, const char *path, trouble_t *trouble);

nand2_area_t nand2_at(const nand2_t *table, double nm);

#endif
