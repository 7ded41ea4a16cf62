/* SPDX-License-Identifier: Apache-2.0
 *
 * A sweep as a picture. The numeric setting with most values is along x. Each combination of the
 * others is a curve. Each metric has a panel. Bars show the range over seeds. Settings whose
 * values are words stand side by side as bars.
 */
#ifndef SWEEP_PLOT_H
#define SWEEP_PLOT_H

#include "sweep.h"
#include "trouble.h"

enum { SWEEP_CURVES = 16 };

bool sweep_plot_named(const char *path); /* does the name end as a picture's? */

/* Can the picture be drawn, and is gnuplot there? Ask before hours of runs. False: trouble says
 * why. */
bool sweep_plot_check(const sweep_t *sweep, trouble_t *trouble);

bool sweep_plot(const sweep_t *sweep, const char *path, trouble_t *trouble);

#endif
