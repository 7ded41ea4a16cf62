/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory stacks (cmodel/sim/memory): vaults, logic layer, links. A stack offers a port to the GPU
 * and one to each part that is linked to its logic layer, a unit. It reaches into its own place of
 * the network.
 *
 * At an edge of the links' clock, in this order:
 *
 *   gpu.to  --> from_gpu link ----> +------------+
 *   unit.to --> from_nsu bridge --> | node ticks | --> to_gpu link ---> gpu.from
 *                                   +------------+ --> to_nsu bridge -> unit.from
 *
 * Packets move as far as the receiver has room. The vaults tick at edges of the DRAM's clock.
 */
#include <stdlib.h>

#include "describe.h"
#include "memory_system.h"
#include "part.h"
#include "part_network.h"
#include "protocols.h"

enum { GPU, LOGIC, NET };
enum { DRAM, LOGIC_CLOCK };

#define KEYS_OF memory_node_config_t
#define KEYS_AS_TABLE
#include "key_list.h"

static const config_key_t keys[] = {
#define KEYS_IN gpu_link.
#include "link_keys.def"
#undef KEYS_IN
#define KEYS_IN stack.
#include "mem_stack_keys.def"
    {0},
};

typedef struct {
  vault_stats_t vaults;
#define COUNTER(name, ...) uint64_t name;
#define WORK(name, ...) uint64_t name;
#include "part_stack_counters.def"
} stack_stats_t;

#define COUNTERS_OF vault_stats_t
#include "counter_list.h"

static const counter_t counters[] = {
#include "vault_counters.def"
#undef COUNTERS_OF
#define COUNTERS_OF stack_stats_t
#include "counter_list.h"
#include "part_stack_counters.def"
    {0},
};

typedef struct {
  packet_port_t gpu, *unit; /* [node.units] */
  channel_t direct[2];
  memory_node_t node;
} place_t;

typedef struct {
  place_t *stack; /* [count] */
} state_t;

static place_t *stack_at(const part_t *p, unsigned k) {
  return &((const state_t *)p->state)->stack[k];
}

/* ---- clocks ---- */

/* As many packets of a class as the link takes. */
static void channel_to_link(channel_t *in, link_t *link, unsigned cls) {
  packet_t *packet;
  if (channel_is_empty(in)) return;
  while (link_can_push(link, cls) && (packet = channel_take(in))) link_push(link, packet);
}

static void link_to_channel(link_t *link, unsigned cls, channel_t *out) {
  if (link_idle(link)) return;
  while (link_peek(link, cls) && channel_has_room(out)) channel_put(out, link_pop(link, cls));
}

static void bridge_to_channel(ni_bridge_t *bridge, unsigned cls, channel_t *out) {
  while (ni_bridge_peek(bridge, cls) && channel_has_room(out)) channel_put(out, ni_bridge_pop(bridge, cls));
}

static void tick(void *self, unsigned clock, uint64_t cycle) {
  place_t *s = self;
  if (clock == DRAM) {
    mem_stack_tick_dram(s->node.stack, cycle);
    return;
  }
  for (unsigned cls = 0; cls < PROTOCOL_CLASSES; cls++) {
    channel_to_link(&s->gpu.to[cls], &s->node.from_gpu, cls);
    for (unsigned u = 0; u < s->node.units; u++) channel_to_link(&s->unit[u].to[cls], &s->node.unit[u].from_nsu, cls);
  }
  memory_node_tick(&s->node, cycle);
  for (unsigned cls = 0; cls < PROTOCOL_CLASSES; cls++) {
    link_to_channel(&s->node.to_gpu, cls, &s->gpu.from[cls]);
    for (unsigned u = 0; u < s->node.units; u++) bridge_to_channel(&s->node.unit[u], cls, &s->unit[u].from[cls]);
  }
}

static bool port_is_empty(const packet_port_t *port) {
  return channel_is_empty(&port->to[0]) && channel_is_empty(&port->to[1]);
}

static bool idle(const void *self) {
  const place_t *s = self;
  if (!port_is_empty(&s->gpu)) return false;
  for (unsigned u = 0; u < s->node.units; u++)
    if (!port_is_empty(&s->unit[u])) return false;
  return memory_node_idle(&s->node);
}

static const shell_kind_t shell = {.name = "stack", .clocks = 2, .tick = tick, .idle = idle};

/* ---- making them ---- */

static void defaults(void *values) {
  *(memory_node_config_t *)values = memory_node_default_config();
}

/* With a GPU; or that one is at the other end of the network. */
static bool has_link(const composition_t *c, unsigned part, unsigned k) {
  return composition_sharers(c, part, GPU, k) != 0;
}

/* A stack needs a GPU: by a link of its own, or at the other end of the network. */
static bool gpu_is_behind_network(const composition_t *c, unsigned part, unsigned k) {
  unsigned net, port, at;
  return composition_peer(c, part, NET, k, &net, &port, &at) && part_network_gpu_ports(c, net);
}

/* Exactly one of the two ways to a GPU, and at most MEM_STACK_UNITS near-data parts. */
static bool settle(composition_t *c, unsigned part, trouble_t *trouble) {
  for (unsigned k = 0; k < c->part[part].count; k++) {
    if (has_link(c, part, k) != gpu_is_behind_network(c, part, k)) continue;
    return trouble_set(trouble, TROUBLE_INPUT, "%s.gpu[%u] is %s", c->part[part].name, k,
                       gpu_is_behind_network(c, part, k)
                           ? "linked, and its network has network interfaces of a GPU; one of the two would be right"
                           : "not linked");
  }
  for (unsigned k = 0; k < c->part[part].count; k++)
    if (composition_sharers(c, part, LOGIC, k) > MEM_STACK_UNITS)
      return trouble_set(trouble, TROUBLE_INPUT, "at most 16 parts fit a stack's logic layer");
  return memory_node_check_config(composition_kind_values(c, c->part[part].kind), trouble);
}

/* A port of this stack for the GPU (bridge NULL) or a unit. */
static void prepare_port(packet_port_t *port, place_t *stack, const terminal_port_t *terminal, shell_part_t *reader,
                         uint64_t period, ni_bridge_t *bridge) {
  port->period = period, port->bridge = bridge, port->direct = stack->direct;
  port->pool = terminal->pool, port->image = terminal->image, port->stack = terminal->node;
  for (unsigned cls = 0; cls < PROTOCOL_CLASSES; cls++) port->to[cls].reader = reader;
}

/* SMs share the stack's terminal. Then the stack answers them alone, over their link; what comes
 * from the network is theirs, and the stack itself uses no network. */
static bool shares_node_with_sms(const part_t *p, unsigned k) {
  unsigned net, port, at;
  return composition_peer(p->composition, p->index, NET, k, &net, &port, &at) &&
         composition_sharers(p->composition, net, port, at) > 1;
}

static bool make(part_t *p, trouble_t *trouble) {
  state_t *s = p->state;
  if (!(s->stack = calloc(p->count, sizeof *s->stack))) return trouble_memory(trouble);
  for (unsigned k = 0; k < p->count; k++) {
    place_t *stack = &s->stack[k];
    terminal_port_t *terminal = part_peer(p, NET, k);
    const unsigned units = composition_sharers(p->composition, p->index, LOGIC, k);
    stack->unit = calloc(units + 1, sizeof *stack->unit);
    network_t *network = shares_node_with_sms(p, k) ? NULL : terminal->network;
    if (!stack->unit ||
        !memory_node_init(&stack->node, p->values, terminal->node, units, terminal->image, terminal->pool, network))
      return trouble_memory(trouble);
    shell_part_t *me = shell_add(&shell, stack, p->period);
    if (network) terminal->reader = me;
    prepare_port(&stack->gpu, stack, terminal, me, p->period[LOGIC_CLOCK], NULL);
    for (unsigned u = 0; u < units; u++)
      prepare_port(&stack->unit[u], stack, terminal, me, p->period[LOGIC_CLOCK], &stack->node.unit[u]);
  }
  return true;
}

static void *offer(part_t *p, unsigned port, unsigned connection, unsigned which) {
  return port == GPU ? &stack_at(p, connection)->gpu : &stack_at(p, connection)->unit[which];
}

static void destroy(part_t *p) {
  state_t *s = p->state;
  for (unsigned k = 0; s->stack && k < p->count; k++) {
    memory_node_deinit(&s->stack[k].node);
    free(s->stack[k].unit);
  }
  free(s->stack);
}

/* ---- looking at them ---- */

static bool check_rules(const part_t *p, trouble_t *trouble) {
  const trouble_t *broken = NULL;
  for (unsigned k = 0; !broken && k < p->count; k++) broken = mem_stack_fault(stack_at(p, k)->node.stack);
  if (broken) *trouble = *broken;
  return !broken;
}

static size_t describe_waits(const part_t *p, char *text, size_t size) {
  size_t used = 0;
  for (unsigned k = 0; k < p->count; k++)
    used += memory_node_describe_waits(&stack_at(p, k)->node, stack_at(p, k)->gpu.stack, describe_end(text, size, used),
                                       describe_room(size, used));
  return used;
}

/* Flits and slots of one unit's port, both ways. */
static void count_port(const ni_bridge_t *b, uint64_t ticks, stack_stats_t *sum) {
  sum->to_parts += b->to_nsu.stats.busy, sum->from_parts += b->from_nsu.stats.busy;
  sum->port_slots += 2 * (ticks * b->to_nsu.flits / b->to_nsu.ticks);
}

/* Links of a stack in its SMs' node do not leave the package: their idle slots take no energy. */
static void count(const part_t *p, uint64_t *counts) {
  stack_stats_t *sum = (stack_stats_t *)counts;
  const uint64_t ticks = shell_now / p->period[LOGIC_CLOCK];
  for (unsigned k = 0; k < p->count; k++) {
    const memory_node_t *node = &stack_at(p, k)->node;
    const vault_stats_t one = mem_stack_vault_stats(node->stack);
    vault_stats_add(&sum->vaults, &one);
    sum->from_gpu += node->from_gpu.stats.busy, sum->to_gpu += node->to_gpu.stats.busy;
    for (unsigned u = 0; u < node->units; u++) count_port(&node->unit[u], ticks, sum);
  }
  for (unsigned k = 0; k < p->count; k++) {
    const uint64_t slots = has_link(p->composition, p->index, k)
                               ? 2 * ticks * ((const memory_node_config_t *)p->values)->gpu_link.flits
                               : 0;
    sum->link_slots += slots, sum->idle_slots += shares_node_with_sms(p, k) ? 0 : slots;
  }
}

const part_kind_t part_stack = {
    .name = "stack",
    .text = "memory stacks: vaults, logic layer, links",
    .port = {[GPU] = {"gpu", "packets", .offers = true, .optional = true},
             [LOGIC] = {"logic", "packets", .offers = true, .optional = true, .shared = true},
             [NET] = {"net", "terminal"}},
    .clock = {{"dram"}, {"link"}},
    .keys = keys,
    .values_size = sizeof(memory_node_config_t),
    .defaults = defaults,
    .settle = settle,
    .size = sizeof(state_t),
    .make = make,
    .destroy = destroy,
    .offer = offer,
    .check_rules = check_rules,
    .describe_waits = describe_waits,
    .counters = counters,
    .count = count};
