/* SPDX-License-Identifier: Apache-2.0
 *
 * One run of a network: topology, routes, routers, wires, traffic and measurement put together.
 */
#ifndef NETWORK_RUN_H
#define NETWORK_RUN_H

#include "measure.h"
#include "router_engine.h"

/* id, name, text. Fig. 12's configurations (papers/004 section V) */
#define NETWORK_POLICIES(X) \
  X(BASE, "base", "no congestion management") \
  X(CRIT, "crit", "critical paths first") \
  X(CRIT_TR, "crit+tr", "and packets that are not divergent") \
  X(CRIT_TR_W, "crit+tr+w", "and link width management") \
  X(DIST, "dist", "packets that have come farther first (our assumption of the paper's rival)") \
  X(DOUBLE, "double", "twice the VCs, each as deep")

typedef enum {
#define X(id, name, text) POLICY_##id,
  NETWORK_POLICIES(X)
#undef X
  NUM_POLICIES
} network_policy_t;

const char *network_policy_name(network_policy_t policy);
bool network_policy_find(const char *name, network_policy_t *policy);
/* Sets Crit, Tr, Width, Dist and, for double, twice NumVCs. */
void network_policy_apply(network_policy_t policy, router_params_t *params);

typedef struct network_job {
  const topology_t *topology;
  const routes_t *routes;
  router_params_t params;       /* fabric_router_params has been at them */
  const engine_t *engine;       /* [routers] */
  const places_t *places;
  const char *rtl;              /* NULL: the tree's */
  traffic_config_t traffic;
  measure_config_t measure;
} network_job_t;

typedef struct network_link {
  uint16_t router, peer;
  uint8_t port;
  bool critical;                /* in the router's mask of critical ports at the end */
  uint8_t width;                /* of W: 1, 2, 4, 8 */
  uint64_t flits, stalls;       /* in the measured cycles and after */
} network_link_t;

/* A pair of a router's critical list at the end. */
typedef struct network_pair {
  uint16_t router;
  uint8_t in, out, place;
} network_pair_t;

typedef struct network_result {
  measure_result_t measured;
  network_link_t *link;         /* every output of every router but open ports; terminals' too */
  unsigned links;
  network_pair_t *pair;
  unsigned pairs;
  uint64_t flit_hops, divergences;
  char first_divergence[512];
} network_result_t;

/* What cannot be run: one line. OUTCOME_BAD_INPUT: the parameters; OUTCOME_STUCK, OUTCOME_DIVERGED: deadlock, wrong flit, assertion; OUTCOME_INFRA. */
outcome_t network_run(const network_job_t *job, network_result_t *result, char *error, size_t size);
void network_result_free(network_result_t *result);

#endif
