/* SPDX-License-Identifier: Apache-2.0
 *
 * The near-bank processor's compiler: Fig. 7 of papers/001 and small kernels worked by hand, with every location and row
 * written out.
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

static const ptx_func_t *first_kernel(const ptx_module_t *m) {
  for (uint32_t i = 0; i < m->num_funcs; i++)
    if (m->funcs[i].is_kernel) return &m->funcs[i];
  return NULL;
}

static ptx_module_t *parse_body(const char *code) {
  static char text[65536];
  ptx_error_t err;
  snprintf(text, sizeof text,
           ".version 8.0\n.target sm_80\n.address_size 64\n.const .f32 cst[4];\n.shared .u32 sh[64];\n"
           ".visible .entry k(.param .u64 k_a, .param .f32 k_f, .param .u32 k_n)\n{\n"
           ".reg .pred %%p<9>; .reg .b16 %%h<9>; .reg .b32 %%r<200>; .reg .f32 %%f<200>; .reg .b64 %%rd<200>; .reg .f64 "
           "%%g<9>;\n%s\n}\n",
           code);
  ptx_module_t *m = ptx_parse(text, strlen(text), "t.ptx", &err);
  if (!m) print_message("%s\n", err.text);
  assert_non_null(m);
  return m;
}

static compiled_t compile(const char *code, mpu_policy_t policy, bool smem_near) {
  mpu_compile_error_t err;
  compiled_t c = {.module = parse_body(code)};
  c.program = mpu_compile_smem(first_kernel(c.module), policy, smem_near, &err);
  if (!c.program) print_message("%s\n", err.text);
  assert_non_null(c.program);
  return c;
}

static void drop(compiled_t *c) {
  mpu_program_free(c->program);
  ptx_free(c->module);
}

/* "f1:N0 rd4:F2+": registers in the order in which they occur, location and row, + for a pair. */
static void registers_text(const mpu_program_t *p, bool rows, char *text, size_t size) {
  size_t n = 0;
  *text = 0;
  for (uint32_t r = 0; r < p->func->num_regs; r++) {
    const mpu_reg_t *reg = &p->regs[r];
    n += (size_t)snprintf(text + n, size - n, "%s%s:%s", n ? " " : "", p->func->regs[r].name + 1, mpu_loc_name(reg->loc));
    if (rows) n += (size_t)snprintf(text + n, size - n, "%d%s", reg->row, reg->rows == 2 ? "+" : "");
    assert_true(n < size);
  }
}

/* "NNFU/FFNF": hints, then places. */
static void instrs_text(const mpu_program_t *p, char *text) {
  uint32_t n = p->func->num_instrs;
  for (uint32_t i = 0; i < n; i++) {
    text[i] = *mpu_loc_name(p->instrs[i].hint);
    text[n + 1 + i] = *mpu_loc_name(p->instrs[i].place);
  }
  text[n] = '/';
  text[2 * n + 1] = 0;
}

static void expect(const compiled_t *c, const char *instrs, const char *registers) {
  char text[4096];
  instrs_text(c->program, text);
  if (instrs) assert_string_equal(text, instrs);
  registers_text(c->program, strpbrk(registers, "0123456789") && strchr(registers, '+'), text, sizeof text);
  assert_string_equal(text, registers);
}

static void test_fig7(void **state) {
  (void)state;
  compiled_t c = compile("ld.global.f32 %f1, [%rd9];\nld.global.f32 %f2, [%rd8];\nadd.f32 %f3, %f2, %f1;\n"
                         "add.s64 %rd10, %rd1, %rd7;\nst.global.f32 [%rd10], %f3;\nret;",
                         MPU_ANNOTATED, true);
  expect(&c, "NNNFFF/FFNFFF", "f1:N rd9:F f2:N rd8:F f3:N rd10:F rd1:F rd7:F");
  assert_int_equal(c.program->near_rows, 2); /* f1 and f2 together, then f3 */
  assert_int_equal(c.program->far_rows, 8);  /* four addresses alive at the entry */
  drop(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fig7),
  };
  return cmocka_run_group_tests_name("mpu_compiler", tests, NULL, NULL);
}
