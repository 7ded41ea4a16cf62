/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU end to end on ideal stacks: every workload, offloaded or not, and what must fail.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_rig.h"
#include "unit_test.h"
#include "workload.h"

static gpu_config_t small_config(double ratio) {
  gpu_config_t c = gpu_config_default();
  c.num_sms = 4;
  c.offload_ratio = ratio;
  return c;
}

/* A workload at a size at which a run is short. */
static void run_workload(const workload_t *w, gpu_config_t config, uint64_t random) {
  int64_t values[WORKLOAD_MAX_PARAMS];
  char why[300] = "";
  workload_defaults(w, values);
  for (unsigned i = 0; w->params[i].name; i++) {
    char text[32];
    int64_t v = values[i] > 1000 ? values[i] / 64 : values[i];
    if (v < w->params[i].least) v = w->params[i].least;
    snprintf(text, sizeof text, "%lld", (long long)v);
    if (!workload_set(w, values, w->params[i].name, text, why, sizeof why)) why[0] = 0; /* sizes that must be powers of two */
  }
  gpu_rig_t *r = rig_new(&config, w->ptx, (size_t)(w->ptx_end - w->ptx), w->ptx_file, config.offload_ratio > 0);
  assert_string_equal(r->err.text, "");
  r->random = random;
  void *state = w->create(values, 7);
  assert_non_null(state);
  assert_int_equal(w->run(state, &r->runtime), 0);
  if (!w->check(state, why, sizeof why)) fail_msg("%s at ratio %g: %s", w->name, config.offload_ratio, why);
  if (r->broken) fail_msg("%s: %s", w->name, r->broken);
  gpu_stats_t s = gpu_stats(r->gpu);
  if (config.offload_ratio == 1) assert_int_equal(s.blocks_kept, 0);
  if (config.offload_ratio == 1) assert_true(s.blocks_offloaded > 0);
  if (config.offload_ratio == 0) assert_int_equal(s.blocks_offloaded, 0);
  for (unsigned k = 0; k < config.num_stacks; k++) { /* nothing is lost */
    gpu_credits_t c = gpu_credits(r->gpu, k);
    assert_int_equal(c.cmd, config.nsu_cmd_entries);
    assert_int_equal(c.rd, config.nsu_rd_entries);
    assert_int_equal(c.wr, config.nsu_wr_entries);
  }
  assert_int_equal(packet_pool_live(r->pool), 0);
  w->destroy(state);
  rig_free(r);
}

static void all_workloads(double ratio, uint64_t random) {
  for (unsigned i = 0; workloads[i]; i++) run_workload(workloads[i], small_config(ratio), random);
}

static void test_baseline(void **state) {
  (void)state;
  all_workloads(0, 0);
}

static void test_offloaded(void **state) {
  (void)state;
  all_workloads(1, 3);
}

static void test_mixed(void **state) {
  (void)state;
  all_workloads(0.5, 5);
}

/* Buffers as small as they may be: still no deadlock, and the same results. */
static void test_tiny_buffers(void **state) {
  (void)state;
  gpu_config_t c = small_config(0.8);
  c.nsu_cmd_entries = 1;
  c.nsu_rd_entries = 16;
  c.nsu_wr_entries = 8;
  c.pending_packets = 256;
  c.ready_packets = 1;
  c.xbar_in_queue = c.xbar_out_queue = c.link_queue = 1;
  c.lsu_queue = 1;
  c.max_loads = 4;
  c.l1_mshrs = c.l2_mshrs = c.l1_merges = c.l2_merges = 1;
  for (unsigned i = 0; workloads[i]; i++) run_workload(workloads[i], c, 9);
}

static void test_one_stack_one_scheduler(void **state) {
  (void)state;
  gpu_config_t c = small_config(0.5);
  c.num_stacks = 1;
  c.num_sms = 1;
  c.schedulers = 1;
  run_workload(workload_find("vadd"), c, 0);
}

static uint64_t vadd_cycles(uint64_t seed) {
  const workload_t *w = workload_find("vadd");
  gpu_config_t c = small_config(0.5);
  c.seed = seed;
  int64_t values[WORKLOAD_MAX_PARAMS];
  workload_defaults(w, values);
  values[0] = 5000;
  gpu_rig_t *r = rig_new(&c, w->ptx, (size_t)(w->ptx_end - w->ptx), w->ptx_file, true);
  void *data = w->create(values, 1);
  assert_int_equal(w->run(data, &r->runtime), 0);
  uint64_t cycles = gpu_stats(r->gpu).core_cycles;
  w->destroy(data);
  rig_free(r);
  return cycles;
}

static void test_deterministic(void **state) {
  (void)state;
  assert_int_equal(vadd_cycles(1), vadd_cycles(1));
  assert_int_not_equal(vadd_cycles(1), vadd_cycles(2));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_baseline),     cmocka_unit_test(test_offloaded),
    cmocka_unit_test(test_mixed),        cmocka_unit_test(test_tiny_buffers),
    cmocka_unit_test(test_one_stack_one_scheduler), cmocka_unit_test(test_deterministic),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
