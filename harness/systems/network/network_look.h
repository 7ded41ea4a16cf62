/* SPDX-License-Identifier: Apache-2.0
 *
 * What the routers of a fabric say at one moment: links, critical pairs, and what was compared in
 * lockstep. It serves any run that has a fabric.
 */
#ifndef NETWORK_LOOK_H
#define NETWORK_LOOK_H

#include "critical.h"
#include "engines.h"
#include "fabric.h"

typedef struct network_link {
  uint16_t router, peer; /* peer: a router, or a terminal's number */
  uint8_t port;
  bool terminal;
  bool critical;          /* in the router's mask of critical ports at the end */
  uint8_t width;          /* W / width: 1, 2, 4, 8, at the end */
  uint64_t flits, stalls; /* in the measured cycles */
} network_link_t;

typedef struct network_look {
  network_link_t *link;         /* every output of every router but open ports: links, then those to terminals */
  unsigned links, router_links; /* router_links: how many are links between routers */
  critical_pair_t *pair;        /* in the routers' critical lists */
  unsigned pairs;
  critical_paths_t paths; /* the pairs, joined */
} network_look_t;

/* Fills look, which is all zero before. Counts are those since fabric_clear_stats. False: out of
 * memory; look is freed in any case. */
bool network_look(network_look_t *look, const fabric_t *fabric, const topology_t *topology,
                  const router_params_t *params);
void network_look_free(network_look_t *look);

/* The routers' critical lists now. NULL: out of memory. */
critical_pair_t *network_look_pairs(const fabric_t *fabric, const topology_t *topology, const router_params_t *params,
                                    unsigned *count);

typedef struct network_compared {
  uint64_t cycles, divergences; /* compared router-cycles; routers that differ */
  unsigned routers;             /* routers in lockstep */
  char first[512], replay[BUILD_PATH];
} network_compared_t;

/* What lockstep compared in `subnets` fabrics of one topology, whose routers are numbered one
 * fabric after the other. Names the first router that differs; with a capture folder its replay
 * file, too. */
void network_look_engines(engines_t *engines, const topology_t *topology, unsigned subnets, const capture_t *capture,
                          network_compared_t *compared);

#endif
