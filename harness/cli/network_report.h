/* SPDX-License-Identifier: Apache-2.0
 *
 * What `lockstack network` found, for people and as JSON (docs/json.md, lockstack.network).
 */
#ifndef NETWORK_REPORT_H
#define NETWORK_REPORT_H

#include "network_options.h"
#include "network_sweep.h"

typedef struct network_policy_run {
  network_policy_t policy;
  router_params_t params;
  network_sweep_t sweep;
} network_policy_run_t;

typedef struct network_report {
  const network_options_t *options;
  const topology_t *topology;
  const engine_t *engine; /* [routers] */
  network_policy_run_t run[NUM_POLICIES];
  unsigned runs;
  double base_saturation; /* rates given in %: of this; else 0 */
} network_report_t;

void network_report_print(const network_report_t *report, FILE *out);
json_t *network_report_json(const network_report_t *report);
bool network_report_held(const network_report_t *report); /* nothing diverged */

#endif
