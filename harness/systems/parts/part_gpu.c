/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU die (cmodel/sim/gpu): SMs, caches, crossbar, and a link to each memory stack.
 *
 * At an edge of the crossbar's clock: packets that stacks have put into their channels go into the
 * model, as far as that has room; it ticks; packets that it has ready go out, as far as channels
 * have room. Before a module is loaded, the offload policy's compiler has it.
 */
#include "gpu.h"

#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "memory_system.h"
#include "offload_policy.h"
#include "part.h"
#include "part_gpu_families.h"
#include "part_network.h"
#include "part_ni.h"
#include "part_nsu.h"
#include "part_stack_sm.h"
#include "protocols.h"

#define KEYS_OF gpu_config_t
#include "config_keys.h"

enum { LINK, NODE, CORE = 0, L2, XBAR }; /* ports, clocks */

static const char *const maps[] = {
#define MAP(name, text) #name,
#include "address_maps.def"
#undef MAP
    NULL};

static const char *const policies[] = {
#define POLICY(name, text) #name,
#include "offload_policies.def"
#undef POLICY
    NULL};

static const char *const schedulers[] = {
#define SCHEDULER(name, text) #name,
#include "schedulers.def"
#undef SCHEDULER
    NULL};

static const char *const cta_orders[] = {"round", "ranges", NULL};

static const config_key_t keys[] = {
#include "part_gpu.def"
    {0},
};

#define COUNTERS_OF gpu_stats_t
#include "counter_list.h"

static const counter_t counters[] = {
#include "gpu_counters.def"
    {0},
};

#undef COUNTERS_OF
#define COUNTERS_OF gpu_epoch_t
#include "counter_list.h"

static const counter_t epoch_columns[] = {
#include "offload_epoch.def"
    {0},
};

#undef COUNTERS_OF
#define COUNTERS_OF gpu_decision_t
#include "counter_list.h"

static const counter_t decision_columns[] = {
#include "offload_decisions.def"
    {0},
};

#undef COUNTERS_OF
#define COUNTERS_OF gpu_block_t
#include "counter_list.h"

static const counter_t block_columns[] = {
#include "offload_blocks.def"
    {0},
};

#undef COUNTERS_OF
#define COUNTERS_OF gpu_map_row_t
#include "counter_list.h"

static const counter_t map_columns[] = {
#include "tom_maps.def"
    {0},
};

#undef COUNTERS_OF
#define COUNTERS_OF gpu_page_t
#include "counter_list.h"

static const counter_t page_columns[] = {
#include "gpu_pages.def"
    {0},
};

/* What the policy found in a module. */
typedef struct compiled {
  struct compiled *next;
  const ptx_module_t *module;
  void *blocks; /* NULL: none */
} compiled_t;

typedef struct {
  packet_port_t **link;    /* [stacks] */
  terminal_port_t **node;  /* [nodes], of a network */
  unsigned nodes;          /* 0, or as many as stacks */
  unsigned stacks, direct; /* direct: to and from so many of them packets go past the links */
  const offload_policy_t *policy;
  compiled_t *compiled; /* of each module that is loaded */
  gpu_t *gpu;
} state_t;

static state_t *state_of(const part_t *p) {
  return p->state;
}

/* ---- clocks ---- */

static void receive(state_t *s, unsigned stack, channel_t *in) {
  packet_t *packet;
  if (channel_is_empty(in)) return;
  while (gpu_can_push(s->gpu, stack) && (packet = channel_take(in))) gpu_push(s->gpu, stack, packet);
}

static void transmit(state_t *s, unsigned stack, unsigned cls, channel_t *out) {
  while (gpu_front(s->gpu, stack, cls) && channel_has_room(out)) channel_put(out, gpu_pop(s->gpu, stack, cls));
}

/* Between the crossbar and a node's place of the network. */
static void cross(state_t *s, unsigned k) {
  network_t *net = s->node[k]->network;
  const unsigned at = s->node[k]->node;
  for (unsigned cls = 0; cls < PROTOCOL_CLASSES; cls++)
    while (gpu_node_front(s->gpu, k, cls) && network_can_push(net, at, 0, cls))
      network_push(net, at, 0, gpu_node_pop(s->gpu, k, cls));
  for (unsigned ready = network_ready(net, at), cls = 0; cls < PROTOCOL_CLASSES; cls++)
    for (packet_t *p; ready >> cls & 1 && gpu_node_can_push(s->gpu, k, cls) && (p = network_pop(net, at, 0, cls));)
      gpu_node_push(s->gpu, k, p);
}

/* Blocks of which all is free. */
static void past_links(state_t *s, unsigned stack) {
  channel_t *to = &s->link[stack]->direct[PORT_TO_LOGIC], *from = &s->link[stack]->direct[PORT_FROM_LOGIC];
  for (packet_t *p; channel_has_room(to) && (p = gpu_direct_pop(s->gpu, stack));) channel_put(to, p);
  for (packet_t *p; (p = channel_take(from));) gpu_direct_push(s->gpu, stack, p);
}

static void tick(void *self, unsigned clock, uint64_t cycle) {
  state_t *s = self;
  (void)cycle;
  if (clock != XBAR) {
    if (gpu_running(s->gpu)) (clock == CORE ? gpu_tick_core : gpu_tick_l2)(s->gpu);
    for (unsigned k = 0; clock == CORE && k < s->direct; k++) past_links(s, k);
    return;
  }
  for (unsigned k = 0; k < s->stacks; k++)
    for (unsigned cls = 0; cls < PROTOCOL_CLASSES; cls++) receive(s, k, &s->link[k]->from[cls]);
  gpu_tick_xbar(s->gpu);
  for (unsigned k = 0; k < s->nodes; k++) cross(s, k);
  for (unsigned k = 0; k < s->stacks; k++)
    for (unsigned cls = 0; cls < PROTOCOL_CLASSES; cls++) transmit(s, k, cls, &s->link[k]->to[cls]);
}

static bool shell_running(const void *self) {
  return gpu_running(((const state_t *)self)->gpu);
}

static const shell_kind_t shell = {.name = "gpu", .clocks = 3, .tick = tick, .running = shell_running};

/* ---- making one ---- */

static void defaults(void *values) {
  *(gpu_config_t *)values = gpu_config_default();
}

/* At the other end of link k, or of the network that it leads into. */
static bool find_stack(const composition_t *c, unsigned part, unsigned k, unsigned *stack, unsigned *at) {
  unsigned peer, port, net, terminal;
  if (!composition_peer(c, part, LINK, k, &peer, &port, at)) return false;
  *stack = peer;
  if (c->part[peer].kind != &part_ni) return true;
  return composition_peer(c, peer, PART_NI_NET, *at, &net, &port, &terminal) &&
         composition_peer(c, net, PART_NETWORK_TERMINAL, terminal + part_network_gpu_ports(c, net), stack, &port, at);
}

/* The units of stack k's logic layer that are near-data parts
 * of a kind: all that parts of this kind have linked there. */
static uint16_t near_units(const composition_t *c, unsigned part, unsigned k, const part_kind_t *kind) {
  unsigned stack, port, at, other, instance, units = 0;
  if (!find_stack(c, part, k, &stack, &at)) return 0;
  for (unsigned i = 0; i < c->parts; i++)
    for (unsigned n = 0; c->part[i].kind == kind && n < c->part[i].count; n++)
      if (composition_peer(c, i, 0, n, &other, &port, &instance) && other == stack && instance == at)
        units |= 1U << composition_which(c, i, 0, n);
  return (uint16_t)units;
}

/* Where a stack or a network interface is in the network. */
static bool find_terminal(const composition_t *c, unsigned part, unsigned at, unsigned *net, unsigned *terminal) {
  const part_port_t *ports = c->part[part].kind->port;
  unsigned port;
  for (unsigned which = 0; ports[which].name; which++)
    if (!ports[which].offers && composition_peer(c, part, which, at, net, &port, terminal)) return true;
  return false;
}

/* Link k leads to the stack, or the network interface, at terminal
 * k of the network: by that number addresses name a stack. */
static const char *check_order(const composition_t *c, unsigned part, unsigned stacks) {
  static char wrong[200];
  unsigned peer, port, at, net, terminal, interfaces = 0;
  for (unsigned k = 0; k < stacks; k++) {
    if (!composition_peer(c, part, LINK, k, &peer, &port, &at)) continue;
    interfaces += c->part[peer].kind == &part_ni;
    if (!find_terminal(c, peer, at, &net, &terminal) || terminal == k) continue;
    snprintf(wrong, sizeof wrong,
             "%s.link[%u] leads to %s[%u] at %s.%s[%u]; the same number of link and terminal would be right",
             c->part[part].name, k, c->part[peer].name, at, c->part[net].name,
             c->part[net].kind->port[PART_NETWORK_TERMINAL].name, terminal);
    return wrong;
  }
  return interfaces && interfaces != stacks
             ? "some links lead to stacks and some into a network; all of them to one kind would be right"
             : NULL;
}

static bool leads_into_network(const composition_t *c, unsigned part) {
  unsigned peer, port, at;
  return composition_peer(c, part, LINK, 0, &peer, &port, &at) && c->part[peer].kind == &part_ni;
}

static const char *settle_nsus(const composition_t *c, unsigned part, const part_nsu_values_t *nsu,
                               gpu_config_t *config) {
  static char wrong[120];
  config->offload_ratio = nsu ? nsu->ratio : 0;
  if (!nsu) return NULL;
  config->offload_target = nsu->target;
  config->pending_packets = nsu->pending_packets, config->ready_packets = nsu->ready_packets;
  config->read_only_lines = nsu->read_only_lines;
  if (config->num_stacks > GPU_MAX_NSU_STACKS) {
    snprintf(wrong, sizeof wrong,
             "%u stacks: an NSU's packets name at most %d; fewer stacks, or none with an NSU, would be right",
             config->num_stacks, GPU_MAX_NSU_STACKS);
    return wrong;
  }
  for (unsigned k = 0; k < config->num_stacks; k++) {
    if ((config->nsu_units[k] = near_units(c, part, k, &part_nsu)) || !gpu_config_to_nsus(config)) continue;
    snprintf(wrong, sizeof wrong,
             "stack %u has no NSU and blocks are offloaded where their data are; one at each would be right", k);
    return wrong;
  }
  return NULL;
}

/* Flits of 16 bytes that a link carries each way in a crossbar
 * cycle: one with a stack, or one into the network. */
static double link_flits(const composition_t *c, unsigned part) {
  const memory_node_config_t *stacks = composition_kind_values_const(c, &part_stack);
  const network_config_t *net = composition_kind_values_const(c, &part_network);
  unsigned peer, port, at, clock = 0;
  if (!composition_peer(c, part, LINK, 0, &peer, &port, &at)) return 0;
  if (leads_into_network(c, part))
    return net->flit_bytes / (double)PACKET_FLIT_BYTES * composition_mhz(c, peer, PART_NI_NETWORK) /
           composition_mhz(c, part, XBAR);
  while (strcmp(c->part[peer].kind->clock[clock].name, "link") != 0) clock++;
  return stacks->gpu_link.flits * composition_mhz(c, peer, clock) / composition_mhz(c, part, XBAR);
}

/* Where stacks have SMs, those decide what is offloaded: tom.offload. */
static const char *settle_stack_sms(const composition_t *c, unsigned part, const part_stack_sm_values_t *v,
                                    gpu_config_t *config) {
  static char wrong[120];
  config->tom_beside = v->offload != PART_TOM_NONE;
  config->tom_control = v->offload == PART_TOM_CTRL;
  config->tom_watch = v->offload == PART_TOM_WATCH;
  config->tlb_entries = v->tlb_entries, config->tom_regions = v->regions;
  config->tom_free = v->free, config->tom_warps = v->warps, config->tom_queue = v->queue;
  config->tom_busy = v->busy, config->tom_window = v->window;
  config->link_flits = link_flits(c, part);
  if (config->num_stacks > GPU_MAX_NSU_STACKS) return "SMs in stacks: at most 15 stacks";
  if (v->offload == PART_TOM_WATCH && gpu_config_to_nsus(config))
    return "tom.offload=watch looks at candidates alone; offload.policy=none would be right with it";
  if (v->free == TOM_FREE_ALL && config->networked)
    return "tom.free=all goes past links between GPU and stacks, and there is a network; another one would be right";
  if (config->paging)
    return "pages that come from the host are with no SM of a stack; paging.demand=false would be right";
  for (unsigned k = 0; k < config->num_stacks; k++) {
    if (__builtin_popcount(config->sm_units[k] = near_units(c, part, k, &part_stack_sm)) == 1) continue;
    snprintf(wrong, sizeof wrong, "stack %u has %s; one at each stack would be right", k,
             config->sm_units[k] ? "several SMs" : "no SM");
    return wrong;
  }
  return NULL;
}

/* SMs and slices at nodes of a network, with whose terminals the stacks are linked, too. */
static const char *settle_nodes(const composition_t *c, unsigned part, gpu_config_t *config) {
  const network_config_t *net = composition_kind_values_const(c, &part_network);
  const unsigned nodes = composition_connections(c, part, NODE);
  config->nodes = nodes != 0;
  config->guard = nodes && net && !net->ordered;
  if (!nodes)
    return net && !net->ordered ? "network.order=guard is for SMs alone, by links gpu.node; path would be right" : NULL;
  for (unsigned k = 0, peer, port, at; k < nodes; k++)
    if (composition_peer(c, part, NODE, k, &peer, &port, &at) && at != k)
      return "gpu.node[k] must be at terminal k of the network, where stack k is";
  if (nodes != config->num_stacks)
    return "gpu.node and gpu.link have other numbers of connections; a node for each stack would be right";
  return net && net->local_ports != 1 ? "a node has one port of its network; network.local_ports=1 would be right"
                                      : NULL;
}

static const char *settle(composition_t *c, unsigned part) {
  gpu_config_t *config = composition_kind_values(c, &part_gpu);
  const part_nsu_values_t *nsu = composition_kind_values(c, &part_nsu);
  const unsigned stacks = composition_connections(c, part, LINK);
  config->num_stacks = stacks;
  config->networked = leads_into_network(c, part);
  config->seed = c->seed;
  config->core_mhz = composition_mhz(c, part, CORE);
  const part_stack_sm_values_t *sms = composition_kind_values(c, &part_stack_sm);
  if (nsu && config->offload_policy == GPU_OFFLOAD_tom)
    return "offload.policy=tom is for stacks with SMs; none, static, dynamic or dynamic_cache would be right";
  if (!nsu) config->offload_policy = GPU_OFFLOAD_none;
  const char *wrong = check_order(c, part, stacks);
  if (!wrong) wrong = settle_nodes(c, part, config);
  if (!wrong) wrong = settle_nsus(c, part, nsu, config);
  if (!wrong && sms) wrong = settle_stack_sms(c, part, sms, config);
  return wrong ? wrong : gpu_config_check(config);
}

static void read_image(void *ctx, uint64_t addr, void *data, size_t bytes) {
  memory_image_read(ctx, addr, data, bytes);
}

static void write_image(void *ctx, uint64_t addr, const void *data, size_t bytes) {
  memory_image_write(ctx, addr, data, bytes);
}

static int make(part_t *p, char error[SYSTEM_ERROR]) {
  state_t *s = state_of(p);
  trouble_t err = {0};
  s->stacks = composition_connections(p->composition, p->index, LINK);
  s->nodes = composition_connections(p->composition, p->index, NODE);
  s->link = calloc(s->stacks, sizeof *s->link);
  s->node = calloc(s->nodes + 1, sizeof *s->node);
  if (!s->link || !s->node) return part_fail(error, 3, "out of memory");
  for (unsigned k = 0; k < s->stacks; k++) s->link[k] = part_peer(p, LINK, k);
  for (unsigned k = 0; k < s->nodes; k++) s->node[k] = part_peer(p, NODE, k);
  gpu_parts_t parts = gpu_parts_of(p->values);
  s->direct = ((const gpu_config_t *)p->values)->tom_free == TOM_FREE_ALL ? s->stacks : 0;
  s->policy = parts.policy;
  for (unsigned i = 0; i < GPU_HARDWARE; i++)
    if (gpu_config_instances(p->values, i)) parts.engine[i] = p->engine[i];
  s->gpu = gpu_new_of(p->values, &parts, &(gpu_memory_t){s->link[0]->image, read_image, write_image}, s->link[0]->pool,
                      &err);
  if (!s->gpu) return part_fail(error, err.kind, err.text);
  shell_add(&shell, s, p->period);
  return 0;
}

static void destroy(part_t *p) {
  state_t *s = state_of(p);
  gpu_free(s->gpu);
  free(s->link);
  free(s->node);
  while (s->compiled) {
    compiled_t *c = s->compiled;
    s->compiled = c->next;
    if (c->blocks) s->policy->discard(c->blocks);
    free(c);
  }
}

/* ---- the host's side ---- */

static void facts(const part_t *p, system_facts_t *f) {
  const gpu_config_t *c = p->values;
  *f = (system_facts_t){.cores = c->num_sms,
                        .core_threads = c->sm_threads,
                        .core_blocks = c->sm_ctas,
                        .core_registers = c->sm_registers,
                        .core_shared_bytes = c->sm_shared_bytes,
                        .memory_bytes = c->stack_bytes * c->num_stacks,
                        .core_mhz = c->core_mhz};
}

static void discard(state_t *s, compiled_t *c) {
  if (c->blocks) s->policy->discard(c->blocks);
  free(c);
}

static int load_also(part_t *p, const ptx_module_t *module, trouble_t *err) {
  state_t *s = state_of(p);
  compiled_t *c = calloc(1, sizeof *c);
  const bool compiles = c && s->policy->compile;
  if (!c || (compiles && !(c->blocks = s->policy->compile(module, p->values)))) {
    free(c);
    return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory for the offload compiler");
  }
  c->module = module;
  if (gpu_load_also(s->gpu, module, c->blocks, err)) {
    discard(s, c);
    return -1;
  }
  c->next = s->compiled;
  s->compiled = c;
  return 0;
}

static void unload(part_t *p, const ptx_module_t *module) {
  state_t *s = state_of(p);
  compiled_t **at = &s->compiled;
  gpu_unload(s->gpu, module);
  while (*at && (*at)->module != module) at = &(*at)->next;
  compiled_t *c = *at;
  if (!c) return;
  *at = c->next;
  discard(s, c);
}

static int load(part_t *p, const ptx_module_t *module, trouble_t *err) {
  while (state_of(p)->compiled) unload(p, state_of(p)->compiled->module);
  return load_also(p, module, err);
}

static int select_module(part_t *p, const ptx_module_t *module, trouble_t *err) {
  return gpu_select(state_of(p)->gpu, module, err);
}

static simt_variables_t *variables(part_t *p, const ptx_module_t *module) {
  return gpu_variables(state_of(p)->gpu, module);
}

static unsigned occupancy(const part_t *p, const rt_launch_t *l, uint32_t *registers, trouble_t *err) {
  const gpu_launch_t launch_of = part_launch(l, 0);
  return gpu_occupancy(state_of(p)->gpu, &launch_of, registers, err);
}

static uint64_t allocate(part_t *p, uint64_t bytes, trouble_t *err) {
  return gpu_malloc(state_of(p)->gpu, bytes, err);
}

static int release(part_t *p, uint64_t addr, trouble_t *err) {
  return gpu_release(state_of(p)->gpu, addr, err);
}

static int copy_in(part_t *p, uint64_t addr, const void *data, size_t bytes, trouble_t *err) {
  return gpu_copy_in(state_of(p)->gpu, addr, data, bytes, err);
}

static int copy_out(part_t *p, void *data, uint64_t addr, size_t bytes, trouble_t *err) {
  return gpu_copy_out(state_of(p)->gpu, data, addr, bytes, err);
}

static int heap(part_t *p, uint64_t bytes, trouble_t *err) {
  return gpu_heap(state_of(p)->gpu, bytes, err);
}

static int texture(part_t *p, const rt_texture_t *t, uint64_t *handle, trouble_t *err) {
  return gpu_texture(state_of(p)->gpu, t, handle, err);
}

static int texture_drop(part_t *p, uint64_t handle, trouble_t *err) {
  return gpu_texture_drop(state_of(p)->gpu, handle, err);
}

static char *printed(part_t *p, size_t *size, uint64_t *lost) {
  return gpu_printed(state_of(p)->gpu, size, lost);
}

static int launch(part_t *p, const rt_launch_t *l, uint64_t workspace, trouble_t *err) {
  const gpu_launch_t launch_of = part_launch(l, workspace);
  return gpu_launch(state_of(p)->gpu, &launch_of, err);
}

static bool running(const part_t *p) {
  return gpu_running(state_of(p)->gpu);
}

static double progress(const part_t *p) {
  return gpu_progress(state_of(p)->gpu);
}

static unsigned cores(const part_t *p) {
  return ((const gpu_config_t *)p->values)->num_sms;
}

static const part_host_t host = {.cycles = "core_cycles",
                                 .cores = cores,
                                 .facts = facts,
                                 .load = load,
                                 .load_also = load_also,
                                 .unload = unload,
                                 .select = select_module,
                                 .variables = variables,
                                 .occupancy = occupancy,
                                 .malloc = allocate,
                                 .release = release,
                                 .copy_in = copy_in,
                                 .copy_out = copy_out,
                                 .heap = heap,
                                 .texture = texture,
                                 .texture_drop = texture_drop,
                                 .launch = launch,
                                 .printed = printed,
                                 .running = running,
                                 .progress = progress};

/* ---- looking at it ---- */

static int check_rules(const part_t *p, char error[SYSTEM_ERROR]) {
  const trouble_t *fault = gpu_fault(state_of(p)->gpu);
  return fault ? part_fail(error, fault->kind, fault->text) : 0;
}

static size_t describe_waits(const part_t *p, char *text, size_t size) {
  return gpu_describe_waits(state_of(p)->gpu, text, size);
}

static void count(const part_t *p, uint64_t *counts) {
  gpu_stats_t *stats = (gpu_stats_t *)counts;
  *stats = gpu_stats(state_of(p)->gpu);
  part_gpu_firmware_count(p, stats);
}

static unsigned epochs(const part_t *p, const uint64_t **rows) {
  const gpu_log_t log = gpu_log(state_of(p)->gpu);
  *rows = (const uint64_t *)log.epoch;
  return log.epochs;
}

uint64_t part_gpu_epochs(const part_t *p, unsigned ratio) {
  const uint64_t *rows;
  (void)ratio;
  return epochs(p, &rows);
}

static unsigned decisions(const part_t *p, const uint64_t **rows) {
  const gpu_decision_t *of;
  const unsigned count = part_gpu_decisions(p, &of);
  *rows = (const uint64_t *)of;
  return count;
}

static unsigned blocks(const part_t *p, const uint64_t **rows) {
  const gpu_log_t log = gpu_log(state_of(p)->gpu);
  *rows = (const uint64_t *)log.block;
  return log.blocks;
}

static unsigned maps_seen(const part_t *p, const uint64_t **rows) {
  const gpu_log_t log = gpu_log(state_of(p)->gpu);
  *rows = (const uint64_t *)log.map;
  return log.maps;
}

static unsigned pages(const part_t *p, const uint64_t **rows) {
  const gpu_page_t *of;
  const unsigned count = gpu_pages(state_of(p)->gpu, &of);
  *rows = (const uint64_t *)of;
  return count;
}

static const part_table_t tables[] = {
    {"epochs", "of the offload ratio that have ended", epoch_columns, epochs, sizeof(gpu_epoch_t) / sizeof(uint64_t)},
    {"decisions", "of firmware on the offload ratio", decision_columns, decisions,
     sizeof(gpu_decision_t) / sizeof(uint64_t)},
    {"blocks", "of instructions that can be offloaded", block_columns, blocks, sizeof(gpu_block_t) / sizeof(uint64_t)},
    {"maps", "that data of offloaded blocks might have", map_columns, maps_seen,
     sizeof(gpu_map_row_t) / sizeof(uint64_t)},
    {"pages", "that SMs accessed, and where from", page_columns, pages, sizeof(gpu_page_t) / sizeof(uint64_t)},
    {0},
};

const part_kind_t part_gpu = {
    .name = "gpu",
    .text = "GPU: SMs, caches, crossbar",
    .port = {[LINK] = {"link", "packets", .many = true}, [NODE] = {"node", "terminal", .many = true, .optional = true}},
    .clock = {[CORE] = {"core"}, [L2] = {"l2", .like = "core"}, [XBAR] = {"xbar"}},
    .keys = keys,
    .values_size = sizeof(gpu_config_t),
    .defaults = defaults,
    .settle = settle,
    .size = sizeof(state_t),
    .make = make,
    .destroy = destroy,
    .check_rules = check_rules,
    .describe_waits = describe_waits,
    .counters = counters,
    .count = count,
    .tables = tables,
    .family = part_gpu_families,
    .host = &host};
