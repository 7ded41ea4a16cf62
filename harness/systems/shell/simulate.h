/* SPDX-License-Identifier: Apache-2.0
 *
 * One workload on one system, in a process of its own.
 *
 * SystemC elaborates once a process, and the CPU time and memory of the named system alone are
 * wanted: so a child runs it and sends its result back. A child that dies is an error of the
 * environment, not of the caller.
 */
#ifndef SIMULATE_H
#define SIMULATE_H

#include "system.h"
#include "workload.h"

typedef struct {
  system_options_t system; /* progress is the caller's: called in this process */
  const workload_t *workload;
  const char *ptx_path; /* NULL: the workload's own kernel; else a module with the same entries */
  int64_t values[WORKLOAD_MAX_PARAMS];
  capture_t capture; /* replay files of instances that diverge */
  bool keep;         /* files that the workload writes */
} simulate_job_t;

typedef struct {
  trouble_t trouble;        /* kind NONE: the workload ran and its result was checked */
  char waits[SYSTEM_WAITS]; /* of a deadlock: a line for each thing that waits; else "" */
  bool result_ok;
  trouble_t wrong; /* not ok: the first wrong element */
  char *facts;     /* of a workload that has some: an object of JSON; NULL: none */
  system_stats_t stats;
  /* system.gates: what they counted; of none, or of
   * gates that are not as the model, without windows */
  toggles_t toggles;
  char counter[32]; /* of that instance, "" where nothing is counted of it, and how much */
  uint64_t counted;
  double cpu_seconds; /* user and system time of the child */
  uint64_t peak_rss_bytes;
} simulate_result_t;

void simulate(const simulate_job_t *job, simulate_result_t *result);

void simulate_result_free(simulate_result_t *result);

/* The same in this very process; only once. cpu_seconds and peak_rss_bytes stay 0. */
void simulate_here(const simulate_job_t *job, simulate_result_t *result);

#endif
