/* SPDX-License-Identifier: Apache-2.0
 *
 * Results of runs on disk: FOLDER/SYSTEM-WORKLOAD-CONFIGURATION-SCALE.json, {schema, identity,
 * arguments, result}. A file appears whole or not at all. A result of another program, of other
 * arguments, or of inputs that have changed since is not taken.
 */
#ifndef RUN_STORE_H
#define RUN_STORE_H

#include "figure_runs.h"

bool run_store_write(const figure_runs_t *runs, const figure_run_t *run, json_t *result); /* false: errno */
/* A new reference. NULL: nothing to take; if there is a file all the same, runs->others counts
 * it. */
json_t *run_store_read(figure_runs_t *runs, const figure_run_t *run);

#endif
