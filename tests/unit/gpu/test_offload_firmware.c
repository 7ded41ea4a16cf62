/* SPDX-License-Identifier: Apache-2.0
 *
 * Firmware in the place of ofld_ratio, as an engine: beside the golden model of the block, cycle by
 * cycle, where its decisions take no time; when its store comes, by a clock of its own; epochs that
 * it misses; and each way in which it can break, told and not waited for.
 */
#include "offload_firmware.h"

#include <string.h>

#include "model_engine.h"
#include "ofld_ratio.h"
#include "ratio_image.h"
#include "rv_core.h"
#include "unit_test.h"

/* Instructions: j here; ebreak; wfi; j 4 back. */
enum { J_SELF = 0x0000006f, EBREAK = 0x00100073, WFI = 0x10500073, LOOP_BACK = 0xffdff06f };

static const model_port_t ports[] = {{0}};
MODEL_ENGINE(rv_core, ports)

static offload_firmware_t f;
static offload_firmware_t *state;

/* The settings of the golden model, ofld_ratio.
 * limit: cycles after which it counts as hanging. */
static offload_firmware_config_t firmware_config(const uint32_t *image, unsigned words) {
  return (offload_firmware_config_t){.image = image,
                                     .words = words,
                                     .settings = {Init, StepInit, StepMin, StepMax, Window, MoveBy},
                                     .epoch_cycles = EpochCycles,
                                     .divider = 1,
                                     .limit = 100000};
}

/* The engine on a core that is the golden model of rv_core. */
static void open_firmware(const offload_firmware_config_t *config) {
  offload_firmware_init(&f, config);
  assert_int_equal(f.engine.state_size, sizeof state);
  state = NULL;
  offload_firmware_core(&f, rv_core_engines);
  assert_true(f.engine.open(&state, f.engine.context, 0));
}

static void close_firmware(void) {
  f.engine.close(&state);
  offload_firmware_deinit(&f);
}

/* The engine's calls. */
static const ofld_ratio_out_t *firmware_out(void) {
  return f.engine.out(&state);
}

static void step_firmware(const ofld_ratio_in_t *in) {
  f.engine.step(&state, in);
}

static const char *firmware_failure(void) {
  return f.engine.failed(&state);
}

/* So many cycles of running in which one instruction ends each. */
static void run_busy_cycles(unsigned cycles) {
  for (unsigned t = 0; t < cycles && !firmware_failure(); t++)
    step_firmware(&(ofld_ratio_in_t){.run = 1, .done_valid = 1, .done_instrs = 1});
}

/* All but what the firmware keeps to itself. */
static void expect_same_outputs(const ofld_ratio_t *block) {
  ofld_ratio_out_t b;
  ofld_ratio_eval(block, &(ofld_ratio_in_t){0}, &b);
  assert_int_equal(firmware_out()->ratio, b.ratio);
  assert_int_equal(firmware_out()->threshold, b.threshold);
  assert_int_equal(firmware_out()->epoch_end, b.epoch_end);
  assert_int_equal(firmware_out()->probe_count, b.probe_count);
  assert_int_equal(firmware_out()->probe_cycle, b.probe_cycle);
  assert_int_equal(firmware_out()->probe_known, b.probe_known);
  if (b.probe_known) assert_int_equal(firmware_out()->probe_prev, b.probe_prev);
}

/* Every output in every cycle, until all ratios have been seen.
 * Run is off in one of 16 cycles, so epochs are that much longer. */
static void test_at_once(void **unused) {
  static ofld_ratio_t block;
  offload_firmware_config_t config = firmware_config(ratio_image, ratio_image_words);
  uint64_t seed = 7;
  unsigned ratios[CTRL_RATIO_ALL + 1] = {0};
  (void)unused;
  config.at_once = true;
  open_firmware(&config);
  ofld_ratio_reset(&block);
  for (unsigned t = 0; t < 600000; t++) {
    const uint64_t r = test_random(&seed);
    const ofld_ratio_in_t in = {.run = r % 16 > 0, .done_valid = r >> 4 & 1, .done_instrs = r >> 48 >> (t / 5000 % 16)};
    expect_same_outputs(&block);
    ratios[firmware_out()->ratio]++;
    step_firmware(&in);
    ofld_ratio_step(&block, &in);
  }
  assert_null(firmware_failure());
  for (unsigned i = 0; i <= CTRL_RATIO_ALL; i++) assert_true(ratios[i] > 0);
  for (unsigned i = 0; i < f.decisions; i++)
    assert_true(f.decision[i].epoch == i + 1 && f.decision[i].cycles == 0 && f.decision[i].missed == 0);
  assert_in_range(f.decisions, 600000 / EpochCycles * 9 / 10, 600000 / EpochCycles);
  close_firmware();
}

/* A sum stays at its highest value: 65537 times 65535 is 2^32 - 1. */
static void test_full(void **unused) {
  offload_firmware_config_t config = firmware_config(ratio_image, ratio_image_words);
  (void)unused;
  config.at_once = true;
  open_firmware(&config);
  for (unsigned t = 0; t < 65540; t++) step_firmware(&(ofld_ratio_in_t){.done_valid = 1, .done_instrs = 0xffff});
  assert_int_equal(firmware_out()->probe_count, UINT32_MAX);
  run_busy_cycles(EpochCycles + 1);
  assert_int_equal(f.decision[0].instructions, UINT32_MAX);
  close_firmware();
}

/* 0 until the firmware has started; then what it stores, in the
 * cycle behind its store: `cycles` behind the epoch's end. */
static void check_store_time(unsigned divider) {
  offload_firmware_config_t config = firmware_config(ratio_image, ratio_image_words);
  unsigned t = 0, epoch_end = 0, late = 0;
  config.divider = divider;
  config.epoch_cycles = 1000 * divider;
  open_firmware(&config);
  assert_int_equal(firmware_out()->ratio, 0);
  for (; !firmware_out()->ratio; t++) run_busy_cycles(1);
  assert_int_equal(firmware_out()->ratio, Init);
  assert_true(t > 100 * divider && t < 1000 * divider);
  for (; f.decisions < 2; t++) {
    const unsigned before = (unsigned)firmware_out()->ratio;
    run_busy_cycles(1);
    if (firmware_out()->epoch_end) epoch_end = t;
    if (firmware_out()->ratio != before) late = t - epoch_end;
  }
  assert_int_equal(firmware_out()->ratio, Init + StepInit);
  assert_int_equal(f.decision[0].epoch, 1);
  assert_int_equal(f.decision[0].ratio, Init);
  assert_int_equal(f.decision[1].epoch, 2);
  assert_int_equal(f.decision[1].ratio, Init + StepInit);
  assert_int_equal(f.decision[1].instructions, 1000 * divider);
  assert_int_equal(f.decision[1].cycles, late);
  assert_in_range(late, divider * (f.decision[1].controller_cycles - 20), divider * f.decision[1].controller_cycles);
  assert_in_range(f.decision[1].controller_cycles, 5 * f.decision[1].controller_instructions,
                  10 * f.decision[1].controller_instructions);
  close_firmware();
}

/* A controller as fast as the GPU, half as fast, a seventh. */
static void test_real(void **unused) {
  (void)unused;
  check_store_time(1);
  check_store_time(2);
  check_store_time(7);
}

/* Epochs of 100 cycles, decisions of several hundred:
 * each is counted, as decided on or as missed. */
static void test_missed(void **unused) {
  const offload_firmware_config_t config = firmware_config(ratio_image, ratio_image_words);
  (void)unused;
  open_firmware(&config);
  run_busy_cycles(20000);
  assert_null(firmware_failure());
  assert_true(f.decisions > 20 && f.decisions < 100);
  for (unsigned i = 1; i < f.decisions; i++) {
    assert_int_equal(f.decision[i].epoch, f.decision[i - 1].epoch + f.decision[i - 1].missed + 1);
    assert_int_equal(f.decision[i].instructions, EpochCycles);
    assert_true(f.decision[i].missed > 0);
    assert_int_equal(f.decision[i].cycles / EpochCycles, f.decision[i].missed);
  }
  close_firmware();
}

/* Without a core it cannot be opened; what a core's engine says of itself ends it. */
static bool broken;

/* The core's engine with a fault of the test's. */
static const char *core_failed(const void *core) {
  (void)core;
  return broken ? "rv_core[0]: an assertion" : NULL;
}

static void test_core(void **unused) {
  const offload_firmware_config_t config = firmware_config(ratio_image, ratio_image_words);
  block_engine_t breaking = engine;
  const block_engine_t *const cores[] = {&breaking};
  (void)unused;
  breaking.failed = core_failed;
  offload_firmware_init(&f, &config);
  state = NULL;
  assert_false(f.engine.open(&state, f.engine.context, 0));
  offload_firmware_core(&f, cores);
  assert_true(f.engine.open(&state, f.engine.context, 0));
  run_busy_cycles(10);
  assert_null(firmware_failure());
  broken = true;
  run_busy_cycles(1);
  assert_string_equal(firmware_failure(), "rv_core[0]: an assertion");
  broken = false;
  run_busy_cycles(1);
  assert_string_equal(firmware_failure(), "rv_core[0]: an assertion");
  close_firmware();
}

/* ---- Broken firmware ------------------------------------------------------------------------- */

/* It breaks within 10000 cycles, says how, and its outputs stay. */
static void expect_break(const uint32_t *image, unsigned words, bool at_once, const char *how) {
  offload_firmware_config_t config = firmware_config(image, words);
  config.limit = 3000;
  config.at_once = at_once;
  open_firmware(&config);
  run_busy_cycles(10000);
  assert_non_null(firmware_failure());
  assert_string_equal(firmware_failure(), how);
  const ofld_ratio_out_t last = *firmware_out();
  run_busy_cycles(10);
  assert_memory_equal(&last, firmware_out(), sizeof last);
  close_firmware();
}

#define BREAKS(at_once, how, ...)                                                                   \
  expect_break((const uint32_t[]){__VA_ARGS__}, sizeof(const uint32_t[]){__VA_ARGS__} / 4, at_once, \
               "firmware of the offload ratio: " how)

/* The message has pc, cause and value of the trap. */
static void test_traps(void **unused) {
  (void)unused;
  for (unsigned at_once = 0; at_once < 2; at_once++) {
    BREAKS(
        at_once,
        "trap at pc 0x00000000, mcause 2, mtval 0x00000000: no such instruction or control register, or it cannot be "
        "written",
        0);
    BREAKS(at_once, "trap at pc 0x00000000, mcause 3, mtval 0x00000000: EBREAK", EBREAK);
    /* lui a0, 0x40000; li a1, 21; sw a1, 12(a0): a ratio of 21 */
    BREAKS(at_once, "trap at pc 0x00000008, mcause 7, mtval 0x4000000c: nothing can be stored there", 0x40000537,
           0x01500593, 0x00b52623);
  }
}

/* A loop; a sleep that nothing ends; a handler that does not say that it is done. */
static void test_never_answers(void **unused) {
  (void)unused;
  BREAKS(false, "3000 cycles of the controller after epoch 1 its interrupt is not over; it is at pc 0x00000000",
         J_SELF);
  BREAKS(true, "3000 cycles of the controller after its reset it does not sleep; it is at pc 0x00000000", J_SELF);
  BREAKS(false, "3000 cycles of the controller after epoch 1 its interrupt is not over; it is at pc 0x00000000", WFI,
         LOOP_BACK);
  BREAKS(true, "3000 cycles of the controller after epoch 1 it does not sleep; it is at pc 0x00000000", WFI, LOOP_BACK);
  /* li t0, 0x20; csrw mtvec, t0; lui t1, 1; addi t1, t1, -2048; csrw
   * mie, t1; csrsi mstatus, 8; 0x18: wfi; j 0x18; the handler: j 0x20 */
  for (unsigned at_once = 0; at_once < 2; at_once++)
    expect_break(
        (const uint32_t[]){0x02000293, 0x30529073, 0x00001337, 0x80030313, 0x30431073, 0x30046073, WFI, LOOP_BACK,
                           J_SELF},
        9, at_once,
        at_once
            ? "firmware of the offload ratio: 3000 cycles of the controller after epoch 1 it does not sleep; it is at "
              "pc 0x00000020"
            : "firmware of the offload ratio: 3000 cycles of the controller after epoch 1 its interrupt is not over; "
              "it is at pc 0x00000020");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_at_once),      cmocka_unit_test(test_full),
                                     cmocka_unit_test(test_real),         cmocka_unit_test(test_core),
                                     cmocka_unit_test(test_missed),       cmocka_unit_test(test_traps),
                                     cmocka_unit_test(test_never_answers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
