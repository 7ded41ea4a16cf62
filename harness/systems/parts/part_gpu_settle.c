/* SPDX-License-Identifier: Apache-2.0
 *
 * What follows for the GPU from the rest of a machine: how many stacks there are, where links lead,
 * which units of stacks are NSUs and SMs, what is offloaded to them.
 *
 *   gpu.link[k] -- stack k's gpu port                            direct
 *   gpu.link[k] -- ni[k] -- network terminal k ... terminal      behind interfaces (n of them):
 *                                          n + k -- stack k      `networked`
 */
#include <string.h>

#include "memory_system.h"
#include "part_gpu.h"
#include "part_network.h"
#include "part_ni.h"
#include "part_nsu.h"
#include "part_stack_sm.h"
#include "protocols.h"

/* The stack at the other end of link k, or behind the network that the link leads into. */
static bool find_stack(const composition_t *c, unsigned part, unsigned k, unsigned *stack, unsigned *at) {
  unsigned peer, port, net, terminal;
  if (!composition_peer(c, part, PART_GPU_LINK, k, &peer, &port, at)) return false;
  *stack = peer;
  if (c->part[peer].kind != &part_ni) return true;
  return composition_peer(c, peer, PART_NI_NET, *at, &net, &port, &terminal) &&
         composition_peer(c, net, PART_NETWORK_TERMINAL, terminal + part_network_gpu_ports(c, net), stack, &port, at);
}

/* The units of stack k's logic layer that are near-data parts of a kind, as a mask: one bit for
 * each link of such a part there. */
static uint16_t near_units(const composition_t *c, unsigned part, unsigned k, const part_kind_t *kind) {
  unsigned stack, port, at, other, instance, units = 0;
  if (!find_stack(c, part, k, &stack, &at)) return 0;
  for (unsigned i = 0; i < c->parts; i++)
    for (unsigned n = 0; c->part[i].kind == kind && n < c->part[i].count; n++)
      if (composition_peer(c, i, 0, n, &other, &port, &instance) && other == stack && instance == at)
        units |= 1U << composition_which(c, i, 0, n);
  return (uint16_t)units;
}

/* The place of a stack or a network interface in the network. */
static bool find_terminal_of(const composition_t *c, unsigned part, unsigned at, unsigned *net, unsigned *terminal) {
  const part_port_t *ports = c->part[part].kind->port;
  unsigned port;
  for (unsigned which = 0; ports[which].name; which++)
    if (!ports[which].offers && composition_peer(c, part, which, at, net, &port, terminal)) return true;
  return false;
}

/* Link k must lead to the stack, or the network interface, at terminal k of the network, because
 * addresses name stacks by that number. */
static bool check_order(const composition_t *c, unsigned part, unsigned stacks, trouble_t *trouble) {
  unsigned peer, port, at, net, terminal, interfaces = 0;
  for (unsigned k = 0; k < stacks; k++) {
    if (!composition_peer(c, part, PART_GPU_LINK, k, &peer, &port, &at)) continue;
    interfaces += c->part[peer].kind == &part_ni;
    if (!find_terminal_of(c, peer, at, &net, &terminal) || terminal == k) continue;
    return trouble_set(trouble, TROUBLE_INPUT,
                       "%s.link[%u] leads to %s[%u] at %s.%s[%u]; the same number of link and terminal would be right",
                       c->part[part].name, k, c->part[peer].name, at, c->part[net].name,
                       c->part[net].kind->port[PART_NETWORK_TERMINAL].name, terminal);
  }
  if (interfaces && interfaces != stacks)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "some links lead to stacks and some into a network; all of them to one kind would be right");
  return true;
}

static bool leads_into_network(const composition_t *c, unsigned part) {
  unsigned peer, port, at;
  return composition_peer(c, part, PART_GPU_LINK, 0, &peer, &port, &at) && c->part[peer].kind == &part_ni;
}

/* Which units of each stack are NSUs. Offloading needs one at each stack. */
static bool settle_nsus(const composition_t *c, unsigned part, const part_nsu_values_t *nsu, gpu_config_t *config,
                        trouble_t *trouble) {
  config->nsu.ratio = 0;
  if (!nsu) return true;
  config->nsu = nsu->gpu;
  if (config->num_stacks > GPU_MAX_NSU_STACKS) {
    return trouble_set(trouble, TROUBLE_INPUT,
                       "%u stacks: an NSU's packets name at most %d; fewer stacks, or none with an NSU, would be right",
                       config->num_stacks, GPU_MAX_NSU_STACKS);
  }
  for (unsigned k = 0; k < config->num_stacks; k++) {
    if ((config->nsu_units[k] = near_units(c, part, k, &part_nsu)) || !gpu_config_to_nsus(config)) continue;
    return trouble_set(trouble, TROUBLE_INPUT,
                       "stack %u has no NSU and blocks are offloaded where their data are; one at each would be right",
                       k);
  }
  return true;
}

/* Flits of 16 bytes that a link with a stack, or one into the network, carries each way in a
 * crossbar cycle. */
static double link_flits(const composition_t *c, unsigned part) {
  const memory_node_config_t *stacks = composition_kind_values_const(c, &part_stack);
  const network_config_t *net = composition_kind_values_const(c, &part_network);
  unsigned peer, port, at, clock = 0;
  if (!composition_peer(c, part, PART_GPU_LINK, 0, &peer, &port, &at)) return 0;
  if (leads_into_network(c, part))
    return net->flit_bytes / (double)PACKET_FLIT_BYTES * composition_mhz(c, peer, PART_NI_NETWORK) /
           composition_mhz(c, part, PART_GPU_XBAR);
  while (strcmp(c->part[peer].kind->clock[clock].name, "link") != 0) clock++;
  return stacks->gpu_link.flits * composition_mhz(c, peer, clock) / composition_mhz(c, part, PART_GPU_XBAR);
}

/* SMs of stacks decide themselves what is offloaded, by tom.offload; each stack needs exactly one.
 */
static bool settle_stack_sms(const composition_t *c, unsigned part, const part_stack_sm_values_t *v,
                             gpu_config_t *config, trouble_t *trouble) {
  config->tom_beside = v->offload != TOM_OFFLOAD_NONE;
  config->tom_control = v->offload == TOM_OFFLOAD_CTRL;
  config->tom_watch = v->offload == TOM_OFFLOAD_WATCH;
  config->tom = *v;
  config->link_flits = link_flits(c, part);
  if (config->num_stacks > GPU_MAX_NSU_STACKS)
    return trouble_set(trouble, TROUBLE_INPUT, "SMs in stacks: at most 15 stacks");
  if (v->offload == TOM_OFFLOAD_WATCH && gpu_config_to_nsus(config))
    return trouble_set(trouble, TROUBLE_INPUT,
                       "tom.offload=watch looks at candidates alone; offload.policy=none would be right with it");
  if (v->free == TOM_FREE_ALL && config->networked)
    return trouble_set(
        trouble, TROUBLE_INPUT,
        "tom.free=all goes past links between GPU and stacks, and there is a network; another one would be right");
  if (config->paging.demand)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "pages that come from the host are with no SM of a stack; paging.demand=false would be right");
  for (unsigned k = 0; k < config->num_stacks; k++) {
    if (__builtin_popcount(config->sm_units[k] = near_units(c, part, k, &part_stack_sm)) == 1) continue;
    return trouble_set(trouble, TROUBLE_INPUT, "stack %u has %s; one at each stack would be right", k,
                       config->sm_units[k] ? "several SMs" : "no SM");
  }
  return true;
}

/* SMs and L2 slices at nodes of a network, one for each stack, at the terminals of the stacks. */
static bool settle_nodes(const composition_t *c, unsigned part, gpu_config_t *config, trouble_t *trouble) {
  const network_config_t *net = composition_kind_values_const(c, &part_network);
  const unsigned nodes = composition_connections(c, part, PART_GPU_NODE);
  config->nodes = nodes != 0;
  config->guard = nodes && net && !net->ordered;
  if (!nodes)
    return !net || net->ordered ||
           trouble_set(trouble, TROUBLE_INPUT,
                       "network.order=guard is for SMs alone, by links gpu.node; path would be right");
  for (unsigned k = 0, peer, port, at; k < nodes; k++)
    if (composition_peer(c, part, PART_GPU_NODE, k, &peer, &port, &at) && at != k)
      return trouble_set(trouble, TROUBLE_INPUT, "gpu.node[k] must be at terminal k of the network, where stack k is");
  if (nodes != config->num_stacks)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "gpu.node and gpu.link have other numbers of connections; a node for each stack would be right");
  if (net && net->local_ports != 1)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "a node has one port of its network; network.local_ports=1 would be right");
  return true;
}

/* Later steps use what earlier ones have set: num_stacks, networked, nsu. */
bool part_gpu_settle(composition_t *c, unsigned part, trouble_t *trouble) {
  gpu_config_t *config = composition_kind_values(c, &part_gpu);
  const part_nsu_values_t *nsu = composition_kind_values(c, &part_nsu);
  const unsigned stacks = composition_connections(c, part, PART_GPU_LINK);
  config->num_stacks = stacks;
  config->networked = leads_into_network(c, part);
  config->seed = c->seed;
  config->uninitialised = c->uninitialised, config->check_uninitialised = c->check_uninitialised;
  config->core_mhz = composition_mhz(c, part, PART_GPU_CORE);
  const part_stack_sm_values_t *sms = composition_kind_values(c, &part_stack_sm);
  if (nsu && config->offload_policy == GPU_OFFLOAD_tom)
    return trouble_set(
        trouble, TROUBLE_INPUT,
        "offload.policy=tom is for stacks with SMs; none, static, dynamic or dynamic_cache would be right");
  if (!nsu) config->offload_policy = GPU_OFFLOAD_none;
  return check_order(c, part, stacks, trouble) && settle_nodes(c, part, config, trouble) &&
         settle_nsus(c, part, nsu, config, trouble) && (!sms || settle_stack_sms(c, part, sms, config, trouble)) &&
         gpu_config_check(config, trouble);
}
