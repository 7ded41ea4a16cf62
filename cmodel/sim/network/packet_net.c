/* SPDX-License-Identifier: Apache-2.0
 *
 * Packets on a fabric. A fabric's packet has the payload's address as its tag.
 */
#include "packet_net.h"

#include <assert.h>
#include <stdlib.h>

enum { CLASSES = 2, SUBNETS = 2, MOST_HOPS = 15 }; /* MOST_HOPS: that a flit counts */

typedef struct delivered {
  void *payload;
  uint16_t flits;
  uint8_t vc;
} delivered_t;

typedef struct sink { /* one class of a terminal: packets whose tail has come, in order */
  delivered_t *ring;
  unsigned first, count;
} sink_t;

typedef struct subnet {
  packet_net_t *net;
  fabric_t *fabric;
  unsigned first_cls; /* number of its first class */
} subnet_t;

struct packet_net {
  packet_net_config_t config;
  routes_t routes;
  subnet_t subnet[SUBNETS];
  unsigned subnets, classes, vcs, room; /* classes of a fabric; VCs of a class; packets that a sink has room for */
  uint64_t held;                        /* packets inside */
  sink_t *sink;                         /* [terminals][CLASSES] */
  delivered_t *rings;
};

/* The sink of a terminal's class. */
static sink_t *sink_of(const packet_net_t *n, unsigned terminal, unsigned cls) {
  return &n->sink[terminal * CLASSES + cls];
}

/* The fabric that carries a class. */
static fabric_t *fabric_of(const packet_net_t *n, unsigned cls) {
  return n->subnet[cls / n->classes].fabric;
}

/* ---- making one ---- */

/* fabric_config_t: receive. A flit counts hops up to MOST_HOPS; the routes say how many there
 * were. */
static void receive_packet(void *context, const fabric_packet_t *p, uint64_t now) {
  const subnet_t *s = context;
  packet_net_t *n = s->net;
  const packet_net_config_t *c = &n->config;
  const unsigned cls = s->first_cls + p->cls;
  sink_t *k = sink_of(n, p->dest, cls);
  void *payload = (void *)(uintptr_t)p->tag;
  (void)now;
  assert(k->count < n->room);
  unsigned at = k->first + k->count++;
  k->ring[at >= n->room ? at - n->room : at] = (delivered_t){payload, p->flits, p->vc};
  if (!c->arrived) return;
  c->arrived(c->context, payload, p->dest, cls,
             p->hops < MOST_HOPS ? p->hops : routes_hops(&n->routes, c->topology, p->source, p->dest));
}

static bool make_fabric(packet_net_t *n, unsigned number, trouble_t *trouble) {
  const packet_net_config_t *c = &n->config;
  subnet_t *s = &n->subnet[number];
  s->net = n, s->first_cls = number * n->classes;
  const fabric_config_t config = {.topology = c->topology,
                                  .routes = &n->routes,
                                  .engine = c->engine + number * c->topology->routers,
                                  .router = c->router,
                                  .receive = receive_packet,
                                  .context = s,
                                  .instance = number * c->topology->routers,
                                  .sink_flits = c->sink_flits};
  s->fabric = fabric_new(&config, trouble);
  return s->fabric != NULL;
}

/* A packet has at least one flit, so a sink's room in flits is enough places for packets. */
static bool build_packet_net(packet_net_t *n, trouble_t *trouble) {
  const packet_net_config_t *c = &n->config;
  const unsigned sinks = c->topology->terminals * CLASSES;
  n->sink = calloc(sinks, sizeof *n->sink);
  n->rings = calloc((size_t)sinks * n->room, sizeof *n->rings);
  if (!n->sink || !n->rings) return trouble_memory(trouble);
  for (unsigned i = 0; i < sinks; i++) n->sink[i].ring = &n->rings[(size_t)i * n->room];
  if (!routes_new(&n->routes, c->topology, trouble)) return false;
  for (unsigned s = 0; s < n->subnets; s++)
    if (!make_fabric(n, s, trouble)) return false;
  return true;
}

packet_net_t *packet_net_new(const packet_net_config_t *c, trouble_t *trouble) {
  packet_net_t *n = calloc(1, sizeof *n);
  if (!n) return trouble_memory(trouble), NULL;
  n->config = *c;
  n->config.router.KeepVC = c->ordered || topology_has_datelines(c->topology);
  if (n->config.sink_flits < (unsigned)c->router.Depth) n->config.sink_flits = (unsigned)c->router.Depth;
  n->subnets = c->subnets > 1 ? SUBNETS : 1;
  n->classes = (unsigned)c->router.Classes;
  n->vcs = (unsigned)(c->router.NumVCs / c->router.Classes);
  n->room = (n->vcs + (unsigned)c->router.Tr) * n->config.sink_flits; /* a priority buffer is a VC, too */
  if (build_packet_net(n, trouble)) return n;
  packet_net_free(n);
  return NULL;
}

void packet_net_free(packet_net_t *n) {
  if (!n) return;
  for (unsigned s = 0; s < SUBNETS; s++) fabric_free(n->subnet[s].fabric);
  routes_free(&n->routes);
  free(n->sink);
  free(n->rings);
  free(n);
}

/* ---- packets ---- */

bool packet_net_can_push(const packet_net_t *n, unsigned terminal, unsigned cls) {
  return packet_net_waiting(n, terminal, cls) < n->config.source_packets;
}

void packet_net_push(packet_net_t *n, unsigned terminal, unsigned cls, unsigned path, void *payload) {
  const packet_net_config_t *c = &n->config;
  fabric_packet_t packet = {
      .tag = (uintptr_t)payload,
      .dest = (uint16_t)c->exit(c->context, payload),
      .flits = (uint16_t)c->flits(c->context, payload, cls),
      .cls = (uint8_t)(cls % n->classes),
      .div = c->divergent && c->divergent(c->context, payload),
      .vc = FABRIC_ANY_VC,
  };
  assert(cls < n->subnets * n->classes && packet.dest < c->topology->terminals && packet.flits <= c->sink_flits);
  fabric_t *f = fabric_of(n, cls);
  if (c->ordered) packet.vc = (uint8_t)fabric_flow_vc(f, terminal, packet.dest, packet.cls, path);
  fabric_send(f, terminal, &packet);
  n->held++;
}

void *packet_net_front(const packet_net_t *n, unsigned terminal, unsigned cls) {
  const sink_t *k = sink_of(n, terminal, cls);
  return k->count ? k->ring[k->first].payload : NULL;
}

void *packet_net_pop(packet_net_t *n, unsigned terminal, unsigned cls) {
  sink_t *k = sink_of(n, terminal, cls);
  if (!k->count) return NULL;
  const delivered_t d = k->ring[k->first];
  k->first = k->first + 1 == n->room ? 0 : k->first + 1;
  k->count--;
  n->held--;
  fabric_release(fabric_of(n, cls), terminal, d.vc, d.flits);
  return d.payload;
}

void packet_net_tick(packet_net_t *n, uint64_t now) {
  for (unsigned s = 0; s < n->subnets; s++) {
    fabric_skip(n->subnet[s].fabric, now);
    fabric_cycle(n->subnet[s].fabric);
  }
}

/* ---- looking at it ---- */

bool packet_net_idle(const packet_net_t *n) {
  /* an epoch's end would come behind what is sent after it */
  if (n->config.router.Crit || n->config.router.Width) return false;
  for (unsigned s = 0; s < n->subnets; s++)
    if (!fabric_idle(n->subnet[s].fabric)) return false;
  return true;
}

uint64_t packet_net_held(const packet_net_t *n) {
  return n->held;
}

unsigned packet_net_waiting(const packet_net_t *n, unsigned terminal, unsigned cls) {
  return cls < n->subnets * n->classes ? (unsigned)fabric_waiting(fabric_of(n, cls), terminal, cls % n->classes) : 0;
}

unsigned packet_net_there(const packet_net_t *n, unsigned terminal, unsigned cls) {
  return sink_of(n, terminal, cls)->count;
}

unsigned packet_net_subnets(const packet_net_t *n) {
  return n->subnets;
}

const fabric_t *packet_net_fabric(const packet_net_t *n, unsigned subnet) {
  return n->subnet[subnet].fabric;
}
