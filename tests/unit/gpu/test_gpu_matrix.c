/* SPDX-License-Identifier: Apache-2.0
 *
 * mma and movmatrix on a GPU with ideal stacks: fragments as the PTX ISA's tables have them, a
 * formula each, against three loops (matrix_reference.h); what a tensor unit costs; what is
 * refused; what faults.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gpu_rig.h"
#include "half_reference.h"
#include "matrix_reference.h"
#include "program_text.h"
#include "unit_test.h"

enum { LANES = 32, SLOT = 64 /* bytes of a thread's part of a matrix */ };

/* ---- Where the PTX ISA has element i of a thread's fragment; g: laneid >> 2, t: laneid % 4 --- */

typedef struct {
  unsigned row, col;
} place_t;
typedef place_t place_fn_t(unsigned g, unsigned t, unsigned i);

#define PLACE(name, row, col)                               \
  static place_t name(unsigned g, unsigned t, unsigned i) { \
    (void)i;                                                \
    return (place_t){(row), (col)};                         \
  }
PLACE(c_m8, g, t * 2 + i)
PLACE(c_m16, i < 2 ? g : g + 8, t * 2 + (i & 1))
/* m8n8k4, m16n8k4, m16n8k8, m16n8k16 of f64; m16n8k4 and m16n8k8 of tf32 */
PLACE(a_one, g, t)
PLACE(b_one, t, g)
PLACE(a_two, i == 0 ? g : g + 8, t)
PLACE(a_four, i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4)
PLACE(b_two, i == 0 ? t : t + 4, g)
PLACE(a_eight, i % 2 == 0 ? g : g + 8, i % 2 == 0 ? i * 2 + t : i * 2 - 2 + t)
PLACE(b_four, t + i * 4, g)
/* m16n8k8 and m16n8k16 of f16 and bf16 */
PLACE(a_half_k8, i < 2 ? g : g + 8, t * 2 + (i & 1))
PLACE(b_half_k8, t * 2 + i, g)
PLACE(a_half_k16, i < 2 || (4 <= i && i < 6) ? g : g + 8, i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8)
PLACE(b_half_k16, i < 2 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8, g)
/* m8n8k16, m16n8k16, m16n8k32 of s8 and u8 */
PLACE(a_byte_m8, g, t * 4 + i)
PLACE(b_byte_k16, t * 4 + i, g)
PLACE(a_byte_k16, i < 4 ? g : g + 8, t * 4 + (i & 3))
PLACE(a_byte_k32, i < 4 || (8 <= i && i < 12) ? g : g + 8, i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16)
PLACE(b_byte_k32, i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16, g)
/* m8n8k32, m16n8k32, m16n8k64 of s4 and u4 */
PLACE(a_four_m8, g, t * 8 + i)
PLACE(b_four_k32, t * 8 + i, g)
PLACE(a_four_k32, i < 8 ? g : g + 8, t * 8 + (i & 7))
PLACE(a_four_k64, i < 8 || (16 <= i && i < 24) ? g : g + 8, i < 16 ? t * 8 + (i & 7) : t * 8 + (i & 7) + 32)
PLACE(b_four_k64, i < 8 ? t * 8 + (i & 7) : t * 8 + (i & 7) + 32, g)
/* m8n8k128, m16n8k128, m16n8k256 of b1 */
PLACE(a_bit_m8, g, t * 32 + i)
PLACE(b_bit_k128, t * 32 + i, g)
PLACE(a_bit_k128, i < 32 ? g : g + 8, t * 32 + (i & 31))
PLACE(a_bit_k256, i < 32 || (64 <= i && i < 96) ? g : g + 8, i < 64 ? t * 32 + (i & 31) : t * 32 + (i & 31) + 128)
PLACE(b_bit_k256, i < 32 ? t * 32 + (i & 31) : t * 32 + (i & 31) + 128, g)

typedef struct {
  product_t p;
  const char *more; /* modifiers before the types, and behind them */
  const char *behind;
  place_fn_t *a, *b, *c;
} form_t;

/* A product in the usual rounding, without modifiers. */
#define FORM(m, n, k, d, a, b, c, fa, fb, fc) \
  { {m, n, k, d, a, b, c, PAIRS_MULTIPLY, false, 0}, "", "", fa, fb, fc }
static const form_t forms[] = {
    FORM(16, 8, 16, N_F32, N_F16, N_F16, N_F32, a_half_k16, b_half_k16, c_m16),
    FORM(16, 8, 16, N_F16, N_F16, N_F16, N_F16, a_half_k16, b_half_k16, c_m16),
    FORM(16, 8, 16, N_F32, N_BF16, N_BF16, N_F32, a_half_k16, b_half_k16, c_m16),
    FORM(16, 8, 8, N_F32, N_F16, N_F16, N_F32, a_half_k8, b_half_k8, c_m16),
    FORM(16, 8, 8, N_F16, N_F16, N_F16, N_F16, a_half_k8, b_half_k8, c_m16),
    FORM(16, 8, 8, N_F32, N_BF16, N_BF16, N_F32, a_half_k8, b_half_k8, c_m16),
    FORM(16, 8, 4, N_F32, N_TF32, N_TF32, N_F32, a_two, b_one, c_m16),
    FORM(16, 8, 8, N_F32, N_TF32, N_TF32, N_F32, a_four, b_two, c_m16),
    FORM(8, 8, 4, N_F64, N_F64, N_F64, N_F64, a_one, b_one, c_m8),
    FORM(16, 8, 4, N_F64, N_F64, N_F64, N_F64, a_two, b_one, c_m16),
    FORM(16, 8, 8, N_F64, N_F64, N_F64, N_F64, a_four, b_two, c_m16),
    FORM(16, 8, 16, N_F64, N_F64, N_F64, N_F64, a_eight, b_four, c_m16),
    {{8, 8, 4, N_F64, N_F64, N_F64, N_F64, PAIRS_MULTIPLY, false, 1}, ".rz", "", a_one, b_one, c_m8},
    {{8, 8, 4, N_F64, N_F64, N_F64, N_F64, PAIRS_MULTIPLY, false, 2}, ".rm", "", a_one, b_one, c_m8},
    {{8, 8, 4, N_F64, N_F64, N_F64, N_F64, PAIRS_MULTIPLY, false, 3}, ".rp", "", a_one, b_one, c_m8},
    FORM(8, 8, 16, N_S32, N_S8, N_S8, N_S32, a_byte_m8, b_byte_k16, c_m8),
    FORM(8, 8, 16, N_S32, N_U8, N_S8, N_S32, a_byte_m8, b_byte_k16, c_m8),
    FORM(16, 8, 16, N_S32, N_S8, N_U8, N_S32, a_byte_k16, b_byte_k16, c_m16),
    FORM(16, 8, 32, N_S32, N_S8, N_S8, N_S32, a_byte_k32, b_byte_k32, c_m16),
    FORM(16, 8, 32, N_S32, N_U8, N_U8, N_S32, a_byte_k32, b_byte_k32, c_m16),
    {{16, 8, 32, N_S32, N_S8, N_S8, N_S32, PAIRS_MULTIPLY, true, 0}, ".satfinite", "", a_byte_k32, b_byte_k32, c_m16},
    {{8, 8, 16, N_S32, N_U8, N_U8, N_S32, PAIRS_MULTIPLY, true, 0}, ".satfinite", "", a_byte_m8, b_byte_k16, c_m8},
    FORM(8, 8, 32, N_S32, N_S4, N_U4, N_S32, a_four_m8, b_four_k32, c_m8),
    FORM(16, 8, 32, N_S32, N_U4, N_S4, N_S32, a_four_k32, b_four_k32, c_m16),
    FORM(16, 8, 64, N_S32, N_S4, N_S4, N_S32, a_four_k64, b_four_k64, c_m16),
    {{16, 8, 64, N_S32, N_U4, N_U4, N_S32, PAIRS_MULTIPLY, true, 0}, ".satfinite", "", a_four_k64, b_four_k64, c_m16},
    {{8, 8, 128, N_S32, N_B1, N_B1, N_S32, PAIRS_XOR, false, 0}, "", ".xor.popc", a_bit_m8, b_bit_k128, c_m8},
    {{16, 8, 128, N_S32, N_B1, N_B1, N_S32, PAIRS_AND, false, 0}, "", ".and.popc", a_bit_k128, b_bit_k128, c_m16},
    {{16, 8, 256, N_S32, N_B1, N_B1, N_S32, PAIRS_XOR, false, 0}, "", ".xor.popc", a_bit_k256, b_bit_k256, c_m16},
};
enum { FORMS = sizeof forms / sizeof *forms };

/* ---- Programs -------------------------------------------------------------------------------- */

#define HEAD                                                                                               \
  ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n" \
  ".shared .align 16 .b8 sh[4096]; .local .align 16 .b8 lo[16];\n"                                         \
  ".reg .pred %p<4>; .reg .b32 %r<30>; .reg .b64 %d<9>; .reg .b16 %h<3>;\n"                                \
  ".reg .b32 %xa<9>, %xb<9>, %xc<9>; .reg .b64 %ya<9>, %yb<9>, %yc<9>;\n"                                  \
  "ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; mov.u32 %r0, %tid.x; and.b32 %r3, %r0, 31;\n"          \
  "mad.wide.u32 %d3, %r3, 192, %d1; mad.wide.u32 %d4, %r3, 64, %d2;\n"

/* Registers of a thread for matrix a, b or c: 32 threads share its elements. */
static unsigned registers_of(const product_t *p, char role) {
  number_t of = p->c;
  unsigned elements = p->m * p->n;
  if (role == 'a') of = p->a, elements = p->m * p->k;
  if (role == 'b') of = p->b, elements = p->k * p->n;
  return elements * number_bits(of) / 32 / (number_bits(of) == 64 ? 64 : 32);
}

/* f64 is in registers of 64 bits. */
static bool is_wide(const product_t *p) {
  return p->d == N_F64;
}

/* {%xa0, %xa1, ...}; %y for f64. */
static void say_list(program_text_t *p, const product_t *of, char role) {
  say(p, "{");
  for (unsigned i = 0; i < registers_of(of, role); i++)
    say(p, "%s%%%c%c%u", i ? ", " : "", is_wide(of) ? 'y' : 'x', role, i);
  say(p, "}");
}

/* Loads of a thread's part, or stores of it, `at` bytes from its slot. */
static void say_moves(program_text_t *p, const product_t *of, char role, unsigned at, bool store) {
  for (unsigned i = 0; i < registers_of(of, role); i++) {
    const unsigned byte = at + i * (is_wide(of) ? 8 : 4);
    if (store)
      say(p, "st.global.b%u [%%d4+%u], %%%c%c%u;\n", is_wide(of) ? 64 : 32, byte, is_wide(of) ? 'y' : 'x', role, i);
    else say(p, "ld.global.b%u %%%c%c%u, [%%d3+%u];\n", is_wide(of) ? 64 : 32, is_wide(of) ? 'y' : 'x', role, i, byte);
  }
}

/* times: as often, each with the last one's sum. */
static void say_mma(program_text_t *p, const form_t *f, unsigned times) {
  const product_t *of = &f->p;
  p->used = 0;
  say(p, "%s", HEAD);
  for (unsigned i = 0; i < 3; i++) say_moves(p, of, "abc"[i], i * SLOT, false);
  for (unsigned i = 0; i < times; i++) {
    say(p, "mma.sync.aligned.m%un%uk%u.row.col%s.%s.%s.%s.%s%s ", of->m, of->n, of->k, f->more, number_name(of->d),
        number_name(of->a), number_name(of->b), number_name(of->c), f->behind);
    for (unsigned o = 0; o < 4; o++) say_list(p, of, "cabc"[o]), say(p, o < 3 ? ", " : ";\n");
  }
  say_moves(p, of, 'c', 0, true);
  say(p, "ret;\n}\n");
}

/* ---- Runs ------------------------------------------------------------------------------------ */

typedef struct {
  uint8_t in[LANES * 3 * SLOT], out[LANES * SLOT];
  gpu_stats_t stats;
  char says[sizeof((trouble_t *)0)->text];
} bed_t;

/* 0, or the exit status; b->says why. */
static int run_ptx(bed_t *b, const gpu_config_t *c, const char *ptx, unsigned threads) {
  trouble_t err = {0};
  gpu_rig_t *r = rig_new(c, ptx, strlen(ptx), "matrix.ptx", false);
  if (r->err.kind) fail_msg("%s", r->err.text);
  const uint64_t params[] = {gpu_malloc(r->gpu, sizeof b->in, &err), gpu_malloc(r->gpu, sizeof b->out, &err)};
  const gpu_launch_t l = {.grid = {1, 1, 1}, .block = {threads, 1, 1}, .params = params, .param_bytes = sizeof params};
  assert_int_equal(gpu_copy_in(r->gpu, params[0], b->in, sizeof b->in, &err), 0);
  const int status = rig_run(r, &l, 1000000);
  if (!status) assert_int_equal(gpu_copy_out(r->gpu, b->out, params[1], sizeof b->out, &err), 0);
  b->stats = gpu_stats(r->gpu);
  snprintf(b->says, sizeof b->says, "%s", r->err.text);
  rig_free(r);
  return status;
}

typedef struct {
  uint64_t a[MOST_NUMBERS], b[MOST_NUMBERS], c[MOST_NUMBERS], d[MOST_NUMBERS];
} numbers_t;

/* Numbers among which are the special ones of the type. */
static void pick_all(uint64_t *to, number_t of, unsigned count, uint64_t *seed) {
  for (unsigned i = 0; i < count; i++) to[i] = number_pick(of, seed);
}

/* Elements of a matrix to the threads that the ISA gives them to. */
static void deal_fragments(bed_t *b, unsigned slot, number_t of, unsigned elements, unsigned columns, place_fn_t *place,
                           const uint64_t *from) {
  for (unsigned lane = 0; lane < LANES; lane++)
    for (unsigned i = 0; i < elements / LANES; i++) {
      const place_t at = place(lane >> 2, lane % 4, i);
      number_put(b->in + (lane * 3 + slot) * SLOT, of, i, from[at.row * columns + at.col]);
    }
}

/* One product of random numbers, in one warp. */
static void check_form(const form_t *f, uint64_t *seed) {
  static bed_t b;
  static program_text_t text;
  static numbers_t x;
  const product_t *p = &f->p;
  const gpu_config_t c = rig_two_sms();
  say_mma(&text, f, 1);
  pick_all(x.a, p->a, p->m * p->k, seed), pick_all(x.b, p->b, p->k * p->n, seed),
      pick_all(x.c, p->c, p->m * p->n, seed);
  deal_fragments(&b, 0, p->a, p->m * p->k, p->k, f->a, x.a), deal_fragments(&b, 1, p->b, p->k * p->n, p->n, f->b, x.b),
      deal_fragments(&b, 2, p->c, p->m * p->n, p->n, f->c, x.c);
  product_of(p, x.a, x.b, x.c, x.d);
  if (run_ptx(&b, &c, text.text, LANES)) fail_msg("%s", b.says);
  for (unsigned lane = 0; lane < LANES; lane++)
    for (unsigned i = 0; i < p->m * p->n / LANES; i++) {
      const place_t at = f->c(lane >> 2, lane % 4, i);
      const uint64_t got = number_at(b.out + lane * SLOT, p->d, i), want = x.d[at.row * p->n + at.col];
      if (got != want)
        fail_msg("m%un%uk%u of %s: thread %u, element %u is 0x%llx, not 0x%llx", p->m, p->n, p->k, number_name(p->a),
                 lane, i, (unsigned long long)got, (unsigned long long)want);
    }
  assert_int_equal(b.stats.matrix_products, 1);
  assert_int_equal(b.stats.matrix_multiplications, p->m * p->n * p->k);
}

/* Twelve times each form. */
static void test_products(void **state) {
  uint64_t seed = 11;
  (void)state;
  for (unsigned f = 0; f < FORMS; f++)
    for (unsigned n = 0; n < 12; n++) check_form(&forms[f], &seed);
}

/* ---- movmatrix ------------------------------------------------------------------------------- */

/* Thread 4 i + j has elements 2 j and 2 j + 1 of row i, and then of column i. */
static void test_transposed(void **state) {
  static bed_t b;
  const gpu_config_t c = rig_two_sms();
  uint64_t seed = 3;
  (void)state;
  for (unsigned i = 0; i < sizeof b.in; i++) b.in[i] = (uint8_t)test_random(&seed);
  if (run_ptx(
          &b, &c,
          HEAD
          "ld.global.b32 %r1, [%d3]; movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1; st.global.b32 [%d4], %r2;\nret;\n"
          "}\n",
          LANES))
    fail_msg("%s", b.says);
  for (unsigned row = 0; row < 8; row++)
    for (unsigned col = 0; col < 8; col++)
      assert_memory_equal(b.out + (4 * col + row / 2) * SLOT + row % 2 * 2,
                          b.in + (4 * row + col / 2) * 3 * SLOT + col % 2 * 2, 2);
}

/* ---- cvt to tf32 ----------------------------------------------------------------------------- */

/* 11 digits of x by the host's arithmetic; the smallest step is that of the
 * smallest normal numbers. mode: 0 nearest, 1 zero, 2 nearest and ties away. */
static uint32_t eleven_digits(uint32_t code, unsigned mode, bool relu, bool finite) {
  float x = float_of(code);
  int exponent;
  if (isnan(x)) return 0x7fffffff;
  if (relu && signbit(x)) return 0;
  frexpf(x, &exponent);
  if (exponent < -125) exponent = -125;
  const double digits = ldexp((double)x, 11 - exponent);
  double whole = rint(digits);
  if (mode == 1) whole = trunc(digits);
  if (mode == 2) whole = round(digits);
  const double rounded = ldexp(whole, exponent - 11);
  const double most = ldexp(2047, 117);
  if (isinf(x) || fabs(rounded) > most) return bits_of((float)copysign(finite ? most : (double)INFINITY, (double)x));
  return bits_of((float)copysign(rounded, (double)x));
}

/* special: the largest numbers, infinities, NaN,
 * subnormals, ties. The rest is random codes. */
static void test_tf32(void **state) {
  static const struct {
    const char *modifiers;
    unsigned mode;
    bool relu, finite;
  } row[] = {{"rna", 2, false, false},          {"rn", 0, false, false},
             {"rz", 1, false, false},           {"rn.relu", 0, true, false},
             {"rz.relu", 1, true, false},       {"rn.satfinite", 0, false, true},
             {"rna.satfinite", 2, false, true}, {"rn.satfinite.relu", 0, true, true}};
  static const uint32_t special[] = {0x7f7fffff, 0x7f7ff000, 0x7f7fefff, 0x7f800000, 0xff800000, 0x7fc00001,
                                     0x00001000, 0x00000fff, 0x80001000, 0x3f801000, 0x3f803000, 0xbf801000,
                                     0x3f800fff, 0x3fffffff, 0x80000000, 0x007fffff};
  enum { SPECIAL = sizeof special / sizeof *special };
  static program_text_t text;
  static bed_t b;
  uint64_t seed = 4;
  (void)state;
  for (unsigned i = 0; i < 10 * sizeof row / sizeof *row; i++) {
    const gpu_config_t c = rig_two_sms();
    const unsigned k = i / 10;
    uint32_t code[LANES], got;
    for (unsigned lane = 0; lane < LANES; lane++) {
      code[lane] = lane < SPECIAL && i % 10 == 0 ? special[lane] : (uint32_t)test_random(&seed);
      memcpy(b.in + lane * 3 * SLOT, &code[lane], 4);
    }
    text.used = 0;
    say(&text, "%sld.global.b32 %%r1, [%%d3]; cvt.%s.tf32.f32 %%r2, %%r1; st.global.b32 [%%d4], %%r2;\nret;\n}\n", HEAD,
        row[k].modifiers);
    if (run_ptx(&b, &c, text.text, LANES)) fail_msg("%s", b.says);
    for (unsigned lane = 0; lane < LANES; lane++) {
      const uint32_t want = eleven_digits(code[lane], row[k].mode, row[k].relu, row[k].finite);
      memcpy(&got, b.out + lane * SLOT, 4);
      if (got != want)
        fail_msg("cvt.%s.tf32.f32 of 0x%08x is 0x%08x, not 0x%08x", row[k].modifiers, code[lane], got, want);
    }
  }
}

/* ---- Time ------------------------------------------------------------------------------------ */

/* Core cycles of a launch with so many products after each other. */
static uint64_t cycles_of_mma(const form_t *f, const gpu_config_t *c, unsigned times, unsigned threads) {
  static bed_t b;
  static program_text_t text;
  say_mma(&text, f, times);
  memset(b.in, 0, sizeof b.in);
  if (run_ptx(&b, c, text.text, threads)) fail_msg("%s", b.says);
  return b.stats.core_cycles;
}

/* Each waits for the one before it: the unit's cycles, which go with the rate of
 * its types, and then the latency of 22. Nine products against one are eight more.
 * unit: m n k multiplications, at 128 a cycle of f16, 64
 * of tf32, 8 of f64, 256 of s8, 512 of s4 and 2048 of b1. */
static void test_latency(void **state) {
  static const struct {
    unsigned form, unit; /* unit: cycles at 128 multiplications of f16 a cycle */
  } row[] = {{0, 16}, {3, 8}, {6, 8}, {7, 16}, {8, 32}, {15, 4}, {18, 16}, {24, 16}, {26, 4}};
  (void)state;
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    gpu_config_t c = rig_two_sms();
    const form_t *f = &forms[row[i].form];
    assert_int_equal(cycles_of_mma(f, &c, 9, LANES) - cycles_of_mma(f, &c, 1, LANES), 8 * (row[i].unit + 22));
    c.sm.matrix_rate = 64, c.sm.matrix_latency = 5;
    assert_int_equal(cycles_of_mma(f, &c, 9, LANES) - cycles_of_mma(f, &c, 1, LANES), 8 * (2 * row[i].unit + 5));
  }
}

/* Of eight warps the SM's unit is always busy; where
 * each of the two schedulers has one, both are. */
static void test_unit(void **state) {
  (void)state;
  for (unsigned units = 1; units <= 2; units++) {
    gpu_config_t c = rig_two_sms();
    c.sm.partitions = units == 2, c.sm.scheduler = GPU_SCHEDULER_lrr;
    const uint64_t more = cycles_of_mma(&forms[0], &c, 120, 8 * LANES) - cycles_of_mma(&forms[0], &c, 80, 8 * LANES);
    assert_close((double)more, 40.0 * 8 * 16 / units, 0.02);
  }
}

/* ---- What is refused, what faults ------------------------------------------------------------ */

#define FOUR "{%xa0, %xa1, %xa2, %xa3}"
#define TWO "{%xa0, %xa1}"

/* Each is refused by a message that says which part of it is not executed. */
static void test_forms_not_executed(void **state) {
  static const struct {
    const char *code, *says;
  } row[] = {
      {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%xa0, %xa1, %xa2, %xa3, %xb0, %xb1, %xb2, %xb3}, " TWO ", " TWO
       ", {%xa0, %xa1, %xa2, %xa3, %xb0, %xb1, %xb2, %xb3};",
       "four products of f16 by eight threads each"},
      {"mma.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16 " TWO ", " FOUR ", " TWO ", " TWO ";",
       "shape of these types"},
      {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f16 " FOUR ", " FOUR ", " TWO ", " TWO ";", "types of matrices"},
      {"mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 " FOUR ", " FOUR ", " TWO ", " FOUR ";",
       "types of matrices"},
      {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 " FOUR ", " FOUR ", " TWO ", " FOUR ";",
       "types of matrices"},
      {"mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32 " FOUR ", " FOUR ", " TWO ", " FOUR ";", "layout"},
      {"mma.sync.aligned.m16n8k16.row.col.satfinite.f32.f16.f16.f32 " FOUR ", " FOUR ", " TWO ", " FOUR ";",
       ".satfinite of these types"},
      {"mma.sync.aligned.m16n8k16.row.col.rz.f32.f16.f16.f32 " FOUR ", " FOUR ", " TWO ", " FOUR ";",
       "rounding of these types"},
      {"mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32 " FOUR ", " TWO ", {%xb0}, " FOUR ";", "form"},
      {"mma.aligned.m16n8k16.row.col.f32.f16.f16.f32 " FOUR ", " FOUR ", " TWO ", " FOUR ";", "form"},
      {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " FOUR ", " TWO ", " TWO ", " FOUR ";",
       "number of a matrix's registers"},
      {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 " FOUR ", {%h0, %h1}, {%xb0}, " FOUR ";",
       "width of a matrix's registers"},
      {"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " FOUR ", " TWO ", " TWO ", " FOUR ", %r1, 0;",
       "sparse matrices, scales, or a shape"},
      {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " FOUR ", {%xa0, %xa1, %xa2, _}, " TWO ", " FOUR ";",
       "operand"},
      {"movmatrix.sync.aligned.m8n8.b16 %r1, %r2;", "matrices other than eight by eight of 16 bits"},
      {"movmatrix.sync.aligned.m8n8.trans.b32 %r1, %r2;", "matrices other than eight by eight of 16 bits"},
      {"cvt.rna.relu.tf32.f32 %r1, %r2;", "conversion"},
      {"cvt.tf32.f32 %r1, %r2;", "conversion"},
      {"cvt.f32.tf32 %r1, %r2;", "conversion"},
      {"wgmma.fence.sync.aligned;", "operation or type"},
  };
  static program_text_t text;
  (void)state;
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    static bed_t b;
    const gpu_config_t c = rig_two_sms();
    text.used = 0;
    say(&text, "%s%s\nret;\n}\n", HEAD, row[i].code);
    assert_int_equal(run_ptx(&b, &c, text.text, LANES), 2);
    if (!strstr(b.says, row[i].says) || !strstr(b.says, "is not executed by the GPU model ("))
      fail_msg("'%s' says '%s'", row[i].code, b.says);
  }
}

#define MMA "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 " FOUR ", {%xb0, %xb1}, {%xc0}, " FOUR ";"

/* All 32 threads must execute a product; where none does, nothing happens. */
static void test_partial_warps_stop_the_run(void **state) {
  static const struct {
    const char *code;
    unsigned threads;
    const char *says;
  } row[] = {
      {"setp.lt.u32 %p1, %r0, 31; @%p1 " MMA, 32,
       "executes 'mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32' with 31 of 32 threads; all have to execute it"},
      {"setp.lt.u32 %p1, %r0, 3; @%p1 exit; " MMA, 64, "with 29 of 32 threads"},
      {MMA, 40, "with 8 of 32 threads"},
      {"setp.lt.u32 %p1, %r0, 31; @%p1 movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;", 32, "with 31 of 32 threads"},
      {"setp.lt.u32 %p1, %r0, 64; @!%p1 " MMA, 64, NULL},
  };
  static program_text_t text;
  (void)state;
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    static bed_t b;
    const gpu_config_t c = rig_two_sms();
    text.used = 0;
    say(&text, "%s%s\nret;\n}\n", HEAD, row[i].code);
    assert_int_equal(run_ptx(&b, &c, text.text, row[i].threads), row[i].says ? 2 : 0);
    if (row[i].says && (!strstr(b.says, row[i].says) || strchr(b.says, '\n')))
      fail_msg("'%s' says '%s'", row[i].code, b.says);
    if (!row[i].says) assert_int_equal(b.stats.matrix_products, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_products),
                                     cmocka_unit_test(test_transposed),
                                     cmocka_unit_test(test_tf32),
                                     cmocka_unit_test(test_latency),
                                     cmocka_unit_test(test_unit),
                                     cmocka_unit_test(test_forms_not_executed),
                                     cmocka_unit_test(test_partial_warps_stop_the_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
