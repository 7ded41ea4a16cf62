/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU die (cmodel/gpu): SMs, caches, crossbar, and a link to each memory stack.
 *
 * At an edge of the crossbar's clock: packets that stacks have put into their channels go into the model, as far as that has room; it ticks;
 * packets that it has ready go out, as far as channels have room. With NSUs in the composition, the offload compiler is before it.
 */
#include "gpu.h"

#include "describe.h"
#include "offload.h"
#include "part.h"
#include "part_nsu.h"
#include "protocols.h"

#define KEYS_OF gpu_config_t
#include "config_keys.h"

enum { LINK, CORE = 0, XBAR = 1 };

static const config_key_t keys[] = {
#include "part_gpu.def"
    {0},
};

typedef struct {
  packet_port_t *link[GPU_MACHINE_STACKS];
  unsigned stacks;
  offload_t *offload;
  gpu_t *gpu;
  uint64_t cycles;               /* of the cores, while a kernel ran */
} state_t;

static state_t *state_of(const part_t *p) {
  return p->state;
}

/* ---- clocks ---- */

static void receive(state_t *s, unsigned stack, channel_t *in) {
  packet_t *packet;
  while (gpu_can_push(s->gpu, stack) && (packet = channel_take(in))) gpu_push(s->gpu, stack, packet);
}

static void transmit(state_t *s, unsigned stack, unsigned cls, channel_t *out) {
  while (gpu_front(s->gpu, stack, cls) && channel_has_room(out)) channel_put(out, gpu_pop(s->gpu, stack, cls));
}

static void tick(void *self, unsigned clock, uint64_t cycle) {
  state_t *s = self;
  (void)cycle;
  if (clock == CORE) {
    if (!gpu_running(s->gpu)) return;
    gpu_tick_core(s->gpu);
    s->cycles++;
    return;
  }
  for (unsigned k = 0; k < s->stacks; k++)
    for (unsigned cls = 0; cls < PROTOCOL_CLASSES; cls++) receive(s, k, &s->link[k]->from[cls]);
  gpu_tick_xbar(s->gpu);
  for (unsigned k = 0; k < s->stacks; k++)
    for (unsigned cls = 0; cls < PROTOCOL_CLASSES; cls++) transmit(s, k, cls, &s->link[k]->to[cls]);
}

static bool shell_running(const void *self) {
  return gpu_running(((const state_t *)self)->gpu);
}

static const shell_kind_t shell = {.name = "gpu", .clocks = 2, .tick = tick, .running = shell_running};

/* ---- making one ---- */

static void defaults(void *values) {
  *(gpu_config_t *)values = gpu_config_default();
}

static const char *settle(composition_t *c, unsigned part) {
  gpu_config_t *config = composition_kind_values(c, &part_gpu);
  const part_nsu_values_t *nsu = composition_kind_values(c, &part_nsu);
  const unsigned stacks = composition_connections(c, part, LINK);
  if (stacks > GPU_MACHINE_STACKS) return "there must be 1, 2, 4 or 8 stacks";
  config->num_stacks = stacks;
  config->seed = c->seed;
  config->core_mhz = composition_mhz(c, part, CORE);
  config->offload_ratio = nsu ? nsu->ratio : 0;
  if (nsu) config->pending_packets = nsu->pending_packets, config->ready_packets = nsu->ready_packets;
  return gpu_config_check(config);
}

static void read_image(void *ctx, uint64_t addr, void *data, size_t bytes) {
  memory_image_read(ctx, addr, data, bytes);
}

static void write_image(void *ctx, uint64_t addr, const void *data, size_t bytes) {
  memory_image_write(ctx, addr, data, bytes);
}

static int make(part_t *p, char error[SYSTEM_ERROR]) {
  state_t *s = state_of(p);
  gpu_error_t err = {0};
  s->stacks = composition_connections(p->composition, p->index, LINK);
  for (unsigned k = 0; k < s->stacks; k++) {
    s->link[k] = part_peer(p, LINK, k);
    if (s->link[k]->stack != k) return part_fail(error, 2, "connection k of the GPU's link leads to the stack at another terminal of the network than k");
  }
  s->gpu = gpu_new(p->values, &(gpu_memory_t){s->link[0]->image, read_image, write_image}, s->link[0]->pool, &err);
  if (!s->gpu) return part_fail(error, err.status, err.text);
  shell_add(&shell, s, p->period);
  return 0;
}

static void destroy(part_t *p) {
  gpu_free(state_of(p)->gpu);
  offload_free(state_of(p)->offload);
}

/* ---- the host's side ---- */

static int load(part_t *p, const ptx_module_t *module, gpu_error_t *err) {
  state_t *s = state_of(p);
  if (composition_kind_values_const(p->composition, &part_nsu) && !(s->offload = offload_compile(module)))
    return gpu_fail(err, 3, "out of memory for the offload compiler");
  return gpu_load(s->gpu, module, s->offload, err);
}

static uint64_t allocate(part_t *p, uint64_t bytes, gpu_error_t *err) {
  return gpu_malloc(state_of(p)->gpu, bytes, err);
}

static int release(part_t *p, uint64_t addr, gpu_error_t *err) {
  return gpu_release(state_of(p)->gpu, addr, err);
}

static int copy_in(part_t *p, uint64_t addr, const void *data, size_t bytes, gpu_error_t *err) {
  return gpu_copy_in(state_of(p)->gpu, addr, data, bytes, err);
}

static int copy_out(part_t *p, void *data, uint64_t addr, size_t bytes, gpu_error_t *err) {
  return gpu_copy_out(state_of(p)->gpu, data, addr, bytes, err);
}

static int launch(part_t *p, const rt_launch_t *l, gpu_error_t *err) {
  const gpu_launch_t launch_of = part_launch(l);
  return gpu_launch(state_of(p)->gpu, &launch_of, err);
}

static bool running(const part_t *p) {
  return gpu_running(state_of(p)->gpu);
}

static double progress(const part_t *p) {
  return gpu_progress(state_of(p)->gpu);
}

static const part_host_t host = {MACHINE_GPU, load, allocate, release, copy_in, copy_out, launch, running, progress};

/* ---- looking at it ---- */

static uint64_t activity(const part_t *p) {
  const gpu_stats_t g = gpu_stats(state_of(p)->gpu);
  uint64_t sum = g.warp_instructions + g.nsu_skipped + g.xbar_up_bytes + g.xbar_down_bytes;
  for (unsigned t = 0; t < 16; t++) sum += g.sent_packets[t] + g.got_packets[t];
  return sum;
}

static int check_rules(const part_t *p, char error[SYSTEM_ERROR]) {
  const gpu_error_t *fault = gpu_fault(state_of(p)->gpu);
  return fault ? part_fail(error, fault->status, fault->text) : 0;
}

static size_t describe_waits(const part_t *p, char *text, size_t size) {
  return gpu_describe_waits(state_of(p)->gpu, text, size);
}

static void stats(const part_t *p, system_stats_t *stats) {
  const state_t *s = state_of(p);
  stats->gpu.die = gpu_stats(s->gpu);
  stats->cycles = s->cycles;
  stats->cores = ((const gpu_config_t *)p->values)->num_sms;
  stats->warp_instructions = stats->gpu.die.warp_instructions;
}

const part_kind_t part_gpu = {
    .name = "gpu", .text = "GPU: SMs, caches, crossbar", .port = {[LINK] = {"link", "packets", .many = true}}, .clock = {{"core"}, {"xbar"}},
    .keys = keys, .values_size = sizeof(gpu_config_t), .defaults = defaults, .settle = settle, .size = sizeof(state_t), .make = make,
    .destroy = destroy, .activity = activity, .check_rules = check_rules, .describe_waits = describe_waits, .stats = stats, .host = &host};
