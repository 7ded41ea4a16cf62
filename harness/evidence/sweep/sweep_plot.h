/* SPDX-License-Identifier: Apache-2.0
 *
 * A sweep as a picture: along x of the settings whose values are numbers the one with most, a curve
 * for each combination of the others, a panel for each metric; bars of the range over seeds.
 * Settings that are words alone stand as bars side by side.
 */
#ifndef SWEEP_PLOT_H
#define SWEEP_PLOT_H

#include "sweep.h"
#include "trouble.h"

enum { SWEEP_CURVES = 16 };

bool sweep_plot_named(const char *path); /* it ends as a picture does */

/* Before the runs: is there what draws it, and can it be drawn? */
bool sweep_plot_check(const sweep_t *sweep, trouble_t *trouble);

bool sweep_plot(const sweep_t *sweep, const char *path, trouble_t *trouble);

#endif
