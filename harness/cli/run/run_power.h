/* SPDX-License-Identifier: Apache-2.0
 *
 * `run --power INSTANCE`: power of one instance's gates under the traffic of a workload.
 */
#ifndef RUN_POWER_H
#define RUN_POWER_H

#include "json_sure.h"

#include "simulate.h"

#include <stdio.h>

/* What --power and the options with it ask for. */
typedef struct {
  const char *instance; /* --power; NULL: none */
  char cells[RTL_LIST]; /* --cells, --liberty */
  double period;        /* --power-clock, ns; 0: the instance's own clock */
  const char *pictures; /* --draw; NULL: none */
  const char *folder;   /* --out */
} run_power_t;

/* Before the run: chooses the instance whose gates will count toggles, and checks that all tools
 * are there. 0, also without --power, or the exit code after a line. */
int run_power_choose(const run_power_t *wish, system_options_t *system);

/* After the run's report: prints the power and adds `power` to root. `power` is null if the gates
 * differ from their model, or had no cycle; without --power nothing is added. 0, or the exit code
 * after a line. */
int run_power_report(const run_power_t *wish, const simulate_job_t *job, const simulate_result_t *result, json_t *root,
                     FILE *out);

#endif
