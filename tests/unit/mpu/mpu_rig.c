/* SPDX-License-Identifier: Apache-2.0
 *
 * The MPU without SystemC: cores of golden models, LSU-Extensions as models, and a network
 * that delays every packet by the same number of cycles.
 *
 *     one cycle:  each core: deliver what is due, tick
 *                 each core: collect what it sends
 *                 mpu_tick(): the rest
 */
#include "mpu_rig.h"

#include <stdlib.h>

#include "lsu_ext.h"

mpu_config_t mpu_rig_config(void) {
  mpu_config_t c = mpu_config_default();
  c.warps = c.blocks = 16;
  c.core_bytes = 4096, c.blocks_to = MPU_BLOCKS_BY_ADDRESS, c.batches = false;
  c.collect_latency = 2, c.alu_latency = 4, c.sfu_latency = 16, c.sfu_interval = 4, c.dp_interval = 2,
  c.smem_latency = 10;
  c.tsv_duplex = false;
  c.net.depth = 8, c.net.cube_latency = 8, c.net.cube_interval = 1;
  c.mc = near_mc_config_default();
  return c;
}

/* ---- LSU-Extension --------------------------------------------------------------------------- */

/* One LSU-Extension. `out` is computed from the
 * state when it is first asked for after a step. */
typedef struct {
  lsu_ext_t model;
  lsu_ext_in_t zero;
  lsu_ext_out_t out;
  bool fresh;
} unit_t;

static bool unit_open(void *state, const void *context, unsigned unit) {
  (void)context, (void)unit;
  lsu_ext_reset(&((unit_t *)state)->model);
  return true;
}

static const void *unit_out(void *state) {
  unit_t *u = state;
  if (!u->fresh) lsu_ext_eval(&u->model, &u->zero, &u->out);
  u->fresh = true;
  return &u->out;
}

static void unit_step(void *state, const void *in) {
  unit_t *u = state;
  lsu_ext_step(&u->model, in);
  u->fresh = false;
}

static bool unit_idle(const void *state) {
  const unit_t *u = state;
  return lsu_ext_idle(&u->model);
}

const block_engine_t mpu_rig_model = {.name = "model",
                                      .state_size = sizeof(unit_t),
                                      .open = unit_open,
                                      .out = unit_out,
                                      .step = unit_step,
                                      .idle = unit_idle};
const block_engine_t mpu_rig_restless = {
    .name = "restless", .state_size = sizeof(unit_t), .open = unit_open, .out = unit_out, .step = unit_step};

/* ---- Network: every packet takes RIG_DELAY cycles -------------------------------------------- */

enum { RIG_DELAY = 20, RIG_FLIGHT = 4096 };

struct rig_net {
  struct {
    mpu_packet_t packet[RIG_FLIGHT];
    uint64_t at[RIG_FLIGHT];
    unsigned head, count;
  } lane[2][MPU_MAX_CORES];
};

/* Packets that are due, as many as the core takes. One class does not wait for the other. */
static void deliver_packets(mpu_rig_t *rig, unsigned core) {
  for (unsigned cls = 0; cls < 2; cls++)
    while (rig->net->lane[cls][core].count &&
           rig->net->lane[cls][core].at[rig->net->lane[cls][core].head] <= mpu_now(rig->mpu) &&
           mpu_core_can_push(rig->mpu, core, cls)) {
      mpu_core_push(rig->mpu, core, cls, &rig->net->lane[cls][core].packet[rig->net->lane[cls][core].head]);
      rig->net->lane[cls][core].head = (rig->net->lane[cls][core].head + 1) % RIG_FLIGHT;
      rig->net->lane[cls][core].count--;
    }
}

/* What the core sends stands in the lane of its receiver, due in RIG_DELAY cycles. */
static void collect_packets(mpu_rig_t *rig, unsigned core) {
  for (unsigned cls = 0; cls < 2; cls++)
    for (const mpu_packet_t *p;
         (p = mpu_core_front(rig->mpu, core, cls)) && rig->net->lane[cls][p->dest].count < RIG_FLIGHT;
         mpu_core_pop(rig->mpu, core, cls)) {
      unsigned at = (rig->net->lane[cls][p->dest].head + rig->net->lane[cls][p->dest].count++) % RIG_FLIGHT;
      rig->net->lane[cls][p->dest].packet[at] = *p;
      rig->net->lane[cls][p->dest].at[at] = mpu_now(rig->mpu) + RIG_DELAY;
    }
}

/* ---- Running --------------------------------------------------------------------------------- */

int mpu_rig_open_with(mpu_rig_t *rig, const mpu_config_t *config, const block_engine_t *engine) {
  unsigned units = mpu_config_cores(config) * MPU_SUBCORES;
  *rig = (mpu_rig_t){
      .cycle_limit = 20000000, .net = calloc(1, sizeof *rig->net), .engines = calloc(units, sizeof *rig->engines)};
  for (unsigned i = 0; i < units; i++) rig->engines[i] = engine;
  rig->mpu = mpu_new(config, rig->engines, &rig->error);
  return rig->mpu ? 0 : rig->error.kind;
}

int mpu_rig_open(mpu_rig_t *rig, const mpu_config_t *config) {
  return mpu_rig_open_with(rig, config, &mpu_rig_model);
}

void mpu_rig_close(mpu_rig_t *rig) {
  mpu_free(rig->mpu);
  free(rig->net);
  free(rig->engines);
}

static bool in_flight(const mpu_rig_t *rig, unsigned core) {
  return rig->net->lane[0][core].count || rig->net->lane[1][core].count;
}

static int fail_rig(mpu_rig_t *rig, const trouble_t *err) {
  rig->error = *err;
  return err->kind;
}

/* Sums over what is counted by reason, fate or message. */
static uint64_t sum_of_counts(const uint64_t *values, unsigned number) {
  uint64_t all = 0;
  for (unsigned i = 0; i < number; i++) all += values[i];
  return all;
}

const char *mpu_rig_sums(const mpu_stats_t *s) {
  if (sum_of_counts(s->loads, MPU_FATES) + sum_of_counts(s->stores, MPU_FATES) != s->global_accesses)
    return "loads and stores by fate are not all accesses";
  if (s->loads[MPU_FATE_offloaded] + s->stores[MPU_FATE_offloaded] != s->global_offloaded)
    return "accesses that should be offloaded are not those that were";
  if (sum_of_counts(s->tsv_down, MPU_USES) != sum_of_counts(s->tsv_beats_down, 16))
    return "beats down by use are not those by message";
  if (sum_of_counts(s->tsv_up, MPU_USES) != sum_of_counts(s->tsv_beats_up, 16))
    return "beats up by use are not those by message";
  if (sum_of_counts(s->moves_far, MPU_MOVES) != s->register_moves[0] + s->moves_far[MPU_USE_store_row - MPU_FIRST_MOVE])
    return "rows to far by reason are not all";
  return sum_of_counts(s->moves_near, MPU_MOVES) == s->register_moves[1] ? NULL : "rows to near by reason are not all";
}

/* A kernel has ended well if no packet is left and the counts by reason add up. */
int mpu_rig_run(mpu_rig_t *rig) {
  mpu_t *m = rig->mpu;
  unsigned cores = mpu_cores(m);
  uint64_t end = mpu_now(m) + rig->cycle_limit;
  while (mpu_running(m)) {
    for (unsigned i = 0; i < cores; i++) {
      unsigned c = rig->backwards ? cores - 1 - i : i;
      deliver_packets(rig, c);
      if (!mpu_core_idle(m, c)) mpu_core_tick(m, c);
    }
    for (unsigned c = 0; c < cores; c++) collect_packets(rig, c);
    mpu_tick(m);
    for (unsigned c = 0; c < cores && !mpu_running(m) && !mpu_fault(m); c++)
      if (in_flight(rig, c)) trouble_fail(&rig->error, TROUBLE_BROKEN, "a packet is left when all has ended");
    if (mpu_now(m) < end) continue;
    char text[2000];
    mpu_describe_waits(m, text, sizeof text);
    trouble_fail(&rig->error, TROUBLE_BROKEN, "still running after %llu cycles: %.380s",
                 (unsigned long long)rig->cycle_limit, text);
    return 1;
  }
  if (mpu_fault(m)) return fail_rig(rig, mpu_fault(m));
  const mpu_stats_t stats = mpu_stats(m);
  const char *wrong = mpu_rig_sums(&stats);
  if (wrong) trouble_fail(&rig->error, TROUBLE_BROKEN, "%s", wrong);
  return rig->error.kind;
}

/* ---- Runtime --------------------------------------------------------------------------------- */

static int rig_malloc(void *ctx, uint64_t bytes, rt_ptr_t *ptr) {
  mpu_rig_t *rig = ctx;
  *ptr = mpu_malloc(rig->mpu, bytes, &rig->error);
  return rig->error.kind;
}

static int rig_release(void *ctx, rt_ptr_t ptr) {
  mpu_rig_t *rig = ctx;
  mpu_release(rig->mpu, ptr, &rig->error);
  return rig->error.kind;
}

static int rig_copy_in(void *ctx, rt_ptr_t dst, const void *src, uint64_t bytes) {
  mpu_rig_t *rig = ctx;
  mpu_copy_in(rig->mpu, dst, src, bytes, &rig->error);
  return rig->error.kind;
}

static int rig_copy_out(void *ctx, void *dst, rt_ptr_t src, uint64_t bytes) {
  mpu_rig_t *rig = ctx;
  mpu_copy_out(rig->mpu, dst, src, bytes, &rig->error);
  return rig->error.kind;
}

static int rig_launch(void *ctx, const rt_launch_t *l) {
  mpu_rig_t *rig = ctx;
  const mpu_launch_t launch = {.kernel = l->kernel,
                               .grid = {l->grid.x, l->grid.y, l->grid.z},
                               .block = {l->block.x, l->block.y, l->block.z},
                               .shared_bytes = l->shared_bytes,
                               .params = l->params,
                               .param_bytes = l->param_bytes};
  return mpu_launch(rig->mpu, &launch, &rig->error) ? (int)rig->error.kind : mpu_rig_run(rig);
}

runtime_t mpu_rig_runtime(mpu_rig_t *rig) {
  return (runtime_t){rig, rig_malloc, rig_release, rig_copy_in, rig_copy_out, rig_launch,
                     8,   NULL,       NULL,        NULL,        NULL,         NULL};
}

int mpu_rig_workload(mpu_rig_t *rig, const workload_t *w, const int64_t *values, bool *right, trouble_t *trouble) {
  ptx_error_t bad;
  ptx_module_t *module = ptx_parse(w->ptx, (size_t)(w->ptx_end - w->ptx), w->ptx_file, &bad);
  void *state = w->create(values, 1);
  runtime_t runtime = mpu_rig_runtime(rig);
  if (module) runtime.pointer_bytes = module->address_bytes;
  int status = 3;
  if (module && state) {
    if (mpu_load(rig->mpu, module, &rig->error)) status = (int)rig->error.kind;
    else status = w->run(state, &runtime);
  }
  *right = !status && w->check(state, trouble);
  if (state) w->destroy(state);
  return status; /* the module stays: the machine has it */
}
