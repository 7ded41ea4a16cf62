/* SPDX-License-Identifier: Apache-2.0
 *
 * The check follows Dally and Seitz. Channels are the directions of links. A channel depends on
 * another one when some packet can hold the first and want the second. Routes without a cycle of
 * such dependencies cannot deadlock. Only packets of terminals that exist count.
 */
#include "routes.h"

#include <stdlib.h>
#include <string.h>

#include "channels.h"

void routes_free(routes_t *routes) {
  free(routes->port);
  free(routes->next);
  memset(routes, 0, sizeof *routes);
}

/* ---- the port that leads to another router ---- */

/* The output port at router `from` towards router `to`. */
static unsigned mesh_port(const topology_t *t, unsigned from, unsigned to) {
  const unsigned locals = t->ports - 4;
  unsigned x = from % t->width, y = from / t->width, to_x = to % t->width, to_y = to / t->width;
  if (x != to_x) return locals + (x > to_x ? 0 : 1);
  return locals + (y > to_y ? 2 : 3);
}

static unsigned cube_port(const topology_t *t, unsigned from, unsigned to) {
  unsigned locals = t->ports - t->dims;
  return locals + (unsigned)__builtin_ctz(from ^ to);
}

/* All other topologies: a breadth-first search from `to`. way[r]: the lowest port that leads
 * nearer. */
static void shortest_ports(const topology_t *t, unsigned to, uint8_t *way) {
  uint16_t distance[TOPOLOGY_MAX_ROUTERS], queue[TOPOLOGY_MAX_ROUTERS] = {(uint16_t)to};
  unsigned last = 1;
  memset(distance, 0xff, sizeof distance);
  distance[to] = 0;
  for (unsigned first = 0; first < last; first++) {
    for (unsigned p = 0; p < t->ports; p++) {
      const topology_port_t *port = topology_port(t, queue[first], p);
      if (port->kind != PORT_LINK || distance[port->peer] != 0xffff) continue;
      distance[port->peer] = (uint16_t)(distance[queue[first]] + 1);
      queue[last++] = port->peer;
    }
  }
  for (unsigned r = 0; r < t->routers; r++) {
    for (unsigned p = t->ports; p-- > 0;) {
      const topology_port_t *port = topology_port(t, r, p);
      if (port->kind == PORT_LINK && distance[port->peer] + 1U == distance[r]) way[r] = (uint8_t)p;
    }
  }
}

/* shortest_ports runs again only where the next terminal is at another router. */
static void fill_ports(routes_t *routes, const topology_t *t) {
  uint8_t way[TOPOLOGY_MAX_ROUTERS] = {0};
  for (unsigned d = 0; d < t->terminals; d++) {
    unsigned to = t->terminal[d].router;
    bool new_router = d == 0 || t->terminal[d - 1].router != to;
    if (new_router && t->kind != TOPOLOGY_MESH && t->kind != TOPOLOGY_HYPERCUBE) shortest_ports(t, to, way);
    for (unsigned r = 0; r < t->routers; r++) {
      unsigned port = way[r];
      if (r == to) port = t->terminal[d].port;
      else if (t->kind == TOPOLOGY_MESH) port = mesh_port(t, r, to);
      else if (t->kind == TOPOLOGY_HYPERCUBE) port = cube_port(t, r, to);
      routes->port[r * routes->terminals + d] = (uint8_t)port;
    }
  }
}

void routes_lookahead(routes_t *routes, const topology_t *t) {
  for (unsigned r = 0; r < routes->routers; r++) {
    for (unsigned d = 0; d < routes->terminals; d++) {
      const topology_port_t *port = topology_port(t, r, routes_port(routes, r, d));
      routes->next[r * routes->terminals + d] =
          port->kind == PORT_LINK ? (uint8_t)routes_port(routes, port->peer, d) : 0;
    }
  }
}

bool routes_new(routes_t *routes, const topology_t *t, trouble_t *trouble) {
  *routes = (routes_t){.routers = t->routers, .terminals = t->terminals};
  routes->port = calloc((size_t)t->routers * t->terminals, 1);
  routes->next = calloc((size_t)t->routers * t->terminals, 1);
  if (!routes->port || !routes->next) {
    routes_free(routes);
    return trouble_memory(trouble);
  }
  fill_ports(routes, t);
  routes_lookahead(routes, t);
  if (routes_check(routes, t, trouble)) return true;
  routes_free(routes);
  return false;
}

unsigned routes_hops(const routes_t *routes, const topology_t *t, unsigned source, unsigned dest) {
  unsigned hops = 1;
  for (unsigned r = t->terminal[source].router; r != t->terminal[dest].router; hops++)
    r = topology_port(t, r, routes_port(routes, r, dest))->peer;
  return hops;
}

/* ---- dependencies of channels ---- */

/* Follows one packet until it comes where another one to the same terminal has been. False: the
 * routes do not lead there. */
static bool follow_packet(const topology_t *t, const routes_t *routes, uint16_t *wants, bool *seen, unsigned r,
                          unsigned dest, trouble_t *trouble) {
  uint16_t *behind = NULL; /* what packets of the channel that it came through want */
  for (;; r = topology_port(t, r, routes_port(routes, r, dest))->peer) {
    unsigned p = routes_port(routes, r, dest);
    const topology_port_t *port = p < t->ports ? topology_port(t, r, p) : NULL;
    if (!port || port->kind == PORT_OPEN || (port->kind == PORT_TERMINAL && port->peer != dest))
      return trouble_set(trouble, TROUBLE_INPUT, "router %s has no way to terminal %u", t->name[r], dest);
    if (port->kind == PORT_TERMINAL) return true;
    if (behind) *behind |= (uint16_t)(1U << p);
    if (seen[r]) return true;
    seen[r] = true;
    behind = &wants[r * t->ports + p];
  }
}

bool routes_check(const routes_t *routes, const topology_t *t, trouble_t *trouble) {
  static const char deadlock[] = "routes can deadlock, channels wait in a cycle: ";
  uint16_t wants[TOPOLOGY_MAX_ROUTERS * TOPOLOGY_MAX_PORTS] = {0};
  for (unsigned d = 0; d < t->terminals; d++) {
    bool seen[TOPOLOGY_MAX_ROUTERS] = {false};
    for (unsigned s = 0; s < t->terminals; s++)
      if (!follow_packet(t, routes, wants, seen, t->terminal[s].router, d, trouble)) return false;
  }
  char cycle[200];
  if (!channel_cycle(t, wants, cycle, sizeof cycle)) return true;
  return trouble_set(trouble, TROUBLE_INPUT, "%s%s", deadlock, cycle);
}
