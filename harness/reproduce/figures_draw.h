/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures of figures beside the paper's, a bar chart a group, by gnuplot: FOLDER/SYSTEM-GROUP.svg and .png.
 */
#ifndef FIGURES_DRAW_H
#define FIGURES_DRAW_H

#include "figures.h"
#include "trouble.h"

bool figures_draw_check(const char *folder, trouble_t *trouble);
bool figures_draw(const char *folder, const figure_system_t *system, const figure_result_t *result, unsigned count, const bool *workload, trouble_t *trouble);

#endif
