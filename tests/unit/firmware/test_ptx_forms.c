/* SPDX-License-Identifier: Apache-2.0
 *
 * Forms of PTX that few compilers write: prototypes without an end of their own, components of
 * vectors, parameters in registers, computed operands. And error messages about something long.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"
#include "unit_test.h"

#define HEAD ".version 6.0\n.target sm_35\n.address_size 64\n"
#define BODY(regs, code) HEAD ".visible .entry k(.param .u64 k_a, .param .u32 k_n)\n{\n" regs "\n" code "\n}\n"
#define REGS                                                                                                      \
  ".reg .v4 .f32 %v<3>; .reg .v4 .u32 %q; .reg .v2 .b32 %w; .reg .b32 %r<9>; .reg .u32 %u<9>; .reg .b64 %rd<9>; " \
  ".reg .b16 %h<9>; .reg .f32 %f<9>; "                                                                            \
  ".reg .pred %p<9>;"

/* Parses a module that must be right. */
static ptx_module_t *parse_text(const char *text) {
  ptx_error_t err;
  ptx_module_t *m = ptx_parse(text, strlen(text), "t.ptx", &err);
  if (!m) fail_msg("%s", err.trouble.text);
  return m;
}

/* The text is refused as bad input, with a message that contains `want`. */
static void expect_error(const char *text, const char *want) {
  ptx_error_t err;
  ptx_module_t *m = ptx_parse(text, strlen(text), "t.ptx", &err);
  if (m) fail_msg("no error where '%s' was expected", want);
  if (!strstr(err.trouble.text, want)) fail_msg("got '%s', want '%s'", err.trouble.text, want);
  assert_int_equal(err.trouble.kind, 2);
}

/* ---- Prototypes ------------------------------------------------------------------------------ */

/* As nvopencc 3.1 to 4.0 writes them: the next directive is the end. */
static void test_prototypes(void **state) {
  (void)state;
  ptx_module_t *m = parse_text(
      HEAD ".visible .func (.param .b32 r) f (.param .b32 a)\n"
           ".visible .func g (.param .b64 a)\n"
           "\t.file\t1\t\"x.cu\"\n"
           ".func h .noreturn\n"
           "# 12 \"x.cu\"\n"
           ".extern .func (.reg .f32 r) e (.reg .f32 a)\n"
           ".global .u32 count;\n"
           ".visible .func (.param .b32 r) f (.param .b32 a)\n"
           "{ .reg .b32 %r<3>; .reg .b64 %d<3>; ld.param.b32 %r1, [a]; call g, (%d1); st.param.b32 [r], %r1; ret; }\n"
           ".entry k (.param .u64 p) { ret; }\n"
           ".visible .func last (.param .b32 a)\n");
  static const struct {
    const char *name;
    unsigned rets, params;
    bool defined;
  } want[] = {{"f", 1, 1, true},  {"g", 0, 1, false}, {"h", 0, 0, false},
              {"e", 1, 1, false}, {"k", 0, 1, true},  {"last", 0, 1, false}};
  assert_int_equal(m->num_funcs, sizeof want / sizeof *want);
  for (unsigned i = 0; i < m->num_funcs; i++) {
    const ptx_func_t *f = &m->funcs[i];
    assert_string_equal(f->name, want[i].name);
    if (f->num_rets != want[i].rets || f->num_params != want[i].params || f->defined != want[i].defined)
      fail_msg("%s", f->name);
  }
  assert_true(m->funcs[2].noreturn);
  assert_non_null(ptx_find_kernel(m, NULL));
  ptx_free(m);
  expect_error(HEAD ".func f (.param .b32 a)\n.reg .b32 %r<3>;",
               "t.ptx:5:1: '.reg' where '{' should stand before a body");
  expect_error(HEAD ".func f (.param .b32 a) g;", "'g' where '{' should stand before a body");
  expect_error(HEAD ".entry f (.param .b32 a)\n.global .u32 x;", "'.global' where '{' should stand before a body");
  expect_error(HEAD ".entry f (.param .b32 a)", "the file ends where '{' should stand before a body");
}

/* Nothing to launch is nothing wrong. */
static void test_functions_only(void **state) {
  (void)state;
  ptx_module_t *m = parse_text(HEAD ".func (.reg .f32 r) f (.reg .f32 a) { add.f32 r, a, a; ret; }");
  assert_int_equal(m->num_funcs, 1);
  assert_null(ptx_find_kernel(m, NULL));
  ptx_free(m);
}

/* ---- Vectors --------------------------------------------------------------------------------- */

/* The operand is component `which` of the vector register `name`. */
static void check_operand(const ptx_func_t *f, const ptx_operand_t *o, const char *name, unsigned which) {
  assert_int_equal(o->kind, PTX_OPND_REG);
  assert_string_equal(f->regs[o->index].name, name);
  unsigned before = 0;
  while (before < (unsigned)o->index && !strcmp(f->regs[o->index - 1 - (int32_t)before].name, name)) before++;
  if (before != which) fail_msg("component %u of %s, not %u", before, name, which);
}

/* .x to .w and .r to .a name the four components, as operand, result, address and element. */
static void test_components(void **state) {
  (void)state;
  static const char letters[] = "xyzwrgba";
  for (unsigned i = 0; i < 8; i++) {
    char text[] = BODY(REGS, "add.f32 %v1.?, %v2.?, %f1;\nld.global.f32 %v1.?, [%rd1];\nst.global.f32 [%rd1], %v1.?;\n"
                             "mov.b64 %rd2, {%q.?, %q.x};\n"
                             "neg.f32 %f1, %v0.?;");
    for (char *c = text; (c = strchr(c, '?'));) *c = letters[i];
    ptx_module_t *m = parse_text(text);
    const ptx_func_t *k = ptx_find_kernel(m, NULL);
    check_operand(k, &k->instrs[0].operand[0], "%v1", i % 4);
    check_operand(k, &k->instrs[0].operand[1], "%v2", i % 4);
    check_operand(k, &k->instrs[1].operand[0], "%v1", i % 4);
    check_operand(k, &k->instrs[2].operand[1], "%v1", i % 4);
    check_operand(k, &k->elements[k->instrs[3].operand[1].first], "%q", i % 4);
    check_operand(k, &k->instrs[4].operand[1], "%v0", i % 4);
    ptx_free(m);
  }
  expect_error(BODY(REGS, "mov.b32 %r1, %w.z;"), "'%w' has no component '.z'");
  expect_error(BODY(REGS, "mov.b32 %r1, %q.s;"), "'%q' has no component '.s'");
  expect_error(BODY(REGS, "mov.b32 %r1, %q.xy;"), "'%q' has no component '.xy'");
}

/* Parameters of device functions are vectors too:
 * loaded first, and results stored at the return. */
static void test_vector_parameters(void **state) {
  (void)state;
  ptx_module_t *m = parse_text(
      HEAD ".func (.reg .v4 .f32 r) f (.reg .v2 .f32 a)\n{\nadd.f32 r.x, a.x, a.y;\nadd.f32 r.w, a.x, a.y;\nret;\n}");
  const ptx_func_t *f = &m->funcs[0];
  assert_int_equal(f->num_regs, 6);
  assert_int_equal(f->num_instrs, 5);
  assert_string_equal(f->instrs[0].source, "ld.param.v2.f32 {a, a}, [a];");
  check_operand(f, &f->instrs[1].operand[0], "r", 0);
  check_operand(f, &f->instrs[1].operand[2], "a", 1);
  check_operand(f, &f->instrs[2].operand[0], "r", 3);
  assert_string_equal(f->instrs[3].source, "st.param.v4.f32 [r], {r, r, r, r};");
  assert_int_equal(m->vars[f->rets[0]].size, 16);
  assert_int_equal(f->param_bytes, 8);
  ptx_free(m);
}

/* Parameters in registers go through .param variables, so a reader of the module sees only
 * those. */
static void test_register_parameters(void **state) {
  (void)state;
  static const char head[] =
      HEAD ".func (.reg .u32 r, .reg .pred q) f (.reg .f32 a, .reg .pred p, .param .b64 w)\n{\n@p ret;\n"
           "add.u32 r, r, 1;\n}\n"
           ".func g (.param .align 8 .b8 a[8], .reg .v2 .f32 v) { }\n.entry k ()\n{\n"
           ".reg .u32 x; .reg .f32 y; .reg .pred p; .reg .u64 z;\n";
  char text[1200];
  snprintf(text, sizeof text,
           "%s@!p call (x, _), f, (1.5, p, z);\ncall z, (x, y);\ncall (_, p), f, (y, p, 0xffffffffffff);\nret;\n}\n",
           head);
  static const char *const want[2][14] = {
      {"ld.param.f32 a, [a];", "ld.param.u32 p, [p];", "setp.ne.u32 p, p, 0;", "@p st.param.u32 [r], r;",
       "@p selp.u32 q, 1, 0, q;", "@p st.param.u32 [q], q;", "@p ret;", "add.u32 r, r, 1;", "st.param.u32 [r], r;",
       "selp.u32 q, 1, 0, q;", "st.param.u32 [q], q;", "ret;"},
      {"@!p st.param.f32 [parameter], 1069547520;", "@!p selp.u32 p, 1, 0, p;", "@!p st.param.u32 [parameter], p;",
       "@!p st.param.b64 [parameter], z;", "@!p call (x, _), f, (1.5, p, z);", "@!p ld.param.u32 x, [result];",
       "st.param.u32 [parameter], x;", "st.param.f32 [parameter], y;", "call z, (x, y);",
       "st.param.f32 [parameter], y;", "selp.u32 p, 1, 0, p;", "st.param.u32 [parameter], p;",
       "st.param.b64 [parameter], 281474976710655;", "call (_, p), f, (y, p, 0xffffffffffff);"}};
  ptx_module_t *m = parse_text(text);
  for (unsigned i = 0; i < 2; i++)
    for (unsigned k = 0; k < 14 && want[i][k]; k++)
      assert_string_equal(m->funcs[i ? 2 : 0].instrs[k].source, want[i][k]);
  const ptx_func_t *k = &m->funcs[2];
  assert_string_equal(k->instrs[14].source, "ld.param.u32 p, [result];");
  assert_string_equal(k->instrs[15].source, "setp.ne.u32 p, p, 0;");
  assert_int_equal(k->num_instrs, 17);
  ptx_free(m);
  static const struct {
    const char *call, *says;
  } wrong[] = {
      {"call (x, p), f, (y, p, x);", "t.ptx:13:1: parameter 3 of 'f' is .b64; 'x' is too narrow for it"},
      {"call (x, p, x), f, (y, p, z);", "t.ptx:13:1: call of 'f' with more results than its 2"},
      {"call (x, p), f, (y, p, z, z);", "t.ptx:13:1: call of 'f' with more parameters than its 3"},
      {"call g, (z, y);",
       "t.ptx:13:1: parameter 1 of 'g' has several elements; pass a .param variable as it is declared there"},
      {"call z, (5);",
       "t.ptx:13:1: parameter 1 of a call through a register is no register and no variable: its type is not known"},
      {"call (_), z, (x);",
       "t.ptx:13:1: result 1 of a call through a register is no register and no variable: its type is not known"},
  };
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    snprintf(text, sizeof text, "%s%s\nret;\n}\n", head, wrong[i].call);
    expect_error(text, wrong[i].says);
  }
  expect_error(HEAD ".func f (.reg .u32 a[2]) { }",
               "'a' is a .reg parameter and an array; write .param before its type");
}

/* All components of a special register at once. */
static void test_special_vector(void **state) {
  (void)state;
  ptx_module_t *m = parse_text(BODY(REGS, "mov.v4.u32 %q, %tid;\nmov.v2.u32 {%r1, %r2}, %ctaid;"));
  const ptx_func_t *k = ptx_find_kernel(m, NULL);
  for (unsigned i = 0; i < 2; i++) {
    const ptx_operand_t *from = &k->instrs[i].operand[1];
    assert_int_equal(from->kind, PTX_OPND_VEC);
    assert_int_equal(from->count, i ? 2 : 4);
    for (unsigned c = 0; c < from->count; c++) {
      const ptx_operand_t *e = &k->elements[from->first + c];
      assert_true(e->kind == PTX_OPND_SREG && e->sel == c && e->index == (i ? PTX_SREG_ctaid : PTX_SREG_tid));
    }
  }
  ptx_free(m);
  expect_error(BODY(REGS, "mov.u32 %r1, %tid;"), "'%tid' needs a component");
}

/* Parts of registers: a number of the part, or digits, highest first. */
static void test_selectors(void **state) {
  (void)state;
  static const char head[] = HEAD ".visible .entry k()\n{\n" REGS "\n";
  static const struct {
    const char *text;
    unsigned sel;
    int64_t digits;
  } rows[] = {{"", 0, 0},        {".b0", 1, 0},       {".b3", 4, 0},          {".h0", 5, 0},
              {".h1", 6, 0},     {".h10", 7, 0x10},   {".h33", 7, 0x33},      {".b00", 8, 0},
              {".b31", 8, 0x31}, {".b210", 9, 0x210}, {".b7654", 10, 0x7654}, {".b0000", 10, 0}};
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[800];
    snprintf(text, sizeof text, "%svadd4.u32.u32.u32 %%r1, %%r2%s, %%r1, %%r2;\n}\n", head, rows[i].text);
    ptx_module_t *m = parse_text(text);
    const ptx_operand_t *o = &ptx_find_kernel(m, NULL)->instrs[0].operand[1];
    assert_int_equal(o->sel, rows[i].sel);
    assert_int_equal(o->imm, rows[i].digits);
    ptx_free(m);
  }
  /* what is none of an operand's parts ends it */
  static const char *const wrong[] = {".b4", ".h2", ".h8", ".h012", ".b43210", ".b89", ".b", ".c1"};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char text[800], says[100];
    snprintf(text, sizeof text, "%svadd4.u32.u32.u32 %%r1, %%r2%s, %%r1, %%r2;\n}\n", head, wrong[i]);
    snprintf(says, sizeof says, "'%s' where ',' should stand", wrong[i]);
    expect_error(text, says);
  }
}

/* ---- Operands that are computed -------------------------------------------------------------- */

/* The instruction's text; implicit: the reader made the instruction. */
static void check_source(const ptx_instr_t *in, bool implicit, const char *want) {
  if (in->implicit != implicit || strcmp(in->source, want) != 0)
    fail_msg("%s'%s' where %s'%s' should be", in->implicit ? "implicit " : "", in->source, implicit ? "implicit " : "",
             want);
}

/* A register plus a constant becomes an addition before the instruction, without its guard. */
static void test_register_and_constant(void **state) {
  (void)state;
  ptx_module_t *m = parse_text(BODY(
      REGS, "bra L;\nL: @%p1 mov.u64 %rd1, %rd2 + 8;\nst.global.u32 [%rd1+4], %r1-(2*3);\nadd.u16 %h1, %h2+1, %h3+-2;\n"
            "bra L;"));
  const ptx_func_t *k = ptx_find_kernel(m, NULL);
  assert_int_equal(k->num_instrs, 9);
  check_source(&k->instrs[1], true, "add.u64 %rd2 + 8, %rd2, 8;");
  check_source(&k->instrs[2], false, "@%p1 mov.u64 %rd1, %rd2 + 8;");
  check_source(&k->instrs[3], true, "add.u32 %r1-(2*3), %r1, -6;");
  check_source(&k->instrs[4], false, "st.global.u32 [%rd1+4], %r1-(2*3);");
  check_source(&k->instrs[5], true, "add.u16 %h2+1, %h2, 1;");
  check_source(&k->instrs[6], true, "add.u16 %h3+-2, %h3, -2;");
  check_source(&k->instrs[8], false, "bra L;");
  assert_int_equal(k->instrs[0].target, 1); /* a branch meets the computation first */
  assert_int_equal(k->instrs[8].target, 1);
  assert_false(k->instrs[1].guarded);
  assert_int_equal(k->instrs[1].line, k->instrs[2].line);
  assert_int_equal(k->instrs[2].operand[1].index, k->instrs[1].operand[0].index);
  assert_int_equal(k->instrs[4].operand[1].index, k->instrs[3].operand[0].index);
  assert_int_equal(k->instrs[6].operand[2].imm, -2);
  ptx_free(m);
  m = parse_text(BODY(REGS, "T: .branchtargets A, B;\n@%p1 brx.idx %r1+1, T;\nA: ret;\nB: ret;"));
  k = ptx_find_kernel(m, NULL);
  assert_int_equal(k->instrs[1].op, PTX_OP_brx);
  assert_int_equal(k->instrs[1].operand[1].kind, PTX_OPND_TABLE); /* what is resolved later moved along */
  ptx_free(m);
  expect_error(BODY(REGS, "mov.u32 %r1+4, %r2;"),
               "t.ptx:7:9: first operand of mov.u32 is its result; it must be a register");
  expect_error(BODY(REGS, "mov.f32 %f1, %f2+1;"),
               "'%f2' is a .f32 register; a constant can be added to integers of 16, 32 and 64 bits");
  expect_error(BODY(REGS, "mov.pred %p1, %p2+1;"), "'%p2' is a .pred register");
  expect_error(BODY(REGS, "mov.u32 %r1, %r2+;"), "';' where an offset should stand");
  expect_error(BODY(REGS, "mov.b64 %rd1, {%r2+1, %r3};"), "'+' where ',' should stand between elements");
}

/* An element of an array: a constant index becomes an offset, a register becomes a
 * multiplication. */
static void test_elements(void **state) {
  (void)state;
  ptx_module_t *m = parse_text(
      HEAD ".global .b16 a[64]; .shared .v2 .f32 s[8];\n.entry k()\n{\n" REGS
           "\nmov.u64 %rd1, a[3];\nld.global.b16 %h1, a[1<<2];\n"
           "st.shared.v2.f32 s[WARP_SZ/8], {%f1, %f2};\nld.global.b16 %h1, a[%r1 + 2];\nmov.u64 %rd1, a[%u1];\n"
           "ld.global.b16 %h1, a[%rd3];\n}");
  const ptx_func_t *k = ptx_find_kernel(m, NULL);
  const ptx_instr_t *in = k->instrs;
  assert_true(in[0].operand[1].kind == PTX_OPND_VAR && in[0].operand[1].imm == 6);
  assert_true(in[1].operand[1].kind == PTX_OPND_ADDR && in[1].operand[1].base == PTX_BASE_VAR &&
              in[1].operand[1].imm == 8);
  assert_true(in[2].operand[0].kind == PTX_OPND_ADDR && in[2].operand[0].imm == 32);
  check_source(&in[3], true, "mov.u64 a[%r1 + 2], a;");
  assert_int_equal(in[3].operand[1].imm, 4);
  check_source(&in[4], true, "mad.wide.s32 a[%r1 + 2], %r1, 2, a[%r1 + 2];");
  check_source(&in[5], false, "ld.global.b16 %h1, a[%r1 + 2];");
  assert_true(in[5].operand[1].base == PTX_BASE_REG && in[5].operand[1].index == in[4].operand[0].index);
  check_source(&in[7], true, "mad.wide.u32 a[%u1], %u1, 2, a[%u1];");
  check_source(&in[8], false, "mov.u64 %rd1, a[%u1];");
  check_source(&in[10], true, "mad.lo.s64 a[%rd3], %rd3, 2, a[%rd3];");
  ptx_free(m);
#define ARRAYS(code) HEAD ".global .b32 a[8]; .global .b32 b[2][4];\n.entry k()\n{\n" REGS "\n" code "\n}"
  expect_error(ARRAYS("ld.global.b32 %r1, b[1];"), "'b' has 2 dimensions; only a variable of one can be indexed");
  expect_error(ARRAYS("ld.global.b32 %r1, a[%f1];"),
               "'%f1' is no index; write a constant or an integer register of 32 or 64 bits");
  expect_error(ARRAYS("ld.global.b32 %r1, a[%h1];"), "'%h1' is no index");
  expect_error(ARRAYS("ld.global.b32 %r1, a[%r1;"), "';' where ']' should stand after an index");
  expect_error(ARRAYS("mov.u64 a[%r1], %rd1;"), "first operand of mov.u64 is its result; it must be a register");
}

/* Expressions of constants with C's operators and order. */
static void test_constants(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int64_t want;
  } row[] = {{"1+2", 3}, {"3*4-5", 7},   {"-3+4", 1}, {"-(3+4)", -7}, {"WARP_SZ-1", 31}, {"WARP_SZ", 32},
             {"-5", -5}, {"1<<4|1", 17}, {"7U", 7},   {"2>1?8:9", 8}, {"~0", -1}};
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    char text[600];
    snprintf(text, sizeof text, HEAD ".entry k() { .reg .b32 %%r<3>; mov.u32 %%r1, %s; }", row[i].text);
    ptx_module_t *m = parse_text(text);
    const ptx_operand_t *o = &ptx_find_kernel(m, NULL)->instrs[0].operand[1];
    if (o->kind != PTX_OPND_IMM || o->imm != row[i].want) fail_msg("%s is %lld", row[i].text, (long long)o->imm);
    ptx_free(m);
  }
  expect_error(BODY(REGS, "mov.u32 %r1, 1 / 0;"), "t.ptx:7:16: division by zero in a constant");
}

/* ---- Long names ------------------------------------------------------------------------------ */

/* A message about a name of 3000 characters shows both of its ends, and its reason stays whole. */
static void test_long_names(void **state) {
  (void)state;
  enum { LONG = 3000 };
  static const struct {
    const char *before, *behind, *reason;
  } row[] = {
      {HEAD ".func ", "() { ret; } .entry k() { brk; }", "did you mean 'bra'?"},
      {HEAD ".global .u32 ", "[];", "' has no size; write one between the brackets, or an initialiser"},
      {HEAD ".entry ", "() {", "the file ends in the body of '_ZN"},
      {HEAD ".entry k() { bra ", "; }", "is not declared in this function; declare it as '_ZN"},
      {HEAD ".entry k() { .reg .b64 ", "; mov.u64 %rd1, 0; }",
       "'%rd1' is not declared; declare it before its use with .reg"},
  };
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    char *text = malloc(LONG + 400), name[LONG + 1];
    ptx_error_t err;
    memset(name, 'a', LONG);
    memcpy(name, "_ZN4fold", 8);
    memcpy(name + LONG - 7, "vIiEEvT", 8);
    int n = snprintf(text, LONG + 400, "%s%s%s", row[i].before, name, row[i].behind);
    ptx_module_t *m = ptx_parse(text, (size_t)n, name, &err); /* the file's name is as long */
    assert_null(m);
    assert_true(strlen(err.trouble.text) < sizeof err.trouble.text);
    assert_int_equal(strncmp(err.trouble.text, "_ZN4fold", 8), 0);
    if (!strstr(err.trouble.text, row[i].reason)) fail_msg("%s", err.trouble.text);
    if (i == 1 || i == 2 || i == 3) assert_non_null(strstr(err.trouble.text, "vIiEEvT"));
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_prototypes),
      cmocka_unit_test(test_functions_only),
      cmocka_unit_test(test_components),
      cmocka_unit_test(test_vector_parameters),
      cmocka_unit_test(test_register_parameters),
      cmocka_unit_test(test_special_vector),
      cmocka_unit_test(test_selectors),
      cmocka_unit_test(test_register_and_constant),
      cmocka_unit_test(test_elements),
      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_long_names),
  };
  return cmocka_run_group_tests_name("ptx_forms", tests, NULL, NULL);
}
