/* SPDX-License-Identifier: Apache-2.0
 *
 * The check follows Dally and Seitz. Channels are the directions of links. A channel depends on
 * another one when some packet can hold the first and want the second. Routes without a cycle of
 * such dependencies cannot deadlock. Only packets of terminals that exist count. What waits for a
 * dateline channel waits for a higher VC, so that it is in no cycle.
 */
#include "routes.h"

#include <stdlib.h>
#include <string.h>

#include "channels.h"

void routes_free(routes_t *routes) {
  free(routes->port);
  free(routes->next);
  free(routes->datelines);
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

/* The first dimension in which the two are apart, the shorter way round. Half way round both are
 * as short, and half of the routers go either. */
static unsigned torus_port(const topology_t *t, unsigned from, unsigned to) {
  for (unsigned d = 0, back = t->ports - 2 * t->dims;; d++, back += 2) {
    const unsigned size = t->size[d], at = from % size, forth = (to % size + size - at) % size;
    if (forth) return back + (2 * forth < size || (2 * forth == size && at % 2 == 0));
    from /= size, to /= size;
  }
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

/* ---- parallel links ---- */

static unsigned greatest_divisor(unsigned a, unsigned b) {
  while (b) {
    const unsigned rest = a % b;
    a = b, b = rest;
  }
  return a;
}

unsigned routes_aliases(const topology_t *t) {
  const unsigned most = t->terminals ? TOPOLOGY_MAX_TERMINALS / t->terminals : 1;
  unsigned aliases = 1;
  for (unsigned r = 0; r < t->routers; r++)
    for (unsigned p = 0; p < t->ports; p++) {
      if (topology_port(t, r, p)->kind != PORT_LINK) continue;
      const unsigned links = topology_parallel(t, r, p), all = aliases / greatest_divisor(aliases, links) * links;
      aliases = all < most ? all : most;
    }
  return aliases;
}

/* Number `which` of the links from a router to the one behind `port`. */
static unsigned parallel_port(const topology_t *t, unsigned router, unsigned port, unsigned which) {
  const unsigned peer = topology_port(t, router, port)->peer;
  for (unsigned p = 0;; p++) {
    const topology_port_t *other = topology_port(t, router, p);
    if (other->kind == PORT_LINK && other->peer == peer && !which--) return p;
  }
}

/* The ports of all addresses of terminal d at router r. `behind` counts the terminals to which
 * each link, or the first of parallel ones, has led so far. */
static void spread_over_links(routes_t *routes, const topology_t *t, unsigned r, unsigned d, unsigned port,
                              uint16_t *behind) {
  uint8_t *entry = &routes->port[r * routes->addresses + d];
  const bool link = topology_port(t, r, port)->kind == PORT_LINK;
  const unsigned links = routes->aliases > 1 && link ? topology_parallel(t, r, port) : 1;
  const unsigned first = links > 1 ? parallel_port(t, r, port, 0) : port, turn = behind[r * t->ports + first]++;
  for (unsigned a = 0; a < routes->aliases; a++)
    entry[a * routes->terminals] =
        (uint8_t)(links > 1 ? parallel_port(t, r, port, (turn + links - a % links) % links) : port);
}

/* ---- tables ---- */

/* The output port at router r towards router `to`, another one; way: see shortest_ports. */
static unsigned port_towards(const topology_t *t, unsigned r, unsigned to, const uint8_t *way) {
  switch (t->kind) {
  case TOPOLOGY_MESH: return mesh_port(t, r, to);
  case TOPOLOGY_TORUS: return torus_port(t, r, to);
  case TOPOLOGY_HYPERCUBE: return cube_port(t, r, to);
  default: return way[r];
  }
}

static bool is_searched(const topology_t *t) {
  return t->kind != TOPOLOGY_MESH && t->kind != TOPOLOGY_TORUS && t->kind != TOPOLOGY_HYPERCUBE;
}

/* shortest_ports runs again only where the next terminal is at another router. */
static void fill_ports(routes_t *routes, const topology_t *t) {
  uint8_t way[TOPOLOGY_MAX_ROUTERS] = {0};
  uint16_t behind[TOPOLOGY_MAX_ROUTERS * TOPOLOGY_MAX_PORTS] = {0};
  for (unsigned d = 0; d < t->terminals; d++) {
    const unsigned to = t->terminal[d].router;
    const bool new_router = d == 0 || t->terminal[d - 1].router != to;
    if (new_router && is_searched(t)) shortest_ports(t, to, way);
    for (unsigned r = 0; r < t->routers; r++)
      spread_over_links(routes, t, r, d, r == to ? t->terminal[d].port : port_towards(t, r, to, way), behind);
  }
}

void routes_lookahead(routes_t *routes, const topology_t *t) {
  for (unsigned r = 0; r < routes->routers; r++) {
    for (unsigned d = 0; d < routes->addresses; d++) {
      const topology_port_t *port = topology_port(t, r, routes_port(routes, r, d));
      routes->next[r * routes->addresses + d] =
          port->kind == PORT_LINK ? (uint8_t)routes_port(routes, port->peer, d) : 0;
    }
  }
}

/* Datelines on the way from a router to an address: as many as behind the next router, whose count
 * may be there already, and the one in between. At most 255 are counted, more than VCs. */
static void count_datelines(routes_t *routes, const topology_t *t, bool *known, unsigned router, unsigned address) {
  uint16_t way[TOPOLOGY_MAX_ROUTERS];
  unsigned steps = 0, r = router, count = 0;
  for (; !known[r]; r = topology_port(t, r, routes_port(routes, r, address))->peer) {
    if (topology_port(t, r, routes_port(routes, r, address))->kind != PORT_LINK) break;
    way[steps++] = (uint16_t)r;
  }
  if (known[r]) count = routes_datelines(routes, r, address);
  known[r] = true;
  while (steps-- > 0) {
    r = way[steps];
    count += topology_port(t, r, routes_port(routes, r, address))->dateline && count < 255;
    routes->datelines[r * routes->addresses + address] = (uint8_t)count;
    known[r] = true;
    if (count + 1 > routes->vcs) routes->vcs = count + 1;
  }
}

/* Of routes that routes_check has found to arrive. */
static bool fill_datelines(routes_t *routes, const topology_t *t) {
  routes->vcs = 1;
  if (!topology_has_datelines(t)) return true;
  routes->datelines = calloc((size_t)t->routers * routes->addresses, 1);
  for (unsigned a = 0; routes->datelines && a < routes->addresses; a++) {
    bool known[TOPOLOGY_MAX_ROUTERS] = {false};
    for (unsigned r = 0; r < t->routers; r++) count_datelines(routes, t, known, r, a);
  }
  return routes->datelines != NULL;
}

bool routes_new(routes_t *routes, const topology_t *t, trouble_t *trouble) {
  *routes = (routes_t){.routers = t->routers, .terminals = t->terminals, .aliases = routes_aliases(t)};
  routes->addresses = routes->terminals * routes->aliases;
  routes->port = calloc((size_t)t->routers * routes->addresses, 1);
  routes->next = calloc((size_t)t->routers * routes->addresses, 1);
  if (!routes->port || !routes->next) {
    routes_free(routes);
    return trouble_memory(trouble);
  }
  fill_ports(routes, t);
  routes_lookahead(routes, t);
  if (routes_check(routes, t, trouble)) {
    if (fill_datelines(routes, t)) return true;
    trouble_memory(trouble);
  }
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

/* Follows one packet until it comes where another one to the same address has been. False: the
 * routes do not lead there. */
static bool follow_packet(const topology_t *t, const routes_t *routes, uint16_t *wants, bool *seen, unsigned r,
                          unsigned dest, trouble_t *trouble) {
  uint16_t *behind = NULL; /* what packets of the channel that it came through want */
  for (;; r = topology_port(t, r, routes_port(routes, r, dest))->peer) {
    unsigned p = routes_port(routes, r, dest);
    const topology_port_t *port = p < t->ports ? topology_port(t, r, p) : NULL;
    if (!port || port->kind == PORT_OPEN || (port->kind == PORT_TERMINAL && port->peer != dest % t->terminals))
      return trouble_set(trouble, TROUBLE_INPUT, "router %s has no way to terminal %u", t->name[r],
                         dest % t->terminals);
    if (port->kind == PORT_TERMINAL) return true;
    if (behind && !port->dateline) *behind |= (uint16_t)(1U << p);
    if (seen[r]) return true;
    seen[r] = true;
    behind = &wants[r * t->ports + p];
  }
}

bool routes_check(const routes_t *routes, const topology_t *t, trouble_t *trouble) {
  static const char deadlock[] = "routes can deadlock, channels wait in a cycle: ",
                    hint[] = "; `dateline: true` at a link of each circle would be right";
  uint16_t wants[TOPOLOGY_MAX_ROUTERS * TOPOLOGY_MAX_PORTS] = {0};
  for (unsigned d = 0; d < routes->addresses; d++) {
    bool seen[TOPOLOGY_MAX_ROUTERS] = {false};
    for (unsigned s = 0; s < t->terminals; s++)
      if (!follow_packet(t, routes, wants, seen, t->terminal[s].router, d, trouble)) return false;
  }
  char cycle[200];
  if (!channel_cycle(t, wants, cycle, sizeof cycle)) return true;
  return trouble_set(trouble, TROUBLE_INPUT, "%s%s%s", deadlock, cycle, t->kind == TOPOLOGY_FILE ? hint : "");
}
