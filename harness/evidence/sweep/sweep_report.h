/* SPDX-License-Identifier: Apache-2.0
 *
 * What a sweep gave: a table for people, rows of CSV, JSON.
 */
#ifndef SWEEP_REPORT_H
#define SWEEP_REPORT_H

#include <stdio.h>

#include "sweep.h"

/* A row a point: its settings, then of each metric the mean,
 * with seeds the least and most, too; then what failed. */
void sweep_print(const sweep_t *sweep, const char *command, FILE *out);

/* A row a run: settings, seed, state, metrics. */
void sweep_csv(const sweep_t *sweep, FILE *out);

/* Adds the keys of docs/schema/sweep.json that are the sweep's. */
void sweep_json(const sweep_t *sweep, json_t *root);

#endif
