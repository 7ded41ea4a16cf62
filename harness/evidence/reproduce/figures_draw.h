/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures of figures beside the paper's, by gnuplot: a bar chart a group, FOLDER/SYSTEM-GROUP.svg
 * and .png, and of a group that has two columns to compare (figure_system_t's orders) one against
 * the other, a point a workload, FOLDER/SYSTEM-GROUP-against.
 */
#ifndef FIGURES_DRAW_H
#define FIGURES_DRAW_H

#include "figures.h"
#include "trouble.h"

bool figures_draw_check(const char *folder, trouble_t *trouble);
/* drawings: groups of which something is known, and drawn. */
bool figures_draw(const char *folder, const figure_system_t *system, const figure_result_t *result, unsigned count,
                  const bool *workload, unsigned *drawings, trouble_t *trouble);

#endif
