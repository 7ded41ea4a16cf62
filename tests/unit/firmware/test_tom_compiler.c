/* SPDX-License-Identifier: Apache-2.0
 *
 * TOM's compiler: Fig. 4 of the TOM paper, and small kernels worked out by hand with each candidate
 * written out. Its change of traffic is that of the paper's Equations 3 and 4, in words of 32 bits
 * for a warp: a live-in costs 32, a load saves 0.5 sent and 16 received words, a store 33 and 0.25.
 * So five live-ins with four trips of a load and a store are 160 - 4 * 33.5 = 26 sent and -4 *
 * 16.25 = -65 received.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failing_heap.h"
#include "program_text.h"
#include "tom_compiler.h"
#include "unit_test.h"

enum { TEXT = 65536 };

/* A kernel with this body, three parameters and registers of every type. */
static ptx_module_t *parse_body(const char *code) {
  static char text[2 * TEXT];
  ptx_error_t err;
  snprintf(text, sizeof text,
           ".version 6.0\n.target sm_35\n.address_size 32\n.const .f32 cst[4];\n.shared .u32 sh[64];\n"
           ".func (.param .b32 o) g (.param .b32 i);\n"
           ".visible .entry k(.param .u32 k_a, .param .f32 k_f, .param .u32 k_n)\n{\n.local .u32 lo[4];\n"
           ".reg .pred %%p<9>; .reg .b16 %%h<9>; .reg .b32 %%r<99>; .reg .f32 %%f<99>; .reg .b64 %%d<19>;\n%s\n}\n",
           code);
  ptx_module_t *m = ptx_parse(text, strlen(text), "t.ptx", &err);
  if (!m) print_message("%s\n%s\n", err.trouble.text, code);
  assert_non_null(m);
  return m;
}

/* Names of a list of registers, "-" for none. */
static void say_registers(program_text_t *o, const ptx_func_t *f, const tom_reg_t *list, uint32_t count) {
  char name[64];
  for (uint32_t i = 0; i < count; i++) {
    tom_reg_name(f, &list[i], name, sizeof name);
    say(o, " %s", name + 1);
  }
  if (!count) say(o, " -");
}

/* A register's name without its %, "0" for none. */
static const char *register_name(const ptx_func_t *f, int32_t reg) {
  return reg == PTX_NONE ? "0" : f->regs[reg].name + 1;
}

/* A candidate as a line: "loop 3>9 in r1 r2 out f1, 2 1, 126.5 -16.25 RX, x4, r2 - r1 >= 4 s".
 * That is begin and exit, live-ins, live-outs, loads and stores, change of TX and RX, which of
 * them it saves, then the trips if they are constant, otherwise the least trips and the
 * condition (s signed, u unsigned). */
static void say_block(program_text_t *o, const ptx_func_t *f, const tom_block_t *b) {
  say(o, "%s %u>%u in", b->is_loop ? "loop" : "region", b->begin, b->exit);
  say_registers(o, f, b->sent, b->num_sent);
  say(o, " out");
  say_registers(o, f, b->returned, b->num_returned);
  say(o, ", %u %u, %g %g%s%s", (unsigned)b->loads, (unsigned)b->stores, (double)b->change.tx / 4,
      (double)b->change.rx / 4, b->saves_tx ? " TX" : "", b->saves_rx ? " RX" : "");
  if (b->trips) say(o, ", x%u", (unsigned)b->trips);
  else if (b->is_loop) say(o, ", from %u", b->least_trips);
  const tom_condition_t *c = &b->cond;
  if (c->kind == TOM_ALWAYS) return;
  say(o, ": %s - %s %s ", register_name(f, c->up ? c->bound : c->start), register_name(f, c->up ? c->start : c->bound),
      c->beyond ? ">" : ">=");
  if (c->kind == TOM_STEPS) say(o, "%s << %u", register_name(f, c->step), c->shift);
  else say(o, "%d", c->imm);
  say(o, c->is_signed ? " s" : " u");
}

/* The candidates, a line each; then the refused ones, "no loop at 3: why", by their first
 * instruction. */
static void expect_regions(const char *code, tom_regions_t regions, const char *want) {
  static program_text_t got;
  ptx_module_t *m = parse_body(code);
  tom_program_t *p = tom_compile(m, ptx_find_kernel(m, "k"), regions);
  assert_non_null(p);
  got.used = 0;
  *got.text = 0;
  for (uint32_t i = 0; i < p->num_blocks; i++) {
    say_block(&got, p->func, &p->blocks[i]);
    say(&got, "\n");
  }
  for (uint32_t i = 0; i < p->num_refused; i++)
    say(&got, "no %s at %u: %s\n", p->refused[i].is_loop ? "loop" : "region", p->refused[i].begin, p->refused[i].text);
  if (strcmp(got.text, want)) print_message("%s\ngot:\n%swant:\n%s", code, got.text, want);
  assert_string_equal(got.text, want);
  tom_program_free(p);
  ptx_free(m);
}

/* With loops and regions. */
static void expect_candidates(const char *code, const char *want) {
  expect_regions(code, TOM_REGIONS_ALL, want);
}

/* With loops alone. */
static void expect_loops(const char *code, const char *want) {
  expect_regions(code, TOM_REGIONS_LOOPS, want);
}

/* ---- Fig. 4 ---------------------------------------------------------------------------------- */

/* Fig. 4: LIBOR's loop pays from four trips on. */
static void test_libor(void **state) {
  (void)state;
  ptx_error_t err;
  ptx_module_t *m = ptx_read(LOCKSTACK_SOURCE_DIR "/tests/unit/firmware/libor.ptx", &err);
  assert_non_null(m);
  assert_int_equal(m->address_bytes, 4);
  tom_program_t *p = tom_compile(m, ptx_find_kernel(m, NULL), TOM_REGIONS_ALL);
  assert_non_null(p);
  assert_int_equal(p->num_blocks, 1);
  assert_int_equal(p->num_refused, 0);
  program_text_t got = {.used = 0};
  say_block(&got, p->func, &p->blocks[0]);
  assert_string_equal(got.text, "loop 21>31 in r10 r12 r14 f2 f3 out -, 1 1, 26 -65 RX, from 4: r14 - r10 >= 16 u");
  tom_program_free(p);
  ptx_free(m);
}

/* ---- Loops ----------------------------------------------------------------------------------- */

/* Five live-ins but for those that the test adds, a load and a store: 49.75 words a trip. */
#define BODY "L: ld.global.f32 %f1, [%r1]; fma.rn.f32 %f1, %f1, %f2, %f3; st.global.f32 [%r1+4], %f1; "

/* The exit test in each of its forms, and the least distance of counter and bound for four
 * trips. */
static void test_tests(void **state) {
  (void)state;
  /* a counter upwards, tested after its step: as often as the distance says */
  expect_loops(BODY "add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r3; @%p1 bra L; ret;",
               "loop 0>6 in r1 f2 f3 r2 r3 out -, 1 1, 26 -65 RX, from 4: r3 - r2 >= 4 s\n");
  expect_loops(BODY "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r3; @%p1 bra L; ret;",
               "loop 0>6 in r1 f2 f3 r2 r3 out -, 1 1, 26 -65 RX, from 4: r3 - r2 >= 4 u\n");
  expect_loops(BODY "add.s32 %r2, %r2, 1; setp.lo.u32 %p1, %r2, %r3; @%p1 bra L; ret;",
               "loop 0>6 in r1 f2 f3 r2 r3 out -, 1 1, 26 -65 RX, from 4: r3 - r2 >= 4 u\n");
  /* steps of 3: 10 is the least distance that takes four of them */
  expect_loops(BODY "add.s32 %r2, %r2, 3; setp.lt.s32 %p1, %r2, %r3; @%p1 bra L; ret;",
               "loop 0>6 in r1 f2 f3 r2 r3 out -, 1 1, 26 -65 RX, from 4: r3 - r2 >= 10 s\n");
  expect_loops(BODY "add.s32 %r2, %r2, 3; setp.le.s32 %p1, %r2, %r3; @%p1 bra L; ret;",
               "loop 0>6 in r1 f2 f3 r2 r3 out -, 1 1, 26 -65 RX, from 4: r3 - r2 >= 9 s\n");
  expect_loops(BODY "add.s32 %r2, %r2, 3; setp.ne.s32 %p1, %r2, %r3; @%p1 bra L; ret;",
               "loop 0>6 in r1 f2 f3 r2 r3 out -, 1 1, 26 -65 RX, from 4: r3 - r2 >= 12 s\n");
  /* the test leaves, the bound stands first, the guard is negated */
  expect_loops(BODY "add.s32 %r2, %r2, 1; setp.ge.s32 %p1, %r2, %r3; @%p1 bra E; bra L;\nE: ret;",
               "loop 0>7 in r1 f2 f3 r2 r3 out -, 1 1, 26 -65 RX, from 4: r3 - r2 >= 4 s\n");
  expect_loops(BODY "add.s32 %r2, %r2, 1; setp.gt.s32 %p1, %r3, %r2; @%p1 bra L; ret;",
               "loop 0>6 in r1 f2 f3 r2 r3 out -, 1 1, 26 -65 RX, from 4: r3 - r2 >= 4 s\n");
  expect_loops(BODY "add.s32 %r2, %r2, 1; setp.ge.s32 %p1, %r2, %r3; @!%p1 bra L; ret;",
               "loop 0>6 in r1 f2 f3 r2 r3 out -, 1 1, 26 -65 RX, from 4: r3 - r2 >= 4 s\n");
  /* tested before its step: one trip more */
  expect_loops(BODY "setp.lt.s32 %p1, %r2, %r3; add.s32 %r2, %r2, 1; @%p1 bra L; ret;",
               "loop 0>6 in r1 f2 f3 r2 r3 out -, 1 1, 26 -65 RX, from 4: r3 - r2 >= 3 s\n");
  /* through a copy */
  expect_loops(BODY "add.s32 %r4, %r2, 1; setp.lt.s32 %p1, %r4, %r3; mov.u32 %r2, %r4; @%p1 bra L; ret;",
               "loop 0>7 in r1 f2 f3 r2 r3 out -, 1 1, 26 -65 RX, from 4: r3 - r2 >= 4 s\n");
}

/* Counters that go down, and bounds or starts that are constants: they are part of the
 * threshold. */
static void test_decreasing(void **state) {
  (void)state;
  expect_loops(BODY "add.s32 %r2, %r2, -1; setp.gt.s32 %p1, %r2, %r3; @%p1 bra L; ret;",
               "loop 0>6 in r1 f2 f3 r2 r3 out -, 1 1, 26 -65 RX, from 4: r2 - r3 >= 4 s\n");
  expect_loops(BODY "sub.s32 %r2, %r2, 2; setp.ge.s32 %p1, %r2, %r3; @%p1 bra L; ret;",
               "loop 0>6 in r1 f2 f3 r2 r3 out -, 1 1, 26 -65 RX, from 4: r2 - r3 >= 6 s\n");
  /* to a constant: four live-ins, 128 words, so three trips; the constant is in the threshold */
  expect_loops(BODY "add.s32 %r2, %r2, -1; setp.ne.s32 %p1, %r2, 0; @%p1 bra L; ret;",
               "loop 0>6 in r1 f2 f3 r2 out -, 1 1, 27.5 -48.75 RX, from 3: r2 - 0 >= 3 s\n");
  expect_loops(BODY "add.s32 %r2, %r2, -1; setp.gt.s32 %p1, %r2, -7; @%p1 bra L; ret;",
               "loop 0>6 in r1 f2 f3 r2 out -, 1 1, 27.5 -48.75 RX, from 3: r2 - 0 >= -4 s\n");
  expect_loops(BODY "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 90; @%p1 bra L; ret;",
               "loop 0>6 in r1 f2 f3 r2 out -, 1 1, 27.5 -48.75 RX, from 3: 0 - r2 >= -87 u\n");
  /* from a constant */
  expect_loops("mov.u32 %r2, 5;\n" BODY "add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r3; @%p1 bra L; ret;",
               "loop 1>7 in r2 r1 f2 f3 r3 out -, 1 1, 26 -65 RX, from 4: r3 - 0 >= 9 s\n");
}

/* Start, bound and step are constants: the trips are known, and the condition is gone. */
static void test_constant_trips(void **state) {
  (void)state;
  expect_loops("mov.u32 %r2, 0;\n" BODY "add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, 3; @%p1 bra L; ret;",
               "loop 1>7 in r2 r1 f2 f3 out -, 1 1, 27.5 -48.75 RX, x3\n");
  expect_loops("mov.u32 %r2, 10;\n" BODY "add.s32 %r2, %r2, -3; setp.ge.s32 %p1, %r2, 0; @%p1 bra L; ret;",
               "loop 1>7 in r2 r1 f2 f3 out -, 1 1, -6 -65 TX RX, x4\n");
  expect_loops("mov.u32 %r2, 0;\n" BODY "add.s32 %r2, %r2, 1; setp.ne.s32 %p1, %r2, 2; @%p1 bra L; ret;",
               "no loop at 1: its 2 trips save no traffic\n");
  /* 0, 3, 6, ... is never 4 */
  expect_loops(
      "mov.u32 %r2, 0;\n" BODY "add.s32 %r2, %r2, 3; setp.ne.s32 %p1, %r2, 4; @%p1 bra L; ret;",
      "no loop at 1: trips are not known at entry (the counter wraps round before the test for equality holds): "
      "counted once\n");
  /* the same register is set twice before the loop: only
   * what comes last counts, or nothing where ways meet */
  expect_loops("mov.u32 %r2, 7; mov.u32 %r2, 0;\n" BODY
               "add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, 3; @%p1 bra L; ret;",
               "loop 2>8 in r2 r1 f2 f3 out -, 1 1, 27.5 -48.75 RX, x3\n");
  expect_loops("mov.u32 %r2, 1; @%p2 bra L; mov.u32 %r2, 0;\n" BODY
               "add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, 3; @%p1 bra L; ret;",
               "loop 3>9 in r2 r1 f2 f3 out -, 1 1, 27.5 -48.75 RX, from 3: 0 - r2 >= 0 s\n");
  /* an inner counter that the outer loop does not reset is no constant the second time */
  expect_loops("mov.u32 %r2, 0;\nO: mov.u32 %r8, 0;\n" BODY
               "add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, 3; @%p1 bra L; setp.ne.s32 %p2, %r9, 0; @%p2 bra O; ret;",
               "loop 2>8 in r2 r1 f2 f3 out r2, 1 1, -6 -33 TX RX, from 4: 0 - r2 >= 1 s\n"
               "no loop at 1: trips are not known at entry (the exit test has no counter): counted once\n");
}

/* A condition on a step in a register takes the next power of two of steps. */
static void test_step_in_register(void **state) {
  (void)state;
  /* six live-ins, 192 words: four trips; seven, 224: five, the fifth behind four steps, which <=
   * may reach and < has to pass; what is no power of two is rounded up */
  expect_loops(BODY "add.s32 %r2, %r2, %r4; setp.lt.u32 %p1, %r2, %r3; @%p1 bra L; ret;",
               "loop 0>6 in r1 f2 f3 r2 r4 r3 out -, 1 1, 58 -65 RX, from 4: r3 - r2 >= r4 << 2 u\n");
  expect_loops(BODY "add.f32 %f5, %f1, %f4; add.s32 %r2, %r2, %r4; setp.lt.u32 %p1, %r2, %r3; @%p1 bra L; ret;",
               "loop 0>7 in r1 f2 f3 f4 r2 r4 r3 out -, 1 1, 56.5 -81.25 RX, from 5: r3 - r2 > r4 << 2 u\n");
  expect_loops(BODY "add.f32 %f5, %f1, %f4; add.s32 %r2, %r2, %r4; setp.le.u32 %p1, %r2, %r3; @%p1 bra L; ret;",
               "loop 0>7 in r1 f2 f3 f4 r2 r4 r3 out -, 1 1, 56.5 -81.25 RX, from 5: r3 - r2 >= r4 << 2 u\n");
  expect_loops(BODY "sub.s32 %r2, %r2, %r4; setp.gt.s32 %p1, %r2, %r3; @%p1 bra L; ret;",
               "loop 0>6 in r1 f2 f3 r2 r4 r3 out -, 1 1, 58 -65 RX, from 4: r2 - r3 >= r4 << 2 s\n");
}

/* Trips of which accesses are multiples: those behind the test once less than those before it. */
static void test_where_the_test_is(void **state) {
  (void)state;
  expect_loops(
      "L: ld.global.f32 %f1, [%r1]; setp.ge.s32 %p1, %r2, %r3; @%p1 bra E; st.global.f32 [%r1+4], %f1; add.s32 %r2, "
      "%r2, 1; bra L;\nE: ret;",
      "loop 0>6 in r1 r2 r3 out -, 1 1, 29 -32.5 RX, from 2: r3 - r2 >= 2 s\n");
  expect_loops(
      "L: setp.ge.s32 %p1, %r2, %r3; @%p1 bra E; ld.global.f32 %f1, [%r1]; st.global.f32 [%r1+4], %f1; add.s32 %r2, "
      "%r2, 1; bra L;\nE: ret;",
      "no loop at 0: a branch before the first access\n");
}

/* Each reason for which a loop's trips are not known at entry. */
static void test_unknown_trips(void **state) {
  (void)state;
  static const char *const whys[][2] = {
      {"add.s32 %r2, %r2, 1; ld.global.u32 %r3, [%r4]; setp.lt.s32 %p1, %r2, %r3; @%p1 bra L;",
       "the counter's bound is written inside of the loop"},
      {"setp.lt.s32 %p1, %r2, %r3; add.s32 %r2, %r2, %f1; @%p1 bra L;",
       "the exit test's register does not move by the same step in every trip"},
      {"mul.lo.s32 %r2, %r2, 2; setp.lt.s32 %p1, %r2, %r3; @%p1 bra L;", "the exit test has no counter"},
      {"add.s32 %r2, %r2, 1; setp.gt.s32 %p1, %r2, %r3; @%p1 bra L;", "the exit test does not fit the counter's step"},
      {"add.s32 %r2, %r2, 1; setp.eq.s32 %p1, %r2, %r3; @%p1 bra L;", "the exit test does not fit the counter's step"},
      {"add.s32 %r2, %r2, 1; @%p2 add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r3; @%p1 bra L;",
       "the exit test has no counter"},
      {"@%p2 add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r3; @%p1 bra L;", "the exit test has no counter"},
      {"setp.lt.f32 %p1, %f1, %f4; @%p1 bra L;", "the exit test is no comparison of two integers"},
      {"add.s32 %r2, %r2, 1; setp.lt.and.s32 %p1, %r2, %r3, %p2; @%p1 bra L;",
       "the exit test is no comparison of two integers"},
      {"add.s32 %r2, %r2, 1; @%p2 setp.lt.s32 %p1, %r2, %r3; @%p1 bra L;",
       "the exit test is no comparison of two integers"},
      {"@%p1 bra L;", "the exit test is not made once in every trip"},
      {"add.s64 %d1, %d1, 1; setp.lt.s64 %p1, %d1, %d2; @%p1 bra L;", "the counter does not have 32 bits"},
      {"@%p2 bra E; add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r3; @%p1 bra L;", "it has several exits"},
      {"@%p2 bra L; add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r3; @%p1 bra L;",
       "the exit test is not made once in every trip"},
      {"add.s32 %r2, %r2, %r4; setp.lt.s32 %p1, %r2, 9; @%p1 bra L;", "a constant beside a step that is in a register"},
  };
  for (size_t i = 0; i < sizeof whys / sizeof *whys; i++) {
    char code[1024], want[512];
    snprintf(code, sizeof code, "%s%s\nE: ret;", BODY, whys[i][0]);
    snprintf(want, sizeof want, "no loop at 0: trips are not known at entry (%s): counted once\n", whys[i][1]);
    expect_regions(code, TOM_REGIONS_LOOPS, want);
  }
}

/* What happens in an inner loop is not once in every trip of the outer one. */
static void test_inner_counter(void **state) {
  (void)state;
  expect_loops(
      BODY
      "\nM: add.s32 %r2, %r2, 1; setp.lt.f32 %p2, %f1, %f5; @%p2 bra M; setp.lt.s32 %p1, %r2, %r3; @%p1 bra L; ret;",
      "no loop at 0: trips are not known at entry (the exit test has no counter): counted once\n"
      "no loop at 3: trips are not known at entry (the exit test is no comparison of two integers): counted once\n");
  expect_loops(
      BODY
      "\nM: setp.ge.s32 %p1, %r2, %r3; @%p1 bra E; setp.lt.f32 %p2, %f1, %f5; @%p2 bra M; add.s32 %r2, %r2, 1; bra "
      "L;\nE: ret;",
      "no loop at 0: trips are not known at entry (the exit test is not made once in every trip): counted once\n"
      "no loop at 3: trips are not known at entry (it leaves to two places): counted once\n");
}

/* What all leave is a candidate counted once where
 * that saves; the loop itself or what is around it. */
static void test_counted_once(void **state) {
  (void)state;
  const char *code =
      "L: ld.global.u32 %r3, [%r1]; st.global.u32 [%r1+4], %r3; st.global.u32 [%r1+8], %r3; setp.ne.s32 %p1, %r3, 0; "
      "@%p1 bra L; ret;";
  const char *want = "region 0>5 in r1 out -, 1 2, -34.5 -16.5 TX RX\n"
                     "no loop at 0: trips are not known at entry (the exit test has no counter): counted once\n";
  expect_candidates(code, want);
  expect_regions(code, TOM_REGIONS_LOOPS, want);
  /* F6: the loop has three live-ins and saves nothing, the region around it has one */
  code = "shl.b32 %r2, %r1, 2; add.s32 %r3, %r2, 64; ld.global.u32 %r4, [%r2]; mov.u32 %r6, 0;\n"
         "L: ld.global.u32 %r5, [%r3]; add.s32 %r6, %r6, %r4; setp.lt.u32 %p1, %r6, %r5; @%p1 bra L; st.global.u32 "
         "[%r2], %r6; ret;";
  expect_candidates(
      code,
      "region 1>9 in r2 out -, 2 1, -2 -32.25 TX RX\n"
      "no loop at 4: trips are not known at entry (the counter's bound is written inside of the loop): counted once\n");
  expect_regions(
      code, TOM_REGIONS_LOOPS,
      "no loop at 4: trips are not known at entry (the counter's bound is written inside of the loop): counted once\n");
}

/* Constant trips of an inner loop multiply; unknown ones count as one. */
static void test_nested(void **state) {
  (void)state;
  /* the inner loop's four trips are constant and multiply in the outer one */
  expect_loops(
      "O: mov.u32 %r2, 0;\n"
      "L: ld.global.f32 %f1, [%r1]; st.global.f32 [%r1+4], %f1; add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, 4; @%p1 "
      "bra L;\n"
      "add.s32 %r3, %r3, 1; setp.lt.s32 %p2, %r3, %r4; @%p2 bra O; ret;",
      "loop 0>9 in r1 r3 r4 out -, 4 4, -38 -65 TX RX, from 1\nloop 1>6 in r2 r1 out -, 1 1, -70 -65 TX RX, x4\n");
  /* known only at entry, they count as one: three live-ins and five,
   * 49.75 words a trip; five and a predicate's comparison outside */
  expect_loops("O: ld.global.u32 %r5, [%r1]; mov.u32 %r2, 0;\n"
               "L: st.global.f32 [%r1+4], %r5; add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r6; @%p1 bra L;\n"
               "add.s32 %r3, %r3, 1; setp.lt.s32 %p2, %r3, %r4; @%p2 bra O; ret;",
               "loop 0>9 in r1 r6 r3 r4 out -, 1 1, 27.5 -48.75 RX, from 3: r4 - r3 >= 3 s\n"
               "loop 2>6 in r5 r1 r2 r6 out -, 0 1, -4 -1 TX RX, from 4: r6 - 0 >= 4 s\n");
}

/* ---- What may not be inside (section 3.1.4) -------------------------------------------------- */

/* What the paper excludes from a candidate, and instructions that could not run elsewhere. */
static void test_illegal(void **state) {
  (void)state;
  static const char *const rows[][2] = {
      {"bar.sync 0;", "a barrier"},
      {"ld.shared.u32 %r5, [sh];", "shared memory"},
      {"st.shared.u32 [sh], %r2;", "shared memory"},
      {"atom.global.add.u32 %r5, [%r1], 1;", "an atomic operation"},
      {"red.global.add.u32 [%r1], 1;", "an atomic operation"},
      {"membar.gl;", "a memory barrier"},
      {"fence.acq_rel.gpu;", "a memory barrier"},
      {"ld.local.u32 %r5, [lo];", "local memory"},
      {"ld.u32 %r5, [%r1];", "a generic address: it may be in shared or local memory"},
      {"ld.volatile.global.u32 %r5, [%r1];", "an ordered access"},
      {"@%p3 exit;", "threads may end: they do not meet again at the candidate's end"},
      {"shfl.down.b32 %r5, %r2, 1, 31;", "an operation between threads of a warp"},
      {"add.cc.u32 %r5, %r2, 1;", "the carry flag is no register that can be sent"},
      {"mov.u32 %r5, %clock;", "a clock or counter of this SM"},
      {"prefetch.global.L1 [%r1];", "an instruction that is neither arithmetic nor a load or store of global memory"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char code[1024], want[512];
    snprintf(code, sizeof code, "%s%s add.s32 %%r2, %%r2, 1; setp.lt.s32 %%p1, %%r2, %%r3; @%%p1 bra L; ret;", BODY,
             rows[i][0]);
    snprintf(want, sizeof want, "no loop at 0: %s\n", rows[i][1]);
    expect_regions(code, TOM_REGIONS_LOOPS, want);
  }
  /* ld.param and ld.const inside cost nothing, outside they are live-ins */
  expect_loops(
      "L: ld.param.f32 %f2, [k_f]; ld.const.f32 %f3, [cst]; ld.global.f32 %f1, [%r1]; fma.rn.f32 %f1, %f1, %f2, %f3; "
      "st.global.f32 [%r1], %f1; "
      "add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r3; @%p1 bra L; ret;",
      "loop 0>8 in r1 r2 r3 out -, 1 1, 29 -32.5 RX, from 2: r3 - r2 >= 2 s\n");
  expect_regions(
      BODY "@%p2 bra X; add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r3; @%p1 bra L; ret;\nX: mov.u32 %r5, 0; ret;",
      TOM_REGIONS_LOOPS, "no loop at 0: trips are not known at entry (it leaves to two places): counted once\n");
}

/* From the begin to the first access: no branch, no live-in overwritten. */
static void test_first_access(void **state) {
  (void)state;
  expect_loops("L: add.s32 %r1, %r1, 4; ld.global.f32 %f1, [%r1]; st.global.f32 [%r1+400], %f1; add.s32 %r2, %r2, 1; "
               "setp.lt.s32 %p1, %r2, %r3; @%p1 bra L; ret;",
               "no loop at 0: a live-in is overwritten before the first access\n");
  expect_loops(
      "L: @%p3 bra M; mov.u32 %r4, 0;\n"
      "M: ld.global.f32 %f1, [%r1]; st.global.f32 [%r1+400], %f1; add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r3; "
      "@%p1 bra L; ret;",
      "no loop at 0: a branch before the first access\n");
  /* a register for this trip alone is none that lives in */
  expect_loops("L: add.s32 %r4, %r1, %r2; ld.global.f32 %f1, [%r4]; st.global.f32 [%r4+400], %f1; add.s32 %r2, %r2, 1; "
               "setp.lt.s32 %p1, %r2, %r3; @%p1 bra L; ret;",
               "loop 0>6 in r1 r2 r3 out -, 1 1, 29 -32.5 RX, from 2: r3 - r2 >= 2 s\n");
}

/* ---- Registers ------------------------------------------------------------------------------- */

/* Which registers live in or out, and how many words each of them is. */
static void test_registers(void **state) {
  (void)state;
  /* 64 bits are two words, of live-ins and of accesses; three
   * live-ins of one word, one of two: 160 words, 99.5 a trip */
  expect_loops(
      "L: ld.global.f64 %d1, [%r1]; add.f64 %d1, %d1, %d2; st.global.f64 [%r1], %d1; add.s32 %r2, %r2, 1; setp.lt.s32 "
      "%p1, %r2, %r3; @%p1 bra L; ret;",
      "loop 0>6 in r1 d2 r2 r3 out -, 2 2, 26 -65 RX, from 2: r3 - r2 >= 2 s\n");
  /* a vector of three words in 16 bits each is one word an element
   * at most: here two elements of two bytes are one word */
  expect_candidates(
      "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%r1]; st.global.v2.u16 [%r1+16], {%h1, %h1}; add.f32 %f1, %f1, %f2; "
      "add.f32 %f3, %f3, %f4; "
      "st.global.v2.f32 [%r1], {%f1, %f3}; ret;",
      "region 0>5 in r1 h1 out -, 4 3, -37 -64.75 TX RX\n");
  /* a predicate is one word of the warp, sent or returned */
  expect_candidates(
      "ld.global.u32 %r2, [%r1]; @%p1 add.u32 %r2, %r2, 1; st.global.u32 [%r1], %r2; st.global.u32 [%r1+4], %r2; "
      "setp.ne.u32 %p2, %r2, 0; bar.sync 0; "
      "@%p2 bra E; bar.sync 0;\nE: ret;",
      "region 0>5 in r1 p1 out p2, 1 2, -33.5 -15.5 TX RX\n");
  /* special registers are live-ins */
  expect_candidates(
      "ld.global.u32 %r3, [%r1]; mov.u32 %r2, %tid.y; st.global.u32 [%r2], %r3; st.global.u32 [%r2+4], %r3; ret;",
      "region 0>4 in r1 tid.y out -, 1 2, -2.5 -16.5 TX RX\n");
  /* a guarded write leaves the other threads' values, so the register lives in, and is returned */
  expect_candidates(
      "ld.global.u32 %r2, [%r1]; st.global.u32 [%r1], %r2; st.global.u32 [%r1+4], %r2; @%p1 mov.u32 %r4, %r2; "
      "st.global.u32 [%r1+8], %r2; "
      "st.global.u32 [%r1+12], %r2; bar.sync 0; "
      "st.shared.u32 [sh], %r4; ret;",
      "region 0>6 in r1 p1 r4 out r4, 1 4, -67.5 15 TX\n");
  /* so does a write on one of two paths; not one on both */
  expect_candidates(
      "ld.global.u32 %r2, [%r1]; st.global.u32 [%r1], %r2; st.global.u32 [%r1+4], %r2; st.global.u32 [%r1+8], %r2; "
      "@%p1 bra T; mov.u32 %r4, 1;\n"
      "T: bar.sync 0; st.shared.u32 [sh], %r4; ret;",
      "region 0>4 in r1 out -, 1 3, -67.5 -16.75 TX RX\nno region at 7: shared memory\n");
  expect_candidates("ld.global.u32 %r2, [%r1]; @%p1 bra T; st.global.u32 [%r1], %r2; mov.u32 %r4, 1; bra J;\n"
                    "T: st.global.u32 [%r1+4], %r2;\n"
                    "J: st.global.u32 [%r1+8], %r2; bar.sync 0; st.shared.u32 [sh], %r4; ret;",
                    "region 0>7 in r1 p1 r4 out r4, 1 3, -34.5 15.25 TX\n");
  expect_candidates("ld.global.u32 %r2, [%r1]; @%p1 bra T; st.global.u32 [%r1], %r2; mov.u32 %r4, 1; bra J;\n"
                    "T: st.global.u32 [%r1+4], %r2; mov.u32 %r4, 2;\n"
                    "J: st.global.u32 [%r1+8], %r2; bar.sync 0; st.shared.u32 [sh], %r4; ret;",
                    "region 0>8 in r1 p1 out r4, 1 3, -66.5 15.25 TX\n");
}

/* ---- Limits of the table --------------------------------------------------------------------- */

/* The table has 40 entries: of 41 candidates the one that saves least is dropped. */
static void test_41(void **state) {
  (void)state;
  static char code[TEXT];
  for (unsigned stores = 2; stores <= 3; stores++) { /* the odd one saves more, or less, than the others */
    size_t n = 0;
    for (unsigned i = 0; i < 41; i++) {
      unsigned more = i == 20 ? stores : 5 - stores;
      for (unsigned s = 0; s < more; s++)
        n += (size_t)snprintf(code + n, sizeof code - n, "st.global.u32 [%%r1+%u], %%r1; ", 4 * s);
      n += (size_t)snprintf(code + n, sizeof code - n, "bar.sync 0;\n");
    }
    snprintf(code + n, sizeof code - n, "ret;");
    ptx_module_t *m = parse_body(code);
    tom_program_t *p = tom_compile(m, ptx_find_kernel(m, "k"), TOM_REGIONS_ALL);
    assert_non_null(p);
    assert_int_equal(p->num_blocks, 40);
    assert_int_equal(p->dropped, 1);
    unsigned odd = 0;
    for (uint32_t i = 0; i < p->num_blocks; i++) {
      odd += p->blocks[i].stores == stores;
      if (i) assert_true(p->blocks[i].begin > p->blocks[i - 1].begin);
    }
    assert_int_equal(odd, stores == 3);
    tom_program_free(p);
    ptx_free(m);
  }
}

/* More than 64 registers alive at once leave no candidate in the kernel; the line of the most is
 * named. */
static void test_alive(void **state) {
  (void)state;
  static char code[TEXT];
  for (unsigned regs = 63; regs <= 64; regs++) { /* and the pointer */
    size_t n =
        (size_t)snprintf(code, sizeof code, "st.global.u32 [%%r1], %%r1; st.global.u32 [%%r1+4], %%r1; bar.sync 0;\n");
    for (unsigned i = 0; i < regs; i++)
      n += (size_t)snprintf(code + n, sizeof code - n, "ld.shared.f32 %%f%u, [sh+%u];\n", i, 4 * (i % 64));
    for (unsigned i = 0; i < regs; i++)
      n += (size_t)snprintf(code + n, sizeof code - n, "st.shared.f32 [%%r1], %%f%u;\n", i);
    snprintf(code + n, sizeof code - n, "ret;");
    ptx_module_t *m = parse_body(code);
    tom_program_t *p = tom_compile(m, ptx_find_kernel(m, "k"), TOM_REGIONS_ALL);
    assert_non_null(p);
    assert_int_equal(p->most_alive, regs + 1);
    assert_int_equal(p->most_alive_line, 11 + (int)regs + 1);
    assert_int_equal(p->too_many_alive, regs == 64);
    assert_int_equal(p->num_blocks, regs == 64 ? 0 : 1);
    tom_program_free(p);
    ptx_free(m);
  }
}

/* A request carries 28 words: the pointer, the predicate, `regs` registers and, with known
 * trips, the counter. */
static void test_28_words(void **state) {
  (void)state;
  static char code[TEXT];
  for (unsigned regs = 25; regs <= 27; regs++) { /* the pointer, the predicate, these, and with known trips a counter */
    for (unsigned known = 0; known < 2; known++) {
      size_t n = (size_t)snprintf(code, sizeof code, "L: ");
      for (unsigned i = 0; i < regs; i++)
        n += (size_t)snprintf(code + n, sizeof code - n, "@%%p2 st.global.f32 [%%r1+%u], %%f%u;\n", 4 * i, i);
      snprintf(code + n, sizeof code - n, "%s @%%p1 bra L; ret;",
               known ? "add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, 0;"
                     : "ld.global.u32 %r2, [%r1]; setp.ne.s32 %p1, %r2, 0;");
      ptx_module_t *m = parse_body(code);
      tom_program_t *p = tom_compile(m, ptx_find_kernel(m, "k"), TOM_REGIONS_LOOPS);
      assert_non_null(p);
      assert_int_equal(p->num_blocks, regs + known <= 26);
      if (p->num_blocks) assert_int_equal(p->blocks[0].sent_size.words, regs + known + 1);
      if (p->num_blocks == 0 && known) assert_non_null(strstr(p->refused[0].text, "words live into it, at most 28"));
      tom_program_free(p);
      ptx_free(m);
    }
  }
}

/* Without a loop: the pointer and 27 registers, each stored
 * twice, are a region; of 28 one is left for another. */
static void test_28_words_of_regions(void **state) {
  (void)state;
  static char code[TEXT];
  for (unsigned regs = 27; regs <= 28; regs++) {
    size_t n = 0;
    for (unsigned i = 0; i < 2 * regs; i++)
      n += (size_t)snprintf(code + n, sizeof code - n, "st.global.f32 [%%r1+%u], %%f%u;\n", 4 * i, i / 2);
    snprintf(code + n, sizeof code - n, "ret;");
    ptx_module_t *m = parse_body(code);
    tom_program_t *p = tom_compile(m, ptx_find_kernel(m, "k"), TOM_REGIONS_ALL);
    assert_non_null(p);
    assert_int_equal(p->num_blocks, regs - 26);
    unsigned stores = 0, most = 0;
    for (uint32_t i = 0; i < p->num_blocks; i++) {
      stores += (unsigned)p->blocks[i].stores;
      most = p->blocks[i].sent_size.words > most ? p->blocks[i].sent_size.words : most;
    }
    assert_int_equal(stores, 2 * regs);
    assert_int_equal(most, 28);
    tom_program_free(p);
    ptx_free(m);
  }
}

/* 1,024 instructions are one region; of one more the first store is another. */
static void test_1024_instructions(void **state) {
  (void)state;
  static char code[TEXT];
  for (unsigned between = 1020; between <= 1021; between++) {
    size_t n = (size_t)snprintf(code, sizeof code, "st.global.u32 [%%r1], %%r1; st.global.u32 [%%r1+4], %%r1;\n");
    for (unsigned i = 0; i < between; i++)
      n += (size_t)snprintf(code + n, sizeof code - n, "add.u32 %%r2, %%r1, %u;\n", i);
    snprintf(code + n, sizeof code - n, "st.global.u32 [%%r1+8], %%r2; st.global.u32 [%%r1+12], %%r2; ret;");
    expect_candidates(
        code, between == 1020
                  ? "region 0>1024 in r1 out -, 0 4, -100 -1 TX RX\n"
                  : "region 0>1 in r1 out -, 0 1, -1 -0.25 TX RX\nregion 1>1025 in r1 out -, 0 3, -67 -0.75 TX RX\n");
  }
}

/* Each allocation fails once: no program, and all is given back. */
static void test_out_of_memory(void **state) {
  (void)state;
  ptx_module_t *m = parse_body(
      "shl.b32 %r2, %r1, 2; mov.u32 %r6, 0; ld.global.u32 %r4, [%r2];\n" BODY
      "add.s32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, %r5; @%p1 bra L;\n"
      "bar.sync 0; ld.global.u32 %r4, [%r2]; st.global.u32 [%r2], %r4; st.global.u32 [%r2+4], %r4; ld.shared.u32 %r4, "
      "[sh]; ret;");
  for (int regions = TOM_REGIONS_ALL; regions <= TOM_REGIONS_LOOPS; regions++) {
    unsigned at = 0;
    for (bool done = false; !done;) {
      long had = heap_live;
      heap_failed = false;
      heap_fail_at = heap_asked + ++at;
      tom_program_t *p = tom_compile(m, ptx_find_kernel(m, "k"), (tom_regions_t)regions);
      heap_fail_at = 0;
      done = !heap_failed;
      assert_int_equal(p == NULL, !done);
      if (p) assert_true(p->num_blocks + p->num_refused > 0);
      tom_program_free(p);
      assert_true(heap_live == had);
    }
    assert_true(at > 30);
  }
  ptx_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_libor),
      cmocka_unit_test(test_tests),
      cmocka_unit_test(test_decreasing),
      cmocka_unit_test(test_constant_trips),
      cmocka_unit_test(test_step_in_register),
      cmocka_unit_test(test_where_the_test_is),
      cmocka_unit_test(test_unknown_trips),
      cmocka_unit_test(test_inner_counter),
      cmocka_unit_test(test_counted_once),
      cmocka_unit_test(test_nested),
      cmocka_unit_test(test_illegal),
      cmocka_unit_test(test_first_access),
      cmocka_unit_test(test_registers),
      cmocka_unit_test(test_41),
      cmocka_unit_test(test_alive),
      cmocka_unit_test(test_28_words),
      cmocka_unit_test(test_28_words_of_regions),
      cmocka_unit_test(test_1024_instructions),
      cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests_name("tom_compiler", tests, NULL, NULL);
}
