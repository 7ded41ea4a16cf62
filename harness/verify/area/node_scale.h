/* SPDX-License-Identifier: Apache-2.0
 *
 * Area at other nodes than the cells'. Logic by published factors (synth/scaling.csv), between two
 * of them along the line through both in logarithms; beside it the ideal square. Memory macros by
 * their own fit (sram_area.h).
 */
#ifndef NODE_SCALE_H
#define NODE_SCALE_H

#include <stdbool.h>
#include <stddef.h>

#include "sram_area.h"
#include "trouble.h"

enum { NODE_MOST = 32, NODE_CELLS_NM = 180 };

/* How far a library's cells are from the published factor, measured at 45 nm, where it is 0.053:
 * the NAND2X1 of Nangate's open 45 nm library over osu018's (0.798 um2 / 24 um2 = 0.033), and a
 * multiplier (mul8_186 of EvoApprox8b) synthesised at both nodes by its authors (462 / 6380 =
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
  double low, high;     /* of both together: the cells' as above, the macros' by the fit's worst memory */
  double ideal;         /* of both, the cells' by the square of the nodes' quotient */
} node_area_t;

extern const unsigned node_papers[]; /* the papers' nodes, 0 at the end */

/* false with what went wrong when the file is not as it should be. */
bool node_read(node_factors_t *factors, const char *path, trouble_t *trouble);

/* 1 at 180 nm; outside of the table: its end, by the square */
double node_factor(const node_factors_t *factors, double nm);

/* um2 of cells at their node, cells_nm, and of macros at SRAM_DATA_NM. */
node_area_t node_scale(const node_factors_t *factors, const sram_fit_t *fit, double cells, unsigned cells_nm,
                       double macros, unsigned nm);

#endif
