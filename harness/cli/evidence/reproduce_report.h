/* SPDX-License-Identifier: Apache-2.0
 *
 * What `reproduce` reports: the published figures, or ours beside them; for people and as JSON
 * (docs/json.md).
 */
#ifndef REPRODUCE_REPORT_H
#define REPRODUCE_REPORT_H

#include <stdio.h>

#include "figure_runs.h"

/* The figures of one system's runs. */
typedef struct {
  const figure_runs_t *runs;
  figure_result_t result[FIGURES_MAX]; /* of those asked for */
  unsigned count;
  bool complete;  /* all workloads, full scale, nothing set: what the paper's figures are compared with */
  double seconds; /* wall-clock */
} reproduce_report_t;

reproduce_report_t reproduce_report(const figure_runs_t *runs); /* computes the figures from the runs' results */
void reproduce_report_print(const reproduce_report_t *report, FILE *out);
json_t *reproduce_report_json(const reproduce_report_t *report, json_t *root); /* adds to root and returns it */

void reproduce_list_print(FILE *out); /* what the papers publish, and what can be run */
json_t *reproduce_list_json(json_t *root);
const char *reproduce_why_not(const published_t *figure); /* NULL: it can be run */

#endif
