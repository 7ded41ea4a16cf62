/* SPDX-License-Identifier: Apache-2.0
 *
 * Topologies by formula: mesh, torus, hypercube, full, trees; and what all topologies are
 * built with.
 */
#include "topology.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LEVELS = 10, MESH_PORTS = 5 };

bool topology_begin(topology_t *t, topology_kind_t kind, unsigned routers, unsigned ports, unsigned terminals) {
  *t = (topology_t){.kind = kind, .routers = routers, .ports = ports};
  t->port = calloc((size_t)routers * ports, sizeof *t->port);
  t->terminal = calloc(terminals, sizeof *t->terminal);
  t->name = calloc(routers, sizeof *t->name);
  if (kind == TOPOLOGY_TREE) t->parent = calloc(routers, sizeof *t->parent);
  if (!t->port || !t->terminal || !t->name || (kind == TOPOLOGY_TREE && !t->parent)) {
    topology_free(t);
    return false;
  }
  for (unsigned r = 0; r < routers; r++) snprintf(t->name[r], sizeof t->name[r], "%u", r);
  return true;
}

void topology_free(topology_t *t) {
  free(t->port);
  free(t->terminal);
  free(t->parent);
  free(t->name);
  memset(t, 0, sizeof *t);
}

void topology_add_terminal(topology_t *t, unsigned router, unsigned port) {
  t->port[router * t->ports + port] = (topology_port_t){.kind = PORT_TERMINAL, .peer = (uint16_t)t->terminals};
  t->terminal[t->terminals++] = (topology_terminal_t){(uint16_t)router, (uint8_t)port};
}

void topology_add_link(topology_t *t, unsigned a, unsigned port_a, unsigned b, unsigned port_b, unsigned latency) {
  t->port[a * t->ports + port_a] = (topology_port_t){
      .kind = PORT_LINK, .peer_port = (uint8_t)port_b, .latency = (uint8_t)latency, .peer = (uint16_t)b};
  t->port[b * t->ports + port_b] = (topology_port_t){
      .kind = PORT_LINK, .peer_port = (uint8_t)port_a, .latency = (uint8_t)latency, .peer = (uint16_t)a};
}

void topology_set_dateline(topology_t *t, unsigned router, unsigned port) {
  topology_port_t *p = &t->port[router * t->ports + port];
  p->dateline = t->port[p->peer * t->ports + p->peer_port].dateline = true;
}

unsigned topology_links(const topology_t *t) {
  unsigned links = 0;
  for (unsigned i = 0; i < t->routers * t->ports; i++) links += t->port[i].kind == PORT_LINK;
  return links;
}

bool topology_has_datelines(const topology_t *t) {
  for (unsigned i = 0; i < t->routers * t->ports; i++)
    if (t->port[i].dateline) return true;
  return false;
}

unsigned topology_parallel(const topology_t *t, unsigned router, unsigned port) {
  const unsigned peer = topology_port(t, router, port)->peer;
  unsigned links = 0;
  for (unsigned p = 0; p < t->ports; p++)
    links += topology_port(t, router, p)->kind == PORT_LINK && topology_port(t, router, p)->peer == peer;
  return links;
}

bool topology_mesh(topology_t *t, unsigned width, unsigned height, trouble_t *trouble) {
  if (width < 1 || height < 1 || width > TOPOLOGY_MAX_ROUTERS || width * height > TOPOLOGY_MAX_ROUTERS)
    return trouble_set(trouble, TROUBLE_INPUT, "a mesh has 1 to 1024 routers, such as mesh:8x8");
  if (!topology_begin(t, TOPOLOGY_MESH, width * height, MESH_PORTS, width * height)) return trouble_memory(trouble);
  t->width = width, t->height = height;
  for (unsigned r = 0; r < t->routers; r++) {
    topology_add_terminal(t, r, 0);
    if (r % width) topology_add_link(t, r, 1, r - 1, 2, 1);
    if (r >= width) topology_add_link(t, r, 3, r - width, 4, 1);
  }
  return true;
}

/* The link of router r in dimension `dim` to the next router of its ring, `stride` further. */
static void add_ring_link(topology_t *t, unsigned r, unsigned dim, unsigned stride) {
  const unsigned size = t->size[dim], back = 1 + 2 * dim, forth = back + 1;
  const bool last = r / stride % size == size - 1;
  topology_add_link(t, r, forth, last ? r - (size - 1) * stride : r + stride, back, 1);
  if (last && size >= TOPOLOGY_RING) topology_set_dateline(t, r, forth);
}

bool topology_torus(topology_t *t, const unsigned *size, unsigned dims, trouble_t *trouble) {
  unsigned routers = 1;
  bool good = dims >= 1 && dims <= TOPOLOGY_MAX_DIMS;
  for (unsigned d = 0; good && d < dims; d++) {
    good = size[d] >= 1 && size[d] <= TOPOLOGY_MAX_ROUTERS / routers;
    routers *= size[d];
  }
  if (!good)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "a torus has 1 to 7 dimensions and 1 to 1024 routers, such as torus:8x8 or ring:8");
  if (!topology_begin(t, TOPOLOGY_TORUS, routers, 1 + 2 * dims, routers)) return trouble_memory(trouble);
  t->dims = dims;
  memcpy(t->size, size, dims * sizeof *size);
  for (unsigned r = 0; r < routers; r++) topology_add_terminal(t, r, 0);
  for (unsigned d = 0, stride = 1; d < dims; stride *= size[d++])
    for (unsigned r = 0; size[d] > 1 && r < routers; r++) add_ring_link(t, r, d, stride);
  return true;
}

bool topology_hypercube(topology_t *t, unsigned dims, unsigned terminals, unsigned latency, trouble_t *trouble) {
  if (dims > 10 || terminals < 1 || terminals << dims > TOPOLOGY_MAX_TERMINALS || dims + terminals > TOPOLOGY_MAX_PORTS)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "a hypercube has 0 to 10 dimensions and at most 1024 terminals, such as hypercube:3");
  if (latency < 1 || latency > TOPOLOGY_MAX_LATENCY)
    return trouble_set(trouble, TROUBLE_INPUT, "a link's latency is 1 to 60 cycles");
  if (!topology_begin(t, TOPOLOGY_HYPERCUBE, 1U << dims, dims + terminals, terminals << dims))
    return trouble_memory(trouble);
  t->dims = dims;
  for (unsigned r = 0; r < t->routers; r++) {
    for (unsigned p = 0; p < terminals; p++) topology_add_terminal(t, r, p);
    for (unsigned d = 0; d < dims; d++)
      if (r >> d & 1) topology_add_link(t, r, terminals + d, r ^ 1U << d, terminals + d, latency);
  }
  return true;
}

bool topology_full(topology_t *t, unsigned routers, trouble_t *trouble) {
  if (routers < 1 || routers > TOPOLOGY_MAX_PORTS)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "full has 1 to 16 routers (a terminal and 15 links each), such as full:4");
  if (!topology_begin(t, TOPOLOGY_FULL, routers, routers > 2 ? routers : 2, routers)) return trouble_memory(trouble);
  for (unsigned r = 0; r < routers; r++) {
    topology_add_terminal(t, r, 0);
    for (unsigned peer = 0; peer < r; peer++) topology_add_link(t, r, peer + 1, peer, r, 1); /* neither counts itself */
  }
  return true;
}

/* Routers in an order in which parents come before their children; root_terminals at the root,
 * one at each other router. */
static bool build_tree(topology_t *t, const uint16_t *parent, unsigned routers, unsigned root_terminals,
                       trouble_t *trouble) {
  static const char limit[] = "a tree has at most 1024 routers and 16 ports a router: terminal, parent, children";
  unsigned used[TOPOLOGY_MAX_ROUTERS], ports = 1;
  for (unsigned r = 0; r < routers; r++) used[r] = r ? 2 : root_terminals; /* own terminal, way to the parent */
  for (unsigned r = 1; r < routers; r++) used[parent[r]]++;
  for (unsigned r = 0; r < routers; r++) ports = used[r] > ports ? used[r] : ports;
  if (ports > TOPOLOGY_MAX_PORTS) return trouble_set(trouble, TROUBLE_INPUT, limit);
  if (!topology_begin(t, TOPOLOGY_TREE, routers, ports, routers - 1 + root_terminals)) return trouble_memory(trouble);
  memcpy(t->parent, parent, routers * sizeof *parent);
  for (unsigned r = 0; r < routers; r++) {
    used[r] = r ? 1 : root_terminals;
    for (unsigned p = 0; p < used[r]; p++) topology_add_terminal(t, r, p);
  }
  for (unsigned r = 1; r < routers; r++) topology_add_link(t, r, used[r]++, parent[r], used[parent[r]]++, 1);
  return true;
}

bool topology_tree(topology_t *t, const unsigned *fanout, unsigned levels, trouble_t *trouble) {
  uint16_t parent[TOPOLOGY_MAX_ROUTERS] = {0};
  unsigned routers = 1, above = 0, first = 0;
  for (unsigned l = 0; l < levels; l++) {
    for (above = first, first = routers; above < first; above++) {
      for (unsigned c = 0; c < fanout[l]; c++) {
        if (routers == TOPOLOGY_MAX_ROUTERS)
          return trouble_set(trouble, TROUBLE_INPUT, "a tree has at most 1024 routers");
        parent[routers++] = (uint16_t)above;
      }
    }
  }
  return build_tree(t, parent, routers, 1, trouble);
}

bool topology_modules(topology_t *t, trouble_t *trouble) {
  static const uint16_t parent[] = {0, 0, 0, 0, 0, 2, 2, 4, 4};
  if (!build_tree(t, parent, 9, 8, trouble)) return false;
  for (unsigned r = 0; r < 9; r++) snprintf(t->name[r], sizeof t->name[r], "M%u", r);
  return true;
}

static unsigned count_terminals(const topology_t *t, unsigned router) {
  unsigned count = 0;
  for (unsigned p = 0; p < t->ports; p++) count += topology_port(t, router, p)->kind == PORT_TERMINAL;
  return count;
}

/* By how many ports router r's links move up, behind the new terminals; they keep their order. */
static unsigned port_shift(const topology_t *t, unsigned r, unsigned terminals) {
  return count_terminals(t, r) * (terminals - 1);
}

/* Routes find ports by their number, whether the ports before them are open or not. */
static bool has_fixed_ports(const topology_t *t) {
  return t->kind == TOPOLOGY_MESH || t->kind == TOPOLOGY_TORUS;
}

/* *ports: of the largest router then. */
static bool can_spread(const topology_t *t, unsigned terminals, unsigned latency, unsigned *ports, trouble_t *trouble) {
  *ports = t->ports;
  for (unsigned r = 0; r < t->routers; r++) {
    unsigned used = 0;
    for (unsigned p = 0; p < t->ports; p++) {
      const topology_port_t *port = topology_port(t, r, p);
      if (port->kind == PORT_LINK && port->latency * latency > TOPOLOGY_MAX_LATENCY)
        return trouble_set(trouble, TROUBLE_INPUT, "a link of router %s has a latency of %u cycles; at most %d",
                           t->name[r], port->latency * latency, TOPOLOGY_MAX_LATENCY);
      if (port->kind != PORT_OPEN || has_fixed_ports(t)) used = p + 1;
    }
    used += port_shift(t, r, terminals);
    if (used > *ports) *ports = used;
    if (used <= TOPOLOGY_MAX_PORTS && t->terminals * terminals <= TOPOLOGY_MAX_TERMINALS) continue;
    return trouble_set(trouble, TROUBLE_INPUT, "router %s has %u ports, and there are %u terminals; at most %d and %d",
                       t->name[r], used, t->terminals * terminals, TOPOLOGY_MAX_PORTS, TOPOLOGY_MAX_TERMINALS);
  }
  return true;
}

bool topology_spread(topology_t *t, unsigned terminals, unsigned latency, trouble_t *trouble) {
  topology_t wide;
  unsigned ports;
  if (!can_spread(t, terminals, latency, &ports, trouble)) return false;
  if (!topology_begin(&wide, t->kind, t->routers, ports, t->terminals * terminals)) return trouble_memory(trouble);
  wide.width = t->width, wide.height = t->height, wide.dims = t->dims;
  memcpy(wide.size, t->size, sizeof t->size);
  if (t->parent) memcpy(wide.parent, t->parent, t->routers * sizeof *t->parent);
  memcpy(wide.name, t->name, t->routers * sizeof *t->name);
  for (unsigned i = 0, at[TOPOLOGY_MAX_ROUTERS] = {0}; i < t->terminals; i++)
    for (unsigned k = 0; k < terminals; k++)
      topology_add_terminal(&wide, t->terminal[i].router, at[t->terminal[i].router]++);
  for (unsigned r = 0; r < t->routers; r++)
    for (unsigned p = 0; p < t->ports; p++) {
      const topology_port_t *port = topology_port(t, r, p);
      if (port->kind != PORT_LINK || port->peer >= r) continue;
      topology_add_link(&wide, r, p + port_shift(t, r, terminals), port->peer,
                        port->peer_port + port_shift(t, port->peer, terminals), port->latency * latency);
      if (port->dateline) topology_set_dateline(&wide, r, p + port_shift(t, r, terminals));
    }
  topology_free(t);
  *t = wide;
  return true;
}

/* "8x8" into numbers of 0 to 9999. Returns how many; 0: not such a list, or more than `room`. */
static unsigned parse_numbers(const char *text, unsigned *value, unsigned room) {
  unsigned count = 0;
  for (;; text++) {
    unsigned digits = 0, sum = 0;
    for (; isdigit((unsigned char)*text) && digits < 4; text++, digits++) sum = 10 * sum + (unsigned)(*text - '0');
    if (!digits || count == room) return 0;
    value[count++] = sum;
    if (!*text) return count;
    if (*text != 'x') return 0;
  }
}

static bool parse_spec(topology_t *t, const char *spec, trouble_t *trouble) {
  unsigned value[MAX_LEVELS], count;
  if (!strncmp(spec, "mesh:", 5)) {
    if (parse_numbers(spec + 5, value, 2) != 2)
      return trouble_set(trouble, TROUBLE_INPUT, "a mesh is mesh:XxY, such as mesh:8x8");
    return topology_mesh(t, value[0], value[1], trouble);
  }
  if (!strncmp(spec, "torus:", 6)) {
    count = parse_numbers(spec + 6, value, TOPOLOGY_MAX_DIMS);
    if (!count) return trouble_set(trouble, TROUBLE_INPUT, "a torus is torus:XxY or torus:XxYxZ.., such as torus:8x8");
    return topology_torus(t, value, count, trouble);
  }
  if (!strncmp(spec, "ring:", 5)) {
    if (parse_numbers(spec + 5, value, 1) != 1)
      return trouble_set(trouble, TROUBLE_INPUT, "a ring is ring:N, such as ring:8");
    return topology_torus(t, value, 1, trouble);
  }
  if (!strncmp(spec, "hypercube:", 10)) {
    if (parse_numbers(spec + 10, value, 1) != 1)
      return trouble_set(trouble, TROUBLE_INPUT, "a hypercube is hypercube:N, such as hypercube:3");
    return topology_hypercube(t, value[0], 1, 1, trouble);
  }
  if (!strncmp(spec, "full:", 5)) {
    if (parse_numbers(spec + 5, value, 1) != 1)
      return trouble_set(trouble, TROUBLE_INPUT, "a full network is full:N, such as full:4");
    return topology_full(t, value[0], trouble);
  }
  if (!strcmp(spec, "tree")) return topology_modules(t, trouble);
  if (!strncmp(spec, "tree:", 5)) {
    count = parse_numbers(spec + 5, value, MAX_LEVELS);
    for (unsigned i = 0; i < count; i++) count = value[i] ? count : 0;
    if (!count)
      return trouble_set(trouble, TROUBLE_INPUT,
                         "a tree is tree or tree:AxB, children below each router of a level, such as tree:4x2");
    return topology_tree(t, value, count, trouble);
  }
  return topology_file(t, spec, trouble);
}

/* An error names the spec, except a file's: those begin with its name and line. */
bool topology_parse(topology_t *t, const char *spec, trouble_t *trouble) {
  memset(t, 0, sizeof *t);
  if (parse_spec(t, spec, trouble)) return true;
  /* a file's errors begin with its name and line */
  if (trouble->kind != TROUBLE_INPUT || !strncmp(trouble->text, spec, strlen(spec))) return false;
  const trouble_t what = *trouble;
  return trouble_set(trouble, TROUBLE_INPUT, "%s: %s", spec, what.text);
}
