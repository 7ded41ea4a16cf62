/* SPDX-License-Identifier: Apache-2.0
 *
 * Equations 3 and 4 of the TOM paper in numbers, the meaning of a condition, and conditions of
 * loops against trips that this test counts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tom_compiler.h"
#include "unit_test.h"

/* ---- Equations 3 and 4 ----------------------------------------------------------------------- */

/* Each row by hand: 32 words for a sent register, 33 for a store, 16.5 for a load, half of which
 * miss. Fig. 4 needs four trips before the sum is negative. */
static void test_equations(void **state) {
  (void)state;
  static const struct {
    tom_size_t sent, returned;
    unsigned loads, stores;
    double tx, rx;
  } rows[] = {
      {{0, 0}, {0, 0}, 0, 0, 0, 0},
      {{0, 0}, {0, 0}, 1, 0, -0.5, -16},     /* half of the loads miss: half an address, half a line of 32 words */
      {{0, 0}, {0, 0}, 0, 1, -33, -0.25},    /* data of 32 threads and an address; a quarter of a word comes back */
      {{1, 0}, {0, 0}, 0, 0, 32, 0},         /* a register of 32 threads, sent */
      {{0, 0}, {1, 0}, 0, 0, 0, 32},         /* and returned */
      {{0, 1}, {0, 1}, 0, 0, 1, 1},          /* a predicate of 32 threads is a word */
      {{5, 0}, {0, 0}, 1, 1, 126.5, -16.25}, /* Fig. 4 without its loop: +110.25 */
      {{3, 0}, {0, 0}, 4, 2, 28, -64.5},
      {{1, 2}, {2, 1}, 100, 1000, -33016, -1785},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tom_change_t c = tom_change(rows[i].sent, rows[i].returned, rows[i].loads, rows[i].stores);
    assert_true((double)c.tx / 4 == rows[i].tx);
    assert_true((double)c.rx / 4 == rows[i].rx);
  }
  static const double fig4[] = {110.25, 60.5, 10.75, -39};
  for (unsigned trips = 1; trips <= 4; trips++)
    assert_true((double)tom_sum(tom_change((tom_size_t){5, 0}, (tom_size_t){0, 0}, trips, trips)) / 4 ==
                fig4[trips - 1]);
}

/* ---- Conditions against trips that are counted ----------------------------------------------- */

/* A load and a store; what follows moves the counter %r2 and tests it against %r3. */
#define LOOP                                                                                                   \
  ".version 6.0\n.target sm_35\n.address_size 32\n.visible .entry k()\n{\n.reg .pred %p<2>; .reg .b32 %r<9>; " \
  ".reg .f32 %f<9>;\nL: ld.global.f32 %f1, [%r1]; fma.rn.f32 %f1, %f1, %f2, %f3; st.global.f32 [%r1+4], %f1; "

typedef struct {
  const char *cmp;
  bool is_signed;
  int step;
  bool tested_first, step_in_register;
} counter_t;

/* The loop's own comparison. */
static bool goes_on(const counter_t *c, uint32_t i, uint32_t n) {
  int64_t a = c->is_signed ? (int64_t)(int32_t)i : (int64_t)i, b = c->is_signed ? (int64_t)(int32_t)n : (int64_t)n;
  if (!strcmp(c->cmp, "lt")) return a < b;
  if (!strcmp(c->cmp, "le")) return a <= b;
  if (!strcmp(c->cmp, "gt")) return a > b;
  if (!strcmp(c->cmp, "ge")) return a >= b;
  return a != b;
}

/* The trips by running the loop; UINT32_MAX: the counter leaves its range, most + 1: more than
 * `most`. */
static unsigned count_trips(const counter_t *c, uint32_t start, uint32_t bound, unsigned most) {
  int64_t at = c->is_signed ? (int64_t)(int32_t)start : (int64_t)start;
  int64_t low = c->is_signed ? INT32_MIN : 0, high = c->is_signed ? INT32_MAX : UINT32_MAX;
  for (unsigned trips = 1; trips <= most; trips++) {
    int64_t before = at;
    at += c->step;
    if (at < low || at > high) return UINT32_MAX;
    if (!goes_on(c, (uint32_t)(c->tested_first ? before : at), bound)) return trips;
  }
  return most + 1;
}

/* Compiles the loop, and compares its condition with the trips for bounds within 60 of 11
 * starts. A step in a register is rounded up to a power of two, so its condition may miss a loop
 * with enough trips. */
static void check_condition(const counter_t *c) {
  char code[1024], move[64];
  if (c->step_in_register) snprintf(move, sizeof move, "%s.s32 %%r2, %%r2, %%r4;", c->step > 0 ? "add" : "sub");
  else snprintf(move, sizeof move, "add.s32 %%r2, %%r2, %d;", c->step);
  snprintf(code, sizeof code, "%s%s setp.%s.%s32 %%p1, %%r2, %%r3; %s @%%p1 bra L; ret;\n}\n", LOOP,
           c->tested_first ? "" : move, c->cmp, c->is_signed ? "s" : "u", c->tested_first ? move : "");
  ptx_error_t err;
  ptx_module_t *m = ptx_parse(code, strlen(code), "t.ptx", &err);
  assert_non_null(m);
  tom_program_t *p = tom_compile(m, ptx_find_kernel(m, "k"), TOM_REGIONS_ALL);
  assert_non_null(p);
  assert_int_equal(p->num_blocks, 1);
  const tom_block_t *b = &p->blocks[0];
  static const uint32_t starts[] = {0,          1,          2,          7,          100,       0x7ffffff0,
                                    0x7fffffff, 0x80000000, 0x80000005, 0xfffffff0, 0xffffffff};
  uint32_t magnitude = (uint32_t)(c->step < 0 ? -c->step : c->step);
  unsigned seen[2] = {0};
  for (size_t s = 0; s < sizeof starts / sizeof *starts; s++) {
    for (int32_t d = -60; d <= 60; d++) {
      uint32_t bound = starts[s] + (uint32_t)d;
      bool ne = strcmp(c->cmp, "ne") == 0;
      if (ne && (d == 0 || d % c->step || d / c->step < 1)) continue; /* it is met */
      unsigned trips = count_trips(c, starts[s], bound, 64);
      if (trips == UINT32_MAX) continue;
      bool holds = tom_holds(&b->cond, starts[s], bound, magnitude), enough = trips >= b->least_trips;
      if (c->step_in_register ? holds && !enough : holds != enough) {
        print_message("%s\nfrom %u to %u: %u trips of %u, holds %d\n", code, starts[s], bound, trips, b->least_trips,
                      holds);
        fail();
      }
      if (c->step_in_register && trips >= 2u << b->cond.shift) assert_true(holds);
      seen[holds]++;
    }
  }
  assert_true(seen[0] && seen[1]);
  tom_program_free(p);
  ptx_free(m);
}

/* All conditions of counters: up and down, by 1 to 5, with and without a sign, the test before
 * or after the step, and the step as a constant or in a register. != with the test first is left
 * out. */
static void test_conditions(void **state) {
  (void)state;
  static const char *const up[] = {"lt", "le", "ne"}, *const down[] = {"gt", "ge", "ne"};
  for (int step = 1; step <= 5; step++)
    for (unsigned cmp = 0; cmp < 3; cmp++)
      for (unsigned i = 0; i < 8; i++) {
        bool is_signed = i & 1, first = i & 2, in_register = i & 4;
        if (cmp == 2 && first) continue;
        check_condition(&(counter_t){up[cmp], is_signed, step, first, in_register});
        check_condition(&(counter_t){down[cmp], is_signed, -step, first, in_register});
      }
}

/* What a condition says, by itself. */
static void test_holds(void **state) {
  (void)state;
  tom_condition_t c = {
      .kind = TOM_DISTANCE, .up = true, .is_signed = true, .start = 1, .bound = 2, .step = PTX_NONE, .imm = 4};
  assert_true(tom_holds(&c, 0, 4, 0));
  assert_false(tom_holds(&c, 0, 3, 0));
  assert_true(tom_holds(&c, 0x80000000, 0x7fffffff, 0)); /* 2^32 - 1 apart: 33 bits */
  assert_false(tom_holds(&c, 0x7fffffff, 0x80000000, 0));
  c.is_signed = false;
  assert_false(tom_holds(&c, 0x80000000, 0x7fffffff, 0));
  assert_true(tom_holds(&c, 0, 0xffffffff, 0));
  c.up = false;
  assert_true(tom_holds(&c, 9, 5, 0));
  assert_false(tom_holds(&c, 5, 9, 0));
  c.bound = PTX_NONE;
  assert_true(tom_holds(&c, 4, 1000, 0));
  c = (tom_condition_t){.kind = TOM_STEPS, .up = true, .shift = 3, .start = 1, .bound = 2, .step = 3};
  assert_true(tom_holds(&c, 0, 80, 10));
  assert_false(tom_holds(&c, 0, 79, 10));
  assert_false(tom_holds(&c, 0, 0xffffffff, 0x40000000)); /* 2^33: beyond any distance */
  c.beyond = true;
  assert_true(tom_holds(&c, 0, 81, 10));
  assert_false(tom_holds(&c, 0, 80, 10));
  c.kind = TOM_ALWAYS;
  assert_true(tom_holds(&c, 9, 0, 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_equations), cmocka_unit_test(test_conditions),
                                     cmocka_unit_test(test_holds)};
  return cmocka_run_group_tests_name("tom_condition", tests, NULL, NULL);
}
