/* SPDX-License-Identifier: Apache-2.0
 *
 * The instruction offload engine: its policies and their order, the places of operands, one move at
 * a time, and outputs that stay as they are shown.
 *
 * The test plays the track table with two sets of operands: fb (there is a copy far) and nb (a copy
 * near), bit i for operand i: sources 0 to 2, guard, destination.
 */
#include "unit_test.h"

#include <string.h>

#include "offload_engine.h"

enum { S0 = 1, S1 = 2, S2 = 4, G = 8, D = 16, ALL = 31 };
enum { OTHER, GLOBAL, SHARED };
/* in_policy: the paper's order (opcode, hint, table), the table alone, everything near,
 * everything far. */
enum { PAPER, TABLE, ALL_NEAR, ALL_FAR };

static offload_engine_t engine;
static offload_engine_in_t in;
static offload_engine_out_t out;

static int setup(void **state) {
  (void)state;
  offload_engine_reset(&engine);
  memset(&in, 0, sizeof in);
  return 0;
}

static void eval_engine(void) {
  memset(&out, 0x5a, sizeof out);
  offload_engine_eval(&engine, &in, &out);
}

/* The clock edge. The model is idle exactly if a step without any event changes no bit of its
 * state. */
static void clock_edge(void) {
  offload_engine_t before = engine;
  offload_engine_in_t quiet = in;
  quiet.in_valid = quiet.mv_gnt = quiet.mv_done = quiet.out_take = 0;
  quiet.fb = quiet.nb = 0;
  offload_engine_step(&before, &quiet);
  if (offload_engine_idle(&engine)) assert_memory_equal(&before, &engine, sizeof engine);
  else assert_memory_not_equal(&before, &engine, sizeof engine);
  offload_engine_step(&engine, &in);
  in.in_valid = in.mv_gnt = in.mv_done = in.out_take = 0;
}

/* An instruction with sources r10, r20, r30, guard r40,
 * destination r50, all of them valid, given in one cycle. */
static void give_instruction(unsigned kind, unsigned hint) {
  in.in_valid = 1;
  in.in_tag = 77;
  in.in_warp = 9;
  in.in_kind = kind;
  in.in_hint = hint;
  in.in_src_valid = 7;
  in.in_src = 30 << 16 | 20 << 8 | 10;
  in.in_addr = 3;
  in.in_guard_valid = in.in_dst_valid = 1;
  in.in_far_op = in.in_merge = in.in_wide = 0;
  in.in_guard = 40;
  in.in_dst = 50;
}

/* The instruction is shown for dispatch to `near`, and no other is accepted meanwhile. */
static void expect_dispatch(unsigned near) {
  eval_engine();
  assert_int_equal(out.mv_req, 0);
  assert_int_equal(out.out_valid, 1);
  assert_int_equal(out.out_tag, 77);
  assert_int_equal(out.out_near, near);
  assert_int_equal(out.in_ready, 0);
  assert_int_equal(out.wr_valid, 0);
}

/* The instruction is shown and taken in this cycle. Its destination goes to dst_near, and
 * `copies` moves were made for it. */
static void expect_taken(unsigned near, unsigned dst_near, unsigned copies) {
  expect_dispatch(near);
  assert_int_equal(out.out_copies, copies);
  in.out_take = 1;
  eval_engine();
  assert_int_equal(out.in_ready, 1);
  assert_int_equal(out.wr_valid, 1);
  assert_int_equal(out.wr_warp, 9);
  assert_int_equal(out.wr_reg, 50);
  assert_int_equal(out.wr_near, dst_near);
  clock_edge();
  eval_engine();
  assert_int_equal(out.out_valid, 0);
  assert_int_equal(out.lk_regs, 0);
}

/* A move of this register is asked for, to near or to far. */
static void expect_move(unsigned reg, unsigned near) {
  eval_engine();
  assert_int_equal(out.mv_req, 1);
  assert_int_equal(out.mv_warp, 9);
  assert_int_equal(out.mv_reg, reg);
  assert_int_equal(out.mv_near, near);
  assert_int_equal(out.out_valid, 0);
  assert_int_equal(out.in_ready, 0);
}

/* The move that is shown is granted and done; afterwards the table has `operand` there. */
static void finish_move(unsigned operand, unsigned near) {
  in.mv_gnt = 1;
  clock_edge();
  eval_engine();
  assert_int_equal(out.mv_req | out.out_valid | out.in_ready, 0);
  clock_edge();
  in.mv_done = 1;
  clock_edge();
  if (near) in.nb |= operand;
  else in.fb |= operand;
}

/* Where the engine runs an instruction whose registers are all far, and near as `nb` says. A
 * move to near tells the location, too: it stands for near, unless it is the data of a global
 * access. */
static unsigned decided_location(unsigned policy, unsigned kind, unsigned hint, unsigned far_op, unsigned nb) {
  setup(NULL);
  in.in_policy = policy;
  give_instruction(kind, hint);
  in.in_far_op = far_op;
  in.fb = ALL;
  in.nb = nb;
  clock_edge();
  eval_engine();
  if (out.out_valid) return (unsigned)out.out_near;
  assert_int_equal(out.mv_near, 1); /* something must go to near: so it runs there, unless it is a global access */
  return kind != GLOBAL;
}

/* After reset it accepts an instruction, and answers that it does not wait for do nothing. */
static void test_idle(void **state) {
  (void)state;
  eval_engine();
  assert_int_equal(out.in_ready, 1);
  assert_int_equal(out.lk_warp | out.lk_regs | out.mv_req | out.out_valid | out.wr_valid, 0);
  in.out_take = in.mv_gnt = in.mv_done = 1;
  clock_edge();
  eval_engine();
  assert_int_equal(out.in_ready, 1);
}

/* The held instruction's five registers are looked up, one byte each, and 0 for one that is not
 * valid. */
static void test_lookups(void **state) {
  (void)state;
  give_instruction(OTHER, 2);
  clock_edge();
  in.fb = in.nb = ALL;
  eval_engine();
  assert_int_equal(out.lk_warp, 9);
  assert_true(out.lk_regs == UINT64_C(0x32281e140a)); /* 50 40 30 20 10 */
  in.out_take = 1;
  give_instruction(OTHER, 2);
  in.in_src_valid = 5; /* of those that are not there: 0 */
  in.in_guard_valid = 0;
  clock_edge();
  eval_engine();
  assert_true(out.lk_regs == UINT64_C(0x32001e000a));
  in.out_take = 1;
  give_instruction(OTHER, 2);
  in.in_src_valid = in.in_dst_valid = 0;
  clock_edge();
  eval_engine();
  assert_true(out.lk_regs == UINT64_C(0x28000000));
}

/* Policy 1 of the paper goes before all others: the opcode. */
static void test_far_opcodes(void **state) {
  (void)state;
  for (unsigned policy = PAPER; policy <= ALL_FAR; policy++) {
    assert_int_equal(decided_location(policy, GLOBAL, 1, 0, ALL), 0);
    assert_int_equal(decided_location(policy, OTHER, 1, 1, ALL), 0);
    assert_int_equal(decided_location(policy, 3, 1, 1, ALL), 0);
    assert_int_equal(decided_location(policy, SHARED, 1, 1, ALL), 0);
  }
}

/* An instruction on shared memory runs where the shared memory is, whatever policy and hint say. */
static void test_shared_memory(void **state) {
  (void)state;
  for (unsigned policy = PAPER; policy <= ALL_FAR; policy++)
    for (unsigned smem_near = 0; smem_near < 2; smem_near++) {
      setup(NULL);
      in.smem_near = smem_near;
      in.in_policy = policy;
      give_instruction(SHARED, smem_near ? 2 : 1);
      in.fb = in.nb = ALL;
      clock_edge();
      expect_taken(smem_near, smem_near, 0);
    }
}

/* The compiler's hint, then the table: near if there are sources and all have a near copy. */
static void test_hint_then_table(void **state) {
  (void)state;
  for (unsigned kind = OTHER; kind <= 3; kind += 3) {
    assert_int_equal(decided_location(PAPER, kind, 1, 0, 0), 1);
    assert_int_equal(decided_location(PAPER, kind, 2, 0, ALL), 0);
    for (unsigned none = 0; none <= 3; none += 3) {
      assert_int_equal(decided_location(PAPER, kind, none, 0, S0 | S1 | S2), 1);
      assert_int_equal(decided_location(PAPER, kind, none, 0, S0 | S1 | G | D), 0);
      assert_int_equal(decided_location(PAPER, kind, none, 0, S1 | S2 | G | D), 0);
    }
    assert_int_equal(decided_location(TABLE, kind, 1, 0, S0 | S1 | G | D), 0);
    assert_int_equal(decided_location(TABLE, kind, 2, 0, S0 | S1 | S2), 1);
    assert_int_equal(decided_location(ALL_NEAR, kind, 2, 0, 0), 1);
    assert_int_equal(decided_location(ALL_FAR, kind, 1, 0, ALL), 0);
  }
}

/* Only valid sources count, and none at all means far. */
static void test_table_without_sources(void **state) {
  (void)state;
  in.in_policy = TABLE;
  give_instruction(OTHER, 1);
  in.in_src_valid = 4;
  clock_edge();
  in.fb = ALL;
  in.nb = S2;
  expect_taken(1, 1, 0);
  give_instruction(OTHER, 1);
  in.in_src_valid = 0;
  in.fb = in.nb = ALL;
  clock_edge();
  expect_taken(0, 0, 0);
}

/* Sources in their order, then the guard, then the destination
 * because it is merged; each moved once the one before is done. */
static void test_moves_in_order(void **state) {
  (void)state;
  give_instruction(OTHER, 1);
  in.in_merge = 1;
  in.in_wide = S1 | D;
  clock_edge();
  expect_move(10, 1);
  assert_int_equal(out.mv_wide, 0);
  finish_move(S0, 1);
  expect_move(20, 1);
  assert_int_equal(out.mv_wide, 1);
  finish_move(S1, 1);
  expect_move(30, 1);
  finish_move(S2, 1);
  expect_move(40, 0); /* a guard is read by the front end */
  assert_int_equal(out.mv_wide, 0);
  finish_move(G, 0);
  expect_move(50, 1);
  assert_int_equal(out.mv_wide, 1);
  finish_move(D, 1);
  expect_taken(1, 1, 3);
}

/* A destination whose old value counts (in_merge) must be at the place of the write; another
 * need not. */
static void test_destination_moves_only_to_be_merged(void **state) {
  (void)state;
  give_instruction(OTHER, 2);
  in.fb = S0 | S1 | S2 | G;
  clock_edge();
  expect_taken(0, 0, 0);
  give_instruction(OTHER, 2);
  in.in_merge = 1;
  clock_edge();
  expect_move(50, 0);
  finish_move(D, 0);
  expect_taken(0, 0, 1);
  give_instruction(OTHER, 2); /* merging without a destination */
  in.in_merge = 1;
  in.in_dst_valid = 0;
  in.fb = S0 | S1 | S2 | G;
  clock_edge();
  expect_dispatch(0);
  in.out_take = 1;
  eval_engine();
  assert_int_equal(out.wr_valid, 0);
}

/* A register that is named twice is moved once: the table answers for both when asked again. */
static void test_named_twice(void **state) {
  (void)state;
  give_instruction(OTHER, 1);
  in.in_src = 10 << 16 | 20 << 8 | 10;
  in.nb = S1;
  in.fb = G;
  clock_edge();
  expect_move(10, 1);
  finish_move(S0 | S2, 1);
  expect_taken(1, 1, 1);
}

/* ld/st.global: the address far, data near. */
static void test_global(void **state) {
  (void)state;
  give_instruction(GLOBAL, 1); /* a store: source 0 the address, source 1 the data */
  in.in_src_valid = 3;
  in.in_addr = 0;
  in.in_dst_valid = 0;
  in.nb = S0;
  in.fb = S1 | G;
  clock_edge();
  expect_move(10, 0);
  finish_move(S0, 0);
  expect_move(20, 1);
  finish_move(S1, 1);
  expect_dispatch(0);
  assert_int_equal(out.out_copies, 2);
  in.out_take = 1;
  clock_edge();
  give_instruction(GLOBAL, 2); /* a load that some threads do not do */
  in.in_src_valid = 2;
  in.in_addr = 1;
  in.in_merge = 1;
  in.nb = S1;
  in.fb = G | D;
  clock_edge();
  expect_move(20, 0);
  finish_move(S1, 0);
  expect_move(50, 1);
  finish_move(D, 1);
  expect_taken(0, 1, 2);
  give_instruction(GLOBAL, 2); /* in_addr 3: no address among the sources */
  in.nb = S0 | S1 | S2;
  in.fb = G;
  clock_edge();
  expect_taken(0, 1, 0);
}

/* With data_far, the data of global accesses stay far, too. */
static void test_global_data_far(void **state) {
  (void)state;
  in.data_far = 1;
  give_instruction(GLOBAL, 1);
  in.in_merge = 1;
  in.in_addr = 0;
  in.nb = ALL;
  in.fb = S0 | S2 | G;
  clock_edge();
  expect_move(20, 0);
  finish_move(S1, 0);
  expect_move(50, 0);
  finish_move(D, 0);
  expect_taken(0, 0, 2);
  give_instruction(OTHER, 1); /* it is for loads and stores alone */
  in.nb = S0 | S1 | S2;
  in.fb = G;
  clock_edge();
  expect_taken(1, 1, 0);
}

/* The location is decided in the first cycle held: a move
 * that gives all sources a near copy does not change it. */
static void test_decided_once(void **state) {
  (void)state;
  in.in_policy = TABLE;
  give_instruction(OTHER, 0);
  in.fb = S1 | S2 | G;
  in.nb = S0 | S1;
  clock_edge();
  expect_move(10, 0);
  in.mv_gnt = 1;
  clock_edge();
  in.mv_done = 1;
  clock_edge();
  in.fb = in.nb = ALL;
  expect_taken(0, 0, 1);
}

/* What is shown stays although the table says otherwise now; late and early answers are ignored. */
static void test_shown_stays(void **state) {
  (void)state;
  give_instruction(OTHER, 1);
  in.nb = S0;
  in.fb = G;
  clock_edge();
  expect_move(20, 1);
  in.mv_done = 1; /* nothing moves yet */
  in.out_take = 1;
  clock_edge();
  in.nb = ALL;
  expect_move(20, 1);
  clock_edge();
  in.nb = 0;
  expect_move(20, 1);
  in.mv_gnt = in.mv_done = 1; /* a done with the grant is another move's */
  clock_edge();
  eval_engine();
  assert_int_equal(out.mv_req | out.out_valid, 0);
  in.mv_gnt = 1;
  clock_edge();
  in.mv_done = 1;
  in.nb = ALL;
  eval_engine();
  assert_int_equal(out.mv_req | out.out_valid, 0);
  clock_edge();
  expect_dispatch(1);
  clock_edge();
  in.fb = in.nb = 0;
  in.mv_gnt = in.mv_done = 1;
  clock_edge();
  expect_taken(1, 1, 1);
}

/* One instruction a cycle when nothing has to move; a second is not taken while one is held. */
static void test_back_to_back(void **state) {
  (void)state;
  in.fb = in.nb = ALL;
  give_instruction(OTHER, 1);
  clock_edge();
  for (unsigned i = 0; i < 3; i++) {
    give_instruction(OTHER, 1 + i % 2);
    in.in_tag = 100 + i;
    in.out_take = 1;
    eval_engine();
    assert_int_equal(out.in_ready & out.out_valid & out.wr_valid, 1);
    clock_edge();
    eval_engine();
    assert_int_equal(out.out_tag, 100 + i);
    assert_int_equal(out.out_near, i % 2 == 0);
  }
  give_instruction(OTHER, 1);
  in.in_tag = 200;
  clock_edge();
  eval_engine();
  assert_int_equal(out.out_tag, 102);
}

int main(void) {
#define T(test) cmocka_unit_test_setup(test, setup)
  const struct CMUnitTest tests[] = {
      T(test_idle),
      T(test_lookups),
      T(test_far_opcodes),
      T(test_shared_memory),
      T(test_hint_then_table),
      T(test_table_without_sources),
      T(test_moves_in_order),
      T(test_destination_moves_only_to_be_merged),
      T(test_named_twice),
      T(test_global),
      T(test_global_data_far),
      T(test_decided_once),
      T(test_shown_stays),
      T(test_back_to_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
