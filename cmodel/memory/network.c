/* SPDX-License-Identifier: Apache-2.0
 *
 * Packets on one side, the fabric's packets on the other: terminal node * local_ports + port, the tag is the packet's address. Sinks keep a
 * packet's room until it is popped.
 */
#include "network.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "stack_map.h"

enum { FLIT_BYTES = 16, MAX_DEPTH = 64, CLASSES = 2, ERROR_SIZE = 512 };

typedef struct delivered {
  packet_t *packet;
  uint8_t vc, flits;
} delivered_t;

typedef struct sink { /* one class: packets whose tail has come, in order */
  delivered_t *ring;
  unsigned first, count;
} sink_t;

struct network {
  network_config_t config;
  network_stats_t stats;
  uint64_t held;      /* packets inside */
  unsigned nodes, room; /* room: packets of a sink */
  topology_t topology;
  routes_t routes;
  fabric_t *fabric;
  sink_t *sink;       /* [nodes][local_ports][CLASSES] */
  delivered_t *rings;
  uint8_t ready[NETWORK_MAX_NODES]; /* by node: sinks with packets, bit 2 * port + class */
};

/* ---- making one ---- */

network_config_t network_default_config(void) {
  return (network_config_t){.topology = "hypercube:3", .classes = 2, .vcs = 2, .depth = 16, .link_latency = 4, .local_ports = 4,
                            .source_packets = 4, .sink_flits = 32, .ordered = true};
}

bool network_topology(const network_config_t *c, topology_t *t, char *error, size_t size) {
  if (!topology_parse(t, c->topology, error, size)) return false;
  if (topology_spread(t, c->local_ports, c->link_latency, error, size)) return true;
  topology_free(t);
  return false;
}

unsigned network_config_nodes(const network_config_t *c) {
  topology_t t;
  char error[ERROR_SIZE];
  if (!topology_parse(&t, c->topology, error, sizeof error)) return 0;
  const unsigned nodes = t.terminals;
  topology_free(&t);
  return nodes;
}

unsigned network_config_routers(const network_config_t *c) {
  topology_t t;
  char error[ERROR_SIZE];
  if (!topology_parse(&t, c->topology, error, sizeof error)) return 0;
  const unsigned routers = t.routers;
  topology_free(&t);
  return routers;
}

static const char too_many[] = "the topology must have 1 to 16 terminals";

/* Its routes, too. */
static const char *check_topology(const network_config_t *c) {
  static char error[ERROR_SIZE];
  topology_t t;
  routes_t routes;
  if (!network_topology(c, &t, error, sizeof error)) return error;
  const unsigned nodes = t.terminals / c->local_ports;
  bool good = routes_new(&routes, &t, error, sizeof error);
  if (good) routes_free(&routes);
  topology_free(&t);
  if (!good) return error;
  return nodes >= 1 && nodes <= NETWORK_MAX_NODES ? NULL : too_many;
}

static const char *check_limits(const network_config_t *c) {
  if (c->classes < 1 || c->classes > CLASSES) return "classes must be 1 or 2";
  if (c->vcs < 1 || c->vcs > 4) return "vcs must be 1 to 4 a class";
  if (c->depth < 1 || c->depth > MAX_DEPTH) return "depth must be 1 to 64 flits";
  if (c->link_latency < 1 || c->link_latency > TOPOLOGY_MAX_LATENCY) return "link_latency must be 1 to 60 ticks";
  if (c->local_ports != 1 && c->local_ports != 2 && c->local_ports != 4) return "local_ports must be 1, 2 or 4";
  if (c->source_packets < 1) return "source_packets must be at least 1";
  if (c->sink_flits < 1 || c->sink_flits > 128) return "sink_flits must be 1 to 128";
  return NULL;
}

const char *network_check_config(const network_config_t *c) {
  const char *wrong = check_limits(c);
  return wrong ? wrong : check_topology(c);
}

/* But for what the topology says. */
static router_params_t plain_router(const network_config_t *c) {
  router_params_t p = router_params_default();
  p.Classes = c->classes;
  p.NumVCs = (long)c->classes * c->vcs;
  p.Depth = c->depth;
  p.FlitBits = 8 * FLIT_BYTES;
  p.KeepVC = c->ordered;
  return p;
}

router_params_t network_router_params(const network_config_t *c) {
  topology_t t;
  char error[ERROR_SIZE];
  router_params_t p = plain_router(c);
  if (!network_topology(c, &t, error, sizeof error)) return p;
  p = fabric_router_params(&t, p);
  topology_free(&t);
  return p;
}

static sink_t *sink_of(const network_t *n, unsigned terminal, unsigned cls) {
  return &n->sink[terminal * CLASSES + cls];
}

static void receive(void *context, const fabric_packet_t *p, uint64_t now);

static bool make_fabric(network_t *n, const block_engine_t *const *routers, char *error, size_t size) {
  const network_config_t *c = &n->config;
  if (!routes_new(&n->routes, &n->topology, error, size)) return false;
  const fabric_config_t config = {.topology = &n->topology, .routes = &n->routes, .engine = routers, .receive = receive, .context = n,
                                  .router = fabric_router_params(&n->topology, plain_router(c)),
                                  .sink_flits = c->sink_flits > c->depth ? c->sink_flits : c->depth};
  n->fabric = fabric_new(&config, error, size);
  return n->fabric != NULL;
}

network_t *network_new(const network_config_t *c, const block_engine_t *const *routers, char *error, size_t size) {
  const char *wrong = check_limits(c);
  network_t *n = wrong ? NULL : calloc(1, sizeof *n);
  if (!n) {
    snprintf(error, size, "%s", wrong ? wrong : "out of memory");
    return NULL;
  }
  n->config = *c;
  bool made = network_topology(c, &n->topology, error, size);
  n->nodes = n->topology.terminals / c->local_ports;
  if (made && n->nodes > NETWORK_MAX_NODES) {
    snprintf(error, size, "%s", too_many);
    made = false;
  }
  if (!made) {
    network_free(n);
    return NULL;
  }
  n->room = c->vcs * (c->sink_flits > c->depth ? c->sink_flits : c->depth);
  unsigned sinks = n->nodes * c->local_ports * CLASSES;
  n->sink = calloc(sinks, sizeof *n->sink);
  n->rings = calloc((size_t)sinks * n->room, sizeof *n->rings);
  made = n->sink && n->rings;
  if (!made) snprintf(error, size, "out of memory");
  for (unsigned i = 0; made && i < sinks; i++) n->sink[i].ring = &n->rings[(size_t)i * n->room];
  if (made && make_fabric(n, routers, error, size)) return n;
  network_free(n);
  return NULL;
}

void network_free(network_t *n) {
  if (!n) return;
  fabric_free(n->fabric);
  routes_free(&n->routes);
  topology_free(&n->topology);
  free(n->sink);
  free(n->rings);
  free(n);
}

/* ---- packets ---- */

static packet_t *packet_of(uint64_t tag) {
  return (packet_t *)(uintptr_t)tag;
}

static unsigned class_of(const network_t *n, const packet_t *p) {
  int cls = pkt_type_class((unsigned)p->hdr.type);
  assert(cls >= 0);
  return n->config.classes == 1 ? 0 : (unsigned)cls;
}

/* Requests leave at the port of their vault's quadrant, all else at the NSU's: see stack_map.h for the address bits. */
static unsigned exit_port(const network_t *n, const packet_t *p) {
  if (n->config.local_ports == 1 || pkt_type_class((unsigned)p->hdr.type) != 0) return 0;
  return stack_quadrant_of(p->hdr.addr) % n->config.local_ports;
}

bool network_can_push(const network_t *n, unsigned node, unsigned port, unsigned cls) {
  unsigned terminal = node * n->config.local_ports + port;
  return fabric_waiting(n->fabric, terminal, n->config.classes == 1 ? 0 : cls) < n->config.source_packets;
}

void network_push(network_t *n, unsigned node, unsigned port, packet_t *p) {
  unsigned cls = class_of(n, p), flits = packet_flits(p);
  assert(p->hdr.dst < n->nodes && flits <= n->config.sink_flits);
  const fabric_packet_t packet = {
      .tag = (uintptr_t)p,
      .dest = (uint16_t)(p->hdr.dst * n->config.local_ports + exit_port(n, p)),
      .flits = (uint16_t)flits,
      .cls = (uint8_t)cls,
      .vc = n->config.ordered ? (uint8_t)(cls * n->config.vcs + (unsigned)(p->hdr.src + p->hdr.dst) % n->config.vcs) : FABRIC_ANY_VC,
  };
  p->next = NULL;
  fabric_send(n->fabric, node * n->config.local_ports + port, &packet);
  n->held++;
  n->stats.packets[p->hdr.type]++;
  n->stats.bytes[p->hdr.type] += packet_bytes(p);
}

static void receive(void *context, const fabric_packet_t *p, uint64_t now) {
  network_t *n = context;
  packet_t *packet = packet_of(p->tag);
  sink_t *k = sink_of(n, p->dest, p->cls);
  (void)now;
  k->ring[(k->first + k->count++) % n->room] = (delivered_t){packet, p->vc, (uint8_t)p->flits};
  n->ready[p->dest / n->config.local_ports] |= (uint8_t)(1U << (2 * (p->dest % n->config.local_ports) + p->cls));
  n->stats.link_bytes[packet->hdr.type] += (uint64_t)packet_bytes(packet) * (p->hops - 1U);
}

packet_t *network_peek(const network_t *n, unsigned node, unsigned port, unsigned cls) {
  const sink_t *k = sink_of(n, node * n->config.local_ports + port, cls);
  return k->count ? k->ring[k->first].packet : NULL;
}

unsigned network_ready(const network_t *n, unsigned node) {
  return n->ready[node];
}

packet_t *network_pop(network_t *n, unsigned node, unsigned port, unsigned cls) {
  unsigned terminal = node * n->config.local_ports + port;
  sink_t *k = sink_of(n, terminal, cls);
  if (!k->count) return NULL;
  delivered_t d = k->ring[k->first];
  k->first = k->first + 1 == n->room ? 0 : k->first + 1;
  if (!--k->count) n->ready[node] &= (uint8_t)~(1U << (2 * port + cls));
  n->held--;
  n->stats.delivered++;
  fabric_release(n->fabric, terminal, d.vc, d.flits);
  return d.packet;
}

void network_tick(network_t *n, uint64_t now) {
  fabric_skip(n->fabric, now);
  fabric_cycle(n->fabric);
}

/* ---- looking at it ---- */

unsigned network_nodes(const network_t *n) {
  return n->nodes;
}

unsigned network_local_ports(const network_t *n) {
  return n->config.local_ports;
}

bool network_idle(const network_t *n) {
  return n->held == 0 && fabric_idle(n->fabric);
}

uint64_t network_held(const network_t *n) {
  return n->held;
}

const char *network_error(const network_t *n) {
  return fabric_error(n->fabric);
}

network_stats_t network_stats(const network_t *n) {
  network_stats_t stats = n->stats;
  for (unsigned r = 0; r < n->topology.routers; r++)
    for (unsigned p = 0; p < n->topology.ports; p++)
      if (topology_port(&n->topology, r, p)->kind == PORT_LINK) stats.link_flits += fabric_port_stats(n->fabric, r, p).flits;
  return stats;
}

size_t network_describe_waits(const network_t *n, char *text, size_t size) {
  size_t used = 0;
  if (size) *text = 0;
  for (unsigned i = 0; i < n->nodes * n->config.local_ports * CLASSES; i++) {
    unsigned terminal = i / CLASSES, cls = i % CLASSES, node = terminal / n->config.local_ports, port = terminal % n->config.local_ports;
    unsigned waiting = cls < n->config.classes ? (unsigned)fabric_waiting(n->fabric, terminal, cls) : 0;
    const packet_t *p = network_peek(n, node, port, cls);
    if (waiting) describe_add(text, size, &used, "network source %u.%u class %u: %u packets\n", node, port, cls, waiting);
    if (p)
      describe_add(text, size, &used, "network sink %u.%u class %u: %u packets, %s waits to be taken\n", node, port, cls,
                   sink_of(n, terminal, cls)->count, pkt_type_name((unsigned)p->hdr.type));
  }
  return used + fabric_describe_waits(n->fabric, describe_end(text, size, used), describe_room(size, used));
}
