/* SPDX-License-Identifier: Apache-2.0
 *
 * What `run` reports of a workload on a system: for people and as JSON (docs/json.md). Both have
 * the same facts.
 */
#ifndef RUN_REPORT_H
#define RUN_REPORT_H

#include "json_sure.h"
#include <stdio.h>

#include "simulate.h"
#include "trouble.h"

/* A run, and the run of its rival, if the system has one. */
typedef struct {
  const char *config;                         /* a file of values besides the system's own, or NULL */
  const simulate_job_t *job, *rival;          /* NULL: none */
  bool rival_known;                           /* its cycles are those of an earlier run */
  const simulate_result_t *result, *baseline; /* the same one when the system has no rival */
} run_report_t;

/* Adds to root what a machine counted, whatever ran on it: settings, cycles, engines, lockstep,
 * parts, what is made of their counters, energy. False: a counter is missing, as trouble says. */
bool run_report_machine(json_t *root, const system_options_t *system, const system_stats_t *stats, trouble_t *trouble);

/* The whole result. NULL: a counter is missing that something is computed from. */
json_t *run_report_json(const run_report_t *report, trouble_t *trouble);
void run_report_print(const run_report_t *report, const json_t *json, FILE *out); /* json: what run_report_json gave */
json_t *run_report_settings(const composition_t *composition);                    /* every key's value; clocks in MHz */
/* Memory is right in both runs, and nothing diverged. */
bool run_report_held(const run_report_t *report);

#endif
