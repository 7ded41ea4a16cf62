/* SPDX-License-Identifier: Apache-2.0
 *
 * Policies of congestion management: what each sets of the router's parameters (NUPIM paper,
 * section V; Fig. 12's configurations, and widths without priority buffers, which keep the order
 * of packets on a path).
 */
#ifndef NETWORK_POLICY_H
#define NETWORK_POLICY_H

#include "router_params.h"

/* id, name, Crit, Tr, Width, Dist, factor of the VCs, text. */
#define NETWORK_POLICIES(X)                                                                                    \
  X(BASE, "base", 0, 0, 0, 0, 1, "no congestion management")                                                   \
  X(CRIT, "crit", 1, 0, 0, 0, 1, "critical paths first")                                                       \
  X(CRIT_TR, "crit+tr", 1, 1, 0, 0, 1, "and packets that are not divergent")                                   \
  X(CRIT_TR_W, "crit+tr+w", 1, 1, 1, 0, 1, "and link width management")                                        \
  X(CRIT_W, "crit+w", 1, 0, 1, 0, 1, "critical paths first, and link width management")                        \
  X(DIST, "dist", 0, 0, 0, 1, 1, "packets that have come farther first (our assumption of the paper's rival)") \
  X(DOUBLE, "double", 0, 0, 0, 0, 2, "twice the VCs, each as deep")

/* Ours, for systems and closed loops. NETWORK_OUT_DEPTH: flits of output FIFOs.
 * NETWORK_LIST_LEN: places of a list of critical pairs; of M0's 12 ports 11 may come each epoch
 * and stay for 64. */
enum { NETWORK_OUT_DEPTH = 8, NETWORK_LIST_LEN = 32 };

typedef enum {
#define X(id, ...) POLICY_##id,
  NETWORK_POLICIES(X)
#undef X
      NUM_POLICIES
} network_policy_t;

/* All names in one text: " base crit ..". */
#define NETWORK_POLICY_NAME(id, name, ...) " " name
#define NETWORK_POLICY_NAMES NETWORK_POLICIES(NETWORK_POLICY_NAME)

const char *network_policy_name(network_policy_t policy);
bool network_policy_find(const char *name, network_policy_t *policy); /* false: no such name */
/* Sets Crit, Tr, Width, Dist and, for double, twice NumVCs. Link widths need output FIFOs: of
 * NETWORK_OUT_DEPTH flits, unless OutDepth says something else. */
void network_policy_apply(network_policy_t policy, router_params_t *params);

#endif
