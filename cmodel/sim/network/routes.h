/* SPDX-License-Identifier: Apache-2.0
 *
 * Which output port leads to which terminal: deterministic, minimal, free of cycles.
 *
 *    mesh                    X first, then Y
 *    hypercube               lowest dimension first
 *    full, trees, files      fewest routers, ties to the lowest port
 *
 * routes_new refuses routes whose channel-dependency graph has a cycle, which only a file's can
 * have, and names the channels of one.
 */
#ifndef ROUTES_H
#define ROUTES_H

#include "topology.h"
#include "trouble.h"

typedef struct routes {
  unsigned routers, terminals;
  uint8_t *port; /* [routers][terminals]: output port */
  /* [routers][terminals]: output port at the router behind `port`, 0 at the last: tables for
   * lookahead. */
  uint8_t *next;
} routes_t;

/* False: trouble says why, and there is nothing to free. */
bool routes_new(routes_t *routes, const topology_t *t, trouble_t *trouble);
void routes_free(routes_t *routes);

/* For routes that were made by hand. False: trouble names a cycle, "M0 port 1 -> M1 port 2 -> M0
 * port 1", or a router without a way to a terminal. */
bool routes_check(const routes_t *routes, const topology_t *t, trouble_t *trouble);
/* Fills `next` from `port`. */
void routes_lookahead(routes_t *routes, const topology_t *t);

static inline unsigned routes_port(const routes_t *routes, unsigned router, unsigned terminal) {
  return routes->port[router * routes->terminals + terminal];
}

/* Routers that a packet passes, source's and destination's counted. */
unsigned routes_hops(const routes_t *routes, const topology_t *t, unsigned source, unsigned dest);

#endif
