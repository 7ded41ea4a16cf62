/* SPDX-License-Identifier: Apache-2.0
 *
 * Several sources of PTX as one module: which of two definitions of a name counts (PTX ISA, Linking
 * Directives), names that belong to one source alone, and refusals.
 */
#include <string.h>

#include "ptx.h"
#include "unit_test.h"

#define HEAD ".version 6.0\n.target sm_35\n.address_size 64\n"
#define GIVES(linkage, number) \
  linkage " .func (.param .b32 r) f () { .reg .b32 %r; mov.b32 %r, " #number "; st.param.b32 [r], %r; ret; }\n"
#define CALLS ".extern .func (.param .b32 r) f ();\n"

/* Links two sources, a.ptx and b.ptx. */
static ptx_module_t *link_two(const char *a, const char *b, ptx_error_t *err) {
  const ptx_source_t source[] = {{a, strlen(a), "a.ptx"}, {b, strlen(b), "b.ptx"}};
  return ptx_link(source, 2, "both", err);
}

/* The same, which must succeed. */
static ptx_module_t *link_sources(const char *a, const char *b) {
  ptx_error_t err;
  ptx_module_t *m = link_two(a, b, &err);
  if (!m) fail_msg("%s", err.trouble.text);
  return m;
}

/* The two sources are refused with a message that contains `want`. */
static void expect_link_refused(const char *a, const char *b, const char *want) {
  ptx_error_t err;
  ptx_module_t *m = link_two(a, b, &err);
  if (m) fail_msg("no error where '%s' was expected", want);
  if (!strstr(err.trouble.text, want)) fail_msg("got '%s', want '%s'", err.trouble.text, want);
  assert_int_equal(err.trouble.kind, 2);
}

/* The function of this name, which must be there. */
static const ptx_func_t *find_function(const ptx_module_t *m, const char *name) {
  for (uint32_t i = 0; i < m->num_funcs; i++)
    if (!strcmp(m->funcs[i].name, name)) return &m->funcs[i];
  fail_msg("no %s", name);
  return NULL;
}

/* The module has one body of f, and it returns `number`. */
static void expect_result(const char *a, const char *b, int64_t number) {
  ptx_module_t *m = link_sources(a, b);
  unsigned bodies = 0;
  for (uint32_t i = 0; i < m->num_funcs; i++) bodies += m->funcs[i].defined && !strcmp(m->funcs[i].name, "f");
  assert_int_equal(bodies, 1);
  const ptx_func_t *f = find_function(m, "f");
  assert_int_equal(f->instrs[0].operand[1].imm, number);
  assert_int_equal(f->num_rets, 1);
  /* the result that callers read is the one that the body writes */
  assert_int_equal(f->instrs[1].operand[0].index, f->rets[0]);
  ptx_free(m);
}

/* A body beats a declaration, .visible beats .weak, the first of two .weak counts, two .visible
 * clash. */
static void test_functions(void **state) {
  (void)state;
  expect_result(HEAD CALLS, HEAD GIVES(".visible", 1), 1);
  expect_result(HEAD GIVES(".visible", 1), HEAD CALLS, 1);
  expect_result(HEAD GIVES(".weak", 1), HEAD GIVES(".weak", 2), 1);
  expect_result(HEAD GIVES(".weak", 1), HEAD GIVES(".visible", 2), 2);
  expect_result(HEAD GIVES(".visible", 1), HEAD GIVES(".weak", 2), 1);
  expect_result(HEAD CALLS GIVES(".weak", 1), HEAD CALLS GIVES(".weak", 2), 1);
  expect_link_refused(HEAD GIVES(".visible", 1), HEAD GIVES(".visible", 2), "b.ptx:4:32: 'f' has a body already");
  expect_link_refused(HEAD ".visible .entry k () { ret; }", HEAD ".visible .func k () { ret; }",
                      "was declared as a .entry before");
}

/* The variable of this name, the first or a later one. */
static const ptx_var_t *find_variable(const ptx_module_t *m, const char *name, unsigned which) {
  for (uint32_t i = 0; i < m->num_vars; i++)
    if (!strcmp(m->vars[i].name, name) && !which--) return &m->vars[i];
  fail_msg("no %s", name);
  return NULL;
}

/* A call of the first source enters the second's function, by its parameters. */
static void test_calls(void **state) {
  (void)state;
  ptx_module_t *m = link_sources(
      HEAD
      ".extern .func (.param .b32 r) f (.param .b32 a);\n.visible .global .u64 at = f;\n"
      ".visible .entry k () { .reg .b32 %r; mov.b32 %r, 3; { .param .b32 p; st.param.b32 [p], %r; .param .b32 q; call "
      "(q), f, (p); } ret; }\n",
      HEAD
      ".visible .func (.param .b32 r) f (.param .b32 a) { .reg .b32 %r; ld.param.b32 %r, [a]; st.param.b32 [r], %r; "
      "ret; }\n");
  const ptx_func_t *f = find_function(m, "f");
  const int32_t index = (int32_t)(f - m->funcs);
  assert_true(f->defined);
  assert_int_equal(f->num_params, 1);
  assert_int_equal(f->instrs[0].operand[1].index, f->params[0]);
  assert_int_equal(find_variable(m, "at", 0)->relocs[0].func, index);
  assert_string_equal(m->file, "both");
  assert_non_null(ptx_find_kernel(m, "k"));
  ptx_free(m);
}

/* The module has one variable v with this size and, if `first` is not negative, this first byte. */
static void expect_one_variable(const char *a, const char *b, uint64_t bytes, int first) {
  ptx_module_t *m = link_sources(a, b);
  unsigned number = 0;
  for (uint32_t i = 0; i < m->num_vars; i++) number += !strcmp(m->vars[i].name, "v");
  assert_int_equal(number, 1);
  const ptx_var_t *v = find_variable(m, "v", 0);
  assert_int_equal(v->size, bytes);
  assert_true(first < 0 ? !v->init : v->init && v->init[0] == first);
  ptx_free(m);
}

/* The same rules for variables; the largest of several .common counts. */
static void test_variables(void **state) {
  (void)state;
  expect_one_variable(HEAD ".extern .global .b32 v;", HEAD ".visible .global .b32 v = 7;", 4, 7);
  expect_one_variable(HEAD ".visible .global .b32 v = 7;", HEAD ".extern .global .b32 v;", 4, 7);
  expect_one_variable(HEAD ".extern .global .b8 v[];", HEAD ".visible .global .b8 v[6] = {5};", 6, 5);
  expect_one_variable(HEAD ".weak .global .b32 v = 7;", HEAD ".weak .global .b32 v = 8;", 4, 7);
  expect_one_variable(HEAD ".weak .global .b32 v = 7;", HEAD ".visible .global .b32 v = 8;", 4, 8);
  expect_one_variable(HEAD ".visible .global .b32 v = 7;", HEAD ".weak .global .b32 v = 8;", 4, 7);
  expect_one_variable(HEAD ".common .global .b32 v[2];", HEAD ".common .global .b32 v[5];", 20, -1);
  expect_one_variable(HEAD ".common .global .b32 v[5];", HEAD ".common .global .b32 v[2];", 20, -1);
  expect_one_variable(HEAD ".common .global .b32 v;", HEAD ".visible .global .b32 v = 3;", 4, 3);
  expect_one_variable(HEAD ".extern .shared .align 16 .b8 v[];", HEAD ".extern .shared .align 16 .b8 v[];", 0, -1);
  expect_link_refused(HEAD ".visible .global .b32 v;", HEAD ".visible .global .b32 v;", "'v' is declared twice");
  expect_link_refused(HEAD ".extern .global .b32 v;", HEAD ".visible .global .f32 v;",
                      "'v' is declared before as .global .b32");
}

/* A source's own names: each means its own, and no other sees it. */
static void test_locals(void **state) {
  (void)state;
#define OWN(kernel, number)                                                          \
  HEAD ".global .b32 s = " #number ";\n.func h () { ret; }\n.visible .entry " kernel \
       " () { .reg .b32 %r; .reg .b64 %d; mov.b64 %d, s; call h, (); ret; }\n"
  ptx_module_t *m = link_sources(OWN("k", 1), OWN("l", 2));
  const ptx_func_t *k = find_function(m, "k"), *l = find_function(m, "l");
  const int32_t of_k = k->instrs[0].operand[1].index, of_l = l->instrs[0].operand[1].index;
  assert_true(of_k != of_l);
  assert_int_equal(m->vars[of_k].init[0], 1);
  assert_int_equal(m->vars[of_l].init[0], 2);
  assert_true(m->vars[of_k].offset != m->vars[of_l].offset);
  assert_int_equal(m->num_funcs, 4);
  ptx_free(m);
  expect_link_refused(HEAD ".global .b32 s = 1;", HEAD ".visible .entry l () { .reg .b64 %d; mov.b64 %d, s; ret; }",
                      "b.ptx:4:");
}

/* The module takes the highest .version and the first .target; address sizes must agree. */
static void test_heads(void **state) {
  (void)state;
  ptx_module_t *m = link_sources(".version 6.0\n.target sm_70\n.address_size 64\n",
                                 ".version 7.1\n.target sm_75\n.address_size 64\n");
  assert_int_equal(m->version_major * 100 + m->version_minor, 701);
  assert_string_equal(m->target, "sm_70");
  ptx_free(m);
  m = link_sources(".version 7.1\n.target sm_70\n.address_size 64\n",
                   ".version 6.0\n.target sm_75\n.address_size 64\n");
  assert_int_equal(m->version_major * 100 + m->version_minor, 701);
  ptx_free(m);
  expect_link_refused(HEAD, ".version 6.0\n.target sm_35\n.address_size 32\n",
                      "addresses have 32 bits, those of a.ptx 64");
  expect_link_refused(HEAD, ".target sm_35\n", "b.ptx:1:1: '.target' before .version");
  expect_link_refused(HEAD, HEAD ".version 6.0\n", "second .version");
  expect_link_refused(HEAD ".visible .func f () { ret; }", HEAD ".weak .func f () { ret;",
                      "the file ends within a body");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_functions), cmocka_unit_test(test_calls), cmocka_unit_test(test_variables),
      cmocka_unit_test(test_locals),    cmocka_unit_test(test_heads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
