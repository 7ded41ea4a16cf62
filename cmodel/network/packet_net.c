/* SPDX-License-Identifier: Apache-2.0
 *
 * The fabric's packets have the payload's address as their tag.
 */
#include "packet_net.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { CLASSES = 2, MOST_HOPS = 15 }; /* MOST_HOPS: that a flit counts */

typedef struct delivered {
  void *payload;
  uint16_t flits;
  uint8_t vc;
} delivered_t;

typedef struct sink { /* one class of a terminal: packets whose tail has come, in order */
  delivered_t *ring;
  unsigned first, count;
} sink_t;

struct packet_net {
  packet_net_config_t config;
  routes_t routes;
  fabric_t *fabric;
  unsigned classes, vcs, room; /* vcs: of a class; room: packets of a sink */
  uint64_t held;
  sink_t *sink; /* [terminals][CLASSES] */
  delivered_t *rings;
};

static sink_t *sink_of(const packet_net_t *n, unsigned terminal, unsigned cls) {
  return &n->sink[terminal * CLASSES + cls];
}

/* ---- making one ---- */

static void receive(void *context, const fabric_packet_t *p, uint64_t now) {
  packet_net_t *n = context;
  const packet_net_config_t *c = &n->config;
  sink_t *k = sink_of(n, p->dest, p->cls);
  void *payload = (void *)(uintptr_t)p->tag;
  (void)now;
  assert(k->count < n->room);
  unsigned at = k->first + k->count++;
  k->ring[at >= n->room ? at - n->room : at] = (delivered_t){payload, p->flits, p->vc};
  if (!c->arrived) return;
  c->arrived(c->context, payload, p->dest, p->cls, p->hops < MOST_HOPS ? p->hops : routes_hops(&n->routes, c->topology, p->source, p->dest));
}

static bool make(packet_net_t *n, char *error, size_t size) {
  const packet_net_config_t *c = &n->config;
  const unsigned sinks = c->topology->terminals * CLASSES;
  n->sink = calloc(sinks, sizeof *n->sink);
  n->rings = calloc((size_t)sinks * n->room, sizeof *n->rings);
  if (!n->sink || !n->rings) {
    snprintf(error, size, "out of memory");
    return false;
  }
  for (unsigned i = 0; i < sinks; i++) n->sink[i].ring = &n->rings[(size_t)i * n->room];
  if (!routes_new(&n->routes, c->topology, error, size)) return false;
  const fabric_config_t config = {
      .topology = c->topology, .routes = &n->routes, .engine = c->engine, .router = c->router, .receive = receive, .context = n, .sink_flits = c->sink_flits};
  n->fabric = fabric_new(&config, error, size);
  return n->fabric != NULL;
}

packet_net_t *packet_net_new(const packet_net_config_t *c, char *error, size_t size) {
  packet_net_t *n = calloc(1, sizeof *n);
  if (!n) {
    snprintf(error, size, "out of memory");
    return NULL;
  }
  n->config = *c;
  n->config.router.KeepVC = c->ordered;
  if (n->config.sink_flits < (unsigned)c->router.Depth) n->config.sink_flits = (unsigned)c->router.Depth;
  n->classes = (unsigned)c->router.Classes;
  n->vcs = (unsigned)(c->router.NumVCs / c->router.Classes);
  n->room = n->vcs * n->config.sink_flits;
  if (make(n, error, size)) return n;
  packet_net_free(n);
  return NULL;
}

void packet_net_free(packet_net_t *n) {
  if (!n) return;
  fabric_free(n->fabric);
  routes_free(&n->routes);
  free(n->sink);
  free(n->rings);
  free(n);
}

/* ---- packets ---- */

bool packet_net_can_push(const packet_net_t *n, unsigned terminal, unsigned cls) {
  return fabric_waiting(n->fabric, terminal, cls) < n->config.source_packets;
}

void packet_net_push(packet_net_t *n, unsigned terminal, unsigned cls, unsigned path, void *payload) {
  const packet_net_config_t *c = &n->config;
  const fabric_packet_t packet = {
      .tag = (uintptr_t)payload,
      .dest = (uint16_t)c->exit(c->context, payload),
      .flits = (uint16_t)c->flits(c->context, payload, cls),
      .cls = (uint8_t)cls,
      .vc = c->ordered ? (uint8_t)(cls * n->vcs + path % n->vcs) : FABRIC_ANY_VC,
  };
  assert(cls < n->classes && packet.dest < c->topology->terminals && packet.flits <= c->sink_flits);
  fabric_send(n->fabric, terminal, &packet);
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
  fabric_release(n->fabric, terminal, d.vc, d.flits);
  return d.payload;
}

void packet_net_tick(packet_net_t *n, uint64_t now) {
  fabric_skip(n->fabric, now);
  fabric_cycle(n->fabric);
}

/* ---- looking at it ---- */

bool packet_net_idle(const packet_net_t *n) {
  return fabric_idle(n->fabric);
}

uint64_t packet_net_held(const packet_net_t *n) {
  return n->held;
}

unsigned packet_net_waiting(const packet_net_t *n, unsigned terminal, unsigned cls) {
  return cls < n->classes ? (unsigned)fabric_waiting(n->fabric, terminal, cls) : 0;
}

unsigned packet_net_there(const packet_net_t *n, unsigned terminal, unsigned cls) {
  return sink_of(n, terminal, cls)->count;
}

const fabric_t *packet_net_fabric(const packet_net_t *n) {
  return n->fabric;
}
