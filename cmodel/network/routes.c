/* SPDX-License-Identifier: Apache-2.0
 *
 * The check follows Dally and Seitz: channels are the links' directions, a channel depends on another when some packet
 * holds the one and wants the other; routes without a cycle of such dependencies cannot deadlock. Only what packets of
 * existing terminals can do counts.
 */
#include "routes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CHANNELS = TOPOLOGY_MAX_ROUTERS * TOPOLOGY_MAX_PORTS };

void routes_free(routes_t *routes) {
  free(routes->port);
  free(routes->next);
  memset(routes, 0, sizeof *routes);
}

/* ---- the port that leads to another router ---- */

static unsigned mesh_port(const topology_t *t, unsigned from, unsigned to) {
  unsigned x = from % t->width, y = from / t->width, to_x = to % t->width, to_y = to / t->width;
  if (x != to_x) return x > to_x ? 1 : 2;
  return y > to_y ? 3 : 4;
}

static unsigned cube_port(const topology_t *t, unsigned from, unsigned to) {
  unsigned locals = t->ports - t->dims;
  return locals + (unsigned)__builtin_ctz(from ^ to);
}

/* Trees and files: routers by distance from `to`; from each the lowest port that leads nearer. */
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

static void fill(routes_t *routes, const topology_t *t) {
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
      routes->next[r * routes->terminals + d] = port->kind == PORT_LINK ? (uint8_t)routes_port(routes, port->peer, d) : 0;
    }
  }
}

bool routes_new(routes_t *routes, const topology_t *t, char *error, size_t size) {
  *routes = (routes_t){.routers = t->routers, .terminals = t->terminals};
  routes->port = calloc((size_t)t->routers * t->terminals, 1);
  routes->next = calloc((size_t)t->routers * t->terminals, 1);
  if (!routes->port || !routes->next) {
    routes_free(routes);
    snprintf(error, size, "out of memory");
    return false;
  }
  fill(routes, t);
  routes_lookahead(routes, t);
  if (routes_check(routes, t, error, size)) return true;
  routes_free(routes);
  return false;
}

unsigned routes_hops(const routes_t *routes, const topology_t *t, unsigned source, unsigned dest) {
  unsigned hops = 1;
  for (unsigned r = t->terminal[source].router; r != t->terminal[dest].router; hops++)
    r = topology_port(t, r, routes_port(routes, r, dest))->peer;
  return hops;
}

/* ---- dependencies of channels; channel: router * ports + output port ---- */

typedef struct graph {
  const topology_t *t;
  uint16_t wants[MAX_CHANNELS]; /* output ports, at the router behind the channel, that its packets go on to */
  uint16_t via[MAX_CHANNELS];   /* the search: on the way, from which channel */
  uint8_t state[MAX_CHANNELS];  /* 0 not seen, 1 on the way, 2 done */
} graph_t;

/* Follows one packet until it comes where another one to the same terminal has been. */
static bool follow(graph_t *g, const routes_t *routes, bool *seen, unsigned r, unsigned dest, char *error, size_t size) {
  const topology_t *t = g->t;
  for (unsigned channel = MAX_CHANNELS;; r = topology_port(t, r, channel % t->ports)->peer) {
    unsigned p = routes_port(routes, r, dest);
    const topology_port_t *port = p < t->ports ? topology_port(t, r, p) : NULL;
    if (!port || port->kind == PORT_OPEN || (port->kind == PORT_TERMINAL && port->peer != dest)) {
      snprintf(error, size, "router %s has no way to terminal %u", t->name[r], dest);
      return false;
    }
    if (channel != MAX_CHANNELS && port->kind == PORT_LINK) g->wants[channel] |= (uint16_t)(1U << p);
    if (seen[r] || port->kind == PORT_TERMINAL) return true;
    seen[r] = true;
    channel = r * t->ports + p;
  }
}

static unsigned behind(const graph_t *g, unsigned channel) {
  return g->t->port[channel].peer * g->t->ports;
}

/* "M0 port 1 -> M1 port 2 -> M0 port 1"; "..." for the end of a long one. via leads from the last channel back to the first. */
static void name_cycle(const graph_t *g, unsigned last, unsigned first, char *error, size_t size) {
  uint16_t way[MAX_CHANNELS];
  unsigned count = 0;
  for (unsigned c = last; c != first; c = g->via[c]) way[count++] = (uint16_t)c;
  way[count++] = (uint16_t)first;
  size_t used = (size_t)snprintf(error, size, "routes can deadlock, channels wait in a cycle: ");
  for (unsigned i = count; i-- > 0 && used + 80 < size;)
    used += (size_t)snprintf(error + used, size - used, "%s port %u -> %s", g->t->name[way[i] / g->t->ports],
                             way[i] % g->t->ports, i > 0 && used + 120 >= size ? "... -> " : "");
  if (used < size) snprintf(error + used, size - used, "%s port %u", g->t->name[first / g->t->ports], first % g->t->ports);
}

/* Depth first without recursion: g->via leads back. */
static bool search(graph_t *g, unsigned start, char *error, size_t size) {
  uint16_t *left = g->wants; /* what is still to be looked at; a channel that is done needs it no more */
  g->state[start] = 1;
  for (unsigned channel = start;;) {
    if (!left[channel]) {
      g->state[channel] = 2;
      if (channel == start) return true;
      channel = g->via[channel];
      continue;
    }
    unsigned next = behind(g, channel) + (unsigned)__builtin_ctz(left[channel]);
    left[channel] &= (uint16_t)(left[channel] - 1);
    if (g->state[next] == 1) {
      name_cycle(g, channel, next, error, size);
      return false;
    }
    if (g->state[next] == 2) continue;
    g->state[next] = 1;
    g->via[next] = (uint16_t)channel;
    channel = next;
  }
}

bool routes_check(const routes_t *routes, const topology_t *t, char *error, size_t size) {
  graph_t *g = calloc(1, sizeof *g);
  bool good = g != NULL;
  if (!g) snprintf(error, size, "out of memory");
  else g->t = t;
  for (unsigned d = 0; good && d < t->terminals; d++) {
    bool seen[TOPOLOGY_MAX_ROUTERS] = {false};
    for (unsigned s = 0; good && s < t->terminals; s++) good = follow(g, routes, seen, t->terminal[s].router, d, error, size);
  }
  for (unsigned c = 0; good && c < t->routers * t->ports; c++)
    if (t->port[c].kind == PORT_LINK && !g->state[c]) good = search(g, c, error, size);
  free(g);
  return good;
}
