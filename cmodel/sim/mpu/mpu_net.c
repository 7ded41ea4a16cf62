/* SPDX-License-Identifier: Apache-2.0
 *
 * Core packets on a packet_net. What is under way in the packet_net is a place of a pool here,
 * so a packet is copied when it is pushed and freed when it is popped.
 */
#include "mpu_net.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "packet_net.h"

enum {
  CLASSES = 2,
  FLIT_BITS = 256,
  SOURCE_PACKETS = 4,
  SINK_FLITS = 16,
  WORDS = MPU_MAX_CORES / 64,
  NO_CORE = 0xffff
};

typedef union place { /* of the pool: a packet under way, or the next place that is free */
  mpu_packet_t packet;
  union place *next;
} place_t;

struct mpu_net {
  mpu_config_t config;
  topology_t topology;
  packet_net_t *net;
  unsigned cores;
  uint16_t terminal[MPU_MAX_CORES]; /* of each core */
  uint16_t core[MPU_MAX_CORES];     /* at each terminal */
  place_t *pool, *unused;
  size_t used;             /* places that were ever used */
  uint64_t arrived[WORDS]; /* bits: cores with a packet to take, of any class */
};

/* ---- what it is made from ---- */

static bool is_mesh(const mpu_config_t *c) {
  return !*c->net.topology || !strcmp(c->net.topology, "mesh");
}

unsigned mpu_net_terminal(const mpu_config_t *c, unsigned core) {
  if (!is_mesh(c)) return core;
  unsigned cores = c->cores_x * c->cores_y, cube = core / cores, in_cube = core % cores;
  unsigned x = cube % c->cubes_x * c->cores_x + in_cube % c->cores_x;
  unsigned y = cube / c->cubes_x * c->cores_y + in_cube / c->cores_x;
  return x + y * c->cubes_x * c->cores_x;
}

/* The configured topology, with latencies as it has them. False: it has not one terminal a core. */
static bool parse_core_topology(const mpu_config_t *c, topology_t *t, trouble_t *trouble) {
  if (is_mesh(c)) return topology_mesh(t, c->cubes_x * c->cores_x, c->cubes_y * c->cores_y, trouble);
  if (!topology_parse(t, c->net.topology, trouble)) return false;
  if (t->terminals == mpu_config_cores(c)) return true;
  trouble_set(trouble, TROUBLE_INPUT, "%s has %u terminals, and there are %u cores; as many would be right",
              c->net.topology, t->terminals, mpu_config_cores(c));
  topology_free(t);
  return false;
}

/* The processor at whose core a router is; NO_CORE: at none. */
static unsigned cube_of(const topology_t *t, const mpu_config_t *c, unsigned router) {
  for (unsigned core = 0; core < mpu_config_cores(c); core++)
    if (t->terminal[mpu_net_terminal(c, core)].router == router) return core / (c->cores_x * c->cores_y);
  return NO_CORE;
}

/* A link is inside where its ends are at one processor. */
static bool is_inside(const unsigned *cube, unsigned router, const topology_port_t *port) {
  return cube[router] != NO_CORE && cube[router] == cube[port->peer];
}

/* Latency and interval of every link. A link that gets too slow for the fabric's wheel is
 * refused. */
static bool set_latencies(topology_t *t, const mpu_config_t *c, trouble_t *trouble) {
  unsigned cube[TOPOLOGY_MAX_ROUTERS];
  for (unsigned r = 0; r < t->routers; r++) cube[r] = cube_of(t, c, r);
  for (unsigned i = 0; i < t->routers * t->ports; i++) {
    topology_port_t *port = &t->port[i];
    if (port->kind != PORT_LINK) continue;
    const unsigned latency =
        port->latency * (is_inside(cube, i / t->ports, port) ? c->net.mesh_latency : c->net.cube_latency);
    port->latency = (uint8_t)latency;
    port->interval = is_inside(cube, i / t->ports, port) ? 1 : (uint8_t)c->net.cube_interval;
    if (latency <= TOPOLOGY_MAX_LATENCY) continue;
    return trouble_set(trouble, TROUBLE_INPUT, "a link of router %s has a latency of %u cycles; at most %d",
                       t->name[i / t->ports], latency, TOPOLOGY_MAX_LATENCY);
  }
  return true;
}

static bool make_topology(const mpu_config_t *c, topology_t *t, trouble_t *trouble) {
  if (!parse_core_topology(c, t, trouble)) return false;
  if (set_latencies(t, c, trouble)) return true;
  topology_free(t);
  return false;
}

/* Routers of all meshes have the route table of the largest one, so that they are built once. */
static router_params_t params_of(const mpu_config_t *c, const topology_t *t) {
  router_params_t p = router_params_default();
  if (is_mesh(c)) p.Ports = 5, p.NumDest = MPU_MAX_CORES;
  else p = fabric_router_params(t, p);
  p.Classes = CLASSES;
  p.NumVCs = CLASSES * (long)c->net.vcs;
  p.Depth = c->net.depth;
  p.FlitBits = FLIT_BITS;
  p.KeepVC = 1;
  return p;
}

/* The fabric's wheel must hold all flits that may be on a narrow link, one after the other. */
static bool fits_wheel(const mpu_config_t *c) {
  const unsigned flits = CLASSES * c->net.vcs * c->net.depth;
  return c->net.cube_interval <= 1 ||
         c->net.cube_latency + c->net.cube_interval + (c->net.cube_interval - 1) * flits < FABRIC_WHEEL;
}

#define KEYS_OF mpu_net_config_t
#define KEYS_IN
#define KEYS_AS_TABLE
#include "key_list.h"

const config_key_t mpu_net_keys[] = {
#include "mpu_net_keys.def"
    {0},
};

bool mpu_net_check(const mpu_config_t *c, trouble_t *trouble) {
  if (!config_check(mpu_net_keys, &c->net, trouble)) return false;
  if (!fits_wheel(c))
    return trouble_set(
        trouble, TROUBLE_INPUT,
        "links between processors are too narrow for so many flits; less network.cube_interval, network.vcs or "
        "network.depth would be right");
  topology_t t;
  routes_t routes;
  if (!make_topology(c, &t, trouble)) return false;
  const router_params_t params = params_of(c, &t);
  const bool routed = routes_new(&routes, &t, trouble), good = routed && fabric_params_check(&routes, &params, trouble);
  if (routed) routes_free(&routes);
  topology_free(&t);
  return good;
}

unsigned mpu_net_routers(const mpu_config_t *c) {
  topology_t t;
  trouble_t trouble = {0};
  if (!parse_core_topology(c, &t, &trouble)) return 0;
  const unsigned routers = t.routers;
  topology_free(&t);
  return routers;
}

router_params_t mpu_net_router_params(const mpu_config_t *c) {
  topology_t t = {0};
  trouble_t trouble = {0};
  if (!is_mesh(c) && !parse_core_topology(c, &t, &trouble)) return router_params_default();
  const router_params_t p = params_of(c, &t);
  topology_free(&t);
  return p;
}

/* ---- what the net asks of a packet ---- */

static unsigned exit_of(const void *context, const void *payload) {
  return ((const mpu_net_t *)context)->terminal[((const mpu_packet_t *)payload)->dest];
}

static unsigned flits_of(const void *context, const void *payload, unsigned cls) {
  (void)context;
  return mpu_packet_flits(payload, cls);
}

static void note_core_arrival(void *context, const void *payload, unsigned terminal, unsigned cls, unsigned routers) {
  mpu_net_t *n = context;
  const unsigned core = n->core[terminal];
  (void)payload, (void)cls, (void)routers;
  n->arrived[core / 64] |= UINT64_C(1) << core % 64;
}

/* ---- making one ---- */

/* Places of the pool. A packet that has left its queue has at least one flit in a router or a
 * sink, so these are enough. */
static size_t num_places(const mpu_net_t *n, const router_params_t *p, unsigned sink_flits) {
  const size_t routers = n->topology.routers * (size_t)(p->Ports * p->Depth), sinks = (size_t)n->cores * sink_flits;
  return CLASSES * SOURCE_PACKETS * (size_t)n->cores + (size_t)p->NumVCs * (routers + sinks);
}

static bool make_net(mpu_net_t *n, const block_engine_t *const *engine, trouble_t *trouble) {
  const mpu_config_t *c = &n->config;
  const unsigned sink_flits = c->net.depth > SINK_FLITS ? c->net.depth : SINK_FLITS;
  if (!make_topology(c, &n->topology, trouble)) return false;
  const packet_net_config_t config = {.topology = &n->topology,
                                      .router = params_of(c, &n->topology),
                                      .engine = engine,
                                      .source_packets = SOURCE_PACKETS,
                                      .sink_flits = sink_flits,
                                      .ordered = true,
                                      .exit = exit_of,
                                      .flits = flits_of,
                                      .arrived = note_core_arrival,
                                      .context = n};
  if (!(n->pool = calloc(num_places(n, &config.router, sink_flits), sizeof *n->pool))) return trouble_memory(trouble);
  for (unsigned i = 0; i < n->cores; i++) {
    n->terminal[i] = (uint16_t)mpu_net_terminal(c, i);
    n->core[n->terminal[i]] = (uint16_t)i;
  }
  n->net = packet_net_new(&config, trouble);
  return n->net != NULL;
}

mpu_net_t *mpu_net_new(const mpu_config_t *c, const block_engine_t *const *engine, trouble_t *trouble) {
  mpu_net_t *n = calloc(1, sizeof *n);
  if (!n) return trouble_memory(trouble), NULL;
  n->config = *c;
  n->cores = mpu_config_cores(c);
  assert(n->cores <= MPU_MAX_CORES);
  if (make_net(n, engine, trouble)) return n;
  mpu_net_free(n);
  return NULL;
}

void mpu_net_free(mpu_net_t *n) {
  if (!n) return;
  packet_net_free(n->net);
  topology_free(&n->topology);
  free(n->pool);
  free(n);
}

/* ---- packets ---- */

static place_t *place_new(mpu_net_t *n) {
  place_t *place = n->unused;
  if (!place) return &n->pool[n->used++];
  n->unused = place->next;
  return place;
}

bool mpu_net_can_push(const mpu_net_t *n, unsigned core, unsigned cls) {
  return packet_net_can_push(n->net, n->terminal[core], cls);
}

void mpu_net_push(mpu_net_t *n, unsigned core, unsigned cls, const mpu_packet_t *packet) {
  place_t *place = place_new(n);
  assert(packet->dest < n->cores);
  place->packet = *packet;
  packet_net_push(n->net, n->terminal[core], cls, core + packet->dest, place);
}

const mpu_packet_t *mpu_net_front(const mpu_net_t *n, unsigned core, unsigned cls) {
  return packet_net_front(n->net, n->terminal[core], cls);
}

void mpu_net_pop(mpu_net_t *n, unsigned core, unsigned cls) {
  place_t *place = packet_net_pop(n->net, n->terminal[core], cls);
  assert(place);
  place->next = n->unused;
  n->unused = place;
  if (!mpu_net_front(n, core, 0) && !mpu_net_front(n, core, 1)) n->arrived[core / 64] &= ~(UINT64_C(1) << core % 64);
}

uint64_t mpu_net_arrived(const mpu_net_t *n, unsigned word) {
  return n->arrived[word];
}

void mpu_net_tick(mpu_net_t *n, uint64_t cycle) {
  packet_net_tick(n->net, cycle);
}

bool mpu_net_idle(const mpu_net_t *n) {
  return packet_net_idle(n->net);
}

/* ---- looking at it ---- */

const fabric_t *mpu_net_fabric(const mpu_net_t *n) {
  return packet_net_fabric(n->net, 0);
}

void mpu_net_link_flits(const mpu_net_t *n, uint64_t flits[2]) {
  const topology_t *t = &n->topology;
  unsigned cube[TOPOLOGY_MAX_ROUTERS];
  for (unsigned r = 0; r < t->routers; r++) cube[r] = cube_of(t, &n->config, r);
  for (unsigned i = 0; i < t->routers * t->ports; i++)
    if (t->port[i].kind == PORT_LINK)
      flits[!is_inside(cube, i / t->ports, &t->port[i])] +=
          fabric_port_stats(mpu_net_fabric(n), i / t->ports, i % t->ports).flits;
}

size_t mpu_net_describe_waits(const mpu_net_t *n, char *text, size_t size) {
  static const char *const what[CLASSES] = {"requests", "answers"};
  size_t used = 0;
  if (size) *text = 0;
  for (unsigned i = 0; i < n->cores * CLASSES; i++) {
    unsigned core = i / CLASSES, cls = i % CLASSES, count = packet_net_there(n->net, n->terminal[core], cls);
    unsigned waiting = packet_net_waiting(n->net, n->terminal[core], cls);
    if (waiting) describe_add(text, size, &used, "network: %u %s of core %u wait to enter\n", waiting, what[cls], core);
    if (count) describe_add(text, size, &used, "network: %u %s wait to be taken by core %u\n", count, what[cls], core);
  }
  return used + fabric_describe_waits(mpu_net_fabric(n), describe_end(text, size, used), describe_room(size, used));
}
