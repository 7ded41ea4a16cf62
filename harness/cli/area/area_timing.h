/* SPDX-License-Identifier: Apache-2.0
 *
 * Timing of a block's netlist for `area --timing`: the netlist of `check --dut netlist`, through
 * OpenSTA.
 */
#ifndef AREA_TIMING_H
#define AREA_TIMING_H

#include "json_sure.h"

#include "area_report.h"
#include "build.h"

/* What --timing, --clock and --sdc ask for. */
typedef struct {
  bool wanted;
  double period;   /* --clock, in the cells' unit; 0: none */
  const char *sdc; /* NULL: none */
} area_clock_t;

/* Times the netlist of the job's block. The row gets `timing`, and `out` a report; details: with
 * the worst paths. own: a block outside the tree, else NULL. choice: the cells, as cells.h has a
 * choice. *shortest: the shortest clock period in the cells' unit, -1 where there is none. False:
 * trouble says why. */
bool area_timing_row(const area_clock_t *clock, FILE *out, const area_job_t *job, const block_t *own,
                     const char *choice, bool details, json_t *row, double *shortest, trouble_t *trouble);

#endif
