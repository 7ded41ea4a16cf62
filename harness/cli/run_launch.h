/* SPDX-License-Identifier: Apache-2.0
 *
 * What `run` says of a launch file besides: each launch, comparisons with their first differences, files that were written.
 */
#ifndef RUN_LAUNCH_H
#define RUN_LAUNCH_H

#include "json_sure.h"
#include <stdio.h>

void run_launch_add(json_t *root, const char *facts); /* facts: simulate_result_t's; NULL: of a workload that has none */
void run_launch_print(const json_t *root, FILE *out);
const char *run_launch_right(const json_t *root); /* what "result is right" means */

#endif
