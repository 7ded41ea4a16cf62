/* SPDX-License-Identifier: Apache-2.0
 *
 * The network of the MPU's cores (cmodel/mpu/mpu_net.h): a mesh of routers over all processors. It moves in phase 1, when all cores have ticked.
 */
#include "part_mesh.h"

#include "mpu_config.h"
#include "part.h"
#include "protocols.h"
#include "router_engine.h"

#define KEYS_OF part_mesh_values_t
#include "config_keys.h"

static const config_key_t keys[] = {
#include "part_mesh.def"
    {0},
};

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
  const mpu_config_t mpu = mpu_config_default();
  *(part_mesh_values_t *)values = (part_mesh_values_t){mpu.net_vcs, mpu.net_depth, mpu.mesh_latency, mpu.cube_latency};
}

static const mpu_config_t *mpu_of(const composition_t *c) {
  return composition_kind_values_const(c, &part_mpu);
}

static const char *settle(composition_t *c, unsigned part) {
  return c->part[part].count == 1 && mpu_of(c) ? NULL : "one mesh with one mpu would be right";
}

static int make(part_t *p, char error[SYSTEM_ERROR]) {
  mesh_port_t *s = p->state;
  if (!(s->net = mpu_net_new(mpu_of(p->composition), p->engine[0], error, SYSTEM_ERROR))) return 3;
  shell_add(&shell, s, p->period);
  return 0;
}

static void *offer(part_t *p, unsigned port, unsigned connection) {
  (void)port, (void)connection;
  return p->state;
}

static void destroy(part_t *p) {
  mpu_net_free(((mesh_port_t *)p->state)->net);
}

static unsigned count_routers(const composition_t *c, unsigned part) {
  (void)part;
  return mpu_of(c) ? mpu_config_cores(mpu_of(c)) : 0;
}

static outcome_t engines(const composition_t *c, engines_config_t *engines, char *error, size_t size) {
  const router_params_t params = mpu_net_router_params(mpu_of(c));
  return router_engine_config(engines, &params, error, size);
}

static const part_family_t families[] = {{"router", count_routers, engines}, {NULL}};

/* ---- looking at it ---- */

static const mpu_net_t *net_of(const part_t *p) {
  return ((const mesh_port_t *)p->state)->net;
}

static uint64_t activity(const part_t *p) {
  const fabric_stats_t f = fabric_stats(mpu_net_fabric(net_of(p)));
  return f.hops + f.received;
}

static int check_rules(const part_t *p, char error[SYSTEM_ERROR]) {
  const char *broken = fabric_error(mpu_net_fabric(net_of(p)));
  return broken ? part_fail(error, 1, broken) : 0;
}

static size_t describe_waits(const part_t *p, char *text, size_t size) {
  return mpu_net_describe_waits(net_of(p), text, size);
}

/* Flits of each router's outputs to its neighbours, left, right, up, down, by where the link leads. */
static void stats(const part_t *p, system_stats_t *stats) {
  const mpu_config_t *c = mpu_of(p->composition);
  const unsigned width = c->cubes_x * c->cores_x, cores = mpu_config_cores(c);
  for (unsigned r = 0; r < cores; r++) {
    const unsigned x = r % width, y = r / width;
    const bool leaves[] = {x % c->cores_x == 0, x % c->cores_x == c->cores_x - 1, y % c->cores_y == 0, y % c->cores_y == c->cores_y - 1};
    const bool there[] = {x > 0, x + 1 < width, y > 0, r + width < cores};
    for (unsigned side = 0; side < 4; side++)
      stats->mpu.link_flits[leaves[side] && there[side]] += fabric_port_stats(mpu_net_fabric(net_of(p)), r, side + 1).flits;
  }
}

const part_kind_t part_mesh = {
    .name = "mesh", .text = "network of cores", .port = {{"terminal", "mesh", .offers = true}}, .clock = {{"net", 2000}}, .keys = keys,
    .values_size = sizeof(part_mesh_values_t), .defaults = defaults, .settle = settle, .family = families, .size = sizeof(mesh_port_t),
    .make = make, .destroy = destroy, .offer = offer, .activity = activity, .check_rules = check_rules, .describe_waits = describe_waits,
    .stats = stats};
