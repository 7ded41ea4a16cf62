/* SPDX-License-Identifier: Apache-2.0
 *
 * What runs in a closed loop found, for people and as JSON (docs/json.md,
 * lockstack.network_closed). Each policy runs with the same seeds. A gain compares instructions a
 * cycle with those of the first policy at the same seed.
 */
#ifndef CLOSED_REPORT_H
#define CLOSED_REPORT_H

#include "json_sure.h"
#include <stdio.h>

#include "closed_run.h"
#include "network_policy.h"

/* The runs of one policy: result[k] is of seed + k. */
typedef struct closed_policy_run {
  network_policy_t policy;
  router_params_t params;
  closed_result_t result[CLOSED_MAX_SEEDS];
  unsigned results;
} closed_policy_run_t;

typedef struct closed_report {
  const char *name; /* of the topology, as the user gave it */
  const topology_t *topology;
  const closed_config_t *load; /* its seed is that of the first run */
  unsigned subnets;
  const engine_t *engine;   /* [subnets * routers] */
  closed_policy_run_t *run; /* [NUM_POLICIES] */
  unsigned runs;
} closed_report_t;

/* Of `count` values. All zero: there are none. */
typedef struct closed_spread {
  double mean, least, most;
  unsigned count;
} closed_spread_t;

/* Gain of a run over the first, in percent, over the seeds that both have; `count` of them. */
closed_spread_t closed_gain(const closed_report_t *report, unsigned run);
void closed_report_print(const closed_report_t *report, FILE *out);
/* Adds the result's keys to root. play as in network_report_json. */
void closed_report_json(json_t *root, const closed_report_t *report, void (*play)(json_t *first));
bool closed_report_held(const closed_report_t *report); /* true: nothing diverged */

#endif
