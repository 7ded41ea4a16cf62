/* SPDX-License-Identifier: Apache-2.0
 *
 * Macros for the lists of figures, one for each system (figures_X.c). Such a file is data, in
 * this order:
 *
 *    workloads[]        names, NULL-terminated
 *    configurations[]   what is simulated or compiled: a name, a text, settings
 *    quantities[]       what is read of a result: a name, an expression of quantity.h
 *    groups[]           tables and pictures of the report: a name, a title, a note
 *    figures[]          two quantities of two configurations, the paper's id, why ours differs
 *
 * Its enums end in CONFIGURATIONS, QUANTITIES and GROUPS, and its quantities include CYCLES and
 * ENERGY. Strings are printed as they are: a title ends in its unit.
 */
#ifndef FIGURE_TABLES_H
#define FIGURE_TABLES_H

#include "figures.h"

/* The tables of a figure_system_t. */
#define FIGURE_TABLES                                                                                                  \
  .workloads = workloads, .configurations = configurations, .quantities = quantities, .groups = groups,                \
  .figures = figures, .num_workloads = sizeof workloads / sizeof *workloads - 1, .num_configurations = CONFIGURATIONS, \
  .num_quantities = QUANTITIES, .num_groups = GROUPS, .num_figures = sizeof figures / sizeof *figures

/* A class: the settings of a workload's second size. text: what share of the first size that is. */
#define SECOND_SIZE_OF(workload, text, ...) \
  {                                         \
    workload, text, FIGURE_SECOND_SIZE, {   \
      __VA_ARGS__                           \
    }                                       \
  }

/* The last members of a figure: the mean over all workloads, the mean over some, or another
 * choice over some. */
#define ALL NULL, 0, FIGURE_MEAN, FIGURE_BEST
#define OF(workloads) workloads, 0, FIGURE_MEAN, FIGURE_BEST
#define WHAT_OF(workloads, compared) workloads, 0, compared, FIGURE_BEST

/* GAIN: speed-up in %, cycles of `rival` over ours. SHARE: a part in %. DROP: a reduction in %.
 * The last argument is one of the macros above. */
#define GAIN(id, group, column, rival, ours, why, ...) \
  { id, group, column, 1, CYCLES, rival, CYCLES, ours, why, FIGURE_GAIN, __VA_ARGS__ }
#define SHARE(id, group, column, over, over_in, under, under_in, why, ...) \
  { id, group, column, 100, over, over_in, under, under_in, why, FIGURE_QUOTIENT, __VA_ARGS__ }
#define DROP(id, group, column, quantity, rival, ours, why, ...) \
  { id, group, column, 1, quantity, ours, quantity, rival, why, FIGURE_DROP, __VA_ARGS__ }

#endif
