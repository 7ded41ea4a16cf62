/* SPDX-License-Identifier: Apache-2.0
 *
 * Area at a node other than the cells' own.
 *
 * Logic scales by published factors (synth/scaling.csv). Between two factors it follows the line
 * through both in logarithms. `ideal` has the square of the nodes' quotient for comparison.
 * Memory macros have their own fit (sram_area.h) and scale by the square.
 */
#ifndef NODE_SCALE_H
#define NODE_SCALE_H

#include <stdbool.h>
#include <stddef.h>

#include "sram_area.h"
#include "trouble.h"

enum { NODE_MOST = 32, NODE_CELLS_NM = 180 };

/* How far real libraries are off the published factor, 0.053 at 45 nm. Both are measured from
 * 180 nm: NAND2X1 of Nangate's open 45 nm library over osu018's (0.798 um2 / 24 um2 = 0.033); a
 * multiplier that its authors synthesised at both nodes (mul8_186 of EvoApprox8b, 462 / 6380 =
 * 0.072). */
#define NODE_LOW (0.798 / 24 / 0.053)
#define NODE_HIGH (462.0 / 6380 / 0.053)

typedef struct {
  double nm[NODE_MOST], factor[NODE_MOST];
  unsigned count;
} node_factors_t;

typedef struct {
  unsigned nm;
  double cells, macros; /* um2 */
  double low, high;     /* range of the sum; macros vary by the fit's worst memory */
  double ideal;         /* the sum, with cells scaled by the square of the nodes' quotient */
} node_area_t;

extern const unsigned node_papers[]; /* the papers' nodes, 0 at the end */

/* False: trouble says which line of the file is wrong. */
bool node_read(node_factors_t *factors, const char *path, trouble_t *trouble);

/* Area at nm over area at 180 nm. Outside of the table, the nearest end scales by the square. */
double node_factor(const node_factors_t *factors, double nm);

/* cells: um2 at cells_nm. macros: um2 at SRAM_DATA_NM. Returns um2 at nm. */
node_area_t node_scale(const node_factors_t *factors, const sram_fit_t *fit, double cells, unsigned cells_nm,
                       double macros, unsigned nm);

#endif
