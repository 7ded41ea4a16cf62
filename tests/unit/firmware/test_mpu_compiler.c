/* SPDX-License-Identifier: Apache-2.0
 *
 * The compiler of the MPU's near-bank processor: Fig. 7 of the MPU paper, and small kernels worked
 * out by hand with each location and row written out.
 *
 * Expected text: "NNF/FFF" gives each instruction's hint and place (N near, F far, B the track
 * table decides, U none); "f1:N d4:F" gives each register's location.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpu_compiler.h"
#include "unit_test.h"

typedef struct {
  ptx_module_t *module;
  mpu_program_t *program;
} compiled_t;

/* A kernel with this body, three parameters and registers of every type. */
static ptx_module_t *parse_body(const char *code) {
  static char text[65536];
  ptx_error_t err;
  snprintf(
      text, sizeof text,
      ".version 8.0\n.target sm_80\n.address_size 64\n.const .f32 cst[4];\n.shared .u32 sh[64];\n"
      ".visible .entry k(.param .u64 k_a, .param .f32 k_f, .param .u32 k_n)\n{\n"
      ".reg .pred %%p<9>; .reg .b16 %%h<9>; .reg .b32 %%r<9>; .reg .f32 %%f<9>; .reg .b64 %%d<19>; .reg .f64 %%g<9>; "
      ".reg .b128 %%q<9>;\n"
      "%s\n}\n",
      code);
  ptx_module_t *m = ptx_parse(text, strlen(text), "t.ptx", &err);
  if (!m) print_message("%s\n%s\n", err.trouble.text, code);
  assert_non_null(m);
  return m;
}

/* Compiles a body under a policy, with shared memory near or far. */
static compiled_t compile(const char *code, mpu_policy_t policy, bool smem_near) {
  mpu_compile_error_t err;
  compiled_t c = {.module = parse_body(code)};
  c.program = mpu_compile_smem(ptx_find_kernel(c.module, "k"), policy, smem_near, &err);
  if (!c.program) print_message("%s\n", err.trouble.text);
  assert_non_null(c.program);
  return c;
}

/* Frees what compile() made. */
static void free_compiled(compiled_t *c) {
  mpu_program_free(c->program);
  ptx_free(c->module);
}

/* "f1:N d4:F r1:B(N) r2:-" in the order in which registers occur; in parentheses Algorithm 1's
 * location where it differs. */
static void print_locations(const mpu_program_t *p, char *text, size_t size) {
  size_t n = 0;
  *text = 0;
  for (uint32_t r = 0; r < p->func->num_regs; r++) {
    const mpu_reg_t *reg = &p->regs[r];
    n += (size_t)snprintf(text + n, size - n, "%s%s:%s", n ? " " : "", p->func->regs[r].name + 1,
                          reg->loc == MPU_U ? "-" : mpu_loc_name(reg->loc));
    if (reg->annotated != reg->loc) n += (size_t)snprintf(text + n, size - n, "(%s)", mpu_loc_name(reg->annotated));
    assert_true(n < size);
  }
}

/* Local memory and constants are ideal: their accesses, and so all registers, are far. */
static void test_ideal(void **state) {
  (void)state;
  static const char code[] = "ld.local.u32 %r1, [%d1]; st.local.u32 [%d1], %r1; ld.const.u32 %r1, [%d2]; ret;";
  mpu_compile_error_t err;
  compiled_t c = {.module = parse_body(code)};
  c.program = mpu_compile_for(ptx_find_kernel(c.module, "k"), MPU_ANNOTATED, true, true, true, &err);
  assert_non_null(c.program);
  for (uint32_t r = 0; r < c.program->func->num_regs; r++)
    if (c.program->regs[r].row >= 0) assert_int_equal(c.program->regs[r].loc, MPU_F);
  for (uint32_t i = 0; i < 4; i++) assert_int_equal(c.program->instrs[i].place, MPU_F);
  free_compiled(&c);
}

/* "f1:0 d4:2+": rows, + for a pair. */
static void print_rows(const mpu_program_t *p, char *text, size_t size) {
  size_t n = 0;
  *text = 0;
  for (uint32_t r = 0; r < p->func->num_regs; r++) {
    n += (size_t)snprintf(text + n, size - n, "%s%s:%d%s", n ? " " : "", p->func->regs[r].name + 1, p->regs[r].row,
                          p->regs[r].rows == 2 ? "+" : "");
    assert_true(n < size);
  }
}

/* "NNF/FFF": hints, then places; B is a place that the track table decides. */
static void print_places(const mpu_program_t *p, char *text) {
  uint32_t n = p->func->num_instrs;
  for (uint32_t i = 0; i < n; i++) {
    text[i] = *mpu_loc_name(p->instrs[i].hint);
    text[n + 1 + i] = *mpu_loc_name(p->instrs[i].place);
  }
  text[n] = '/';
  text[2 * n + 1] = 0;
}

/* Hints and places of the instructions, and locations of the registers, as print_places() and
 * print_locations() write them. */
static void expect_smem(const char *code, mpu_policy_t policy, bool smem_near, const char *instrs, const char *regs) {
  compiled_t c = compile(code, policy, smem_near);
  char got_instrs[512], got_regs[2048];
  print_places(c.program, got_instrs);
  print_locations(c.program, got_regs, sizeof got_regs);
  if (strcmp(got_instrs, instrs) || strcmp(got_regs, regs)) print_message("%s\n%s %s\n", code, got_instrs, got_regs);
  assert_string_equal(got_instrs, instrs);
  assert_string_equal(got_regs, regs);
  free_compiled(&c);
}

/* The same under the annotated policy with shared memory near. */
static void expect_code(const char *code, const char *instrs, const char *regs) {
  expect_smem(code, MPU_ANNOTATED, true, instrs, regs);
}

/* Rows of the registers, then how many rows near alone, both and far alone have, and predicates. */
static void expect_rows(const char *code, const char *want, const char *sizes) {
  compiled_t c = compile(code, MPU_ANNOTATED, true);
  const mpu_program_t *p = c.program;
  char got[2048], got_sizes[64];
  print_rows(p, got, sizeof got);
  snprintf(got_sizes, sizeof got_sizes, "%u %u %u, %u", p->near_only, p->both, p->far_only, p->predicates);
  if (strcmp(got, want) || strcmp(got_sizes, sizes)) print_message("%s\n%s; %s\n", code, got, got_sizes);
  assert_string_equal(got, want);
  assert_string_equal(got_sizes, sizes);
  assert_int_equal(p->near_rows, p->near_only + p->both);
  assert_int_equal(p->far_rows, p->both + p->far_only);
  free_compiled(&c);
}

/* The refusal names this line of the module and says `want`, in one line. */
static void expect_refused(const char *code, int line, const char *want) {
  mpu_compile_error_t err;
  ptx_module_t *m = parse_body(code);
  assert_null(mpu_compile(ptx_find_kernel(m, "k"), MPU_ANNOTATED, &err));
  assert_int_equal(err.trouble.kind, 2);
  assert_int_equal(err.line, line);
  if (!strstr(err.trouble.text, want)) print_message("%s\n", err.trouble.text);
  assert_non_null(strstr(err.trouble.text, want));
  assert_null(strchr(err.trouble.text, '\n'));
  ptx_free(m);
}

/* ---- Algorithm 1 ----------------------------------------------------------------------------- */

static const char fig7[] = "ld.global.f32 %f1, [%d9];\nld.global.f32 %f2, [%d8];\nadd.f32 %f3, %f2, %f1;\n"
                           "add.s64 %d10, %d1, %d7;\nst.global.f32 [%d10], %f3;\nret;";

/* The paper's figure: both loads and the sum are near, all addresses far. */
static void test_fig7(void **state) {
  (void)state;
  expect_code(fig7, "NNNFFF/FFNFFF", "f1:N d9:F f2:N d8:F f3:N d10:F d1:F d7:F");
  compiled_t c = compile(fig7, MPU_ANNOTATED, true);
  static const bool far_op[] = {true, true, false, false, true, true};
  for (unsigned i = 0; i < 6; i++) assert_int_equal(c.program->instrs[i].far_op, far_op[i]);
  assert_int_equal(c.program->near_rows, 2); /* f1 and f2 together, then f3 */
  assert_int_equal(c.program->far_rows, 8);  /* four addresses alive at the entry */
  assert_int_equal(c.program->shares.annotated[MPU_N], 3);
  assert_int_equal(c.program->shares.annotated[MPU_F], 5);
  assert_int_equal(c.program->shares.instrs[MPU_N], 1);
  assert_int_equal(c.program->shares.instrs[MPU_F], 5);
  free_compiled(&c);
}

/* Values and addresses are told apart along chains of instructions, through loops and back. */
static void test_chains(void **state) {
  (void)state;
  /* values, over several steps and backwards through a loop; its counter is control */
  expect_code(
      "ld.param.u64 %d1, [k_a]; mov.f32 %f1, 0f00000000; mov.u32 %r1, 0;\nL: ld.global.f32 %f2, [%d1]; "
      "fma.rn.f32 %f1, %f2, %f2, %f1; add.s64 %d1, %d1, 4; add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 9; @%p1 bra L;\n"
      "neg.f32 %f3, %f1; st.global.f32 [%d1], %f3; ret;",
      "FNFNNFFFFNFF/FNFFNFFFFNFF", "d1:F f1:N r1:F f2:N p1:F f3:N");
  /* an index that was loaded: a value and part of an address */
  expect_code("ld.global.u32 %r1, [%d1]; mul.wide.u32 %d2, %r1, 4; add.s64 %d3, %d1, %d2; st.global.u32 [%d3], 1; ret;",
              "NFFFF/FFFFF", "r1:B d1:F d2:F d3:F");
  /* a pointer that was loaded */
  expect_code("ld.global.u64 %d2, [%d1]; ld.global.u32 %r1, [%d2]; st.global.u32 [%d1], %r1; ret;", "NNFF/FFFF",
              "d2:B d1:F r1:N");
  /* an address that is stored */
  expect_code("add.s64 %d2, %d1, 8; st.global.u64 [%d2], %d2; ret;", "FFF/FFF", "d2:B d1:F(B)");
  /* a loaded value that decides a branch */
  expect_code("ld.global.u32 %r1, [%d1]; setp.eq.s32 %p1, %r1, 0; @%p1 bra L; st.global.u32 [%d1], %r1;\nL: ret;",
              "NFFFF/FFFFF", "r1:B d1:F p1:F");
}

/* A destination in both places: the instruction goes where its sources come from. */
static void test_both(void **state) {
  (void)state;
  expect_code("ld.global.u32 %r1, [%d1]; add.s32 %r2, %r1, 1; st.global.u32 [%d1], %r2; mul.wide.u32 %d2, %r2, 4; "
              "st.global.u32 [%d2], 0; ret;",
              "NNFFFF/FNFFFF", "r1:N(B) d1:F r2:B d2:F");
  expect_code("mov.u32 %r1, %tid.x; add.s32 %r2, %r1, 1; st.global.u32 [%d1], %r2; mul.wide.u32 %d2, %r2, 4; "
              "st.global.u32 [%d2], 0; ret;",
              "FFFFFF/FFFFFF", "r1:F(B) r2:B d1:F d2:F");
  /* its sources count, not where else the register is written */
  expect_code("ld.param.u64 %d1, [k_a]; ld.global.u32 %r1, [%d1]; @%p1 bra L; add.s32 %r2, %r1, 1; bra M;\n"
              "L: mov.u32 %r2, %tid.x;\n"
              "M: st.global.u32 [%d1], %r2; mul.wide.u32 %d2, %r2, 4; st.global.u32 [%d2], 0; ret;",
              "FNFNFFFFFF/FFFNFFFFFF", "d1:F r1:N(B) p1:F r2:B d2:F");
  /* one source from each side: far */
  expect_code("ld.global.u32 %r1, [%d1]; mov.u32 %r3, %tid.x; add.s32 %r2, %r1, %r3; st.global.u32 [%d1], %r2; "
              "mul.wide.u32 %d2, %r2, 4; st.global.u32 [%d2], 0; ret;",
              "NFFFFFF/FFFFFFF", "r1:B d1:F r3:F(B) r2:B d2:F");
  /* a running sum that begins with a constant: near, the constant with it */
  expect_code("mov.u32 %r1, 0;\nL: ld.global.u32 %r2, [%d1]; add.s32 %r1, %r1, %r2; mul.wide.u32 %d2, %r1, 4; "
              "st.global.u32 [%d2], %r1; bra L;",
              "NNNFFF/NFNFFF", "r1:B r2:N(B) d1:F d2:F");
  /* a counter that begins with a constant: nothing of it is near */
  expect_code("mov.u32 %r1, 0;\nL: add.s32 %r1, %r1, 1; mul.wide.u32 %d2, %r1, 4; st.global.u32 [%d2], %r1; bra L;",
              "FFFFF/FFFFF", "r1:B d2:F");
}

/* Where values of parameters, constants and addresses of variables are. */
static void test_parameters(void **state) {
  (void)state;
  /* written by the front end, read near: annotated N, but there are copies in both places */
  expect_code(
      "ld.param.f32 %f1, [k_f]; ld.global.f32 %f2, [%d1]; mul.f32 %f3, %f2, %f1; st.global.f32 [%d1], %f3; ret;",
      "FNNFF/FFNFF", "f1:B(N) f2:N d1:F f3:N");
  expect_code("ld.param.u64 %d1, [k_a]; cvta.to.global.u64 %d2, %d1; st.global.u32 [%d2], 0; ret;", "FFFF/FFFF",
              "d1:F d2:F");
  expect_code("ld.const.f32 %f1, [cst]; st.global.f32 [%d1], %f1; ret;", "FFF/FFF", "f1:B(N) d1:F");
  /* as from global memory */
  expect_code("ld.const.f32 %f1, [%d2]; st.global.f32 [%d1], %f1; ret;", "NFF/FFF", "f1:N d2:F d1:F");
  expect_code("mov.u64 %d1, sh; st.global.u64 [%d2], %d1; ret;", "NFF/NFF", "d1:N d2:F");
}

/* Shared memory pulls its addresses and data to its own side, near or far. Atomics are always
 * far. */
static void test_shared(void **state) {
  (void)state;
  static const char code[] =
      "mov.u32 %r1, sh; mov.u32 %r2, %tid.x; shl.b32 %r3, %r2, 2; add.s32 %r1, %r1, %r3; "
      "ld.shared.f32 %f1, [%r1]; add.f32 %f2, %f1, %f1; st.shared.f32 [%r1], %f2; bar.sync 0; ret;";
  expect_code(code, "NFNNNNNFF/NFNNNNNFF", "r1:N r2:B(N) r3:N f1:N f2:N");
  expect_smem(code, MPU_ANNOTATED, false, "FFFFFFFFF/FFFFFFFFF", "r1:F r2:F r3:F f1:F f2:F");
  expect_code("atom.shared.add.u32 %r1, [%r2], %r3; st.global.u32 [%d1], %r1; ret;", "FFF/FFF",
              "r1:B(N) r2:F r3:F d1:F");
}

/* What only the front end can do: atomics, shuffles, generic and cluster addresses, hints of
 * caches, flags of carries. */
static void test_far_bank_set(void **state) {
  (void)state;
  expect_code("atom.global.add.u32 %r1, [%d1], %r2; red.global.add.u32 [%d1], %r1; membar.gl; exit;", "FFFF/FFFF",
              "r1:F d1:F r2:F");
  expect_code("ld.global.f32 %f1, [%d1]; shfl.sync.bfly.b32 %f2, %f1, 1, 31, -1; add.f32 %f3, %f1, %f2; st.global.f32 "
              "[%d1], %f3; "
              "ret;",
              "NFNFF/FFNFF", "f1:B d1:F f2:B(N) f3:N");
  expect_code("ld.u32 %r1, [%d1]; st.u32 [%d2], %r1; ret;", "NFF/FFF", "r1:N d1:F d2:F");
  expect_code("ld.global.L2::cache_hint.u64 %d3, [%d1], %d2; st.global.L2::cache_hint.u64 [%d1], %d3, %d3; ret;",
              "NFF/FFF", "d3:B d1:F d2:F");
  expect_code("ld.shared::cluster.u32 %r1, [%r2]; ret;", "FF/FF", "r1:F r2:F");                  /* another core's */
  expect_code("ld.local.u32 %r1, [%d1]; st.local.u32 [%d1], %r1; ret;", "NFF/FFF", "r1:N d1:F"); /* as global memory */
  /* the carry flag stays on one die, whatever its values are for */
  expect_code("ld.global.u32 %r1, [%d1]; add.cc.u32 %r2, %r1, %r1; addc.u32 %r3, 0, 0; st.global.u32 [%d1], %r3; ret;",
              "NFFFF/FFFFF", "r1:B d1:F r2:F r3:B(N)");
  expect_code("mov.u32 %r1, %laneid; st.global.u32 [%d1], %r1; ret;", "FFF/FFF", "r1:B(N) d1:F");
}

/* A predicate lives in the front end unless test_value_predicates() says otherwise. */
static void test_predicates(void **state) {
  (void)state;
  /* never anywhere but in the front end: as guard, as source of a near instruction */
  expect_code("ld.global.u32 %r1, [%d1]; ld.param.u32 %r2, [k_n]; setp.lt.u32 %p1, %r2, 9; selp.b32 %r3, %r1, 7, %p1; "
              "@!%p1 add.s32 %r3, %r3, 1; @%p1 st.global.u32 [%d1], %r3; ret;",
              "NFFNNFF/FFFNNFF", "r1:N d1:F r2:F p1:F r3:N");
  expect_code("setp.lt.u32 %p1|%p2, %r1, %r2; ret;", "FF/FF", "p1:F p2:F r1:F r2:F");
  /* what writes one is far, with its other result and all it reads */
  expect_code("ld.global.u32 %r1, [%d1]; lop3.and.b32 %r2|%p1, %r1, %r1, %r1, 0x80, 1; st.global.u32 [%d1], %r2; ret;",
              "NFFF/FFFF", "r1:B d1:F r2:B(N) p1:F");
}

/* What chooses between loaded values, and was made
 * of such, is one: it is compared where they are. */
static void test_value_predicates(void **state) {
  (void)state;
  expect_code(
      "ld.global.f32 %f1, [%d1]; ld.shared.f32 %f2, [sh]; setp.lt.f32 %p1, %f1, %f2; selp.f32 %f3, %f1, %f2, %p1; "
      "st.global.f32 [%d1], %f3; ret;",
      "NNNNFF/FNNNFF", "f1:N d1:F f2:N p1:N f3:N");
  /* one of the sources is an index; it is a guard, too;
   * it chooses an address; shared memory is far */
  expect_code("ld.global.u32 %r1, [%d1]; mov.u32 %r2, %tid.x; setp.lt.u32 %p1, %r1, %r2; selp.u32 %r3, %r1, 0, %p1; "
              "st.global.u32 [%d1], %r3; ret;",
              "NFFNFF/FFFNFF", "r1:B d1:F r2:F p1:F r3:N");
  expect_code("ld.global.f32 %f1, [%d1]; setp.lt.f32 %p1, %f1, 0f00000000; selp.f32 %f3, %f1, 0f00000000, %p1; @%p1 "
              "st.global.f32 [%d1], %f3; ret;",
              "NFNFF/FFNFF", "f1:B d1:F p1:F f3:N");
  expect_code(
      "ld.global.u64 %d2, [%d1]; setp.lt.u64 %p1, %d2, 9; selp.b64 %d3, %d2, %d1, %p1; st.global.u64 [%d3], %d2; ret;",
      "NFFFF/FFFFF", "d2:B d1:F p1:F d3:F");
  expect_smem(
      "ld.shared.f32 %f1, [sh]; setp.lt.f32 %p1, %f1, 0f00000000; selp.f32 %f3, %f1, 0f00000000, %p1; st.global.f32 "
      "[%d1], %f3; ret;",
      MPU_ANNOTATED, false, "FFNFF/FFNFF", "f1:B p1:F f3:N d1:F");
  /* a chain of the least and its number: whatever depends on a predicate that is none is none */
  static const char chain[] =
      "ld.global.f32 %f1, [%d1]; ld.global.f32 %f2, [%d1+4]; ld.global.f32 %f3, [%d1+8]; setp.lt.f32 %p1, %f2, %f1; "
      "selp.f32 %f4, %f2, %f1, %p1; "
      "selp.u32 %r1, 1, 0, %p1; setp.lt.f32 %p2, %f3, %f4; selp.u32 %r2, 2, %r1, %p2; st.global.u32 [%d1], %r2; ret;";
  expect_code(chain, "NNNNNNNNFF/FFFNNNNNFF", "f1:N d1:F f2:N f3:N p1:N f4:N r1:N p2:N r2:N");
  expect_rows(chain, "f1:1 d1:4+ f2:0 f3:2 p1:0 f4:0 r1:1 p2:0 r2:0", "4 0 2, 1");
}

/* Values that no rule places, several results, and code that is never reached. */
static void test_leftovers(void **state) {
  (void)state;
  /* a result that nobody wants is the fall-back's, and takes what it reads there */
  expect_code("ld.global.u32 %r1, [%d1]; add.s32 %r2, %r1, 1; st.global.u32 [%d1], %r1; ret;", "NFFF/FFFF",
              "r1:B(N) d1:F r2:F");
  /* several results */
  expect_code("ld.global.u64 %d2, [%d1]; mov.b64 {%r1, %r2}, %d2; st.global.u32 [%d1], %r1; setp.eq.s32 %p1, %r2, 0; "
              "@%p1 exit; ret;",
              "NNFFFF/FNFFFF", "d2:N(B) d1:F r1:N r2:B(F) p1:F");
  expect_code("ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%d1]; st.global.v2.f32 [%d1+16], {%f2, %f4}; ret;", "NFF/FFF",
              "f1:N f2:N f3:N f4:N d1:F");
  /* never reached */
  expect_code("exit; add.s32 %r1, %r2, 1; st.global.u32 [%d1], %r1;", "FUUU/FUUU", "r1:- r2:- d1:-");
  expect_code("L: bra L;", "F/F", "");
  expect_code("", "F/F", "");
}

/* ---- Policies -------------------------------------------------------------------------------- */

static const char mixed[] =
    "ld.param.u64 %d1, [k_a]; ld.param.f32 %f1, [k_f]; mov.u32 %r1, 3; add.s32 %r2, %r1, 1; "
    "ld.global.f32 %f2, [%d1]; mul.f32 %f3, %f2, %f2; mul.f32 %f4, %f3, %f1; cvt.rn.f32.s32 %f5, %r2; "
    "add.f32 %f6, %f4, %f5; st.global.f32 [%d1], %f6; ld.shared.f32 %f7, [sh]; ret;";

/* One kernel under each policy: all near, all far, and the hardware's default without hints. */
static void test_policies(void **state) {
  (void)state;
  expect_smem(mixed, MPU_ALL_NEAR, true, "UUUUUUUUUUUU/FFNNFNNNNFNF",
              "d1:F f1:B r1:N r2:N f2:N f3:N f4:N f5:N f6:N f7:N");
  expect_smem(mixed, MPU_ALL_FAR, true, "UUUUUUUUUUUU/FFFFFFFFFFNF",
              "d1:F f1:F r1:F r2:F f2:B f3:F f4:F f5:F f6:B f7:N");
  expect_smem(mixed, MPU_ALL_FAR, false, "UUUUUUUUUUUU/FFFFFFFFFFFF",
              "d1:F f1:F r1:F r2:F f2:B f3:F f4:F f5:F f6:B f7:F");
  /* without sources far, and what depends on it; f1 never has a near copy, so f4 is far too */
  expect_smem(mixed, MPU_HW_DEFAULT, true, "UUUUUUUUUUUU/FFFFFNFFFFNF",
              "d1:F f1:F r1:F r2:F f2:N f3:B f4:F f5:F f6:B f7:N");
  /* a second predicate is a source that may be anywhere; so r1
   * may have been moved, when the third instruction comes */
  static const char preds[] =
      "ld.global.u32 %r1, [%d1]; @%p1 selp.u32 %r2, %r1, 3, %p2; @%p1 selp.u32 %r3, %r1, 3, %p1; ret;";
  expect_smem(preds, MPU_HW_DEFAULT, true, "UUUU/FBBF", "r1:B d1:B p1:F r2:B p2:F r3:B");
  /* what is not written before it is read is valid in both places */
  expect_smem("add.s32 %r2, %r1, 1; ret;", MPU_HW_DEFAULT, true, "UU/BF", "r2:B r1:B");
  mpu_policy_t policy;
  for (unsigned i = 0; i < MPU_NUM_POLICIES; i++) {
    assert_true(mpu_policy_find(mpu_policy_name((mpu_policy_t)i), &policy));
    assert_int_equal(policy, i);
  }
  assert_false(mpu_policy_find("Near", &policy));
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Rows are used again as soon as their register is dead; pairs of rows begin at an even one. */
static void test_rows(void **state) {
  (void)state;
  /* f3 takes the row of f1, d10 that of d1: their last readers write them */
  expect_rows(fig7, "f1:0 d9:6+ f2:1 d8:4+ f3:0 d10:2+ d1:2+ d7:8+", "2 0 8, 0");
  /* a single near row, then pairs: they begin at an even row, and the row between counts as near */
  expect_rows("ld.param.u64 %d1, [k_a]; ld.global.u32 %r1, [%d1]; st.global.u32 [%d1], %r1; ret;", "d1:2+ r1:0",
              "2 0 2, 0");
  expect_rows("ld.param.u32 %r1, [k_n]; mov.u32 %r2, %r1; setp.eq.u32 %p1, %r2, 0; ret;", "r1:0 r2:0 p1:0", "0 0 1, 1");
  /* a pair with a single in both places, far pairs after them */
  expect_rows(
      "ld.global.u64 %d1, [%d2]; ld.global.u32 %r1, [%d1]; mul.wide.u32 %d3, %r1, 4; st.global.u32 [%d3], %r1; ret;",
      "d1:0+ d2:2+ r1:0 d3:2+", "0 2 2, 0");
}

/* Results of one instruction differ, wanted or not; a
 * dead result does not take the row of what lives on. */
static void test_interference(void **state) {
  (void)state;
  expect_rows("ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%d1]; ret;", "f1:0 f2:1 f3:2 f4:3 d1:4+", "4 0 2, 0");
  expect_rows("ld.param.u32 %r1, [k_n]; mov.u32 %r2, %tid.x; setp.eq.u32 %p1, %r1, 0; ret;", "r1:0 r2:1 p1:0",
              "0 0 2, 1");
  /* a guarded write leaves the old value in other threads */
  expect_rows("mov.u32 %r1, %tid.x; ld.param.u32 %r2, [k_n]; setp.eq.u32 %p1, %r2, 0; mov.u32 %r3, %ctaid.x; "
              "@%p1 mov.u32 %r1, %r3; setp.eq.u32 %p2, %r1, 0; @%p2 exit; ret;",
              "r1:1 r2:0 p1:0 r3:0 p2:0", "0 0 2, 1");
  expect_rows("setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, 1; @%p1 exit; @%p2 exit; ret;", "p1:0 r1:0 p2:1",
              "0 0 1, 2");
  /* around a loop */
  expect_rows("mov.u32 %r1, %tid.x; mov.u32 %r2, 0;\n"
              "L: mov.u32 %r3, %clock; add.u32 %r2, %r2, %r3; setp.lt.u32 %p1, %r2, %r1; @%p1 bra L;\nret;",
              "r1:0 r2:1 r3:2 p1:0", "0 0 3, 1");
}

/* `count` far registers that live at the same time, and as many predicates one after the other. */
static char *registers_alive(unsigned count, char *text) {
  char *at = text + sprintf(text, ".reg .u32 %%x<%u>; .reg .pred %%y<%u>;\n", count, count);
  for (unsigned i = 0; i < count; i++) at += sprintf(at, "mov.u32 %%x%u, %%tid.x;\n", i);
  for (unsigned i = 0; i < count; i++) at += sprintf(at, "setp.eq.u32 %%y%u, %%x%u, 1;\n", i, i);
  sprintf(at, "ret;");
  return text;
}

/* One near row and `count` pairs that live at the same time, and a predicate. Pairs begin at an
 * even row, so the near row costs two. */
static char *pairs_alive(unsigned count, char *text) {
  char *at = text + sprintf(text, ".reg .u64 %%x<%u>; ld.param.u64 %%x0, [k_a]; ld.global.u32 %%r1, [%%x0];\n", count);
  for (unsigned i = 1; i < count; i++) at += sprintf(at, "cvt.u64.u32 %%x%u, %%ctaid.x;\n", i);
  for (unsigned i = 0; i < count; i++) at += sprintf(at, "st.global.u32 [%%x%u], %%r1;\n", i);
  sprintf(at, "setp.eq.u32 %%p1, %%tid.x, 0;\nret;");
  return text;
}

/* 256 rows are the limit for registers and predicates together, and a register has at most 64
 * bits. */
static void test_limits(void **state) {
  (void)state;
  static char code[60000];
  expect_refused("mov.b128 %q1, {%d1, %d2};\nret;", 9, "line 9: register %q1 has 128 bits, at most 64");
  compiled_t c = compile(registers_alive(255, code), MPU_ANNOTATED, true);
  assert_int_equal(c.program->far_only, 255);
  assert_int_equal(c.program->predicates, 1);
  free_compiled(&c);
  c = compile(pairs_alive(126, code), MPU_ANNOTATED, true);
  assert_int_equal(c.program->near_only, 2);
  assert_int_equal(c.program->far_only, 252);
  free_compiled(&c);
  expect_refused(pairs_alive(127, code), 136,
                 ": 256 registers of 32 bits and 1 predicate are needed, at most 256 in all");
  expect_refused(registers_alive(256, code), 266,
                 "at least 256 registers of 32 bits and 1 predicate are needed, at most 256 in all");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fig7),         cmocka_unit_test(test_chains),     cmocka_unit_test(test_both),
      cmocka_unit_test(test_parameters),   cmocka_unit_test(test_shared),     cmocka_unit_test(test_far_bank_set),
      cmocka_unit_test(test_ideal),        cmocka_unit_test(test_predicates), cmocka_unit_test(test_value_predicates),
      cmocka_unit_test(test_leftovers),    cmocka_unit_test(test_policies),   cmocka_unit_test(test_rows),
      cmocka_unit_test(test_interference), cmocka_unit_test(test_limits),
  };
  return cmocka_run_group_tests_name("mpu_compiler", tests, NULL, NULL);
}
