/* SPDX-License-Identifier: Apache-2.0
 *
 * A stack's packets on a packet_net: each place of the topology has local_ports terminals.
 */
#include "network.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "describe.h"
#include "packet_net.h"
#include "stack_map.h"

enum { CLASSES = 2, SUBNETS = 2 };

struct network {
  network_config_t config;
  network_stats_t stats;
  unsigned nodes, stacks;
  topology_t topology;
  packet_net_t *net;
  link_widths_t widths[SUBNETS];
  uint8_t *ready; /* [nodes], by place: sinks with packets, bit 2 * port + class */
};

/* ---- what it is made from ---- */

/* Names of the keys' values: index 0, 1 of `ordered`; of network_policy_t. */
static const char *const network_orders[] = {"guard", "path", NULL};
static const char *const network_policies[] = {
#define POLICY_NAME(id, name, ...) name,
    NETWORK_POLICIES(POLICY_NAME) NULL};

#define KEYS_OF network_config_t
#define KEYS_IN
#define KEYS_AS_TABLE
#include "key_list.h"

const config_key_t network_keys[] = {
#include "network_keys.def"
    {0},
};

network_config_t network_default_config(void) {
  network_config_t c = {.classes = 2, .source_packets = 4, .sink_flits = 32};
  network_config_t *values = &c;
#define KEYS_AS_DEFAULTS
#include "key_list.h"
#include "network_keys.def"
  return c;
}

bool network_topology(const network_config_t *c, topology_t *t, trouble_t *trouble) {
  if (!topology_parse(t, c->topology, trouble)) return false;
  if (topology_spread(t, c->local_ports, c->link_latency, trouble)) return true;
  topology_free(t);
  return false;
}

unsigned network_config_nodes(const network_config_t *c) {
  topology_t t;
  trouble_t trouble = {0};
  if (!topology_parse(&t, c->topology, &trouble)) return 0;
  const unsigned nodes = t.terminals;
  topology_free(&t);
  return nodes;
}

unsigned network_config_routers(const network_config_t *c) {
  topology_t t;
  trouble_t trouble = {0};
  if (!topology_parse(&t, c->topology, &trouble)) return 0;
  const unsigned routers = t.routers;
  topology_free(&t);
  return routers * c->subnets;
}

static const char too_many[] = "the topology must have 1 to 256 terminals";

/* Parameters of a subnet's routers, but for those that follow from the topology. */
static router_params_t plain_router(const network_config_t *c) {
  router_params_t p = router_params_default();
  p.Classes = c->classes / c->subnets;
  p.NumVCs = p.Classes * (long)c->vcs;
  p.Depth = c->depth;
  p.OutDepth = c->out_depth;
  p.FlitBits = 8 * (long)c->flit_bytes;
  p.KeepVC = c->ordered != 0;
  p.Iters = c->iterations;
  p.ListLen = c->list;
  p.TrackPct = c->track;
  p.WidthPct = c->grow;
  p.HystBits = c->hysteresis;
  p.EpochCycles = c->epoch;
  p.Penalty = c->width_delay;
  network_policy_apply(c->policy, &p);
  return p;
}

/* A policy with priority buffers lets packets overtake, which `ordered` rules out. */
static bool check_routers(const network_config_t *c, const topology_t *t, const routes_t *routes, trouble_t *trouble) {
  const router_params_t p = fabric_router_params(t, plain_router(c));
  if (c->ordered && p.Tr)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "a policy with tr lets packets overtake each other; network.order=guard, or a policy without "
                       "tr, would be right");
  trouble_t wrong = {0};
  return fabric_params_check(routes, &p, &wrong) ||
         trouble_set(trouble, TROUBLE_INPUT, "the network's routers: %s", wrong.text);
}

/* The topology with its routes and routers, and how many nodes it has. */
static bool check_topology(const network_config_t *c, trouble_t *trouble) {
  topology_t t;
  routes_t routes;
  if (!network_topology(c, &t, trouble)) return false;
  const unsigned nodes = t.terminals / c->local_ports;
  const bool routed = routes_new(&routes, &t, trouble), good = routed && check_routers(c, &t, &routes, trouble);
  if (routed) routes_free(&routes);
  topology_free(&t);
  if (!good) return false;
  if (c->gpu_ports && 2 * c->gpu_ports != nodes)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "%u terminals, %u of them the GPU's; half of them, and a stack at each other, would be right",
                       nodes, c->gpu_ports);
  return (nodes >= 1 && nodes <= NETWORK_MAX_NODES) || trouble_set(trouble, TROUBLE_INPUT, "%s", too_many);
}

static bool check_limits(const network_config_t *c, trouble_t *trouble) {
  if (!config_check(network_keys, c, trouble)) return false;
  if (c->classes < 1 || c->classes > CLASSES) return trouble_set(trouble, TROUBLE_INPUT, "classes must be 1 or 2");
  if (c->subnets > c->classes) return trouble_set(trouble, TROUBLE_INPUT, "subnets must be 1, or 2 with two classes");
  if (c->flit_bytes & (c->flit_bytes - 1))
    return trouble_set(trouble, TROUBLE_INPUT, "flit_bytes must be 8, 16, 32 or 64");
  if (c->local_ports == 3) return trouble_set(trouble, TROUBLE_INPUT, "local_ports must be 1, 2 or 4");
  if (c->unit_ports == 3) return trouble_set(trouble, TROUBLE_INPUT, "unit_ports must be 1, 2 or 4");
  if (c->unit_ports > c->local_ports)
    return trouble_set(trouble, TROUBLE_INPUT, "unit_ports must be at most local_ports");
  if (c->source_packets < 1) return trouble_set(trouble, TROUBLE_INPUT, "source_packets must be at least 1");
  if (c->sink_flits < 1 || c->sink_flits > 256)
    return trouble_set(trouble, TROUBLE_INPUT, "sink_flits must be 1 to 256");
  return true;
}

bool network_check_config(const network_config_t *c, trouble_t *trouble) {
  return check_limits(c, trouble) && check_topology(c, trouble);
}

router_params_t network_router_params(const network_config_t *c) {
  topology_t t;
  trouble_t trouble = {0};
  router_params_t p = plain_router(c);
  if (!network_topology(c, &t, &trouble)) return p;
  p = fabric_router_params(&t, p);
  topology_free(&t);
  return p;
}

/* ---- what the net asks of a packet ---- */

unsigned network_vault_port(const network_t *n, const packet_t *p) {
  return stack_quadrant_of(p->hdr.addr) % n->config.local_ports;
}

unsigned network_unit_port(const network_t *n, const packet_t *p) {
  return stack_quadrant_of(p->hdr.addr) % n->config.unit_ports;
}

/* The place of node `node`. Stacks are behind the places of the GPU, and are numbered before
 * them. */
static unsigned place_of_node(const network_t *n, unsigned node) {
  return (node + n->config.gpu_ports) % n->nodes;
}

static unsigned terminal_of(const network_t *n, unsigned node, unsigned port) {
  return place_of_node(n, node) * n->config.local_ports + port;
}

/* Requests leave at a vault's port, answers at a unit's. What is for the GPU goes to its place
 * of the stack that sends. */
static unsigned exit_of(const void *context, const void *payload) {
  const network_t *n = context;
  const packet_t *p = payload;
  const unsigned node = p->dst == PKT_GPU ? n->stacks + p->src : p->dst;
  return terminal_of(n, node, packet_class(p) == 0 ? network_vault_port(n, p) : network_unit_port(n, p));
}

static unsigned flits_of(const void *context, const void *payload, unsigned cls) {
  const unsigned bytes = ((const network_t *)context)->config.flit_bytes;
  (void)cls;
  return (packet_bytes(payload) + bytes - 1) / bytes;
}

static bool is_divergent(const void *context, const void *payload) {
  (void)context;
  return ((const packet_t *)payload)->divergent;
}

/* packet_net's `arrived`: statistics, and the bit of network_ready. */
static void note_packet_arrival(void *context, const void *payload, unsigned terminal, unsigned cls, unsigned routers) {
  network_t *n = context;
  const packet_t *p = payload;
  if (routers == 1) n->stats.module_bytes += packet_bytes(p);
  n->ready[terminal / n->config.local_ports] |= (uint8_t)(1U << (2 * (terminal % n->config.local_ports) + cls));
  n->stats.link_bytes[p->hdr.type] += (uint64_t)packet_bytes(p) * (routers - 1U);
}

/* ---- making one ---- */

static bool make_network(network_t *n, const block_engine_t *const *routers, trouble_t *trouble) {
  const network_config_t *c = &n->config;
  if (!network_topology(c, &n->topology, trouble)) return false;
  n->nodes = n->topology.terminals / c->local_ports;
  n->stacks = n->nodes - c->gpu_ports;
  if (n->nodes > NETWORK_MAX_NODES) return trouble_set(trouble, TROUBLE_INPUT, "%s", too_many);
  const router_params_t router = fabric_router_params(&n->topology, plain_router(c));
  if (!(n->ready = calloc(n->nodes, sizeof *n->ready))) return trouble_memory(trouble);
  const packet_net_config_t config = {.topology = &n->topology,
                                      .router = router,
                                      .subnets = c->subnets,
                                      .engine = routers,
                                      .source_packets = c->source_packets,
                                      .sink_flits = c->sink_flits,
                                      .ordered = c->ordered != 0,
                                      .exit = exit_of,
                                      .flits = flits_of,
                                      .divergent = is_divergent,
                                      .arrived = note_packet_arrival,
                                      .context = n};
  if (!(n->net = packet_net_new(&config, trouble))) return false;
  for (unsigned s = 0; s < c->subnets; s++) {
    if (link_widths_init(&n->widths[s], packet_net_fabric(n->net, s), &n->topology, &router)) continue;
    return trouble_memory(trouble);
  }
  return true;
}

network_t *network_new(const network_config_t *c, const block_engine_t *const *routers, trouble_t *trouble) {
  if (!check_limits(c, trouble)) return NULL;
  network_t *n = calloc(1, sizeof *n);
  if (!n) return trouble_memory(trouble), NULL;
  n->config = *c;
  if (make_network(n, routers, trouble)) return n;
  network_free(n);
  return NULL;
}

void network_free(network_t *n) {
  if (!n) return;
  for (unsigned s = 0; s < SUBNETS; s++) link_widths_free(&n->widths[s]);
  packet_net_free(n->net);
  topology_free(&n->topology);
  free(n->ready);
  free(n);
}

/* ---- packets ---- */

static unsigned class_of(const network_t *n, const packet_t *p) {
  int cls = packet_class(p);
  assert(cls >= 0);
  return n->config.classes == 1 ? 0 : (unsigned)cls;
}

bool network_can_push(const network_t *n, unsigned node, unsigned port, unsigned cls) {
  return packet_net_can_push(n->net, terminal_of(n, node, port), n->config.classes == 1 ? 0 : cls);
}

void network_push(network_t *n, unsigned node, unsigned port, packet_t *p) {
  assert(network_reaches(n, p->dst));
  p->next = NULL;
  const unsigned path = (unsigned)p->src + p->dst + network_unit_port(n, p);
  packet_net_push(n->net, terminal_of(n, node, port), class_of(n, p), path, p);
  n->stats.packets[p->hdr.type]++;
  n->stats.bytes[p->hdr.type] += packet_bytes(p);
  if (p->divergent) n->stats.divergent_bytes += packet_bytes(p);
}

packet_t *network_peek(const network_t *n, unsigned node, unsigned port, unsigned cls) {
  return packet_net_front(n->net, terminal_of(n, node, port), cls);
}

unsigned network_ready(const network_t *n, unsigned node) {
  return n->ready[place_of_node(n, node)];
}

packet_t *network_pop(network_t *n, unsigned node, unsigned port, unsigned cls) {
  packet_t *p = packet_net_pop(n->net, terminal_of(n, node, port), cls);
  if (!p) return NULL;
  if (!network_peek(n, node, port, cls)) n->ready[place_of_node(n, node)] &= (uint8_t) ~(1U << (2 * port + cls));
  n->stats.delivered++;
  return p;
}

void network_tick(network_t *n, uint64_t now) {
  packet_net_tick(n->net, now);
  for (unsigned s = 0; s < n->config.subnets; s++) link_widths_look(&n->widths[s]);
}

/* ---- looking at it ---- */

unsigned network_subnets(const network_t *n) {
  return n->config.subnets;
}

const fabric_t *network_fabric(const network_t *n, unsigned subnet) {
  return packet_net_fabric(n->net, subnet);
}

const topology_t *network_shape(const network_t *n) {
  return &n->topology;
}

router_params_t network_params(const network_t *n) {
  return fabric_router_params(&n->topology, plain_router(&n->config));
}

unsigned network_nodes(const network_t *n) {
  return n->nodes;
}

unsigned network_stacks(const network_t *n) {
  return n->stacks;
}

unsigned network_node_at(const network_t *n, unsigned place) {
  return (place + n->stacks) % n->nodes;
}

bool network_reaches(const network_t *n, unsigned dst) {
  return dst == PKT_GPU ? n->config.gpu_ports : dst < n->stacks;
}

unsigned network_local_ports(const network_t *n) {
  return n->config.local_ports;
}

bool network_idle(const network_t *n) {
  return packet_net_held(n->net) == 0 && packet_net_idle(n->net);
}

uint64_t network_held(const network_t *n) {
  return packet_net_held(n->net);
}

const trouble_t *network_fault(const network_t *n) {
  const trouble_t *fault = NULL;
  for (unsigned s = 0; !fault && s < n->config.subnets; s++) fault = fabric_fault(packet_net_fabric(n->net, s));
  return fault;
}

unsigned network_links(const network_t *n) {
  return n->config.subnets * topology_links(&n->topology);
}

/* Flits and widths of one subnet's links. */
static void count_links(network_stats_t *stats, network_t *n, unsigned subnet) {
  const fabric_t *f = packet_net_fabric(n->net, subnet);
  for (unsigned r = 0; r < n->topology.routers; r++)
    for (unsigned p = 0; p < n->topology.ports; p++)
      if (topology_port(&n->topology, r, p)->kind == PORT_LINK) stats->link_flits += fabric_port_stats(f, r, p).flits;
  link_widths_count(&n->widths[subnet]);
  for (unsigned w = 0; w < LINK_WIDTHS; w++) stats->width_cycles[w] += n->widths[subnet].cycles[w];
}

/* In ticks that were left out no policy was at work: all links had their full width. */
network_stats_t network_stats(network_t *n, uint64_t now) {
  network_stats_t stats = n->stats;
  uint64_t seen = 0;
  for (unsigned s = 0; s < n->config.subnets; s++) count_links(&stats, n, s);
  for (unsigned w = 0; w < LINK_WIDTHS; w++) seen += stats.width_cycles[w];
  const uint64_t until_now = network_links(n) * now;
  stats.link_slots = until_now > seen ? until_now : seen; /* that of this very moment may have been made */
  stats.width_cycles[0] += stats.link_slots - seen;
  stats.width_slots = (uint64_t)link_widths_slots(stats.width_cycles);
  return stats;
}

size_t network_describe_waits(const network_t *n, char *text, size_t size) {
  size_t used = 0;
  if (size) *text = 0;
  for (unsigned i = 0; i < n->nodes * n->config.local_ports * CLASSES; i++) {
    unsigned terminal = i / CLASSES, cls = i % CLASSES, place = terminal / n->config.local_ports,
             port = terminal % n->config.local_ports;
    const unsigned node = network_node_at(n, place);
    unsigned waiting = packet_net_waiting(n->net, terminal, cls);
    const packet_t *p = network_peek(n, node, port, cls);
    if (waiting)
      describe_add(text, size, &used, "network source %u.%u class %u: %u packets\n", node, port, cls, waiting);
    if (p)
      describe_add(text, size, &used, "network sink %u.%u class %u: %u packets, %s waits to be taken\n", node, port,
                   cls, packet_net_there(n->net, terminal, cls), packet_type_name((unsigned)p->hdr.type));
  }
  for (unsigned s = 0; s < n->config.subnets; s++)
    used +=
        fabric_describe_waits(packet_net_fabric(n->net, s), describe_end(text, size, used), describe_room(size, used));
  return used;
}
