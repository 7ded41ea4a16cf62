/* SPDX-License-Identifier: Apache-2.0
 *
 * System mpu: the near-bank SIMT processor (Xie, Gu et al., "MPU").
 *
 * Parts: each core (1 GHz), the network (2 GHz), and what hands out blocks of threads (1 GHz). In an instant in which all have an edge
 *   1. every core that is awake takes the packets that the network had for it, ticks, and gives the network what it has room for. Cores touch
 *      only what is their own, also in the network: its source and sink queues of this core;
 *   2. in phase 1 the network ticks, and blocks are handed out; a core that got something and sleeps is woken, and goes on at the next edge.
 */
#include <stdlib.h>

#include "describe.h"
#include "lsu_ext_ports.h"
#include "mpu_net.h"
#include "router_engine.h"
#include "shell.h"
#include "simulated_system.h"
#include "systems.h"

enum family { UNITS, ROUTERS };
enum { CLASSES = 2, TICKS_PER_NS = 2 /* a tick is a cycle of 2 GHz */ };

struct mpu_system;

typedef struct {
  struct mpu_system *system;
  unsigned id;
  shell_part_t *part;
} core_part_t;

typedef struct mpu_system {
  simulated_system_t base;
  unsigned cores;
  mpu_t *mpu;
  mpu_net_t *net;
  core_part_t core[MPU_MAX_CORES];
} mpu_system_t;

static mpu_system_t *self_of(simulated_system_t *s) {
  return (mpu_system_t *)s;
}

static const mpu_system_t *const_self(const simulated_system_t *s) {
  return (const mpu_system_t *)s;
}

/* ---- a core ---- */

static bool arrived(const core_part_t *c) {
  return mpu_net_arrived(c->system->net, c->id / 64) >> c->id % 64 & 1;
}

static void receive(const core_part_t *c, unsigned cls) {
  mpu_system_t *s = c->system;
  const mpu_packet_t *packet;
  while ((packet = mpu_net_front(s->net, c->id, cls)) && mpu_core_can_push(s->mpu, c->id, cls)) {
    mpu_core_push(s->mpu, c->id, cls, packet);
    mpu_net_pop(s->net, c->id, cls);
  }
}

static void send(const core_part_t *c, unsigned cls) {
  mpu_system_t *s = c->system;
  const mpu_packet_t *packet;
  while ((packet = mpu_core_front(s->mpu, c->id, cls)) && mpu_net_can_push(s->net, c->id, cls)) {
    mpu_net_push(s->net, c->id, cls, packet);
    mpu_core_pop(s->mpu, c->id, cls);
  }
}

static void core_tick(void *self, unsigned clock, uint64_t cycle) {
  const core_part_t *c = self;
  (void)clock, (void)cycle;
  for (unsigned cls = 0; cls < CLASSES && arrived(c); cls++) receive(c, cls);
  mpu_core_tick(c->system->mpu, c->id);
  for (unsigned cls = 0; cls < CLASSES; cls++) send(c, cls);
}

static bool core_part_idle(const void *self) {
  const core_part_t *c = self;
  return mpu_core_idle(c->system->mpu, c->id) && !arrived(c);
}

static const part_kind_t core_part = {.name = "core", .clocks = 1, .tick = core_tick, .idle = core_part_idle};

/* ---- network and blocks ---- */

/* which: cores 64 * word and up, one bit each */
static void wake(mpu_system_t *s, unsigned word, uint64_t which) {
  for (; which; which &= which - 1) shell_wake(s->core[64 * word + (unsigned)__builtin_ctzll(which)].part);
}

static void net_tick(void *self, unsigned clock, uint64_t cycle) {
  mpu_system_t *s = self;
  (void)clock;
  if (mpu_net_idle(s->net)) return;
  mpu_net_tick(s->net, cycle);
  for (unsigned w = 0; w < MPU_MAX_CORES / 64; w++) wake(s, w, mpu_net_arrived(s->net, w));
}

static const part_kind_t net_part = {.name = "network", .clocks = 1, .phase = 1, .tick = net_tick};

static void blocks_tick(void *self, unsigned clock, uint64_t cycle) {
  mpu_system_t *s = self;
  (void)clock, (void)cycle;
  mpu_tick(s->mpu);
  for (unsigned w = 0; w < MPU_MAX_CORES / 64; w++) wake(s, w, mpu_given(s->mpu, w));
}

static bool blocks_running(const void *self) {
  return mpu_running(((const mpu_system_t *)self)->mpu);
}

static const part_kind_t blocks_part = {.name = "blocks", .clocks = 1, .phase = 1, .tick = blocks_tick, .running = blocks_running};

/* ---- making one ---- */

static void add_parts(mpu_system_t *s) {
  static const uint64_t core_period = TICKS_PER_NS, net_period = 1;
  shell_add(&net_part, s, &net_period);
  for (unsigned id = 0; id < s->cores; id++) {
    s->core[id] = (core_part_t){.system = s, .id = id};
    s->core[id].part = shell_add(&core_part, &s->core[id], &core_period);
  }
  shell_add(&blocks_part, s, &core_period);
}

static int make(simulated_system_t *base, char error[SYSTEM_ERROR]) {
  mpu_system_t *s = self_of(base);
  const mpu_config_t *config = &base->options.config.mpu;
  gpu_error_t err = {0};
  base->ticks_per_ns = TICKS_PER_NS;
  s->cores = mpu_config_cores(config);
  if (!(s->net = mpu_net_new(config, engines_table(base->engines[ROUTERS]), error, SYSTEM_ERROR))) return 3;
  if (!(s->mpu = mpu_new(config, engines_table(base->engines[UNITS]), &err))) return system_fail(error, err.status, err.text);
  add_parts(s);
  return 0;
}

static void destroy(simulated_system_t *base) {
  mpu_free(self_of(base)->mpu);
  mpu_net_free(self_of(base)->net);
}

/* ---- the host's side ---- */

static int load(simulated_system_t *base, const ptx_module_t *module, gpu_error_t *err) {
  return mpu_load(self_of(base)->mpu, module, err);
}

static uint64_t allocate(simulated_system_t *base, uint64_t bytes, gpu_error_t *err) {
  return mpu_malloc(self_of(base)->mpu, bytes, err);
}

static int release(simulated_system_t *base, uint64_t addr, gpu_error_t *err) {
  return mpu_release(self_of(base)->mpu, addr, err);
}

static int copy_in(simulated_system_t *base, uint64_t addr, const void *data, size_t bytes, gpu_error_t *err) {
  return mpu_copy_in(self_of(base)->mpu, addr, data, bytes, err);
}

static int copy_out(simulated_system_t *base, void *data, uint64_t addr, size_t bytes, gpu_error_t *err) {
  return mpu_copy_out(self_of(base)->mpu, data, addr, bytes, err);
}

static int launch(simulated_system_t *base, const rt_launch_t *l, gpu_error_t *err) {
  const mpu_launch_t launch = system_launch_of(l);
  return mpu_launch(self_of(base)->mpu, &launch, err);
}

/* ---- looking at it ---- */

static bool running(const simulated_system_t *base) {
  return mpu_running(const_self(base)->mpu);
}

static double progress(const simulated_system_t *base) {
  return mpu_progress(const_self(base)->mpu);
}

/* Instructions, and what passes the TSVs, the controllers and the network. */
static uint64_t activity(const simulated_system_t *base) {
  const mpu_stats_t s = mpu_stats(const_self(base)->mpu);
  const fabric_stats_t f = fabric_stats(mpu_net_fabric(const_self(base)->net));
  return s.warp_instructions + s.tsv_busy + s.dram_reads + s.dram_writes + f.hops + f.received;
}

static int check_rules(const simulated_system_t *base, char error[SYSTEM_ERROR]) {
  const gpu_error_t *fault = mpu_fault(const_self(base)->mpu);
  const char *broken = fabric_error(mpu_net_fabric(const_self(base)->net));
  if (fault) return system_fail(error, fault->status, fault->text);
  return broken ? system_fail(error, 1, broken) : 0;
}

static size_t describe_waits(const simulated_system_t *base, char *text, size_t size) {
  const size_t used = mpu_describe_waits(const_self(base)->mpu, text, size);
  return used + mpu_net_describe_waits(const_self(base)->net, describe_end(text, size, used), describe_room(size, used));
}

/* Flits of each router's outputs to its neighbours, left, right, up, down, by where the link leads. */
static void count_links(const mpu_system_t *s, mpu_machine_stats_t *stats) {
  const mpu_config_t *c = &s->base.options.config.mpu;
  const unsigned width = c->cubes_x * c->cores_x;
  for (unsigned r = 0; r < s->cores; r++) {
    const unsigned x = r % width, y = r / width;
    const bool leaves[] = {x % c->cores_x == 0, x % c->cores_x == c->cores_x - 1, y % c->cores_y == 0, y % c->cores_y == c->cores_y - 1};
    const bool there[] = {x > 0, x + 1 < width, y > 0, r + width < s->cores};
    for (unsigned side = 0; side < 4; side++)
      stats->link_flits[leaves[side] && there[side]] += fabric_port_stats(mpu_net_fabric(s->net), r, side + 1).flits;
  }
}

static void stats(const simulated_system_t *base, system_stats_t *stats) {
  stats->mpu.machine = mpu_stats(const_self(base)->mpu);
  stats->cycles = stats->mpu.machine.cycles;
  stats->cores = const_self(base)->cores;
  stats->warp_instructions = stats->mpu.machine.warp_instructions;
  count_links(const_self(base), &stats->mpu);
}

/* ---- the system ---- */

static const system_ops_t ops = {
    .size = sizeof(mpu_system_t), .make = make, .destroy = destroy, .load = load, .malloc = allocate, .release = release, .copy_in = copy_in,
    .copy_out = copy_out, .launch = launch, .running = running, .progress = progress, .activity = activity, .check_rules = check_rules,
    .describe_waits = describe_waits, .stats = stats};

static unsigned count_cores(const system_config_t *config) {
  return mpu_config_cores(&config->mpu);
}

static unsigned count_units(const system_config_t *config) {
  return mpu_config_cores(&config->mpu) * MPU_SUBCORES;
}

static outcome_t router_engines(const system_config_t *config, engines_config_t *engines, char *error, size_t size) {
  const router_params_t params = mpu_net_router_params(&config->mpu);
  return router_engine_config(engines, &params, error, size);
}

/* rtl/lsu/lsu_ext.ports: beats without valid; rows that were asked for in the cycle before. */
static const engines_lane_t lanes[] = {
    {"dn_beat", "dn_valid", false}, {"rf_rd_data", "rf_rd_valid", true}, {"sm_rdata", "sm_req", true}, {NULL, NULL, false}};

static outcome_t unit_engines(const system_config_t *config, engines_config_t *engines, char *error, size_t size) {
  (void)config, (void)error, (void)size;
  engines->block = "lsu_ext";
  engines->constant = "nbu_id";
  engines->lanes = lanes;
  engines->in_size = sizeof(lsu_ext_in_t);
  engines->out_size = sizeof(lsu_ext_out_t);
  return OUTCOME_PASS;
}

static const system_family_t families[SYSTEM_FAMILIES] = {{"lsu_ext", count_units, unit_engines}, {"router", count_cores, router_engines}};

const system_kind_t system_mpu = {"mpu", MACHINE_MPU, &config_mpu, families, NULL, NULL, &ops};
