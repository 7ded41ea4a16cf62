/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions of textures and surfaces as they are decoded: each form that is executed, and of
 * each other what is said; what a launch fills in of references.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simt_module.h"
#include "texture_decode.h"
#include "unit_test.h"

typedef struct {
  ptx_module_t *module;
  simt_kernel_t *kernel; /* NULL: err says why */
  trouble_t err;
} decoded_t;

/* A kernel of this one instruction, with references t, s and u, and `own` as a parameter. */
static decoded_t decode_instruction(const char *instruction) {
  static const char head[] =
      ".version 6.0\n.target sm_35\n.address_size 64\n.global .texref t;\n.global .samplerref s;\n.global .surfref u;\n"
      ".global .texref many[3];\n.global .u64 plain;\n.visible .entry k(.param .u64 a, .param .texref own)\n{\n"
      ".reg .b64 %d<5>; .reg .b32 %r<20>; .reg .f32 %f<20>; .reg .b16 %h<9>; .reg .pred %p<3>;\n";
  char text[2048];
  ptx_error_t wrong = {0};
  decoded_t d = {0};
  const int n = snprintf(text, sizeof text, "%s%s\nret;\n}\n", head, instruction);
  if (!(d.module = ptx_parse(text, (size_t)n, "t.ptx", &wrong))) fail_msg("%s: %s", instruction, wrong.trouble.text);
  d.kernel = simt_decode(d.module, ptx_find_kernel(d.module, NULL), &d.err);
  return d;
}

static void release_decoded(decoded_t *d) {
  simt_kernel_free(d->kernel);
  ptx_free(d->module);
}

/* Every shape, type, source and modifier that is executed, at least once. */
static void test_executed(void **state) {
  static const char *const forms[] = {
      "tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, %f4];",
      "tex.1d.v4.s32.s32 {%r0, %r1, _, %r3}, [%d0, {%r4}];",
      "tex.2d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [t, {%f4, %f5}];",
      "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [t, {%f4, %f5, %f5, %f5}];",
      "@%p0 tex.3d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [t, {%r4, %r5, %r6, %r6}];",
      "tex.a1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, {%r4, %f5}];",
      "tex.a2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, {%r4, %f5, %f6, %f6}];",
      "tex.base.2d.v4.f16.s32 {%h0, %h1, %h2, %h3}, [%d0, {%r4, %r5}];",
      "tex.2d.v2.f16x2.f32 {%r0, %r1}, [%d0, {%f4, %f5}];",
      "tex.level.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, {%f4, %f5}], %f6;",
      "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [t, s, {%f4, 0f3F800000}];",
      "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, %d1, {%f4, %f5}];",
      "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [own, {%f4, %f5}];",
      "tex.level.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, {%f4, %f5}], 0f00000000, {%r6, -8};",
      "tld4.a.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, {%f4, %f5}];",
      "mov.u64 %d2, t;",
      "txq.width.b32 %r0, [t];",
      "txq.addr_mode_2.b32 %r0, [%d0];",
      "suq.channel_data_type.b32 %r0, [u];",
      "suld.b.1d.b8.trap {%h0}, [u, {%r4}];",
      "suld.b.2d.v2.b64.zero {%d2, %d3}, [%d0, {%r4, %r5}];",
      "suld.b.3d.cv.v4.b32.clamp {%r0, %r1, %r2, %r3}, [%d0, {%r4, %r5, %r6, %r6}];",
      "suld.b.a1d.b32.trap %r0, [%d0, {%r4, %r5}];",
      "sust.b.a2d.v4.b16.zero [u, {%r4, %r5, %r6, %r6}], {%h0, %h1, %h2, %h3};",
      "sust.b.2d.v4.b8.trap [u, {%r4, %r5}], {%r6, 0, 0, 255};",
  };
  (void)state;
  for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++) {
    decoded_t d = decode_instruction(forms[i]);
    if (!d.kernel) fail_msg("%s", d.err.text);
    release_decoded(&d);
  }
}

/* Each form that is not executed, with the reason in brackets. */
static void test_textures_not_executed(void **state) {
  static const struct {
    const char *instruction, *why;
  } row[] = {
      {"tex.cube.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, {%f4, %f5, %f6, %f6}];", "(cube maps)"},
      {"tex.acube.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, {%r4, %f5, %f6, %f6}];", "(cube maps)"},
      {"tex.base.2dms.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%d0, {%r3, %r4, %r5, %r5}];", "(textures of several samples)"},
      {"tex.grad.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, {%f4, %f5}], {%f6, %f7}, {%f8, %f9};",
       "(mip maps, by gradients)"},
      {"tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}|%p1, [%d0, {%f4, %f5}];", "(a predicate of what is resident)"},
      {"tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, {%f4, %f5}], %f6;", "(a depth to compare with)"},
      {"tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, {%f4}];", "(too few coordinates)"},
      {"tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, {%f4, %f5}], {%r6};", "(too few offsets)"},
      {"tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0];", "(form)"},
      {"tex.2d.v4.f32.f32 {%f0, %f1}, [%d0, {%f4, %f5}];", "(number of results)"},
      {"tex.2d.v4.f32.f64 {%f0, %f1, %f2, %f3}, [%d0, {%f4, %f5}];", "(type of the coordinates)"},
      {"tex.2d.v4.f64.f32 {%f0, %f1, %f2, %f3}, [%d0, {%f4, %f5}];", "(type of the result)"},
      {"tex.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, {%f4, %f5}];", "(a texture or surface without a shape)"},
      {"tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%r0, {%f4}];", "(a handle of fewer than 64 bits)"},
      {"tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [plain, {%f4}];", "(a variable that is no reference)"},
      {"tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [many, {%f4}];", "(a variable that is no reference)"},
      {"tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0+8, {%f4}];", "(a handle that is computed)"},
      {"tld4.r.3d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, {%f4, %f5, %f6, %f6}];", "(form)"},
      {"txq.colour.b32 %r0, [t];", "(form)"},
      {"suld.b.2d.v4.b64.trap {%d1, %d2, %d3, %d4}, [%d0, {%r4, %r5}];", "(access size)"},
      {"suld.b.2d.b32.trap {%r0}, [%d0];", "(form)"},
      {"sust.p.2d.v4.b32.trap [u, {%r4, %r5}], {%r0, %r1, %r2, %r3};", "(stores of numbers in the surface's format)"},
      {"sured.b.add.2d.u32.trap [u, {%r4, %r5}], %r0;", "'sured.b.add.2d.u32.trap' is not executed"},
  };
  (void)state;
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    decoded_t d = decode_instruction(row[i].instruction);
    if (d.kernel) fail_msg("%s is decoded", row[i].instruction);
    if (d.err.kind != TROUBLE_INPUT || !strstr(d.err.text, row[i].why))
      fail_msg("%s: %s", row[i].instruction, d.err.text);
    release_decoded(&d);
  }
}

/* The parts of one instruction that has all of them. */
static void test_operation(void **state) {
  (void)state;
  decoded_t d = decode_instruction(
      "tex.level.a2d.v4.s32.s32 {%r0, %r1, %r2, %r3}, [%d0, %d1, {%r4, %r5, %r6, %r6}], %r7, {%r8, 3};");
  const simt_op_t *op = &d.kernel->ops[0];
  assert_int_equal(op->kind, SIMT_TEXTURE);
  assert_int_equal(op->sub, TEXTURE_FETCH);
  assert_int_equal(op->src_bytes, 2 | TEXTURE_LAYERED);
  assert_true(op->flags & SIMT_SIGNED);
  assert_int_equal(op->vec, 4);
  assert_true(op->v[TEXTURE_LAYER] != SIMT_NO_OPERAND && op->v[TEXTURE_X] != op->v[TEXTURE_X + 1]);
  assert_true(op->base != op->c && op->d != SIMT_NO_OPERAND && op->e & SIMT_CONST && op->x == SIMT_NO_OPERAND);
  assert_int_equal(op->num_dsts, 4); /* then two handles, layer, two coordinates, level, offset */
  assert_int_equal(op->num_deps, 11);
  release_decoded(&d);
}

/* A reference's handle is a constant of each launch; one that is bound to nothing is 0. */
static void test_references(void **state) {
  (void)state;
  decoded_t d = decode_instruction("txq.width.b32 %r0, [t];\ntxq.width.b32 %r1, [u];");
  trouble_t err = {0};
  simt_variables_t v = {0};
  assert_int_equal(simt_bind(&v, d.module, "t", 0x1234567800000001, &err), 0);
  assert_int_equal(simt_bind(&v, d.module, "plain", 1, &err), -1);
  assert_non_null(strstr(err.text, "no texture or surface reference plain"));
  const uint8_t params[16] = {0};
  uint8_t *konsts = calloc(1, d.kernel->konst_bytes + 64);
  assert_non_null(konsts);
  simt_fill_consts(d.kernel, konsts, params, &v);
  for (unsigned lane = 0; lane < 32; lane++) {
    assert_true(((const uint64_t *)(konsts + (d.kernel->ops[0].base & ~SIMT_CONST)))[lane] == 0x1234567800000001);
    assert_true(((const uint64_t *)(konsts + (d.kernel->ops[1].base & ~SIMT_CONST)))[lane] == 0);
  }
  free(konsts);
  simt_variables_free(&v);
  release_decoded(&d);
}

/* .tex of old modules; addresses have three parts at most. */
static void test_reader(void **state) {
  static const char *const wrong[][2] = {
      {".tex .f32 t;", "'.f32' after .tex; write .tex .u32"},
      {".global .texref t = {1};", "initialisers of .texref variables are not supported"},
      {".entry k() { .reg .f32 %f<9>; .reg .b64 %d<3>; tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, %d1, %f4, %f5]; "
       "ret; }",
       "more than three parts of an address"}};
  ptx_error_t err;
  (void)state;
  static const char text[] = ".version 1.4\n.target sm_13\n.tex .u32 t;\n.tex .u64 u;\n.entry k() { .reg .f32 %f<9>;\n"
                             "tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [t, {%f4, %f5, %f6, %f7}]; ret; }\n";
  ptx_module_t *m = ptx_parse(text, strlen(text), "t.ptx", &err);
  if (!m) fail_msg("%s", err.trouble.text);
  for (unsigned i = 0; i < 2; i++) assert_true(m->vars[i].type == PTX_TEXREF && m->vars[i].space == PTX_SPACE_GLOBAL);
  assert_true(simt_reference(m, "t") == &m->vars[0] && !simt_reference(m, "v"));
  ptx_free(m);
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char bad[400];
    snprintf(bad, sizeof bad, ".version 6.0\n.target sm_35\n.address_size 64\n%s\n", wrong[i][0]);
    if ((m = ptx_parse(bad, strlen(bad), "t.ptx", &err))) fail_msg("%s is read", wrong[i][0]);
    if (!strstr(err.trouble.text, wrong[i][1])) fail_msg("%s", err.trouble.text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_executed), cmocka_unit_test(test_textures_not_executed),
                                     cmocka_unit_test(test_operation), cmocka_unit_test(test_references),
                                     cmocka_unit_test(test_reader)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
