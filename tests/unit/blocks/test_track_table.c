/* SPDX-License-Identifier: Apache-2.0
 *
 * The register track table: look-ups, the order of updates in one cycle, warps and registers at and
 * beyond the ends. Each register of a warp has two bits, a copy far (fb) and a copy near (nb); five
 * are looked up in a cycle, and bit i of the answers belongs to look-up i.
 */
#include "unit_test.h"

#include "track_table.h"

enum { LAST_WARP = Warps - 1, LAST_REG = Regs - 1 };

static track_table_t table;

static int setup(void **state) {
  (void)state;
  track_table_reset(&table);
  return 0;
}

#define LOOKUPS(r0, r1, r2, r3, r4) \
  ((uint64_t)(r0) | (uint64_t)(r1) << 8 | (uint64_t)(r2) << 16 | (uint64_t)(r3) << 24 | (uint64_t)(r4) << 32)

/* The five look-ups of this warp give these answers. */
static void expect_copies(uint64_t warp, uint64_t regs, unsigned fb, unsigned nb) {
  track_table_in_t in = {.lk_warp = warp, .lk_regs = regs};
  track_table_out_t out = {99, 99};
  track_table_eval(&table, &in, &out);
  assert_int_equal(out.fb, fb);
  assert_int_equal(out.nb, nb);
}

static void step_table(track_table_in_t in) {
  track_table_step(&table, &in);
  assert_true(track_table_idle(&table));
}

/* After reset each register has both copies. */
static void test_reset(void **state) {
  (void)state;
  expect_copies(0, LOOKUPS(0, 1, 2, 31, LAST_REG), 31, 31);
  expect_copies(LAST_WARP, LOOKUPS(LAST_REG, 0, 64, 63, 5), 31, 31);
}

/* A write leaves the copy where it was made; the five
 * look-ups are of their own registers and of one warp. */
static void test_write(void **state) {
  (void)state;
  step_table((track_table_in_t){.wr_valid = 1, .wr_warp = 1, .wr_reg = 5, .wr_near = 1});
  step_table((track_table_in_t){.wr_valid = 1, .wr_warp = 1, .wr_reg = LAST_REG, .wr_near = 0});
  expect_copies(1, LOOKUPS(5, LAST_REG, 6, 5, LAST_REG), 0x16, 0x0d);
  expect_copies(2, LOOKUPS(5, LAST_REG, 6, 5, LAST_REG), 31, 31);
  step_table((track_table_in_t){.wr_valid = 1, .wr_warp = 1, .wr_reg = 5, .wr_near = 0});
  expect_copies(1, LOOKUPS(0, 0, 0, 0, 5), 31, 15);
}

/* The cycle of an update still shows the old state; what is not valid does nothing. */
static void test_same_cycle(void **state) {
  (void)state;
  track_table_in_t in = {.lk_warp = 0, .lk_regs = 0, .wr_valid = 1, .wr_warp = 0, .wr_reg = 0, .wr_near = 1};
  track_table_out_t out;
  track_table_eval(&table, &in, &out);
  assert_int_equal(out.fb, 31);
  in.wr_valid = 0;
  step_table(in);
  expect_copies(0, 0, 31, 31);
}

/* A move adds a copy and takes none away. */
static void test_move(void **state) {
  (void)state;
  step_table((track_table_in_t){.wr_valid = 1, .wr_warp = 0, .wr_reg = 64, .wr_near = 1});
  expect_copies(0, LOOKUPS(64, 64, 64, 64, 64), 0, 31);
  step_table((track_table_in_t){.mv_valid = 1, .mv_warp = 0, .mv_reg = 64, .mv_near = 1});
  expect_copies(0, LOOKUPS(64, 64, 64, 64, 64), 0, 31);
  step_table((track_table_in_t){.mv_valid = 1, .mv_warp = 0, .mv_reg = 64, .mv_near = 0});
  expect_copies(0, LOOKUPS(64, 64, 64, 64, 64), 31, 31);
  step_table((track_table_in_t){.wr_valid = 1, .wr_warp = 0, .wr_reg = 64, .wr_near = 0});
  step_table((track_table_in_t){.mv_valid = 1, .mv_warp = 0, .mv_reg = 64, .mv_near = 1});
  expect_copies(0, LOOKUPS(64, 64, 64, 64, 64), 31, 31);
}

/* In one cycle the write counts first, then the move, then the clear. */
static void test_order(void **state) {
  (void)state;
  step_table((track_table_in_t){
      .wr_valid = 1, .wr_warp = 0, .wr_reg = 7, .wr_near = 1, .mv_valid = 1, .mv_warp = 0, .mv_reg = 7, .mv_near = 0});
  expect_copies(0, LOOKUPS(7, 0, 0, 0, 0), 31, 31);
  step_table((track_table_in_t){
      .wr_valid = 1, .wr_warp = 0, .wr_reg = 7, .wr_near = 0, .mv_valid = 1, .mv_warp = 0, .mv_reg = 7, .mv_near = 0});
  expect_copies(0, LOOKUPS(7, 0, 0, 0, 0), 31, 30);
  step_table(
      (track_table_in_t){.wr_valid = 1, .wr_warp = 0, .wr_reg = 7, .wr_near = 1, .clear_valid = 1, .clear_warp = 0});
  expect_copies(0, LOOKUPS(7, 0, 0, 0, 0), 31, 31);
}

/* A clear gives all registers of one warp both copies. Odd registers were written near (fb 0),
 * even ones far, hence 10 and 21; LAST_REG is even in a build with an odd number of registers. */
static void test_clear_is_one_warp(void **state) {
  (void)state;
  for (unsigned warp = 0; warp < 3; warp++)
    for (unsigned reg = 0; reg < Regs; reg++)
      step_table((track_table_in_t){.wr_valid = 1, .wr_warp = warp, .wr_reg = reg, .wr_near = reg & 1});
  step_table((track_table_in_t){.clear_valid = 1, .clear_warp = 1});
  expect_copies(0, LOOKUPS(0, 1, 66, 67, LAST_REG), LAST_REG & 1 ? 5 : 21, LAST_REG & 1 ? 26 : 10);
  expect_copies(1, LOOKUPS(0, 1, 66, 67, LAST_REG), 31, 31);
  expect_copies(2, LOOKUPS(0, 1, 66, 67, LAST_REG), LAST_REG & 1 ? 5 : 21, LAST_REG & 1 ? 26 : 10);
}

/* Beyond the ends: look-ups give 0, updates change nothing, not even a neighbour. */
static void test_beyond(void **state) {
  (void)state;
  expect_copies(Warps, LOOKUPS(0, 1, 2, 3, 4), 0, 0);
  expect_copies(63, 0, 0, 0);
  step_table((track_table_in_t){.wr_valid = 1, .wr_warp = 0, .wr_reg = 0, .wr_near = 1});
  step_table((track_table_in_t){.clear_valid = 1, .clear_warp = Warps});
  step_table((track_table_in_t){.wr_valid = 1, .wr_warp = Warps, .wr_reg = 1, .wr_near = 1});
  step_table((track_table_in_t){.mv_valid = 1, .mv_warp = 63, .mv_reg = 0, .mv_near = 0});
  expect_copies(0, LOOKUPS(0, 1, 2, 3, 4), 30, 31);
  expect_copies(LAST_WARP, LOOKUPS(0, 1, 2, 3, 4), Warps > 1 ? 31 : 30, 31);
  if (Regs == 256) return;
  unsigned beyond = Regs & 255;
  step_table((track_table_in_t){.wr_valid = 1, .wr_warp = 0, .wr_reg = beyond, .wr_near = 1});
  step_table((track_table_in_t){.mv_valid = 1, .mv_warp = 0, .mv_reg = 255, .mv_near = 1});
  expect_copies(0, LOOKUPS(beyond, 255, beyond - 1, 1, 2), 28, 28);
  expect_copies(1, LOOKUPS(0, 1, 2, 3, 4), 31, 31);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_reset, setup),      cmocka_unit_test_setup(test_write, setup),
      cmocka_unit_test_setup(test_same_cycle, setup), cmocka_unit_test_setup(test_move, setup),
      cmocka_unit_test_setup(test_order, setup),      cmocka_unit_test_setup(test_clear_is_one_warp, setup),
      cmocka_unit_test_setup(test_beyond, setup),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
