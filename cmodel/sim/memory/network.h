/* SPDX-License-Identifier: Apache-2.0
 *
 * The network of a machine: nodes at the terminals of any topology of a packet_net
 * (cmodel/sim/network), whose routers are models, RTL or both. A node is a memory stack with its
 * near-data units, or some SMs with a slice of the L2.
 *
 * Nodes are numbered as packets name them: stacks first, then the GPU's places. At the
 * topology's places the order is the other way round, if the GPU has no links of its own:
 *
 *    place:  0 .. gpu_ports - 1        gpu_ports .. nodes - 1
 *            the GPU's, one a stack    stacks 0, 1, ..
 *
 * A stack hears from the GPU by the GPU's place of the same number.
 *
 * Routes are the topology's (of a hypercube e-cube, lowest dimension first). A link carries one
 * flit a tick (16 bytes at 1.25 GHz: 20 GB/s). Message classes have VCs of their own from source
 * queue to sink; with two subnets each class has a fabric and links of its own. With `ordered` a
 * packet's VC is a function of source, destination and the unit's port, and routers keep it
 * (KeepVC): packets of one class never overtake each other between two ports. Without it they
 * take any VC of their class. A policy manages congestion (NUPIM paper, section III) in all
 * routers alike.
 *
 * Local ports: a request leaves the network at the port of its vault's quadrant (modulo
 * local_ports), and the vault's answer enters there. What units on the logic layer send enters,
 * and their answers leave, at one of unit_ports of these ports, again by the quadrant (modulo
 * unit_ports). With one of them, port 0, a unit gets no more than one link's bandwidth, however
 * many links the stack has.
 *
 * Order of calls in a tick: pushes and pops, then network_tick(net, now); now grows; ticks may
 * be left out while idle. Zero load, one-flit packets, link latency 1: 7 + 5 * (routers - 1)
 * ticks from push to pop (BookSim2).
 */
#ifndef NETWORK_H
#define NETWORK_H

#include <stdbool.h>

#include "config.h"
#include "link_widths.h"
#include "network_policy.h"
#include "packet.h"
#include "trouble.h"

enum { NETWORK_MAX_NODES = 256, NETWORK_TOPOLOGY = 128, NETWORK_MAX_DEPTH = 64 };

/* ordered: packets of a path do not overtake each other. unit_ports: at most local_ports.
 * width_delay: less than an epoch. */
typedef struct network_config {
#define KEYS_AS_FIELDS
#include "key_list.h"
#include "network_keys.def"
  unsigned gpu_ports;      /* terminals that are the GPU's: 0, or half of them */
  unsigned classes;        /* 2; 1 puts all packets into one class (single-class traffic only) */
  unsigned source_packets; /* queue at a port, packets a class */
  /* Buffer at a port, flits a VC, 1..256: at least the largest packet. The network makes it no
   * smaller than depth. */
  unsigned sink_flits;
} network_config_t;

typedef struct network_stats {
#define COUNTER(name, ...) uint64_t name;
#define WORK(name, ...) uint64_t name;
#define WORK_BY(name, number, ...) uint64_t name[number];
#define COUNTER_BY(name, number, ...) uint64_t name[number];
#include "network_counters.def"
} network_stats_t;

typedef struct network network_t;

extern const config_key_t network_keys[]; /* of the part network */

/* Defaults of network_keys.def, 2 classes. */
network_config_t network_default_config(void);
bool network_check_config(const network_config_t *config, trouble_t *trouble);
/* The topology with local_ports terminals for every node. False: trouble says why. */
bool network_topology(const network_config_t *config, topology_t *topology, trouble_t *trouble);
unsigned network_config_nodes(const network_config_t *config);         /* how many; 0: not a topology */
unsigned network_config_routers(const network_config_t *config);       /* of all subnets; 0: not a topology */
router_params_t network_router_params(const network_config_t *config); /* what its routers are built with */
/* routers: what computes each of network_config_routers routers, built with
 * network_router_params; one subnet's after the other's. NULL: trouble says why. */
network_t *network_new(const network_config_t *config, const block_engine_t *const *routers, trouble_t *trouble);
void network_free(network_t *net);
unsigned network_nodes(const network_t *net);
unsigned network_stacks(const network_t *net); /* nodes that are stacks */
/* The node at a place of the topology, that is, at its terminals place * local_ports and
 * following. */
unsigned network_node_at(const network_t *net, unsigned terminal);
bool network_reaches(const network_t *net, unsigned dst); /* a stack, or PKT_GPU where the GPU has places */
unsigned network_local_ports(const network_t *net);
unsigned network_links(const network_t *net); /* one-way, between routers, of all subnets */

/* A packet's local port: that of its vault, and that of the unit that sends it or gets its
 * answer. */
unsigned network_vault_port(const network_t *net, const packet_t *packet);
unsigned network_unit_port(const network_t *net, const packet_t *packet);
bool network_can_push(const network_t *net, unsigned node, unsigned port, unsigned cls);
void network_push(network_t *net, unsigned node, unsigned port, packet_t *packet); /* needs can_push; goes to dst */
packet_t *network_peek(const network_t *net, unsigned node, unsigned port, unsigned cls); /* NULL: none */
/* Bit 2 * port + class: network_pop has a packet there. */
unsigned network_ready(const network_t *net, unsigned node);
packet_t *network_pop(network_t *net, unsigned node, unsigned port, unsigned cls);
void network_tick(network_t *net, uint64_t now);
bool network_idle(const network_t *net); /* never with a router that is RTL or has epochs */
/* The first thing that went wrong (fabric_fault), NULL: nothing. */
const trouble_t *network_fault(const network_t *net);
uint64_t network_held(const network_t *net);                 /* packets inside */
network_stats_t network_stats(network_t *net, uint64_t now); /* from tick 0 to now */
unsigned network_subnets(const network_t *net);
const fabric_t *network_fabric(const network_t *net, unsigned subnet);
const topology_t *network_shape(const network_t *net);
router_params_t network_params(const network_t *net);                         /* of its routers */
size_t network_describe_waits(const network_t *net, char *text, size_t size); /* as snprintf */

#endif
