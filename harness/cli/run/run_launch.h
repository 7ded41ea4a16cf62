/* SPDX-License-Identifier: Apache-2.0
 *
 * What `run` reports of a launch file besides the counts: each launch, comparisons with their first
 * differences, files that were written.
 */
#ifndef RUN_LAUNCH_H
#define RUN_LAUNCH_H

#include "json_sure.h"

#include <stdbool.h>
#include <stdio.h>

/* Adds the launch file's facts to the result. facts: simulate_result_t's JSON text; NULL: the
 * workload has none. */
void run_launch_add(json_t *root, const char *facts);
/* Prints them; nothing for a workload that has none. */
void run_launch_print(const json_t *root, FILE *out);
bool run_launch_compared(const json_t *root);        /* false: a launch file that compares nothing */
void run_launch_held(const json_t *root, FILE *out); /* the last line of a run that found nothing wrong */

#endif
