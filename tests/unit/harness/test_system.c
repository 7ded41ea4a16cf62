/* SPDX-License-Identifier: Apache-2.0
 *
 * Properties of the whole system that the command cannot show. The order in which SystemC runs the
 * modules does not matter: each test runs a machine twice, forward and reversed, and compares all
 * counts. A simulation that dies is told from one that fails.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mpu.h"
#include "gpu.h"
#include "nsu_node.h"
#include "part.h"
#include "simulate.h"
#include "unit_test.h"

/* Sets a key of the job's system, as --set does. */
static void set_value(simulate_job_t *job, const char *key, const char *value) {
  trouble_t trouble = {0};
  if (!composition_set(&job->system.composition, key, value, &trouble)) fail_msg("%s", trouble.text);
}

/* A job with the system of this file, without values of its own. */
static void load_system(simulate_job_t *job, const char *system) {
  trouble_t trouble = {0};
  char path[512];
  memset(job, 0, sizeof *job);
  snprintf(path, sizeof path, "%s/harness/systems/%s.yaml", LOCKSTACK_SOURCE_DIR, system);
  if (!composition_load(&job->system.composition, path, &trouble)) fail_msg("%s", trouble.text);
  job->system.places = (places_t){LOCKSTACK_SOURCE_DIR, LOCKSTACK_BINARY_DIR "/dut"};
}

/* Settles the system and gives it a workload of this size. */
static void set_workload(simulate_job_t *job, const char *workload, const char *n) {
  trouble_t trouble = {0};
  if (!composition_settle(&job->system.composition, &trouble)) fail_msg("%s", trouble.text);
  job->workload = workload_find(workload);
  assert_non_null(job->workload);
  workload_defaults(job->workload, job->values);
  assert_true(workload_set(job->workload, job->values, "n", n, &trouble));
}

/* The system nsu with eight SMs, which offloads 60 % of its blocks. */
static void make_job(simulate_job_t *job, const char *workload, const char *n) {
  load_system(job, "configs/nsu");
  set_value(job, "gpu.sms", "8");
  set_value(job, "offload.ratio", "0.6");
  set_workload(job, workload, n);
}

/* The run ended, and memory equals the reference. */
static void expect_right(const simulate_result_t *result) {
  if (result->trouble.kind) fail_msg("%s", result->trouble.text);
  if (!result->result_ok) fail_msg("%s", result->wrong.text);
}

/* What a part counted, as the struct of its list. */
static const void *counts_of(const simulate_job_t *job, const simulate_result_t *result, const char *part) {
  for (unsigned i = 0; i < job->system.composition.parts; i++)
    if (!strcmp(job->system.composition.part[i].name, part)) return result->stats.counts[i];
  fail_msg("no part %s", part);
  return NULL;
}

/* Each part has counters, none twice, and all of them fit into SYSTEM_COUNTS. */
static void test_counts_fit(void **state) {
  (void)state;
  for (const part_kind_t *const *k = part_kinds; *k; k++) {
    assert_true((*k)->count && (*k)->counters->name);
    for (const counter_t *c = (*k)->counters; c->name; c++) {
      assert_true(c->at + c->number <= SYSTEM_COUNTS);
      assert_ptr_equal(counters_find((*k)->counters, c->name), c); /* so no name is there twice */
    }
    if ((*k)->host)
      assert_true(counters_find((*k)->counters, (*k)->host->cycles) &&
                  counters_find((*k)->counters, "warp_instructions"));
  }
}

/* Tables of the same size and with the same numbers. */
static void expect_same_table(const system_table_t *one, const system_table_t *other) {
  assert_int_equal(one->rows, other->rows);
  assert_int_equal(one->values, other->values);
  assert_memory_equal(one->value, other->value, (size_t)one->rows * one->values * sizeof *one->value);
}

/* Everything that both runs counted is the same: instances and tables first, then, without the
 * pointers to them, all the rest. */
static void expect_same(simulate_result_t *one, simulate_result_t *other) {
  for (unsigned f = 0; f < SYSTEM_FAMILIES; f++) {
    assert_int_equal(one->stats.instances[f], other->stats.instances[f]);
    assert_memory_equal(one->stats.instance[f], other->stats.instance[f],
                        one->stats.instances[f] * sizeof *one->stats.instance[f]);
  }
  assert_int_equal(one->stats.tables, other->stats.tables);
  for (unsigned t = 0; t < one->stats.tables; t++) expect_same_table(&one->stats.table[t], &other->stats.table[t]);
  simulate_result_free(one);
  simulate_result_free(other);
  assert_memory_equal(&one->stats, &other->stats, sizeof one->stats);
}

/* Three of the NSUs run in lockstep, so that RTL is in the comparison, too. 9001 elements leave
 * a part of a warp over. */
static void test_order(void **state) {
  (void)state;
  static simulate_job_t job;
  static simulate_result_t forward, backward;
  make_job(&job, "saxpy", "9001");
  assert_true(system_make_engines(&job.system));
  for (unsigned k = 0; k < 8; k += 3) job.system.engine[GPU_HARDWARE][k] = ENGINE_LOCKSTEP;
  simulate(&job, &forward);
  job.system.reversed = true;
  simulate(&job, &backward);
  expect_right(&forward);
  expect_right(&backward);
  assert_true(forward.stats.cycles > 0);
  expect_same(&forward, &backward);
  system_free_engines(&job.system);
}

/* The same where hardware on the GPU's die decides, in lockstep:
 * what it keeps of epochs and blocks is the same, too. */
static void test_dynamic_order(void **state) {
  (void)state;
  static simulate_job_t job;
  static simulate_result_t forward, backward;
  load_system(&job, "configs/nsu");
  set_value(&job, "gpu.sms", "8");
  set_value(&job, "offload.policy", "dynamic_cache");
  set_value(&job, "ratio.epoch_cycles", "500");
  set_workload(&job, "saxpy", "50001");
  assert_true(system_make_engines(&job.system));
  for (unsigned f = 0; f <= GPU_HARDWARE_ofld_credits; f++)
    for (unsigned k = 0; k < (f == GPU_HARDWARE_ofld_credits ? 8 : 1); k++) job.system.engine[f][k] = ENGINE_LOCKSTEP;
  simulate(&job, &forward);
  job.system.reversed = true;
  simulate(&job, &backward);
  expect_right(&forward);
  expect_right(&backward);
  uint64_t managers = 0; /* in cycles in which they have something to do */
  for (unsigned k = 0; k < 8; k++) {
    managers += forward.stats.instance[GPU_HARDWARE_ofld_credits][k].compared;
    assert_true(forward.stats.instance[GPU_HARDWARE_ofld_credits][k].compared > 0);
  }
  assert_int_equal(forward.stats.instances[GPU_HARDWARE_ofld_credits], 8);
  assert_true(managers > 100);
  for (unsigned f = 0; f < GPU_HARDWARE_ofld_credits; f++) {
    assert_int_equal(forward.stats.instances[f], 1);
    assert_false(forward.stats.instance[f][0].diverged);
    assert_int_equal(forward.stats.instance[f][0].compared, forward.stats.cycles);
  }
  assert_int_equal(forward.stats.tables, 7);
  assert_int_equal(forward.stats.table[0].rows, (forward.stats.cycles - 3) / 500); /* an end is seen two cycles later */
  assert_int_equal(forward.stats.table[1].rows, 0);                                /* no firmware decides */
  assert_int_equal(forward.stats.table[2].rows, 1);
  assert_int_equal(forward.stats.table[3].rows, 0); /* nothing is learnt */
  expect_same(&forward, &backward);
  system_free_engines(&job.system);
}

/* What is said on the way: instructions only grow, and are all in the end. */
typedef struct {
  unsigned calls;
  double share;
  uint64_t warp_instructions;
} told_t;

/* The share of a run is from 0 to 1, and neither it nor the instructions ever go back. */
static void note_progress(void *ctx, double share, uint64_t warp_instructions) {
  told_t *told = ctx;
  assert_true(share >= 0 && share <= 1 && share >= told->share && warp_instructions >= told->warp_instructions);
  *told = (told_t){told->calls + 1, share, warp_instructions};
}

/* Divergent loads, whose responses merge at ports of a rate that no clock divides; one launch. */
static void test_port_order(void **state) {
  (void)state;
  static simulate_job_t job;
  static simulate_result_t forward, backward;
  told_t told = {0};
  trouble_t trouble = {0};
  load_system(&job, "configs/nsu");
  set_value(&job, "gpu.sms", "8");
  set_value(&job, "offload.ratio", "0.8");
  set_value(&job, "nsu.port_flits", "3");
  if (!composition_settle(&job.system.composition, &trouble)) fail_msg("%s", trouble.text);
  job.workload = workload_find("csr");
  workload_defaults(job.workload, job.values);
  assert_true(workload_set(job.workload, job.values, "rows", "900", &trouble));
  job.system.progress = note_progress, job.system.progress_ctx = &told;
  simulate(&job, &forward);
  job.system.progress = NULL;
  job.system.reversed = true;
  simulate(&job, &backward);
  expect_right(&forward);
  expect_right(&backward);
  const nsu_node_stats_t *nsu = counts_of(&job, &forward, "nsu");
  assert_true(nsu->responses_merged > 0 && nsu->credits_gathered > 0);
  assert_true(told.calls > 0 && told.warp_instructions == forward.stats.warp_instructions);
  expect_same(&forward, &backward);
}

/* A small MPU, and a workload whose blocks do not fit into one core. */
static void make_mpu_job(simulate_job_t *job, const char *workload, const char *n) {
  static const char *const small[] = {"mpu.cubes_x", "2",           "mpu.cubes_y", "1", "mpu.cores_x",
                                      "2",           "mpu.cores_y", "1",           NULL};
  load_system(job, "configs/mpu");
  for (const char *const *s = small; *s; s += 2) set_value(job, s[0], s[1]);
  set_workload(job, workload, n);
}

/* Cores that exchange packets, every fifth load/store unit in lockstep. */
static void test_mpu_order(void **state) {
  (void)state;
  static simulate_job_t job;
  static simulate_result_t forward, backward;
  make_mpu_job(&job, "pr", "9001");
  assert_true(system_make_engines(&job.system));
  for (unsigned u = 0; u < 16; u += 5) job.system.engine[0][u] = ENGINE_LOCKSTEP;
  simulate(&job, &forward);
  job.system.reversed = true;
  simulate(&job, &backward);
  expect_right(&forward);
  expect_right(&backward);
  assert_true(forward.stats.cycles > 0);
  const mpu_stats_t *s = counts_of(&job, &forward, "mpu");
  assert_true(s->packets[0] > 0); /* cores spoke with each other */
  assert_int_equal(s->packets[0], s->packets[1]);
  assert_true(forward.stats.instance[0][5].compared > 0 && !forward.stats.instance[0][1].compared);
  expect_same(&forward, &backward);
  system_free_engines(&job.system);
}

/* A system that nobody planned: two kinds of NSU by their clocks in eight stacks of a mesh, all
 * instances of blocks in lockstep. At 700 and 350 MHz one kind has twice the other's cycles,
 * within 5 %. */
static void test_own(void **state) {
  (void)state;
  static simulate_job_t job;
  static simulate_result_t forward, backward;
  trouble_t trouble = {0};
  load_system(&job, "examples/two_speeds");
  set_value(&job, "gpu.sms", "8");
  set_value(&job, "offload.ratio", "0.7");
  set_workload(&job, "saxpy", "9001");
  assert_true(system_make_engines(&job.system));
  for (unsigned i = 0; i < 2; i++)
    if (!system_set_engine(&job.system, i ? "net.router=lockstep" : "nsu=lockstep", &trouble))
      fail_msg("%s", trouble.text);
  simulate(&job, &forward);
  job.system.reversed = true;
  simulate(&job, &backward);
  expect_right(&forward);
  expect_right(&backward);
  uint64_t compared[3] = {0}; /* fast, slow, routers */
  for (unsigned f = 0; f < 3; f++) {
    const unsigned family = GPU_HARDWARE + f;
    assert_int_equal(forward.stats.instances[family], f < 2 ? 4 : 8);
    for (unsigned k = 0; k < forward.stats.instances[family]; k++) {
      assert_false(forward.stats.instance[family][k].diverged);
      assert_true(forward.stats.instance[family][k].compared > 0);
      compared[f] += forward.stats.instance[family][k].compared;
    }
  }
  /* cycles of 700 and of 350 MHz */
  assert_true(compared[0] > 19 * compared[1] / 10 && compared[0] < 21 * compared[1] / 10);
  const nsu_node_stats_t *fast = counts_of(&job, &forward, "fast"), *slow = counts_of(&job, &forward, "slow");
  assert_true(fast->instructions > 0 && slow->instructions > 0);
  assert_true(fast->clock_cycles > 19 * slow->clock_cycles / 10 && fast->clock_cycles < 21 * slow->clock_cycles / 10);
  expect_same(&forward, &backward);
  system_free_engines(&job.system);
}

/* Every credit is home and nothing is in flight when a kernel has ended: NSUs saw as many blocks
 * as the GPU offloaded. vadd has a block for each warp of 32 of its 10000 elements, and every
 * request has one answer. */
static void test_counts_agree(void **state) {
  (void)state;
  static simulate_job_t job;
  static simulate_result_t result;
  make_job(&job, "vadd", "10000");
  simulate(&job, &result);
  expect_right(&result);
  const gpu_stats_t *g = counts_of(&job, &result, "gpu");
  assert_int_equal(g->blocks_offloaded + g->blocks_kept, (10000 + 31) / 32);
  assert_int_equal(g->sent_packets[PKT_CMD], g->blocks_offloaded);
  assert_int_equal(g->got_packets[PKT_OFLD_ACK], g->blocks_offloaded);
  assert_int_equal(g->sent_packets[PKT_READ], g->got_packets[PKT_READ_RESP]);
  assert_int_equal(g->sent_packets[PKT_WRITE], g->got_packets[PKT_WRITE_ACK]);
}

/* An object of another block under the expected name ends the run with status 3. While only
 * models run, the objects with RTL are not looked at. */
static void test_wrong_object(void **state) {
  static const char objects[] = LOCKSTACK_BINARY_DIR "/tests/wrong_lsu",
                    lsu[] = LOCKSTACK_BINARY_DIR "/tests/wrong_lsu/lsu_ext.so";
  (void)state;
  static simulate_job_t job;
  static simulate_result_t result;
  load_system(&job, "configs/mpu");
  set_value(&job, "mpu.cubes_x", "1");
  set_value(&job, "mpu.cubes_y", "1");
  set_workload(&job, "vadd", "100");
  job.system.places.objects = objects;
  mkdir(objects, 0777); /* stays, with the models that are built there: a folder without objects is no error */
  unlink(lsu);
  simulate(&job, &result);
  assert_int_equal(result.trouble.kind, 0);
  assert_true(system_make_engines(&job.system));
  job.system.engine[0][3] = ENGINE_RTL; /* lsu_ext[3]: now it is the object with RTL that is taken */
  assert_int_equal(symlink(LOCKSTACK_BINARY_DIR "/dut/arb_rr.so", lsu), 0);
  simulate(&job, &result);
  assert_int_equal(result.trouble.kind, 3);
  assert_non_null(strstr(result.trouble.text, "not the lsu_ext that the machine was compiled for: another block"));
}

static volatile sig_atomic_t stop = 1;

/* An interrupted simulation is an environment's trouble, status 3, not a failure. */
static void test_interrupted(void **state) {
  (void)state;
  static simulate_job_t job;
  static simulate_result_t result;
  make_job(&job, "vadd", "100000");
  job.system.interrupted = &stop;
  simulate(&job, &result);
  assert_int_equal(result.trouble.kind, 3);
  assert_string_equal(result.trouble.text, "interrupted");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_order),        cmocka_unit_test(test_mpu_order),  cmocka_unit_test(test_own),
      cmocka_unit_test(test_counts_agree), cmocka_unit_test(test_counts_fit), cmocka_unit_test(test_wrong_object),
      cmocka_unit_test(test_interrupted),  cmocka_unit_test(test_port_order), cmocka_unit_test(test_dynamic_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
