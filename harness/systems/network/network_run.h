/* SPDX-License-Identifier: Apache-2.0
 *
 * One run of a network: topology, routes, routers, wires, traffic and measurement put together.
 *
 *   network_result_t result;
 *   outcome_t outcome = network_run(&job, &result, &trouble);
 *   ... result.measured, result.look ...
 *   network_result_free(&result);
 */
#ifndef NETWORK_RUN_H
#define NETWORK_RUN_H

#include "critical.h"
#include "fabric.h"
#include "measure.h"
#include "network_look.h"
#include "network_policy.h"
#include "router_engine.h"
#include "trouble.h"

typedef struct network_job {
  const topology_t *topology;
  const routes_t *routes;
  router_params_t params; /* completed by fabric_router_params */
  const engine_t *engine; /* [routers] */
  const places_t *places;
  const char *rtl;   /* RTL files of this folder are taken first; NULL: none */
  capture_t capture; /* replay files of routers that diverge */
  traffic_config_t traffic;
  measure_config_t measure; /* critical, warm, done, context are set by network_run; progress gets progress_context */
  void *progress_context;
  /* Pairs whose packets make up MEASURE_CRITICAL. NULL: with Crit those
   * in the routers' lists when the warm-up is over, else none. */
  const critical_pair_t *asked;
  unsigned num_asked;
} network_job_t;

/* What a run found. Counts are of the measured cycles unless they say otherwise. */
typedef struct network_result {
  measure_result_t measured;
  network_look_t look; /* at the end of the measured cycles */
  unsigned asked;      /* how many pairs made packets critical */
  uint64_t flit_hops, router_cycles;
  network_compared_t compared;
} network_result_t;

/* Runs the job's traffic at its one rate.
 *
 *   OUTCOME_PASS       also with routers that diverge in lockstep: the network goes on with the
 *                      models, result->compared says which
 *   OUTCOME_BAD_INPUT  a parameter is wrong; trouble has the line
 *   OUTCOME_STUCK      a deadlock; result->measured.waits says who waits
 *   OUTCOME_DIVERGED   a flit or a credit went wrong, or an assertion of the RTL failed
 *   OUTCOME_INFRA      memory or a tool is missing
 *
 * The result holds values except after BAD_INPUT and INFRA; it is freed in any case. */
outcome_t network_run(const network_job_t *job, network_result_t *result, trouble_t *trouble);
void network_result_free(network_result_t *result);

#endif
