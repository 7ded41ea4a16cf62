/* SPDX-License-Identifier: Apache-2.0
 *
 * The controller's firmware on the golden model of its core, next to the golden model of the block
 * ofld_ratio. Both must decide the same ratio after each epoch, on machines worked out by hand and
 * on many random epochs. Further rules: which accesses the bus around the core refuses, how epochs
 * that the core misses are counted, and that a broken firmware is noticed.
 */
#include "unit_test.h"

#include <string.h>

#include "ctrl.h"
#include "model_engine.h"
#include "ofld_ratio.h"
#include "ratio_image.h"
#include "ratio_machines.h"
#include "rv_core.h"

enum { MOST_CYCLES = 2000 }; /* of a decision */

static const ctrl_settings_t settings = {Init, StepInit, StepMin, StepMax, Window, MoveBy};

static const model_port_t ports[] = {{0}};
MODEL_ENGINE(rv_core, ports)

static state_t core;
static ctrl_t ctrl;
static ofld_ratio_t block;

/* Runs the core until it sleeps. Fails if a decision takes too long, or if the firmware traps. */
static void settle_ctrl(void) {
  for (unsigned n = 0; !ctrl_idle(&ctrl); n++) {
    assert_true(n < MOST_CYCLES);
    ctrl_cycle(&ctrl);
  }
  assert_false(ctrl_failed(&ctrl));
}

/* The controller after reset, with this image in its ROM. */
static void reset_ctrl(const uint32_t *image, unsigned words) {
  memset(&core, 0, sizeof core);
  assert_true(engine.open(&core, NULL, 0));
  ctrl_reset(&ctrl, &engine, &core, image, words, &settings);
}

/* Both sides before their first epoch; the firmware has done its set-up. */
static void begin_both(void) {
  reset_ctrl(ratio_image, ratio_image_words);
  settle_ctrl();
  ofld_ratio_reset(&block);
}

/* The block's ratio in this cycle. */
static unsigned block_ratio(void) {
  ofld_ratio_out_t out;
  ofld_ratio_eval(&block, &(ofld_ratio_in_t){0}, &out);
  return (unsigned)out.ratio;
}

/* An epoch with these instructions on both sides. The block's epoch is one cycle; cycles before
 * it add what does not fit into its 16 bits. */
static void run_epoch(uint32_t instrs) {
  ctrl_epoch_end(&ctrl, instrs);
  assert_true(ctrl_deciding(&ctrl));
  settle_ctrl();
  while (instrs > 0xffff) {
    ofld_ratio_step(&block, &(ofld_ratio_in_t){.done_valid = 1, .done_instrs = 0xffff});
    instrs -= 0xffff;
  }
  ofld_ratio_step(&block, &(ofld_ratio_in_t){.run = 1, .done_valid = 1, .done_instrs = instrs});
  ofld_ratio_step(&block, &(ofld_ratio_in_t){0});
}

/* --- Machines */

/* The machines of ratio_machines.def, whose ratios are worked out by hand for the default
 * settings. */
static void test_traces(void **state) {
  (void)state;
  if (Window != 4 || MoveBy) skip();
  for (unsigned m = 0; m < RATIO_MACHINES; m++) {
    begin_both();
    assert_int_equal(ctrl_ratio(&ctrl), Init);
    for (unsigned e = 0; e < ratio_machines[m].epochs; e++) {
      run_epoch(ratio_machines[m].instructions(ctrl_ratio(&ctrl), e));
      assert_int_equal(ctrl_ratio(&ctrl), ratio_machines[m].ratio[e]);
      assert_int_equal(block_ratio(), ratio_machines[m].ratio[e]);
    }
  }
}

/* 100000 epochs of an IPC that drifts; each of the 21 ratios must occur. */
static void test_many(void **state) {
  uint64_t seed = 1;
  unsigned at[21] = {0}, instrs = 1000;
  (void)state;
  begin_both();
  for (unsigned e = 0; e < 100000; e++) {
    instrs = ratio_machine_drifts(&seed, e, instrs);
    run_epoch(instrs);
    assert_int_equal(ctrl_ratio(&ctrl), block_ratio());
    at[ctrl_ratio(&ctrl)]++;
  }
  for (unsigned i = 0; i <= 20; i++) assert_true(at[i] > 0);
}

/* Asleep, cycles change nothing but mcycle. */
static void test_rest(void **state) {
  static ctrl_t ctrl_before;
  static rv_core_t core_before;
  (void)state;
  begin_both();
  assert_true(rv_core_quiet(&core.model));
  ctrl_before = ctrl, core_before = core.model;
  for (unsigned i = 0; i < 1000; i++) ctrl_cycle(&ctrl);
  assert_memory_equal(&ctrl_before, &ctrl, sizeof ctrl);
  core_before.csr.mcycle += 1000;
  assert_memory_equal(&core_before, &core.model, sizeof core_before);
}

/* Counts of 32 bits are compared without a sign: 0x80000000 is more than 0x7fffffff. The ratio
 * moves by 3 steps of 5 %. A lower count turns its direction, a higher one keeps it. */
static void test_large(void **state) {
  static const uint32_t sums[] = {1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffff, 0xffffffff};
  static const unsigned ratio[] = {2, 5, 8, 11, 8, 5};
  (void)state;
  if (Window != 4 || MoveBy) skip();
  begin_both();
  for (unsigned i = 0; i < 6; i++) {
    ctrl_epoch_end(&ctrl, sums[i]);
    settle_ctrl();
    assert_int_equal(ctrl_ratio(&ctrl), ratio[i]);
  }
}

/* The comparison can fail: the two sides get different epochs. */
static void test_fires(void **state) {
  (void)state;
  begin_both();
  for (unsigned e = 0; e < 3; e++) {
    run_epoch(10 + e);
    ctrl_epoch_end(&ctrl, 5);
    settle_ctrl();
  }
  assert_int_not_equal(ctrl_ratio(&ctrl), block_ratio());
}

/* --- The bus */

static ctrl_bus_t bus;

/* One access of the core to the bus, answered in the next cycle. */
static ctrl_answer_t access_bus(uint32_t address, bool write, unsigned mask, uint32_t data) {
  const rv_core_out_t out = {
      .dm_req_valid = 1, .dm_req_write = write, .dm_req_addr = address, .dm_req_mask = mask, .dm_req_data = data};
  rv_core_in_t in;
  ctrl_bus_in(&bus, &in);
  assert_true(in.dm_req_ready && !in.dm_rsp_valid);
  ctrl_bus_step(&bus, &in, &out);
  ctrl_bus_in(&bus, &in);
  const ctrl_answer_t answer = {.valid = in.dm_rsp_valid, .err = in.dm_rsp_err, .data = (uint32_t)in.dm_rsp_data};
  ctrl_bus_step(&bus, &in, &(rv_core_out_t){.dm_rsp_ready = 1});
  assert_true(answer.valid);
  return answer;
}

/* Reads a word that must be readable. */
static uint32_t read_word(uint32_t address) {
  const ctrl_answer_t a = access_bus(address, false, 15, 0);
  assert_false(a.err);
  return a.data;
}

/* First and last word of each range answer, their neighbours are errors. The ROM cannot be
 * written; the RAM is written by bytes (mask 6: bytes 1 and 2). */
static void test_map(void **state) {
  static const uint32_t image[] = {0x11111111, 0x22222222};
  (void)state;
  ctrl_bus_reset(&bus, image, 2, &settings);
  assert_int_equal(read_word(CTRL_ROM + 4), 0x22222222);
  assert_int_equal(read_word(CTRL_ROM + CTRL_ROM_BYTES - 4), 0);
  assert_true(access_bus(CTRL_ROM + CTRL_ROM_BYTES, false, 15, 0).err);
  assert_true(access_bus(CTRL_ROM, true, 15, 0).err);
  assert_false(access_bus(CTRL_RAM + CTRL_RAM_BYTES - 4, true, 15, 0x44332211).err);
  assert_false(access_bus(CTRL_RAM + CTRL_RAM_BYTES - 4, true, 6, 0x88776655).err);
  assert_int_equal(read_word(CTRL_RAM + CTRL_RAM_BYTES - 4), 0x44776611);
  assert_true(access_bus(CTRL_RAM + CTRL_RAM_BYTES, false, 15, 0).err);
  assert_true(access_bus(CTRL_RAM - 4, true, 15, 0).err);
  assert_true(access_bus(CTRL_RATIO + 4, false, 15, 0).err);
  assert_true(access_bus(CTRL_INIT - 4, false, 15, 0).err);
  assert_true(access_bus(CTRL_MOVE_BY + 4, false, 15, 0).err);
}

/* The registers of an epoch: its number, its count, the count before. A ratio above 20 is
 * refused and is no decision. Writing the epoch's register ends the interrupt. */
static void test_registers(void **state) {
  rv_core_in_t in;
  (void)state;
  ctrl_bus_reset(&bus, NULL, 0, &settings);
  ctrl_bus_epoch_end(&bus, 7);
  assert_int_equal(read_word(CTRL_EPOCH), 1);
  assert_int_equal(read_word(CTRL_COUNT), 7);
  assert_int_equal(read_word(CTRL_PREV), 0);
  assert_false(access_bus(CTRL_EPOCH, true, 15, 0).err);
  ctrl_bus_epoch_end(&bus, 9);
  ctrl_bus_in(&bus, &in);
  assert_int_equal(in.irq, 1);
  assert_int_equal(read_word(CTRL_EPOCH), 2);
  assert_int_equal(read_word(CTRL_COUNT), 9);
  assert_int_equal(read_word(CTRL_PREV), 7);
  assert_true(access_bus(CTRL_EPOCH, true, 1, 0).err);
  assert_true(access_bus(CTRL_COUNT, true, 15, 0).err);
  assert_true(access_bus(CTRL_PREV, true, 15, 0).err);
  assert_true(access_bus(CTRL_RATIO, true, 15, 21).err);
  assert_int_equal(read_word(CTRL_RATIO), 0);
  assert_int_equal(bus.decisions, 0);
  assert_false(access_bus(CTRL_RATIO, true, 15, 20).err);
  assert_int_equal(read_word(CTRL_RATIO), 20);
  assert_int_equal(bus.decisions, 1);
  assert_false(access_bus(CTRL_EPOCH, true, 15, 0).err);
  ctrl_bus_in(&bus, &in);
  assert_int_equal(in.irq, 0);
}

/* The settings can be read at their addresses and never be written. */
static void test_settings(void **state) {
  static const uint32_t at[] = {CTRL_INIT, CTRL_STEP_INIT, CTRL_STEP_MIN, CTRL_STEP_MAX, CTRL_WINDOW, CTRL_MOVE_BY};
  (void)state;
  ctrl_bus_reset(&bus, NULL, 0, &(ctrl_settings_t){11, 12, 13, 14, 15, 16});
  for (unsigned i = 0; i < 6; i++) {
    assert_int_equal(read_word(at[i]), 11 + i);
    assert_true(access_bus(at[i], true, 15, 0).err);
  }
}

/* Until the interrupt is over the registers hold still. The count of a missed epoch becomes the
 * previous count of the next one. */
static void test_missed(void **state) {
  (void)state;
  ctrl_bus_reset(&bus, NULL, 0, &settings);
  ctrl_bus_epoch_end(&bus, 7);
  ctrl_bus_epoch_end(&bus, 8);
  ctrl_bus_epoch_end(&bus, 9);
  assert_int_equal(read_word(CTRL_EPOCH), 1);
  assert_int_equal(read_word(CTRL_COUNT), 7);
  assert_int_equal(read_word(CTRL_PREV), 0);
  assert_int_equal(bus.missed, 2);
  assert_false(access_bus(CTRL_EPOCH, true, 15, 0).err);
  ctrl_bus_epoch_end(&bus, 10);
  assert_int_equal(read_word(CTRL_EPOCH), 4);
  assert_int_equal(read_word(CTRL_COUNT), 10);
  assert_int_equal(read_word(CTRL_PREV), 9);
  assert_int_equal(bus.missed, 2);
}

/* An empty image: its first word is no instruction, and the trap is reported. */
static void test_broken(void **state) {
  (void)state;
  reset_ctrl(NULL, 0);
  assert_false(ctrl_failed(&ctrl));
  for (unsigned i = 0; i < 10; i++) ctrl_cycle(&ctrl);
  assert_true(ctrl_failed(&ctrl));
  assert_int_equal(ctrl.trap.pc, CTRL_ROM);
  assert_int_equal(ctrl.trap.cause, RV_CAUSE_ILLEGAL);
  assert_int_equal(ctrl.trap.tval, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_traces),    cmocka_unit_test(test_many),     cmocka_unit_test(test_rest),
      cmocka_unit_test(test_large),     cmocka_unit_test(test_fires),    cmocka_unit_test(test_map),
      cmocka_unit_test(test_registers), cmocka_unit_test(test_settings), cmocka_unit_test(test_missed),
      cmocka_unit_test(test_broken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
