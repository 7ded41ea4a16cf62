/* SPDX-License-Identifier: Apache-2.0
 *
 * Near-bank SIMT cores (Xie, Gu et al., "MPU"; cmodel/sim/mpu), and the dispatcher that hands out
 * blocks of threads to them.
 *
 *   phase 0   each core that is awake: receive_packets, tick, transmit_packets
 *   phase 1   the network moves; blocks_tick hands out blocks; cores that got something wake and go
 *             on at the next edge
 *
 * Each core is a shell part. It touches only its own state, also in the network: the source and
 * sink queues at its place. So cores may tick in any order.
 */
#include "mpu.h"

#include <stdlib.h>

#include "lsu_ext_ports.h"
#include "part.h"
#include "part_mesh.h"
#include "protocols.h"
#include "tsv.h"

enum { NET };

static const char *mpu_side_name(unsigned i) {
  return i ? "to_near" : "to_far";
}

static const char *mpu_class_name(unsigned i) {
  return i ? "answers" : "requests";
}

static const char *mpu_message_name(unsigned i) {
  static const char *const names[TSV_TYPES] = {
#define LSU_DOWN(name, code, cls, beats, text) [code] = #name,
#define LSU_UP(name, code, beats, text) [code] = #name,
#include "lsu_msg.def"
      [TSV_EXE] = "EXE",
      [TSV_ATOM] = "ATOM",
      [TSV_ATOMS] = "ATOMS",
  };
  return names[i] ? names[i] : "?";
}

#define COUNTERS_OF mpu_stats_t
#include "counter_list.h"

static const counter_t counters[] = {
#include "mpu_counters.def"
    {0},
};

struct state;

typedef struct {
  struct state *system;
  unsigned id;
  shell_part_t *part;
} core_t;

typedef struct state {
  unsigned cores;
  mpu_t *mpu;
  mpu_net_t *net;
  core_t core[MPU_MAX_CORES];
} state_t;

static state_t *state_of(const part_t *p) {
  return p->state;
}

/* ---- a core ---- */

/* The network has a packet for this core. */
static bool packets_arrived(const core_t *c) {
  return mpu_net_arrived(c->system->net, c->id / 64) >> c->id % 64 & 1;
}

/* As many packets of a class as the core has room for. */
static void receive_packets(const core_t *c, unsigned cls) {
  state_t *s = c->system;
  const mpu_packet_t *packet;
  while ((packet = mpu_net_front(s->net, c->id, cls)) && mpu_core_can_push(s->mpu, c->id, cls)) {
    mpu_core_push(s->mpu, c->id, cls, packet);
    mpu_net_pop(s->net, c->id, cls);
  }
}

/* As many packets of a class as the network has room for. */
static void transmit_packets(const core_t *c, unsigned cls) {
  state_t *s = c->system;
  const mpu_packet_t *packet;
  while ((packet = mpu_core_front(s->mpu, c->id, cls)) && mpu_net_can_push(s->net, c->id, cls)) {
    mpu_net_push(s->net, c->id, cls, packet);
    mpu_core_pop(s->mpu, c->id, cls);
  }
}

static void core_tick(void *self, unsigned clock, uint64_t cycle) {
  const core_t *c = self;
  (void)clock, (void)cycle;
  for (unsigned cls = 0; cls < PROTOCOL_CLASSES && packets_arrived(c); cls++) receive_packets(c, cls);
  mpu_core_tick(c->system->mpu, c->id);
  for (unsigned cls = 0; cls < PROTOCOL_CLASSES; cls++) transmit_packets(c, cls);
}

static bool core_idle(const void *self) {
  const core_t *c = self;
  return mpu_core_idle(c->system->mpu, c->id) && !packets_arrived(c);
}

static const shell_kind_t core_shell = {.name = "core", .clocks = 1, .tick = core_tick, .idle = core_idle};

/* ---- blocks of threads ---- */

/* Wakes cores 64 * word and up, one bit each. */
static void wake_cores(void *context, unsigned word, uint64_t which) {
  state_t *s = context;
  for (; which; which &= which - 1) shell_wake(s->core[64 * word + (unsigned)__builtin_ctzll(which)].part);
}

static void blocks_tick(void *self, unsigned clock, uint64_t cycle) {
  state_t *s = self;
  (void)clock, (void)cycle;
  mpu_tick(s->mpu);
  for (unsigned w = 0; w < MPU_MAX_CORES / 64; w++) wake_cores(s, w, mpu_given(s->mpu, w));
}

static bool blocks_running(const void *self) {
  return mpu_running(((const state_t *)self)->mpu);
}

static const shell_kind_t blocks_shell = {
    .name = "blocks", .clocks = 1, .phase = 1, .tick = blocks_tick, .running = blocks_running};

/* ---- making one ---- */

static void defaults(void *values) {
  *(mpu_config_t *)values = mpu_config_default();
}

/* The mesh's values are a part of the MPU's configuration. */
static bool settle(composition_t *c, unsigned part, trouble_t *trouble) {
  mpu_config_t *config = composition_kind_values(c, &part_mpu);
  const part_mesh_values_t *mesh = composition_kind_values(c, &part_mesh);
  (void)part;
  if (mesh) config->net = *mesh;
  config->uninitialised = c->uninitialised, config->check_uninitialised = c->check_uninitialised;
  return mpu_config_check(config, trouble) && mpu_net_check(config, trouble);
}

static bool make(part_t *p, trouble_t *trouble) {
  state_t *s = state_of(p);
  mesh_port_t *port = part_peer(p, NET, 0);
  s->cores = mpu_config_cores(p->values);
  s->net = port->net;
  port->arrived = wake_cores;
  port->context = s;
  if (!(s->mpu = mpu_new(p->values, p->engine[0], trouble))) return false;
  for (unsigned id = 0; id < s->cores; id++) {
    s->core[id] = (core_t){.system = s, .id = id};
    s->core[id].part = shell_add(&core_shell, &s->core[id], p->period);
  }
  shell_add(&blocks_shell, s, p->period);
  return true;
}

static void destroy(part_t *p) {
  mpu_free(state_of(p)->mpu);
}

/* One lsu_ext for each subcore. */
static unsigned count_units(const composition_t *c, unsigned part) {
  return mpu_config_cores(composition_kind_values_const(c, c->part[part].kind)) * MPU_SUBCORES;
}

/* rtl/lsu/lsu_ext.ports: beats count with valid alone; rows were asked for in the cycle before. */
static const engines_lane_t lanes[] = {{"dn_beat", "dn_valid", false},
                                       {"rf_rd_data", "rf_rd_valid", true},
                                       {"sm_rdata", "sm_req", true},
                                       {NULL, NULL, false}};

static bool engines(const composition_t *c, engines_config_t *engines, trouble_t *trouble) {
  (void)c, (void)trouble;
  engines->block = "lsu_ext";
  engines->constant = "nbu_id";
  engines->lanes = lanes;
  engines->in_size = sizeof(lsu_ext_in_t);
  engines->out_size = sizeof(lsu_ext_out_t);
  return true;
}

static const part_family_t families[] = {{.block = "lsu_ext", .count = count_units, .engines = engines}, {0}};

/* ---- the host's side ---- */

#define MODEL(name) mpu_##name
#define MODEL_OF(part) state_of(part)->mpu
#include "part_host_calls.h"

static void facts(const part_t *p, system_facts_t *f) {
  const mpu_config_t *c = p->values;
  *f = (system_facts_t){.cores = mpu_config_cores(c),
                        .core_threads = c->warps * MPU_SUBCORES * MPU_WIDTH,
                        .core_blocks = c->blocks,
                        .core_registers = c->far_rf_bytes / 4 * MPU_SUBCORES,
                        .core_shared_bytes = c->smem_bytes,
                        .memory_bytes = mpu_memory_bytes(state_of(p)->mpu),
                        .core_mhz = 1000};
}

static int load_also(part_t *p, const ptx_module_t *module, trouble_t *err) {
  return mpu_load_also(state_of(p)->mpu, module, err);
}

static void unload(part_t *p, const ptx_module_t *module) {
  mpu_unload(state_of(p)->mpu, module);
}

static int load(part_t *p, const ptx_module_t *module, trouble_t *err) {
  return mpu_load(state_of(p)->mpu, module, err);
}

static unsigned cores(const part_t *p) {
  return state_of(p)->cores;
}

static const part_host_t host = {.cycles = "cycles",
                                 .cores = cores,
                                 .facts = facts,
                                 .load = load,
                                 .load_also = load_also,
                                 .unload = unload,
                                 PART_HOST_CALLS};

/* ---- looking at it ---- */

static void count(const part_t *p, uint64_t *counts) {
  *(mpu_stats_t *)counts = mpu_stats(state_of(p)->mpu);
}

const part_kind_t part_mpu = {.name = "mpu",
                              .text = "processors of near-bank SIMT cores",
                              .port = {[NET] = {"net", "mesh"}},
                              .clock = {{"core", 1000}},
                              .keys = mpu_keys,
                              .values_size = sizeof(mpu_config_t),
                              .defaults = defaults,
                              .settle = settle,
                              .family = families,
                              .size = sizeof(state_t),
                              .make = make,
                              .destroy = destroy,
                              .check_rules = check_rules,
                              .describe_waits = describe_waits,
                              .counters = counters,
                              .count = count,
                              .host = &host};
