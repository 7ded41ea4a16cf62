/* SPDX-License-Identifier: Apache-2.0
 *
 * Small kernels with their results written out, each on every kind of machine (mpu_bed.h), with the
 * cores in both orders.
 *
 * k(buffer, n): input in the first half of the buffer, byte i is 37 i + 11; results in the second
 * half, which is zero before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpu_bed.h"
#include "unit_test.h"

enum { HALF = 16384 };

#define KERNEL(body)                                                                                           \
  ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_a, .param .u32 k_n)\n{\n"    \
  ".reg .pred %p<20>; .reg .b16 %h<20>; "                                                                      \
  ".reg .b32 %r<99>; .reg .f32 %f<20>; .reg .b64 %d<99>; .reg .f64 %g<20>;\n.shared .align 16 .b8 sh[4096];\n" \
  "ld.param.u64 %d1, [k_a];\n"                                                                                 \
  "add.s64 %d2, %d1, 16384;\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"            \
  "mad.lo.u32 %r4, %r2, %r3, %r1;\n"                                                                           \
  "ld.param.u32 %r5, [k_n];\n" body "\nret;\n}\n"

typedef struct {
  uint8_t in[HALF], out[HALF];
} memory_t;

typedef void expect_t(memory_t *m, uint32_t blocks, uint32_t threads); /* writes what `out` has to be */

/* The input's pattern, and no results yet. */
static void fill_memory(memory_t *m) {
  for (unsigned i = 0; i < HALF; i++) m->in[i] = (uint8_t)(37 * i + 11);
  memset(m->out, 0, HALF);
}

/* The whole buffer, so that stray writes are found, too. */
static void expect_same_memory(const char *ptx, const memory_t *is, const memory_t *right, unsigned machine,
                               uint32_t blocks, uint32_t threads) {
  const uint8_t *a = (const uint8_t *)is, *b = (const uint8_t *)right;
  unsigned i = 0;
  while (i < 2 * HALF && a[i] == b[i]) i++;
  if (i == 2 * HALF) return;
  print_message("%s\n", ptx);
  fail_msg("%s, %u blocks of %u threads: byte %u of the %s is 0x%02x, not 0x%02x", bed_machine_name(machine), blocks,
           threads, i % HALF, i < HALF ? "input" : "output", a[i], b[i]);
}

/* With the cores in the other order, none of which sleeps, all is the same to the cycle. */
static mpu_stats_t run_on_machine(unsigned machine, const char *ptx, uint32_t blocks, uint32_t threads,
                                  expect_t *expect) {
  static memory_t data, right;
  uint64_t cycles[2];
  mpu_stats_t stats = {0};
  for (unsigned order = 0; order < 2; order++) {
    mpu_config_t c = bed_machine(machine);
    bed_t b = {.ptx = ptx,
               .grid = {blocks, 1, 1},
               .block = {threads, 1, 1},
               .data = &data,
               .bytes = sizeof data,
               .n = 5,
               .backwards = order,
               .restless = order};
    fill_memory(&data);
    fill_memory(&right);
    expect(&right, blocks, threads);
    if (bed_run(&b, &c)) {
      print_message("%s\n", ptx);
      fail_msg("%s: %s", bed_machine_name(machine), b.error.text);
    }
    expect_same_memory(ptx, &data, &right, machine, blocks, threads);
    stats = b.stats;
    cycles[order] = stats.cycles;
  }
  assert_true(cycles[0] == cycles[1]);
  return stats;
}

/* On every machine, with cores in both orders. */
static void run_everywhere(const char *ptx, uint32_t blocks, uint32_t threads, expect_t *expect) {
  for (unsigned m = 0; m < BED_MACHINES; m++) run_on_machine(m, ptx, blocks, threads, expect);
}

/* A result of so many bytes; an input, without and with sign. */
static void put_out(memory_t *m, size_t at, uint64_t value, unsigned bytes) {
  assert_true(at + bytes <= HALF);
  memcpy(m->out + at, &value, bytes);
}

static uint64_t get_in(const memory_t *m, size_t at, unsigned bytes) {
  uint64_t x = 0;
  memcpy(&x, m->in + at, bytes);
  return x;
}

static int64_t get_in_signed(const memory_t *m, size_t at, unsigned bytes) {
  unsigned shift = 64 - 8 * bytes;
  return (int64_t)(get_in(m, at, bytes) << shift) >> shift;
}

/* ---- Loads and stores of each size and sign -------------------------------------------------- */

typedef struct {
  const char *load, *store, *plain; /* types; plain: the same bytes without sign, for shared memory */
  char reg;
  unsigned bytes, to, vec; /* of an element: loaded, stored */
  bool sign;
} width_t;

static const width_t widths[] = {{"u8", "u8", "u8", 'r', 1, 1, 1, false},
                                 {"s8", "u32", "u8", 'r', 1, 4, 1, true},
                                 {"u8", "u32", "u8", 'r', 1, 4, 1, false},
                                 {"u16", "u16", "u16", 'h', 2, 2, 1, false},
                                 {"s8", "u16", "u8", 'h', 1, 2, 1, true},
                                 {"s16", "u32", "u16", 'r', 2, 4, 1, true},
                                 {"u32", "u32", "u32", 'r', 4, 4, 1, false},
                                 {"s32", "u32", "s32", 'r', 4, 4, 1, false},
                                 {"u64", "u64", "u64", 'd', 8, 8, 1, false},
                                 {"f32", "f32", "f32", 'f', 4, 4, 1, false},
                                 {"f64", "f64", "f64", 'g', 8, 8, 1, false},
                                 {"b8", "b16", "b8", 'h', 1, 2, 1, false},
                                 {"v2.u32", "v2.u32", "v2.u32", 'r', 4, 4, 2, false},
                                 {"v4.f32", "v4.f32", "v4.f32", 'f', 4, 4, 4, false},
                                 {"v2.u64", "v2.u64", "v2.u64", 'd', 8, 8, 2, false},
                                 {"v4.u8", "v4.u8", "v4.u8", 'r', 1, 1, 4, false},
                                 {"v2.s16", "v2.u32", "v2.u16", 'r', 2, 4, 2, true}};
static const width_t *width; /* of the kernel that runs */
static unsigned stride;      /* bytes from thread to thread, when they are loaded */

/* Each element as loaded, extended by its sign or cut to what is stored. */
static void expect_width(memory_t *m, uint32_t blocks, uint32_t threads) {
  unsigned to = width->to;
  for (unsigned t = 0; t < blocks * threads; t++)
    for (unsigned k = 0; k < width->vec; k++) {
      size_t at = (size_t)t * stride + k * width->bytes;
      put_out(m, ((size_t)t * width->vec + k) * to,
              width->sign ? (uint64_t)get_in_signed(m, at, width->bytes) : get_in(m, at, width->bytes), to);
    }
}

/* The operand of a load or store: one register or a vector. */
static void write_registers(char *text, const width_t *w) {
  if (w->vec == 1) sprintf(text, "%%%c10", w->reg);
  else if (w->vec == 2) sprintf(text, "{%%%c10, %%%c11}", w->reg, w->reg);
  else sprintf(text, "{%%%c10, %%%c11, %%%c12, %%%c13}", w->reg, w->reg, w->reg, w->reg);
}

/* From global memory, by way of shared memory if `shared`, to global memory. */
static const char *width_kernel(const width_t *w, bool shared) {
  static char ptx[4000], body[2000];
  char reg[64];
  unsigned all = w->bytes * w->vec;
  write_registers(reg, w);
  int n = sprintf(body,
                  "mad.wide.u32 %%d3, %%r4, %u, %%d1;\nmad.wide.u32 %%d4, %%r4, %u, %%d2;\nld.global.%s %s, [%%d3];\n",
                  stride, w->to * w->vec, w->load, reg);
  if (shared)
    n += sprintf(body + n, "mov.u32 %%r20, sh;\nmad.lo.u32 %%r20, %%r1, %u, %%r20;\nst.shared.%s [%%r20+%u], %s;\n",
                 all, w->plain, all * 3, reg);
  if (shared) n += sprintf(body + n, "ld.shared.%s %s, [%%r20+%u];\n", w->load, reg, all * 3);
  sprintf(body + n, "st.global.%s [%%d4], %s;", w->store, reg);
  const char *whole = KERNEL("#");
  int head = (int)(strchr(whole, '#') - whole);
  snprintf(ptx, sizeof ptx, "%.*s%s%s", head, whole, body, whole + head + 1);
  return ptx;
}

/* Threads 48 bytes apart, so that no access is a
 * row; side by side; and by way of shared memory. */
static void test_widths(void **state) {
  (void)state;
  for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++) {
    width = &widths[i];
    stride = 48; /* apart */
    run_everywhere(width_kernel(width, false), 3, 77, expect_width);
    stride = width->bytes * width->vec;
    run_everywhere(width_kernel(width, false), 2, 64, expect_width);
    run_everywhere(width_kernel(width, true), 2, 64, expect_width);
  }
}

/* ---- Sizes of blocks ------------------------------------------------------------------------- */

static void expect_square(memory_t *m, uint32_t blocks, uint32_t threads) {
  for (uint32_t t = 0; t < blocks * threads; t++) put_out(m, 4 * t, t * t + t % threads, 4);
}

/* Blocks of one thread to 64 warps, with last warps
 * of all kinds. t * t + tid shows thread and block. */
static void test_blocks(void **state) {
  (void)state;
  static const uint32_t sizes[][2] = {{1, 1},  {7, 1},   {3, 31},  {2, 32},  {5, 33},  {1, 63},   {3, 65},
                                      {4, 96}, {2, 127}, {3, 128}, {5, 129}, {3, 160}, {1, 1024}, {1, 2048}};
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
    run_everywhere(KERNEL("mul.lo.u32 %r10, %r4, %r4;\nadd.u32 %r10, %r10, %r1;\nmad.wide.u32 %d3, %r4, 4, %d2;\n"
                          "st.global.u32 [%d3], %r10;"),
                   sizes[i][0], sizes[i][1], expect_square);
}

/* ---- Divergence ------------------------------------------------------------------------------ */

static void expect_wide_narrow(memory_t *m, uint32_t blocks, uint32_t threads) {
  for (uint32_t t = 0; t < blocks * threads; t++) {
    uint64_t a = get_in(m, 8 * t, 4), b = get_in(m, 8 * t + 4, 4);
    put_out(m, 8 * t, t % 2 ? (a << 32 | b) * 3 + a : (uint32_t)(a * b + (a ^ b) + 7), 8);
  }
}

/* One side keeps its values in 64-bit registers and the other in 32-bit ones,
 * so many that a common pool of rows would have both in the same rows. */
static void test_wide_narrow(void **state) {
  (void)state;
  run_everywhere(
      KERNEL("mad.wide.u32 %d3, %r4, 8, %d1;\nmad.wide.u32 %d4, %r4, 8, %d2;\nld.global.u32 %r10, [%d3];\n"
             "ld.global.u32 %r11, [%d3+4];\nand.b32 %r12, %r4, 1;\n"
             "setp.eq.u32 %p1, %r12, 0;\n@%p1 bra NARROW;\n"
             "cvt.u64.u32 %d10, %r10;\nshl.b64 %d10, %d10, 32;\ncvt.u64.u32 %d11, %r11;\nor.b64 %d10, %d10, %d11;\n"
             "mul.lo.s64 %d12, %d10, 3;\n"
             "cvt.u64.u32 %d13, %r10;\nadd.s64 %d12, %d12, %d13;\nst.global.u64 [%d4], %d12;\nbra END;\n"
             "NARROW:\nmul.lo.u32 %r20, %r10, %r11;\nxor.b32 %r21, %r10, %r11;\nadd.u32 %r22, %r20, %r21;\n"
             "add.u32 %r23, %r22, 7;\n"
             "st.global.u32 [%d4], %r23;\nEND:\n"),
      3, 77, expect_wide_narrow);
}

/* Threads that have left a loop wait with a 32-bit value, which nobody
 * else has any more, while others compute with 64 bits, near and far. */
static void expect_loop(memory_t *m, uint32_t blocks, uint32_t threads) {
  for (uint32_t t = 0; t < blocks * threads; t++) {
    uint32_t v = 0;
    for (uint32_t i = 0; i <= t % 4; i++) {
      uint64_t w = get_in(m, 8 * t, 8) * (i + 3);
      v = (uint32_t)(w >> 16) + i;
    }
    put_out(m, 4 * t, v, 4);
  }
}

static void test_loop(void **state) {
  (void)state;
  run_everywhere(
      KERNEL(
          "mad.wide.u32 %d3, %r4, 8, %d1;\nmad.wide.u32 %d4, %r4, 4, %d2;\nand.b32 %r10, %r1, 3;\nmov.u32 %r11, 0;\n"
          "LOOP:\nld.global.u64 %d10, [%d3];\nadd.u32 %r12, %r11, 3;\ncvt.u64.u32 %d11, %r12;\n"
          "mul.lo.s64 %d12, %d10, %d11;\nshr.u64 %d13, %d12, 16;\n"
          "cvt.u32.u64 %r13, %d13;\nadd.u32 %r14, %r13, %r11;\nadd.u32 %r11, %r11, 1;\nsetp.le.u32 %p1, %r11, %r10;\n"
          "@%p1 bra LOOP;\n"
          "st.global.u32 [%d4], %r14;"),
      3, 100, expect_loop);
}

static void expect_exit(memory_t *m, uint32_t blocks, uint32_t threads) {
  for (uint32_t t = 0; t < blocks * threads; t++) {
    uint32_t tid = t % threads, v = 1;
    if (tid % 3 == 0) continue;
    if (tid < 40) v += 10;
    if (tid >= 64 && tid < 96) continue; /* a whole warp */
    put_out(m, 4 * t, v + tid, 4);
  }
}

/* Every third thread exits at once, a whole warp returns
 * before the barrier, and the barrier waits for none of them. */
static void test_exit(void **state) {
  (void)state;
  run_everywhere(
      KERNEL("mad.wide.u32 %d4, %r4, 4, %d2;\nrem.u32 %r10, %r1, 3;\nsetp.eq.u32 %p1, %r10, 0;\nmov.u32 %r11, 1;\n"
             "@%p1 exit;\nsetp.ge.u32 %p2, %r1, 40;\n"
             "@%p2 bra ON;\nadd.u32 %r11, %r11, 10;\nON:\nsetp.lt.u32 %p3, %r1, 64;\n@%p3 bra STORE;\n"
             "setp.ge.u32 %p4, %r1, 96;\n@%p4 bra STORE;\nret;\n"
             "STORE:\nbar.sync 0;\nadd.u32 %r11, %r11, %r1;\nst.global.u32 [%d4], %r11;"),
      3, 130, expect_exit);
}

/* ---- Guards and predicates ------------------------------------------------------------------- */

static void expect_guards(memory_t *m, uint32_t blocks, uint32_t threads) {
  for (uint32_t t = 0; t < blocks * threads; t++) {
    uint32_t tid = t % threads, x = (uint32_t)get_in(m, 4 * t, 4), r = tid;
    uint64_t w = x;
    bool p = tid < 20, q = (tid & 2) != 0;
    if (p) r = x;
    if (!q) w += 1000;
    if (p && q) w = ~w;
    put_out(m, 16 * t, r, 4);
    put_out(m, 16 * t + 4, p != q ? 77 : x, 4);
    put_out(m, 16 * t + 8, p || !q ? w : x, 8);
  }
}

/* Loads, arithmetic and stores under guards, logic of predicates, and selections. */
static void test_guards(void **state) {
  (void)state;
  run_everywhere(
      KERNEL(
          "mad.wide.u32 %d3, %r4, 4, %d1;\nmad.wide.u32 %d4, %r4, 16, %d2;\nsetp.lt.u32 %p1, %r1, 20;\n"
          "and.b32 %r10, %r1, 2;\nsetp.ne.u32 %p2, %r10, 0;\n"
          "mov.u32 %r11, %r1;\nld.global.u32 %r12, [%d3];\n@%p1 ld.global.u32 %r11, [%d3];\ncvt.u64.u32 %d10, %r12;\n"
          "mov.b64 %d11, %d10;\n"
          "@!%p2 add.s64 %d10, %d10, 1000;\nand.pred %p3, %p1, %p2;\n@%p3 not.b64 %d10, %d10;\n"
          "xor.pred %p4, %p1, %p2;\nselp.b32 %r13, 77, %r12, %p4;\n"
          "not.pred %p5, %p2;\nor.pred %p5, %p5, %p1;\nselp.b64 %d12, %d10, %d11, %p5;\nst.global.u32 [%d4], %r11;\n"
          "st.global.u32 [%d4+4], %r13;\n"
          "@%p1 st.global.u64 [%d4+8], %d12;\n@!%p1 st.global.u64 [%d4+8], %d12;"),
      2, 75, expect_guards);
}

/* A load whose guard nobody fulfils leaves no trace, nor does one into nothing. */
static void expect_nobody(memory_t *m, uint32_t blocks, uint32_t threads) {
  for (uint32_t t = 0; t < blocks * threads; t++) {
    put_out(m, 4 * t, (uint32_t)get_in(m, 4 * t, 4) * 5 + 3, 4);
    /* what has the rows of the load that was not done */
    put_out(m, 4096 + 4 * t, t % threads + (uint32_t)get_in(m, 4 * t + 4, 1), 4);
    put_out(m, 8192 + 8 * t, 1, 8);
  }
}

static void expect_sink(memory_t *m, uint32_t blocks, uint32_t threads) {
  for (uint32_t t = 0; t < blocks * threads; t++) {
    uint64_t w = get_in(m, 64 * (t / 4), 8) + get_in(m, 64 * (t / 4) + 24, 8) + get_in(m, 64 * (t / 4) + 40, 8);
    put_out(m, 16 * t, (uint32_t)get_in(m, 64 * (t / 4) + 32, 4) + (uint32_t)get_in(m, 64 * (t / 4) + 36, 4), 4);
    put_out(m, 16 * t + 8, w, 8);
  }
}

static void test_nobody(void **state) {
  (void)state;
  run_everywhere(
      KERNEL("mad.wide.u32 %d3, %r4, 4, %d1;\nmad.wide.u32 %d4, %r4, 4, %d2;\nmad.wide.u32 %d6, %r4, 8, %d2;\n"
             "setp.gt.u32 %p1, %r1, 5000;\nmov.u32 %r20, sh;\n"
             "mov.u64 %d10, 1;\n@%p1 ld.global.u64 %d10, [%d1];\n@%p1 st.global.u64 [%d1], %d10;\n"
             "@%p1 ld.shared.u64 %d10, [%r20];\n"
             "@%p1 ld.global.u64 %d10, [%d1];\nst.global.u64 [%d6+8192], %d10;\nadd.s64 %d11, %d3, %d10;\n"
             "ld.global.u8 %r11, [%d11+3];\n"
             "mov.u32 %r12, %tid.x;\nadd.u32 %r13, %r12, %r11;\nst.global.u32 [%d4+4096], %r13;\n"
             "st.global.u32 [%d4+4096], %r13;\n"
             "ld.global.u32 %r10, [%d3];\nmad.lo.u32 %r10, %r10, 5, 3;\nst.global.u32 [%d4], %r10;"),
      2, 64, expect_nobody);
  run_everywhere(
      KERNEL(
          "shr.u32 %r8, %r4, 2;\nmad.wide.u32 %d5, %r8, 64, %d1;\nmad.wide.u32 %d4, %r4, 16, %d2;\nmov.u32 %r20, sh;\n"
          "mad.lo.u32 %r20, %r1, 16, %r20;\n"
          "ld.global.u64 %d10, [%d5];\nld.global.v2.u32 {%r10, %r11}, [%d5+32];\nld.global.u64 %d11, [%d5+40];\n"
          "st.shared.v2.u64 [%r20], {%d10, %d11};\n"
          "ld.global.v2.u64 {_, %d12}, [%d5+16];\nld.global.v2.u64 {%d13, _}, [%d5];\n"
          "ld.shared.v2.u64 {_, %d14}, [%r20];\n"
          "ld.shared.v2.u64 {%d15, _}, [%r20];\n"
          "add.u32 %r12, %r10, %r11;\nst.global.u32 [%d4], %r12;\nadd.s64 %d16, %d10, %d11;\n"
          "add.s64 %d16, %d16, %d12;\n"
          "sub.s64 %d17, %d10, %d13;\nadd.s64 %d16, %d16, %d17;\nsub.s64 %d18, %d14, %d11;\nadd.s64 %d16, %d16, %d18;\n"
          "sub.s64 %d19, %d15, %d13;\nadd.s64 %d16, %d16, %d19;\nst.global.u64 [%d4+8], %d16;"),
      2, 64, expect_sink);
}

/* ---- Barriers, shared memory ----------------------------------------------------------------- */

static void expect_reverse(memory_t *m, uint32_t blocks, uint32_t threads) {
  for (uint32_t t = 0; t < blocks * threads; t++) {
    uint32_t other = t / threads * threads + (threads - 1 - t % threads), sum = 0;
    for (uint32_t k = 0; k < 3; k++) sum += (uint32_t)get_in(m, 4 * other, 4) + k;
    put_out(m, 4 * t, sum, 4);
  }
}

/* Three rounds of write, barrier, read the mirrored thread's
 * word, barrier: up to 40 blocks, and 1000 threads. */
static void test_barriers(void **state) {
  (void)state;
  static const char reverse[] = KERNEL(
      "mad.wide.u32 %d3, %r4, 4, %d1;\nmad.wide.u32 %d4, %r4, 4, %d2;\nld.global.u32 %r10, [%d3];\nmov.u32 %r20, sh;\n"
      "mad.lo.u32 %r21, %r1, 4, %r20;\n"
      "sub.u32 %r22, %r3, %r1;\nsub.u32 %r22, %r22, 1;\nmad.lo.u32 %r22, %r22, 4, %r20;\nmov.u32 %r23, 0;\n"
      "mov.u32 %r24, 0;\n"
      "LOOP:\nadd.u32 %r25, %r10, %r24;\nst.shared.u32 [%r21], %r25;\nbar.sync 1;\nld.shared.u32 %r26, [%r22];\n"
      "add.u32 %r23, %r23, %r26;\nbar.sync 0;\n"
      "add.u32 %r24, %r24, 1;\nsetp.lt.u32 %p1, %r24, 3;\n@%p1 bra LOOP;\nst.global.u32 [%d4], %r23;");
  run_everywhere(reverse, 16, 50, expect_reverse);
  run_everywhere(reverse, 3, 1000, expect_reverse);
  run_everywhere(reverse, 40, 97, expect_reverse);
}

/* bar.arrive by the first warp, bar.sync with a count by the second. */
static void expect_arrive(memory_t *m, uint32_t blocks, uint32_t threads) {
  for (uint32_t t = 0; t < blocks * threads; t++) put_out(m, 4 * t, t % threads < 32 ? 9 : 1000 + t % threads - 32, 4);
}

static void test_arrive(void **state) {
  (void)state;
  run_everywhere(
      KERNEL(
          "mad.wide.u32 %d4, %r4, 4, %d2;\nmov.u32 %r20, sh;\nmad.lo.u32 %r21, %r1, 4, %r20;\n"
          "setp.ge.u32 %p1, %r1, 32;\n@%p1 bra SECOND;\n"
          "add.u32 %r10, %r1, 1000;\nst.shared.u32 [%r21+128], %r10;\nbar.arrive 3, 64;\nmov.u32 %r10, 9;\nbra END;\n"
          "SECOND:\nbar.sync 3, 64;\nld.shared.u32 %r10, [%r21];\nEND:\nst.global.u32 [%d4], %r10;"),
      6, 64, expect_arrive);
}

/* ---- Order of a warp's accesses -------------------------------------------------------------- */

/* Each thread writes a word of another core's memory and reads
 * it again at once; then another thread's of its warp. */
static void expect_remote(memory_t *m, uint32_t blocks, uint32_t threads) {
  for (uint32_t t = 0; t < blocks * threads; t++) {
    uint32_t far = (t + 1024) % 2048; /* a core further */
    put_out(m, 4 * far, t * 3 + 1, 4);
    put_out(m, 8192 + 4 * t, (t * 3 + 1) + ((t ^ 1) * 3 + 1), 4);
  }
}

static void test_remote(void **state) {
  (void)state;
  for (unsigned m = 0; m < BED_MACHINES; m++) {
    mpu_stats_t s = run_on_machine(
        m,
        KERNEL("add.u32 %r10, %r4, 1024;\nand.b32 %r10, %r10, 2047;\nmad.wide.u32 %d3, %r10, 4, %d2;\n"
               "xor.b32 %r11, %r10, 1;\n"
               "mad.wide.u32 %d4, %r11, 4, %d2;\nmad.wide.u32 %d5, %r4, 4, %d2;\nmad.lo.u32 %r12, %r4, 3, 1;\n"
               "st.global.u32 [%d3], %r5;\nst.global.u32 [%d3], %r12;\nld.global.u32 %r13, [%d3];\n"
               "ld.global.u32 %r14, [%d4];\n"
               "add.u32 %r13, %r13, %r14;\nst.global.u32 [%d5+8192], %r13;"),
        16, 128, expect_remote);
    assert_true(s.remote_transfers >= 2048 / 8);
    assert_true(s.packets[0] == s.remote_transfers && s.packets[1] == s.packets[0]);
  }
}

/* A core that has slept over a refresh or two of its memory is asked for something by another. */
static void expect_late(memory_t *m, uint32_t blocks, uint32_t threads) {
  for (uint32_t t = 0; t < blocks * threads; t++) put_out(m, 4 * t, (uint32_t)get_in(m, 4096 + 4 * t, 4) + 900 * 3, 4);
}

/* 900 turns of a loop take more than two refresh intervals of 3900 cycles. */
static void test_sleep(void **state) {
  (void)state;
  for (unsigned m = 0; m < BED_MACHINES; m += 4) {
    mpu_stats_t s = run_on_machine(
        m,
        KERNEL("mad.wide.u32 %d3, %r4, 4, %d1;\nmad.wide.u32 %d4, %r4, 4, %d2;\nmov.u32 %r10, 0;\nmov.u32 %r11, 0;\n"
               "LOOP:\nadd.u32 %r10, %r10, 3;\nadd.u32 %r11, %r11, 1;\nsetp.lt.u32 %p1, %r11, 900;\n@%p1 bra LOOP;\n"
               "ld.global.u32 %r12, [%d3+4096];\nadd.u32 %r12, %r12, %r10;\nst.global.u32 [%d4], %r12;"),
        1, 64, expect_late);
    assert_true(s.cycles > 2 * 3900 && s.refreshes > 0);
  }
}

/* Of threads of a warp that write one word the highest wins, in global memory and in shared. */
static void expect_same_word(memory_t *m, uint32_t blocks, uint32_t threads) {
  for (uint32_t t = 0; t < blocks * threads; t++) {
    put_out(m, 4 * (t / 4), t / 4 * 4 + 3, 4);
    put_out(m, 8192 + 4 * (t / 8), (t / 8 * 8 + 7) * 2, 4);
  }
}

static void test_same_word(void **state) {
  (void)state;
  run_everywhere(
      KERNEL(
          "shr.u32 %r10, %r4, 2;\nmad.wide.u32 %d3, %r10, 4, %d2;\nst.global.u32 [%d3], %r4;\nshr.u32 %r11, %r1, 3;\n"
          "mov.u32 %r20, sh;\n"
          "mad.lo.u32 %r20, %r11, 4, %r20;\nadd.u32 %r12, %r4, %r4;\nst.shared.u32 [%r20], %r12;\nbar.sync 0;\n"
          "ld.shared.u32 %r13, [%r20];\n"
          "shr.u32 %r14, %r4, 3;\nmad.wide.u32 %d4, %r14, 4, %d2;\nst.global.u32 [%d4+8192], %r13;"),
      3, 128, expect_same_word);
}

/* ---- Constants, local memory, carry, 16 bits ------------------------------------------------- */

/* a * 8 by a carry of 32-bit parts, a table and
 * the parameter 5, and 16 bits with their sign. */
static void expect_rest(memory_t *m, uint32_t blocks, uint32_t threads) {
  for (uint32_t t = 0; t < blocks * threads; t++) {
    uint64_t a = get_in(m, 8 * t, 8), sum = a + a * 7;
    put_out(m, 16 * t, sum, 8);
    put_out(m, 16 * t + 8, t % 4 * 100 + 5, 4);
    put_out(m, 16 * t + 12, (uint32_t)(int16_t)(a * 3), 4);
  }
}

static void test_rest(void **state) {
  (void)state;
  run_everywhere(
      ".version 8.0\n.target sm_80\n.address_size 64\n.const .u32 table[4] = {0, 100, 200, 300};\n"
      ".visible .entry k(.param .u64 k_a, .param .u32 k_n)\n{\n"
      ".reg .b16 %h<9>; .reg .b32 %r<30>; .reg .b64 %d<30>;\n.local .align 8 .b8 lo[16];\nld.param.u64 %d1, [k_a];\n"
      "mov.u32 %r1, %ctaid.x;\n"
      "mov.u32 %r2, %ntid.x;\n"
      "mov.u32 %r3, %tid.x;\nmad.lo.u32 %r4, %r1, %r2, %r3;\nmad.wide.u32 %d2, %r4, 8, %d1;\n"
      "mad.wide.u32 %d3, %r4, 16, %d1;\nadd.s64 %d3, %d3, 16384;\n"
      "ld.global.u64 %d4, [%d2];\nmul.lo.s64 %d5, %d4, 7;\nst.local.u64 [lo+8], %d5;\nmov.u64 %d7, lo;\n"
      "ld.local.u64 %d5, [%d7+8];\n"
      "mov.b64 {%r5, _}, %d4;\ncvt.u32.u64 %r5, %d4;\nshr.u64 %d6, %d4, 32;\ncvt.u32.u64 %r6, %d6;\n"
      "cvt.u32.u64 %r7, %d5;\n"
      "shr.u64 %d6, %d5, 32;\ncvt.u32.u64 %r8, %d6;\n"
      "add.cc.u32 %r9, %r5, %r7;\naddc.u32 %r10, %r6, %r8;\nmov.b64 %d8, {%r9, %r10};\nst.global.u64 [%d3], %d8;\n"
      "and.b32 %r11, %r4, 3;\n"
      "mul.wide.u32 %d9, %r11, 4;\n"
      "mov.u64 %d10, table;\nadd.s64 %d10, %d10, %d9;\nld.const.u32 %r12, [%d10];\nmov.u64 %d11, k_n;\n"
      "ld.param.u32 %r13, [%d11];\nadd.u32 %r12, %r12, %r13;\n"
      "st.global.u32 [%d3+8], %r12;\ncvt.u16.u64 %h1, %d4;\nmul.lo.s16 %h2, %h1, 3;\ncvt.s32.s16 %r14, %h2;\n"
      "st.global.u32 [%d3+12], %r14;\nret;\n}\n",
      4, 70, expect_rest);
}

/* Shuffles as cooperative groups have them: distance, clamp and segment,
 * and member mask in registers, and what they tell in a predicate. */
static void expect_shuffle(memory_t *m, uint32_t blocks, uint32_t threads) {
  for (uint32_t i = 0; i < blocks * threads; i++) {
    const uint32_t partner = i ^ 4, below = i + 2;
    const uint32_t sum = (uint32_t)(get_in(m, 4 * i, 4) + get_in(m, 4 * partner, 4));
    const uint32_t next = (uint32_t)(get_in(m, 4 * below, 4) + get_in(m, 4 * (below ^ 4), 4));
    put_out(m, 4 * i, i % 8 < 6 ? next : sum + 77, 4);
  }
}

static void test_shuffle(void **state) {
  (void)state;
  static const char ptx[] = KERNEL(
      "mul.wide.u32 %d3, %r4, 4;\nadd.s64 %d4, %d1, %d3;\nadd.s64 %d5, %d2, %d3;\n"
      "ld.global.u32 %r10, [%d4];\nmov.u32 %r11, 4;\n"
      "mov.u32 %r12, 6175;\nmov.u32 %r13, -1;\nmov.u32 %r16, 2;\nshfl.sync.bfly.b32 %r14|%p1, %r10, %r11, %r12, %r13;\n"
      "@%p1 add.u32 %r10, %r10, %r14;\nshfl.sync.down.b32 %r15|%p2, %r10, %r16, %r12, %r13;\nadd.u32 %r17, %r10, 77;\n"
      "selp.u32 %r18, %r15, %r17, %p2;\nst.global.u32 [%d5], %r18;");
  run_everywhere(ptx, 5, 96, expect_shuffle);
  run_everywhere(ptx, 2, 32, expect_shuffle);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shuffle),     cmocka_unit_test(test_widths), cmocka_unit_test(test_blocks),
      cmocka_unit_test(test_wide_narrow), cmocka_unit_test(test_loop),   cmocka_unit_test(test_exit),
      cmocka_unit_test(test_guards),      cmocka_unit_test(test_nobody), cmocka_unit_test(test_barriers),
      cmocka_unit_test(test_arrive),      cmocka_unit_test(test_remote), cmocka_unit_test(test_sleep),
      cmocka_unit_test(test_same_word),   cmocka_unit_test(test_rest)};
  return cmocka_run_group_tests_name("mpu_kernels", tests, NULL, NULL);
}
