/* SPDX-License-Identifier: Apache-2.0
 *
 * One run of a network: topology, routes, routers, wires, traffic and measurement put together.
 */
#ifndef NETWORK_RUN_H
#define NETWORK_RUN_H

#include "critical.h"
#include "fabric.h"
#include "measure.h"
#include "router_engine.h"

/* id, name, text. Fig. 12's configurations (NUPIM paper, section V) */
#define NETWORK_POLICIES(X)                                                                     \
  X(BASE, "base", "no congestion management")                                                   \
  X(CRIT, "crit", "critical paths first")                                                       \
  X(CRIT_TR, "crit+tr", "and packets that are not divergent")                                   \
  X(CRIT_TR_W, "crit+tr+w", "and link width management")                                        \
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
enum { NETWORK_OUT_DEPTH = 8 }; /* flits of an output FIFO, where a policy needs one and the parameters have none */

/* Sets Crit, Tr, Width and with it OutDepth, Dist and, for double, twice NumVCs. */
void network_policy_apply(network_policy_t policy, router_params_t *params);

typedef struct network_job {
  const topology_t *topology;
  const routes_t *routes;
  router_params_t params; /* fabric_router_params has been at them */
  const engine_t *engine; /* [routers] */
  const places_t *places;
  const char *rtl;   /* RTL files of this folder are taken first; NULL: none */
  capture_t capture; /* replay files of routers that diverge */
  traffic_config_t traffic;
  measure_config_t measure; /* critical, warm, done, context are ours; progress is called with progress_context */
  void *progress_context;
  /* Pairs whose packets make up MEASURE_CRITICAL. NULL: with Crit those in the routers' lists when the warm-up is over, else none. */
  const critical_pair_t *asked;
  unsigned num_asked;
} network_job_t;

typedef struct network_link {
  uint16_t router, peer; /* peer: the terminal's number where it leads to one */
  uint8_t port;
  bool terminal;
  bool critical;          /* in the router's mask of critical ports at the end */
  uint8_t width;          /* W / width: 1, 2, 4, 8, at the end */
  uint64_t flits, stalls; /* in the measured cycles */
} network_link_t;

typedef struct network_result {
  measure_result_t measured;
  network_link_t *link;         /* every output of every router but open ports: links, then those to terminals */
  unsigned links, router_links; /* router_links: how many are links between routers */
  critical_pair_t *pair;        /* in the routers' critical lists at the end of the measured cycles */
  unsigned pairs;
  critical_paths_t paths; /* made of them */
  unsigned asked;         /* pairs that MEASURE_CRITICAL was about */
  uint64_t flit_hops, router_cycles, divergences;
  uint64_t compared; /* router-cycles in lockstep */
  char first_divergence[512], replay[BUILD_PATH];
} network_result_t;

/* What cannot be run: one line. OUTCOME_BAD_INPUT: the parameters; OUTCOME_STUCK: a deadlock; OUTCOME_DIVERGED: a flit or credit went
 * wrong, an assertion of the RTL; OUTCOME_INFRA. A divergence in lockstep is PASS with divergences: the models went on. The result is
 * there but for BAD_INPUT and INFRA, and is freed in any case. */
outcome_t network_run(const network_job_t *job, network_result_t *result, char *error, size_t size);
void network_result_free(network_result_t *result);

#endif
