/* SPDX-License-Identifier: Apache-2.0
 *
 * The decisions of the NSU's offload compiler: the sizes of the blocks in Table 1 of the NSU paper,
 * and each rule of firmware/compilers/offload/README.md on a body made for it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nsu_isa.h"
#include "offload.h"
#include "offload_internal.h"
#include "unit_test.h"

typedef struct {
  ptx_module_t *module;
  offload_t *offload;
} compiled_t;

/* Parses and compiles a module; the caller frees both. */
static compiled_t compile_text(const char *text) {
  ptx_error_t err;
  compiled_t c = {.module = ptx_parse(text, strlen(text), "t.ptx", &err)};
  if (!c.module) print_message("%s\n", err.trouble.text);
  assert_non_null(c.module);
  c.offload = offload_compile(c.module);
  assert_non_null(c.offload);
  return c;
}

/* A kernel whose body is one basic block after the label L. It has pointers %d1 (k_a) and %d2
 * (k_b) and the thread's number in %r0. */
static compiled_t compile_body(const char *code) {
  static char text[100000];
  snprintf(text, sizeof text,
           ".version 6.0\n.target sm_35\n.address_size 64\n.const .f32 cst[4] = {0, 1, 2, 3};\n"
           ".shared .u32 sh;\n"
           ".visible .entry k(.param .u64 k_a, .param .u64 k_b, .param .f32 k_f, .param .u32 k_n)\n{\n"
           ".reg .pred %%p<9>; .reg .b16 %%h<9>; .reg .b32 %%r<200>; .reg .f32 %%f<200>; .reg .b64 %%d<200>; .reg .f64 "
           "%%g<9>;\n"
           "ld.param.u64 %%d1, [k_a];\nld.param.u64 %%d2, [k_b];\nmov.u32 %%r0, %%tid.x;\nbra L;\nL:\n%s\nret;\n"
           "}\n",
           code);
  return compile_text(text);
}

/* Frees what compile_text() made. */
static void free_compiled(compiled_t *c) {
  offload_free(c->offload);
  ptx_free(c->module);
}

/* "4" or "3 1i": counts of a kernel's blocks, i for an indirect load. */
static void counts_of(const offload_kernel_t *k, char *text) {
  *text = 0;
  for (uint32_t b = 0; b < k->num_blocks; b++)
    sprintf(text + strlen(text), "%s%u%s", b ? " " : "", k->blocks[b].count, k->blocks[b].indirect ? "i" : "");
}

/* The kernel's blocks have these counts of instructions. */
static void expect_counts(const char *code, const char *want) {
  compiled_t c = compile_body(code);
  char got[256];
  counts_of(&c.offload->kernels[0], got);
  if (strcmp(got, want) != 0) print_message("blocks '%s', want '%s', of:\n%s\n", got, want, code);
  assert_string_equal(got, want);
  free_compiled(&c);
}

/* ---- Table 1 --------------------------------------------------------------------------------- */

/* The blocks of our kernels by their counts. firmware/compilers/offload/README.md puts the
 * paper's Table 1 beside them and says why some differ. */
static void test_table1(void **state) {
  (void)state;
  static const struct {
    const char *file, *kernel, *counts; /* i: an indirect load */
  } rows[] = {{"vadd", "vadd", "4"},
              {"sp", "sp", "3"},
              {"kmn", "kmn", "3"},
              {"minife", "minife", "3"},
              {"bicg", "bicg_s", "4"},
              {"bicg", "bicg_q", "4"},
              {"fwt", "fwt4", "16"},
              {"fwt", "fwt_part", ""},
              {"fwt", "fwt_modulate", "5"},
              {"stn", "stn", "16"},
              {"bfs", "bfs_visit", "3 1i 1i 3"},
              {"bfs", "bfs_advance", ""},
              {"stcl", "stcl", "5 1i 3"},
              {"csr", "csr", "1i 3"},
              {"saxpy", "saxpy", "4"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char path[512], got[256];
    ptx_error_t err;
    snprintf(path, sizeof path, "%s/firmware/workloads/kernels/%s/%s.ptx", LOCKSTACK_SOURCE_DIR, rows[i].file,
             rows[i].file);
    ptx_module_t *m = ptx_read(path, &err);
    assert_non_null(m);
    offload_t *o = offload_compile(m);
    assert_non_null(o);
    const offload_kernel_t *k = offload_find(o, ptx_find_kernel(m, rows[i].kernel));
    assert_non_null(k);
    counts_of(k, got);
    assert_string_equal(got, rows[i].counts);
    offload_free(o);
    ptx_free(m);
  }
}

/* ---- Rules ----------------------------------------------------------------------------------- */

/* A thread loads and stores four words, 16 bytes. The running sum is sent and returned, and its
 * 4 bytes count once. */
static void test_score(void **state) {
  (void)state;
  compiled_t c = compile_body("ld.global.f32 %f1, [%d1]; ld.global.f32 %f2, [%d2]; fma.rn.f32 %f3, %f1, %f2, %f3; "
                              "st.global.f32 [%d1], %f3; st.global.f32 [%d2+4], %f3;\n"
                              "setp.lt.u32 %p1, %r0, 9; @%p1 bra L;");
  const offload_kernel_t *k = &c.offload->kernels[0];
  assert_int_equal(k->num_blocks, 1);
  const offload_block_t *b = &k->blocks[0];
  assert_int_equal(b->reduction, 16);
  assert_int_equal(b->overhead, 4); /* the running sum, once */
  assert_int_equal(b->score, 12);
  assert_int_equal(b->num_sent, 1);
  assert_int_equal(b->num_returned, 1);
  assert_int_equal(b->sent[0].reg, b->returned[0].reg);
  assert_int_equal(b->seq[b->last - b->first], 3);
  assert_int_equal(k->block_at[b->first], 0);
  assert_int_equal(k->block_at[b->last + 1], -1);
  free_compiled(&c);
}

/* A block that saves nothing is none: one load for a branch, or one that goes to shared memory. */
static void test_no_gain(void **state) {
  (void)state;
  expect_counts("ld.global.f32 %f1, [%d1]; add.f32 %f2, %f1, %f2; setp.lt.f32 %p1, %f2, 0f41200000; @%p1 bra L;", "");
  expect_counts("ld.global.u32 %r1, [%d1]; st.shared.u32 [sh], %r1;", "");
}

/* What the NSU has no instruction for stays with the
 * GPU, and so do accesses with a cache policy. */
static void test_not_of_nsu(void **state) {
  (void)state;
  expect_counts("ld.global.u32 %r1, [%d1]; ld.global.u32 %r2, [%d2]; add.u32 %r3, %r1, %r2; st.global.u32 [%d1], %r3;",
                "4");
  expect_counts(
      "ld.global.u32 %r1, [%d1]; ld.global.u32 %r2, [%d2]; vadd.u32.u32.u32 %r3, %r1.b0, %r2; st.global.u32 [%d1], "
      "%r3;",
      "");
  expect_counts(
      "ld.global.u32 %r1, [%d1]; ld.global.u32 %r2, [%d2]; vadd4.u32.u32.u32 %r3, %r1, %r2, %r1; st.global.u32 [%d1], "
      "%r3;",
      "");
  expect_counts(
      "ld.global.u32 %r1, [%d1]; ld.global.u32 %r2, [%d2]; set.lt.u32.f16x2 %r3, %r1, %r2; st.global.u32 [%d1], %r3;",
      "");
  expect_counts(
      "ld.global.f32 %f1, [%d1]; ld.global.f32 %f2, [%d2]; cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2; st.global.u16 "
      "[%d1], %h1;",
      "");
  expect_counts(
      "ld.global.L2::cache_hint.u32 %r1, [%d1], %d2; ld.global.u32 %r2, [%d2]; add.u32 %r3, %r1, %r2; st.global.u32 "
      "[%d1], %r3;",
      "3");
  expect_counts(
      "ld.global.u32 %r1, [%d1]; ld.global.u32 %r2, [%d2]; add.u32 %r3, %r1, %r2; st.global.L2::cache_hint.u32 [%d1], "
      "%r3, %d2;",
      "3"); /* without the store */
}

/* An address in the midst of a block is the GPU's work, whatever computes
 * it from registers; from another thread's it ends the block. */
static void test_addresses_of_gpu(void **state) {
  (void)state;
#define BETWEEN(computes)                                                                                              \
  "ld.global.u32 %r1, [%d1]; " computes " mad.wide.u32 %d3, %r4, 4, %d2; ld.global.u32 %r2, [%d3]; add.u32 %r3, %r1, " \
  "%r2; st.global.u32 [%d1], %r3;"
  expect_counts(BETWEEN("add.u32 %r4, %r0, 3;"), "4");
  expect_counts(BETWEEN("vabsdiff.u32.u32.u32 %r4, %r0, 3;"), "4");
  expect_counts(BETWEEN("fns.b32 %r4, %r0, 0, 3;"), "4");
  expect_counts(BETWEEN("isspacep.global %p1, %d1; selp.u32 %r4, 1, 2, %p1;"), "4");
  expect_counts(BETWEEN("shfl.sync.idx.b32 %r4, %r0, 3, 31, -1;"), "3");
#undef BETWEEN
}

/* "2>4:0:8": loads that may read what a store wrote,
 * with the pointers' places in the parameter block. */
static void expect_pairs(const char *code, const char *want) {
  compiled_t c = compile_body(code);
  char got[256] = "";
  assert_int_equal(c.offload->kernels[0].num_blocks, 1);
  const offload_block_t *b = &c.offload->kernels[0].blocks[0];
  for (uint32_t p = 0; p < b->num_pairs; p++)
    sprintf(got + strlen(got), "%s%u>%u:%d:%d", p ? " " : "", b->pairs[p].store, b->pairs[p].load,
            b->pairs[p].store_param, b->pairs[p].load_param);
  if (strcmp(got, want) != 0) print_message("pairs '%s', want '%s', of:\n%s\n", got, want, code);
  assert_string_equal(got, want);
  free_compiled(&c);
}

/* A load behind a store: the same bytes for certain make two blocks, perhaps the same bytes make
 * a pair that the GPU compares, and certainly different bytes make nothing. */
static void test_aliases(void **state) {
  (void)state;
#define COPY2(second) \
  "ld.global.u32 %r1, [%d1]; st.global.u32 [%d2], %r1; " second " %r2, [%d1+4]; st.global.u32 [%d2+4], %r2;"
  expect_counts(COPY2("ld.global.u32"), "4"); /* k_a and k_b may be one buffer: the GPU finds out */
  expect_pairs(COPY2("ld.global.u32"), "1>2:8:0");
  expect_pairs(COPY2("ld.global.nc.u32"), ""); /* nothing writes it while the kernel runs */
  /* What one thread reads, a neighbour may have written. */
  expect_pairs(
      "ld.global.u32 %r1, [%d1]; st.global.u32 [%d1], %r1; ld.global.u32 %r2, [%d1+4]; st.global.u32 [%d1+4], %r2;",
      "1>2:0:0");
  /* For certain the same bytes, or some of them: two blocks. */
  expect_counts(
      "ld.global.u32 %r1, [%d1]; st.global.u32 [%d1+2], %r1; ld.global.u32 %r2, [%d1+4]; st.global.u32 [%d1+8], %r2;",
      "2 2");
  expect_counts("add.s64 %d3, %d1, 64; ld.global.u32 %r1, [%d3]; st.global.u32 [%d3], %r1; ld.global.u32 %r2, "
                "[%d1+64]; st.global.u32 [%d1], %r2;",
                "2 2");
  expect_counts("add.s64 %d3, %d1, 64; ld.global.u32 %r1, [%d3]; st.global.u32 [%d3], %r1; ld.global.u32 %r2, "
                "[%d1+60]; st.global.u32 [%d1], %r2;",
                "4");
  /* A guard may keep them apart. */
  expect_pairs(
      "setp.eq.u32 %p1, %r0, 3; bra M; M: ld.global.u32 %r1, [%d1]; @%p1 st.global.u32 [%d1], %r1; ld.global.u32 %r2, "
      "[%d1]; "
      "st.global.u32 [%d1+4], %r2;",
      "1>2:0:0");
  /* one base register with two values */
  expect_pairs("ld.global.u32 %r1, [%d1]; st.global.u32 [%d1], %r1; add.s64 %d1, %d1, 8; ld.global.u32 %r2, "
               "[%d1]; st.global.u32 [%d1+4], %r2;",
               "1>3:0:0");
  /* An address that a clock or a constant in a register has
   * part in cannot be found out before the block begins. */
#define BEHIND(op)                                          \
  "ld.global.u32 %r1, [%d1]; st.global.u32 [%d2], %r1; " op \
  " add.s64 %d9, %d1, %d8; ld.global.u32 %r2, [%d9]; st.global.u32 [%d2+4], %r2;"
  expect_counts(BEHIND("mov.u64 %d8, %clock64;"), "2 2");
  expect_counts(BEHIND("ld.const.u32 %r3, [%r0]; cvt.u64.u32 %d8, %r3;"), "2 2");
  expect_counts(BEHIND("ld.param.u32 %r3, [k_n]; cvt.u64.u32 %d8, %r3;"), "4");
}

/* Which parameter's buffer an address is in. */
static void test_pointers(void **state) {
  (void)state;
#define TO(code)                                                                                                   \
  code " bra M; M: ld.global.u32 %r1, [%d1]; st.global.u32 [%d9], %r1; ld.global.u32 %r2, [%d1+4]; st.global.u32 " \
       "[%d9+4], %r2;"
  expect_pairs(TO("mov.u64 %d9, %d2;"), "1>2:8:0");
  expect_pairs(TO("cvta.to.global.u64 %d3, %d2; mul.wide.u32 %d4, %r0, 4; add.s64 %d9, %d4, %d3;"), "1>2:8:0");
  expect_pairs(TO("mad.wide.u32 %d9, %r0, 4, %d2;"), "1>2:8:0");
  expect_pairs(TO("cvt.u64.u32 %d4, %r0; sub.s64 %d9, %d2, %d4;"), "1>2:8:0");
  /* an index from memory */
  expect_pairs(TO("ld.global.s32 %d4, [%d1]; shl.b64 %d4, %d4, 2; add.s64 %d9, %d2, %d4;"), "1>2:8:0");
  /* a loop's pointer */
  expect_pairs(TO("mov.u64 %d9, %d2; bra N; N: add.s64 %d9, %d9, 4; setp.lt.u32 %p1, %r0, 7; @%p1 bra N;"), "1>2:8:0");
  expect_pairs(TO("setp.lt.u32 %p1, %r0, 7; selp.b64 %d9, %d2, %d2, %p1;"), "1>2:8:0");
  /* of unknown make */
  expect_pairs(TO("setp.lt.u32 %p1, %r0, 7; selp.b64 %d9, %d1, %d2, %p1;"), "1>2:-1:0");
  expect_pairs(TO("setp.lt.u32 %p1, %r0, 7; mov.u64 %d9, %d2; @%p1 mov.u64 %d9, %d1;"), "1>2:-1:0");
  expect_pairs(TO("ld.global.u64 %d4, [%d1]; add.s64 %d9, %d2, %d4;"), "1>2:-1:0");
  expect_pairs(TO("ld.global.u64 %d9, [%d1];"), "1>2:-1:0");
  expect_pairs(TO("sub.s64 %d4, %d2, %d1; add.s64 %d9, %d2, %d4;"), "1>2:-1:0");
  expect_pairs(TO("cvt.u64.u32 %d4, %r0; sub.s64 %d9, %d4, %d2;"), "1>2:-1:0");
  expect_pairs(TO("and.b64 %d9, %d2, 0xfffffffffffffff0;"), "1>2:-1:0");
  expect_pairs(TO("mov.b64 %d9, {%r0, %r0};"), "1>2:-1:0");
  expect_pairs(TO("cvt.u64.u32 %d9, %r0;"), "1>2:-1:0"); /* an integer */
}

/* Loads into registers wider than what they read: the high word is a second instruction. */
static void test_widening(void **state) {
  (void)state;
  static const struct {
    const char *type;
    unsigned load, high;
  } wide[] = {{"s32", OP_LD, OP_SHR_S},     {"u32", OP_LD, OP_MOV},     {"b32", OP_LD, OP_MOV},
              {"s16", OP_LD_S16, OP_SHR_S}, {"u16", OP_LD_U16, OP_MOV}, {"s8", OP_LD_S8, OP_SHR_S},
              {"u8", OP_LD_U8, OP_MOV}};
  for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
    char code[200];
    snprintf(code, sizeof code, "ld.global.%s %%d3, [%%d1]; st.global.u64 [%%d2], %%d3;", wide[i].type);
    compiled_t c = compile_body(code);
    const offload_block_t *b = &c.offload->kernels[0].blocks[0];
    assert_int_equal(b->count, 2);
    assert_int_equal(b->num_loads, 1);
    assert_int_equal(isa_opcode(b->nsu[1]), wide[i].load);
    assert_int_equal(isa_opcode(b->nsu[2]), wide[i].high);
    assert_int_equal(isa_guard(b->nsu[2]), 0);
    free_compiled(&c);
  }
  /* Guarded: the high word of the others stays, so the guard goes to the NSU. */
  compiled_t c =
      compile_body("setp.eq.u32 %p1, %r0, 3; cvt.u64.u32 %d3, %r0; bra M; M: @!%p1 ld.global.s32 %d3, [%d1]; "
                   "st.global.u64 [%d2], %d3; st.global.u64 [%d2+8], %d3;");
  const offload_block_t *b = &c.offload->kernels[0].blocks[0];
  assert_int_equal(b->num_sent, 3); /* the old value and the guard */
  assert_int_equal(isa_opcode(b->nsu[2]), OP_SHR_S);
  assert_true(isa_guard(b->nsu[2]) && isa_ginv(b->nsu[2]));
  free_compiled(&c);
  /* into what narrower registers there are, nothing more than the load */
  expect_counts("ld.global.s8 %r1, [%d1]; st.global.u32 [%d2], %r1;", "2");
  expect_counts("ld.global.s8 %h1, [%d1]; st.global.u16 [%d2], %h1;", "2");
  /* A conversion into a wider register is the GPU's. */
  expect_counts("ld.global.s8 %r1, [%d1]; cvt.s32.s8 %d3, %r1; st.global.u64 [%d2], %d3;", "");
}

/* BPROP's blocks are the paper's 29 and 23, less four constants each, which PTX has as
 * immediates. An operand that is a pair starts at an even register. */
static void test_binary64(void **state) {
  (void)state;
  char got[256];
  ptx_error_t err;
  ptx_module_t *m = ptx_read(LOCKSTACK_SOURCE_DIR "/firmware/workloads/kernels/bprop/bprop.ptx", &err);
  assert_non_null(m);
  offload_t *o = offload_compile(m);
  const offload_kernel_t *k = offload_find(o, ptx_find_kernel(m, "bprop_adjust"));
  counts_of(k, got);
  assert_string_equal(got, "25 19");
  unsigned doubles = 0;
  for (uint32_t b = 0; b < k->num_blocks; b++)
    for (uint32_t i = 0; i < k->blocks[b].num_nsu; i++) {
      const uint64_t w = k->blocks[b].nsu[i];
      const unsigned pairs = isa_pairs(isa_opcode(w));
      doubles += pairs > 0;
      assert_false((pairs & ISA_PAIR_D && isa_rd(w) % 2) || (pairs & ISA_PAIR_A && isa_ra(w) % 2) ||
                   (pairs & ISA_PAIR_B && isa_rb(w) % 2) || (pairs & ISA_PAIR_C && isa_rc(w) % 2));
    }
  assert_int_equal(doubles, 16 + 12);
  offload_free(o);
  ptx_free(m);
}

/* Stores alone are no block. */
static void test_has_load(void **state) {
  (void)state;
  expect_counts("st.global.u32 [%d1], %r0; st.global.u32 [%d1+4], 7;", "");
  expect_counts("st.global.u32 [%d1], 7; ld.global.u32 %r1, [%d2]; st.global.u32 [%d1+4], %r1;", "3");
}

/* Instructions that the NSU does not have, or must not do, end a block. */
static void test_ends(void **state) {
  (void)state;
#define MIDDLE(op) "ld.global.f32 %f1, [%d1]; " op " st.global.f32 [%d2], %f2;"
  expect_counts(MIDDLE("mul.f32 %f2, %f1, %f1;"), "3");
  expect_counts(MIDDLE("mul.rn.f32 %f2, %f1, %f1;"), "3");
  expect_counts(MIDDLE("mul.ftz.f32 %f2, %f1, %f1;"), "3");
  expect_counts(MIDDLE("mul.ftz.sat.f32 %f2, %f1, %f1;"), "");
  expect_counts(MIDDLE("fma.rz.ftz.f32 %f2, %f1, %f1, %f1;"), "");
  expect_counts(MIDDLE("rcp.approx.ftz.f32 %f2, %f1;"), "");
  expect_counts(MIDDLE("div.approx.ftz.f32 %f2, %f1, %f1;"), "");
  expect_counts(MIDDLE("div.full.ftz.f32 %f2, %f1, %f1;"), "");
  expect_counts(MIDDLE("ex2.approx.ftz.f32 %f2, %f1;"), "");
  expect_counts(MIDDLE("slct.ftz.f32.f32 %f2, %f1, %f1, %f1;"), "");
  expect_counts(MIDDLE("mul.rz.f32 %f2, %f1, %f1;"), "");
  expect_counts(MIDDLE("sqrt.rn.f32 %f2, %f1;"), "");
  expect_counts(MIDDLE("div.rn.f32 %f2, %f1, %f1;"), "");
  expect_counts("ld.global.f32 %f1, [%d1]; bar.sync 0; st.global.f32 [%d2], %f1;", "");
  expect_counts("ld.volatile.global.f32 %f1, [%d1]; st.global.f32 [%d2], %f1;", "");
  expect_counts("ld.f32 %f1, [%d1]; st.global.f32 [%d2], %f1;", "");
  expect_counts("ld.global.f32 %f1, [%d1]; atom.global.add.u32 %r1, [%d2], 1; st.global.f32 [%d2+4], %f1;", "");
  expect_counts("ld.global.f32 %f1, [%d1]; bra M; M: st.global.f32 [%d2], %f1;", ""); /* two basic blocks */
}

/* A single load through a loaded index is a block of its own, with a score of 0. */
static void test_indirect(void **state) {
  (void)state;
  const char *gather =
      "ld.global.u32 %r1, [%d1]; mul.wide.u32 %d3, %r1, 4; add.s64 %d4, %d2, %d3; ld.global.u32 %r2, [%d4]; "
      "setp.eq.u32 %p1, %r2, 0; @%p1 bra L;";
  expect_counts(gather, "1i");
  compiled_t c = compile_body(gather);
  const offload_block_t *b = &c.offload->kernels[0].blocks[0];
  assert_int_equal(b->score, 0);
  assert_int_equal(b->num_returned, 1);
  assert_int_equal(b->num_nsu, 3);
  free_compiled(&c);
  /* Part of a block with a score: no block of its own.
   * The address must not come from a load inside. */
  expect_counts("ld.global.u32 %r1, [%d1]; mul.wide.u32 %d3, %r1, 4; add.s64 %d4, %d2, %d3; ld.global.u32 %r2, [%d4]; "
                "st.global.u32 [%d4], %r2;",
                "2");
}

/* Who executes an instruction follows from what its result is used for: addresses and guards are
 * the GPU's, data are the NSU's, and what is both is computed on both sides. */
static void test_sides(void **state) {
  (void)state;
  /* %r1 is an address part and data; the counter %r2 is neither; the guard %p1 is the GPU's. */
  compiled_t c = compile_body(
      "ld.global.u32 %r3, [%d2];\nadd.s32 %r1, %r0, 5;\nmul.wide.u32 %d3, %r1, 4;\nadd.s64 %d4, %d1, %d3;\n"
      "add.s32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r0, 7;\nadd.s32 %r4, %r3, %r1;\n"
      "@%p1 st.global.u32 [%d4], %r4;\nadd.s32 %r9, %r2, %r1; st.local.u32 [%d1], %r9;");
  const offload_kernel_t *k = &c.offload->kernels[0];
  assert_int_equal(k->num_blocks, 1);
  const offload_block_t *b = &k->blocks[0];
  static const uint8_t roles[] = {OFFLOAD_LOAD, OFFLOAD_BOTH, OFFLOAD_GPU, OFFLOAD_GPU,
                                  OFFLOAD_GPU,  OFFLOAD_GPU,  OFFLOAD_NSU, OFFLOAD_STORE};
  assert_int_equal(b->last - b->first, 7);
  assert_memory_equal(b->role, roles, sizeof roles);
  assert_int_equal(b->num_sent, 1); /* %r0 */
  assert_int_equal(b->num_returned, 0);
  free_compiled(&c);
  /* A guard that depends on a loaded value cannot be evaluated before the block begins. */
  expect_counts("ld.global.u32 %r1, [%d1]; setp.eq.u32 %p1, %r1, 0; @%p1 st.global.u32 [%d2], %r1;", "");
  /* Arithmetic under such a guard can: the NSU computes it. */
  expect_counts(
      "ld.global.u32 %r1, [%d1]; setp.eq.u32 %p1, %r1, 0; @%p1 add.u32 %r1, %r1, 7; st.global.u32 [%d2], %r1;", "4");
}

/* A guarded load leaves the register alone in some threads, so its old value is sent. */
static void test_old_values(void **state) {
  (void)state;
  /* A guarded load leaves %r1 alone in some threads: the old value goes to the NSU. */
  compiled_t c = compile_body("setp.lt.u32 %p1, %r0, 7; mov.u32 %r1, %r0; bra M; M: @%p1 ld.global.u32 %r1, [%d1]; "
                              "ld.global.u32 %r2, [%d2]; add.u32 %r3, %r1, %r2; st.global.u32 [%d2], %r3;");
  const offload_block_t *b = &c.offload->kernels[0].blocks[0];
  assert_int_equal(b->num_sent, 1);
  assert_int_equal(b->overhead, 4);
  free_compiled(&c);
}

/* Accesses of more than a word have a packet for each word: 4 + 1 loads, 2 + 1 stores. */
static void test_words(void **state) {
  (void)state;
  compiled_t c = compile_body("ld.global.v2.u64 {%d3, %d4}, [%d1]; ld.global.u8 %h1, [%d1+16]; xor.b64 %d5, %d3, %d4; "
                              "st.global.u64 [%d2], %d5; st.global.u8 [%d2+8], %h1;");
  const offload_block_t *b = &c.offload->kernels[0].blocks[0];
  assert_int_equal(b->num_loads, 5);
  assert_int_equal(b->num_stores, 3);
  assert_int_equal(b->reduction, 26);
  assert_int_equal(b->seq[1], 4);
  assert_int_equal(b->seq[4], 7);
  assert_int_equal(isa_opcode(b->nsu[5]), OP_LD_U8);
  assert_int_equal(offload_access(&c.offload->kernels[0].func->instrs[b->first]).words, 4);
  free_compiled(&c);
}

/* Parameters and constants are read by the NSU itself (LDC), and nothing is sent for them. */
static void test_constants(void **state) {
  (void)state;
  compiled_t c = compile_body("ld.param.f32 %f9, [k_f]; bra M; M: ld.const.f32 %f8, [cst+8]; ld.global.f32 %f1, [%d1]; "
                              "fma.rn.f32 %f2, %f1, %f9, %f8; st.global.f32 [%d2], %f2;");
  const offload_block_t *b = &c.offload->kernels[0].blocks[0];
  assert_int_equal(c.offload->const_offset, 128);
  assert_int_equal(c.offload->const_bytes, 144);
  assert_int_equal(b->num_sent, 0);
  assert_int_equal(b->count, 3);
  uint32_t params = 0, constants = 0;
  for (uint32_t i = 0; i < b->num_nsu; i++) {
    if (isa_opcode(b->nsu[i]) != OP_LDC) continue;
    params += isa_imm(b->nsu[i]) == 16;
    constants += isa_imm(b->nsu[i]) == 128 + 8;
  }
  assert_int_equal(params, 1);
  assert_int_equal(constants, 1);
  free_compiled(&c);
}

/* Appends a line with two numbers. */
static void append_line(char *text, const char *format, unsigned a, unsigned b) {
  sprintf(text + strlen(text), format, a, b);
}

/* Registers, transfers of a command and sequence numbers (64) run out: the compiler makes
 * smaller blocks. */
static void test_limits(void **state) {
  (void)state;
  char text[16384] = "";
  for (unsigned i = 0; i < 20; i++) append_line(text, "ld.global.f32 %%f%u, [%%d1+%u]; ", i, 4 * i);
  for (unsigned i = 0; i < 20; i++) append_line(text, "st.global.f32 [%%d2+%u], %%f%u; ", 4 * i, 19 - i);
  compiled_t c = compile_body(text);
  const offload_kernel_t *k = &c.offload->kernels[0];
  assert_true(k->num_blocks >= 1);
  assert_true(k->blocks[0].num_loads <= ISA_NUM_REGS && k->blocks[0].num_sent <= PKT_MAX_CMD_REGS &&
              k->blocks[0].num_returned <= PKT_MAX_CMD_REGS);
  free_compiled(&c);
  *text = 0;
  for (unsigned i = 0; i < 50; i++)
    append_line(text, "ld.global.f32 %%f%u, [%%d1+%u]; ", 1, 4 * i),
        append_line(text, "st.global.f32 [%%d1+%u], %%f%u; ", 4 * i, 1);
  c = compile_body(text);
  k = &c.offload->kernels[0];
  assert_int_equal(k->num_blocks, 2);
  assert_int_equal(k->blocks[0].num_loads + k->blocks[0].num_stores, 64);
  assert_int_equal(k->blocks[1].num_loads + k->blocks[1].num_stores, 36);
  assert_int_equal(k->blocks[1].nsu_pc, k->blocks[0].num_nsu * ISA_INSTR_BYTES);
  free_compiled(&c);
}

/* What a register is before an instruction is asked for one by
 * one: it must be what walking back from the block's end gives. */
static void test_live(void **state) {
  (void)state;
  compiled_t c = compile_body(
      "ld.global.f32 %f1, [%d1]; setp.gt.f32 %p1, %f1, 0f00000000; @%p1 mov.f32 %f2, %f1; mov.f32 %f3, %f2; @%p1 bra "
      "M; "
      "add.f32 %f1, %f1, %f3; add.f32 %f4, %f1, %f1; st.global.f32 [%d2], %f4; M: mov.f32 %f4, %f3; "
      "add.f32 %f5, %f4, %f1; st.global.f32 [%d2+4], %f5; @!%p1 bra L;");
  const ptx_func_t *f = c.offload->kernels[0].func;
  kernel_t k;
  uint64_t set[64];
  unsigned alive = 0;
  assert_true(facts_make(&k, c.module, f, 0) && f->live_words <= 64);
  for (uint32_t b = 0; b < f->num_blocks; b++) {
    for (uint32_t i = f->blocks[b].first; i <= f->blocks[b].last + 1; i++) {
      if (i <= f->blocks[b].last) ptx_live_before(f, i, set);
      else memcpy(set, f->blocks[b].live_out, f->live_words * sizeof *set);
      for (uint32_t r = 0; r < f->num_regs; r++) {
        assert_int_equal(live_before(&k, b, i, (int32_t)r), set[r / 64] >> (r % 64) & 1);
        alive += set[r / 64] >> (r % 64) & 1;
      }
    }
  }
  assert_true(alive > 50);
  facts_free(&k);
  free_compiled(&c);
}

/* A thousand loads and stores in one basic block. */
static void test_long_block(void **state) {
  (void)state;
  static char text[65536];
  *text = 0;
  char *at = text;
  for (unsigned i = 0; i < 500; i++)
    at += sprintf(at, "ld.global.f32 %%f1, [%%d1+%u]; st.global.f32 [%%d1+%u], %%f1; ", 8 * i, 8 * i + 4);
  compiled_t c = compile_body(text);
  const offload_kernel_t *k = &c.offload->kernels[0];
  uint32_t words = 0;
  for (uint32_t b = 0; b < k->num_blocks; b++) words += k->blocks[b].num_loads + k->blocks[b].num_stores;
  assert_int_equal(k->num_blocks, 16);
  assert_int_equal(words, 1000);
  free_compiled(&c);
}

/* The NSU's code begins with OFLD.BEG, ends with OFLD.END, and holds legal opcodes only. */
static void test_code_is_legal(void **state) {
  (void)state;
  compiled_t c =
      compile_body("ld.global.f32 %f1, [%d1]; setp.gt.f32 %p1, %f1, 0f00000000; selp.f32 %f2, %f1, 0fBF800000, %p1; "
                   "sub.f32 %f3, 0f3F800000, %f2; cvt.rzi.s32.f32 %r1, %f3; st.global.u32 [%d2], %r1;");
  const offload_block_t *b = &c.offload->kernels[0].blocks[0];
  assert_int_equal(b->count, 6);
  assert_int_equal(isa_opcode(b->nsu[0]), OP_OFLD_BEG);
  assert_int_equal(isa_opcode(b->nsu[b->num_nsu - 1]), OP_OFLD_END);
  for (uint32_t i = 0; i < b->num_nsu; i++) {
    assert_non_null(isa_op(isa_opcode(b->nsu[i])));
    assert_int_equal(isa_zero(b->nsu[i]), 0);
  }
  free_compiled(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table1),     cmocka_unit_test(test_score),
      cmocka_unit_test(test_no_gain),    cmocka_unit_test(test_aliases),
      cmocka_unit_test(test_pointers),   cmocka_unit_test(test_widening),
      cmocka_unit_test(test_has_load),   cmocka_unit_test(test_binary64),
      cmocka_unit_test(test_ends),       cmocka_unit_test(test_indirect),
      cmocka_unit_test(test_sides),      cmocka_unit_test(test_old_values),
      cmocka_unit_test(test_words),      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_limits),     cmocka_unit_test(test_code_is_legal),
      cmocka_unit_test(test_live),       cmocka_unit_test(test_long_block),
      cmocka_unit_test(test_not_of_nsu), cmocka_unit_test(test_addresses_of_gpu),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
