/* SPDX-License-Identifier: Apache-2.0
 *
 * Cycles, counters and memory of small kernels on the GPU (gpu_rig.h), each on six
 * machines, held to gpu_counts.csv. Each kernel is launched twice. The numbers are those
 * of earlier runs: what a change does to time shows here, and kept_counts.h says how a row
 * is renewed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counted_kernels.h"
#include "gpu_rig.h"
#include "kept_counts.h"
#include "unit_test.h"

static const char *const kept = LOCKSTACK_SOURCE_DIR "/tests/unit/gpu/gpu_counts.csv";

/* ---- Machines -------------------------------------------------------------------------------- */

/* Local memory and constants in caches. */
static void caches(gpu_config_t *c) {
  c->num_sms = 4;
}

/* The others' local memory and constants are ideal. */
static void gpu_alone(gpu_config_t *c) {
  c->num_sms = 4;
  c->local_ideal = c->constant.ideal = true;
}

/* Every block that can be goes. */
static void all_offloaded(gpu_config_t *c) {
  gpu_alone(c);
  c->nsu.ratio = 1;
}

/* Half of them, on three SMs of one scheduler. */
static void half_offloaded(gpu_config_t *c) {
  gpu_alone(c);
  c->num_sms = 3;
  c->num_stacks = 2;
  c->sm.schedulers = 1;
  c->nsu.ratio = 0.5;
  c->seed = 3;
}

/* Two or so of everything, so that everything is full at times. */
static void small_parts(gpu_config_t *c) {
  gpu_alone(c);
  c->num_sms = 2;
  c->num_stacks = 4;
  c->nsu.ratio = 0.7;
  c->l1.bytes = 1024, c->l1.ways = 2, c->l1.mshrs = 2, c->l1.merges = 2;
  c->l2.bytes = 4096, c->l2.ways = 2, c->l2.mshrs = 2, c->l2.merges = 2;
  c->sm.lsu_queue = 2, c->sm.max_loads = 6;
  c->xbar.bytes = 16, c->xbar.in_queue = c->xbar.out_queue = 2, c->link_queue = 2;
  c->nsu.pending_packets = 256, c->nsu.ready_packets = 2;
  c->nsu_cmd_entries = 2, c->nsu_rd_entries = 16, c->nsu_wr_entries = 9;
  c->sm.ctas = 3;
}

/* The same, and constants in a cache of one line. */
static void small_caches(gpu_config_t *c) {
  small_parts(c);
  c->local_ideal = c->constant.ideal = false;
  c->constant.bytes = 128, c->constant.ways = 1;
}

static const struct {
  const char *name;
  void (*set)(gpu_config_t *c);
  uint64_t random;
} machines[] = {{"gpu", gpu_alone, 0},     {"all", all_offloaded, 0}, {"half", half_offloaded, 11},
                {"small", small_parts, 0}, {"caches", caches, 0},     {"small_caches", small_caches, 0}};
enum { MACHINES = sizeof machines / sizeof *machines };

/* ---- Counts ---------------------------------------------------------------------------------- */

/* clang-format off */
/* Members of gpu_stats_t, in the order of the file's columns. */
#define COUNTERS(X) \
  X(core_cycles) X(xbar_cycles) X(warp_instructions) X(thread_instructions) X(nsu_skipped) \
  X(issue_slots) X(stall_exec) X(stall_dependency) X(stall_idle) X(divergent_branches) X(barriers) \
  X(shared_conflicts) X(lines_accessed) X(l1_hits) X(l1_misses) X(l1_merges) X(l2_hits) \
  X(l2_misses) X(l2_merges) X(atomics) X(blocks_offloaded) X(blocks_kept) X(rdf_l1_hits) \
  X(rdf_l2_hits) X(rdf_memory) X(wait_grant_cycles) X(wait_ack_cycles) X(invals) \
  X(l1_fills_killed) X(l2_fills_killed) X(xbar_up_bytes) X(xbar_down_bytes)
/* clang-format on */

enum { MOST = 128 };

/* The counts of a run by name: a hash of memory, the counters, and packets by type. */
static size_t list_counts(const gpu_stats_t *s, uint64_t memory, kept_count_t *counts) {
  static char names[4][16][40];
  size_t n = 0;
  counts[n++] = (kept_count_t){"memory", memory};
#define X(name) counts[n++] = (kept_count_t){#name, s->name};
  COUNTERS(X)
#undef X
  const uint64_t *const by_type[] = {s->sent_packets, s->sent_bytes, s->got_packets, s->got_bytes};
  static const char *const of[] = {"sent", "sent_bytes", "got", "got_bytes"};
  for (unsigned k = 0; k < 4; k++)
    for (unsigned t = 0; t < 16; t++) {
      snprintf(names[k][t], sizeof names[k][t], "%s_%u", of[k], t); /* a packet's type, by its number */
      counts[n++] = (kept_count_t){names[k][t], by_type[k][t]};
    }
  return n;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

typedef struct {
  char name[60];
  unsigned kernel, machine;
} run_t;

/* With the buffer and the number of counted_kernels.h. */
static void launch_counted(gpu_rig_t *r, const counted_kernel_t *k, uint64_t buffer) {
  counted_params_t params = {.buffer = buffer, .number = COUNTED_NUMBER};
  gpu_launch_t l = {.shared_bytes = k->shared_bytes, .params = &params, .param_bytes = COUNTED_PARAM_BYTES};
  memcpy(l.grid, k->grid, sizeof l.grid);
  memcpy(l.block, k->block, sizeof l.block);
  if (rig_run(r, &l, 200000)) fail_msg("%s", r->err.text);
  if (r->broken) fail_msg("%s", r->broken);
}

/* A run of `runs`: cmocka gives it as the initial state. */
static void test_run(void **state) {
  const run_t *run = *state;
  const counted_kernel_t *k = &counted_kernels[run->kernel];
  static uint8_t data[COUNTED_BYTES];
  kept_count_t counts[MOST];
  gpu_config_t c = gpu_config_default();
  machines[run->machine].set(&c);
  gpu_rig_t *r = rig_new(&c, k->ptx, strlen(k->ptx), "counted.ptx", c.nsu.ratio > 0);
  if (r->err.kind) fail_msg("%s", r->err.text);
  r->random = machines[run->machine].random;
  uint64_t buffer = gpu_malloc(r->gpu, sizeof data, &r->err);
  counted_fill(data);
  assert_int_equal(gpu_copy_in(r->gpu, buffer, data, sizeof data, &r->err), 0);
  for (unsigned i = 0; i < 2; i++) launch_counted(r, k, buffer);
  assert_int_equal(gpu_copy_out(r->gpu, data, buffer, sizeof data, &r->err), 0);
  assert_int_equal(packet_pool_live(r->pool), 0);
  assert_true(gpu_progress(r->gpu) == 1);
  gpu_stats_t s = gpu_stats(r->gpu);
  kept_counts_hold(kept, run->name, counts, list_counts(&s, kept_counts_hash(data, sizeof data), counts));
  rig_free(r);
}

/* A count that is one off, a run that nobody knows and another order of columns are seen. */
static void test_fires(void **state) {
  (void)state;
  gpu_stats_t s = {.core_cycles = 1};
  kept_count_t counts[MOST];
  char text[2000];
  size_t n = list_counts(&s, 0, counts);
  kept_counts_compare(kept, "stream.gpu", counts, n, text, sizeof text);
  assert_non_null(strstr(text, "core_cycles 1, kept "));
  kept_counts_compare(kept, "nobody.gpu", counts, n, text, sizeof text);
  assert_non_null(strstr(text, "has no row nobody.gpu"));
  counts[1].name = "memory";
  kept_counts_compare(kept, "stream.gpu", counts, n, text, sizeof text);
  assert_non_null(strstr(text, "column 2 is core_cycles, should be memory"));
}

int main(void) {
  static run_t runs[NUM_COUNTED_KERNELS * MACHINES];
  static struct CMUnitTest tests[NUM_COUNTED_KERNELS * MACHINES + 1] = {cmocka_unit_test(test_fires)};
  for (unsigned i = 0; i < NUM_COUNTED_KERNELS * MACHINES; i++) {
    runs[i].kernel = i / MACHINES, runs[i].machine = i % MACHINES;
    snprintf(runs[i].name, sizeof runs[i].name, "%s.%s", counted_kernels[i / MACHINES].name,
             machines[i % MACHINES].name);
    tests[i + 1] = (struct CMUnitTest){.name = runs[i].name, .test_func = test_run, .initial_state = &runs[i]};
  }
  return cmocka_run_group_tests_name("gpu_counts", tests, NULL, NULL);
}
