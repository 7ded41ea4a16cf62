/* SPDX-License-Identifier: Apache-2.0
 *
 * Systems nsu and baseline: the GPU die, the memory stacks with their links and network, one NSU a stack.
 *
 * Parts: the GPU, each memory stack, the network between them in phase 1, each NSU. At the edges of its clocks a part does, in this order:
 *   1. packets that others have put into its channels go into the model, as far as that has room;
 *   2. the model's clock ticks;
 *   3. packets that the model has ready go into the outgoing channels, as far as those have room.
 * A stack reaches into its own ports of the network, which moves when all stacks have ticked.
 */
#include <stdio.h>
#include <stdlib.h>

#include "channel.h"
#include "clocks.h"
#include "describe.h"
#include "memory_system.h"
#include "nsu_ports.h"
#include "offload.h"
#include "router_engine.h"
#include "simulated_system.h"
#include "systems.h"

enum family { NSUS, ROUTERS };
enum { CLASSES = 2 };

typedef struct {
  channel_t up[CLASSES], down[CLASSES];         /* GPU to stack, stack to GPU, by class */
  channel_t to_nsu[CLASSES], from_nsu[CLASSES];
  memory_node_t *memory;
  nsu_node_t *nsu;                              /* NULL: none */
  shell_part_t *stack;
} place_t;

typedef struct {
  simulated_system_t base;
  unsigned stacks;
  place_t place[GPU_MACHINE_STACKS];
  packet_pool_t *pool;
  memory_image_t *image;
  memory_system_t *memory;
  offload_t *offload;
  gpu_t *gpu;
  uint64_t cycles;                              /* of the cores, while a kernel ran */
  uint64_t nsu_period;
} gpu_system_t;

static const gpu_system_t *const_self(const simulated_system_t *s) {
  return (const gpu_system_t *)s;
}

static gpu_system_t *self_of(simulated_system_t *s) {
  return (gpu_system_t *)s;
}

static bool has_nsus(const gpu_system_t *s) {
  return system_instances(&s->base.options, NSUS) > 0;
}

/* ---- the GPU ---- */

static void gpu_receive(gpu_system_t *s, unsigned stack, channel_t *in) {
  packet_t *packet;
  while (gpu_can_push(s->gpu, stack) && (packet = channel_take(in))) gpu_push(s->gpu, stack, packet);
}

static void gpu_send(gpu_system_t *s, unsigned stack, unsigned cls, channel_t *out) {
  while (gpu_front(s->gpu, stack, cls) && channel_has_room(out)) channel_put(out, gpu_pop(s->gpu, stack, cls));
}

static void gpu_tick(void *self, unsigned clock, uint64_t cycle) {
  gpu_system_t *s = self;
  (void)cycle;
  if (clock == 0) {
    if (!gpu_running(s->gpu)) return;
    gpu_tick_core(s->gpu);
    s->cycles++;
    return;
  }
  for (unsigned k = 0; k < s->stacks; k++)
    for (unsigned cls = 0; cls < CLASSES; cls++) gpu_receive(s, k, &s->place[k].down[cls]);
  gpu_tick_xbar(s->gpu);
  for (unsigned k = 0; k < s->stacks; k++)
    for (unsigned cls = 0; cls < CLASSES; cls++) gpu_send(s, k, cls, &s->place[k].up[cls]);
}

static bool gpu_part_running(const void *self) {
  return gpu_running(((const gpu_system_t *)self)->gpu);
}

/* Clocks: of SMs and L2, of the crossbar. */
static const part_kind_t gpu_part = {.name = "gpu", .clocks = 2, .tick = gpu_tick, .running = gpu_part_running};

/* ---- a memory stack, and the network ---- */

static void into(channel_t *in, link_t *link, unsigned cls) {
  packet_t *packet;
  while (link_can_push(link, cls) && (packet = channel_take(in))) link_push(link, packet);
}

static void out_of(link_t *link, unsigned cls, channel_t *out) {
  while (link_peek(link, cls) && channel_has_room(out)) channel_put(out, link_pop(link, cls));
}

static void stack_tick(void *self, unsigned clock, uint64_t cycle) {
  place_t *p = self;
  if (clock == 0) {
    mem_stack_tick_dram(p->memory->stack, cycle);
    return;
  }
  for (unsigned cls = 0; cls < CLASSES; cls++) {
    into(&p->up[cls], &p->memory->from_gpu, cls);
    into(&p->from_nsu[cls], &p->memory->nsu.from_nsu, cls);
  }
  memory_node_tick(p->memory, cycle);
  for (unsigned cls = 0; cls < CLASSES; cls++) {
    out_of(&p->memory->to_gpu, cls, &p->down[cls]);
    out_of(&p->memory->nsu.to_nsu, cls, &p->to_nsu[cls]);
  }
}

static bool stack_idle(const void *self) {
  const place_t *p = self;
  for (unsigned cls = 0; cls < CLASSES; cls++)
    if (!channel_is_empty(&p->up[cls]) || !channel_is_empty(&p->from_nsu[cls])) return false;
  return memory_node_idle(p->memory);
}

/* Clocks: tCK, that of links and logic layer. */
static const part_kind_t stack_part = {.name = "stack", .clocks = 2, .tick = stack_tick, .idle = stack_idle};

static void network_part_tick(void *self, unsigned clock, uint64_t cycle) {
  gpu_system_t *s = self;
  (void)clock;
  if (network_idle(s->memory->network)) return;
  network_tick(s->memory->network, cycle);
  for (unsigned k = 0; k < s->stacks; k++)
    if (network_ready(s->memory->network, k)) shell_wake(s->place[k].stack);
}

static const part_kind_t network_part = {.name = "network", .clocks = 1, .phase = 1, .tick = network_part_tick};

/* ---- an NSU ---- */

static packet_t *nsu_take(void *ctx, unsigned cls) {
  return channel_take(&((place_t *)ctx)->to_nsu[cls]);
}

static bool nsu_give(void *ctx, packet_t *packet) {
  channel_t *out = &((place_t *)ctx)->from_nsu[pkt_type_class((unsigned)packet->hdr.type)];
  if (!channel_has_room(out)) return false;
  channel_put(out, packet);
  return true;
}

static void nsu_tick(void *self, unsigned clock, uint64_t cycle) {
  (void)clock, (void)cycle;
  nsu_node_cycle(((place_t *)self)->nsu);
}

static bool nsu_idle(const void *self) {
  const place_t *p = self;
  return channel_is_empty(&p->to_nsu[0]) && channel_is_empty(&p->to_nsu[1]) && nsu_node_idle(p->nsu);
}

static const part_kind_t nsu_part = {.name = "nsu", .clocks = 1, .tick = nsu_tick, .idle = nsu_idle};

/* ---- making one ---- */

static void read_image(void *ctx, uint64_t addr, void *data, size_t bytes) {
  memory_image_read(ctx, addr, data, bytes);
}

static void write_image(void *ctx, uint64_t addr, const void *data, size_t bytes) {
  memory_image_write(ctx, addr, data, bytes);
}

static int make_models(gpu_system_t *s, char error[SYSTEM_ERROR]) {
  const system_config_t *config = &s->base.options.config;
  gpu_error_t err = {0};
  s->pool = packet_pool_new();
  s->image = memory_image_new();
  if (!s->pool || !s->image) return system_fail(error, 3, "out of memory");
  s->memory = memory_system_new(&config->memory, s->image, s->pool, engines_table(s->base.engines[ROUTERS]), error, SYSTEM_ERROR);
  if (!s->memory) return 3;
  s->gpu = gpu_new(&config->gpu, &(gpu_memory_t){s->image, read_image, write_image}, s->pool, &err);
  return s->gpu ? 0 : system_fail(error, err.status, err.text);
}

static int make_nsu(gpu_system_t *s, unsigned k, char error[SYSTEM_ERROR]) {
  place_t *p = &s->place[k];
  p->nsu = nsu_node_new(engines_table(s->base.engines[NSUS])[k], k, s->pool, &(nsu_peer_t){p, nsu_take, nsu_give});
  if (!p->nsu) return system_fail(error, 3, "out of memory, or an NSU could not be made");
  shell_part_t *part = shell_add(&nsu_part, p, &s->nsu_period);
  for (unsigned cls = 0; cls < CLASSES; cls++) p->to_nsu[cls].reader = part;
  return 0;
}

static void add_stack(gpu_system_t *s, unsigned k, const uint64_t *periods) {
  place_t *p = &s->place[k];
  p->memory = &s->memory->node[k];
  p->stack = shell_add(&stack_part, p, periods);
  for (unsigned cls = 0; cls < CLASSES; cls++) p->up[cls].reader = p->from_nsu[cls].reader = p->stack;
}

static void add_gpu_and_memory(gpu_system_t *s, const clocks_t *clocks) {
  const uint64_t gpu[] = {clocks_period(clocks, 0), clocks_period(clocks, 1)}, stack[] = {clocks_period(clocks, 2), clocks_period(clocks, 3)};
  shell_add(&gpu_part, s, gpu);
  for (unsigned k = 0; k < s->stacks; k++) add_stack(s, k, stack);
  shell_add(&network_part, s, &stack[1]);
}

static int make(simulated_system_t *base, char error[SYSTEM_ERROR]) {
  gpu_system_t *s = self_of(base);
  const system_config_t *config = &base->options.config;
  int status = make_models(s, error);
  clocks_t clocks = {0};
  clocks_add_mhz(&clocks, config->gpu.core_mhz);
  clocks_add_mhz(&clocks, config->xbar_mhz);
  clocks_add_ps(&clocks, config->tck_ps);
  clocks_add_mhz(&clocks, config->link_mhz);
  s->nsu_period = clocks_period(&clocks, clocks_add_mhz(&clocks, config->nsu_mhz));
  base->ticks_per_ns = clocks_ticks_per_ns(&clocks);
  s->stacks = network_config_nodes(&config->memory.network);
  if (!status) add_gpu_and_memory(s, &clocks);
  for (unsigned k = 0; !status && has_nsus(s) && k < s->stacks; k++) status = make_nsu(s, k, error);
  return status;
}

static void destroy(simulated_system_t *base) {
  gpu_system_t *s = self_of(base);
  for (unsigned k = 0; k < s->stacks; k++) nsu_node_free(s->place[k].nsu);
  gpu_free(s->gpu);
  memory_system_free(s->memory);
  if (s->image) memory_image_free(s->image);
  packet_pool_free(s->pool);
  offload_free(s->offload);
}

/* ---- the host's side ---- */

static int load(simulated_system_t *base, const ptx_module_t *module, gpu_error_t *err) {
  gpu_system_t *s = self_of(base);
  if (has_nsus(s) && !(s->offload = offload_compile(module))) return gpu_fail(err, 3, "out of memory for the offload compiler");
  return gpu_load(s->gpu, module, s->offload, err);
}

static uint64_t allocate(simulated_system_t *base, uint64_t bytes, gpu_error_t *err) {
  return gpu_malloc(self_of(base)->gpu, bytes, err);
}

static int release(simulated_system_t *base, uint64_t addr, gpu_error_t *err) {
  return gpu_release(self_of(base)->gpu, addr, err);
}

static int copy_in(simulated_system_t *base, uint64_t addr, const void *data, size_t bytes, gpu_error_t *err) {
  return gpu_copy_in(self_of(base)->gpu, addr, data, bytes, err);
}

static int copy_out(simulated_system_t *base, void *data, uint64_t addr, size_t bytes, gpu_error_t *err) {
  return gpu_copy_out(self_of(base)->gpu, data, addr, bytes, err);
}

static int launch(simulated_system_t *base, const rt_launch_t *l, gpu_error_t *err) {
  const gpu_launch_t launch = system_launch_of(l);
  return gpu_launch(self_of(base)->gpu, &launch, err);
}

/* ---- looking at it ---- */

static bool running(const simulated_system_t *base) {
  return gpu_running(const_self(base)->gpu);
}

static double progress(const simulated_system_t *base) {
  return gpu_progress(const_self(base)->gpu);
}

static size_t describe_waits(const simulated_system_t *base, char *text, size_t size) {
  const gpu_system_t *s = const_self(base);
  size_t used = gpu_describe_waits(s->gpu, text, size);
  used += memory_system_describe_waits(s->memory, describe_end(text, size, used), describe_room(size, used));
  for (unsigned k = 0; k < s->stacks; k++)
    if (s->place[k].nsu && !nsu_node_idle(s->place[k].nsu)) describe_add(text, size, &used, "nsu%u: not idle\n", k);
  return used;
}

/* Instructions, and what passes the crossbar, the links, the network and the vaults. */
static uint64_t activity(const simulated_system_t *base) {
  const gpu_system_t *s = const_self(base);
  const gpu_stats_t g = gpu_stats(s->gpu);
  uint64_t sum = g.warp_instructions + g.nsu_skipped + g.xbar_up_bytes + g.xbar_down_bytes + network_stats(s->memory->network).link_flits;
  for (unsigned t = 0; t < 16; t++) sum += g.sent_packets[t] + g.got_packets[t];
  for (unsigned k = 0; k < s->stacks; k++) {
    const vault_stats_t v = mem_stack_vault_stats(s->memory->node[k].stack);
    sum += v.read_bursts + v.write_bursts;
    if (s->place[k].nsu) sum += nsu_node_stats(s->place[k].nsu).instructions;
  }
  return sum;
}

static int check_rules(const simulated_system_t *base, char error[SYSTEM_ERROR]) {
  const gpu_system_t *s = const_self(base);
  const gpu_error_t *fault = gpu_fault(s->gpu);
  const char *broken = memory_system_error(s->memory);
  if (fault) return system_fail(error, fault->status, fault->text);
  if (broken) return system_fail(error, 1, broken);
  for (unsigned k = 0; k < s->stacks && s->place[k].nsu; k++) {
    const uint64_t errors = nsu_node_stats(s->place[k].nsu).errors;
    if (!(broken = nsu_node_error(s->place[k].nsu)) && !errors) continue;
    snprintf(error, SYSTEM_ERROR, "nsu[%u]: %s", k, broken ? broken : pkt_err_name((unsigned)__builtin_ctzll(errors)));
    return 1;
  }
  return 0;
}

static void add_vaults(gpu_machine_stats_t *g, const vault_stats_t *v) {
  g->row_hits += v->row_hits;
  g->row_misses += v->row_misses;
  g->row_conflicts += v->row_conflicts;
  g->refreshes += v->refreshes;
  g->vault_reads += v->reads;
  g->vault_writes += v->writes;
  g->read_bursts += v->read_bursts;
  g->write_bursts += v->write_bursts;
}

static void stats(const simulated_system_t *base, system_stats_t *stats) {
  const gpu_system_t *s = const_self(base);
  gpu_machine_stats_t *g = &stats->gpu;
  const network_stats_t network = network_stats(s->memory->network);
  stats->cycles = s->cycles;
  stats->cores = base->options.config.gpu.num_sms;
  g->die = gpu_stats(s->gpu);
  stats->warp_instructions = g->die.warp_instructions;
  g->nsu_cycles = shell_now / s->nsu_period;
  for (unsigned t = 0; t < 16; t++) g->network_bytes[t] = network.bytes[t];
  g->network_link_flits = network.link_flits;
  for (unsigned k = 0; k < s->stacks; k++) {
    const vault_stats_t v = mem_stack_vault_stats(s->memory->node[k].stack);
    add_vaults(g, &v);
    if (s->place[k].nsu) g->nsu[k] = nsu_node_stats(s->place[k].nsu);
  }
}

/* ---- the systems ---- */

static const system_ops_t ops = {
    .size = sizeof(gpu_system_t), .make = make, .destroy = destroy, .load = load, .malloc = allocate, .release = release, .copy_in = copy_in,
    .copy_out = copy_out, .launch = launch, .running = running, .progress = progress, .activity = activity, .check_rules = check_rules,
    .describe_waits = describe_waits, .stats = stats};

static unsigned count_stacks(const system_config_t *config) {
  return network_config_nodes(&config->memory.network);
}

static unsigned count_none(const system_config_t *config) {
  (void)config;
  return 0;
}

static outcome_t router_engines(const system_config_t *config, engines_config_t *engines, char *error, size_t size) {
  const router_params_t params = network_router_params(&config->memory.network);
  return router_engine_config(engines, &params, error, size);
}

static outcome_t nsu_engines(const system_config_t *config, engines_config_t *engines, char *error, size_t size) {
  (void)config, (void)error, (void)size;
  engines->block = "nsu";
  engines->constant = "stack_id";
  engines->in_size = sizeof(nsu_in_t);
  engines->out_size = sizeof(nsu_out_t);
  return OUTCOME_PASS;
}

/* The GPU of the paper without near-data processing. */
static void without_nsus(system_options_t *o) {
  o->config.gpu.offload_ratio = 0;
}

static const system_family_t with_nsus[SYSTEM_FAMILIES] = {{"nsu", count_stacks, nsu_engines}, {"router", count_stacks, router_engines}};
static const system_family_t no_nsus[SYSTEM_FAMILIES] = {{"nsu", count_none, nsu_engines}, {"router", count_stacks, router_engines}};

const system_kind_t system_baseline = {"baseline", MACHINE_GPU, &config_gpu, no_nsus, NULL, NULL, &ops};
const system_kind_t system_nsu = {"nsu", MACHINE_GPU, &config_gpu, with_nsus, &system_baseline, without_nsus, &ops};
