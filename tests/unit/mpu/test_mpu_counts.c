/* SPDX-License-Identifier: Apache-2.0
 *
 * Cycles, counters and memory of small kernels on the MPU (mpu_rig.h), each on four machines of two
 * cores, held to mpu_counts.csv. Each kernel is launched twice.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counted_kernels.h"
#include "kept_counts.h"
#include "mpu_rig.h"
#include "unit_test.h"

static const char *const kept = LOCKSTACK_SOURCE_DIR "/tests/unit/mpu/mpu_counts.csv", *const kept_gpu =
                                                                                           LOCKSTACK_SOURCE_DIR
                                                                                       "/tests/unit/gpu/gpu_counts.csv";

/* ---- Machines -------------------------------------------------------------------------------- */

/* Nothing is changed: the annotated policy of mpu_rig_config(). */
static void annotated(mpu_config_t *c) {
  (void)c;
}

static void far_bank(mpu_config_t *c) {
  c->policy = MPU_ALL_FAR;
  c->smem_near = false;
  c->far_rf_bytes = 8192;
  c->smem_bytes = 2 * 16256; /* two blocks of occupancy */
}

static void base_die(mpu_config_t *c) {
  c->ponb = true;
  c->tsv_duplex = true;
}

/* The least of everything that still runs, and latencies that differ. */
static void small_parts(mpu_config_t *c) {
  c->policy = MPU_ALL_NEAR;
  c->warps = 3, c->blocks = 2;
  c->tsv_beats = 1;
  c->exe_queue = 1;
  c->collect_latency = 0, c->alu_latency = 1, c->sfu_latency = 9, c->sfu_interval = 7, c->dp_interval = 11,
  c->smem_latency = 3;
}

static const struct {
  const char *name;
  void (*set)(mpu_config_t *c);
} machines[] = {{"annotated", annotated}, {"far", far_bank}, {"base", base_die}, {"small", small_parts}};
enum { MACHINES = sizeof machines / sizeof *machines };

/* ---- Counts ---------------------------------------------------------------------------------- */

/* clang-format off */
#define COUNTERS(X) \
  X(cycles) X(warp_instructions) X(thread_instructions) X(near_instructions) X(far_instructions) \
  X(register_moves[0]) X(register_moves[1]) X(global_accesses) X(global_offloaded) \
  X(local_transfers) X(remote_transfers) X(shared_accesses) X(barriers) X(divergent_branches) \
  X(tsv_busy) X(dram_reads) X(dram_writes) X(row_hits) X(row_misses) X(row_conflicts) X(activates) \
  X(refreshes) X(packets[0]) X(packets[1]) X(net_flits[0]) X(net_flits[1])
/* clang-format on */

/* Room for all counts of a run. */
enum { MOST = 128 };

static size_t list_counts(const mpu_stats_t *s, uint64_t memory, kept_count_t *counts) {
  static char names[2][16][40];
  size_t n = 0;
  counts[n++] = (kept_count_t){"memory", memory};
#define X(name) counts[n++] = (kept_count_t){#name, s->name};
  COUNTERS(X)
#undef X
  for (unsigned up = 0; up < 2; up++)
    for (unsigned t = 0; t < 16; t++) {
      /* a message's type, by its number */
      snprintf(names[up][t], sizeof names[up][t], "%s_%u", up ? "beats_up" : "beats_down", t);
      counts[n++] = (kept_count_t){names[up][t], up ? s->tsv_beats_up[t] : s->tsv_beats_down[t]};
    }
  return n;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

typedef struct {
  char name[60];
  unsigned kernel, machine;
} run_t;

/* One launch of the kernel, which has to end well. */
static void launch_counted(mpu_rig_t *rig, const counted_kernel_t *k, uint64_t buffer) {
  counted_params_t params = {.buffer = buffer, .number = COUNTED_NUMBER};
  mpu_launch_t l = {.shared_bytes = k->shared_bytes, .params = &params, .param_bytes = COUNTED_PARAM_BYTES};
  memcpy(l.grid, k->grid, sizeof l.grid);
  memcpy(l.block, k->block, sizeof l.block);
  if (mpu_launch(rig->mpu, &l, &rig->error) || mpu_rig_run(rig)) fail_msg("%s", rig->error.text);
}

/* Two launches on a new machine. Every count and a
 * hash of the memory are what mpu_counts.csv keeps. */
static void test_run(void **state) {
  const run_t *run = *state;
  const counted_kernel_t *k = &counted_kernels[run->kernel];
  static uint8_t data[COUNTED_BYTES];
  kept_count_t counts[MOST];
  mpu_rig_t rig;
  ptx_error_t bad = {0};
  mpu_config_t c = mpu_rig_config();
  c.cubes_x = c.cubes_y = c.cores_y = 1;
  c.cores_x = 2;
  c.local_ideal = c.constant_ideal = true;
  machines[run->machine].set(&c);
  ptx_module_t *module = ptx_parse(k->ptx, strlen(k->ptx), "counted.ptx", &bad);
  if (!module) fail_msg("%s", bad.trouble.text);
  mpu_rig_open(&rig, &c);
  rig.cycle_limit = 200000;
  if (rig.error.kind || mpu_load(rig.mpu, module, &rig.error)) fail_msg("%s", rig.error.text);
  uint64_t buffer = mpu_malloc(rig.mpu, sizeof data, &rig.error);
  counted_fill(data);
  assert_int_equal(mpu_copy_in(rig.mpu, buffer, data, sizeof data, &rig.error), 0);
  for (unsigned i = 0; i < 2; i++) launch_counted(&rig, k, buffer);
  assert_int_equal(mpu_copy_out(rig.mpu, data, buffer, sizeof data, &rig.error), 0);
  assert_true(mpu_progress(rig.mpu) == 1);
  mpu_stats_t s = mpu_stats(rig.mpu);
  kept_counts_hold(kept, run->name, counts, list_counts(&s, kept_counts_hash(data, sizeof data), counts));
  mpu_rig_close(&rig);
  ptx_free(module);
}

/* Both machines leave the same in memory, but for what depends on time. */
static void test_same_memory(void **state) {
  (void)state;
  for (unsigned k = 0; k < NUM_COUNTED_KERNELS; k++) {
    static const char *const gpus[] = {"gpu", "all", "half", "small"};
    const counted_kernel_t *kernel = &counted_kernels[k];
    char run[100];
    snprintf(run, sizeof run, "%s.gpu", kernel->name);
    uint64_t right = kept_counts_of(kept_gpu, run, "memory");
    for (unsigned i = 0; i < 8 && !kernel->timed; i++) {
      if (i >= 4 && kernel->gpu_only) continue;
      snprintf(run, sizeof run, "%s.%s", kernel->name, i < 4 ? gpus[i] : machines[i - 4].name);
      if (kept_counts_of(i < 4 ? kept_gpu : kept, run, "memory") != right)
        fail_msg("%s leaves something else in memory than %s.gpu", run, kernel->name);
    }
  }
}

int main(void) {
  static run_t runs[NUM_COUNTED_KERNELS * MACHINES];
  static struct CMUnitTest tests[NUM_COUNTED_KERNELS * MACHINES + 1] = {cmocka_unit_test(test_same_memory)};
  size_t n = 0, t = 1;
  for (unsigned i = 0; i < NUM_COUNTED_KERNELS * MACHINES; i++) {
    if (counted_kernels[i / MACHINES].gpu_only) continue;
    runs[n].kernel = i / MACHINES, runs[n].machine = i % MACHINES;
    snprintf(runs[n].name, sizeof runs[n].name, "%s.%s", counted_kernels[i / MACHINES].name,
             machines[i % MACHINES].name);
    tests[t++] = (struct CMUnitTest){.name = runs[n].name, .test_func = test_run, .initial_state = &runs[n]};
    n++;
  }
  return _cmocka_run_group_tests("mpu_counts", tests, t, NULL, NULL);
}
