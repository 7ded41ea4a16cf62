/* SPDX-License-Identifier: Apache-2.0
 *
 * The NSU's arithmetic on hard cases. The expected words are worked out by hand from IEEE 754 and
 * from PTX's rules: a NaN result is 0x7fffffff, conversions saturate, .ftz flushes.
 */
#include "nsu_alu.h"

#include "nsu_isa.h"
#include "unit_test.h"

typedef struct {
  unsigned op;
  uint32_t a, b, c, y;
} case_t;

/* Each row: opcode, operands a, b, c, and the result y. Operations of one operand take b. */
static void check_cases(const case_t *cases, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint32_t y = nsu_alu(cases[i].op, cases[i].a, cases[i].b, cases[i].c);
    if (y != cases[i].y)
      fail_msg("%s %08x %08x %08x: %08x, should be %08x", isa_op(cases[i].op)->mnemonic, cases[i].a, cases[i].b,
               cases[i].c, y, cases[i].y);
  }
}
#define CHECK(cases) check_cases(cases, sizeof(cases) / sizeof *(cases))

/* Sums, differences and products of 32 bits, rounded to nearest, ties to even: at ties, zeros,
 * subnormals, infinities and NaN. Worked out by hand. */
static void test_add_and_multiply(void **state) {
  (void)state;
  static const case_t cases[] = {
      {OP_FADD, 0x3f800000, 0x33800000, 0, 0x3f800000}, /* 1 + 2^-24: halfway, to even */
      {OP_FADD, 0x3f800001, 0x33800000, 0, 0x3f800002}, /* (1 + 2^-23) + 2^-24: halfway, to even upwards */
      {OP_FADD, 0x3f800000, 0x33800001, 0, 0x3f800001}, /* just over halfway */
      {OP_FSUB, 0x3f800000, 0x33000000, 0, 0x3f800000}, /* 1 - 2^-25: halfway between 1 - 2^-24 and 1 */
      {OP_FSUB, 0x3f800001, 0x3f800000, 0, 0x34000000}, /* cancellation is exact: 2^-23 */
      {OP_FADD, 0x80000000, 0x80000000, 0, 0x80000000}, /* (-0) + (-0) */
      {OP_FADD, 0x3f800000, 0xbf800000, 0, 0x00000000}, /* 1 + (-1) is +0 */
      {OP_FSUB, 0x80000000, 0x00000000, 0, 0x80000000}, /* -0 - 0 */
      {OP_FSUB, 0x00000000, 0x00000000, 0, 0x00000000}, /* 0 - 0 is +0 */
      {OP_FADD, 0x00000001, 0x00000001, 0, 0x00000002}, /* subnormals: twice the least */
      {OP_FADD, 0x007fffff, 0x00000001, 0, 0x00800000}, /* the least normal number */
      {OP_FSUB, 0x00800000, 0x00000001, 0, 0x007fffff}, /* and below it */
      {OP_FADD, 0x7f7fffff, 0x73000000, 0, 0x7f800000}, /* most + half an ulp (2^103): to infinity */
      {OP_FADD, 0x7f7fffff, 0x72ffffff, 0, 0x7f7fffff}, /* a bit less: stays */
      {OP_FADD, 0x7f800000, 0xff800000, 0, 0x7fffffff}, /* inf - inf */
      {OP_FADD, 0xff800001, 0x3f800000, 0, 0x7fffffff}, /* a signalling NaN */
      {OP_FADD, 0xffc12345, 0x3f800000, 0, 0x7fffffff}, /* the payload is not kept */
      {OP_FMUL, 0x7f800000, 0x00000000, 0, 0x7fffffff}, /* inf * 0 */
      {OP_FMUL, 0x80000000, 0x40400000, 0, 0x80000000}, /* -0 * 3 */
      {OP_FMUL, 0x00800000, 0x3f000000, 0, 0x00400000}, /* 2^-126 / 2: subnormal, exact */
      {OP_FMUL, 0x00000001, 0x3f000000, 0, 0x00000000}, /* half of the least: to even, zero */
      {OP_FMUL, 0x00000003, 0x3f000000, 0, 0x00000002}, /* 1.5 of the least: to even, two */
      {OP_FMUL, 0x80000001, 0x3f000001, 0, 0x80000001}, /* just over half */
      {OP_FMUL, 0x3f800001, 0x3f800001, 0, 0x3f800002}, /* (1 + 2^-23)^2: the 2^-46 is rounded off */
      {OP_FMUL, 0x7f000000, 0x40000000, 0, 0x7f800000}, /* 2^127 * 2 */
  };
  CHECK(cases);
}

/* a * b + c is rounded once: cases in which a rounded product would give another result. */
static void test_fused_multiply_add(void **state) {
  (void)state;
  static const case_t cases[] = {
      {OP_FFMA, 0x3f800001, 0x3f800001, 0xbf800002, 0x28800000}, /* what the product's rounding loses: 2^-46 */
      {OP_FFMA, 0x3f800000, 0x3f800000, 0x33800000, 0x3f800000}, /* 1 * 1 + 2^-24: halfway */
      {OP_FFMA, 0x3f800001, 0x33800000, 0x3f800000, 0x3f800001}, /* 1 + 2^-24 (1 + 2^-23): just over */
      {OP_FFMA, 0x3f7fffff, 0x33800000, 0x3f800000, 0x3f800000}, /* just under */
      {OP_FFMA, 0x3f800000, 0x40000000, 0xc0000000, 0x00000000}, /* 1 * 2 - 2 is +0 */
      {OP_FFMA, 0x80000000, 0x3f800000, 0x80000000, 0x80000000}, /* -0 + -0 */
      {OP_FFMA, 0x80000000, 0x3f800000, 0x00000000, 0x00000000}, /* -0 + 0 is +0 */
      {OP_FFMA, 0x7f800000, 0x00000000, 0x7fc00000, 0x7fffffff}, /* inf * 0 + NaN */
      {OP_FFMA, 0x7f800000, 0x3f800000, 0xff800000, 0x7fffffff}, /* inf - inf */
      {OP_FFMA, 0x7f7fffff, 0x7f7fffff, 0xff800000, 0xff800000}, /* finite product, infinite addend */
      {OP_FFMA, 0x7f7fffff, 0x40000000, 0xff7fffff, 0x7f7fffff}, /* no overflow in between */
      {OP_FFMA, 0x00000001, 0x00000001, 0x00000001, 0x00000001}, /* a product far below */
      {OP_FFMA, 0x00000001, 0x00000001, 0x80000001, 0x80000001},
      /* 2^-63 * 2^-64 less the least number: 0x00400000 - 1 */
      {OP_FFMA, 0x20000000, 0x1f800000, 0x80000001, 0x003fffff},
  };
  CHECK(cases);
}

/* Minimum, maximum and comparisons with zeros of both signs and with NaN. An unordered
 * comparison (EQU, NEU, ...) is true with a NaN, an ordered one false. */
static void test_compare(void **state) {
  (void)state;
  static const case_t cases[] = {
      {OP_FMIN, 0x00000000, 0x80000000, 0, 0x80000000}, /* -0 is less than +0, in any order */
      {OP_FMIN, 0x80000000, 0x00000000, 0, 0x80000000},
      {OP_FMAX, 0x00000000, 0x80000000, 0, 0x00000000},
      {OP_FMAX, 0x80000000, 0x00000000, 0, 0x00000000},
      {OP_FMIN, 0x7fc00000, 0x3f800000, 0, 0x3f800000}, /* a number beats a NaN */
      {OP_FMAX, 0xff800000, 0x7f800001, 0, 0xff800000},
      {OP_FMIN, 0xffc00000, 0x7f800001, 0, 0x7fffffff}, /* two NaNs */
      {OP_FMAX, 0x80000001, 0x80000002, 0, 0x80000001}, /* of negative numbers the smaller one */
      {OP_FABS, 0, 0xff800000, 0, 0x7f800000},          /* of -inf */
      {OP_FABS, 0, 0xffc00001, 0, 0x7fffffff},
      {OP_FNEG, 0, 0x00000000, 0, 0x80000000},
      {OP_FNEG, 0, 0x7fc00000, 0, 0x7fffffff},    /* NaN has no sign */
      {OP_FSET_EQ, 0x00000000, 0x80000000, 0, 1}, /* zeros are equal */
      {OP_FSET_LT, 0x80000000, 0x00000000, 0, 0},
      {OP_FSET_LT, 0x80000001, 0x00000000, 0, 1},
      {OP_FSET_NE, 0x7fc00000, 0x3f800000, 0, 0},  /* ordered: false with NaN */
      {OP_FSET_NEU, 0x7fc00000, 0x3f800000, 0, 1}, /* unordered: true */
      {OP_FSET_EQU, 0x7fc00000, 0x7fc00000, 0, 1},
      {OP_FSET_GEU, 0x3f800000, 0x40000000, 0, 0},
      {OP_FSET_GT, 0x7f800000, 0x7f7fffff, 0, 1},
      {OP_FSET_NUM, 0x7f800000, 0xff800000, 0, 1}, /* infinities are numbers */
      {OP_FSET_NAN, 0x7f800000, 0x7f800001, 0, 1},
  };
  CHECK(cases);
}

/* Conversions between integers and numbers in each rounding, at ties, at the ends and for NaN. */
static void test_convert(void **state) {
  (void)state;
  static const case_t cases[] = {
      /* 0.5: to even */
      {OP_CVT_S32_F32_RN, 0, 0x3f000000, 0, 0},
      {OP_CVT_S32_F32_RN, 0, 0x3fc00000, 0, 2},          /* 1.5 */
      {OP_CVT_S32_F32_RN, 0, 0x40200000, 0, 2},          /* 2.5 */
      {OP_CVT_S32_F32_RN, 0, 0xc0200000, 0, 0xfffffffe}, /* -2.5 */
      /* -1.9999999 */
      {OP_CVT_S32_F32_RZ, 0, 0xbfffffff, 0, 0xffffffff},
      /* the least negative subnormal */
      {OP_CVT_S32_F32_RM, 0, 0x80000001, 0, 0xffffffff},
      {OP_CVT_S32_F32_RP, 0, 0x00000001, 0, 1},
      {OP_CVT_S32_F32_RZ, 0, 0x4f000000, 0, 0x7fffffff}, /* 2^31 */
      /* 2^31 - 128 */
      {OP_CVT_S32_F32_RZ, 0, 0x4effffff, 0, 0x7fffff80},
      {OP_CVT_S32_F32_RZ, 0, 0xcf000000, 0, 0x80000000},
      {OP_CVT_S32_F32_RZ, 0, 0xff800000, 0, 0x80000000},
      {OP_CVT_S32_F32_RZ, 0, 0x7fc00000, 0, 0},          /* NaN */
      {OP_CVT_U32_F32_RN, 0, 0xbf800000, 0, 0},          /* -1 */
      {OP_CVT_U32_F32_RM, 0, 0xbf000000, 0, 0},          /* -0.5: below the range */
      {OP_CVT_U32_F32_RZ, 0, 0x4f800000, 0, 0xffffffff}, /* 2^32 */
      {OP_CVT_U32_F32_RZ, 0, 0x4f7fffff, 0, 0xffffff00},
      {OP_CVT_F32_S32, 0, 0x80000000, 0, 0xcf000000},
      {OP_CVT_F32_S32, 0, 0x01000001, 0, 0x4b800000}, /* 2^24 + 1: halfway, to even */
      {OP_CVT_F32_S32, 0, 0x01000003, 0, 0x4b800002}, /* 2^24 + 3: halfway, to even */
      {OP_CVT_F32_U32, 0, 0xffffffff, 0, 0x4f800000},
      {OP_CVT_F32_U32, 0, 0, 0, 0},
      {OP_CVT_F32_RN, 0, 0xbf000000, 0, 0x80000000}, /* -0.5 gives -0 */
      {OP_CVT_F32_RN, 0, 0x4b000001, 0, 0x4b000001}, /* an integer already */
      {OP_CVT_F32_RM, 0, 0x80000001, 0, 0xbf800000}, /* down to -1 */
      {OP_CVT_F32_RP, 0, 0xbf7fffff, 0, 0x80000000}, /* up to -0 */
      {OP_CVT_F32_RZ, 0, 0xff800001, 0, 0x7fffffff},
      {OP_CVT_F32_RZ, 0, 0xff800000, 0, 0xff800000},
      {OP_CVT_SAT_F32, 0, 0x80000000, 0, 0x00000000},
      {OP_CVT_SAT_F32, 0, 0x7fc00000, 0, 0x00000000}, /* NaN is 0 */
      {OP_CVT_SAT_F32, 0, 0x3f800001, 0, 0x3f800000}, /* above 1 */
      {OP_CVT_SAT_F32, 0, 0x00000001, 0, 0x00000001},
  };
  CHECK(cases);
}

/* PTX's .ftz: subnormal operands and results are zeros of their signs. */
static void test_flush(void **state) {
  (void)state;
  static const case_t cases[] = {
      {OP_FADD_FTZ, 0x00000001, 0x00800000, 0, 0x00800000},
      {OP_FADD_FTZ, 0x807fffff, 0x80000001, 0, 0x80000000}, /* (-0) + (-0) */
      {OP_FADD_FTZ, 0x007fffff, 0x80000001, 0, 0x00000000}, /* 0 + (-0) */
      {OP_FSUB_FTZ, 0x00800000, 0x00800001, 0, 0x80000000}, /* -2^-149 */
      {OP_FSUB_FTZ, 0x80000001, 0x00000001, 0, 0x80000000}, /* (-0) - 0 */
      {OP_FMUL_FTZ, 0x00800000, 0x3f000000, 0, 0x00000000}, /* 2^-127 */
      /* less than 2^-126 by 2^-150: rounds up to it, and is no subnormal number */
      {OP_FMUL_FTZ, 0x80800000, 0x3f7fffff, 0, 0x80800000},
      {OP_FMUL_FTZ, 0x80800000, 0x3f7ffffe, 0, 0x80000000}, /* by 2^-149: the greatest subnormal number */
      {OP_FMUL_FTZ, 0x80000001, 0x7f7fffff, 0, 0x80000000},
      {OP_FMUL_FTZ, 0x00000001, 0x7f800000, 0, 0x7fffffff},          /* 0 * inf */
      {OP_FFMA_FTZ, 0x20000000, 0x1f800000, 0x00800000, 0x00c00000}, /* 2^-63 * 2^-64 is a product, and no operand */
      {OP_FFMA_FTZ, 0x20000000, 0x9f800000, 0x00800000, 0x00000000}, /* 2^-126 - 2^-127 */
      {OP_FFMA_FTZ, 0x20000000, 0x20000000, 0x007fffff, 0x00800000}, /* the addend is 0 */
      {OP_FFMA_FTZ, 0x007fffff, 0x7f000000, 0x80000001, 0x00000000}, /* 0 * x + (-0) */
      {OP_FMIN_FTZ, 0x00000001, 0x80000001, 0, 0x80000000},
      {OP_FMAX_FTZ, 0x807fffff, 0x00000001, 0, 0x00000000},
      {OP_FMAX_FTZ, 0x807fffff, 0x80800000, 0, 0x80000000},
      {OP_FMIN_FTZ, 0x00000005, 0x7fc00000, 0, 0x00000000},
      {OP_FABS_FTZ, 0, 0x80000005, 0, 0x00000000},
      {OP_FNEG_FTZ, 0, 0x00000005, 0, 0x80000000},
      {OP_FNEG_FTZ, 0, 0x00800000, 0, 0x80800000},
      {OP_FSET_EQ_FTZ, 0x00000005, 0x807fffff, 0, 1}, /* a compare's 1 is not flushed */
      {OP_FSET_LT_FTZ, 0x80000005, 0x00000000, 0, 0},
      {OP_FSET_LT_FTZ, 0x007fffff, 0x00800000, 0, 1},
      {OP_FSET_NAN_FTZ, 0x7f800001, 0x00000001, 0, 1},
      {OP_CVT_S32_F32_RM_FTZ, 0, 0x80000001, 0, 0},
      {OP_CVT_U32_F32_RP_FTZ, 0, 0x007fffff, 0, 0},
      {OP_CVT_U32_F32_RP_FTZ, 0, 0x00800000, 0, 1}, /* an integer's 1 is not flushed */
      {OP_CVT_F32_RM_FTZ, 0, 0x80000001, 0, 0x80000000},
      {OP_CVT_F32_RP_FTZ, 0, 0x00800000, 0, 0x3f800000},
      {OP_CVT_SAT_F32_FTZ, 0, 0x00000001, 0, 0},
      {OP_CVT_F32_S32_FTZ, 0, 0x00000001, 0, 0x3f800000}, /* nor is an integer operand */
      {OP_CVT_F32_U32_FTZ, 0, 0x80000001, 0, 0x4f000000},
  };
  CHECK(cases);
}

/* PTX's integer rules: shifts by 32 or more shift all bits out, a guard counts if any bit is
 * set, and conversions truncate or, with .sat, clamp. */
static void test_integers(void **state) {
  (void)state;
  static const case_t cases[] = {
      {OP_SELP, 1, 2, 0, 2},
      {OP_SELP, 1, 2, 0x80000000, 1},
      {OP_ADD, 0xffffffff, 2, 0, 1},
      {OP_SUB, 0, 1, 0, 0xffffffff},
      {OP_MUL_LO, 0x10001, 0x10001, 0, 0x20001}, /* 2^32 + 2^17 + 1 */
      {OP_MUL_HI_S, 0xffffffff, 0xffffffff, 0, 0},
      {OP_MUL_HI_U, 0xffffffff, 0xffffffff, 0, 0xfffffffe},
      {OP_MUL_HI_S, 0x80000000, 2, 0, 0xffffffff},
      {OP_MAD_LO, 3, 5, 0xfffffff1, 0}, /* 15 - 15 */
      {OP_SHL, 1, 31, 0, 0x80000000},
      {OP_SHL, 1, 32, 0, 0},
      {OP_SHL, 1, 0xffffffff, 0, 0},
      {OP_SHR_U, 0x80000000, 31, 0, 1},
      {OP_SHR_U, 0x80000000, 32, 0, 0},
      {OP_SHR_S, 0x80000000, 31, 0, 0xffffffff},
      {OP_SHR_S, 0x80000000, 99, 0, 0xffffffff},
      {OP_SHR_S, 0x7fffffff, 32, 0, 0},
      {OP_MIN_S, 0xffffffff, 1, 0, 0xffffffff},
      {OP_MIN_U, 0xffffffff, 1, 0, 1},
      {OP_MAX_S, 0xffffffff, 1, 0, 1},
      {OP_MAX_U, 0xffffffff, 1, 0, 0xffffffff},
      {OP_ABS_S, 0, 0x80000000, 0, 0x80000000}, /* -2^31 has no positive */
      {OP_ABS_S, 0, 0xfffffffb, 0, 5},
      {OP_NEG_S, 0, 1, 0, 0xffffffff},
      {OP_SET_LT_S, 0x80000000, 0, 0, 1},
      {OP_SET_LT_U, 0x80000000, 0, 0, 0},
      {OP_SET_GE_U, 5, 5, 0, 1},
      {OP_CVT_S8, 0, 0x180, 0, 0xffffff80},
      {OP_CVT_U8, 0, 0x180, 0, 0x80},
      {OP_CVT_S16, 0, 0x18000, 0, 0xffff8000},
      {OP_CVT_U16, 0, 0x18000, 0, 0x8000},
      {OP_CVT_SAT_S8_S, 0, 200, 0, 127},
      {OP_CVT_SAT_S8_S, 0, 0xffffff00, 0, 0xffffff80},
      {OP_CVT_SAT_U8_S, 0, 0xffffffff, 0, 0},
      {OP_CVT_SAT_U16_S, 0, 70000, 0, 65535},
      {OP_CVT_SAT_U32_S, 0, 0x80000000, 0, 0},
      {OP_CVT_SAT_S32_U, 0, 0x80000000, 0, 0x7fffffff},
      {OP_CVT_SAT_S8_U, 0, 0xffffffff, 0, 127},
      {OP_CVT_SAT_U16_U, 0, 0x10000, 0, 0xffff},
  };
  CHECK(cases);
}

/* nsu_alu() is the OR of four parts, a block of hardware each. So each opcode of 32-bit words
 * must belong to exactly one part, and the other parts must give 0 for it. */
static void test_parts(void **state) {
  uint64_t rng = 1;
  (void)state;
  for (unsigned op = 0; op < 256; op++) {
    bool alu = isa_op(op) && isa_op(op)->kind == ISA_ALU && !isa_pairs(op);
    unsigned parts = 0;
    uint32_t seen[4] = {0};
    for (unsigned n = 0; n < 200; n++) {
      uint32_t a = (uint32_t)test_random(&rng), b = (uint32_t)test_random(&rng), c = (uint32_t)test_random(&rng);
      if (n % 4 == 0) b = a; /* so that equality is met */
      if (n % 4 == 1) a = 0x7fc00000;
      if (n % 4 == 2) b = 0xff800000 | n; /* NaN */
      if (n % 8 == 3) b &= 0x3fffffff;    /* a number around 0 to 2 */
      if (n % 8 == 4) b &= 31;            /* a shift amount */
      uint32_t part[4] = {nsu_alu_fma(op, a, b, c), nsu_alu_cmp(op, a, b), nsu_alu_cvt(op, b),
                          nsu_alu_int(op, a, b, c)};
      uint32_t all = 0;
      for (unsigned i = 0; i < 4; i++) all |= part[i], seen[i] |= part[i];
      assert_int_equal(nsu_alu(op, a, b, c), all);
    }
    for (unsigned i = 0; i < 4; i++) parts += seen[i] != 0;
    if (parts != alu) fail_msg("opcode %02x belongs to %u parts", op, parts);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_add_and_multiply),
      cmocka_unit_test(test_fused_multiply_add),
      cmocka_unit_test(test_compare),
      cmocka_unit_test(test_convert),
      cmocka_unit_test(test_flush),
      cmocka_unit_test(test_integers),
      cmocka_unit_test(test_parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
