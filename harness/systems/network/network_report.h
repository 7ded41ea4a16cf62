/* SPDX-License-Identifier: Apache-2.0
 *
 * What runs on a network found, for people and as JSON (docs/json.md, lockstack.network). The
 * second half is shared with closed_report.h.
 */
#ifndef NETWORK_REPORT_H
#define NETWORK_REPORT_H

#include "network_sweep.h"

#include "json_sure.h"
#include <stdio.h>

typedef struct network_policy_run {
  network_policy_t policy;
  router_params_t params;
  network_sweep_t sweep;
} network_policy_run_t;

typedef struct network_report {
  const char *name; /* of the topology, as the user gave it */
  const topology_t *topology;
  const traffic_config_t *traffic; /* its rate does not count */
  const router_params_t *params;   /* before a policy is applied */
  bool sweep, compare;             /* more than one rate, more than one policy were asked for */
  const engine_t *engine;          /* [routers] */
  network_policy_run_t run[NUM_POLICIES];
  unsigned runs;
  double base_saturation; /* what rates in % are relative to; 0: rates are absolute */
} network_report_t;

void network_report_print(const network_report_t *report, FILE *out);

/* Adds the result's keys to root. play, unless NULL, gets the object of a first divergence, {what,
 * replay}, and adds what the replay file shows. */
void network_report_json(json_t *root, const network_report_t *report, void (*play)(json_t *first));

/* Which engines compute the instances: "model", "rtl", "lockstep", or "3 model, 5 rtl". */
void network_engines_text(const engine_t *engine, unsigned instances, char *text, size_t size);
/* Pipeline stages of a router with these parameters: 2 to 4. */
unsigned network_stages(const router_params_t *params);
void network_print_routers(const router_params_t *params, long vcs, const char *engines, FILE *out);
void network_print_compared(const network_compared_t *compared, FILE *out); /* prints nothing if nothing was compared */
json_t *network_link_json(const topology_t *topology, const network_link_t *link);
json_t *network_paths_json(const topology_t *topology, const critical_paths_t *paths); /* value of critical_paths */
/* mean, p50, p99 and max in cycles, and packets; null without packets. */
json_t *network_latency_json(const histogram_t *latency);
/* Adds first_divergence to o if there is one. */
void network_first_json(json_t *o, const network_compared_t *compared, void (*play)(json_t *first));

bool network_report_held(const network_report_t *report); /* true: nothing diverged */

#endif
