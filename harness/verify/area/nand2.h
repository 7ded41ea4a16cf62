/* SPDX-License-Identifier: Apache-2.0
 *
 * How many um2 a gate equivalent is: areas of NAND gates with two inputs in published libraries
 * (synth/nand2.csv).
 *
 * A node with several libraries has their geometric mean; their least and greatest are its
 * spread. A node with one library borrows the spread of a fit: a line in logarithms through all
 * means, and the factor by which the worst mean is off that line. Between two nodes, the mean
 * and both ends of the spread lie on lines in logarithms.
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
  double residual; /* error of the fit, a factor above 1 */
} nand2_t;

typedef struct {
  double um2, low, high; /* one gate equivalent; below 0: the node is outside the published range */
  double above, below;   /* the published nodes around it; 0: it is published itself */
  unsigned libraries;    /* how many libraries the node, or both nodes, have */
} nand2_area_t;

/* False: INPUT, "FILE:LINE: should be ..."; ENVIRONMENT, it cannot be read. */
bool nand2_read(nand2_t *table, const char *path, trouble_t *trouble);

/* um2 of a gate equivalent at this node. Outside of the published nodes, all figures are below
 * 0. */
nand2_area_t nand2_at(const nand2_t *table, double nm);

#endif
