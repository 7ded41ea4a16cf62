/* SPDX-License-Identifier: Apache-2.0
 *
 * What `run` says of a workload on a system: for people and as JSON (docs/json.md). The same facts
 * in both.
 */
#ifndef RUN_REPORT_H
#define RUN_REPORT_H

#include "json_sure.h"
#include <stdio.h>

#include "simulate.h"
#include "trouble.h"

typedef struct {
  const char *config;                         /* a file of values besides the system's own, or NULL */
  const simulate_job_t *job, *rival;          /* NULL: none */
  bool rival_known;                           /* its cycles are those of an earlier run */
  const simulate_result_t *result, *baseline; /* the same one when the system has no rival */
} run_report_t;

/* What a machine counted, whatever ran on it: settings, cycles,
 * engines, lockstep, parts, what is made of their counters, energy. */
bool run_report_machine(json_t *root, const system_options_t *system, const system_stats_t *stats, trouble_t *trouble);

/* NULL: a counter is missing that something is computed of. */
json_t *run_report_json(const run_report_t *report, trouble_t *trouble);
void run_report_print(const run_report_t *report, const json_t *json, FILE *out); /* json: what run_report_json gave */
json_t *run_report_settings(const composition_t *composition);                    /* every key's value, clocks in MHz */
/* memory is right in both, and nothing diverged */
bool run_report_held(const run_report_t *report);

#endif
