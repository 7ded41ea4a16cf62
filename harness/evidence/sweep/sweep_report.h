/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports a sweep as a table, as CSV, and as JSON.
 */
#ifndef SWEEP_REPORT_H
#define SWEEP_REPORT_H

#include <stdio.h>

#include "sweep.h"

/* A row for each point: its settings, then each metric's mean, with seeds also its least and
 * most. Then notes, and the runs that failed with their commands. */
void sweep_print(const sweep_t *sweep, const char *command, FILE *out);

/* A row for each run: settings, seed, state, metrics. */
void sweep_csv(const sweep_t *sweep, FILE *out);

/* Adds the keys of docs/schema/sweep.json that are the sweep's. */
void sweep_json(const sweep_t *sweep, json_t *root);

#endif
