/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of rtl/nsu/README-arithmetic.md, in a lane (nsu_lane with all its units). Results are
 * worked out by hand from IEEE 754 and PTX.
 */
#include "rule.h"
#include "unit_test.h"

enum {
#define ISA_OP(name, code, mnemonic, kind, sources) name = code,
#include "nsu_isa.def"
};

static const uint32_t INF = 0x7f800000, ONE = 0x3f800000, MINUS = 0x80000000, NAN_OUT = 0x7fffffff;

typedef struct {
  unsigned op;
  uint32_t a, b, c, y;
} row_t;

#define ROWS(...) see_rows((const row_t[]){__VA_ARGS__}, sizeof((const row_t[]){__VA_ARGS__}) / sizeof(row_t))

/* Gives the lane one row a cycle and expects each result four cycles later. */
static void see_rows(const row_t *row, unsigned n) {
  bed_t *b = bed("nsu_lane", "");
  for (unsigned t = 0; t < n + 4; t++) {
    if (t < n) {
      drive_input(b, "valid", 1);
      drive_input(b, "op", row[t].op);
      drive_input(b, "a", row[t].a);
      drive_input(b, "b", row[t].b);
      drive_input(b, "c", row[t].c);
    }
    if (t >= 4) {
      see(b, "valid", 1);
      see(b, "y", row[t - 4].y);
    }
    tick(b);
  }
  see(b, "valid", 0);
}

/* One row a cycle, as rows: numbers of 64 bits. */
typedef struct {
  unsigned op;
  uint64_t a, b, c, y;
} row64_t;

/* A number of 64 bits in two inputs. */
static void drive_double(bed_t *b, const char *low, const char *high, uint64_t value) {
  drive_input(b, low, (uint32_t)value);
  drive_input(b, high, value >> 32);
}

/* Gives the lane one row a cycle and expects each result four cycles later, in two words. */
static void see_rows64(const row64_t *row, unsigned n) {
  bed_t *b = bed("nsu_lane", "");
  for (unsigned t = 0; t < n + 4; t++) {
    if (t < n) {
      drive_input(b, "valid", 1);
      drive_input(b, "op", row[t].op);
      drive_double(b, "a", "ah", row[t].a);
      drive_double(b, "b", "bh", row[t].b);
      drive_double(b, "c", "ch", row[t].c);
    }
    if (t >= 4) {
      see(b, "y", (uint32_t)row[t - 4].y);
      see(b, "yh", row[t - 4].y >> 32);
    }
    tick(b);
  }
}

#define D(bits) UINT64_C(bits)

RULE(A1,
     "What every arithmetic opcode of `nsu_isa.def` computes, following the PTX ISA where it speaks. Registers are 32 "
     "bits and "
     "untyped; opcodes give them a type.") {
  ROWS({SET_LT_S, 0x80000001, 1, 0, 1}, {SET_LT_U, 0x80000001, 1, 0, 0}, {FSET_LT, 0x80000001, 1, 0, 1},
       {MOV, 0, 0x7f812345, 0, 0x7f812345}, {MIN_S, 0xffffffff, 0, 0, 0xffffffff}, {MIN_U, 0xffffffff, 0, 0, 0},
       {MAX_S, 0xffffffff, 0, 0, 0}, {MAX_U, 0xffffffff, 0, 0, 0xffffffff}, {SET_EQ, 0, MINUS, 0, 0},
       {FSET_EQ, 0, MINUS, 0, 1}, {SET_GE_S, 1, 0x80000000, 0, 1}, {SET_GE_U, 1, 0x80000000, 0, 0},
       {SET_NE, 3, 3, 0, 0}, {SET_LE_S, 3, 3, 0, 1}, {SET_GT_S, 3, 3, 0, 0}, {SET_LE_U, 4, 3, 0, 0},
       {SET_GT_U, 4, 3, 0, 1});
}

RULE(A2, "Every opcode takes four cycles in a lane (`LANE_LATENCY`); one starts each cycle.") {
  static const row_t work[] = {{ADD, 1, 2, 0, 3},           {FADD, ONE, ONE, 0, 0x40000000},
                               {MOV, 0, 7, 0, 7},           {FFMA, ONE, ONE, ONE, 0x40000000},
                               {CVT_F32_S32, 0, 1, 0, ONE}, {FMIN, ONE, 0, 0, 0},
                               {SELP, 5, 6, 0, 6}};
  see_rows(work, sizeof work / sizeof *work);
}

RULE(A3, "**Rounding** is to nearest, ties to even, once per instruction; FFMA rounds the exact `a * b + c`. Overflow "
         "gives infinity.") {
  ROWS({FADD, ONE, 0x33800000, 0, ONE},               /* 1 + 2^-24: a tie, to the even one */
       {FADD, 0x3f800001, 0x33800000, 0, 0x3f800002}, /* the same above */
       {FADD, ONE, 0x33800001, 0, 0x3f800001},        /* more than half */
       {FADD, ONE, 0x337fffff, 0, ONE},               /* less */
       /* (1 + 2^-12)^2 - (1 + 2^-11) = 2^-24, which a rounded product has lost */
       {FFMA, 0x3f800800, 0x3f800800, 0xbf801000, 0x33800000},
       {FMUL, 0x3f800800, 0x3f800800, 0, 0x3f801000}, /* a tie */
       {FADD, 0x7f7fffff, 0x73000000, 0, INF}, {FADD, 0x7f7fffff, 0x72ffffff, 0, 0x7f7fffff},
       {FMUL, 0xff7fffff, 0x40000000, 0, 0xff800000});
}

/* As bits 1 is the least subnormal number, 0x00800000 the least normal one, 2^-126. Half of the
 * least is a tie, to 0; 1.5 of it a tie, to 2; the least times 2^23 is 2^-126. */
RULE(A4, "**Subnormals** are kept, as operands and as results (PTX without `.ftz`).") {
  ROWS({FADD, 1, 1, 0, 2}, {FMUL, 0x00800000, 0x3f000000, 0, 0x00400000}, {FSUB, 0x00800000, 1, 0, 0x007fffff},
       {FADD, 0x007fffff, 1, 0, 0x00800000}, {FMUL, 1, 0x3f000000, 0, 0}, {FMUL, 3, 0x3f000000, 0, 2},
       {FFMA, 1, ONE, 5, 6}, {FMUL, 1, 0x4b000000, 0, 0x00800000});
}

RULE(A25,
     "**Flushing**: with `.ftz` (FADD_FTZ and so on) an operand of binary32 that is subnormal is taken for zero of its "
     "sign, before all else, and "
     "a result of binary32 that is subnormal is given as zero of its sign. What rounding gives is looked at: a result "
     "that rounds up to the "
     "least normal number stays. Integers and binary64 are not flushed.") {
  ROWS({FADD_FTZ, 1, 0x80000001, 0, 0}, {FADD_FTZ, 0x80000001, 0x807fffff, 0, MINUS},
       {FSUB_FTZ, 0x00800000, 0x00800001, 0, MINUS},
       {FMUL_FTZ, 0x00800000, 0x3f7fffff, 0, 0x00800000},          /* 2^-126 (1 - 2^-24): a tie, to the even one */
       {FMUL_FTZ, 0x80800000, 0x3f7ffffe, 0, MINUS},               /* the greatest subnormal number */
       {FMUL_FTZ, 1, INF, 0, NAN_OUT},                             /* 0 * inf */
       {FFMA_FTZ, 0x20000000, 0x1f800000, 0x00800000, 0x00c00000}, /* a subnormal product is no operand */
       {FFMA_FTZ, 0x20000000, 0x9f800000, 0x00800000, 0}, {FFMA_FTZ, 0x20000000, 0x20000000, 0x007fffff, 0x00800000},
       {FFMA_FTZ, ONE, ONE, 1, ONE});
  ROWS({FMIN_FTZ, 1, 0x80000001, 0, MINUS}, {FMAX_FTZ, 0x807fffff, 0x80800000, 0, MINUS},
       {FABS_FTZ, 0, 0x80000001, 0, 0}, {FNEG_FTZ, 0, 1, 0, MINUS}, {FSET_EQ_FTZ, 1, 0x807fffff, 0, 1},
       {FSET_NEU_FTZ, 1, 0, 0, 0}, {FSET_LT_FTZ, 0x007fffff, 0x00800000, 0, 1});
  ROWS({CVT_S32_F32_RM_FTZ, 0, 0x80000001, 0, 0}, {CVT_U32_F32_RP_FTZ, 0, 0x00800000, 0, 1},
       {CVT_F32_RP_FTZ, 0, 1, 0, 0}, {CVT_SAT_F32_FTZ, 0, 1, 0, 0}, {CVT_F32_S32_FTZ, 0, 1, 0, ONE});
  static const row64_t wide[] = {{CVT_F64_F32_FTZ, 0, D(0x807fffff), 0, D(0x8000000000000000)},
                                 {CVT_F64_F32_FTZ, 0, D(0x00800000), 0, D(0x3810000000000000)},
                                 /* below the middle of the greatest subnormal number and 2^-126 */
                                 {CVT_F32_F64_FTZ, 0, D(0xb80fffffdfffffff), 0, MINUS},
                                 {CVT_F32_F64_FTZ, 0, D(0xb80fffffe0000000), 0, D(0x80800000)}, /* the middle */
                                 {CVT_F32_F64_FTZ, 0, D(0x0000000000000001), 0, 0},
                                 {DADD, D(0x0000000000000001), D(0x0000000000000001), 0, D(0x0000000000000002)}};
  see_rows64(wide, sizeof wide / sizeof *wide);
}

RULE(A5,
     "**NaN**: every NaN result is `0x7fffffff`, whatever the operands' payloads; quiet and signalling NaNs are not "
     "told apart, and no "
     "exception is recorded. Invalid operations (inf - inf, 0 * inf) give it too; 0 * inf + NaN as well.") {
  ROWS({FADD, 0x7fc12345, ONE, 0, NAN_OUT}, {FADD, ONE, 0xff800001, 0, NAN_OUT}, {FSUB, INF, INF, 0, NAN_OUT},
       {FADD, INF, 0xff800000, 0, NAN_OUT}, {FMUL, 0, INF, 0, NAN_OUT}, {FMUL, 0xff800000, MINUS, 0, NAN_OUT},
       {FFMA, 0, INF, 0x7fc00000, NAN_OUT}, {FFMA, INF, ONE, 0xff800000, NAN_OUT},
       {FFMA, ONE, ONE, 0x7f800001, NAN_OUT}, {FADD, INF, INF, 0, INF}, {FFMA, INF, ONE, INF, INF});
}

RULE(A6,
     "**Signed zeros**: FADD is `a * 1 + b`, FSUB `a * 1 + (-b)`, FMUL `a * b + (-0)`. So x - x is +0; (-0) + (-0) is "
     "-0; +0 + (-0) is "
     "+0; a product, also one that underflows to zero, has the exclusive or of the signs.") {
  ROWS({FSUB, 0x40490fdb, 0x40490fdb, 0, 0}, {FADD, MINUS, MINUS, 0, MINUS}, {FADD, 0, MINUS, 0, 0},
       {FADD, MINUS, 0, 0, 0}, {FSUB, MINUS, 0, 0, MINUS}, {FSUB, 0, 0, 0, 0}, {FMUL, 0xbf800000, 0, 0, MINUS},
       {FMUL, MINUS, 0xbf800000, 0, 0}, {FMUL, 0x80000001, 1, 0, MINUS}, {FMUL, 1, 1, 0, 0},
       {FMUL, 0x80000001, 0x80000001, 0, 0});
}

/* 1 * 1 - 1 and its mirror; then products of -0 and +0 with addends of either sign. */
RULE(A7, "FFMA: an exact zero sum of a product and an addend of different signs is +0.") {
  ROWS({FFMA, ONE, ONE, 0xbf800000, 0}, {FFMA, 0xbf800000, ONE, ONE, 0}, {FFMA, 0xbf800000, 0, MINUS, MINUS},
       {FFMA, ONE, 0, MINUS, 0}, {FFMA, 0xbf800000, 0, 0, 0});
}

RULE(A8,
     "**Compares** give 1 or 0. FSET_EQ, NE, LT, LE, GT, GE are *ordered*: 0 if an operand is a NaN (NE too). FSET_EQU "
     ".. GEU are "
     "*unordered*: 1 if an operand is a NaN. NUM: no operand is a NaN; NAN: at least one is. -0 equals +0.") {
  static const uint32_t nan = 0x7f800001, two = 0x40000000;
  ROWS({FSET_EQ, ONE, ONE, 0, 1}, {FSET_EQ, 0, MINUS, 0, 1}, {FSET_EQ, nan, nan, 0, 0}, {FSET_NE, ONE, two, 0, 1},
       {FSET_NE, nan, ONE, 0, 0}, {FSET_NE, MINUS, 0, 0, 0}, {FSET_LT, ONE, two, 0, 1}, {FSET_LT, ONE, ONE, 0, 0},
       {FSET_LT, MINUS, 0, 0, 0}, {FSET_LT, nan, two, 0, 0}, {FSET_LE, ONE, ONE, 0, 1}, {FSET_LE, two, ONE, 0, 0},
       {FSET_LE, ONE, nan, 0, 0}, {FSET_GT, two, ONE, 0, 1}, {FSET_GT, two, nan, 0, 0},
       {FSET_GT, 0xbf800000, 0xc0000000, 0, 1}, {FSET_GE, ONE, ONE, 0, 1}, {FSET_GE, nan, nan, 0, 0},
       {FSET_GE, MINUS, 0, 0, 1});
  ROWS({FSET_EQU, ONE, two, 0, 0}, {FSET_EQU, nan, two, 0, 1}, {FSET_NEU, ONE, ONE, 0, 0}, {FSET_NEU, ONE, nan, 0, 1},
       {FSET_LTU, two, ONE, 0, 0}, {FSET_LTU, nan, ONE, 0, 1}, {FSET_LEU, two, ONE, 0, 0}, {FSET_LEU, nan, nan, 0, 1},
       {FSET_GTU, ONE, two, 0, 0}, {FSET_GTU, ONE, nan, 0, 1}, {FSET_GEU, ONE, two, 0, 0}, {FSET_GEU, nan, two, 0, 1},
       {FSET_NUM, ONE, INF, 0, 1}, {FSET_NUM, nan, ONE, 0, 0}, {FSET_NUM, ONE, nan, 0, 0}, {FSET_NAN, ONE, INF, 0, 0},
       {FSET_NAN, nan, ONE, 0, 1}, {FSET_NAN, ONE, nan, 0, 1});
}

RULE(A9,
     "**FMIN, FMAX**: if one operand is a NaN, the other; if both are, `0x7fffffff`. -0 is less than +0. The result is "
     "one of the "
     "operands, bit for bit, so subnormals survive.") {
  ROWS({FMIN, 0x7fc00000, ONE, 0, ONE}, {FMIN, ONE, 0xffc00000, 0, ONE}, {FMAX, 0x7f800001, MINUS, 0, MINUS},
       {FMAX, ONE, 0x7fc00000, 0, ONE}, {FMIN, 0x7f800001, 0xffc00000, 0, NAN_OUT},
       {FMAX, 0x7f800001, 0xffc00000, 0, NAN_OUT}, {FMIN, 0, MINUS, 0, MINUS}, {FMIN, MINUS, 0, 0, MINUS},
       {FMAX, 0, MINUS, 0, 0}, {FMAX, MINUS, 0, 0, 0}, {FMIN, 1, 2, 0, 1}, {FMAX, 1, 2, 0, 2},
       {FMIN, 0x80000001, 0x80000002, 0, 0x80000002}, {FMAX, 0xff800000, 0xff7fffff, 0, 0xff7fffff});
}

RULE(A10, "**FABS, FNEG** change the sign bit only; a NaN gives `0x7fffffff` (PTX: an unspecified NaN).") {
  ROWS({FABS, 0, 0xbf800000, 0, ONE}, {FABS, 0, 0x80000001, 0, 1}, {FABS, 0, 0xff800000, 0, INF},
       {FABS, 0, 0xffc00001, 0, NAN_OUT}, {FNEG, 0, ONE, 0, 0xbf800000}, {FNEG, 0, MINUS, 0, 0},
       {FNEG, 0, 1, 0, 0x80000001}, {FNEG, 0, 0x7f800001, 0, NAN_OUT});
}

/* Besides those in the rows: 0x4f32d05e is 3e9 and 0x4f9502f9 5e9, 0xbecccccd is -0.4, and 1 is
 * the least subnormal number. */
RULE(A11,
     "**binary32 to integer** (CVT_S32_F32_x, CVT_U32_F32_x): round to an integer by x (RN nearest even, RZ towards 0, "
     "RM down, RP "
     "up), then clamp to the type's range, infinities included; so -0.4 by RM to u32 is 0. NaN gives 0.") {
  /* 2.5, 3.5, -2.5 */
  ROWS({CVT_S32_F32_RN, 0, 0x40200000, 0, 2}, {CVT_S32_F32_RN, 0, 0x40600000, 0, 4},
       {CVT_S32_F32_RN, 0, 0xc0200000, 0, -2u},
       /* -2.7, 2.7, -2.1 */
       {CVT_S32_F32_RZ, 0, 0xc02ccccd, 0, -2u}, {CVT_S32_F32_RZ, 0, 0x402ccccd, 0, 2},
       {CVT_S32_F32_RM, 0, 0xc0066666, 0, -3u}, {CVT_S32_F32_RM, 0, 0x402ccccd, 0, 2},
       {CVT_S32_F32_RP, 0, 0xc02ccccd, 0, -2u}, {CVT_S32_F32_RP, 0, 0x40066666, 0, 3},
       {CVT_S32_F32_RN, 0, 0x4f32d05e, 0, 0x7fffffff}, {CVT_S32_F32_RN, 0, 0xcf32d05e, 0, 0x80000000},
       {CVT_S32_F32_RZ, 0, INF, 0, 0x7fffffff}, {CVT_S32_F32_RZ, 0, 0xff800000, 0, 0x80000000},
       {CVT_S32_F32_RP, 0, 0x7fc00000, 0, 0}, {CVT_S32_F32_RP, 0, 1, 0, 1});
  ROWS({CVT_U32_F32_RN, 0, 0x40200000, 0, 2}, {CVT_U32_F32_RZ, 0, 0x402ccccd, 0, 2},
       {CVT_U32_F32_RM, 0, 0x402ccccd, 0, 2}, {CVT_U32_F32_RP, 0, 0x40066666, 0, 3},
       {CVT_U32_F32_RM, 0, 0xbecccccd, 0, 0}, {CVT_U32_F32_RZ, 0, 0xbf800000, 0, 0},
       {CVT_U32_F32_RN, 0, 0x4f32d05e, 0, 0xb2d05e00}, {CVT_U32_F32_RN, 0, 0x4f9502f9, 0, 0xffffffff},
       {CVT_U32_F32_RN, 0, 0x4f7fffff, 0, 0xffffff00}, {CVT_U32_F32_RM, 0, INF, 0, 0xffffffff},
       {CVT_U32_F32_RN, 0, 0xff800000, 0, 0}, {CVT_U32_F32_RN, 0, 0x7f800001, 0, 0});
}

/* 2^24 + 1 and 2^24 + 3 are ties. 2^32 - 1 is rounded to 2^32. */
RULE(A12, "**Integer to binary32**: nearest even; 0 gives +0.") {
  ROWS({CVT_F32_S32, 0, 0x01000001, 0, 0x4b800000}, {CVT_F32_S32, 0, 0x01000003, 0, 0x4b800002},
       {CVT_F32_S32, 0, -1u, 0, 0xbf800000}, {CVT_F32_S32, 0, 0x80000000, 0, 0xcf000000}, {CVT_F32_S32, 0, 0, 0, 0},
       {CVT_F32_U32, 0, 0xffffffff, 0, 0x4f800000}, {CVT_F32_U32, 0, 0x80000000, 0, 0x4f000000},
       {CVT_F32_U32, 0, 0x01000001, 0, 0x4b800000}, {CVT_F32_U32, 0, 0, 0, 0});
}

/* 0x40200000 is 2.5, 0x3fc00000 1.5, 0x3f000000 0.5. 0x4afffffd is 2^23 - 1.5. */
RULE(A13,
     "**binary32 to integral binary32** (CVT_F32_x): by the same x; a zero result keeps the operand's sign (RP of -0.5 "
     "is -0); "
     "infinities stay; NaN gives `0x7fffffff`.") {
  ROWS({CVT_F32_RN, 0, 0x40200000, 0, 0x40000000}, {CVT_F32_RN, 0, 0x3fc00000, 0, 0x40000000},
       {CVT_F32_RN, 0, 0x3f000000, 0, 0}, {CVT_F32_RN, 0, 0xbf000000, 0, MINUS},
       {CVT_F32_RN, 0, 0x4afffffd, 0, 0x4afffffc}, {CVT_F32_RP, 0, 0x4afffffd, 0, 0x4afffffe},
       {CVT_F32_RP, 0, 0xbf000000, 0, MINUS}, {CVT_F32_RP, 0, 1, 0, ONE}, {CVT_F32_RM, 0, 0x3f000000, 0, 0},
       {CVT_F32_RM, 0, 0xbf000000, 0, 0xbf800000}, {CVT_F32_RZ, 0, 0xc02ccccd, 0, 0xc0000000},
       {CVT_F32_RZ, 0, 0xbf000000, 0, MINUS}, {CVT_F32_RZ, 0, 0x4b7fffff, 0, 0x4b7fffff}, {CVT_F32_RM, 0, INF, 0, INF},
       {CVT_F32_RP, 0, 0xff800000, 0, 0xff800000}, {CVT_F32_RN, 0, 0x7f800001, 0, NAN_OUT});
}

RULE(A14, "**CVT_SAT_F32** clamps to [+0, 1]: NaN, -0 and negative numbers give +0.") {
  ROWS({CVT_SAT_F32, 0, 0x7fc00000, 0, 0}, {CVT_SAT_F32, 0, MINUS, 0, 0}, {CVT_SAT_F32, 0, 0xbf800000, 0, 0},
       {CVT_SAT_F32, 0, 0x80000001, 0, 0}, {CVT_SAT_F32, 0, 0x3f000000, 0, 0x3f000000}, {CVT_SAT_F32, 0, ONE, 0, ONE},
       {CVT_SAT_F32, 0, 0x3f800001, 0, ONE}, {CVT_SAT_F32, 0, INF, 0, ONE}, {CVT_SAT_F32, 0, 0xff800000, 0, 0},
       {CVT_SAT_F32, 0, 1, 0, 1});
}

RULE(A15,
     "**Sub-word**: CVT_S8, U8, S16, U16 take the low bits and extend them by the named type. CVT_SAT_t_S (t_U) takes "
     "its operand as "
     "signed (unsigned) 32 bits and clamps it to the range of t.") {
  ROWS({CVT_S8, 0, 0x1180, 0, 0xffffff80}, {CVT_S8, 0, 0x17f, 0, 0x7f}, {CVT_U8, 0, 0xf80, 0, 0x80},
       {CVT_S16, 0, 0x18000, 0, 0xffff8000}, {CVT_S16, 0, 0x80, 0, 0x80}, {CVT_U16, 0, 0xfff80000 | 0x8001, 0, 0x8001},
       {CVT_SAT_S8_S, 0, 128, 0, 127}, {CVT_SAT_S8_S, 0, -129u, 0, -128u}, {CVT_SAT_S8_S, 0, -5u, 0, -5u},
       {CVT_SAT_U8_S, 0, -1u, 0, 0}, {CVT_SAT_U8_S, 0, 256, 0, 255}, {CVT_SAT_S16_S, 0, 40000, 0, 32767},
       {CVT_SAT_S16_S, 0, -65536u, 0, -32768u}, {CVT_SAT_U16_S, 0, -1u, 0, 0}, {CVT_SAT_U16_S, 0, 65536, 0, 65535},
       {CVT_SAT_U32_S, 0, -1u, 0, 0}, {CVT_SAT_U32_S, 0, 5, 0, 5});
  ROWS({CVT_SAT_S8_U, 0, -1u, 0, 127}, {CVT_SAT_S8_U, 0, 126, 0, 126}, {CVT_SAT_U8_U, 0, -1u, 0, 255},
       {CVT_SAT_U8_U, 0, 254, 0, 254}, {CVT_SAT_S16_U, 0, -1u, 0, 32767}, {CVT_SAT_U16_U, 0, -1u, 0, 65535},
       {CVT_SAT_S32_U, 0, 0x80000000, 0, 0x7fffffff}, {CVT_SAT_S32_U, 0, 0x7ffffffe, 0, 0x7ffffffe});
}

/* Word i of the row that is read in this cycle: MAD's addend is 7, other rows tell their number. */
static uint32_t mad_operand(unsigned cycle, unsigned i) {
  if (cycle < 2) return 0;
  return cycle == 4 || cycle == 7 ? 7 : i + 100 * (cycle - 1);
}

RULE(A23,
     "**binary64**: DADD, DSUB, DMUL and DFMA round, keep subnormals and sign zeros as in binary32; a NaN result is "
     "`0x7fffffffffffffff`. "
     "CVT_F64_F32 is exact, CVT_F32_F64 rounds to nearest even, with subnormal results and overflow to infinity. Each "
     "operand that `ISA_PAIR` "
     "names is a pair of registers, the even one the low word.") {
  static const row64_t work[] = {
      /* 1 + 2^-53: a tie, to the even one */
      {DADD, D(0x3ff0000000000000), D(0x3ca0000000000000), 0, D(0x3ff0000000000000)},
      /* the same above */
      {DADD, D(0x3ff0000000000001), D(0x3ca0000000000000), 0, D(0x3ff0000000000002)},
      /* x - x: +0 */
      {DSUB, D(0x3ff0000000000000), D(0x3ff0000000000000), 0, 0},
      /* subnormals */
      {DADD, D(0x0000000000000001), D(0x0000000000000001), 0, D(0x0000000000000002)},
      {DMUL, D(0x7fe0000000000000), D(0xc000000000000000), 0, D(0xfff0000000000000)}, /* overflow */
      {DMUL, D(0x8000000000000000), D(0x3ff0000000000000), 0, D(0x8000000000000000)}, /* -0 */
      /* 2^-104: one rounding */
      {DFMA, D(0x3ff0000000000001), D(0x3ff0000000000001), D(0xbff0000000000002), D(0x3970000000000000)},
      {DSUB, D(0x7ff0000000000000), D(0x7ff0000000000000), 0, D(0x7fffffffffffffff)},
      {DADD, D(0xfff0000000000001), D(0x3ff0000000000000), 0, D(0x7fffffffffffffff)},
      {CVT_F64_F32, 0, D(0xaaaaaaaabf800000), 0, D(0xbff0000000000000)}, /* a word: the high one is nobody's */
      {CVT_F64_F32, 0, 1, 0, D(0x36a0000000000000)},                     /* 2^-149 */
      {CVT_F64_F32, 0, D(0xff800001), 0, D(0x7fffffffffffffff)},
      {CVT_F32_F64, 0, D(0x3ff0000010000000), 0, D(0x3f800000)}, /* 1 + 2^-24: a tie, to the even one */
      {CVT_F32_F64, 0, D(0x3ff0000030000000), 0, D(0x3f800002)},
      {CVT_F32_F64, 0, D(0xb6a0000000000000), 0, D(0x80000001)}, /* -2^-149 */
      {CVT_F32_F64, 0, D(0x3690000000000000), 0, 0},             /* half of it: a tie, to zero */
      {CVT_F32_F64, 0, D(0x3690000000000001), 0, 1},
      {CVT_F32_F64, 0, D(0x47efffffe0000000), 0, D(0x7f7fffff)}, /* the largest, and the tie above it */
      {CVT_F32_F64, 0, D(0x47effffff0000000), 0, D(0x7f800000)},
      {CVT_F32_F64, 0, D(0xfff8000000000000), 0, D(0x7fffffff)},
  };
  see_rows64(work, sizeof work / sizeof *work);

  static const struct {
    unsigned op, rd, ra, rb, rc, imm, legal;
  } pairs[] = {{DADD, 2, 4, 6, 1, 0, 1},        {DADD, 3, 4, 6, 0, 0, 0},        {DSUB, 2, 5, 6, 0, 0, 0},
               {DMUL, 2, 4, 7, 0, 0, 0},        {DADD, 2, 4, 6, 0, 1, 0},        {DFMA, 2, 4, 6, 8, 0, 1},
               {DFMA, 2, 4, 6, 9, 0, 0},        {CVT_F64_F32, 2, 1, 7, 1, 0, 1}, {CVT_F64_F32, 3, 0, 7, 0, 0, 0},
               {CVT_F64_F32, 2, 0, 0, 0, 1, 1}, {CVT_F32_F64, 3, 1, 8, 1, 0, 1}, {CVT_F32_F64, 3, 0, 9, 0, 0, 0},
               {CVT_F32_F64, 3, 0, 8, 0, 1, 0}};
  for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    bed_t *b = bed("nsu_decode", "");
    drive_input(b, "instr",
                (uint64_t)pairs[i].op << 56 | (uint64_t)pairs[i].rd << 52 | (uint64_t)pairs[i].ra << 48 |
                    (uint64_t)pairs[i].rb << 44 | (uint64_t)pairs[i].rc << 40 | (uint64_t)pairs[i].imm << 33);
    see(b, "legal", pairs[i].legal);
  }
}

RULE(A16, "Modulo 2^32. ABS_S and NEG_S of `0x80000000` give `0x80000000`.") {
  ROWS({ADD, -1u, 2, 0, 1}, {SUB, 0, 1, 0, -1u}, {MUL_LO, 0x10001, 0x10001, 0, 0x20001},
       {MAD_LO, 0x10001, 0x10001, -1u, 0x20000}, {ABS_S, 0, -5u, 0, 5}, {ABS_S, 0, 0x80000000, 0, 0x80000000},
       {NEG_S, 0, 5, 0, -5u}, {NEG_S, 0, 0x80000000, 0, 0x80000000}, {AND, 12, 10, 0, 8}, {OR, 12, 10, 0, 14},
       {XOR, 12, 10, 0, 6}, {NOT, 0, 12, 0, 0xfffffff3});
}

RULE(A17, "MUL_HI is the high word of the 64-bit product, signed or unsigned.") {
  ROWS({MUL_HI_S, -1u, 2, 0, -1u}, {MUL_HI_U, -1u, 2, 0, 1}, {MUL_HI_S, 0x80000000, 0x80000000, 0, 0x40000000},
       {MUL_HI_S, 0x80000000, 2, 0, -1u}, {MUL_HI_U, 0x80000000, 0x80000000, 0, 0x40000000},
       {MUL_HI_U, -1u, -1u, 0, 0xfffffffe}, {MUL_HI_S, -1u, -1u, 0, 0});
}

RULE(A18, "**Shifts** take the amount unsigned; PTX clamps it to 32: SHL and SHR_U then give 0, SHR_S 32 copies of the "
          "sign.") {
  ROWS({SHL, 1, 31, 0, 0x80000000}, {SHL, 1, 32, 0, 0}, {SHL, 1, 33, 0, 0}, {SHL, 1, -1u, 0, 0},
       {SHR_U, 0x80000000, 31, 0, 1}, {SHR_U, 0x80000000, 32, 0, 0}, {SHR_U, 0x80000000, 64, 0, 0},
       {SHR_S, 0x80000000, 31, 0, -1u}, {SHR_S, 0x80000000, 32, 0, -1u}, {SHR_S, 0x80000000, -1u, 0, -1u},
       {SHR_S, 0x40000000, 40, 0, 0}, {SHR_S, 0xc0000000, 1, 0, 0xe0000000});
}

RULE(A19, "SELP gives a if c is not 0, else b (PTX's predicate is a register that holds 1 or 0 here).") {
  ROWS({SELP, 5, 6, 0, 6}, {SELP, 5, 6, 1, 5}, {SELP, 5, 6, 2, 5}, {SELP, 5, 6, 0x80000000, 5});
}

RULE(A20, "An opcode that no unit knows gives 0; the decoder reports it before it gets here.") {
  static const unsigned none[] = {0x00, 0x0a, 0x0f, 0x25, 0x3f, 0x48, 0x4f, 0x5e, 0x6f, 0x7e,
                                  0x7f, 0x84, 0x8a, 0x90, 0xcf, 0xde, 0xef, 0xf0, 0xff};
  for (unsigned i = 0; i < sizeof none / sizeof *none; i++) {
    ROWS({none[i], 0x3f812345, 0x40123456, 0x40654321, 0});
    bed_t *b = bed("nsu_decode", "");
    drive_input(b, "instr", (uint64_t)none[i] << 56);
    see(b, "legal", 0);
  }
}

/* Word i of a row: 10 i, 3, 0; threads 8 .. 15 are off. */
static void start_lanes(bed_t *b, unsigned tag) {
  drive_input(b, "start_valid", 1);
  drive_input(b, "op", ADD);
  drive_input(b, "tag", tag);
  drive_input(b, "mask", 0xffff00ff);
  for (unsigned i = 0; i < 32; i++) {
    drive_input_at(b, "a", 32, i, 10 * i);
    drive_input_at(b, "b", 32, i, 3);
  }
}

RULE(A21,
     "`nsu_lanes` feeds `Lanes` threads a cycle, 32 / `Lanes` cycles an instruction; passes of successive instructions "
     "run back to "
     "back.") {
  bed_t *b = bed("nsu_lanes", ""); /* 8 lanes: 4 passes */
  for (unsigned t = 0; t < 14; t++) {
    see(b, "start_ready", t % 4 == 0 || t > 8);
    if (t % 4 == 0 && t < 8) start_lanes(b, t);
    see(b, "probe_pass_valid", t >= 1 && t <= 8);
    if (t >= 1 && t <= 8) see(b, "probe_pass", (t - 1) % 4);
    see(b, "probe_res_valid", t >= 5 && t <= 12);
    for (unsigned lane = 0; lane < 8 && t >= 5 && t <= 12; lane++)
      see_at(b, "probe_res", 32, lane, 10 * ((t - 5) % 4 * 8 + lane) + 3);
    see(b, "wb_valid", t == 9 || t == 13);
    if (t == 9 || t == 13) {
      see(b, "wb_tag", t - 9);
      see(b, "wb_mask", 0xffff00ff);
      for (unsigned i = 0; i < 32; i++) see_at(b, "wb_row", 32, i, i / 8 == 1 ? 0 : 10 * i + 3);
    }
    tick(b);
  }
}

/* rd = 1; ra, rb, rc. */
static uint64_t make_instr(unsigned op, uint64_t ra, uint64_t rb, uint64_t rc) {
  return (uint64_t)op << 56 | 1ull << 52 | ra << 48 | rb << 44 | rc << 40;
}

RULE(A22,
     "`nsu_exec` has two operand collectors: it reads an instruction's operands, a register row a cycle, while the one "
     "before it waits "
     "for its last row or for the lanes. They start, and are written back, in the order in which they came.") {
  bed_t *b = bed("nsu_exec", "");
  /* MAD of registers 2, 3, 4 of slot 9, then of 5, 6, 7 of slot 8, then one of no register */
  for (unsigned cycle = 0; cycle < 8; cycle++) {
    see(b, "disp_ready", cycle < 2 || cycle == 5);
    if (cycle < 2 || cycle == 5) {
      drive_input(b, "disp_valid", 1);
      drive_input(b, "disp_instr",
                  cycle == 5 ? make_instr(ADD, 0, 0, 0) | 1ull << 33 | 1ull << 39
                             : make_instr(MAD_LO, 2 + 3 * cycle, 3 + 3 * cycle, 4 + 3 * cycle));
      drive_input(b, "disp_slot", cycle == 5 ? 7 : 9 - cycle);
      drive_input(b, "disp_mask", 0xffffffff);
    }
    see(b, "rf_rd_valid", cycle > 0);
    if (cycle > 0 && cycle < 7) {
      see(b, "rf_rd_slot", cycle < 4 ? 9 : 8);
      see(b, "rf_rd_reg", 1 + cycle);
    }
    see(b, "probe_start", cycle == 5);
    for (unsigned i = 0; i < 32; i++) drive_input_at(b, "rf_rd_data", 32, i, mad_operand(cycle, i));
    tick(b);
  }
  await(b, "wb_valid", 1, 12);
  see(b, "wb_slot", 9);
  for (unsigned i = 0; i < 32; i++) see_at(b, "wb_row", 32, i, (i + 100) * (i + 200) + 7);
  tick(b);
  await(b, "wb_valid", 1, 12);
  see(b, "wb_slot", 8);
  for (unsigned i = 0; i < 32; i++) see_at(b, "wb_row", 32, i, (i + 400) * (i + 500) + 7);
  tick(b);
  await(b, "wb_valid", 1, 12);
  see(b, "wb_slot", 7);
}

RULE(A24,
     "An instruction that reads pairs has both collectors, as soon as no older one has the other, and none comes in "
     "behind it before it "
     "starts; it takes two cycles a pass. A result that is a pair is written back in two rows, low words first, and "
     "the instruction ends "
     "with the second.") {
  bed_t *b = bed("nsu_exec", "");
  static const unsigned reads[] = {1, 2, 3, 2, 4, 3, 5}; /* MAD's three, low words of two pairs, their high words */
  static const uint32_t high_words[10] = {[7] = 0x3ff80000, [8] = 0x3fd00000};
  for (unsigned cycle = 0; cycle < 10; cycle++) { /* MAD of slot 8, DADD of slot 9, then anything */
    see(b, "disp_ready", cycle < 2 || cycle == 9);
    drive_input(b, "disp_valid", 1);
    drive_input(b, "disp_instr",
                cycle == 0 ? make_instr(MAD_LO, 1, 2, 3) : make_instr(DADD, 2, 4, 0) ^ 15ull << 52); /* into 14 */
    drive_input(b, "disp_slot", cycle < 2 ? 8 + cycle : 10);
    drive_input(b, "disp_mask", 0xffffffff);
    see(b, "rf_rd_valid", cycle >= 1 && cycle <= 7);
    if (cycle >= 1 && cycle <= 7) {
      see(b, "rf_rd_slot", cycle < 4 ? 8 : 9);
      see(b, "rf_rd_reg", reads[cycle - 1]);
    }
    see(b, "probe_start", cycle == 5 || cycle == 9);
    for (unsigned i = 0; i < 32; i++) /* 1.5 and i ulp; 0.25 */
      drive_input_at(b, "rf_rd_data", 32, i, cycle == 5 ? i : high_words[cycle]);
    tick(b);
  }
  await(b, "wb_valid", 1, 12);
  see(b, "wb_slot", 8);
  see(b, "wb_last", 1);
  tick(b);
  await(b, "wb_valid", 1, 12);
  for (unsigned row = 0; row < 2; row++) {
    see(b, "wb_valid", 1);
    see(b, "wb_slot", 9);
    see(b, "wb_reg", 14 + row);
    see(b, "wb_last", row);
    for (unsigned i = 0; i < 32; i++) see_at(b, "wb_row", 32, i, row ? 0x3ffc0000 : i);
    tick(b);
  }
  see(b, "wb_valid", 0);
}
