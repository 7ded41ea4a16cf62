/* SPDX-License-Identifier: Apache-2.0
 *
 * Who decides on offload blocks, with engines that are the test's: what they are told, in which
 * cycle, and what is made of their outputs.
 */
#include "offload_decision.h"

#include <string.h>

#include "block_engine.h"
#include "gpu_rig.h"
#include "ofld_ratio_ports.h"
#include "unit_test.h"

enum { SMS = 3, BLOCKS = 70 };

/* ---- An ofld_ratio that says what the test wants --------------------------------------------- */

/* Outputs, inputs of the last cycle, cycles, instructions that it was told in all. */
static ofld_ratio_out_t ratio_says;
static ofld_ratio_in_t ratio_got;
static uint64_t ratio_steps, ratio_told;
static const char *broken;
static unsigned open_now;
static bool refuses;

/* The engine's calls; its state is zero when it is opened. */
static bool ratio_open(void *state, const void *context, unsigned instance) {
  (void)context;
  assert_int_equal(*(uint64_t *)state, 0);
  assert_int_equal(instance, 0);
  open_now += !refuses;
  return !refuses;
}

static const void *ratio_out(void *state) {
  (void)state;
  return &ratio_says;
}

static void ratio_step(void *state, const void *in) {
  (void)state;
  ratio_got = *(const ofld_ratio_in_t *)in;
  ratio_steps++;
  ratio_told += ratio_got.done_valid ? ratio_got.done_instrs : 0;
}

static const char *ratio_failed(const void *state) {
  (void)state;
  return broken;
}

static void ratio_close(void *state) {
  (void)state;
  open_now--;
}

static const block_engine_t ratio = {.name = "test",
                                     .state_size = sizeof(uint64_t),
                                     .open = ratio_open,
                                     .out = ratio_out,
                                     .step = ratio_step,
                                     .failed = ratio_failed,
                                     .close = ratio_close};
static const block_engine_t *const ratios[] = {&ratio};

/* ---- An instance of the decision, alone ------------------------------------------------------ */

static gpu_config_t config;
static gpu_stats_t stats;
static trouble_t fault;
static gpu_shared_t shared;
static offload_decision_t d;

/* A threshold of 1000 in 2^32, a ratio of 2. */
static void configure_policy(unsigned policy) {
  config = gpu_config_default();
  config.num_sms = SMS;
  config.offload_policy = policy;
  stats = (gpu_stats_t){0}, fault = (trouble_t){0};
  ratio_says = (ofld_ratio_out_t){.ratio = 2, .threshold = 1000};
  ratio_steps = ratio_told = 0, broken = NULL, refuses = false;
  shared = (gpu_shared_t){
      .config = &config, .stats = &stats, .fault = &fault, .engine = {[GPU_HARDWARE_ofld_ratio] = ratios}};
}

/* Before each test: the dynamic policy, with 70 blocks. */
static int open_decision(void **state) {
  (void)state;
  configure_policy(GPU_OFFLOAD_dynamic);
  return offload_decision_init(&d, &shared) || offload_decision_load(&d, BLOCKS);
}

/* Fails if the instance is still open. */
static int close_decision(void **state) {
  (void)state;
  offload_decision_deinit(&d);
  return (int)open_now;
}

/* The draw's 32 high bits against the threshold, also
 * the one that was there before the first cycle. */
static void test_draws(void **state) {
  (void)state;
  assert_true(offload_decision_take(&d, 7, UINT64_C(999) << 32 | UINT32_MAX));
  assert_false(offload_decision_take(&d, 7, UINT64_C(1000) << 32));
  ratio_says.threshold = 0;
  assert_true(offload_decision_take(&d, 7, 0));
  offload_decision_tick(&d);
  assert_false(offload_decision_take(&d, 7, 0));
  ratio_says.threshold = UINT64_C(1) << 32;
  offload_decision_tick(&d);
  assert_true(offload_decision_take(&d, 8, UINT64_MAX));
  assert_int_equal(d.blocks[7].offloaded, 2);
  assert_int_equal(d.blocks[7].kept, 2);
  assert_int_equal(d.blocks[8].offloaded, 1);
  assert_int_equal(d.blocks[8].suppressed, 0);
  assert_int_equal(stats.blocks_offloaded, 3);
  assert_int_equal(stats.blocks_kept, 2);
}

/* Round-robin, one SM a cycle, what a cycle can tell; nothing is lost.
 * SM 1 has 5 + 6. A cycle tells 65535 at most, so SM 2 needs three. */
static void test_told(void **state) {
  (void)state;
  offload_decision_ended(&d, 1, 5);
  offload_decision_ended(&d, 2, 65535);
  offload_decision_ended(&d, 2, 65535);
  offload_decision_ended(&d, 2, 3);
  offload_decision_ended(&d, 1, 6);
  static const unsigned told[] = {0, 11, 65535, 0, 0, 65535, 0, 0, 3, 0, 0, 0};
  for (unsigned t = 0; t < sizeof told / sizeof *told; t++) {
    offload_decision_tick(&d);
    assert_int_equal(ratio_got.run, 1);
    assert_int_equal(ratio_got.done_valid, told[t] != 0);
    assert_int_equal(ratio_got.done_instrs, told[t]);
  }
  assert_int_equal(ratio_steps, 12);
}

/* More epochs than there was room for at first: each with the ratio that it had. */
static void test_epochs(void **state) {
  enum { EPOCHS = 200, CYCLES = 3 };
  (void)state;
  for (unsigned e = 0; e < EPOCHS; e++) {
    for (unsigned t = 0; t < CYCLES; t++) {
      stats.core_cycles++;
      ratio_says.epoch_end = e > 0 && t == 0;
      ratio_says.probe_prev = 10 * e;
      ratio_says.ratio = e % 21;
      offload_decision_tick(&d);
      offload_decision_take(&d, 0, t ? UINT64_MAX : 0);
    }
  }
  assert_int_equal(d.num_epochs, EPOCHS - 1);
  for (unsigned e = 0; e + 1 < EPOCHS; e++) {
    const gpu_epoch_t want = {.cycle = CYCLES * (e + 1) + 1,
                              .ratio = e % 21,
                              .instructions = 10 * (e + 1),
                              .offloaded = 1,
                              .kept = CYCLES - 1};
    assert_memory_equal(&d.epochs[e], &want, sizeof want);
  }
}

/* What the engine says of itself is the GPU's fault. */
static void test_broken(void **state) {
  (void)state;
  offload_decision_tick(&d);
  assert_int_equal(fault.kind, 0);
  broken = "an assertion of the RTL";
  offload_decision_tick(&d);
  assert_int_equal(fault.kind, 1);
  assert_string_equal(fault.text, broken);
}

/* Without instances: a share of all draws, none of 0, all of 1. Of
 * 4000 draws 120 more or less are about four standard deviations. */
static void test_static(void **state) {
  uint64_t seed = 5;
  (void)state;
  configure_policy(GPU_OFFLOAD_static);
  shared.engine[GPU_HARDWARE_ofld_ratio] = NULL;
  assert_int_equal(offload_decision_init(&d, &shared) || offload_decision_load(&d, BLOCKS), 0);
  for (unsigned r = 0; r <= 4; r++) {
    const uint64_t before = stats.blocks_offloaded;
    config.nsu.ratio = r / 4.0;
    for (unsigned i = 0; i < 4000; i++) offload_decision_take(&d, i % BLOCKS, test_random(&seed));
    const uint64_t gone = stats.blocks_offloaded - before;
    if (r % 4) assert_in_range(gone, 1000 * r - 120, 1000 * r + 120);
    else assert_int_equal(gone, 1000 * r);
  }
  offload_decision_ended(&d, 0, 9);
  offload_decision_tick(&d);
  assert_int_equal(d.num_epochs, 0);
  offload_decision_deinit(&d);
}

/* It is then not closed either. */
static void test_an_engine_that_cannot_be_opened(void **state) {
  (void)state;
  configure_policy(GPU_OFFLOAD_dynamic);
  refuses = true;
  assert_int_equal(offload_decision_init(&d, &shared), -1);
  offload_decision_deinit(&d);
  assert_int_equal(open_now, 0);
}

/* ---- In a GPU -------------------------------------------------------------------------------- */

/* A block of five instructions: two loads, a product,
 * a sum, a store; each warp goes through it twice. */
static const char kernel[] =
    ".version 6.0\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"
    ".reg .pred %p<4>;\n.reg .b32 %r<16>;\n.reg .b64 %d<8>;\n"
    "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\nmad.lo.s32 %r1, %r2, %r3, %r4;\n"
    "mul.wide.u32 %d1, %r1, 4;\nld.param.u64 %d2, [a];\nadd.s64 %d3, %d2, %d1;\nmov.u32 %r10, 0;\n"
    "$again:\n"
    "ld.global.u32 %r5, [%d3];\nld.global.u32 %r6, [%d3+4096];\nmul.lo.s32 %r7, %r6, 7;\nadd.s32 %r8, %r7, %r5;\n"
    "st.global.u32 [%d3+8192], %r8;\n"
    "add.s32 %r10, %r10, 1;\nsetp.lt.u32 %p1, %r10, 2;\n@%p1 bra $again;\nret;\n}\n";

enum { CTAS = 8, THREADS = 96, WARPS = CTAS * THREADS / 32, N = CTAS * THREADS };

/* The kernel's one block after two launches; results are held to the host's. */
static gpu_block_t run_with_threshold(uint64_t threshold) {
  uint32_t data[3072] = {0}, want[3072];
  uint64_t seed = 3, a;
  configure_policy(GPU_OFFLOAD_dynamic);
  gpu_parts_t parts = gpu_parts_of(&config);
  parts.engine[GPU_HARDWARE_ofld_ratio] = ratios;
  ratio_says.threshold = threshold;
  gpu_rig_t *r = rig_new_of(&config, &parts, kernel, sizeof kernel - 1, "twice.ptx", true);
  if (r->err.kind) fail_msg("%s", r->err.text);
  for (unsigned i = 0; i < 2048; i++) data[i] = (uint32_t)test_random(&seed);
  a = gpu_malloc(r->gpu, sizeof data, &r->err);
  gpu_copy_in(r->gpu, a, data, sizeof data, &r->err);
  const gpu_launch_t l = {.grid = {CTAS, 1, 1}, .block = {THREADS, 1, 1}, .params = &a, .param_bytes = sizeof a};
  for (unsigned i = 0; i < 2; i++)
    if (rig_run(r, &l, 100000)) fail_msg("%s", r->err.text);
  if (r->broken) fail_msg("%s", r->broken);
  memcpy(want, data, sizeof want);
  for (unsigned i = 0; i < N; i++) want[2048 + i] = data[i] + 7 * data[1024 + i];
  gpu_copy_out(r->gpu, data, a, sizeof data, &r->err);
  assert_memory_equal(data, want, sizeof data);
  const gpu_log_t log = gpu_log(r->gpu);
  assert_int_equal(log.blocks, 1);
  const gpu_block_t block = log.block[0];
  rig_free(r);
  return block;
}

/* Wherever blocks run, what they are worth is told once; two
 * launches add up. Each warp has two blocks a launch, of two loads. */
static void test_same_work(void **state) {
  (void)state;
  const gpu_block_t kept = run_with_threshold(0);
  const uint64_t told = ratio_told;
  assert_int_equal(kept.kept, 4 * WARPS);
  assert_int_equal(kept.offloaded + kept.rdf, 0);
  assert_true(told >= 5 * 4 * WARPS && told % (4 * WARPS) == 0); /* five and what lies between them */
  const gpu_block_t gone = run_with_threshold(UINT64_C(1) << 32);
  assert_int_equal(ratio_told, told);
  assert_int_equal(gone.offloaded, 4 * WARPS);
  assert_int_equal(gone.kept, 0);
  assert_int_equal(gone.rdf, 2 * gone.offloaded);
  assert_true(gone.rdf_hits <= gone.rdf && (gone.rdf_hits == 0) == (gone.rdf_hit_bytes == 0));
  const gpu_block_t half = run_with_threshold(UINT64_C(1) << 31);
  assert_int_equal(ratio_told, told);
  assert_int_equal(half.offloaded + half.kept, 4 * WARPS);
  assert_true(half.offloaded > 0 && half.kept > 0);
}

/* Policies that cannot work without their hardware say which is missing. */
static void test_needs_it(void **state) {
  trouble_t err = {0};
  (void)state;
  configure_policy(GPU_OFFLOAD_dynamic_cache);
  gpu_parts_t parts = gpu_parts_of(&config);
  assert_null(gpu_new_of(&config, &parts, NULL, NULL, &err));
  assert_string_equal(err.text, "offload policy dynamic_cache needs an instance of ofld_ratio");
  err = (trouble_t){0};
  parts.engine[GPU_HARDWARE_ofld_ratio] = ratios;
  assert_null(gpu_new_of(&config, &parts, NULL, NULL, &err));
  assert_string_equal(err.text, "offload policy dynamic_cache needs an instance of ofld_score");
  assert_int_equal(err.kind, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_draws, open_decision, close_decision),
                                     cmocka_unit_test_setup_teardown(test_told, open_decision, close_decision),
                                     cmocka_unit_test_setup_teardown(test_epochs, open_decision, close_decision),
                                     cmocka_unit_test_setup_teardown(test_broken, open_decision, close_decision),
                                     cmocka_unit_test(test_static),
                                     cmocka_unit_test(test_an_engine_that_cannot_be_opened),
                                     cmocka_unit_test(test_same_work),
                                     cmocka_unit_test(test_needs_it)};
  return cmocka_run_group_tests_name("offload_decision", tests, NULL, NULL);
}
