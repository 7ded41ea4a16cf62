/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU die (cmodel/sim/gpu): SMs, caches, crossbar, and a link to each memory stack.
 *
 * At an edge of the crossbar's clock, for each stack and each node of a network:
 *
 *   channels from[] --receive_packets--> gpu model --transmit_packets--> channels to[]
 *   terminal of the network <--exchange_with_node--> gpu model
 *
 * The model takes packets as far as it has room; channels and network take them as far as they
 * have. Before a module is loaded, the offload policy's compiler gets it.
 */
#include "gpu.h"

#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "memory_system.h"
#include "offload_policy.h"
#include "part.h"
#include "part_gpu.h"
#include "part_gpu_families.h"
#include "protocols.h"

/* What the policy's compiler made of a module. */
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

gpu_t *part_gpu_model(const part_t *p) {
  return state_of(p)->gpu;
}

/* ---- clocks ---- */

static void receive_packets(state_t *s, unsigned stack, channel_t *in) {
  packet_t *packet;
  if (channel_is_empty(in)) return;
  while (gpu_can_push(s->gpu, stack) && (packet = channel_take(in))) gpu_push(s->gpu, stack, packet);
}

static void transmit_packets(state_t *s, unsigned stack, unsigned cls, channel_t *out) {
  while (gpu_front(s->gpu, stack, cls) && channel_has_room(out)) channel_put(out, gpu_pop(s->gpu, stack, cls));
}

/* Moves packets between the crossbar and a node's place of the network, both ways. */
static void exchange_with_node(state_t *s, unsigned k) {
  network_t *net = s->node[k]->network;
  const unsigned at = s->node[k]->node;
  for (unsigned cls = 0; cls < PROTOCOL_CLASSES; cls++)
    while (gpu_node_front(s->gpu, k, cls) && network_can_push(net, at, 0, cls))
      network_push(net, at, 0, gpu_node_pop(s->gpu, k, cls));
  for (unsigned ready = network_ready(net, at), cls = 0; cls < PROTOCOL_CLASSES; cls++)
    for (packet_t *p; ready >> cls & 1 && gpu_node_can_push(s->gpu, k, cls) && (p = network_pop(net, at, 0, cls));)
      gpu_node_push(s->gpu, k, p);
}

/* Blocks of an ideal machine, for which transfers are free: past all links, at the cores' clock. */
static void bypass_links(state_t *s, unsigned stack) {
  channel_t *to = &s->link[stack]->direct[PORT_TO_LOGIC], *from = &s->link[stack]->direct[PORT_FROM_LOGIC];
  for (packet_t *p; channel_has_room(to) && (p = gpu_direct_pop(s->gpu, stack));) channel_put(to, p);
  for (packet_t *p; (p = channel_take(from));) gpu_direct_push(s->gpu, stack, p);
}

/* Edges of the cores and the L2 count only while a kernel runs. */
static void tick(void *self, unsigned clock, uint64_t cycle) {
  state_t *s = self;
  (void)cycle;
  if (clock != PART_GPU_XBAR) {
    if (gpu_running(s->gpu)) (clock == PART_GPU_CORE ? gpu_tick_core : gpu_tick_l2)(s->gpu);
    for (unsigned k = 0; clock == PART_GPU_CORE && k < s->direct; k++) bypass_links(s, k);
    return;
  }
  for (unsigned k = 0; k < s->stacks; k++)
    for (unsigned cls = 0; cls < PROTOCOL_CLASSES; cls++) receive_packets(s, k, &s->link[k]->from[cls]);
  gpu_tick_xbar(s->gpu);
  for (unsigned k = 0; k < s->nodes; k++) exchange_with_node(s, k);
  for (unsigned k = 0; k < s->stacks; k++)
    for (unsigned cls = 0; cls < PROTOCOL_CLASSES; cls++) transmit_packets(s, k, cls, &s->link[k]->to[cls]);
}

static bool shell_running(const void *self) {
  return gpu_running(((const state_t *)self)->gpu);
}

static const shell_kind_t shell = {.name = "gpu", .clocks = 3, .tick = tick, .running = shell_running};

/* ---- making one ---- */

static void defaults(void *values) {
  *(gpu_config_t *)values = gpu_config_default();
}

static void read_image(void *ctx, uint64_t addr, void *data, size_t bytes) {
  memory_image_read(ctx, addr, data, bytes);
}

static void write_image(void *ctx, uint64_t addr, const void *data, size_t bytes) {
  memory_image_write(ctx, addr, data, bytes);
}

/* The first stack's port has the pool of packets and the stored data of all stacks. */
static bool make(part_t *p, trouble_t *trouble) {
  state_t *s = state_of(p);
  s->stacks = composition_connections(p->composition, p->index, PART_GPU_LINK);
  s->nodes = composition_connections(p->composition, p->index, PART_GPU_NODE);
  s->link = calloc(s->stacks, sizeof *s->link);
  s->node = calloc(s->nodes + 1, sizeof *s->node);
  if (!s->link || !s->node) return trouble_memory(trouble);
  for (unsigned k = 0; k < s->stacks; k++) s->link[k] = part_peer(p, PART_GPU_LINK, k);
  for (unsigned k = 0; k < s->nodes; k++) s->node[k] = part_peer(p, PART_GPU_NODE, k);
  gpu_parts_t parts = gpu_parts_of(p->values);
  s->direct = ((const gpu_config_t *)p->values)->tom.free == TOM_FREE_ALL ? s->stacks : 0;
  s->policy = parts.policy;
  for (unsigned i = 0; i < GPU_HARDWARE; i++)
    if (gpu_config_instances(p->values, i)) parts.engine[i] = p->engine[i];
  s->gpu = gpu_new_of(p->values, &parts, &(gpu_memory_t){s->link[0]->image, read_image, write_image}, s->link[0]->pool,
                      trouble);
  if (!s->gpu) return false;
  shell_add(&shell, s, p->period);
  return true;
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

#define MODEL(name) gpu_##name
#define MODEL_OF(part) state_of(part)->gpu
#include "part_host_calls.h"

/* What a CUDA program may ask about the device. */
static void facts(const part_t *p, system_facts_t *f) {
  const gpu_config_t *c = p->values;
  *f = (system_facts_t){.cores = c->num_sms,
                        .core_threads = c->sm.threads,
                        .core_blocks = c->sm.ctas,
                        .core_registers = c->sm.registers,
                        .core_shared_bytes = c->sm.shared_bytes,
                        .memory_bytes = c->stack_bytes * c->num_stacks,
                        .core_mhz = c->core_mhz};
}

static void discard_compiled(state_t *s, compiled_t *c) {
  if (c->blocks) s->policy->discard(c->blocks);
  free(c);
}

/* Compiles the module for the policy and loads both. On failure nothing stays. */
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
    discard_compiled(s, c);
    return -1;
  }
  c->next = s->compiled;
  s->compiled = c;
  return 0;
}

/* Of the model and of the policy. */
static void unload(part_t *p, const ptx_module_t *module) {
  state_t *s = state_of(p);
  compiled_t **at = &s->compiled;
  gpu_unload(s->gpu, module);
  while (*at && (*at)->module != module) at = &(*at)->next;
  compiled_t *c = *at;
  if (!c) return;
  *at = c->next;
  discard_compiled(s, c);
}

/* Replaces all modules that were loaded. */
static int load(part_t *p, const ptx_module_t *module, trouble_t *err) {
  while (state_of(p)->compiled) unload(p, state_of(p)->compiled->module);
  return load_also(p, module, err);
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

static unsigned cores(const part_t *p) {
  return ((const gpu_config_t *)p->values)->num_sms;
}

static const part_host_t host = {.cycles = "core_cycles",
                                 .cores = cores,
                                 .facts = facts,
                                 .load = load,
                                 .load_also = load_also,
                                 .unload = unload,
                                 .heap = heap,
                                 .texture = texture,
                                 .texture_drop = texture_drop,
                                 .printed = printed,
                                 PART_HOST_CALLS};

const part_kind_t part_gpu = {
    .name = "gpu",
    .text = "GPU: SMs, caches, crossbar",
    .port = {[PART_GPU_LINK] = {"link", "packets", .many = true},
             [PART_GPU_NODE] = {"node", "terminal", .many = true, .optional = true}},
    .clock = {[PART_GPU_CORE] = {"core"}, [PART_GPU_L2] = {"l2", .like = "core"}, [PART_GPU_XBAR] = {"xbar"}},
    .keys = gpu_keys,
    .values_size = sizeof(gpu_config_t),
    .defaults = defaults,
    .settle = part_gpu_settle,
    .size = sizeof(state_t),
    .make = make,
    .destroy = destroy,
    .check_rules = check_rules,
    .describe_waits = describe_waits,
    .counters = part_gpu_counters,
    .count = part_gpu_count,
    .tables = part_gpu_tables,
    .family = part_gpu_families,
    .host = &host};
