/* SPDX-License-Identifier: Apache-2.0
 *
 * What `run` says of a workload on a system: for people and as JSON (docs/json.md). The same facts in both.
 */
#ifndef RUN_REPORT_H
#define RUN_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "simulate.h"

typedef struct {
  const char *system, *config;               /* "nsu", file of the configuration */
  const simulate_job_t *job;
  const simulate_result_t *result, *baseline; /* the same one when the system is the baseline */
} run_report_t;

void run_report_print(const run_report_t *report, FILE *out);
json_t *run_report_json(const run_report_t *report);
bool run_report_held(const run_report_t *report); /* memory is right in both, and nothing diverged */

/* The configuration as a YAML file that --config takes, each value with its text. */
void run_report_config(const system_config_t *config, FILE *out);

#endif
