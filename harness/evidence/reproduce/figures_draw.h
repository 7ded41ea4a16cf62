/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws figures beside the paper's with gnuplot. Each group gets a bar chart,
 * FOLDER/SYSTEM-GROUP.svg and .png. A group with two columns to compare (figure_system_t's
 * orders) also gets one column over the other, a point for each workload:
 * FOLDER/SYSTEM-GROUP-against.
 */
#ifndef FIGURES_DRAW_H
#define FIGURES_DRAW_H

#include "figures.h"
#include "trouble.h"

/* Is there gnuplot, and can files be made in this folder? Ask before hours of runs. */
bool figures_draw_check(const char *folder, trouble_t *trouble);
/* drawings: how many groups had a value to draw. workload: those that were asked for. False:
 * trouble says why. */
bool figures_draw(const char *folder, const figure_system_t *system, const figure_result_t *result, unsigned count,
                  const bool *workload, unsigned *drawings, trouble_t *trouble);

#endif
