/* SPDX-License-Identifier: Apache-2.0
 *
 * The PTX reader: the styles of three compilers, everything that is resolved while reading, and
 * errors. It must read each prefix and many random changes of each kernel, or refuse them with one
 * line. The sanitize preset watches while it does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"
#include "unit_test.h"

static const char *const kernels[] = {
#define WORKLOAD(name, bits, text) #name,
#include "../../firmware/workloads/kernels/workload_list.def"
};

#define HEAD ".version 6.0\n.target sm_35\n.address_size 64\n"
#define BODY(regs, code) HEAD ".visible .entry k(.param .u64 k_a, .param .u32 k_n)\n{\n" regs "\n" code "\n}\n"

/* The PTX of a workload; the caller frees it. */
static char *read_kernel_text(const char *name, size_t *size) {
  char path[512];
  snprintf(path, sizeof path, "%s/firmware/workloads/kernels/%s/%s.ptx", LOCKSTACK_SOURCE_DIR, name, name);
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  char *text = malloc(1 << 20);
  assert_non_null(text);
  *size = fread(text, 1, 1 << 20, f);
  fclose(f);
  return text;
}

/* Parses a module that must be right. */
static ptx_module_t *parse_text(const char *text) {
  ptx_error_t err;
  ptx_module_t *m = ptx_parse(text, strlen(text), "t.ptx", &err);
  if (!m) print_message("%s\n", err.trouble.text);
  assert_non_null(m);
  return m;
}

/* The text is refused with exit code 2 and one line that contains `want`. */
static void expect_error(const char *text, const char *want) {
  ptx_error_t err;
  ptx_module_t *m = ptx_parse(text, strlen(text), "t.ptx", &err);
  if (m) print_message("no error where '%s' was expected\n", want);
  assert_null(m);
  if (!strstr(err.trouble.text, want)) print_message("got '%s', want '%s'\n", err.trouble.text, want);
  assert_non_null(strstr(err.trouble.text, want));
  assert_int_equal(err.trouble.kind, 2);
  assert_null(strchr(err.trouble.text, '\n'));
}

/* ---- Our kernels ----------------------------------------------------------------------------- */

/* Parameters, their offsets, and where the threads of a branch meet again, in a kernel of ours. */
static void test_vadd(void **state) {
  (void)state;
  ptx_error_t err;
  char path[512];
  snprintf(path, sizeof path, "%s/firmware/workloads/kernels/vadd/vadd.ptx", LOCKSTACK_SOURCE_DIR);
  ptx_module_t *m = ptx_read(path, &err);
  assert_non_null(m);
  assert_int_equal(m->address_bytes, 8);
  assert_string_equal(m->target, "sm_35");
  const ptx_func_t *k = ptx_find_kernel(m, "vadd");
  assert_non_null(k);
  assert_ptr_equal(k, ptx_find_kernel(m, NULL));
  assert_null(ptx_find_kernel(m, "vsub"));
  assert_int_equal(k->num_params, 4);
  assert_int_equal(k->param_bytes, 28);
  assert_int_equal(m->vars[k->params[3]].offset, 24);
  assert_int_equal(m->vars[k->params[3]].type, PTX_U32);
  unsigned branches = 0;
  for (uint32_t i = 0; i < k->num_instrs; i++) {
    const ptx_instr_t *in = &k->instrs[i];
    if (in->op != PTX_OP_bra) continue;
    branches++;
    assert_true(in->guarded && !in->guard_negated);
    assert_int_equal(in->target, in->reconv); /* the tail check meets again where the others end */
    assert_int_equal(k->instrs[in->target].op, PTX_OP_ret);
  }
  assert_int_equal(branches, 1);
  ptx_free(m);
}

/* The text is read, or refused with a place in it and a reason. */
static void check_outcome(const char *text, size_t size) {
  ptx_error_t err;
  ptx_module_t *m = ptx_parse(text, size, "p", &err);
  if (m) {
    ptx_free(m);
    return;
  }
  assert_int_equal(err.trouble.kind, 2);
  assert_true(strncmp(err.trouble.text, "p:", 2) == 0 && err.line >= 1 && err.column >= 1);
  assert_true(strlen(err.trouble.text) > 12);
}

/* The list says how wide each kernel's pointers are: that is what it was compiled for. */
static void test_pointers(void **state) {
  (void)state;
  static const unsigned bits[] = {
#define WORKLOAD(name, bits, text) bits,
#include "../../firmware/workloads/kernels/workload_list.def"
  };
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
    size_t size;
    ptx_error_t err;
    char *text = read_kernel_text(kernels[k], &size);
    ptx_module_t *m = ptx_parse(text, size, kernels[k], &err);
    assert_non_null(m);
    if (8 * m->address_bytes != bits[k])
      fail_msg("%s: %u bits in the list, %u in the module", kernels[k], bits[k], 8 * m->address_bytes);
    ptx_free(m);
    free(text);
  }
}

/* Each kernel cut off at each byte (at each 61st of a long one). */
static void test_prefixes(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
    size_t size;
    char *text = read_kernel_text(kernels[k], &size);
    const size_t step = size > 32768 ? 61 : 1; /* as the time goes with the square of the size */
    for (size_t n = 0; n < size; n += step) {
      char *cut = malloc(n + 1); /* exactly as long, so that reading past it is seen */
      assert_non_null(cut);
      memcpy(cut, text, n);
      check_outcome(cut, n);
      free(cut);
    }
    free(text);
  }
}

/* 3000 kernels with one to three changes: a random byte, or a piece of syntax in a wrong place. */
static void test_random_changes(void **state) {
  (void)state;
  static const char *const bits[] = {
      "{", "}", "[", "]",  ";",     ",",     "@",   "!",  ".",  "%r1", "<<", "0x", "-",
      "(", ")", "|", "+4", "%r1+4", "[%r2]", "bra", "\"", "/*", ".v4", "_",  ":",  "99999999999999999999"};
  uint64_t seed = 1;
  for (unsigned round = 0; round < 3000; round++) {
    size_t size;
    char *text = read_kernel_text(kernels[test_random(&seed) % 8], &size);
    for (unsigned change = 0; change <= test_random(&seed) % 3; change++) {
      size_t at = test_random(&seed) % size;
      const char *bit = bits[test_random(&seed) % (sizeof bits / sizeof *bits)];
      if (test_random(&seed) % 4 == 0) text[at] = (char)test_random(&seed);
      else if (at + strlen(bit) <= size) memcpy(text + at, bit, strlen(bit));
    }
    check_outcome(text, size);
    free(text);
  }
}

/* ---- Styles ---------------------------------------------------------------------------------- */

/* nvopencc, PTX 1.4: 32-bit addresses, 16-bit special
 * registers, .loc without an end, labels with $. */
static void test_nvopencc(void **state) {
  (void)state;
  ptx_module_t *m =
      parse_text("\t.version 1.4\n\t.target sm_10, map_f64_to_f32\n"
                 "\t.file\t1\t\"<command-line>\"\n\t.file\t2\t\"vadd.cudafe2.gpu\"\n"
                 "@@DWARF .section .debug_info, \"\",@progbits\n@@DWARF .byte 0x1, ((2\n"
                 "\t.entry _Z4vaddPf (\n\t\t.param .u32 __cudaparm__Z4vaddPf_a)\n\t{\n"
                 "\t.reg .u16 %rh<4>;\n\t.reg .u32 %r<9>;\n\t.reg .f32 %f<4>;\n\t.reg .pred %p<3>;\n"
                 "\t.loc\t14\t5\t0\n$LBB1__Z4vaddPf:\n"
                 "\tmov.u16 \t%rh1, %ctaid.x;\n\tmov.u16 \t%rh2, %ntid.x;\n\tmul.wide.u16 \t%r1, %rh1, %rh2;\n"
                 "\tcvt.u32.u16 \t%r2, %tid.x;\n\tadd.u32 \t%r3, %r2, %r1;\n"
                 "\tld.param.u32 \t%r4, [__cudaparm__Z4vaddPf_a];\n"
                 "\tmad24.lo.u32 \t%r5, %r3, 4, %r4;\n\tld.global.f32 \t%f1, [%r5+0];\n"
                 "\tmad.f32 \t%f2, %f1, %f1, %f1;\n\tst.global.f32 \t[%r5+-4], %f2;\n"
                 "\texit;\n$LDWend__Z4vaddPf:\n\t} // _Z4vaddPf\n");
  const ptx_func_t *k = ptx_find_kernel(m, NULL);
  assert_int_equal(m->version_major * 10 + m->version_minor, 14);
  assert_int_equal(m->address_bytes, 4);
  assert_int_equal(k->num_instrs, 12); /* the label at the end needs a ret of its own */
  assert_true(k->instrs[11].implicit);
  assert_int_equal(k->instrs[9].operand[0].imm, -4);
  assert_int_equal(k->instrs[3].operand[1].kind, PTX_OPND_SREG);
  ptx_free(m);
}

/* nvcc of today: $L__BB labels, scopes with registers and
 * labels of their own, calls, switch tables, attributes. */
static void test_nvcc(void **state) {
  (void)state;
  ptx_module_t *m = parse_text(
      ".version 9.1\n.target sm_75, debug\n.address_size 64\n"
      ".extern .func (.param .b32 func_retval0) vprintf (.param .b64 vprintf_param_0, .param .b64 vprintf_param_1);\n"
      ".func (.param .align 4 .b8 r[8]) twice(.param .b32 twice_param_0) .noreturn ;\n"
      ".global .align 4 .u32 counter = 5;\n.global .align 8 .u64 where = generic(counter);\n"
      ".const .align 4 .b8 table[16] = {0, 0, 128, 63, 0, 0, 0, 64};\n"
      ".extern .shared .align 16 .b8 smem[];\n"
      ".global .align 1 .b8 $str[7] = {104, 105, 32, 37, 100, 10};\n"
      ".visible .entry k(.param .u64 .ptr .global .align 4 k_param_0, .param .align 8 .b8 k_param_1[32])\n"
      ".maxntid 128, 1, 1\n.minnctapersm 2\n{\n"
      "\t.pragma \"nounroll\";\n\t.local .align 8 .b8 __local_depot0[8];\n\t.reg .b64 %SP;\n\t.reg .pred %p<4>;\n"
      "\t.reg .b32 %r<20>;\n\t.reg .b64 %rd<6>;\n\t.reg .f32 %f<9>;\n\t.shared .align 4 .b8 q[132];\n"
      "\t.loc 1 5 3\n\t.loc 1 6 1, function_name $L__info_string0, inlined_at 1 5 3\n"
      "\tmov.u64 %SP, __local_depot0;\n\tld.param.u64 %rd1, [k_param_0];\n\tld.param.f64 %rd2, [k_param_1+8];\n"
      "\tmov.u32 %r1, %tid.x;\n\tsetp.ge.and.s32 %p1|%p2, %r1, 0, !%p3;\n\t@!%p1 bra $L__BB0_2;\n"
      "\tld.global.nc.v4.f32 {%f1, %f2, _, %f4}, [%rd1+16];\n"
      "\t{ .reg .pred p; .reg .b32 %r1; LOOP: mov.u32 %r1, 1; setp.eq.u32 p, %r1, 2; @p bra LOOP; }\n"
      "\t{ .reg .pred p; LOOP: setp.eq.u32 p, %r1, 2; @p bra LOOP; }\n"
      "\tatom.global.add.u32 %r2, [counter], 1;\n\tshfl.sync.bfly.b32 %r3|%p1, %r2, 1, 31, -1;\n"
      "\t{\n\t.param .b64 param0;\n\tst.param.b64 [param0+0], %rd1;\n\t.param .b32 retval0;\n"
      "\tcall.uni (retval0), vprintf, (param0, param0);\n\tld.param.b32 %r4, [retval0+0];\n\t}\n"
      "\tbrx.idx %r4, $L_brx_0;\n$L_brx_0: .branchtargets $L__BB0_2, $L__BB0_3, $L__BB0_2;\n"
      "$L__BB0_2:\n\tst.shared.u32 [smem+4], %r4;\n\tbar.sync 0;\n"
      "$L__BB0_3:\n\tst.shared.u32 [q], %r4;\n\tret;\n\n}\n"
      ".section .debug_abbrev\n{\n.b8 1,2\n.b32 .debug_str+4\n.b64 $L__info_string0\n$L__info_string0:\n}\n");
  const ptx_func_t *k = ptx_find_kernel(m, "k");
  assert_non_null(k);
  assert_int_equal(k->maxntid[0], 128);
  assert_int_equal(k->minnctapersm, 2);
  assert_int_equal(k->param_bytes, 40);
  assert_int_equal(m->vars[k->params[0]].ptr_space, PTX_SPACE_GLOBAL);
  assert_int_equal(k->shared_bytes, 132);
  for (uint32_t v = 0; v < m->num_vars; v++) {
    if (strcmp(m->vars[v].name, "smem") == 0) assert_int_equal(ptx_shared_offset(k, (int32_t)v), 144);
    if (strcmp(m->vars[v].name, "q") == 0) assert_int_equal(ptx_shared_offset(k, (int32_t)v), 0);
    if (strcmp(m->vars[v].name, "where") == 0) {
      assert_int_equal(m->vars[v].num_relocs, 1);
      assert_true(m->vars[v].relocs[0].generic);
      assert_string_equal(m->vars[m->vars[v].relocs[0].var].name, "counter");
    }
    if (strcmp(m->vars[v].name, "table") == 0) assert_memory_equal(m->vars[v].init, "\0\0\x80\x3f\0\0\0\x40\0", 9);
  }
  const ptx_instr_t *vec = &k->instrs[6], *brx = NULL;
  assert_int_equal(vec->vec, 4);
  assert_true(ptx_has(vec, PTX_MOD_nc));
  assert_int_equal(ptx_access_bytes(vec), 16);
  assert_int_equal(k->elements[vec->operand[0].first + 2].kind, PTX_OPND_SINK);
  assert_int_not_equal(k->instrs[7].operand[0].index, k->instrs[3].operand[0].index); /* the inner %r1 is another one */
  assert_int_equal(k->instrs[9].target, 7);
  assert_int_equal(k->instrs[11].target, 10);
  for (uint32_t i = 0; i < k->num_instrs; i++)
    if (k->instrs[i].op == PTX_OP_brx) brx = &k->instrs[i];
  assert_non_null(brx);
  assert_int_equal(k->tables[brx->operand[1].index].count, 3);
  assert_int_equal(k->blocks[brx->block].num_succs, 2);
  ptx_free(m);
}

/* Each way to write a constant, and expressions of constants, with the bits that the PTX manual
 * gives. */
static void test_numbers(void **state) {
  (void)state;
  ptx_module_t *m = parse_text(BODY(
      ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>;",
      "mov.u32 %r1, 0x7fU; mov.u32 %r1, 017; mov.u32 %r1, 0b101; mov.s32 %r1, -5; mov.u32 %r1, (1 << 4) + 3 * -2;\n"
      "mov.f32 %f1, 0f3F800000; mov.f32 %f1, 1.5; mov.f64 %d1, 0d3FF8000000000000; mov.f64 %d1, -2.5e-1; mov.f32 %f1, "
      "-0f3F800000;\n"
      "mov.u64 %d1, 0xffffffffffffffff; mov.u32 %r1, WARP_SZ; ret;"));
  const ptx_instr_t *in = ptx_find_kernel(m, NULL)->instrs;
  const int64_t want[] = {
      0x7f, 15, 5, -5, 10, 0x3f800000, 0x3fc00000, 0x3ff8000000000000, (int64_t)0xbfd0000000000000, 0xbf800000, -1, 32};
  for (unsigned i = 0; i < sizeof want / sizeof *want; i++) assert_true(in[i].operand[1].imm == want[i]);
  ptx_free(m);
}

/* Initial values of variables: missing ones are 0, addresses become relocations. */
static void test_initialisers(void **state) {
  (void)state;
  ptx_module_t *m =
      parse_text(HEAD ".global .f32 f = 1.5; .global .s32 a[2][3] = {{1, 2}, {4}}; .global .u16 u[] = {1, 2, 3};\n"
                      ".global .v2 .f32 v = {0f3f800000, 2}; .global .u64 p = a + 4; .const .f64 d = -0.5;");
  const ptx_var_t *v = m->vars;
  const int32_t rows[] = {1, 2, 0, 4, 0, 0};
  const double half = -0.5;
  assert_memory_equal(v[0].init, "\0\0\xc0\x3f", 4);
  assert_memory_equal(v[1].init, rows, sizeof rows);
  assert_int_equal(v[2].size, 6);
  assert_int_equal(v[3].align, 8);
  assert_memory_equal(v[3].init, "\0\0\x80\x3f\0\0\0\x40", 8);
  assert_true(v[4].relocs[0].var == 1 && v[4].relocs[0].addend == 4);
  assert_memory_equal(v[5].init, &half, 8);
  assert_int_equal(v[4].offset % 8, 0);
  assert_int_equal(m->const_bytes, 8);
  ptx_free(m);
  m = parse_text(HEAD ".global .u32 b[3]; .global .u64 t[4] = {generic(b), generic(b)+4, generic(b)-8, b+12};");
  static const struct {
    bool generic;
    int64_t addend;
  } wanted[] = {{true, 0}, {true, 4}, {true, -8}, {false, 12}};
  assert_int_equal(m->vars[1].num_relocs, 4);
  for (unsigned i = 0; i < 4; i++) {
    const ptx_reloc_t *r = &m->vars[1].relocs[i];
    assert_true(r->at == 8 * i && r->var == 0 && r->generic == wanted[i].generic && r->addend == wanted[i].addend);
  }
  ptx_free(m);
  m = parse_text(
      HEAD
      ".global .samplerref s = {addr_mode_0 = mirror, filter_mode = linear, addr_mode_2 = clamp_to_border}; .global "
      ".samplerref t;\n"
      ".global .samplerref u = {force_unnormalized_coords = 1}, w = {};");
  const ptx_sampler_t *s = m->vars[0].sampler, *u = m->vars[2].sampler;
  assert_true(s->address[0] == PTX_MIRROR && s->address[1] == PTX_WRAP && s->address[2] == PTX_CLAMP_TO_BORDER &&
              s->linear && !s->unnormalized);
  assert_true(!m->vars[1].sampler && !u->linear && u->unnormalized && m->vars[3].sampler);
  ptx_free(m);
}

/* ---- Control flow ---------------------------------------------------------------------------- */

/* Where the threads of a branch meet again is its immediate postdominator; 9 is the kernel's
 * end. */
static void test_reconvergence(void **state) {
  (void)state;
  ptx_module_t *m = parse_text(BODY(".reg .pred %p<4>; .reg .b32 %r<9>;",
                                    "@%p1 bra ELSE;\n"             /* 0: meets at JOIN */
                                    "@%p2 exit;\n"                 /* 1: no edge */
                                    "bra JOIN;\n"                  /* 2 */
                                    "ELSE: mov.u32 %r1, 1;\n"      /* 3 */
                                    "JOIN: add.u32 %r1, %r1, 1;\n" /* 4 */
                                    "@%p3 bra JOIN;\n"             /* 5: the loop's threads meet behind it */
                                    "@%p1 bra OUT;\n"              /* 6: never meet again */
                                    "ret;\n"                       /* 7 */
                                    "OUT: exit;"));                /* 8 */
  const ptx_func_t *k = ptx_find_kernel(m, NULL);
  assert_int_equal(k->num_instrs, 9);
  assert_int_equal(k->instrs[0].reconv, 4);
  assert_int_equal(k->instrs[5].target, 4);
  assert_int_equal(k->instrs[5].reconv, 6);
  assert_int_equal(k->instrs[6].reconv, 9);
  ptx_free(m);
}

/* The register lives before instruction i. */
static bool is_alive(const ptx_func_t *k, uint32_t i, const char *name) {
  uint64_t set[8];
  assert_true(k->live_words <= 8);
  ptx_live_before(k, i, set);
  for (uint32_t r = 0; r < k->num_regs; r++)
    if (strcmp(k->regs[r].name, name) == 0) return set[r / 64] >> (r % 64) & 1;
  fail();
  return false;
}

/* Which registers live before each instruction of a loop, worked out by hand from the numbered
 * lines. */
static void test_liveness(void **state) {
  (void)state;
  ptx_module_t *m = parse_text(BODY(".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %d<9>;",
                                    "ld.param.u64 %d1, [k_a];\n"              /* 0 */
                                    "mov.u32 %r1, 0;\n"                       /* 1 */
                                    "L: ld.global.u32 %r2, [%d1];\n"          /* 2 */
                                    "add.u32 %r1, %r1, %r2;\n"                /* 3 */
                                    "setp.lt.u32 %p1, %r1, 9;\n"              /* 4 */
                                    "@%p1 mov.u32 %r3, 7;\n"                  /* 5: leaves %r3 alone in some threads */
                                    "@%p1 bra L;\n"                           /* 6 */
                                    "st.global.v2.u32 [%d1+8], {%r1, %r3};\n" /* 7 */
                                    "ret;"));
  const ptx_func_t *k = ptx_find_kernel(m, NULL);
  assert_false(is_alive(k, 0, "%d1"));
  assert_true(is_alive(k, 2, "%d1") && is_alive(k, 2, "%r1") && !is_alive(k, 2, "%r2"));
  assert_true(is_alive(k, 3, "%r2") && !is_alive(k, 4, "%r2"));
  assert_true(is_alive(k, 5, "%p1") && is_alive(k, 5, "%r3") && is_alive(k, 0, "%r3"));
  assert_true(is_alive(k, 7, "%r1") && !is_alive(k, 8, "%r1"));
  int32_t regs[4];
  assert_int_equal(ptx_defs(k, &k->instrs[7], regs, 4), 0);
  assert_int_equal(ptx_uses(k, &k->instrs[7], regs, 4), 3);
  ptx_free(m);
}

/* ---- Errors ---------------------------------------------------------------------------------- */

/* One row for each refusal, with file, line and column where they are not obvious. */
static void test_refused_modules(void **state) {
  (void)state;
  static const struct {
    const char *text, *want;
  } cases[] = {
      {"", "t.ptx:1:1: file without .version"},
      {"mov", "t.ptx:1:1: 'mov' before .version"},
      {".version 12.0\n.target sm_35", "t.ptx:1:10: .version 12.0 is not one"},
      {".version 9.2\n.target sm_35", "t.ptx:1:10: .version 9.2 is not one this reader knows; it reads 1.0 to 9.1"},
      {".version 39999999999999.2\n.target sm_35", "t.ptx:1:10: .version 39999999999999.2 is not one"},
      {".version 6.0\n.global .u32 x;", "t.ptx:2:1: '.global' before .target"},
      {HEAD ".entry k() { adx.s32 }", "t.ptx:4:14: unknown opcode 'adx'; did you mean 'add'?"},
      {HEAD ".entry k() { frobnicate.s32 }", "t.ptx:4:14: unknown opcode 'frobnicate'"},
      {BODY(".reg .b32 %r<3>;", "add.s32 %r1, %r2;"), "t.ptx:7:1: add.s32 has 2 operands; it takes 3"},
      {BODY(".reg .b32 %r<3>;", "add.s33 %r1, %r2, 1;"), "t.ptx:7:4: add does not take modifier '.s33'"},
      {BODY(".reg .b32 %r<3>;", "add %r1, %r2, 1;"), "t.ptx:7:1: add without a type"},
      {BODY(".reg .b32 %r<3>;", "add.s32 %r1, %r3, 1;"), "t.ptx:7:14: '%r3' is not declared"},
      {BODY(".reg .b32 %r<3>;", "add.s32 5, %r1, 1;"), "t.ptx:7:1: first operand of add.s32 is its result"},
      {BODY(".reg .b32 %r<3>; .reg .b64 %rd<3>;", "add.s32 %r1, %rd1, 1;"),
       "operand 2 of add.s32 is '%rd1', a .b64 register"},
      {BODY(".reg .b32 %r<3>;", "ld.global.u32 %r1, %r2;"), "operand 2 of ld.global.u32 must be an address"},
      {BODY(".reg .b32 %r<3>; .reg .b64 %rd<3>;", "ld.global.v2.u32 %r1, [%rd1];"),
       "moves 2 elements, its operand has 1"},
      {BODY(".reg .b32 %r<3>;", "@%r1 ret;"), "t.ptx:7:1: a guard must be a .pred register"},
      {BODY(".reg .b32 %r<3>;", "bra NOWHERE;"), "t.ptx:7:5: label 'NOWHERE' is not declared in this function"},
      {BODY(".reg .b32 %r<3>;", "LOOP: bra LOP;"), "did you mean 'LOOP'?"},
      {BODY(".reg .b32 %r<3>;", "L: L: ret;"), "t.ptx:7:4: 'L' is declared twice"},
      {BODY(".reg .b32 %r<3>;", "mul.s32 %r1, %r2, 3;"), "mul.s32 of integers needs .lo, .hi or .wide"},
      {BODY(".reg .f32 %f<3>;", "fma.f32 %f1, %f2, %f2, %f2;"), "fma.f32 needs a rounding"},
      {BODY(".reg .b32 %r<3>;", "mov.u32 %r1, %tid;"), "'%tid' needs a component"},
      {BODY(".reg .b32 %r<3>;", "mov.u32 %r1, 0x1ffffffffffffffff;"), "does not fit in 64 bits"},
      {BODY(".reg .f32 %f<3>;", "mov.f32 %f1, 0f3f80;"), "write exactly 8 hexadecimal digits"},
      {BODY(".reg .b32 %r<3>;", "mov.u32 %r1, (1 / 0);"), "division by zero"},
      {BODY(".reg .b32 %r<3>;", "mov.u32 %r1, `;"), "character '`' has no meaning"},
      {BODY(".reg .b32 %r<3>;", "call (%r1), missing, (%r2);"), "'missing' is not declared"},
      {BODY("", "/* open"), "comment that does not end"},
      {HEAD ".entry k() {", "'{' that is not closed"},
      {HEAD ".global .u32 a[2] = {1, 2, 3};", "longer than 'a', which has 8 bytes"},
      {HEAD ".global .u32 a[]; ", "'a' has no size"},
      {HEAD ".global .u32 b[2]; .global .u64 p = generic(b+4);",
       "'+' where ')' should stand after generic(symbol; an offset"},
      {HEAD ".global .align 3 .u32 a;", "alignment 3 is not a power of two"},
      {HEAD ".global .samplerref s = {addr_mode_0 = clamp};", "'clamp' is not an address mode: wrap, mirror"},
      {HEAD ".global .samplerref s = {addr_mode_3 = wrap};", "'addr_mode_3' is not a field of a sampler: addr_mode_0"},
      {HEAD ".global .samplerref s = {filter_mode = nearest addr_mode_0 = wrap};", "between fields of a sampler"},
      {HEAD ".global .samplerref s = 1;", "before what a sampler is"},
      {HEAD ".shared .u32 a = 1;", ".shared variables have no initialiser"},
      {HEAD ".global .b8 a[1] = {1}; .global .b8 b[1073741824] = {1};",
       "initialised variables of more than 1073741824 bytes"},
      {HEAD ".global .u32 a; .global .u32 a;", "'a' is declared twice"},
      {HEAD ".entry k() { ret; } .entry k() { ret; }", "has a body already"},
      {HEAD ".frob 3", "t.ptx:4:1: '.frob' at the top of a module"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) expect_error(cases[i].text, cases[i].want);
}

/* A zero byte, a file that does not exist, and a directory are refused. */
static void test_nul_and_files(void **state) {
  (void)state;
  ptx_error_t err;
  assert_null(ptx_parse(HEAD "\0", sizeof HEAD, "t.ptx", &err));
  assert_non_null(strstr(err.trouble.text, "t.ptx:4:1: byte 0x00"));
  assert_null(ptx_read("/nonexistent/x.ptx", &err));
  assert_int_equal(err.trouble.kind, 2);
  assert_non_null(strstr(err.trouble.text, "/nonexistent/x.ptx: No such file"));
  assert_null(ptx_read("/", &err));
  assert_int_equal(err.trouble.kind, 2);
}

/* Deep nesting is refused before it can use up the stack. */
static void test_nesting(void **state) {
  (void)state;
  enum { DEEP = 100000 };
  static const struct {
    const char *head;
    char open;
  } cases[] = {{HEAD ".entry k() {", '{'},
               {HEAD ".global .u64 x = ", '('},
               {HEAD ".global .u64 x[2] = ", '{'},
               {BODY(".reg .b32 %r<3>;", "mov.u32 %r1, "), '{'},
               {HEAD ".global .u64 x = ", '~'}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t n = strlen(cases[i].head);
    char *text = malloc(n + DEEP);
    assert_non_null(text);
    if (strstr(cases[i].head, "mov")) n = (size_t)(strstr(cases[i].head, "mov") - cases[i].head) + 13;
    memcpy(text, cases[i].head, n);
    memset(text + n, cases[i].open, DEEP);
    ptx_error_t err;
    assert_null(ptx_parse(text, n + DEEP, "t.ptx", &err));
    assert_non_null(strstr(err.trouble.text, "deep"));
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_vadd),
      cmocka_unit_test(test_pointers),
      cmocka_unit_test(test_prefixes),
      cmocka_unit_test(test_random_changes),
      cmocka_unit_test(test_nvopencc),
      cmocka_unit_test(test_nvcc),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_initialisers),
      cmocka_unit_test(test_refused_modules),
      cmocka_unit_test(test_reconvergence),
      cmocka_unit_test(test_liveness),
      cmocka_unit_test(test_nesting),
      cmocka_unit_test(test_nul_and_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
