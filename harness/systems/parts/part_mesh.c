/* SPDX-License-Identifier: Apache-2.0
 *
 * The network of the MPU's cores (cmodel/sim/mpu/mpu_net.h): a mesh of routers over all processors,
 * or another topology. It moves in phase 1, after all cores have ticked.
 */
#include "part_mesh.h"

#include "part.h"
#include "protocols.h"
#include "router_engine.h"

typedef struct {
#define WORK(name, ...) uint64_t name;
#define WORK_BY(name, number, ...) uint64_t name[number];
#include "part_mesh_counters.def"
} counts_t;

static const char *link_name(unsigned i) {
  return i ? "between_processors" : "on_chip";
}

#define COUNTERS_OF counts_t
#include "counter_list.h"

static const counter_t counters[] = {
#include "part_mesh_counters.def"
    {0},
};

/* Tells the user which cores have packets to take, 64 cores a call. */
static void tick(void *self, unsigned clock, uint64_t cycle) {
  mesh_port_t *s = self;
  (void)clock;
  if (mpu_net_idle(s->net)) return;
  mpu_net_tick(s->net, cycle);
  for (unsigned w = 0; w < MPU_MAX_CORES / 64; w++) s->arrived(s->context, w, mpu_net_arrived(s->net, w));
}

static const shell_kind_t shell = {.name = "mesh", .clocks = 1, .phase = 1, .tick = tick};

/* ---- making one ---- */

static void defaults(void *values) {
  *(part_mesh_values_t *)values = mpu_net_config_default();
}

static const mpu_config_t *mpu_of(const composition_t *c) {
  return composition_kind_values_const(c, &part_mpu);
}

/* The mesh takes its size from the mpu, so there must be one of each. */
static bool settle(composition_t *c, unsigned part, trouble_t *trouble) {
  return (c->part[part].count == 1 && mpu_of(c)) ||
         trouble_set(trouble, TROUBLE_INPUT, "one mesh with one mpu would be right");
}

static bool make(part_t *p, trouble_t *trouble) {
  mesh_port_t *s = p->state;
  if (!(s->net = mpu_net_new(mpu_of(p->composition), p->engine[0], trouble))) return false;
  shell_add(&shell, s, p->period);
  return true;
}

static void *offer(part_t *p, unsigned port, unsigned connection, unsigned which) {
  (void)port, (void)connection, (void)which;
  return p->state;
}

static void destroy(part_t *p) {
  mpu_net_free(((mesh_port_t *)p->state)->net);
}

static unsigned count_routers(const composition_t *c, unsigned part) {
  (void)part;
  return mpu_of(c) ? mpu_net_routers(mpu_of(c)) : 0;
}

static bool engines(const composition_t *c, engines_config_t *engines, trouble_t *trouble) {
  const router_params_t params = mpu_net_router_params(mpu_of(c));
  return router_engine_config(engines, &params, trouble);
}

/* The work of router k, for energy per flit. */
static uint64_t router_flits(const part_t *p, unsigned k) {
  return fabric_router_flits(mpu_net_fabric(((const mesh_port_t *)p->state)->net), k);
}

static const part_family_t families[] = {
    {.block = "router", .count = count_routers, .engines = engines, .work = "flits", .worked = router_flits}, {0}};

/* ---- looking at it ---- */

static const mpu_net_t *net_of(const part_t *p) {
  return ((const mesh_port_t *)p->state)->net;
}

static bool check_rules(const part_t *p, trouble_t *trouble) {
  const trouble_t *broken = fabric_fault(mpu_net_fabric(net_of(p)));
  if (broken) *trouble = *broken;
  return !broken;
}

static size_t describe_waits(const part_t *p, char *text, size_t size) {
  return mpu_net_describe_waits(net_of(p), text, size);
}

/* Flits of each router's outputs to others, by where the link leads. */
static void count(const part_t *p, uint64_t *counts) {
  counts_t *n = (counts_t *)counts;
  const fabric_stats_t f = fabric_stats(mpu_net_fabric(net_of(p)));
  n->hops = f.hops, n->received = f.received;
  mpu_net_link_flits(net_of(p), n->link_flits);
}

const part_kind_t part_mesh = {.name = "mesh",
                               .text = "network of cores",
                               .port = {{"terminal", "mesh", .offers = true}},
                               .clock = {{"net", 2000}},
                               .keys = mpu_net_keys,
                               .values_size = sizeof(part_mesh_values_t),
                               .defaults = defaults,
                               .settle = settle,
                               .family = families,
                               .size = sizeof(mesh_port_t),
                               .make = make,
                               .destroy = destroy,
                               .offer = offer,
                               .check_rules = check_rules,
                               .describe_waits = describe_waits,
                               .counters = counters,
                               .count = count};
