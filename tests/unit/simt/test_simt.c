/* SPDX-License-Identifier: Apache-2.0
 *
 * Opcode semantics. Each row of simt_rows.def runs one instruction on 32 lanes of corner
 * cases and random bits, against the host's C. The NSU's arithmetic must agree with the
 * GPU's wherever both have an instruction. Then approximations, carries, registers' slots,
 * and the stack of divergence.
 */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nsu_alu.h"
#include "nsu_fp64.h"
#include "nsu_isa.h"
#include "simt_stack.h"
#include "simt_unit.h"
#include "unit_test.h"

/* Ends of whole numbers' ranges, shift counts about 32 and 64, and codes of f32 and
 * f64 at the ends of their ranges: subnormal, infinite, NaN, beside powers of two. */
static const uint64_t corners[] = {
    0,
    1,
    2,
    3,
    7,
    31,
    32,
    33,
    63,
    64,
    100,
    127,
    128,
    255,
    256,
    0x7fff,
    0x8000,
    0xffff,
    0x10000,
    0x7fffffff,
    0x80000000,
    0x80000001,
    0xffffffff,
    0xfffffffe,
    0x100000000,
    0x7fffffffffffffff,
    0x8000000000000000,
    0xffffffffffffffff,
    0x3f800000,
    0xbf800000,
    0x00000001,
    0x007fffff,
    0x00800000,
    0x7f7fffff,
    0x7f800000,
    0xff800000,
    0x7fc00000,
    0x7f800001,
    0xffc12345,
    0x3f000000,
    0x3fc00000,
    0x40200000,
    0xc0200000,
    0x4b000001,
    0x4effffff,
    0x4f000000,
    0xcf000000,
    0x4f7fffff,
    0x4f800000,
    0x5f000000,
    0x33800000,
    0x34000000,
    0x3ff0000000000000,
    0xbff8000000000000,
    0x4004000000000000,
    0x7ff0000000000000,
    0x7ff8000000000000,
    0x0000000000000001,
    0x41dfffffffc00000,
    0x41e0000000000000,
    0x43e0000000000000,
    0x36a0000000000000,
    0x47efffffefffffff,
    0x43f0000000000000,
};

/* Three of four are corners; of the others most are any 64 bits. */
static uint64_t pick_operand(uint64_t *state) {
  uint64_t r = test_random(state);
  if (r % 4) return corners[(r >> 8) % (sizeof corners / sizeof corners[0])];
  return r % 8 ? test_random(state) : (uint64_t)(int64_t)(int32_t)test_random(state);
}

/* ---- Against the host ------------------------------------------------------------------------ */

/* Operands and results are 64-bit words; rows
 * of simt_rows.def take them apart with these.
 * F, D: the word as a number; U, UD: a number
 * as a word, a NaN of f32 as the canonical one. */
static float F(uint64_t x) {
  float f;
  uint32_t u = (uint32_t)x;
  memcpy(&f, &u, 4);
  return f;
}
static uint64_t U(float f) {
  uint32_t u;
  memcpy(&u, &f, 4);
  return f != f ? 0x7fffffff : u;
}
static double D(uint64_t x) {
  double d;
  memcpy(&d, &x, 8);
  return d;
}
static uint64_t UD(double d) {
  uint64_t u;
  memcpy(&u, &d, 8);
  return u;
}
/* The low bits as whole numbers of a type; S32 the other way round. */
static uint32_t u32(uint64_t x) {
  return (uint32_t)x;
}
static int32_t s32(uint64_t x) {
  return (int32_t)x;
}
static int16_t s16(uint64_t x) {
  return (int16_t)x;
}
static uint16_t u16(uint64_t x) {
  return (uint16_t)x;
}
static int64_t s64(uint64_t x) {
  return (int64_t)x;
}
static uint64_t S32(int64_t x) {
  return (uint32_t)(int32_t)x;
}
/* A subnormal operand as zero of its sign; a result clamped to 0 to 1. */
static float ftz(uint64_t x) {
  return fpclassify(F(x)) == FP_SUBNORMAL ? copysignf(0, F(x)) : F(x);
}
static uint64_t sat(float f) {
  if (!(f > 0)) return 0;
  return f < 1 ? U(f) : U(1.0f);
}
/* An operation in a rounding mode. Volatile operands keep the compiler from moving it. */
static uint64_t in_mode(int mode, char op, uint64_t a, uint64_t b, uint64_t c) {
  volatile float x = F(a), y = F(b), z = F(c), r;
  fesetround(mode);
  switch (op) {
  case '+': r = x + y; break;
  case '*': r = x * y; break;
  case '/': r = x / y; break;
  case 's': r = sqrtf(x); break;
  default: r = fmaf(x, y, z);
  }
  fesetround(FE_TONEAREST);
  return U(r);
}
/* name: a value of one type as another in a rounding mode, its bits. */
#define CONVERTED(name, from, to, value, bits) \
  static uint64_t name(int mode, from a) {     \
    volatile from x = a;                       \
    volatile to r;                             \
    fesetround(mode);                          \
    r = (to)(value);                           \
    fesetround(FE_TONEAREST);                  \
    return bits(r);                            \
  }
CONVERTED(d2f, uint64_t, float, D(x), U)
CONVERTED(i2f, int64_t, float, x, U)
CONVERTED(i2d, int64_t, double, x, UD)
CONVERTED(u2d, uint64_t, double, x, UD)
/* A conversion to a range: NaN is 0, what is beyond is the nearest end. */
static int64_t clamp(long double x, long double lo, long double hi) {
  if (x != x) return 0;
  if (x < lo) return (int64_t)lo;
  return x > hi ? (int64_t)hi : (int64_t)x;
}
/* brev: n bits the other way round; bfind: the highest set bit. */
static uint64_t rev(uint64_t x, unsigned n) {
  uint64_t r = 0;
  for (unsigned i = 0; i < n; i++) r = r << 1 | (x >> i & 1);
  return r;
}
static unsigned msb(uint64_t x) {
  unsigned n = 0;
  while (x >>= 1) n++;
  return n;
}
/* PTX's min and max: a NaN loses against a number, -0 is below +0. */
static float fminp(float a, float b) {
  if (a != a || b != b) return a != a ? b : a;
  if (a == b) return signbit(a) ? a : b;
  return a < b ? a : b;
}
static float fmaxp(float a, float b) {
  if (a != a || b != b) return a != a ? b : a;
  if (a == b) return signbit(a) ? b : a;
  return a > b ? a : b;
}

/* What a row expects where any NaN is right: f64 has no canonical one on the GPU. */
#define EITHER_NAN 0x7ff8deadbeef0000ull /* some NaN: f64 has no canonical one */

/* The low 24 bits as a signed number, for mul24 and mad24. */
static int64_t s24(uint64_t x) {
  return (int64_t)(x << 40) >> 40;
}
/* A byte's sign in all of its bits. */
static uint64_t sign_of(uint64_t x, unsigned byte) {
  return x >> (8 * byte + 7) & 1 ? 0xff : 0;
}
/* prmt without a mode: four selectors of a byte, bit 3 for its sign. */
static uint64_t permuted_by(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t from = (uint64_t)u32(b) << 32 | u32(a), r = 0;
  for (unsigned k = 0; k < 4; k++) {
    unsigned sel = (unsigned)(c >> 4 * k & 15);
    r |= (sel & 8 ? sign_of(from, sel & 7) : from >> 8 * (sel & 7) & 0xff) << 8 * k;
  }
  return r;
}
/* bfe: the PTX document's own loop. */
static uint64_t field_of(uint64_t a, uint64_t b, uint64_t c, unsigned bits, bool sign) {
  unsigned pos = b & 0xff, len = c & 0xff, top = pos + len - 1 < bits - 1 ? pos + len - 1 : bits - 1;
  uint64_t fill = sign && len && a >> top & 1, d = 0;
  for (unsigned i = 0; i < bits; i++) d |= (i < len && pos + i < bits ? a >> (pos + i) & 1 : fill) << i;
  return d;
}
/* bfi: x bits of a into b from position c on. */
static uint64_t inserted(uint64_t a, uint64_t b, uint64_t c, uint64_t x, unsigned bits) {
  unsigned pos = c & 0xff, len = x & 0xff;
  for (unsigned i = 0; i < len && pos + i < bits; i++) b = (b & ~(1ull << (pos + i))) | (a >> i & 1) << (pos + i);
  return b;
}
/* min and max of f64, with the same rules for NaN and zeros. */
static uint64_t least_f64(uint64_t a, uint64_t b, bool most) {
  if (D(a) != D(a)) return D(b) != D(b) ? EITHER_NAN : b;
  if (D(b) != D(b)) return a;
  if (D(a) == D(b)) return (a >> 63) != most ? a : b;
  return (D(a) < D(b)) != most ? a : b;
}
/* A difference rounded down, for sub.rm.f64. */
static uint64_t sub_down(uint64_t a, uint64_t b) {
  volatile double x = D(a), y = D(b), r;
  fesetround(FE_DOWNWARD);
  r = x - y;
  fesetround(FE_TONEAREST);
  return r != r ? EITHER_NAN : UD(r);
}
#define ROW(name, text, expr)                                         \
  static uint64_t expect_##name(const uint64_t *v, uint32_t ballot) { \
    const uint64_t a = v[0], b = v[1], c = v[2], x = v[3];            \
    (void)a, (void)b, (void)c, (void)x, (void)ballot;                 \
    return (uint64_t)(expr);                                          \
  }
#include "simt_rows.def"
#undef ROW

typedef struct {
  const char *name, *text;
  uint64_t (*expect)(const uint64_t *v, uint32_t ballot);
} row_t;

static row_t rows[] = {
#define ROW(name, text, expr) {#name, text, expect_##name},
#include "simt_rows.def"
#undef ROW
};

/* 60 rounds. Every third has a random mask: lanes
 * that are not in the mask keep what they had. */
static void check_row(const char *text, uint64_t (*expect)(const uint64_t *, uint32_t)) {
  unit_t u = executed_unit(text);
  const simt_reg_t *d = result_of(&u);
  uint64_t seed = 12345;
  for (unsigned round = 0; round < 60; round++) {
    uint64_t v[32][4];
    uint32_t ballot = 0, mask = round % 3 ? ~0u : (uint32_t)test_random(&seed);
    for (unsigned i = 0; i < 32; i++) {
      for (unsigned k = 0; k < 4; k++) v[i][k] = pick_operand(&seed);
      if (round == 1) v[i][0] |= 1;
      set_operands(&u, i, v[i]);
      ballot |= (uint32_t)(v[i][0] & 1) << i;
      set_lane(&u, d, i, 0x5a5a, false);
    }
    uint64_t before = get_lane(&u, d, 0);
    const simt_op_t *op = &u.kernel->ops[0];
    op->fn(op, &u.warp, mask);
    assert_int_equal(fegetround(), FE_TONEAREST); /* a mode is of one instruction */
    for (unsigned i = 0; i < 32; i++) {
      uint64_t got = get_lane(&u, d, i), want = expect(v[i], ballot & mask);
      if (!strncmp(text, "vote.all", 8)) want = (ballot & mask) == mask;
      if (!(mask >> i & 1)) want = d->bytes == 1 ? 0 : before;
      if (want == EITHER_NAN && (got & 0x7ff0000000000000) == 0x7ff0000000000000 && got << 12) continue;
      if (got != want)
        fail_msg("%s lane %u of mask %08x: a %llx b %llx c %llx x %llx: got %llx, expected %llx", text, i, mask,
                 (unsigned long long)v[i][0], (unsigned long long)v[i][1], (unsigned long long)v[i][2],
                 (unsigned long long)v[i][3], (unsigned long long)got, (unsigned long long)want);
    }
  }
  unit_free(&u);
}

/* One line of simt_rows.def is one test. */
static void test_row(void **state) {
  const row_t *row = *state;
  check_row(row->text, row->expect);
}

/* ---- Against the NSU: the mnemonics of nsu_isa.def are PTX ----------------------------------- */

static const struct {
  unsigned op, sources;
  const char *mnemonic;
} nsu_ops[] = {
#define ISA_ALU_ONLY_ALU(name, mnemonic, sources) {OP_##name, ISA_SRC_##sources, mnemonic},
#define ISA_ALU_ONLY_BEG(name, mnemonic, sources)
#define ISA_ALU_ONLY_END(name, mnemonic, sources)
#define ISA_ALU_ONLY_LD(name, mnemonic, sources)
#define ISA_ALU_ONLY_ST(name, mnemonic, sources)
#define ISA_ALU_ONLY_LDC(name, mnemonic, sources)
#define ISA_OP(name, code, mnemonic, kind, sources) ISA_ALU_ONLY_##kind(name, mnemonic, sources)
#include "nsu_isa.def"
};

/* The registers of a type, which stands at the beginning of the text. */
static const char *registers_of(const char *type) {
  if (!strncmp(type, ".f32", 4)) return "%f";
  return !strncmp(type, ".f64", 4) ? "%fd" : "%r";
}

/* The NSU's mnemonic is an instruction of PTX. 300 rounds of operands give
 * the same bits, but for NaNs of f64, of which the GPU has no canonical one. */
static void check_nsu(unsigned op, unsigned sources, const char *mnemonic) {
  char text[96];
  bool setp = !strncmp(mnemonic, "setp", 4), selp = !strncmp(mnemonic, "selp", 4), cvt = !strncmp(mnemonic, "cvt", 3);
  const char *type = strrchr(mnemonic, '.'), *from = type;
  if (cvt)
    while (*--type != '.') continue; /* cvt.rni.s32.f32: to, from */
  const char *d = setp ? "%p" : registers_of(type), *s = registers_of(from);
  if (sources == ISA_SRC_B) snprintf(text, sizeof text, "%s %s0, %s1;", mnemonic, d, s);
  else if (sources == ISA_SRC_AB)
    snprintf(text, sizeof text, "%s %s0, %s1, %s2;", mnemonic, d, s, !strncmp(mnemonic, "sh", 2) ? "%r" : s);
  else snprintf(text, sizeof text, "%s %s0, %s1, %s2, %s3;", mnemonic, d, s, s, selp ? "%p" : s);
  unit_t u = executed_unit(text);
  uint64_t seed = op;
  for (unsigned round = 0; round < 300; round++) {
    uint64_t v[32][4];
    for (unsigned i = 0; i < 32; i++) {
      for (unsigned k = 0; k < 4; k++) v[i][k] = pick_operand(&seed);
      set_operands(&u, i, v[i]);
    }
    u.kernel->ops[0].fn(&u.kernel->ops[0], &u.warp, ~0u);
    for (unsigned i = 0; i < 32; i++) {
      uint32_t a = (uint32_t)v[i][0], b = (uint32_t)v[i][1], c = (uint32_t)v[i][2];
      uint64_t want = sources == ISA_SRC_B ? nsu_alu(op, 0, a, 0) : nsu_alu(op, a, b, selp ? c & 1 : c);
      if (isa_pairs(op))
        want = sources == ISA_SRC_B ? nsu_fp64(op, 0, v[i][0], 0) : nsu_fp64(op, v[i][0], v[i][1], v[i][2]);
      uint64_t got = get_lane(&u, result_of(&u), i);
      /* some NaN: f64 has no canonical one on the GPU */
      if (isa_pairs(op) & ISA_PAIR_D && want == NSU_NAN64 && D(got) != D(got)) continue;
      if (got != want)
        fail_msg("%s: a %08x b %08x c %08x: GPU %08llx, NSU %08llx", text, a, b, c, (unsigned long long)got,
                 (unsigned long long)want);
    }
  }
  unit_free(&u);
}

/* All instructions of the NSU that compute; there are more than 70. */
static void test_nsu(void **state) {
  (void)state;
  assert_true(sizeof nsu_ops / sizeof nsu_ops[0] > 70);
  for (unsigned i = 0; i < sizeof nsu_ops / sizeof nsu_ops[0]; i++)
    check_nsu(nsu_ops[i].op, nsu_ops[i].sources, nsu_ops[i].mnemonic);
}

/* ---- Approximations: within PTX's bounds ----------------------------------------------------- */

/* 1600 arguments from `from` to `to`, within `worst`
 * of the host's double: relative, absolute below 1. */
static void check_approx(const char *text, double (*f)(double), double worst, float from, float to) {
  unit_t u = executed_unit(text);
  for (unsigned round = 0; round < 50; round++) {
    uint64_t v[32][4] = {{0}};
    for (unsigned i = 0; i < 32; i++) {
      v[i][0] = U(from + (to - from) * (float)(round * 32 + i) / 1600);
      set_operands(&u, i, v[i]);
    }
    u.kernel->ops[0].fn(&u.kernel->ops[0], &u.warp, ~0u);
    for (unsigned i = 0; i < 32; i++) {
      double want = f((double)F(v[i][0])), got = (double)F(get_lane(&u, result_of(&u), i));
      if (fabs(got - want) > worst * fmax(fabs(want), 1))
        fail_msg("%s of %g: %g, expected %g", text, (double)F(v[i][0]), got, want);
    }
  }
  unit_free(&u);
}
static double rsqrt_of(double x) {
  return 1 / sqrt(x);
}
static double rcp_of(double x) {
  return 1 / x;
}

/* Bounds on the largest error: 2^-20 for sin and cos, 2^-22 for the others. */
static void test_approximations(void **state) {
  (void)state;
  check_approx("sin.approx.f32 %f0, %f1;", sin, 0x1p-20, -3, 3);
  check_approx("cos.approx.f32 %f0, %f1;", cos, 0x1p-20, -3, 3);
  check_approx("ex2.approx.f32 %f0, %f1;", exp2, 0x1p-22, -20, 20);
  check_approx("lg2.approx.f32 %f0, %f1;", log2, 0x1p-22, 0.01f, 50);
  check_approx("sqrt.approx.f32 %f0, %f1;", sqrt, 0x1p-22, 0, 50);
  check_approx("rsqrt.approx.f32 %f0, %f1;", rsqrt_of, 0x1p-22, 0.1f, 50);
  check_approx("rcp.approx.ftz.f32 %f0, %f1;", rcp_of, 0x1p-22, 0.1f, 50);
}

/* ---- Carry ----------------------------------------------------------------------------------- */

/* add.cc and addc are a sum of 64 bits. */
static void test_carry(void **state) {
  (void)state;
  trouble_t err = {0};
  unit_t u = unit_new("add.cc.u32 %r0, %r1, %r2;\naddc.u32 %r5, %r3, %r4;\nmov.b64 %rd0, {%r0, %r5};", &err);
  assert_non_null(u.kernel);
  uint64_t seed = 3;
  for (unsigned round = 0; round < 100; round++) {
    uint64_t v[32][4];
    for (unsigned i = 0; i < 32; i++) {
      for (unsigned k = 0; k < 4; k++) v[i][k] = pick_operand(&seed) & 0xffffffff;
      set_operands(&u, i, v[i]);
    }
    for (unsigned k = 0; k < 3; k++) u.kernel->ops[k].fn(&u.kernel->ops[k], &u.warp, ~0u);
    for (unsigned i = 0; i < 32; i++) {
      uint64_t want = (v[i][2] << 32 | v[i][0]) + (v[i][3] << 32 | v[i][1]);
      assert_int_equal(get_lane(&u, reg_of(&u, "%rd0"), i), want);
    }
  }
  unit_free(&u);
}

/* ---- Register slots -------------------------------------------------------------------------- */

/* Registers that are not alive together share a slot. */
static void test_slots(void **state) {
  (void)state;
  trouble_t err = {0};
  unit_t u = unit_new("add.s32 %r0, %r1, 1;\nadd.s32 %r2, %r0, 1;\nadd.s32 %r3, %r2, 1;\nadd.s32 %r4, %r3, 1;", &err);
  assert_non_null(u.kernel);
  assert_int_equal(u.kernel->hw_regs, 2); /* a chain needs two, whatever the names */
  const char *const names[] = {"%r0", "%r1", "%r2", "%r3", "%r4"};
  for (unsigned i = 0; i + 1 < 5; i++) /* an instruction's source and result never share one */
    for (unsigned k = 0; k < 4; k++) {
      const simt_op_t *op = &u.kernel->ops[k];
      assert_int_not_equal(op->d, op->a);
    }
  assert_int_equal(reg_of(&u, names[0])->bytes, 4);
  unit_free(&u);
}

/* ---- Divergence ------------------------------------------------------------------------------ */

/* A branch splits the mask, both sides run to the meeting
 * point, an exit takes a thread out of all levels. */
static void test_divergence(void **state) {
  (void)state;
  simt_stack_t s;
  simt_stack_init(&s, 0xff);
  assert_true(simt_stack_branch(&s, 0x0f, 10, 20)); /* 0: half goes to 10, all meet at 20 */
  assert_int_equal(simt_stack_pc(&s), 10);
  assert_int_equal(simt_stack_mask(&s), 0x0f);
  assert_true(simt_stack_branch(&s, 0x03, 15, 20)); /* the same meeting point: no deeper */
  assert_int_equal(s.top, 3);
  assert_int_equal(simt_stack_mask(&s), 0x03);
  simt_stack_exit(&s, 0x01);
  assert_int_equal(simt_stack_mask(&s), 0x02);
  simt_stack_advance(&s, 20);
  assert_int_equal(simt_stack_pc(&s), 11);
  assert_int_equal(simt_stack_mask(&s), 0x0c);
  simt_stack_advance(&s, 20);
  assert_int_equal(simt_stack_pc(&s), 1);
  assert_int_equal(simt_stack_mask(&s), 0xf0);
  simt_stack_advance(&s, 20);
  assert_int_equal(simt_stack_pc(&s), 20);
  assert_int_equal(simt_stack_mask(&s), 0xfe); /* without the thread that exited */
  assert_false(simt_stack_branch(&s, 0xfe, 30, 40));
  assert_int_equal(simt_stack_pc(&s), 30);
  simt_stack_exit(&s, 0xfe);
  assert_int_equal(simt_stack_mask(&s), 0);
}

/* A loop that one thread leaves each time does not grow the
 * stack; one that splits at every level stays in bounds. */
static void test_divergence_depth(void **state) {
  (void)state;
  simt_stack_t s;
  simt_stack_init(&s, ~0u);
  for (unsigned i = 0; i < 31; i++) {
    simt_stack_advance(&s, 5);
    assert_true(simt_stack_branch(&s, ~0u << (i + 1), 1, 6));
    assert_int_equal(simt_stack_mask(&s), ~0u << (i + 1));
    assert_true(s.top <= 1);
  }
  simt_stack_advance(&s, 6);
  assert_int_equal(simt_stack_mask(&s), ~0u);
  for (unsigned i = 0; i < 31; i++) assert_true(simt_stack_branch(&s, ~0u << (i + 1), 100 + i, 1000 - i));
  for (unsigned i = 0; i < 31; i++) {
    simt_stack_advance(&s, 1000 - 30 + i);
    simt_stack_advance(&s, 1000 - 30 + i);
  }
  assert_int_equal(simt_stack_mask(&s), ~0u);
}

/* A test for each row, then these. */
int main(void) {
  enum { ROWS = sizeof rows / sizeof *rows };
  static const struct CMUnitTest others[] = {
      cmocka_unit_test(test_nsu),   cmocka_unit_test(test_approximations), cmocka_unit_test(test_carry),
      cmocka_unit_test(test_slots), cmocka_unit_test(test_divergence),     cmocka_unit_test(test_divergence_depth)};
  static struct CMUnitTest tests[ROWS + sizeof others / sizeof *others];
  for (unsigned i = 0; i < ROWS; i++)
    tests[i] = (struct CMUnitTest){.name = rows[i].name, .test_func = test_row, .initial_state = &rows[i]};
  memcpy(tests + ROWS, others, sizeof others);
  return cmocka_run_group_tests_name("simt", tests, NULL, NULL);
}
