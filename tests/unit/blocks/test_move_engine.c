/* SPDX-License-Identifier: Apache-2.0
 *
 * The far half of the register move engine: both directions, wide registers, the LSU's rows,
 * grants, and answers that nobody waits for.
 */
#include "unit_test.h"

#include <string.h>

#include "move_engine.h"

enum { NBU = 2, WARP = 37 };

static move_engine_t engine;
static move_engine_in_t in;
static move_engine_out_t out;

static int setup(void **state) {
  (void)state;
  move_engine_reset(&engine);
  memset(&in, 0, sizeof in);
  in.nbu_id = NBU;
  return 0;
}

static void look(void) {
  memset(&out, 0x5a, sizeof out);
  move_engine_eval(&engine, &in, &out);
}

static void clock_edge(void) {
  move_engine_t before = engine;
  move_engine_in_t quiet = {.nbu_id = NBU};
  move_engine_step(&before, &quiet);
  assert_int_equal(move_engine_idle(&engine), memcmp(&before, &engine, sizeof engine) == 0);
  move_engine_step(&engine, &in);
  in = quiet;
}

/* A row of words first, first + 1, ... */
static void fill(uint32_t *row, uint32_t first) {
  for (uint32_t i = 0; i < 32; i++) row[i] = first + i;
}

static void expect_row(const uint32_t *row, uint32_t first) {
  for (uint32_t i = 0; i < 32; i++) assert_int_equal(row[i], first + i);
}

/* What the cycle shows: gnt, and one bit each for done, dt, frf, fwr, dn. */
enum { DONE = 1, DT = 2, FRF = 4, FWR = 8, DN = 16 };
static void expect(unsigned gnt, unsigned shown) {
  look();
  assert_int_equal(out.gnt, gnt);
  assert_int_equal(out.done | out.dt_valid << 1 | out.frf_req << 2 | out.fwr_valid << 3 | out.dn_valid << 4, shown);
}

static void ask(unsigned reg, unsigned wide, unsigned near) {
  in.mv_req = 1;
  in.mv_warp = WARP;
  in.mv_reg = reg;
  in.mv_wide = wide;
  in.mv_near = near;
}

static void need(unsigned reg) {
  in.need_data = 1;
  in.need_warp = WARP;
  in.need_reg = reg;
}

static void expect_header(unsigned type, unsigned reg) {
  uint64_t hdr = type | NBU << 4 | 2 << 6 | WARP << 8 | reg << 14;
  assert_true(out.dn_hdr == (hdr | UINT64_C(255) << 56));
}

/* One row to near, from its first cycle to the one in which
 * CPL comes; `late` cycles of waiting at each side. */
static void row_to_near(unsigned reg, uint32_t value, unsigned late) {
  for (unsigned i = 0; i <= late; i++) {
    expect(0, FRF);
    assert_int_equal(out.frf_warp, WARP);
    assert_int_equal(out.frf_reg, reg);
    in.frf_gnt = i == late;
    clock_edge();
  }
  expect(0, 0);
  fill(in.frf_data, value);
  clock_edge();
  for (unsigned i = 0; i <= late; i++) {
    expect(0, DN);
    expect_header(LSU_REGW, reg);
    expect_row(out.dn_data, value);
    in.dn_take = i == late;
    in.cp_valid = 1; /* of something before: nobody waits for it */
    clock_edge();
  }
  for (unsigned i = 0; i < late; i++) {
    expect(0, 0);
    in.mr_valid = in.frf_gnt = in.fwr_gnt = in.dn_take = 1; /* not what is awaited */
    clock_edge();
  }
  expect(0, 0);
  in.cp_valid = 1;
  clock_edge();
}

/* The part that both kinds of row to far have: RMV and its MVR. */
static void row_up(unsigned reg, uint32_t value, unsigned late) {
  for (unsigned i = 0; i <= late; i++) {
    expect(0, DN);
    expect_header(LSU_RMV, reg);
    for (unsigned k = 0; k < 32; k++) assert_int_equal(out.dn_data[k], 0);
    in.dn_take = i == late;
    in.mr_valid = 1;
    clock_edge();
  }
  for (unsigned i = 0; i < late; i++) {
    expect(0, 0);
    in.cp_valid = in.frf_gnt = in.fwr_gnt = in.dn_take = 1;
    clock_edge();
  }
  expect(0, 0);
  in.mr_valid = 1;
  fill(in.mr_data, value);
  clock_edge();
}

static void row_to_far(unsigned reg, uint32_t value, unsigned late) {
  row_up(reg, value, late);
  for (unsigned i = 0; i <= late; i++) {
    expect(0, FWR);
    assert_int_equal(out.fwr_warp, WARP);
    assert_int_equal(out.fwr_reg, reg);
    expect_row(out.fwr_data, value);
    in.fwr_gnt = i == late;
    in.mr_valid = in.cp_valid = 1;
    clock_edge();
  }
}

static void expect_done(unsigned gnt, unsigned reg, unsigned near) {
  expect(gnt, DONE);
  assert_int_equal(out.done_warp, WARP);
  assert_int_equal(out.done_reg, reg);
  assert_int_equal(out.done_near, near);
}

static void test_to_near(void **state) {
  (void)state;
  for (unsigned late = 0; late < 3; late++) {
    ask(12, 0, 1);
    expect(1, 0);
    clock_edge();
    row_to_near(12, 1000 + late, late);
    expect_done(0, 12, 1);
    clock_edge();
    expect(0, 0);
  }
}

static void test_to_far(void **state) {
  (void)state;
  for (unsigned late = 0; late < 3; late++) {
    ask(200, 0, 0);
    expect(1, 0);
    clock_edge();
    row_to_far(200, 2000 + late, late);
    expect_done(0, 200, 0);
    clock_edge();
    expect(0, 0);
  }
}

/* Two rows, the second in the cycle after the first;
 * register 255 is followed by 0; done names the first. */
static void test_wide(void **state) {
  (void)state;
  for (unsigned late = 0; late < 2; late++) {
    ask(255, 1, 1);
    expect(1, 0);
    clock_edge();
    row_to_near(255, 10, late);
    row_to_near(0, 77, late);
    expect_done(0, 255, 1);
    ask(254, 1, 0); /* idle in the cycle of done */
    expect_done(1, 255, 1);
    clock_edge();
    row_to_far(254, 4, late);
    row_to_far(255, 5, late);
    expect_done(0, 254, 0);
    clock_edge();
  }
}

static void test_lsu(void **state) {
  (void)state;
  for (unsigned late = 0; late < 3; late++) {
    need(255);
    expect(2, 0);
    clock_edge();
    row_up(255, 300, late);
    expect(0, DT);
    expect_row(out.dt_data, 300);
    clock_edge();
    expect(0, 0);
  }
}

/* The LSU's request is high up to the cycle of dt_valid: no second move of it
 * begins there, but another's may; the next row's request is heard after. */
static void test_lsu_request_stays(void **state) {
  (void)state;
  need(8);
  clock_edge();
  row_up(8, 300, 0);
  need(8);
  expect(0, DT);
  ask(1, 0, 1);
  expect(1, DT);
  in.mv_req = 0;
  clock_edge();
  expect(0, 0);
  need(9);
  expect(2, 0);
  clock_edge();
  row_up(9, 400, 0);
  expect(0, DT);
  need(9);
  ask(1, 0, 1);
  clock_edge();
  row_to_near(1, 5, 0);
  expect_done(0, 1, 1);
  need(10); /* idle in the cycle of done */
  expect_done(2, 1, 1);
}

/* The offload engine goes first; nothing is granted while a move is under way. */
static void test_two_ask(void **state) {
  (void)state;
  ask(3, 0, 0);
  need(4);
  expect(1, 0);
  clock_edge();
  ask(3, 0, 0);
  need(4);
  expect(0, DN);
  in.dn_take = 1;
  clock_edge();
  ask(5, 0, 0);
  need(4);
  expect(0, 0);
  in.mr_valid = 1;
  clock_edge();
  in.fwr_gnt = 1;
  need(4);
  expect(0, FWR);
  clock_edge();
  need(4);
  expect_done(2, 3, 0);
  clock_edge();
  row_up(4, 1, 0);
  expect(0, DT);
}

/* An LSU's row is one row whatever mv_wide and mv_near are. */
static void test_lsu_ignores_mv(void **state) {
  (void)state;
  need(4);
  in.mv_wide = in.mv_near = 1;
  expect(2, 0);
  clock_edge();
  row_up(4, 1, 0);
  expect(0, DT);
  clock_edge();
  expect(0, 0);
}

static void test_nobody_waits(void **state) {
  (void)state;
  in.cp_valid = in.mr_valid = in.frf_gnt = in.fwr_gnt = in.dn_take = 1;
  expect(0, 0);
  clock_edge();
  expect(0, 0);
}

int main(void) {
#define T(test) cmocka_unit_test_setup(test, setup)
  const struct CMUnitTest tests[] = {
      T(test_to_near),           T(test_to_far),  T(test_wide),           T(test_lsu),
      T(test_lsu_request_stays), T(test_two_ask), T(test_lsu_ignores_mv), T(test_nobody_waits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
