/* SPDX-License-Identifier: Apache-2.0
 *
 * The far half of the register move engine: both directions, wide registers, rows for the LSU,
 * grants, and answers that it does not wait for.
 *
 *   far register file --FRF--> move engine --DN (REGW)--> near, which answers with CPL
 *   far register file <--FWR-- move engine --DN (RMV)---> near, which answers with MVR
 *                       DT: a row for the LSU instead of the far file
 */
#include "unit_test.h"

#include <string.h>

#include "move_engine.h"

enum { NBU = 2, WARP = 37 };

static move_engine_t engine;
static move_engine_in_t in;
static move_engine_out_t out;

/* Before each test: after reset, without inputs. */
static int setup(void **state) {
  (void)state;
  move_engine_reset(&engine);
  memset(&in, 0, sizeof in);
  in.nbu_id = NBU;
  return 0;
}

/* Outputs begin as nonsense, so that one that is not written shows. */
static void eval_engine(void) {
  memset(&out, 0x5a, sizeof out);
  move_engine_eval(&engine, &in, &out);
}

/* The clock edge. The model is idle exactly if a step without any event changes no bit of its
 * state. */
static void clock_edge(void) {
  move_engine_t before = engine;
  move_engine_in_t quiet = {.nbu_id = NBU};
  move_engine_step(&before, &quiet);
  assert_int_equal(move_engine_idle(&engine), memcmp(&before, &engine, sizeof engine) == 0);
  move_engine_step(&engine, &in);
  in = quiet;
}

/* A row of words first, first + 1, ... */
static void fill_row(uint32_t *row, uint32_t first) {
  for (uint32_t i = 0; i < 32; i++) row[i] = first + i;
}

/* The row is first, first + 1, ... */
static void expect_row(const uint32_t *row, uint32_t first) {
  for (uint32_t i = 0; i < 32; i++) assert_int_equal(row[i], first + i);
}

/* The valid signals of a cycle as one number, next to gnt (1: the offload engine, 2: the LSU). */
enum { DONE = 1, DT = 2, FRF = 4, FWR = 8, DN = 16 };
static void expect_shown(unsigned gnt, unsigned shown) {
  eval_engine();
  assert_int_equal(out.gnt, gnt);
  assert_int_equal(out.done | out.dt_valid << 1 | out.frf_req << 2 | out.fwr_valid << 3 | out.dn_valid << 4, shown);
}

/* The offload engine asks for a move to near or to far. */
static void ask_move(unsigned reg, unsigned wide, unsigned near) {
  in.mv_req = 1;
  in.mv_warp = WARP;
  in.mv_reg = reg;
  in.mv_wide = wide;
  in.mv_near = near;
}

/* The LSU asks for a row of a store. */
static void need_row(unsigned reg) {
  in.need_data = 1;
  in.need_warp = WARP;
  in.need_reg = reg;
}

/* The header of the engine's message: its id of 255 tells its answers from those to the LSU. */
static void expect_header(unsigned type, unsigned reg) {
  uint64_t hdr = type | NBU << 4 | 2 << 6 | WARP << 8 | reg << 14;
  assert_true(out.dn_hdr == (hdr | UINT64_C(255) << 56));
}

/* One row to near, from its first cycle to the one of its CPL. Each side lets the engine wait
 * for `late` cycles, in which it gets answers that it does not wait for. */
static void row_to_near(unsigned reg, uint32_t value, unsigned late) {
  for (unsigned i = 0; i <= late; i++) {
    expect_shown(0, FRF);
    assert_int_equal(out.frf_warp, WARP);
    assert_int_equal(out.frf_reg, reg);
    in.frf_gnt = i == late;
    clock_edge();
  }
  expect_shown(0, 0);
  fill_row(in.frf_data, value);
  clock_edge();
  for (unsigned i = 0; i <= late; i++) {
    expect_shown(0, DN);
    expect_header(LSU_REGW, reg);
    expect_row(out.dn_data, value);
    in.dn_take = i == late;
    in.cp_valid = 1; /* of something before: nobody waits for it */
    clock_edge();
  }
  for (unsigned i = 0; i < late; i++) {
    expect_shown(0, 0);
    in.mr_valid = in.frf_gnt = in.fwr_gnt = in.dn_take = 1; /* not what is awaited */
    clock_edge();
  }
  expect_shown(0, 0);
  in.cp_valid = 1;
  clock_edge();
}

/* A row from near, up to the cycle of its MVR; both moves to far and rows for the LSU begin like
 * this. */
static void row_up(unsigned reg, uint32_t value, unsigned late) {
  for (unsigned i = 0; i <= late; i++) {
    expect_shown(0, DN);
    expect_header(LSU_RMV, reg);
    for (unsigned k = 0; k < 32; k++) assert_int_equal(out.dn_data[k], 0);
    in.dn_take = i == late;
    in.mr_valid = 1;
    clock_edge();
  }
  for (unsigned i = 0; i < late; i++) {
    expect_shown(0, 0);
    in.cp_valid = in.frf_gnt = in.fwr_gnt = in.dn_take = 1;
    clock_edge();
  }
  expect_shown(0, 0);
  in.mr_valid = 1;
  fill_row(in.mr_data, value);
  clock_edge();
}

/* A whole row to far: row_up(), then the write into the far register file. */
static void row_to_far(unsigned reg, uint32_t value, unsigned late) {
  row_up(reg, value, late);
  for (unsigned i = 0; i <= late; i++) {
    expect_shown(0, FWR);
    assert_int_equal(out.fwr_warp, WARP);
    assert_int_equal(out.fwr_reg, reg);
    expect_row(out.fwr_data, value);
    in.fwr_gnt = i == late;
    in.mr_valid = in.cp_valid = 1;
    clock_edge();
  }
}

/* The move of this register is done, with this grant in the same cycle. */
static void expect_done(unsigned gnt, unsigned reg, unsigned near) {
  expect_shown(gnt, DONE);
  assert_int_equal(out.done_warp, WARP);
  assert_int_equal(out.done_reg, reg);
  assert_int_equal(out.done_near, near);
}

/* A row to near, with grants 0 to 2 cycles late. */
static void test_to_near(void **state) {
  (void)state;
  for (unsigned late = 0; late < 3; late++) {
    ask_move(12, 0, 1);
    expect_shown(1, 0);
    clock_edge();
    row_to_near(12, 1000 + late, late);
    expect_done(0, 12, 1);
    clock_edge();
    expect_shown(0, 0);
  }
}

/* A row to far, with grants 0 to 2 cycles late. */
static void test_to_far(void **state) {
  (void)state;
  for (unsigned late = 0; late < 3; late++) {
    ask_move(200, 0, 0);
    expect_shown(1, 0);
    clock_edge();
    row_to_far(200, 2000 + late, late);
    expect_done(0, 200, 0);
    clock_edge();
    expect_shown(0, 0);
  }
}

/* Two rows, the second in the cycle after the first;
 * register 255 is followed by 0; done names the first. */
static void test_wide(void **state) {
  (void)state;
  for (unsigned late = 0; late < 2; late++) {
    ask_move(255, 1, 1);
    expect_shown(1, 0);
    clock_edge();
    row_to_near(255, 10, late);
    row_to_near(0, 77, late);
    expect_done(0, 255, 1);
    ask_move(254, 1, 0); /* idle in the cycle of done */
    expect_done(1, 255, 1);
    clock_edge();
    row_to_far(254, 4, late);
    row_to_far(255, 5, late);
    expect_done(0, 254, 0);
    clock_edge();
  }
}

/* A row for the LSU ends with dt_valid and no done; register 255 is an ordinary one. */
static void test_lsu(void **state) {
  (void)state;
  for (unsigned late = 0; late < 3; late++) {
    need_row(255);
    expect_shown(2, 0);
    clock_edge();
    row_up(255, 300, late);
    expect_shown(0, DT);
    expect_row(out.dt_data, 300);
    clock_edge();
    expect_shown(0, 0);
  }
}

/* The LSU's request stays high up to the cycle of dt_valid. No second move of that row begins
 * there, but the offload engine's may; the request for the next row is heard in the cycle after. */
static void test_lsu_request_stays(void **state) {
  (void)state;
  need_row(8);
  clock_edge();
  row_up(8, 300, 0);
  need_row(8);
  expect_shown(0, DT);
  ask_move(1, 0, 1);
  expect_shown(1, DT);
  in.mv_req = 0;
  clock_edge();
  expect_shown(0, 0);
  need_row(9);
  expect_shown(2, 0);
  clock_edge();
  row_up(9, 400, 0);
  expect_shown(0, DT);
  need_row(9);
  ask_move(1, 0, 1);
  clock_edge();
  row_to_near(1, 5, 0);
  expect_done(0, 1, 1);
  need_row(10); /* idle in the cycle of done */
  expect_done(2, 1, 1);
}

/* The offload engine goes first; nothing is granted while a move is under way. */
static void test_two_ask(void **state) {
  (void)state;
  ask_move(3, 0, 0);
  need_row(4);
  expect_shown(1, 0);
  clock_edge();
  ask_move(3, 0, 0);
  need_row(4);
  expect_shown(0, DN);
  in.dn_take = 1;
  clock_edge();
  ask_move(5, 0, 0);
  need_row(4);
  expect_shown(0, 0);
  in.mr_valid = 1;
  clock_edge();
  in.fwr_gnt = 1;
  need_row(4);
  expect_shown(0, FWR);
  clock_edge();
  need_row(4);
  expect_done(2, 3, 0);
  clock_edge();
  row_up(4, 1, 0);
  expect_shown(0, DT);
}

/* An LSU's row is one row whatever mv_wide and mv_near are. */
static void test_lsu_ignores_mv(void **state) {
  (void)state;
  need_row(4);
  in.mv_wide = in.mv_near = 1;
  expect_shown(2, 0);
  clock_edge();
  row_up(4, 1, 0);
  expect_shown(0, DT);
  clock_edge();
  expect_shown(0, 0);
}

/* Answers without a move change nothing. */
static void test_nobody_waits(void **state) {
  (void)state;
  in.cp_valid = in.mr_valid = in.frf_gnt = in.fwr_gnt = in.dn_take = 1;
  expect_shown(0, 0);
  clock_edge();
  expect_shown(0, 0);
}

int main(void) {
#define T(test) cmocka_unit_test_setup(test, setup)
  const struct CMUnitTest tests[] = {
      T(test_to_near),           T(test_to_far),  T(test_wide),           T(test_lsu),
      T(test_lsu_request_stays), T(test_two_ask), T(test_lsu_ignores_mv), T(test_nobody_waits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
