/* SPDX-License-Identifier: Apache-2.0
 *
 * Why the MPU does what it counts (mpu_reasons.def): every reason has a small kernel in which it is
 * the one, and how often (mpu_reasons_rows.def).
 *
 * A kernel is a block of four warps, one a subcore, on a machine of mpu_bed.h. %r1 is the thread,
 * %d1 the buffer, %d2 the thread's word in it.
 */
#include <stdio.h>
#include <string.h>

#include "mpu_bed.h"
#include "unit_test.h"

#define KERNEL(body)                                                                     \
  ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n" \
  ".reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %d<9>;\n"                               \
  ".shared .align 16 .b8 sh[4096];\nld.param.u64 %d1, [a];\nmov.u32 %r1, %tid.x;\n"      \
  "mad.wide.u32 %d2, %r1, 4, %d1;\n" body "\nret;\n}\n"

enum { WARPS = 4, WORDS = 8192, SOME = -1 };
enum {
  ANNOTATED = 2 * MPU_ANNOTATED,
  TABLE = 2 * MPU_HW_DEFAULT,
  ALL_NEAR = 2 * MPU_ALL_NEAR,
  ALL_FAR = 2 * MPU_ALL_FAR,
  PONB = BED_MACHINES - 1
};
enum { FETCHING = BED_MACHINES }; /* ANNOTATED with an instruction cache */

/* The words of mpu_reasons_rows.def. LOAD and
 * STORE access the thread's own word at an offset.
 * FIRST_100 and NOBODY set %p1. APART: %d5 is 8
 * bytes a thread, so that a warp has two rows. */
#define LOAD(guard, at) guard "ld.global.u32 %r2, [%d2" at "];\n"
#define STORE(guard, at) guard "st.global.u32 [%d2" at "], %r1;\n"
#define FIRST_100 "setp.lt.u32 %p1, %r1, 100;\n"
#define NOBODY "setp.gt.u32 %p1, %r1, 200;\n"
#define APART "mad.wide.u32 %d5, %r1, 8, %d1;\n"
#define SUM LOAD("", "") "add.u32 %r3, %r2, %r1;\nst.global.u32 [%d2], %r3;\n"
#define FOLLOW APART "st.global.u64 [%d5], %d1;\nld.global.u64 %d6, [%d5];\nld.global.u32 %r3, [%d6];\n"
#define BY_GUARD LOAD("", "") "setp.eq.u32 %p1, %r2, 0;\n" STORE("@%p1 ", "")
#define KEEPS "mov.u32 %r2, 7;\n" FIRST_100 LOAD("@%p1 ", "") "st.global.u32 [%d2], %r2;\n"
#define TWO_LOADS LOAD("", "+128") "ld.global.u32 %r3, [%d2+256];\nadd.u32 %r3, %r3, %r2;\nst.global.u32 [%d2], %r3;\n"
#define TWO_ROOTS \
  "sqrt.approx.f32 %r2, %r1;\nsqrt.approx.f32 %r3, %r1;\nadd.u32 %r3, %r3, %r2;\nst.global.u32 [%d2], %r3;\n"
#define SHARED "mov.u32 %r4, sh;\nmad.lo.u32 %r4, %r1, 4, %r4;\nst.shared.u32 [%r4], %r1;\n"
#define RED(at) "red.global.add.u32 [%d2" at "], %r1;\n"
#define LOCAL(body) ".local .align 8 .b8 own[64];\n" body
#define ADD(to) "add.u32 %r" #to ", %r2, %r2;\n"

#define MANY                                                                                        \
  "mad.wide.u32 %d5, %r1, 16, %d1;\n" LOAD("", "") ADD(3) ADD(4) ADD(5) ADD(6) ADD(7) ADD(8) ADD(9) \
      ADD(10) "st.global.v4.u32 [%d5], {%r3, %r4, %r5, %r6};\nst.global.v4.u32 [%d5], {%r7, %r8, %r9, %r10};\n"
#define MOVE(reason) MPU_USE_##reason - MPU_FIRST_MOVE

static const struct {
  const char *what, *body;
  unsigned machine, counter;
  int64_t expected;
} rows[] = {
#define ROW(counter, machine, expected, body) \
  {#counter, KERNEL(body), machine, offsetof(mpu_stats_t, counter) / sizeof(uint64_t), expected},
#include "mpu_reasons_rows.def"
#undef ROW
};
enum { ROWS = sizeof rows / sizeof *rows };

/* The row's kernel on a machine; data are zero before. */
static mpu_stats_t run_row(unsigned row, unsigned machine) {
  static uint32_t data[WORDS];
  mpu_config_t c = bed_machine(machine % BED_MACHINES);
  c.l1i_ideal = machine != FETCHING;
  bed_t bed = {
      .ptx = rows[row].body, .grid = {1, 1, 1}, .block = {32 * WARPS, 1, 1}, .data = data, .bytes = sizeof data};
  memset(data, 0, sizeof data);
  if (bed_run(&bed, &c)) fail_msg("%s on %s: %s", rows[row].what, bed_machine_name(machine), bed.error.text);
  return bed.stats;
}

/* Each row's counter, exactly, or at least once where timing decides. */
static void test_reasons(void **state) {
  (void)state;
  for (unsigned i = 0; i < ROWS; i++) {
    const mpu_stats_t s = run_row(i, rows[i].machine);
    const uint64_t is = ((const uint64_t *)&s)[rows[i].counter];
    if (rows[i].expected == SOME ? !is : is != (uint64_t)rows[i].expected)
      fail_msg("row %u: %s is %llu, not %lld", i, rows[i].what, (unsigned long long)is, (long long)rows[i].expected);
  }
}

/* No reason is without a row; base_die is the only fate where there are no near-bank units. */
static void test_all_reasons(void **state) {
  (void)state;
  mpu_stats_t all = {0}, ponb = {0};
  for (unsigned i = 0; i < ROWS; i++) {
    const mpu_stats_t s = run_row(i, rows[i].machine);
    mpu_stats_t *sum = rows[i].machine == PONB ? &ponb : &all;
    for (size_t k = 0; k < sizeof s / sizeof(uint64_t); k++) ((uint64_t *)sum)[k] += ((const uint64_t *)&s)[k];
  }
  for (unsigned i = 0; i < MPU_USES; i++)
    if (!all.tsv_down[i] || !all.tsv_up[i]) fail_msg("no beats of use %s", mpu_use_name(i));
  for (unsigned i = 0; i < MPU_USES; i++)
    if (i != MPU_USE_transfers && i != MPU_USE_atomics && (ponb.tsv_down[i] || ponb.tsv_up[i]))
      fail_msg("beats of use %s without near-bank units", mpu_use_name(i));
  for (unsigned i = 0; i < MPU_FATES; i++)
    if (i != MPU_FATE_base_die && (!all.loads[i] || !all.stores[i] || ponb.loads[i] || ponb.stores[i]))
      fail_msg("fate %s", mpu_fate_name(i));
  for (unsigned i = 0; i < MPU_MOVES; i++)
    if (!all.moves_far[i] && !all.moves_near[i]) fail_msg("no moves by reason %s", mpu_move_name(i));
  for (unsigned i = 0; i < MPU_HOLDS; i++)
    if (!all.held[i]) fail_msg("nothing was held by %s", mpu_hold_name(i));
}

/* The sums that mpu_rig.c holds every run to see what is wrong. */
static void test_sums(void **state) {
  (void)state;
  mpu_stats_t s = {.global_accesses = 3,
                   .global_offloaded = 2,
                   .loads = {2, 1},
                   .tsv_beats_down = {[1] = 5},
                   .tsv_down = {5},
                   .register_moves = {1, 2},
                   .moves_far = {4, 0, 1},
                   .moves_near = {0, 2}};
  assert_null(mpu_rig_sums(&s));
#define WRONG(what)                  \
  s.what++;                          \
  assert_non_null(mpu_rig_sums(&s)); \
  s.what--
  WRONG(global_accesses);
  WRONG(global_offloaded);
  WRONG(stores[MPU_FATE_scattered]);
  WRONG(tsv_beats_up[3]);
  WRONG(tsv_down[MPU_USE_remote]);
  WRONG(tsv_up[MPU_USE_guard]);
  WRONG(register_moves[0]);
  WRONG(moves_near[MPU_USE_operand - MPU_FIRST_MOVE]);
  assert_null(mpu_rig_sums(&s));
}

int main(void) {
  static const struct CMUnitTest tests[] = {cmocka_unit_test(test_reasons), cmocka_unit_test(test_all_reasons),
                                            cmocka_unit_test(test_sums)};
  return cmocka_run_group_tests_name("mpu_reasons", tests, NULL, NULL);
}
