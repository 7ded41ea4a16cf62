/* SPDX-License-Identifier: Apache-2.0
 *
 * Core packets on one side, the fabric's on the other; the tag is the packet's place in a pool. A terminal has its router's number. Sinks keep a
 * packet's room until it is popped.
 */
#include "mpu_net.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "describe.h"

enum { CLASSES = 2, FLIT_BITS = 256, SOURCE_PACKETS = 4, SINK_FLITS = 16, MAX_FLITS = 2, WORDS = MPU_MAX_CORES / 64 };

typedef struct delivered {
  mpu_packet_t packet;
  uint8_t vc, flits;
} delivered_t;

typedef struct sink { /* one class of a core: packets whose tail has come, in order */
  delivered_t *ring;
  unsigned first, count;
} sink_t;

typedef union place { /* of the pool: a packet under way, or the next place that is free */
  mpu_packet_t packet;
  uint32_t next;
} place_t;

struct mpu_net {
  topology_t topology;
  routes_t routes;
  fabric_t *fabric;
  unsigned cores, vcs, room;         /* room: packets of a sink */
  uint16_t router[MPU_MAX_CORES];    /* of a core */
  uint8_t core[MPU_MAX_CORES];       /* of a router */
  sink_t sink[MPU_MAX_CORES][CLASSES];
  delivered_t *rings;
  place_t *pool;
  uint32_t used, unused;             /* places that were ever used; the first free one of them, NONE: none */
  uint64_t arrived[WORDS];
};

enum { NONE = UINT32_MAX };

/* ---- making one ---- */

unsigned mpu_net_router(const mpu_config_t *c, unsigned core) {
  unsigned cores = c->cores_x * c->cores_y, cube = core / cores, in_cube = core % cores;
  unsigned x = cube % c->cubes_x * c->cores_x + in_cube % c->cores_x;
  unsigned y = cube / c->cubes_x * c->cores_y + in_cube / c->cores_x;
  return x + y * c->cubes_x * c->cores_x;
}

/* Routers of any machine have a table for the largest, so that they are built once. */
router_params_t mpu_net_router_params(const mpu_config_t *c) {
  router_params_t p = router_params_default();
  p.Ports = 5;
  p.NumDest = MPU_MAX_CORES;
  p.Classes = CLASSES;
  p.NumVCs = CLASSES * (long)c->net_vcs;
  p.Depth = c->net_depth;
  p.FlitBits = FLIT_BITS;
  p.KeepVC = 1;
  return p;
}

/* A link leaves the processor where its ends are in different ones. */
static void set_latencies(mpu_net_t *n, const mpu_config_t *c) {
  for (unsigned r = 0; r < n->topology.routers; r++) {
    unsigned x = r % n->topology.width / c->cores_x, y = r / n->topology.width / c->cores_y;
    for (unsigned p = 0; p < n->topology.ports; p++) {
      topology_port_t *port = &n->topology.port[r * n->topology.ports + p];
      if (port->kind != PORT_LINK) continue;
      bool inside = port->peer % n->topology.width / c->cores_x == x && port->peer / n->topology.width / c->cores_y == y;
      port->latency = (uint8_t)(inside ? c->mesh_latency : c->cube_latency);
    }
  }
}

static unsigned sink_flits(const mpu_config_t *c) {
  return c->net_depth > SINK_FLITS ? c->net_depth : SINK_FLITS;
}

static void receive(void *context, const fabric_packet_t *p, uint64_t now);

static bool make_fabric(mpu_net_t *n, const mpu_config_t *c, const block_engine_t *const *engine, char *error, size_t size) {
  unsigned width = c->cubes_x * c->cores_x, height = c->cubes_y * c->cores_y;
  if (!topology_mesh(&n->topology, width, height, error, size)) return false;
  set_latencies(n, c);
  if (!routes_new(&n->routes, &n->topology, error, size)) return false;
  const fabric_config_t config = {.topology = &n->topology, .routes = &n->routes, .engine = engine, .router = mpu_net_router_params(c),
                                  .receive = receive, .context = n, .sink_flits = sink_flits(c)};
  n->fabric = fabric_new(&config, error, size);
  return n->fabric != NULL;
}

/* A packet that has left its queue has at least one flit in a router or a sink, so these places are enough. */
static size_t places(const mpu_config_t *c) {
  router_params_t p = mpu_net_router_params(c);
  return mpu_config_cores(c) * (CLASSES * SOURCE_PACKETS + (size_t)p.NumVCs * ((size_t)(p.Ports * p.Depth) + sink_flits(c)));
}

mpu_net_t *mpu_net_new(const mpu_config_t *c, const block_engine_t *const *engine, char *error, size_t size) {
  mpu_net_t *n = calloc(1, sizeof *n);
  snprintf(error, size, "out of memory");
  if (!n) return NULL;
  n->cores = mpu_config_cores(c);
  assert(n->cores <= MPU_MAX_CORES);
  n->vcs = c->net_vcs;
  n->room = c->net_vcs * sink_flits(c);
  n->unused = NONE;
  n->pool = calloc(places(c), sizeof *n->pool);
  n->rings = calloc((size_t)n->cores * CLASSES * n->room, sizeof *n->rings);
  for (unsigned i = 0; i < n->cores; i++) {
    n->router[i] = (uint16_t)mpu_net_router(c, i);
    n->core[n->router[i]] = (uint8_t)i;
    for (unsigned cls = 0; cls < CLASSES; cls++) n->sink[i][cls].ring = n->rings + (size_t)(i * CLASSES + cls) * n->room;
  }
  if (n->pool && n->rings && make_fabric(n, c, engine, error, size)) return n;
  mpu_net_free(n);
  return NULL;
}

void mpu_net_free(mpu_net_t *n) {
  if (!n) return;
  fabric_free(n->fabric);
  routes_free(&n->routes);
  topology_free(&n->topology);
  free(n->rings);
  free(n->pool);
  free(n);
}

/* ---- packets ---- */

static uint32_t place_new(mpu_net_t *n) {
  uint32_t place = n->unused;
  if (place == NONE) return n->used++;
  n->unused = n->pool[place].next;
  return place;
}

bool mpu_net_can_push(const mpu_net_t *n, unsigned core, unsigned cls) {
  return fabric_waiting(n->fabric, n->router[core], cls) < SOURCE_PACKETS;
}

void mpu_net_push(mpu_net_t *n, unsigned core, unsigned cls, const mpu_packet_t *packet) {
  uint32_t place = place_new(n);
  assert(packet->dest < n->cores && mpu_packet_flits(packet, cls) <= MAX_FLITS);
  n->pool[place].packet = *packet;
  fabric_send(n->fabric, n->router[core],
              &(fabric_packet_t){.tag = place,
                                 .dest = n->router[packet->dest],
                                 .flits = (uint16_t)mpu_packet_flits(packet, cls),
                                 .cls = (uint8_t)cls,
                                 .vc = (uint8_t)(cls * n->vcs + (core + packet->dest) % n->vcs)});
}

static void receive(void *context, const fabric_packet_t *p, uint64_t now) {
  mpu_net_t *n = context;
  unsigned core = n->core[p->dest];
  sink_t *k = &n->sink[core][p->cls];
  uint32_t place = (uint32_t)p->tag;
  (void)now;
  assert(k->count < n->room);
  k->ring[(k->first + k->count++) % n->room] = (delivered_t){n->pool[place].packet, p->vc, (uint8_t)p->flits};
  n->arrived[core / 64] |= UINT64_C(1) << core % 64;
  n->pool[place].next = n->unused;
  n->unused = place;
}

const mpu_packet_t *mpu_net_front(const mpu_net_t *n, unsigned core, unsigned cls) {
  const sink_t *k = &n->sink[core][cls];
  return k->count ? &k->ring[k->first].packet : NULL;
}

void mpu_net_pop(mpu_net_t *n, unsigned core, unsigned cls) {
  sink_t *k = &n->sink[core][cls];
  assert(k->count);
  const delivered_t *d = &k->ring[k->first];
  fabric_release(n->fabric, n->router[core], d->vc, d->flits);
  k->first = k->first + 1 == n->room ? 0 : k->first + 1;
  k->count--;
  if (!n->sink[core][0].count && !n->sink[core][1].count) n->arrived[core / 64] &= ~(UINT64_C(1) << core % 64);
}

uint64_t mpu_net_arrived(const mpu_net_t *n, unsigned word) {
  return n->arrived[word];
}

void mpu_net_tick(mpu_net_t *n, uint64_t cycle) {
  fabric_skip(n->fabric, cycle);
  fabric_cycle(n->fabric);
}

bool mpu_net_idle(const mpu_net_t *n) {
  return fabric_idle(n->fabric);
}

/* ---- looking at it ---- */

const fabric_t *mpu_net_fabric(const mpu_net_t *n) {
  return n->fabric;
}

size_t mpu_net_describe_waits(const mpu_net_t *n, char *text, size_t size) {
  static const char *const what[CLASSES] = {"requests", "answers"};
  size_t used = 0;
  if (size) *text = 0;
  for (unsigned i = 0; i < n->cores * CLASSES; i++) {
    unsigned core = i / CLASSES, cls = i % CLASSES, count = n->sink[core][cls].count;
    unsigned waiting = (unsigned)fabric_waiting(n->fabric, n->router[core], cls);
    if (waiting) describe_add(text, size, &used, "network: %u %s of core %u wait to enter\n", waiting, what[cls], core);
    if (count) describe_add(text, size, &used, "network: %u %s wait to be taken by core %u\n", count, what[cls], core);
  }
  return used + fabric_describe_waits(n->fabric, describe_end(text, size, used), describe_room(size, used));
}
