/* SPDX-License-Identifier: Apache-2.0
 *
 * The network of a machine: nodes at the terminals of any topology of a packet_net
 * (cmodel/sim/network), whose routers are models, RTL or both. A node is a memory stack with its
 * near-data units, or some SMs with a slice of the L2.
 *
 * Routes are the topology's (of a hypercube e-cube, lowest dimension first); one flit a tick and
 * link (of 16 bytes at 1.25 GHz: 20 GB/s). Message classes have VCs of their own from source queue
 * to sink. With `ordered` a packet's VC is a function of source, destination and the unit's port,
 * and routers keep it (KeepVC), so packets of one class never overtake each other between two
 * ports; without it they take any VC of their class. With two subnets each class has a fabric and
 * links of its own. A policy manages congestion (NUPIM paper, section III): what it does to routers
 * it does to all.
 *
 * A GPU without links of its own has the first gpu_ports places, one for each stack, by which it
 * and that stack hear of each other; stack k is at the k-th place behind them. Nodes are numbered
 * as packets name stacks: those first, then the GPU's places.
 *
 * Local ports: a request leaves at that of its vault's quadrant (modulo local_ports), and so does
 * an answer come in. What units on the logic layer send and are answered has unit_ports of them,
 * again by the quadrant (modulo unit_ports): with one, port 0, all its links give a unit no more
 * than one of them. Order of calls in a tick: pushes and pops, then network_tick(net, now); now
 * grows; ticks may be left out while idle. Zero load, one-flit packets, link latency 1: 7 + 5 *
 * (routers - 1) ticks from push to pop (BookSim2).
 */
#ifndef NETWORK_H
#define NETWORK_H

#include <stdbool.h>

#include "config.h"
#include "link_widths.h"
#include "network_policy.h"
#include "packet.h"

enum { NETWORK_MAX_NODES = 256, NETWORK_TOPOLOGY = 128, NETWORK_MAX_DEPTH = 64 };

/* ordered: 1, packets of a path do not overtake each other; 0, they may.
 * unit_ports: at most local_ports. width_delay: less than an epoch. */
typedef struct network_config {
#define KEYS_AS_FIELDS
#include "key_list.h"
#include "network_keys.def"
  unsigned gpu_ports;      /* terminals that are the GPU's: 0, or half of them */
  unsigned classes;        /* 2; 1 puts all packets into one class (single-class traffic only) */
  unsigned source_packets; /* queue at a port, packets a class */
  /* buffer at a port, flits a VC, 1..256; at least
   * the largest packet; no less than depth is made */
  unsigned sink_flits;
} network_config_t;

typedef struct network_stats {
#define COUNTER(name, ...) uint64_t name;
#define WORK(name, ...) uint64_t name;
#define WORK_BY(name, number, ...) uint64_t name[number];
#define COUNTER_BY(name, number, ...) uint64_t name[number];
#include "network_counters.def"
#include "trouble.h"
} network_stats_t;

typedef struct network network_t;

extern const config_key_t network_keys[]; /* of the part network */

/* As network_keys.def has it, with 2 classes. */
network_config_t network_default_config(void);
bool network_check_config(const network_config_t *config, trouble_t *trouble);
/* Its routers, each with local_ports ports for every stack. False: trouble says why. */
bool network_topology(const network_config_t *config, topology_t *topology, trouble_t *trouble);
unsigned network_config_nodes(const network_config_t *config);         /* 0: not a topology */
unsigned network_config_routers(const network_config_t *config);       /* the same of routers, of all subnets */
router_params_t network_router_params(const network_config_t *config); /* what its routers are built with */
/* routers: what computes each, network_config_routers of
 * them, for these parameters. NULL: trouble says why. */
network_t *network_new(const network_config_t *config, const block_engine_t *const *routers, trouble_t *trouble);
void network_free(network_t *net);
unsigned network_nodes(const network_t *net);
unsigned network_stacks(const network_t *net); /* nodes that are not places of the GPU */
/* each has local_ports of the fabric's; this is which of the topology's */
unsigned network_node_at(const network_t *net, unsigned terminal);
bool network_reaches(const network_t *net, unsigned dst); /* a stack, or PKT_GPU where the GPU has places */
unsigned network_local_ports(const network_t *net);
unsigned network_links(const network_t *net); /* one-way, between routers, of all subnets */

/* Of the local ports, the one of a packet's vault, and
 * of the unit that sends it or gets its answer. */
unsigned network_vault_port(const network_t *net, const packet_t *packet);
unsigned network_unit_port(const network_t *net, const packet_t *packet);
bool network_can_push(const network_t *net, unsigned node, unsigned port, unsigned cls);
void network_push(network_t *net, unsigned node, unsigned port, packet_t *packet);        /* goes to dst */
packet_t *network_peek(const network_t *net, unsigned node, unsigned port, unsigned cls); /* NULL: none */
/* bit 2 * port + class: a packet can be popped there */
unsigned network_ready(const network_t *net, unsigned node);
packet_t *network_pop(network_t *net, unsigned node, unsigned port, unsigned cls);
void network_tick(network_t *net, uint64_t now);
bool network_idle(const network_t *net); /* never with a router that is RTL or has epochs */
/* NULL, or the first thing that went wrong: see fabric_fault */
const trouble_t *network_fault(const network_t *net);
uint64_t network_held(const network_t *net);                 /* packets inside */
network_stats_t network_stats(network_t *net, uint64_t now); /* until this tick */
unsigned network_subnets(const network_t *net);
const fabric_t *network_fabric(const network_t *net, unsigned subnet);
const topology_t *network_shape(const network_t *net);
router_params_t network_params(const network_t *net);                         /* of its routers */
size_t network_describe_waits(const network_t *net, char *text, size_t size); /* as snprintf */

#endif
