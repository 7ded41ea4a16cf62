/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the papers' areas and storage with ours (papers.def).
 */
#ifndef PAPERS_H
#define PAPERS_H

#include "area.h"
#include "node_scale.h"

typedef struct {
  const char *id, *what, *value, *unit, *source;
  const char *block, *include, *exclude; /* block "": we have no RTL for it */
  unsigned count, nm;
  const char *note;
} paper_t;

extern const paper_t papers[];
extern const unsigned papers_count;

/* Our figure for a row, in the paper's unit (mm2 or KB). area: of the block with default
 * parameters on standard cells; NULL: not measured. nm: the cells' node; 0: no node, so
 * flip-flops have no um2. Below 0: not known. */
double paper_ours(const paper_t *paper, const area_t *area, unsigned nm, const node_factors_t *factors,
                  const sram_fit_t *fit);

#endif
