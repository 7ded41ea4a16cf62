/* SPDX-License-Identifier: Apache-2.0
 *
 * Packets over a fabric of any topology: at each terminal a source queue and a sink for each
 * message class, both with limited room. What a packet carries is its user's: two functions say
 * where a packet leaves the network and how many flits it has.
 *
 *    push -> source queue -> fabric of the class -> sink -> front, pop
 *            source_packets                         sink_flits a VC
 *
 *    packet_net_t *n = packet_net_new(&(packet_net_config_t){.topology = &t, .router = params,
 *                                         .engine = engines, .source_packets = 4,
 *                                         .sink_flits = 32, .exit = exit_of,
 *                                         .flits = flits_of, .context = me}, &trouble);
 *    if (packet_net_can_push(n, terminal, cls)) packet_net_push(n, terminal, cls, path, packet);
 *    packet_net_tick(n, now);
 *    packet = packet_net_pop(n, terminal, cls);
 *
 * Classes have VCs of their own from source to sink, so packets that are not popped hold back
 * only their own class. With two subnets each class has a fabric of its own, of routers of one
 * class and links that no other class uses. With `ordered` a packet's VC follows from its path,
 * a number that the user gives, and routers keep it (KeepVC): packets of one class, path, source
 * and exit never overtake each other. Without it they take any VC of their class. A sink keeps a
 * packet's room until it is popped.
 *
 * Order of calls in a tick: pushes and pops, then packet_net_tick; now grows; ticks may be left
 * out while idle.
 */
#ifndef PACKET_NET_H
#define PACKET_NET_H

#include "fabric.h"
#include "trouble.h"

typedef struct packet_net_config {
  const topology_t *topology; /* kept by address */
  /* Classes 1 or 2. Ports and NumDest no less than the topology needs: see fabric_router_params.
   * KeepVC follows from `ordered`. */
  router_params_t router;
  unsigned subnets; /* 2: a fabric for each message class, Classes is 1; 0, 1: one for all */
  /* [subnets * routers], built with these parameters, one fabric's after the other's. */
  const block_engine_t *const *engine;
  unsigned source_packets; /* queue of a terminal, packets of a class */
  /* Buffer of a terminal, flits of a VC: at least the largest packet. Less than Depth becomes
   * Depth. */
  unsigned sink_flits;
  bool ordered;
  unsigned (*exit)(const void *context, const void *payload); /* the terminal where the packet leaves */
  unsigned (*flits)(const void *context, const void *payload, unsigned cls);
  bool (*divergent)(const void *context, const void *payload); /* NUPIM paper, III-C; NULL: none is */
  /* Tells that a packet can be popped, and how many routers it passed. May be NULL. May not push
   * or pop. */
  void (*arrived)(void *context, const void *payload, unsigned terminal, unsigned cls, unsigned routers);
  void *context;
} packet_net_config_t;

typedef struct packet_net packet_net_t;

packet_net_t *packet_net_new(const packet_net_config_t *config, trouble_t *trouble); /* NULL: trouble says why */
/* Frees nothing of what is under way. */
void packet_net_free(packet_net_t *net);

/* By terminal and class. push needs can_push; path: see `ordered`. payload is the user's own
 * address. */
bool packet_net_can_push(const packet_net_t *net, unsigned terminal, unsigned cls);
void packet_net_push(packet_net_t *net, unsigned terminal, unsigned cls, unsigned path, void *payload);
void *packet_net_front(const packet_net_t *net, unsigned terminal, unsigned cls); /* the oldest in the sink, NULL */
void *packet_net_pop(packet_net_t *net, unsigned terminal, unsigned cls);         /* NULL: none */
void packet_net_tick(packet_net_t *net, uint64_t now);
/* Nothing moves; sinks may hold packets. Never true with a router that is RTL or has epochs. */
bool packet_net_idle(const packet_net_t *net);

uint64_t packet_net_held(const packet_net_t *net);                                     /* packets inside */
unsigned packet_net_waiting(const packet_net_t *net, unsigned terminal, unsigned cls); /* to be sent */
unsigned packet_net_there(const packet_net_t *net, unsigned terminal, unsigned cls);   /* to be popped */
unsigned packet_net_subnets(const packet_net_t *net);
const fabric_t *packet_net_fabric(const packet_net_t *net, unsigned subnet);

#endif
