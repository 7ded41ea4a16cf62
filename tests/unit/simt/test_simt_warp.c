/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions in which lanes see each other, or an address its space: against the PTX document's
 * own pseudocode. What must be refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simt_unit.h"
#include "unit_test.h"

/* The unit's first instruction, for the lanes of the mask. */
static void execute_first_op(unit_t *u, uint32_t mask) {
  u->kernel->ops[0].fn(&u->kernel->ops[0], &u->warp, mask);
}

/* ---- Shuffle --------------------------------------------------------------------------------- */

/* The document's loop: the source lane, and whether it is in range. */
static unsigned source_lane(const char *mode, unsigned lane, uint32_t b, uint32_t c, bool *in_range) {
  int bval = (int)(b & 31), cval = (int)(c & 31), segmask = (int)(c >> 8 & 31);
  int max_lane = ((int)lane & segmask) | (cval & ~segmask), min_lane = (int)lane & segmask, j = 0;
  if (!strcmp(mode, "up")) j = (int)lane - bval, *in_range = j >= max_lane;
  if (!strcmp(mode, "down")) j = (int)lane + bval, *in_range = j <= max_lane;
  if (!strcmp(mode, "bfly")) j = (int)lane ^ bval, *in_range = j <= max_lane;
  if (!strcmp(mode, "idx")) j = min_lane | (bval & ~segmask), *in_range = j <= max_lane;
  return *in_range ? (unsigned)j : lane;
}

/* 200 rounds: segments of 32 down to 1 lanes as the compiler
 * makes them, and any operand. `tells`: with a predicate. */
static void check_shuffle(const char *mode, bool tells) {
  char text[80];
  snprintf(text, sizeof text, "shfl.%s.b32 %%r0%s, %%r1, %%r2, %%r3;", mode, tells ? "|%p0" : "");
  unit_t u = executed_unit(text);
  uint64_t seed = 5;
  for (unsigned round = 0; round < 200; round++) {
    uint64_t v[32][4] = {{0}};
    const uint32_t width = 32u >> round % 6, segmask = 32 - width; /* widths that the compiler makes, and any */
    for (unsigned i = 0; i < 32; i++) {
      v[i][0] = test_random(&seed);
      v[i][1] = round % 2 ? test_random(&seed) : round % 32;
      v[i][2] = round % 4 < 3 ? segmask << 8 | (strcmp(mode, "up") ? 31 : 0) : test_random(&seed);
      set_operands(&u, i, v[i]);
    }
    execute_first_op(&u, ~0u);
    for (unsigned i = 0; i < 32; i++) {
      bool in_range = false;
      unsigned from = source_lane(mode, i, (uint32_t)v[i][1], (uint32_t)v[i][2], &in_range);
      if (get_lane(&u, reg_of(&u, "%r0"), i) != (uint32_t)v[from][0])
        fail_msg("%s lane %u: not lane %u's value", text, i, from);
      if (tells && get_lane(&u, reg_of(&u, "%p0"), i) != in_range)
        fail_msg("%s lane %u: in range is %d", text, i, in_range);
    }
  }
  unit_free(&u);
}

/* Four modes, with and without the predicate that says whether the lane was in range. */
static void test_shuffle(void **state) {
  (void)state;
  static const char *const modes[] = {"up", "down", "bfly", "idx"};
  for (unsigned i = 0; i < 8; i++) check_shuffle(modes[i / 2], i % 2);
}

/* ---- Votes ----------------------------------------------------------------------------------- */

/* All, none, one and random votes, with full and random masks. */
static void check_vote(const char *mode, bool negated, bool sync) {
  char text[80];
  bool ballot = !strcmp(mode, "ballot.b32");
  snprintf(text, sizeof text, "vote.%s%s %s, %s%%p1%s;", sync ? "sync." : "", mode, ballot ? "%r0" : "%p0",
           negated ? "!" : "", sync ? ", 0xffffffff" : "");
  unit_t u = executed_unit(text);
  uint64_t seed = 9;
  for (unsigned round = 0; round < 64; round++) {
    uint32_t mask = round % 2 ? ~0u : (uint32_t)test_random(&seed) | 1, yes = 0, want;
    for (unsigned i = 0; i < 32; i++) {
      uint64_t v[4] = {0};
      if (round % 8 < 2) v[0] = 1;
      else if (round % 8 == 4) v[0] = i == 0;
      else if (round % 8 > 4) v[0] = test_random(&seed) & 1;
      set_operands(&u, i, v);
      set_lane(&u, result_of(&u), i, 0, false);
      yes |= (uint32_t)(v[0] != negated) << i;
    }
    yes &= mask;
    if (ballot) want = yes;
    else if (!strcmp(mode, "all.pred")) want = yes == mask;
    else if (!strcmp(mode, "any.pred")) want = yes != 0;
    else want = yes == 0 || yes == mask;
    execute_first_op(&u, mask);
    for (unsigned i = 0; i < 32; i++) {
      uint64_t is = get_lane(&u, result_of(&u), i), right = mask >> i & 1 ? want : 0;
      if (is != right) fail_msg("%s of %08x, mask %08x, lane %u: 0x%llx", text, yes, mask, i, (unsigned long long)is);
    }
  }
  unit_free(&u);
}

/* Each thread's group are those of its half, or its tile, that execute; yes: lanes 0, 3, 6, ... */
static void check_groups(const char *mode, uint32_t mask, unsigned size, uint64_t first, uint64_t last) {
  char text[80];
  snprintf(text, sizeof text, "vote.sync.%s %s, %%p1, %%r2;", mode, strstr(mode, "pred") ? "%p0" : "%r0");
  unit_t u = executed_unit(text);
  for (unsigned i = 0; i < 32; i++) {
    set_operands(&u, i, (uint64_t[4]){i % 3 == 0, (size == 32 ? ~0u : (1u << size) - 1) << i / size * size});
    set_lane(&u, result_of(&u), i, 0, false);
  }
  execute_first_op(&u, mask);
  const unsigned low = (unsigned)__builtin_ctz(mask), high = 31 - (unsigned)__builtin_clz(mask);
  if (get_lane(&u, result_of(&u), low) != first)
    fail_msg("%s: lane %u has %llx", text, low, (unsigned long long)get_lane(&u, result_of(&u), low));
  if (get_lane(&u, result_of(&u), high) != last)
    fail_msg("%s: lane %u has %llx", text, high, (unsigned long long)get_lane(&u, result_of(&u), high));
  unit_free(&u);
}

/* By hand: lanes 0, 3, 6, ... say yes. Lanes that do not execute count in no group. */
static void test_groups(void **state) {
  (void)state;
  check_groups("ballot.b32", ~0u, 16, 0x00009249, 0x49240000);
  check_groups("ballot.b32", ~0u, 8, 0x49, 0x49000000);
  check_groups("ballot.b32", 0x0ffffffc, 8, 0x48, 0x09000000); /* lanes 0, 1 and 28 to 31 are not there */
  check_groups("ballot.b32", 0x00001fff, 8, 0x49, 0x1200);     /* a last warp of 13 threads */
  check_groups("any.pred", ~0u, 16, 1, 1);
  check_groups("any.pred", 0xffff0001, 1, 1, 0); /* a thread alone: 0 has it, 31 has not */
  check_groups("all.pred", 0xffff0001, 1, 1, 0);
  check_groups("all.pred", 0x00490249, 8, 1, 0);  /* of lanes 0, 3, 6; of 16, 19, 22, which have not 16, 19, 22 */
  check_groups("uni.pred", 0x00090209, 16, 1, 1); /* of 0, 3, 9, which have; of 16, 19, which have not */
  check_groups("uni.pred", 0x00060208, 16, 1, 0); /* of 17, 18: one has */
}

/* Four modes, negated or not, with .sync or not; activemask is the mask itself. */
static void test_votes(void **state) {
  (void)state;
  static const char *const modes[] = {"all.pred", "any.pred", "uni.pred", "ballot.b32"};
  for (unsigned i = 0; i < 16; i++) check_vote(modes[i / 4], i % 2, i / 2 % 2);
  unit_t u = executed_unit("activemask.b32 %r0;");
  execute_first_op(&u, 0x80010007);
  for (unsigned i = 0; i < 32; i++)
    assert_int_equal(get_lane(&u, reg_of(&u, "%r0"), i), 0x80010007 >> i & 1 ? 0x80010007u : 0);
  unit_free(&u);
}

/* ---- Spaces of generic addresses ------------------------------------------------------------- */

/* Addresses at both ends of the space's window, at other windows' begins, and beyond all. */
static void check_space(const char *name, uint64_t first, uint64_t behind) {
  char text[80];
  snprintf(text, sizeof text, "isspacep.%s %%p0, %%rd1;", name);
  unit_t u = executed_unit(text);
  const uint64_t at[] = {0,
                         first,
                         first + 1,
                         behind - 1,
                         behind,
                         first - 1,
                         behind + 0x123456,
                         ~0ull,
                         SIMT_WINDOW_SHARED,
                         SIMT_WINDOW_LOCAL,
                         SIMT_WINDOW_CONST,
                         SIMT_WINDOW_PARAM,
                         SIMT_WINDOW_END};
  for (unsigned i = 0; i < 32; i++) {
    uint64_t v[4] = {at[i % (sizeof at / sizeof *at)]};
    set_operands(&u, i, v);
  }
  execute_first_op(&u, ~0u);
  for (unsigned i = 0; i < 32; i++) {
    uint64_t a = at[i % (sizeof at / sizeof *at)];
    if (get_lane(&u, reg_of(&u, "%p0"), i) != (a >= first && a < behind))
      fail_msg("%s of 0x%llx", text, (unsigned long long)a);
  }
  unit_free(&u);
}

/* Each space's window ends where the next one begins. */
static void test_spaces(void **state) {
  (void)state;
  check_space("global", 0, SIMT_WINDOW_SHARED);
  check_space("shared", SIMT_WINDOW_SHARED, SIMT_WINDOW_LOCAL);
  check_space("local", SIMT_WINDOW_LOCAL, SIMT_WINDOW_CONST);
  check_space("const", SIMT_WINDOW_CONST, SIMT_WINDOW_PARAM);
  check_space("param", SIMT_WINDOW_PARAM, SIMT_WINDOW_END);
}

/* ---- What must be refused -------------------------------------------------------------------- */

/* The reader or the decoder refuses the instruction; the decoder names file and kernel. */
static void check_refused(const char *instr) {
  char text[600];
  ptx_error_t perr = {0};
  trouble_t err = {0};
  int n = snprintf(
      text, sizeof text,
      ".version 7.0\n.target sm_80\n.address_size 64\n.extern .func foo();\n.visible .entry bad(.param .u64 p)\n{\n"
      ".reg .pred %%p<4>;\n.reg .b16 %%rs<4>;\n.reg .b32 %%r<4>;\n.reg .b64 %%rd<4>;\n.reg .f32 %%f<4>;\n"
      ".reg .f64 %%fd<4>;\n"
      "%s\nret;\n}\n",
      instr);
  ptx_module_t *m = ptx_parse(text, (size_t)n, "bad.ptx", &perr);
  if (!m) return; /* the reader refuses it already */
  if (simt_decode(m, ptx_find_kernel(m, "bad"), &err)) fail_msg("'%s' was taken", instr);
  assert_int_equal(err.kind, 2);
  if (!strstr(err.text, "bad.ptx:") || !strstr(err.text, "kernel bad")) fail_msg("%s", err.text);
  ptx_free(m);
}

/* Forms that PTX does not have, operands of wrong
 * types or numbers, and what is not executed. */
static void test_forms_not_executed(void **state) {
  (void)state;
  static const char *const texts[] = {
      "add.rn.f32x2 %rd0, %rd1, %rd2;",
      "dp4a.u16.u32 %r0, %r1, %r2, %r3;",
      "dp2a.u32.u32 %r0, %r1, %r2, %r3;",
      "dp2a.lo.hi.u32.u32 %r0, %r1, %r2, %r3;",
      "bmsk.b32 %r0, %r1, %r2;",
      "bmsk.clamp.u32 %r0, %r1, %r2;",
      "mov.u32 %r0, %pm1;",
      "brkpt;\ncall foo;",
      "ld.param.u32 %r0, [p+8];",
      "ld.param.u32 %r0, [p+6];",
      "ld.param.u64 %rd0, [p+4];",
      "fma.rn.relu.f32 %f0, %f1, %f2, %f3;",
      "bar.arrive 0;",
      "redux.sync.add.b32 %r0, %r1, 0xffffffff;",
      "redux.sync.and.u32 %r0, %r1, 0xffffffff;",
      "redux.sync.min.f32 %f0, %f1, 0xffffffff;",
      "match.any.sync.b32 %r0|%p1, %r1, 0xffffffff;",
      "match.sync.b32 %r0, %r1, 0xffffffff;",
      "match.any.b32 %r0, %r1, 0xffffffff;",
      "redux.add.u32 %r0, %r1, 0xffffffff;",
      "vote.sync.all.pred %p0, %p1;",
      "vote.all.pred %p0, %p1, 0xffffffff;",
      "vote.pred %p0, %p1;",
      "shfl.sync.up.b32 %r0, %r1, 1, 0;",
      "shfl.up.b32 %r0, %r1, 1, 0, 0xffffffff;",
      "bar.warp.sync;",
      "bar.warp.sync 0, 0xffffffff;",
      "match.all.sync.u32 %r0, %r1, 0xffffffff;",
      "brx.idx %r1, P;\nP: .callprototype _ ();",
      "mov.v4.u32 {%r0, %r1, %r2, %r3}, %r1;",
      "mov.v2.u32 {%r0, %rd1}, {%r1, %r2};",
      "atom.global.add.f16x2 %r0, [%rd1], %r1;",
      "atom.global.min.f32 %f0, [%rd1], %f1;",
      "atom.local.add.u32 %r0, [%rd1], %r1;",
      "atom.global.inc.s32 %r0, [%rd1], %r1;",
      "atom.global.dec.u64 %rd0, [%rd1], %rd2;",
      "atom.global.max.f64 %fd0, [%rd1], %fd2;",
      "atom.global.and.f32 %f0, [%rd1], %f2;",
      "red.const.add.u32 [%rd1], %r1;",
      "atom.global.exch.b16 %rs0, [%rd1], %rs1;",
      "st.const.u32 [%rd1], %r1;",
      "st.param.u32 [%rd1], %r1;",
      "ld.global.u64 %r0, [%rd1];",
      "ld.global.v2.u32 {%r0, %rd1}, [%rd1];",
      "bar.red.popc.u32 %r0, 0;",
      "bar.red.and.u32 %r0, 0, %p1;",
      "bar.red.pred %p0, 0, %p1;",
      "barrier.cluster.arrive;",
      "mov.u64 %rd0, %tid.x;",
      "mov.u32 %r0, %gridid;",
      "cvt.f32.f64 %fd0, %fd1;",
      "cvt.u64.u32 %r0, %r1;",
      "cvt.u32.u64 %r0, %r1;",
      "mul.u32 %r0, %r1, %r2;",
      "mul24.lo.sat.s32 %r0, %r1, %r2;",
      "mul24.lo.u64 %rd0, %rd1, %rd2;",
      "tanh.approx.f64 %fd0, %fd1;",
      "setp.hi.f32 %p0, %f1, %f2;",
      "slct.u32.u32 %r0, %r1, %r2, %r3;",
      "mov.u32 %rd0, %clock;",
      "ld.global.v2.pred {%p0, %p1}, [%rd1];",
      "not.f32 %f0, %f1;",
      "griddepcontrol.wait;",
      "cvt.rn.f32.s32.b32 %f0, %r1;",
      "ld.global.u8 %p0, [%rd1];",
      "ld.global.u32 %r0, [%p1];",
      "atom.global.cas.b32 %r0, [%rd1], %r1;",
      "atom.global.add.u32 %r0, [%p1], %r1;",
      "atom.global.add.v2.u32 {%r0, %r1}, [%rd1], {%r2, %r3};",
      "cvt.u8.u32 %p0, %r1;",
      "cvt.u32.u8 %r0, %p1;",
      "activemask.b64 %rd0;",
      "ld.global.u32 %r0, [%rd1], %rd2;",
      "ld.global.L2::cache_hint.u32 %r0, [%rd1];",
      "ld.global.L2::cache_hint.u32 %r0, [%rd1], %r1;",
      "ld.global.L2::cache_hint.u32 %r0, [%rd1], %rd2, %rd3;",
      "ld.shared.L2::cache_hint.u32 %r0, [%r1], %rd2;",
      "st.global.u32 [%rd1], %r0, %rd2;",
      "atom.global.add.u32 %r0, [%rd1], %r1, %r2;",
      "atom.global.add.L2::cache_hint.u32 %r0, [%rd1], %r1, %r2;",
      "atom.global.cas.L2::cache_hint.b32 %r0, [%rd1], %r1, %rd2;",
      "red.global.add.u32 [%rd1], %r1, %rd2;",
      "createpolicy.L2::evict_last.b64 %rd0;",
      "createpolicy.fractional.L2::evict_last.u64 %rd0, 1.0;",
      "createpolicy.fractional.L2::evict_last.b64 %r0, 1.0;",
      "createpolicy.range.L2::evict_last.b64 %rd0, %rd1, 128, 128;",
      "createpolicy.cvt.L2.b64 %rd0;",
  };
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) check_refused(texts[i]);
}

/* A call of what has no body is one, whatever the kernel does
 * for it first: the line and the function of the call itself. */
static void test_calls(void **state) {
  (void)state;
  static const struct {
    const char *body, *want;
  } row[] = {
      {"call foo;",
       ":8:1: kernel bad: 'call' is not executed by the GPU model (a call of 'foo', which nothing defines)"},
      {".param .b32 a;\nst.param.b32 [a], %r1;\n.param .b32 b;\ncall.uni (b), bar, (a);\nld.param.b32 %r1, [b];",
       ":11:1: kernel bad: 'call.uni' is not executed by the GPU model (a call of 'bar', which nothing defines)"},
      {".param .b64 a;\nst.param.v4.b16 [a], {%rs1, %rs1, %rs1, %rs1};\ncall foo;",
       ":10:1: kernel bad: 'call' is not executed"},
      {".param .b32 b;\nld.param.b32 %r1, [b];",
       ":9:1: kernel bad: 'ld.param.b32' is not executed by the GPU model (a call)"},
      {".param .b64 a;\nst.param.b64 [a], %rd1;\ncall own, (a);",
       ":10:1: kernel bad: 'call' is not executed by the GPU model (a call whose parameters or results are others "
       "than its function's)"},
      {".param .b32 a;\nst.param.b32 [a], %r1;\ncall own, (a, a);",
       "(a call whose parameters or results are others than its function's)"},
      {".param .b32 a;\nst.param.b32 [a], %r1;\ncall (a), own, (a);",
       "(a call whose parameters or results are others than its function's)"},
      {"P: .callprototype _ (.param .b32 _);\ncall %rd1, (p), P;",
       ":9:1: kernel bad: 'call' is not executed by the GPU model (a call whose parameters are no .param variables)"},
  };
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    char text[800];
    ptx_error_t perr = {0};
    trouble_t err = {0};
    int n = snprintf(
        text, sizeof text,
        ".version 7.0\n.target sm_80\n.address_size 64\n"
        ".extern .func foo(); .extern .func (.param .b32 r) bar (.param .b32 a); "
        ".func own (.param .b32 a) { ret; }\n"
        ".visible .entry bad(.param .u64 p)\n{\n.reg .b16 %%rs<4>; .reg .b32 %%r<4>; .reg .b64 %%rd<4>;\n%s\nret;\n}\n",
        row[i].body);
    ptx_module_t *m = ptx_parse(text, (size_t)n, "bad.ptx", &perr);
    if (!m) fail_msg("%s", perr.trouble.text);
    assert_null(simt_decode(m, ptx_find_kernel(m, "bad"), &err));
    if (!strstr(err.text, row[i].want)) fail_msg("'%s', not '%s'", err.text, row[i].want);
    ptx_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_shuffle),
                                     cmocka_unit_test(test_votes),
                                     cmocka_unit_test(test_groups),
                                     cmocka_unit_test(test_spaces),
                                     cmocka_unit_test(test_forms_not_executed),
                                     cmocka_unit_test(test_calls)};
  return cmocka_run_group_tests_name("simt_warp", tests, NULL, NULL);
}
