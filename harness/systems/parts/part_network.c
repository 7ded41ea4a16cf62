/* SPDX-License-Identifier: Apache-2.0
 *
 * The network (cmodel/sim/memory/network.h). Each terminal of its topology is the place of a stack,
 * of SMs with their L2 slice, or of one of a GPU's links. Routers are instances of the block
 * router.
 *
 * The part also has what all stacks share: the pool of packets and the stored data.
 */
#include "network.h"

#include <stdio.h>
#include <stdlib.h>

#include "memory_system.h"
#include "network_look.h"
#include "part.h"
#include "part_network.h"
#include "part_ni.h"
#include "protocols.h"
#include "router_engine.h"

#define COUNTERS_OF network_stats_t
#include "counter_list.h"

static const counter_t counters[] = {
#include "network_counters.def"
    {0},
};

#undef COUNTERS_OF
#define COUNTERS_OF part_network_link_t
#include "counter_list.h"

static const counter_t link_columns[] = {
#include "part_network_links.def"
    {0},
};

#undef COUNTERS_OF
#define COUNTERS_OF part_network_pair_t
#include "counter_list.h"

static const counter_t pair_columns[] = {
#include "part_network_pairs.def"
    {0},
};

typedef struct {
  network_t *network;
  packet_pool_t *pool;
  memory_image_t *image;
  unsigned nodes;
  terminal_port_t *terminal; /* [nodes] */
  part_network_link_t *link; /* rows, made when they are asked for */
  part_network_pair_t *pair;
} state_t;

/* Wakes the part at each terminal that has a packet to take. */
static void tick(void *self, unsigned clock, uint64_t cycle) {
  state_t *s = self;
  (void)clock;
  if (network_idle(s->network)) return;
  network_tick(s->network, cycle);
  for (unsigned k = 0; k < s->nodes; k++)
    if (network_ready(s->network, s->terminal[k].node)) shell_wake(s->terminal[k].reader);
}

static const shell_kind_t shell = {.name = "network", .clocks = 1, .phase = 1, .tick = tick};

/* ---- making one ---- */

static void defaults(void *values) {
  *(network_config_t *)values = network_default_config();
}

static const network_config_t *config_of(const composition_t *c, unsigned part) {
  return composition_kind_values_const(c, c->part[part].kind);
}

static unsigned number(const composition_t *c, unsigned part) {
  return network_config_nodes(config_of(c, part));
}

static bool check(const void *values, trouble_t *trouble) {
  return memory_network_check_config(values, trouble);
}

/* Parts linked with a terminal: those that run kernels (hosts) and the others. */
static void count_users(const composition_t *c, unsigned part, unsigned terminal, unsigned *hosts, unsigned *others) {
  unsigned net, port, at;
  *hosts = *others = 0;
  for (unsigned i = 0; i < c->parts; i++)
    for (unsigned p = 0; c->part[i].kind->port[p].name; p++)
      for (unsigned k = 0; !c->part[i].kind->port[p].offers && k < composition_connections(c, i, p); k++)
        if (composition_peer(c, i, p, k, &net, &port, &at) && net == part && at == terminal)
          ++*(c->part[i].kind->host ? hosts : others);
}

/* A network interface of a GPU is at this terminal. */
static bool is_gpu_port(const composition_t *c, unsigned part, unsigned terminal) {
  unsigned user, port, at;
  return composition_peer(c, part, PART_NETWORK_TERMINAL, terminal, &user, &port, &at) &&
         c->part[user].kind == &part_ni;
}

unsigned part_network_gpu_ports(const composition_t *c, unsigned part) {
  unsigned ports = 0;
  for (unsigned k = 0; k < number(c, part); k++) ports += is_gpu_port(c, part, k);
  return ports;
}

/* A GPU's places come first. Its sinks must hold the largest packet there can be. */
static bool settle_gpu_ports(composition_t *c, unsigned part, trouble_t *trouble) {
  network_config_t *config = composition_kind_values(c, &part_network);
  const unsigned largest =
      (composition_kind_values(c, &part_stack_sm) ? LINK_MAX_FLITS : LINK_MIN_FLITS) * PACKET_FLIT_BYTES;
  config->gpu_ports = part_network_gpu_ports(c, part);
  if (!config->gpu_ports) return true;
  for (unsigned k = 0; k < config->gpu_ports; k++)
    if (!is_gpu_port(c, part, k))
      return trouble_set(
          trouble, TROUBLE_INPUT,
          "a GPU's network interfaces are at the first terminals, stacks at the others; another order of links "
          "would be right");
  if (config->local_ports != 1)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "a GPU's network interface has one port of its network; network.local_ports=1 would be right");
  if (config->sink_flits * config->flit_bytes < largest) config->sink_flits = largest / config->flit_bytes;
  return memory_network_check_config(config, trouble);
}

/* A terminal belongs to a stack, to a network interface, or to SMs together with the stack whose L2
 * slice they have. */
static bool settle(composition_t *c, unsigned part, trouble_t *trouble) {
  if (c->part[part].count != 1)
    return trouble_set(trouble, TROUBLE_INPUT, "there must be one network; its topology says for how many");
  if (!settle_gpu_ports(c, part, trouble)) return false;
  for (unsigned k = 0; k < number(c, part); k++) {
    unsigned hosts, others;
    count_users(c, part, k, &hosts, &others);
    if (others == 1 && hosts <= 1) continue;
    return trouble_set(
        trouble, TROUBLE_INPUT,
        "%u links of stacks and %u of SMs at %s.terminal[%u]; one of a stack, with one of its SMs or without, would "
        "be right",
        others, hosts, c->part[part].name, k);
  }
  return true;
}

/* The pool and the stored data are made first: the network's users share them. */
static bool make(part_t *p, trouble_t *trouble) {
  state_t *s = p->state;
  s->pool = packet_pool_new();
  s->image = memory_image_new();
  if (!s->pool || !s->image) return trouble_memory(trouble);
  if (!(s->network = network_new(p->values, p->engine[0], trouble))) return false;
  s->nodes = network_nodes(s->network);
  if (!(s->terminal = calloc(s->nodes, sizeof *s->terminal))) return trouble_memory(trouble);
  for (unsigned k = 0; k < s->nodes; k++)
    s->terminal[k] = (terminal_port_t){
        .network = s->network, .pool = s->pool, .image = s->image, .node = network_node_at(s->network, k)};
  shell_add(&shell, s, &p->period[PART_NETWORK_CLOCK]);
  return true;
}

static void *offer(part_t *p, unsigned port, unsigned connection, unsigned which) {
  (void)port, (void)which;
  return &((state_t *)p->state)->terminal[connection];
}

static void destroy(part_t *p) {
  state_t *s = p->state;
  network_free(s->network);
  free(s->terminal);
  free(s->link);
  free(s->pair);
  if (s->image) memory_image_free(s->image);
  packet_pool_free(s->pool);
}

/* Routers of all subnets. */
static unsigned count_routers(const composition_t *c, unsigned part) {
  return network_config_routers(config_of(c, part));
}

/* What all routers have; router_engine.h does the rest. */
static bool engines(const composition_t *c, engines_config_t *engines, trouble_t *trouble) {
  const router_params_t params = network_router_params(composition_kind_values_const(c, &part_network));
  return router_engine_config(engines, &params, trouble);
}

/* Routers are numbered one subnet after the other. */
static uint64_t router_flits(const part_t *p, unsigned k) {
  const network_t *network = ((const state_t *)p->state)->network;
  const unsigned routers = network_config_routers(p->values) / network_subnets(network);
  return fabric_router_flits(network_fabric(network, k / routers), k % routers);
}

static const part_family_t families[] = {{.block = "router",
                                          .count = count_routers,
                                          .engines = engines,
                                          .clock = PART_NETWORK_CLOCK,
                                          .work = "flits",
                                          .worked = router_flits},
                                         {0}};

/* ---- looking at it ---- */

static bool check_rules(const part_t *p, trouble_t *trouble) {
  const trouble_t *broken = network_fault(((const state_t *)p->state)->network);
  if (broken) *trouble = *broken;
  return !broken;
}

static size_t describe_waits(const part_t *p, char *text, size_t size) {
  return network_describe_waits(((const state_t *)p->state)->network, text, size);
}

bool part_network_has_sms(const composition_t *c, unsigned part) {
  return composition_sharers(c, part, PART_NETWORK_TERMINAL, 0) > 1 || part_network_gpu_ports(c, part);
}

static bool has_sms(const part_t *p) {
  return part_network_has_sms(p->composition, p->index);
}

/* Energy counts links between nodes and links between stacks under different names. */
static void count(const part_t *p, uint64_t *counts) {
  network_stats_t *stats = (network_stats_t *)counts;
  *stats = network_stats(((const state_t *)p->state)->network, shell_now / p->period[PART_NETWORK_CLOCK]);
  if (has_sms(p)) stats->node_slots = stats->width_slots, stats->node_flits = stats->link_flits;
  else stats->stack_slots = stats->link_slots, stats->stack_flits = stats->link_flits;
}

static bool look_at_subnet(const state_t *s, unsigned subnet, network_look_t *look) {
  const router_params_t params = network_params(s->network);
  *look = (network_look_t){0};
  return network_look(look, network_fabric(s->network, subnet), network_shape(s->network), &params);
}

/* A row for each output of each router, open ports left out. No rows without SMs at terminals, or
 * without memory for them. */
static unsigned link_rows(const part_t *p, const uint64_t **rows) {
  state_t *s = p->state;
  unsigned count = 0;
  for (unsigned subnet = 0; has_sms(p) && subnet < network_subnets(s->network); subnet++) {
    network_look_t look;
    part_network_link_t *more =
        look_at_subnet(s, subnet, &look) ? realloc(s->link, (count + look.links) * sizeof *more) : NULL;
    if (more) s->link = more;
    for (unsigned i = 0; more && i < look.links; i++) {
      const network_link_t *l = &look.link[i];
      s->link[count++] = (part_network_link_t){subnet, l->router, l->port, l->critical, l->width, l->flits, l->stalls};
    }
    network_look_free(&look);
  }
  *rows = (const uint64_t *)s->link;
  return count;
}

/* A row for each critical pair in a router's list. */
static unsigned pair_rows(const part_t *p, const uint64_t **rows) {
  state_t *s = p->state;
  unsigned count = 0;
  for (unsigned subnet = 0; has_sms(p) && subnet < network_subnets(s->network); subnet++) {
    const router_params_t params = network_params(s->network);
    unsigned pairs;
    critical_pair_t *pair =
        network_look_pairs(network_fabric(s->network, subnet), network_shape(s->network), &params, &pairs);
    part_network_pair_t *more = pair ? realloc(s->pair, (count + pairs + 1) * sizeof *more) : NULL;
    if (more) s->pair = more;
    for (unsigned i = 0; more && i < pairs; i++)
      s->pair[count++] = (part_network_pair_t){subnet, pair[i].router, pair[i].in, pair[i].out, pair[i].place};
    free(pair);
  }
  *rows = (const uint64_t *)s->pair;
  return count;
}

static const part_table_t tables[] = {
    {"links", "of routers between nodes, and ways to these", link_columns, link_rows,
     sizeof(part_network_link_t) / sizeof(uint64_t)},
    {"pairs", "of inputs and outputs that routers found critical", pair_columns, pair_rows,
     sizeof(part_network_pair_t) / sizeof(uint64_t)},
    {0},
};

const part_kind_t part_network = {
    .name = "network",
    .text = "network",
    .port = {{"terminal", "terminal", .offers = true, .many = true, .shared = true}},
    .clock = {[PART_NETWORK_LINK] = {"link"}, [PART_NETWORK_CLOCK] = {"network", .like = "link"}},
    .keys = network_keys,
    .values_size = sizeof(network_config_t),
    .defaults = defaults,
    .number = number,
    .check = check,
    .settle = settle,
    .family = families,
    .size = sizeof(state_t),
    .make = make,
    .destroy = destroy,
    .offer = offer,
    .check_rules = check_rules,
    .describe_waits = describe_waits,
    .counters = counters,
    .tables = tables,
    .count = count};
