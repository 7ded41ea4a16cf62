/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses at a fixed offset: small kernels worked out by hand, then random ones that are executed
 * thread by thread. In any trip of any thread two accesses must be exactly as far apart as the
 * compiler says.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tom_compiler.h"
#include "program_text.h"
#include "unit_test.h"

enum { TEXT = 16384 };

/* A kernel with this body, three parameters and registers of every type. */
static ptx_module_t *parse_body(const char *code) {
  static char text[2 * TEXT];
  ptx_error_t err;
  snprintf(
      text, sizeof text,
      ".version 6.0\n.target sm_35\n.address_size 32\n.const .u32 cst[4];\n.global .u32 gv[64];\n.shared .u32 sh[64];\n"
      ".visible .entry k(.param .u32 k_a, .param .u32 k_b, .param .u32 k_n)\n{\n"
      ".reg .pred %%p<9>; .reg .b16 %%h<9>; .reg .b32 %%r<40>; .reg .b32 %%c<9>; .reg .f32 %%f<9>; .reg .b64 %%d<9>;\n"
      "%s\n}\n",
      code);
  ptx_module_t *m = ptx_parse(text, strlen(text), "t.ptx", &err);
  if (!m) print_message("%s\n%s\n", err.trouble.text, code);
  assert_non_null(m);
  return m;
}

/* ---- By hand --------------------------------------------------------------------------------- */

/* A line for each candidate: how many of its accesses have an offset, of how many; then each of
 * them, "3>5 k_a - k_b" to another access, "3+ 4" to itself a trip later. */
static void expect_offsets(const char *code, const char *want) {
  char got[4096] = "";
  size_t n = 0;
  ptx_module_t *m = parse_body(code);
  tom_program_t *p = tom_compile(m, ptx_find_kernel(m, "k"), TOM_REGIONS_ALL);
  assert_non_null(p);
  for (uint32_t i = 0; i < p->num_blocks; i++) {
    const tom_block_t *b = &p->blocks[i];
    unsigned fixed = 0, regular = 0;
    n += (size_t)snprintf(got + n, sizeof got - n, "%u/%u", b->num_fixed, b->num_accesses);
    for (uint32_t j = 0; j < b->num_accesses; j++) {
      const tom_access_t *a = &b->accesses[j];
      fixed += a->to != TOM_NO_INSTR;
      regular += a->to != TOM_NO_INSTR || a->has_step;
      if (a->to != TOM_NO_INSTR)
        n += (size_t)snprintf(got + n, sizeof got - n, "; %u>%u %s", a->instr, a->to, a->offset);
      if (a->has_step) n += (size_t)snprintf(got + n, sizeof got - n, "; %u+ %s", a->instr, a->step);
    }
    n += (size_t)snprintf(got + n, sizeof got - n, "\n");
    assert_int_equal(fixed, b->num_fixed);
    assert_int_equal(regular, b->num_regular);
  }
  if (strcmp(got, want)) print_message("%s\ngot:\n%swant:\n%s", code, got, want);
  assert_string_equal(got, want);
  tom_program_free(p);
  ptx_free(m);
}

/* r1: a thread's number times 4; r2, r3: into the two arrays */
#define THREAD                                                                                                       \
  "mov.u32 %r8, %ctaid.x; mov.u32 %r9, %ntid.x; mov.u32 %r10, %tid.x; mad.lo.s32 %r1, %r8, %r9, %r10; shl.b32 %r1, " \
  "%r1, 2; "
#define ARRAYS THREAD "ld.param.u32 %r2, [k_a]; add.s32 %r2, %r2, %r1; ld.param.u32 %r3, [k_b]; add.s32 %r3, %r3, %r1; "

/* Without loops: the offset between two arrays, and within one. */
static void test_straight(void **state) {
  (void)state;
  /* the same index of two arrays */
  expect_offsets(
      ARRAYS
      "bar.sync 0; ld.global.u32 %r4, [%r2]; st.global.u32 [%r3], %r4; st.global.u32 [%r3+4], %r4; bar.sync 0; ret;",
      "3/3; 10>11 k_a - k_b; 11>10 k_b - k_a; 12>10 k_b - k_a + 4\n");
  /* elements of one array as far apart as the kernel is told, and as a constant */
  expect_offsets(ARRAYS "ld.param.u32 %r5, [k_n]; shl.b32 %r6, %r5, 2; add.s32 %r7, %r2, %r6; bar.sync 0;"
                        " st.global.u32 [%r2], 1; st.global.u32 [%r7], 1; st.global.u32 [%r7+-8], 1; bar.sync 0; ret;",
                 "3/3; 13>14 -4 * k_n; 14>13 4 * k_n; 15>13 4 * k_n - 8\n");
  /* rows of the block's size; two-dimensional ones */
  expect_offsets(
      ARRAYS "shl.b32 %r5, %r9, 2; add.s32 %r6, %r2, %r5; bar.sync 0; st.global.u32 [%r2], 1; st.global.u32 [%r6], 1; "
             "bar.sync 0; ret;",
      "2/2; 12>13 -4 * %ntid.x; 13>12 4 * %ntid.x\n");
  expect_offsets(
      "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; ld.param.u32 %r3, [k_n]; mad.lo.s32 %r4, %r2, %r3, %r1; add.s32 %r5, "
      "%r2, 1;"
      " mad.lo.s32 %r6, %r5, %r3, %r1; shl.b32 %r4, %r4, 2; shl.b32 %r6, %r6, 2; bar.sync 0; st.global.u32 [%r4], 1; "
      "st.global.u32 [%r6], 1; bar.sync 0; ret;",
      "2/2; 9>10 -4 * k_n; 10>9 4 * k_n\n");
  /* a variable of the module */
  expect_offsets(
      "mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 2; mov.u32 %r2, gv; add.s32 %r3, %r2, %r1; st.global.u32 [%r3], 1; "
      "st.global.u32 [%r3+8], 1;"
      " st.global.u32 [gv+12], 1; bar.sync 0; ret;",
      "2/3; 4>5 -8; 5>4 8\n");
}

/* Accesses without a fixed offset. */
static void test_none(void **state) {
  (void)state;
  /* an index that memory gives; another number of bytes for
   * each thread; threads' numbers times another factor */
  expect_offsets(
      ARRAYS
      "bar.sync 0; ld.global.u32 %r4, [%r2]; st.global.u32 [%r4], 1; ld.global.u32 %r5, [%r2]; st.global.u32 [%r5], "
      "1; bar.sync 0; ret;",
      "2/4; 10>12 0; 12>10 0\n");
  expect_offsets(ARRAYS
                 "add.s32 %r4, %r2, %r10; bar.sync 0; st.global.u32 [%r2], 1; st.global.u8 [%r4], 1; bar.sync 0; ret;",
                 "0/2\n");
  expect_offsets(ARRAYS
                 "shl.b32 %r4, %r1, 1; bar.sync 0; st.global.u32 [%r1], 1; st.global.u32 [%r4], 1; bar.sync 0; ret;",
                 "0/2\n");
  /* only one access */
  expect_offsets(ARRAYS "bar.sync 0; st.global.u32 [%r2], 1; bar.sync 0; ret;", "0/1\n");
  /* one of two, by a predicate */
  expect_offsets(ARRAYS "setp.lt.s32 %p1, %r10, 5; mov.u32 %r4, %r2; @%p1 add.s32 %r4, %r4, 4; bar.sync 0;"
                        " st.global.u32 [%r2], 1; st.global.u32 [%r4], 1; bar.sync 0; ret;",
                 "0/2\n");
  expect_offsets(ARRAYS "setp.lt.s32 %p1, %r10, 5; mov.u32 %r4, %r2; @%p1 bra N; add.s32 %r4, %r2, 4; N: bar.sync 0;"
                        " st.global.u32 [%r2], 1; st.global.u32 [%r4], 1; bar.sync 0; ret;",
                 "0/2\n");
  /* both ways are as long */
  expect_offsets(ARRAYS "setp.lt.s32 %p1, %r10, 5; add.s32 %r4, %r2, 4; @%p1 bra N; add.s32 %r4, %r2, 4; N: bar.sync 0;"
                        " st.global.u32 [%r2], 1; st.global.u32 [%r4], 1; bar.sync 0; ret;",
                 "2/2; 14>15 -4; 15>14 4\n");
}

/* Instructions that keep an offset, and others that lose it. */
static void test_arithmetic(void **state) {
  (void)state;
#define STORES " bar.sync 0; st.global.u32 [%r2], 1; st.global.u32 [%r4], 1; bar.sync 0; ret;"
  /* bits that are not there are added; others are not */
  expect_offsets(ARRAYS "shl.b32 %r5, %r10, 3; or.b32 %r4, %r5, 4; mov.u32 %r2, %r5;" STORES,
                 "2/2; 13>14 -4; 14>13 4\n");
  expect_offsets(ARRAYS "shl.b32 %r5, %r10, 3; or.b32 %r4, %r5, 8; mov.u32 %r2, %r5;" STORES, "0/2\n");
  expect_offsets(ARRAYS "mov.u32 %r5, 0; or.b32 %r4, %r5, 8; mov.u32 %r2, %r5;" STORES, "2/2; 13>14 -8; 14>13 8\n");
  /* what is narrowed, and what is only widened */
  expect_offsets(ARRAYS "cvt.u16.u32 %h1, %r2; cvt.u32.u16 %r4, %h1;" STORES, "0/2\n");
  expect_offsets(ARRAYS
                 "cvt.u16.u32 %h1, %r10; cvt.u32.u16 %r4, %h1; cvt.u32.u16 %r5, %h1; add.s32 %r2, %r5, 12;" STORES,
                 "2/2; 14>15 12; 15>14 -12\n");
  expect_offsets(ARRAYS "neg.s32 %r5, %r2; sub.s32 %r4, 16, %r5;" STORES, "2/2; 12>13 -16; 13>12 16\n");
  expect_offsets(ARRAYS "mul24.lo.u32 %r5, %r10, 4; mad24.lo.u32 %r4, %r10, 4, 32; mov.u32 %r2, %r5;" STORES,
                 "2/2; 13>14 -32; 14>13 32\n");
  /* each its own, to us */
  expect_offsets(ARRAYS "mul.hi.u32 %r5, %r10, 4; mul.hi.u32 %r4, %r10, 4; mov.u32 %r2, %r5;" STORES, "0/2\n");
  expect_offsets(ARRAYS "mul.hi.u32 %r5, %r10, 4; add.u32 %r4, %r5, 4; mov.u32 %r2, %r5;" STORES,
                 "2/2; 13>14 -4; 14>13 4\n");
  /* what is the same for all threads, though it cannot be followed */
  expect_offsets(ARRAYS "ld.param.u32 %r5, [k_n]; shr.u32 %r6, %r5, 1; add.u32 %r4, %r2, %r6;" STORES,
                 "2/2; 13>14 -%r6; 14>13 %r6\n");
  expect_offsets(ARRAYS "ld.const.u32 %r6, [cst+4]; add.u32 %r4, %r2, %r6;" STORES, "2/2; 12>13 -%r6; 13>12 %r6\n");
  expect_offsets(ARRAYS "shr.u32 %r6, %r10, 1; add.u32 %r4, %r2, %r6;" STORES, "0/2\n");
  expect_offsets(ARRAYS "ld.shared.u32 %r6, [sh]; add.u32 %r4, %r2, %r6;" STORES, "0/2\n");
  /* 64 bits */
  expect_offsets(
      ARRAYS
      "mul.wide.s32 %d1, %r10, 4; cvt.s64.s32 %d2, %r10; shl.b64 %d3, %d2, 2; add.s64 %d4, %d3, 64; cvt.u32.u64 %r4, "
      "%d4; cvt.u32.u64 %r2, %d1;" STORES,
      "0/2\n");
#undef STORES
}

/* A loop around two accesses and what moves their pointers. */
#define LOOP "mov.u32 %c1, 0; L: st.global.u32 [%r2], %r4; st.global.u32 [%r3], %r4; "
#define AGAIN " add.s32 %c1, %c1, 1; setp.lt.s32 %p1, %c1, %r7; @%p1 bra L; ret;"

/* Two pointers through a loop, and each one's step from trip to trip. */
static void test_loops(void **state) {
  (void)state;
  /* pointers that move alike; each also moves by a fixed step */
  expect_offsets(ARRAYS LOOP "add.s32 %r2, %r2, 4; add.s32 %r3, %r3, 4;" AGAIN,
                 "2/2; 10>11 k_a - k_b; 10+ 4; 11>10 k_b - k_a; 11+ 4\n");
  /* by the size of the grid; downwards; two steps that are one */
  expect_offsets(ARRAYS "shl.b32 %r5, %r9, 2;" LOOP "add.s32 %r2, %r2, %r5; add.s32 %r3, %r3, %r5;" AGAIN,
                 "2/2; 11>12 k_a - k_b; 11+ 4 * %ntid.x; 12>11 k_b - k_a; 12+ 4 * %ntid.x\n");
  expect_offsets(ARRAYS LOOP "add.s32 %r2, %r2, -8; sub.s32 %r3, %r3, 4; sub.s32 %r3, %r3, 4;" AGAIN,
                 "2/2; 10>11 k_a - k_b; 10+ -8; 11>10 k_b - k_a; 11+ -8\n");
  /* one moves, or they move apart: to themselves alone */
  expect_offsets(ARRAYS LOOP "add.s32 %r2, %r2, 4;" AGAIN, "0/2; 10+ 4; 11+ 0\n");
  expect_offsets(ARRAYS LOOP "add.s32 %r2, %r2, 4; add.s32 %r3, %r3, 8;" AGAIN, "0/2; 10+ 4; 11+ 8\n");
  /* by what memory says: alike, and no fixed step; not alike */
  expect_offsets(ARRAYS LOOP "ld.global.u32 %r5, [%r1]; add.s32 %r2, %r2, %r5; add.s32 %r3, %r3, %r5;" AGAIN,
                 "2/3; 10>11 k_a - k_b; 11>10 k_b - k_a; 12+ 0\n");
  expect_offsets(ARRAYS LOOP "ld.global.u32 %r5, [%r1]; add.s32 %r2, %r2, %r5; add.s32 %r3, %r3, 4;" AGAIN,
                 "0/3; 11+ 4; 12+ 0\n");
  /* by a thread's own step: alike, but not the same for all */
  expect_offsets(ARRAYS LOOP "add.s32 %r2, %r2, %r10; add.s32 %r3, %r3, %r10;" AGAIN,
                 "2/2; 10>11 k_a - k_b; 11>10 k_b - k_a\n");
  /* chasing: the next pointer is what the last one says */
  expect_offsets(
      ARRAYS
      "mov.u32 %c1, 0; L: ld.global.u32 %r2, [%r2]; ld.global.u32 %r4, [%r2+8]; ld.global.u32 %r5, [%r2+12];" AGAIN,
      "2/3; 11>12 -4; 12>11 4\n2/2; 11>12 -4; 12>11 4\n");
  /* before its own step in one, behind it in the other */
  expect_offsets(ARRAYS
                 "mov.u32 %c1, 0; L: st.global.u32 [%r2], %r4; add.s32 %r2, %r2, 4; st.global.u32 [%r2], %r4;" AGAIN,
                 "2/2; 10>12 -4; 10+ 4; 12>10 4; 12+ 4\n");
  /* the counter times a size */
  expect_offsets(ARRAYS
                 "ld.param.u32 %r5, [k_n]; mov.u32 %c1, 0; L: mad.lo.s32 %r6, %c1, %r5, %r2; st.global.u32 [%r6], %r4; "
                 "st.global.u32 [%r6+4], %r4;" AGAIN,
                 "2/2; 12>13 -4; 12+ k_n; 13>12 4; 13+ k_n\n2/2; 12>13 -4; 13>12 4\n");
  /* its square is no fixed step */
  expect_offsets(
      ARRAYS
      "mov.u32 %c1, 0; L: mad.lo.s32 %r6, %c1, %c1, %r2; st.global.u32 [%r6], %r4; st.global.u32 [%r6+4], %r4;" AGAIN,
      "2/2; 11>12 -4; 12>11 4\n2/2; 11>12 -4; 12>11 4\n");
}

/* Pointers through two loops, one in the other. */
static void test_nests(void **state) {
  (void)state;
#define OUTER "mov.u32 %c2, 0; O: "
#define ENDS " add.s32 %c2, %c2, 1; setp.lt.s32 %p2, %c2, %r8; @%p2 bra O; ret;"
#define INNER "mov.u32 %c1, 0; L: "
#define LEAVES " add.s32 %c1, %c1, 1; setp.lt.s32 %p1, %c1, %r7; @%p1 bra L; "
  /* two pointers through two loops: as far apart as ever */
  expect_offsets(
      ARRAYS OUTER
      "st.global.u32 [%r2], %r4; " INNER
      "st.global.u32 [%r2], %r4; st.global.u32 [%r3], %r4; add.s32 %r2, %r2, 4; add.s32 %r3, %r3, 4;" LEAVES ENDS,
      "2/3; 12>13 k_a - k_b; 12+ 4; 13>12 k_b - k_a; 13+ 4\n2/2; 12>13 k_a - k_b; 12+ 4; 13>12 k_b - k_a; 13+ 4\n");
  /* before the inner loop and behind it: it goes round as
   * often for both, but not as often in all threads */
  expect_offsets(ARRAYS OUTER "st.global.u32 [%r2], %r4; " INNER "add.s32 %r2, %r2, 4; add.s32 %r3, %r3, 4;" LEAVES
                              "st.global.u32 [%r2], %r4; st.global.u32 [%r3], %r4;" ENDS,
                 "2/3; 17>18 k_a - k_b; 18>17 k_b - k_a\n");
  /* one in the inner loop, one behind it, of the same pointer */
  expect_offsets(ARRAYS OUTER INNER "st.global.u32 [%r2], %r4; add.s32 %r2, %r2, 4;" LEAVES
                                    "st.global.u32 [%r2], %r4;" ENDS,
                 "0/2; 11+ 4\n0/1; 11+ 4\n");
  /* the inner one is led to its row again in each trip;
   * a trip of the inner loop is then the fixed step */
  expect_offsets(ARRAYS OUTER "st.global.u32 [%r2], %r4; mov.u32 %r5, %r2; " INNER
                              "st.global.u32 [%r5], %r4; add.s32 %r5, %r5, 4;" LEAVES "add.s32 %r2, %r2, 512;" ENDS,
                 "0/2; 10+ 512; 13+ 4\n0/1; 13+ 4\n");
#undef OUTER
#undef ENDS
#undef INNER
#undef LEAVES
}

/* A circle with two entries is no natural loop: nothing is said. */
static void test_irreducible(void **state) {
  (void)state;
  expect_offsets(
      "setp.lt.s32 %p1, %r1, 5; @%p1 bra B; A: st.global.u32 [%r2], 1; st.global.u32 [%r2+4], 1; bar.sync 0; B: "
      "add.s32 %r2, %r2, 4; @%p2 bra A; ret;",
      "0/2\n");
}

/* A chain of 400 additions: the first access is beyond the compiler's reach. */
static void test_long_chains(void **state) {
  (void)state;
  static char code[TEXT];
  size_t n = (size_t)snprintf(code, sizeof code, "mov.u32 %%r2, %%tid.x; bar.sync 0; st.global.u32 [%%r2], 1; ");
  for (unsigned i = 0; i < 400; i++) n += (size_t)snprintf(code + n, sizeof code - n, "add.s32 %%r2, %%r2, 4; ");
  n += (size_t)snprintf(code + n, sizeof code - n,
                        "st.global.u32 [%%r2], 1; st.global.u32 [%%r2+4], 1; bar.sync 0; ret;");
  expect_offsets(code, "2/3; 403>404 -4; 404>403 4\n"); /* further back than is looked */
}

/* ---- Random kernels, executed ---------------------------------------------------------------- */

enum { ROUNDS = 4000, REGS = 12, COUNTERS = 6, LOOPS = 6, INSTRS = 256, LAUNCHES = 2, THREADS = 6, STEPS = 4000 };

typedef struct {
  program_text_t out;
  unsigned labels;
} program_t;

/* Registers r0 to r5 are mostly numbers, r6 to r11 pointers. */
static unsigned random_number(program_t *p) {
  return pick(&p->out, 6);
}

/* One of the six registers that are mostly pointers. */
static unsigned random_pointer(program_t *p) {
  return 6 + pick(&p->out, 6);
}

/* A load or a store through a pointer with a small offset. */
static void say_access(program_t *p) {
  if (pick(&p->out, 2))
    say(&p->out, "ld.global.u32 %%r%u, [%%r%u+%u];\n", random_number(p), random_pointer(p), 4 * pick(&p->out, 5));
  else say(&p->out, "st.global.u32 [%%r%u+%u], %%r%u;\n", random_pointer(p), 4 * pick(&p->out, 5), random_number(p));
}

/* One statement without a branch. A quarter of them move a pointer by itself, so that offsets
 * exist; some are guarded. */
static void say_plain(program_t *p) {
  const unsigned a = random_pointer(p);
  if (pick(&p->out, 12) == 0) say(&p->out, "@%s%%p%u ", pick(&p->out, 2) ? "!" : "", pick(&p->out, 3)), p->out.said--;
  switch (pick(&p->out, 24)) {
  case 0:
    say(&p->out, "mov.u32 %%r%u, %%%s.%c;\n", random_number(p), pick(&p->out, 2) ? "tid" : "ntid",
        "xy"[pick(&p->out, 2)]);
    break;
  case 1: say(&p->out, "ld.param.u32 %%r%u, [k_%c];\n", pick(&p->out, REGS), "abn"[pick(&p->out, 3)]); break;
  case 2: say(&p->out, "mov.u32 %%r%u, %%r%u;\n", a, random_pointer(p)); break;
  case 3: say(&p->out, "shl.b32 %%r%u, %%r%u, %u;\n", random_number(p), random_number(p), pick(&p->out, 4)); break;
  case 4:
    say(&p->out, "mul.lo.s32 %%r%u, %%r%u, %%r%u;\n", random_number(p), random_number(p), random_number(p));
    break;
  case 5:
    say(&p->out, "mad.lo.s32 %%r%u, %%r%u, %u, %%r%u;\n", random_pointer(p), random_number(p), 1 + pick(&p->out, 8),
        random_pointer(p));
    break;
  case 6:
    say(&p->out, "mad.lo.s32 %%r%u, %%r%u, %%r%u, %%r%u;\n", random_pointer(p), random_number(p), random_number(p),
        random_pointer(p));
    break;
  case 7:
    say(&p->out, "selp.b32 %%r%u, %%r%u, %%r%u, %%p%u;\n", random_pointer(p), random_pointer(p), random_pointer(p),
        pick(&p->out, 3));
    break;
  case 8:
    say(&p->out, "setp.lt.s32 %%p%u, %%r%u, %%r%u;\n", pick(&p->out, 3), random_number(p), random_number(p));
    break;
  case 9: say(&p->out, "or.b32 %%r%u, %%r%u, %u;\n", random_number(p), random_number(p), pick(&p->out, 8)); break;
  case 10: say(&p->out, "and.b32 %%r%u, %%r%u, 7;\n", random_number(p), random_number(p)); break;
  case 11: say(&p->out, "neg.s32 %%r%u, %%r%u;\n", random_number(p), random_number(p)); break;
  case 12: say(&p->out, "sub.s32 %%r%u, %%r%u, %%r%u;\n", a, a, random_number(p)); break;
  case 13:
    say(&p->out, "add.s32 %%r%u, %%r%u, %%c%u;\n", random_pointer(p), random_pointer(p), pick(&p->out, COUNTERS));
    break;
  case 14:
  case 15:
  case 16: say(&p->out, "add.s32 %%r%u, %%r%u, %u;\n", a, a, 4 * pick(&p->out, 3)); break; /* one moves by itself */
  case 17:
  case 18: say(&p->out, "add.s32 %%r%u, %%r%u, %%r%u;\n", a, a, random_number(p)); break;
  case 19:
    say(&p->out, "add.s32 %%r%u, %%r%u, %u;\n", random_pointer(p), random_pointer(p), 4 * pick(&p->out, 5));
    break;
  default: say_access(p); break;
  }
}

static void say_statements(program_t *p, unsigned depth);

/* One or two paths of statements under a random predicate. */
static void say_if(program_t *p, unsigned depth) {
  const unsigned label = p->labels++;
  const bool both = pick(&p->out, 2);
  say(&p->out, "@%s%%p%u bra I%u;\n", pick(&p->out, 2) ? "!" : "", pick(&p->out, 3), label);
  say_statements(p, depth + 1);
  if (both) say(&p->out, "bra J%u;\n", label);
  say(&p->out, "I%u:\n", label), p->out.said--;
  if (both) {
    say_statements(p, depth + 1);
    say(&p->out, "J%u:\n", label), p->out.said--;
  }
}

/* Round twice to four times, or as often as the
 * thread's number says; two pointers may move alike. */
static void say_loop(program_t *p, unsigned depth) {
  const unsigned label = p->labels++, c = depth * 2, a = random_pointer(p), b = random_pointer(p);
  say(&p->out, "mov.u32 %%c%u, 0;\n", c);
  if (pick(&p->out, 2)) say(&p->out, "and.b32 %%c%u, %%r%u, 3;\n", c + 1, random_number(p));
  else say(&p->out, "mov.u32 %%c%u, %u;\n", c + 1, 1 + pick(&p->out, 4));
  say(&p->out, "L%u:\n", label), p->out.said--;
  say_statements(p, depth + 1);
  if (pick(&p->out, 2)) {
    const unsigned by = random_number(p);
    say(&p->out,
        "st.global.u32 [%%r%u], %%r0;\nst.global.u32 [%%r%u], %%r0;\nadd.s32 %%r%u, %%r%u, %%r%u;\n"
        "add.s32 %%r%u, %%r%u, %%r%u;\n",
        a, b, a, a, by, b, b, by);
    p->out.said += 3;
  }
  say(&p->out, "add.s32 %%c%u, %%c%u, 1;\nsetp.lt.s32 %%q%u, %%c%u, %%c%u;\n@%%q%u bra L%u;\n", c, c, depth, c, c + 1,
      depth, label),
      p->out.said += 2;
}

/* Up to six statements; ifs and loops go three deep, and about 120 statements are the end. */
static void say_statements(program_t *p, unsigned depth) {
  for (unsigned n = 1 + pick(&p->out, 6); n-- > 0 && p->out.said < 120;) {
    const unsigned what = pick(&p->out, 16);
    if (what < 2 && depth < 3) say_if(p, depth);
    else if (what < 5 && depth < 3) say_loop(p, depth);
    else if (what == 5 && depth == 0) say(&p->out, "bar.sync 0;\n");
    else say_plain(p);
  }
}

/* A kernel of three parts: its pointers start in the arrays or anywhere. */
static void make_program(program_t *p, uint64_t seed) {
  *p = (program_t){.out.seed = seed};
  say(&p->out, ".version 6.0\n.target sm_35\n.address_size 32\n"
               ".visible .entry k(.param .u32 k_a, .param .u32 k_b, .param .u32 k_n)\n{\n"
               ".reg .pred %%p<3>; .reg .pred %%q<3>; .reg .b32 %%r<12>; .reg .b32 %%c<6>;\n");
  p->out.said = 0;
  for (unsigned r = 6; r < 12; r++)
    if (pick(&p->out, 2)) say(&p->out, "ld.param.u32 %%r%u, [k_%c];\n", r, "ab"[pick(&p->out, 2)]);
  for (unsigned i = 0; i < 3; i++) say_statements(p, 0);
  say(&p->out, "ret;\n}\n");
}

/* ---- One thread ---- */

typedef struct {
  const ptx_module_t *m;
  const ptx_func_t *f;
  uint32_t head[INSTRS], latch[INSTRS]; /* of each loop: from here to there */
  unsigned loops;
  uint64_t param[3], sizes[2], ids[2]; /* of the launch; of the thread */
  uint64_t memory;                     /* a seed: what an address holds */
  uint64_t reg[64];
  /* of each loop: the trip, and the coming, by a number that none else has */
  uint64_t trip[LOOPS * 8], entry[LOOPS * 8], clock;
} machine_t;

/* What an address holds: a hash of the address and the thread's seed. */
static uint64_t hashed(uint64_t seed) {
  return test_random(&seed);
}

/* A constant, a register, or a special register of the thread. */
static uint64_t operand_value(const machine_t *x, const ptx_operand_t *o) {
  switch (o->kind) {
  case PTX_OPND_IMM: return (uint64_t)o->imm;
  case PTX_OPND_REG: return x->reg[o->index];
  case PTX_OPND_SREG: return o->index == PTX_SREG_tid ? x->ids[o->sel] : x->sizes[o->sel];
  default: fail_msg("operand"); return 0;
  }
}

/* The operand with the address: a store's first, a load's second. */
static const ptx_operand_t *address_operand(const ptx_instr_t *in) {
  return &in->operand[in->op == PTX_OP_st ? 0 : 1];
}

/* The launch's value of a kernel parameter. */
static uint64_t param_of(const machine_t *x, const ptx_operand_t *o) {
  for (unsigned i = 0; i < 3; i++)
    if (x->f->params[i] == o->index) return x->param[i];
  fail_msg("parameter");
  return 0;
}

/* What an instruction writes, in 64 bits. A load gives a hash of its address
 * below 64, so that loops that count it end. */
static uint64_t instr_result(const machine_t *x, const ptx_instr_t *in) {
  const ptx_operand_t *o = in->operand;
  switch (in->op) {
  case PTX_OP_mov: return operand_value(x, &o[1]);
  case PTX_OP_add: return operand_value(x, &o[1]) + operand_value(x, &o[2]);
  case PTX_OP_sub: return operand_value(x, &o[1]) - operand_value(x, &o[2]);
  case PTX_OP_neg: return -operand_value(x, &o[1]);
  case PTX_OP_mul: return operand_value(x, &o[1]) * operand_value(x, &o[2]);
  case PTX_OP_mad: return operand_value(x, &o[1]) * operand_value(x, &o[2]) + operand_value(x, &o[3]);
  case PTX_OP_shl: return operand_value(x, &o[1]) << operand_value(x, &o[2]);
  case PTX_OP_or: return operand_value(x, &o[1]) | operand_value(x, &o[2]);
  case PTX_OP_and: return operand_value(x, &o[1]) & operand_value(x, &o[2]);
  case PTX_OP_selp: return x->reg[o[3].index] ? operand_value(x, &o[1]) : operand_value(x, &o[2]);
  case PTX_OP_setp: return (int64_t)operand_value(x, &o[1]) < (int64_t)operand_value(x, &o[2]);
  case PTX_OP_ld:
    return in->space == PTX_SPACE_PARAM ? param_of(x, &o[1])
                                        : hashed(x->memory ^ (x->reg[o[1].index] + (uint64_t)o[1].imm)) & 63;
  default: fail_msg("%s", in->text); return 0;
  }
}

/* ---- What is seen of accesses ---- */

typedef struct {
  bool ran;
  uint64_t address, trip[LOOPS * 8], entry[LOOPS * 8];
} seen_t;

typedef struct {
  bool known[INSTRS], step_known[INSTRS];
  uint64_t offset[INSTRS], step[INSTRS]; /* by the access */
} distances_t;

/* Is the instruction between the loop's first and its last one? */
static bool in_loop(const machine_t *x, unsigned loop, uint32_t at) {
  return at >= x->head[loop] && at <= x->latch[loop];
}

/* In the same trip of all loops around both. */
static bool in_one_trip(const machine_t *x, const seen_t *a, uint32_t at, const seen_t *b, uint32_t to) {
  for (unsigned l = 0; l < x->loops; l++)
    if (in_loop(x, l, at) && in_loop(x, l, to) && a->trip[l] != b->trip[l]) return false;
  return true;
}

/* A trip later of the innermost loop around it, in the same one of those around that. */
static bool a_trip_later(const machine_t *x, const seen_t *now, const seen_t *then, uint32_t at) {
  int inner = -1;
  for (unsigned l = 0; l < x->loops; l++)
    if (in_loop(x, l, at) &&
        (inner < 0 || x->head[l] > x->head[inner] || (x->head[l] == x->head[inner] && x->latch[l] < x->latch[inner])))
      inner = (int)l;
  for (unsigned l = 0; l < x->loops; l++)
    if (in_loop(x, l, at) && (int)l != inner && now->trip[l] != then->trip[l]) return false;
  return inner >= 0 && now->entry[inner] == then->entry[inner] && now->trip[inner] == then->trip[inner] + 1;
}

/* "4 * k_n - 8", with what the launch has for the
 * names; false: a name that only the compiler knows. */
static bool evaluate(const machine_t *x, const char *text, uint64_t *sum) {
  *sum = 0;
  for (const char *p = text; *p;) {
    bool less = *p == '-', in_product = true;
    uint64_t product = 1;
    p += strspn(p, "+- ");
    while (in_product) {
      char *end;
      if (isdigit((unsigned char)*p)) product *= strtoull(p, &end, 10), p = end;
      else if (!strncmp(p, "k_a", 3)) product *= x->param[0], p += 3;
      else if (!strncmp(p, "k_b", 3)) product *= x->param[1], p += 3;
      else if (!strncmp(p, "k_n", 3)) product *= x->param[2], p += 3;
      else if (!strncmp(p, "%ntid.x", 7)) product *= x->sizes[0], p += 7;
      else if (!strncmp(p, "%ntid.y", 7)) product *= x->sizes[1], p += 7;
      else return false;
      in_product = !strncmp(p, " * ", 3);
      p += in_product ? 3 : strspn(p, " ");
    }
    *sum += less ? -product : product;
  }
  return true;
}

typedef struct {
  unsigned pairs, steps, evaluated;
} tally_t;

/* The distance is the one seen before, and the one that the compiler's text says, if the text
 * can be evaluated here. */
static void expect_distance(const machine_t *x, bool *known, uint64_t *before, uint64_t now, const char *text,
                            tally_t *tally) {
  uint64_t said;
  if (*known) assert_true(*before == now);
  *known = true;
  *before = now;
  if (!evaluate(x, text, &said)) return;
  assert_true(said == now);
  tally->evaluated++;
}

/* An access that is executed now, against all that the compiler says of it. */
static void check_access(const machine_t *x, const tom_program_t *p, seen_t *seen, uint32_t at, distances_t *d,
                         tally_t *tally) {
  const ptx_operand_t *o = address_operand(&x->f->instrs[at]);
  seen_t now = {.ran = true, .address = x->reg[o->index] + (uint64_t)o->imm};
  memcpy(now.trip, x->trip, sizeof now.trip);
  memcpy(now.entry, x->entry, sizeof now.entry);
  for (uint32_t i = 0; i < p->num_blocks; i++)
    for (uint32_t j = 0; j < p->blocks[i].num_accesses; j++) {
      const tom_access_t *a = &p->blocks[i].accesses[j];
      const bool self = a->instr == at;
      if (a->to == at && seen[a->instr].ran && in_one_trip(x, &now, at, &seen[a->instr], a->instr))
        expect_distance(x, &d[i].known[j], &d[i].offset[j], seen[a->instr].address - now.address, a->offset, tally),
            tally->pairs++;
      if (self && a->to != TOM_NO_INSTR && seen[a->to].ran && in_one_trip(x, &now, at, &seen[a->to], a->to))
        expect_distance(x, &d[i].known[j], &d[i].offset[j], now.address - seen[a->to].address, a->offset, tally),
            tally->pairs++;
      if (self && a->has_step && seen[at].ran && a_trip_later(x, &now, &seen[at], at))
        expect_distance(x, &d[i].step_known[j], &d[i].step[j], now.address - seen[at].address, a->step, tally),
            tally->steps++;
    }
  seen[at] = now;
}

/* Counts trips of all loops with this head. Coming in from outside starts a new entry. */
static void arrive_at(machine_t *x, uint32_t from, uint32_t at) {
  for (unsigned l = 0; l < x->loops; l++) {
    if (x->head[l] != at) continue;
    if (from != x->latch[l]) x->entry[l] = x->trip[l] = x->clock += 1000000;
    else x->trip[l]++;
  }
}

/* One thread to its end, or for STEPS instructions. */
static void run_thread(machine_t *x, const tom_program_t *p, distances_t *d, tally_t *tally) {
  static seen_t seen[INSTRS];
  memset(seen, 0, sizeof seen);
  memset(x->trip, 0, sizeof x->trip);
  uint32_t at = 0, from = UINT32_MAX;
  for (unsigned steps = 0; steps < STEPS; steps++) {
    const ptx_instr_t *in = &x->f->instrs[at];
    const bool runs = !in->guarded || (x->reg[in->guard] != 0) != in->guard_negated;
    uint32_t next = at + 1;
    arrive_at(x, from, at);
    if (in->op == PTX_OP_ret) return;
    if (runs && in->op == PTX_OP_bra) next = (uint32_t)in->target;
    else if (runs && in->op != PTX_OP_bar) {
      if ((in->op == PTX_OP_ld || in->op == PTX_OP_st) && in->space == PTX_SPACE_GLOBAL)
        check_access(x, p, seen, at, d, tally);
      if (in->op != PTX_OP_st) x->reg[in->operand[0].index] = instr_result(x, in);
    }
    from = at;
    at = next;
  }
}

/* A branch backwards is a loop, from its target to itself. */
static void find_loops(machine_t *x) {
  x->loops = 0;
  for (uint32_t i = 0; i < x->f->num_instrs; i++)
    if (x->f->instrs[i].op == PTX_OP_bra && x->f->instrs[i].target <= (int32_t)i) {
      assert_true(x->loops < LOOPS * 8);
      x->head[x->loops] = (uint32_t)x->f->instrs[i].target;
      x->latch[x->loops++] = i;
    }
}

/* Two launches of six threads with random parameters, block sizes, registers and memory. */
static void execute_launches(const ptx_module_t *m, const tom_program_t *p, uint64_t seed, tally_t *tally) {
  static machine_t x;
  static distances_t d[TOM_MAX_BLOCKS];
  x = (machine_t){.m = m, .f = p->func};
  find_loops(&x);
  for (unsigned launch = 0; launch < LAUNCHES; launch++) {
    memset(d, 0, sizeof d);
    for (unsigned i = 0; i < 3; i++) x.param[i] = test_random(&seed) & 0xffff;
    for (unsigned i = 0; i < 2; i++) x.sizes[i] = test_random(&seed) & 63;
    for (unsigned thread = 0; thread < THREADS; thread++) {
      for (unsigned i = 0; i < 2; i++) x.ids[i] = test_random(&seed) & 63;
      for (unsigned i = 0; i < x.f->num_regs; i++)
        x.reg[i] = x.f->regs[i].type == PTX_PRED ? test_random(&seed) & 1 : test_random(&seed) & 0xff;
      x.memory = test_random(&seed);
      run_thread(&x, p, d, tally);
    }
  }
}

/* Loops with one header are one loop to the compiler,
 * and two to this test: such kernels are left out. */
static bool shares_headers(const ptx_func_t *f) {
  unsigned targets[INSTRS] = {0};
  bool shared = false;
  for (uint32_t i = 0; i < f->num_instrs; i++)
    if (f->instrs[i].op == PTX_OP_bra && f->instrs[i].target <= (int32_t)i)
      shared |= targets[f->instrs[i].target]++ > 0;
  return shared;
}

static void test_random_kernels(void **state) {
  (void)state;
  static program_t program;
  tally_t tally = {0};
  for (unsigned round = 0; round < ROUNDS; round++) {
    ptx_error_t err;
    make_program(&program, round);
    ptx_module_t *m = ptx_parse(program.out.text, program.out.used, "random.ptx", &err);
    if (!m) print_message("%s\n%s", err.trouble.text, program.out.text);
    assert_non_null(m);
    const ptx_func_t *f = ptx_find_kernel(m, "k");
    tom_program_t *p = tom_compile(m, f, TOM_REGIONS_ALL);
    assert_non_null(p);
    assert_true(f->num_instrs <= INSTRS);
    if (!shares_headers(f)) execute_launches(m, p, round, &tally);
    tom_program_free(p);
    ptx_free(m);
  }
  print_message("%u distances and %u steps held, %u of them to what their texts say\n", tally.pairs, tally.steps,
                tally.evaluated);
  assert_true(tally.pairs > 20000 && tally.steps > 10000 && tally.evaluated > 20000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_straight),    cmocka_unit_test(test_none),
                                     cmocka_unit_test(test_arithmetic),  cmocka_unit_test(test_loops),
                                     cmocka_unit_test(test_nests),       cmocka_unit_test(test_irreducible),
                                     cmocka_unit_test(test_long_chains), cmocka_unit_test(test_random_kernels)};
  return cmocka_run_group_tests_name("tom_offset", tests, NULL, NULL);
}
