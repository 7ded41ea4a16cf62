/* SPDX-License-Identifier: Apache-2.0
 *
 * SMs in the logic layers of memory stacks (cmodel/sim/gpu/to_stack/stack_sm.h), each behind a port
 * of its stack.
 *
 * At an edge of the links' clock: packets from the stack's channels go into the SM, as far as the
 * SM has room; the SM's way to the logic layer ticks; packets that are ready go out.
 */
#include "part_stack_sm.h"

#include <stdlib.h>

#include "describe.h"
#include "memory_system.h"
#include "part.h"
#include "part_network.h"
#include "protocols.h"
#include "stack_sm.h"
#include "tom_compiler.h"

enum { PORT };
enum { CORE, LINK };

#define COUNTERS_OF stack_sm_stats_t
#include "counter_list.h"

static const counter_t counters[] = {
#include "stack_sm_counters.def"
    {0},
};

typedef struct {
  packet_port_t *port;
  bool direct; /* blocks come and go past the links */
  stack_sm_t *sm;
} place_t;

typedef struct {
  place_t *place; /* [count] */
} state_t;

static const place_t *sm_place(const part_t *p, unsigned k) {
  return &((const state_t *)p->state)->place[k];
}

/* ---- clocks ---- */

/* As many packets as the SM takes. */
static void receive_packets(place_t *s, channel_t *in) {
  while (!channel_is_empty(in) && stack_sm_can_push(s->sm)) {
    packet_t *packet = channel_take(in);
    if (!packet) return;
    stack_sm_push(s->sm, packet);
  }
}

/* Blocks of an ideal machine, for which transfers are free: past all links, at the cores' clock. */
static void bypass_links(place_t *s) {
  channel_t *to = &s->port->direct[PORT_TO_LOGIC], *from = &s->port->direct[PORT_FROM_LOGIC];
  for (packet_t *p; (p = channel_take(to));) stack_sm_push(s->sm, p);
  while (stack_sm_front(s->sm, 1) && channel_has_room(from)) channel_put(from, stack_sm_pop(s->sm, 1));
}

static void tick(void *self, unsigned clock, uint64_t cycle) {
  place_t *s = self;
  (void)cycle;
  if (clock == CORE) {
    if (s->direct) bypass_links(s);
    stack_sm_tick_core(s->sm);
    return;
  }
  for (unsigned cls = 0; cls < PROTOCOL_CLASSES; cls++) receive_packets(s, &s->port->from[cls]);
  stack_sm_tick_link(s->sm);
  for (unsigned cls = 0; cls < PROTOCOL_CLASSES; cls++)
    while ((cls == 0 || !s->direct) && stack_sm_front(s->sm, cls) && channel_has_room(&s->port->to[cls]))
      channel_put(&s->port->to[cls], stack_sm_pop(s->sm, cls));
}

static bool idle(const void *self) {
  const place_t *s = self;
  return channel_is_empty(&s->port->from[0]) && channel_is_empty(&s->port->from[1]) &&
         channel_is_empty(&s->port->direct[PORT_TO_LOGIC]) && stack_sm_idle(s->sm);
}

static const shell_kind_t shell = {.name = "stack_sm", .clocks = 2, .tick = tick, .idle = idle};

/* ---- making them ---- */

static void defaults(void *values) {
  *(part_stack_sm_values_t *)values = gpu_tom_config_default();
}

/* The GPU's links lead into the network. */
static bool gpu_is_behind_network(const composition_t *c) {
  for (unsigned i = 0; i < c->parts; i++)
    if (c->part[i].kind == &part_network && part_network_gpu_ports(c, i)) return true;
  return false;
}

/* The request of a block is larger than anything else on links and ports, so their buffers must
 * hold it. */
static bool settle(composition_t *c, unsigned part, trouble_t *trouble) {
  memory_node_config_t *stacks = composition_kind_values(c, &part_stack);
  (void)part;
  if (!composition_kind_values(c, &part_gpu))
    return trouble_set(trouble, TROUBLE_INPUT, "its blocks come from a GPU, and there is none");
  if (stacks->gpu_link.rx_flits < LINK_MAX_FLITS && !gpu_is_behind_network(c))
    return trouble_set(trouble, TROUBLE_INPUT,
                       "a block's request has up to 228 flits; link.rx_flits: 256 would be right");
  stacks->nsu_port.rx_flits = LINK_MAX_FLITS;
  return true;
}

static bool make(part_t *p, trouble_t *trouble) {
  const part_stack_sm_values_t *values = p->values;
  state_t *s = p->state;
  if (!(s->place = calloc(p->count, sizeof *s->place))) return trouble_memory(trouble);
  for (unsigned k = 0; k < p->count; k++) {
    place_t *place = &s->place[k];
    place->port = part_peer(p, PORT, k);
    if (place->port->bridge) ni_bridge_set(place->port->bridge, values->port_flits, 1, 0, place->port->pool);
    place->sm = stack_sm_new(composition_kind_values_const(p->composition, &part_gpu), place->port->stack,
                             place->port->pool, values->offload == TOM_OFFLOAD_NONE ? NULL : p->engine[0], k);
    if (!place->sm) return trouble_set(trouble, TROUBLE_ENVIRONMENT, "out of memory for the SM of a stack");
    shell_part_t *part = shell_add(&shell, place, p->period);
    for (unsigned cls = 0; cls < PROTOCOL_CLASSES; cls++) place->port->from[cls].reader = part;
    place->port->direct[PORT_TO_LOGIC].reader = part;
    place->direct = values->free == TOM_FREE_ALL;
  }
  return true;
}

static void destroy(part_t *p) {
  state_t *s = p->state;
  for (unsigned k = 0; s->place && k < p->count; k++) stack_sm_free(s->place[k].sm);
  free(s->place);
}

/* ---- looking at them ---- */

static bool check_rules(const part_t *p, trouble_t *trouble) {
  for (unsigned k = 0; k < p->count; k++) {
    const trouble_t *fault = stack_sm_fault(sm_place(p, k)->sm);
    if (fault) return *trouble = *fault, false;
  }
  return true;
}

static size_t describe_waits(const part_t *p, char *text, size_t size) {
  size_t used = 0;
  for (unsigned k = 0; k < p->count; k++)
    used += stack_sm_describe_waits(sm_place(p, k)->sm, describe_end(text, size, used), describe_room(size, used));
  return used;
}

static void count(const part_t *p, uint64_t *counts) {
  for (unsigned k = 0; k < p->count; k++) {
    const stack_sm_stats_t one = stack_sm_stats(sm_place(p, k)->sm);
    counters_add(counters, counts, (const uint64_t *)&one);
  }
}

/* Without offloading there is no tom_stack. */
static unsigned count_sms(const composition_t *c, unsigned part) {
  const part_stack_sm_values_t *v = composition_kind_values_const(c, &part_stack_sm);
  return v->offload == TOM_OFFLOAD_NONE ? 0 : c->part[part].count;
}

static const part_family_t families[] = {{.block = "tom_stack", .count = count_sms, .engines = part_stack_sm_engines},
                                         {0}};

const part_kind_t part_stack_sm = {.name = "stack_sm",
                                   .text = "SMs of memory stacks",
                                   .port = {[PORT] = {"port", "packets"}},
                                   .clock = {[CORE] = {"core"}, [LINK] = {"link"}},
                                   .keys = gpu_tom_keys,
                                   .values_size = sizeof(part_stack_sm_values_t),
                                   .defaults = defaults,
                                   .settle = settle,
                                   .size = sizeof(state_t),
                                   .make = make,
                                   .destroy = destroy,
                                   .check_rules = check_rules,
                                   .describe_waits = describe_waits,
                                   .family = families,
                                   .counters = counters,
                                   .count = count};
