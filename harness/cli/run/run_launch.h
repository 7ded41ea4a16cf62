/* SPDX-License-Identifier: Apache-2.0
 *
 * What `run` says of a launch file besides: each launch, comparisons with their first differences,
 * files that were written.
 */
#ifndef RUN_LAUNCH_H
#define RUN_LAUNCH_H

#include "json_sure.h"

#include <stdbool.h>
#include <stdio.h>

/* facts: simulate_result_t's; NULL: of a workload that has none */
void run_launch_add(json_t *root, const char *facts);
void run_launch_print(const json_t *root, FILE *out);
bool run_launch_compared(const json_t *root);        /* false: a launch file without a comparison */
void run_launch_held(const json_t *root, FILE *out); /* the line of a run that found nothing wrong */

#endif
