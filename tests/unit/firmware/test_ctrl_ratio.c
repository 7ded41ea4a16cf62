/* SPDX-License-Identifier: Apache-2.0
 *
 * The controller's firmware, on the golden model of its core, beside the golden model of the block
 * ofld_ratio: the same ratio after each epoch, on machines that are worked out by hand and on many
 * random epochs. Also: what the bus around the core refuses, epochs that the core misses, and that
 * a broken firmware is seen.
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

static void settle(void) {
  for (unsigned n = 0; !ctrl_idle(&ctrl); n++) {
    assert_true(n < MOST_CYCLES);
    ctrl_cycle(&ctrl);
  }
  assert_false(ctrl_failed(&ctrl));
}

static void reset(const uint32_t *image, unsigned words) {
  memset(&core, 0, sizeof core);
  assert_true(engine.open(&core, NULL, 0));
  ctrl_reset(&ctrl, &engine, &core, image, words, &settings);
}

static void begin(void) {
  reset(ratio_image, ratio_image_words);
  settle();
  ofld_ratio_reset(&block);
}

static unsigned block_ratio(void) {
  ofld_ratio_out_t out;
  ofld_ratio_eval(&block, &(ofld_ratio_in_t){0}, &out);
  return (unsigned)out.ratio;
}

/* An epoch with these instructions, on both. The block's epoch is a cycle;
 * before it come those in which what does not fit in one is told. */
static void epoch(uint32_t instrs) {
  ctrl_epoch_end(&ctrl, instrs);
  assert_true(ctrl_deciding(&ctrl));
  settle();
  while (instrs > 0xffff) {
    ofld_ratio_step(&block, &(ofld_ratio_in_t){.done_valid = 1, .done_instrs = 0xffff});
    instrs -= 0xffff;
  }
  ofld_ratio_step(&block, &(ofld_ratio_in_t){.run = 1, .done_valid = 1, .done_instrs = instrs});
  ofld_ratio_step(&block, &(ofld_ratio_in_t){0});
}

/* --- Machines */

static void test_traces(void **state) {
  (void)state;
  if (Window != 4 || MoveBy) skip();
  for (unsigned m = 0; m < RATIO_MACHINES; m++) {
    begin();
    assert_int_equal(ctrl_ratio(&ctrl), Init);
    for (unsigned e = 0; e < ratio_machines[m].epochs; e++) {
      epoch(ratio_machines[m].instructions(ctrl_ratio(&ctrl), e));
      assert_int_equal(ctrl_ratio(&ctrl), ratio_machines[m].ratio[e]);
      assert_int_equal(block_ratio(), ratio_machines[m].ratio[e]);
    }
  }
}

static void test_many(void **state) {
  uint64_t seed = 1;
  unsigned at[21] = {0}, instrs = 1000;
  (void)state;
  begin();
  for (unsigned e = 0; e < 100000; e++) {
    instrs = ratio_machine_drifts(&seed, e, instrs);
    epoch(instrs);
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
  begin();
  assert_true(rv_core_quiet(&core.model));
  ctrl_before = ctrl, core_before = core.model;
  for (unsigned i = 0; i < 1000; i++) ctrl_cycle(&ctrl);
  assert_memory_equal(&ctrl_before, &ctrl, sizeof ctrl);
  core_before.csr.mcycle += 1000;
  assert_memory_equal(&core_before, &core.model, sizeof core_before);
}

/* Sums of 32 bits are compared without a sign. */
static void test_large(void **state) {
  static const uint32_t sums[] = {1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffff, 0xffffffff};
  static const unsigned ratio[] = {2, 5, 8, 11, 8, 5};
  (void)state;
  if (Window != 4 || MoveBy) skip();
  begin();
  for (unsigned i = 0; i < 6; i++) {
    ctrl_epoch_end(&ctrl, sums[i]);
    settle();
    assert_int_equal(ctrl_ratio(&ctrl), ratio[i]);
  }
}

/* The comparison can tell: the two get different epochs. */
static void test_fires(void **state) {
  (void)state;
  begin();
  for (unsigned e = 0; e < 3; e++) {
    epoch(10 + e);
    ctrl_epoch_end(&ctrl, 5);
    settle();
  }
  assert_int_not_equal(ctrl_ratio(&ctrl), block_ratio());
}

/* --- The bus */

static ctrl_bus_t bus;

static ctrl_answer_t ask(uint32_t address, bool write, unsigned mask, uint32_t data) {
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

static uint32_t word(uint32_t address) {
  const ctrl_answer_t a = ask(address, false, 15, 0);
  assert_false(a.err);
  return a.data;
}

static void test_map(void **state) {
  static const uint32_t image[] = {0x11111111, 0x22222222};
  (void)state;
  ctrl_bus_reset(&bus, image, 2, &settings);
  assert_int_equal(word(CTRL_ROM + 4), 0x22222222);
  assert_int_equal(word(CTRL_ROM + CTRL_ROM_BYTES - 4), 0);
  assert_true(ask(CTRL_ROM + CTRL_ROM_BYTES, false, 15, 0).err);
  assert_true(ask(CTRL_ROM, true, 15, 0).err);
  assert_false(ask(CTRL_RAM + CTRL_RAM_BYTES - 4, true, 15, 0x44332211).err);
  assert_false(ask(CTRL_RAM + CTRL_RAM_BYTES - 4, true, 6, 0x88776655).err);
  assert_int_equal(word(CTRL_RAM + CTRL_RAM_BYTES - 4), 0x44776611);
  assert_true(ask(CTRL_RAM + CTRL_RAM_BYTES, false, 15, 0).err);
  assert_true(ask(CTRL_RAM - 4, true, 15, 0).err);
  assert_true(ask(CTRL_RATIO + 4, false, 15, 0).err);
  assert_true(ask(CTRL_INIT - 4, false, 15, 0).err);
  assert_true(ask(CTRL_MOVE_BY + 4, false, 15, 0).err);
}

static void test_registers(void **state) {
  rv_core_in_t in;
  (void)state;
  ctrl_bus_reset(&bus, NULL, 0, &settings);
  ctrl_bus_epoch_end(&bus, 7);
  assert_int_equal(word(CTRL_EPOCH), 1);
  assert_int_equal(word(CTRL_COUNT), 7);
  assert_int_equal(word(CTRL_PREV), 0);
  assert_false(ask(CTRL_EPOCH, true, 15, 0).err);
  ctrl_bus_epoch_end(&bus, 9);
  ctrl_bus_in(&bus, &in);
  assert_int_equal(in.irq, 1);
  assert_int_equal(word(CTRL_EPOCH), 2);
  assert_int_equal(word(CTRL_COUNT), 9);
  assert_int_equal(word(CTRL_PREV), 7);
  assert_true(ask(CTRL_EPOCH, true, 1, 0).err);
  assert_true(ask(CTRL_COUNT, true, 15, 0).err);
  assert_true(ask(CTRL_PREV, true, 15, 0).err);
  assert_true(ask(CTRL_RATIO, true, 15, 21).err);
  assert_int_equal(word(CTRL_RATIO), 0);
  assert_int_equal(bus.decisions, 0);
  assert_false(ask(CTRL_RATIO, true, 15, 20).err);
  assert_int_equal(word(CTRL_RATIO), 20);
  assert_int_equal(bus.decisions, 1);
  assert_false(ask(CTRL_EPOCH, true, 15, 0).err);
  ctrl_bus_in(&bus, &in);
  assert_int_equal(in.irq, 0);
}

static void test_settings(void **state) {
  static const uint32_t at[] = {CTRL_INIT, CTRL_STEP_INIT, CTRL_STEP_MIN, CTRL_STEP_MAX, CTRL_WINDOW, CTRL_MOVE_BY};
  (void)state;
  ctrl_bus_reset(&bus, NULL, 0, &(ctrl_settings_t){11, 12, 13, 14, 15, 16});
  for (unsigned i = 0; i < 6; i++) {
    assert_int_equal(word(at[i]), 11 + i);
    assert_true(ask(at[i], true, 15, 0).err);
  }
}

/* Until the interrupt is over the registers hold still; what was missed is compared with. */
static void test_missed(void **state) {
  (void)state;
  ctrl_bus_reset(&bus, NULL, 0, &settings);
  ctrl_bus_epoch_end(&bus, 7);
  ctrl_bus_epoch_end(&bus, 8);
  ctrl_bus_epoch_end(&bus, 9);
  assert_int_equal(word(CTRL_EPOCH), 1);
  assert_int_equal(word(CTRL_COUNT), 7);
  assert_int_equal(word(CTRL_PREV), 0);
  assert_int_equal(bus.missed, 2);
  assert_false(ask(CTRL_EPOCH, true, 15, 0).err);
  ctrl_bus_epoch_end(&bus, 10);
  assert_int_equal(word(CTRL_EPOCH), 4);
  assert_int_equal(word(CTRL_COUNT), 10);
  assert_int_equal(word(CTRL_PREV), 9);
  assert_int_equal(bus.missed, 2);
}

/* An image that is not there: the first word is no instruction. */
static void test_broken(void **state) {
  (void)state;
  reset(NULL, 0);
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
