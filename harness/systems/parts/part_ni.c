/* SPDX-License-Identifier: Apache-2.0
 *
 * Network interfaces: the ways from a GPU's links into the network, for a GPU without links of its
 * own to memory stacks. Towards the GPU an interface offers the same port as a stack.
 *
 *   GPU --> gpu.to[cls] --send_packets--> network terminal
 *   GPU <-- gpu.from[cls] <--receive_packets-- network terminal
 *
 * Both happen at an edge of the network's clock, as far as the receiver has room.
 */
#include <stdlib.h>

#include "describe.h"
#include "part.h"
#include "part_ni.h"
#include "protocols.h"

typedef struct {
#define COUNTER(name, ...) uint64_t name;
#define WORK(name, ...) uint64_t name;
#include "part_ni_counters.def"
} ni_stats_t;

#define COUNTERS_OF ni_stats_t
#include "counter_list.h"

static const counter_t counters[] = {
#include "part_ni_counters.def"
    {0},
};

typedef struct {
  packet_port_t gpu;
  terminal_port_t *net;
  ni_stats_t stats;
} place_t;

typedef struct {
  place_t *place; /* [count] */
} state_t;

static place_t *ni_place(const part_t *p, unsigned k) {
  return &((const state_t *)p->state)->place[k];
}

static void send_packets(place_t *s, unsigned cls) {
  network_t *net = s->net->network;
  for (packet_t *p; network_can_push(net, s->net->node, 0, cls) && (p = channel_take(&s->gpu.to[cls]));) {
    s->stats.sent_bytes += packet_bytes(p);
    network_push(net, s->net->node, 0, p);
  }
}

static void receive_packets(place_t *s, unsigned cls) {
  channel_t *out = &s->gpu.from[cls];
  for (packet_t *p; channel_has_room(out) && (p = network_pop(s->net->network, s->net->node, 0, cls));) {
    s->stats.got_bytes += packet_bytes(p);
    channel_put(out, p);
  }
}

static void tick(void *self, unsigned clock, uint64_t cycle) {
  place_t *s = self;
  (void)clock, (void)cycle;
  for (unsigned cls = 0; cls < PROTOCOL_CLASSES; cls++) {
    send_packets(s, cls);
    if (network_ready(s->net->network, s->net->node) >> cls & 1) receive_packets(s, cls);
  }
}

static bool idle(const void *self) {
  const place_t *s = self;
  return channel_is_empty(&s->gpu.to[0]) && channel_is_empty(&s->gpu.to[1]) &&
         !network_ready(s->net->network, s->net->node);
}

static const shell_kind_t shell = {.name = "ni", .clocks = 1, .tick = tick, .idle = idle};

static bool make(part_t *p, trouble_t *trouble) {
  state_t *s = p->state;
  if (!(s->place = calloc(p->count, sizeof *s->place))) return trouble_memory(trouble);
  for (unsigned k = 0; k < p->count; k++) {
    place_t *place = &s->place[k];
    place->net = part_peer(p, PART_NI_NET, k);
    shell_part_t *me = shell_add(&shell, place, &p->period[PART_NI_NETWORK]);
    place->net->reader = me;
    place->gpu = (packet_port_t){
        .pool = place->net->pool, .image = place->net->image, .stack = k, .period = p->period[PART_NI_NETWORK]};
    for (unsigned cls = 0; cls < PROTOCOL_CLASSES; cls++) place->gpu.to[cls].reader = me;
  }
  return true;
}

static void *offer(part_t *p, unsigned port, unsigned connection, unsigned which) {
  (void)port, (void)which;
  return &ni_place(p, connection)->gpu;
}

/* Queues that are not empty, and what they wait for. */
static size_t describe_waits(const part_t *p, char *text, size_t size) {
  size_t used = 0;
  if (size) *text = 0;
  for (unsigned k = 0; k < p->count; k++)
    for (unsigned cls = 0; cls < PROTOCOL_CLASSES; cls++) {
      const packet_port_t *port = &ni_place(p, k)->gpu;
      if (!channel_is_empty(&port->to[cls]))
        describe_add(text, size, &used, "%s%u: class %u waits for the network\n", p->composition->part[p->index].name,
                     k, cls);
      if (!channel_is_empty(&port->from[cls]))
        describe_add(text, size, &used, "%s%u: class %u waits for the GPU\n", p->composition->part[p->index].name, k,
                     cls);
    }
  return used;
}

/* A slot is one flit a cycle and way. */
static void count(const part_t *p, uint64_t *counts) {
  const network_config_t *net = composition_kind_values_const(p->composition, &part_network);
  for (unsigned k = 0; k < p->count; k++) counters_add(counters, counts, (const uint64_t *)&ni_place(p, k)->stats);
  ((ni_stats_t *)counts)->slot_bytes = p->count * net->flit_bytes * (shell_now / p->period[PART_NI_NETWORK]);
}

static void destroy(part_t *p) {
  free(((state_t *)p->state)->place);
}

const part_kind_t part_ni = {
    .name = "ni",
    .text = "network interfaces of a GPU",
    .port = {[PART_NI_GPU] = {"gpu", "packets", .offers = true}, [PART_NI_NET] = {"net", "terminal"}},
    .clock = {[PART_NI_LINK] = {"link"}, [PART_NI_NETWORK] = {"network", .like = "link"}},
    .size = sizeof(state_t),
    .make = make,
    .destroy = destroy,
    .offer = offer,
    .describe_waits = describe_waits,
    .counters = counters,
    .count = count};
