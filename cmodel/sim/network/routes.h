/* SPDX-License-Identifier: Apache-2.0
 *
 * Which output port leads to which terminal: deterministic, minimal, free of deadlock.
 *
 *    mesh                    X first, then Y
 *    torus, ring             X first, each the shorter way round; half way round, + at even places
 *                            and - at odd ones
 *    hypercube               lowest dimension first
 *    full, trees, files      fewest routers, ties to the lowest port
 *
 * Parallel links share what goes to the router behind them by flow. A flow is a source and a
 * destination; it stays on one link, and so in order. Route tables know destinations only, so
 * where there are parallel links a terminal has several addresses, and a source uses one of them.
 * Of w parallel links address number a of the n-th terminal behind them takes link (n - a) mod w.
 *
 * Datelines: a packet that passes a dateline link goes on one VC further (VC v of its class, then
 * v + 1), and elsewhere keeps its VC. VCs never go back. So packets that wait for each other in a
 * circle would all have one VC, and pass no dateline. routes_check looks for such circles: cycles
 * of the channel-dependency graph less its edges into dateline channels. With d datelines on a way
 * its packets start on a VC that has d more above it.
 *
 * routes_new refuses routes that can deadlock, which only a file's can, and names the channels of
 * a cycle.
 */
#ifndef ROUTES_H
#define ROUTES_H

#include "topology.h"
#include "trouble.h"

typedef struct routes {
  unsigned routers, terminals;
  unsigned aliases;   /* addresses of a terminal, number a: terminal + a * terminals; 1 without parallel links */
  unsigned addresses; /* terminals * aliases */
  uint8_t *port;      /* [routers][addresses]: output port */
  /* [routers][addresses]: output port at the router behind `port`, 0 at the last: tables for
   * lookahead. */
  uint8_t *next;
  uint8_t *datelines; /* [routers][addresses]: datelines on the way; NULL: the topology has none */
  unsigned vcs;       /* VCs that a message class needs: 1, and the most datelines of a way */
} routes_t;

/* Addresses of a terminal: enough that each number of parallel links divides them, unless there
 * would be more than TOPOLOGY_MAX_TERMINALS addresses. */
unsigned routes_aliases(const topology_t *t);

/* False: trouble says why, and there is nothing to free. */
bool routes_new(routes_t *routes, const topology_t *t, trouble_t *trouble);
void routes_free(routes_t *routes);

/* For routes that were made by hand. False: trouble names a cycle, "M0 port 1 -> M1 port 2 -> M0
 * port 1", or a router without a way to a terminal. */
bool routes_check(const routes_t *routes, const topology_t *t, trouble_t *trouble);
/* Fills `next` from `port`. */
void routes_lookahead(routes_t *routes, const topology_t *t);

/* A terminal's number is its first address: all lead through the same routers. */
static inline unsigned routes_port(const routes_t *routes, unsigned router, unsigned address) {
  return routes->port[router * routes->addresses + address];
}

/* The address of `dest` that a source uses. Neighbours take turns. Of an even number each round of
 * turns begins one further: else all flows of bit complement would meet on one of two links. */
static inline unsigned routes_address(const routes_t *routes, unsigned source, unsigned dest) {
  if (routes->aliases == 1) return dest;
  const unsigned round = routes->aliases % 2 ? 0 : source / routes->aliases;
  return dest + (source + round) % routes->aliases * routes->terminals;
}

/* Datelines on the way from a router to an address. */
static inline unsigned routes_datelines(const routes_t *routes, unsigned router, unsigned address) {
  return routes->datelines ? routes->datelines[router * routes->addresses + address] : 0;
}

/* Routers that a packet passes, source's and destination's counted. */
unsigned routes_hops(const routes_t *routes, const topology_t *t, unsigned source, unsigned dest);

#endif
