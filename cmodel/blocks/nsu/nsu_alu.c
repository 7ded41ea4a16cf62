/* SPDX-License-Identifier: Apache-2.0
 *
 * The arithmetic instructions, one switch a unit. An op with .ftz is the plain op with its binary32
 * operands flushed, and where needed its result.
 */
#include "nsu_alu.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "nsu_isa.h"

#define SIGN UINT32_C(0x80000000)

static float as_float(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static uint32_t as_bits(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

/* Any exponent of all ones with a fraction that is not 0. */
static bool is_nan(uint32_t bits) {
  return (bits & ~SIGN) > 0x7f800000;
}

/* A host result; the host's NaN has a payload, PTX's has not. */
static uint32_t canonical(float f) {
  return isnan(f) ? NSU_NAN : as_bits(f);
}

/* A subnormal number gives the zero of its sign. */
static uint32_t flushed(uint32_t bits) {
  return fpclassify(as_float(bits)) == FP_SUBNORMAL ? as_bits(copysignf(0, as_float(bits))) : bits;
}

static bool has_ftz(unsigned op) {
  return isa_plain(op) != op;
}

/* PTX flushes "subnormal inputs and results". A result is what rounding gives, so one that
 * rounds up to the least normal number stays. */
uint32_t nsu_alu_fma(unsigned op, uint32_t a, uint32_t b, uint32_t c) {
  if (has_ftz(op)) return flushed(nsu_alu_fma(isa_plain(op), flushed(a), flushed(b), flushed(c)));
  float x = as_float(a), y = as_float(b);
  switch (op) {
  case OP_FADD: return canonical(x + y);
  case OP_FSUB: return canonical(x - y);
  case OP_FMUL: return canonical(x * y);
  case OP_FFMA: return canonical(fmaf(x, y, as_float(c)));
  default: return 0;
  }
}

/* A number beats a NaN. -0 is less than +0, which the host's < does not see. */
static uint32_t fmin_bits(uint32_t a, uint32_t b) {
  if (is_nan(a) && is_nan(b)) return NSU_NAN;
  if (is_nan(a)) return b;
  if (is_nan(b)) return a;
  if (as_float(a) == as_float(b)) return a & SIGN ? a : b;
  return as_float(a) < as_float(b) ? a : b;
}

/* As fmin_bits, with +0 as the greater zero. */
static uint32_t fmax_bits(uint32_t a, uint32_t b) {
  if (is_nan(a) && is_nan(b)) return NSU_NAN;
  if (is_nan(a)) return b;
  if (is_nan(b)) return a;
  if (as_float(a) == as_float(b)) return a & SIGN ? b : a;
  return as_float(a) > as_float(b) ? a : b;
}

/* Ordered compares are false with a NaN, unordered ones (..U) are true. NE is ordered, too. */
static bool fset(unsigned op, uint32_t a, uint32_t b) {
  float x = as_float(a), y = as_float(b);
  bool nan = is_nan(a) || is_nan(b);
  switch (op) {
  case OP_FSET_EQ: return !nan && x == y;
  case OP_FSET_NE: return !nan && x != y;
  case OP_FSET_LT: return !nan && x < y;
  case OP_FSET_LE: return !nan && x <= y;
  case OP_FSET_GT: return !nan && x > y;
  case OP_FSET_GE: return !nan && x >= y;
  case OP_FSET_EQU: return nan || x == y;
  case OP_FSET_NEU: return nan || x != y;
  case OP_FSET_LTU: return nan || x < y;
  case OP_FSET_LEU: return nan || x <= y;
  case OP_FSET_GTU: return nan || x > y;
  case OP_FSET_GEU: return nan || x >= y;
  case OP_FSET_NUM: return !nan;
  case OP_FSET_NAN: return nan;
  default: return false;
  }
}

/* With .ftz only the operands are flushed: a result is an operand or the integer 1. */
uint32_t nsu_alu_cmp(unsigned op, uint32_t a, uint32_t b) {
  if (has_ftz(op)) return nsu_alu_cmp(isa_plain(op), flushed(a), flushed(b));
  switch (op) {
  case OP_FMIN: return fmin_bits(a, b);
  case OP_FMAX: return fmax_bits(a, b);
  case OP_FABS: return is_nan(b) ? NSU_NAN : b & ~SIGN;
  case OP_FNEG: return is_nan(b) ? NSU_NAN : b ^ SIGN;
  default: return fset(op, a, b);
  }
}

/* mode is the op's place in the list: 0 RN, 1 RZ, 2 RM, 3 RP. rint rounds ties to
 * even in the host's default mode. */
static double round_to_integral(double x, unsigned mode) {
  switch (mode) {
  case 0: return rint(x);
  case 1: return trunc(x);
  case 2: return floor(x);
  default: return ceil(x);
  }
}

/* Rounded, then clamped to least .. most; NaN gives 0. A double holds every bound exactly. */
static int64_t to_integer(uint32_t b, unsigned mode, int64_t least, int64_t most) {
  if (is_nan(b)) return 0;
  double x = round_to_integral((double)as_float(b), mode);
  if (x <= (double)least) return least;
  if (x >= (double)most) return most;
  return (int64_t)x;
}

static uint32_t to_integral_float(uint32_t b, unsigned mode) {
  if (is_nan(b)) return NSU_NAN;
  return as_bits((float)round_to_integral((double)as_float(b), mode)); /* keeps the sign of zero */
}

/* Clamped to +0 .. 1; NaN and -0 give +0. */
static uint32_t saturate(uint32_t b) {
  float x = as_float(b);
  if (!(x > 0)) return 0; /* NaN and -0 too */
  return x > 1 ? as_bits(1.0f) : b;
}

/* Conversions whose operand is an integer, which .ftz must not flush. */
static bool is_from_integer(unsigned op) {
  return op == OP_CVT_F32_S32 || op == OP_CVT_F32_U32;
}

/* With .ftz only a binary32 operand is flushed: no conversion here makes a subnormal
 * number of a normal one or of an integer. */
uint32_t nsu_alu_cvt(unsigned op, uint32_t b) {
  if (has_ftz(op)) return nsu_alu_cvt(isa_plain(op), is_from_integer(isa_plain(op)) ? b : flushed(b));
  switch (op) {
  case OP_CVT_S32_F32_RN:
  case OP_CVT_S32_F32_RZ:
  case OP_CVT_S32_F32_RM:
  case OP_CVT_S32_F32_RP: return (uint32_t)to_integer(b, op - OP_CVT_S32_F32_RN, INT32_MIN, INT32_MAX);
  case OP_CVT_U32_F32_RN:
  case OP_CVT_U32_F32_RZ:
  case OP_CVT_U32_F32_RM:
  case OP_CVT_U32_F32_RP: return (uint32_t)to_integer(b, op - OP_CVT_U32_F32_RN, 0, UINT32_MAX);
  case OP_CVT_F32_S32: return as_bits((float)(int32_t)b);
  case OP_CVT_F32_U32: return as_bits((float)b);
  case OP_CVT_F32_RN:
  case OP_CVT_F32_RZ:
  case OP_CVT_F32_RM:
  case OP_CVT_F32_RP: return to_integral_float(b, op - OP_CVT_F32_RN);
  case OP_CVT_SAT_F32: return saturate(b);
  default: return 0;
  }
}

_Static_assert(OP_CVT_S32_F32_RP == OP_CVT_S32_F32_RN + 3 && OP_CVT_U32_F32_RP == OP_CVT_U32_F32_RN + 3 &&
                   OP_CVT_F32_RP == OP_CVT_F32_RN + 3,
               "rounding modes follow each other");

static int32_t clamp(int64_t x, int64_t least, int64_t most) {
  return (int32_t)(x < least ? least : x > most ? most : x);
}

/* Sub-word conversions. _S takes b as signed, _U as unsigned. */
static uint32_t int_convert(unsigned op, uint32_t b) {
  int64_t s = (int32_t)b, u = b;
  switch (op) {
  case OP_CVT_S8: return (uint32_t)(int8_t)b;
  case OP_CVT_U8: return (uint8_t)b;
  case OP_CVT_S16: return (uint32_t)(int16_t)b;
  case OP_CVT_U16: return (uint16_t)b;
  case OP_CVT_SAT_S8_S: return (uint32_t)clamp(s, INT8_MIN, INT8_MAX);
  case OP_CVT_SAT_U8_S: return (uint32_t)clamp(s, 0, UINT8_MAX);
  case OP_CVT_SAT_S16_S: return (uint32_t)clamp(s, INT16_MIN, INT16_MAX);
  case OP_CVT_SAT_U16_S: return (uint32_t)clamp(s, 0, UINT16_MAX);
  case OP_CVT_SAT_U32_S: return s < 0 ? 0 : b;
  case OP_CVT_SAT_S8_U: return (uint32_t)clamp(u, 0, INT8_MAX);
  case OP_CVT_SAT_U8_U: return (uint32_t)clamp(u, 0, UINT8_MAX);
  case OP_CVT_SAT_S16_U: return (uint32_t)clamp(u, 0, INT16_MAX);
  case OP_CVT_SAT_U16_U: return (uint32_t)clamp(u, 0, UINT16_MAX);
  case OP_CVT_SAT_S32_U: return (uint32_t)clamp(u, 0, INT32_MAX);
  default: return 0;
  }
}

static uint32_t int_compare(unsigned op, uint32_t a, uint32_t b) {
  int32_t sa = (int32_t)a, sb = (int32_t)b;
  switch (op) {
  case OP_SET_EQ: return a == b;
  case OP_SET_NE: return a != b;
  case OP_SET_LT_S: return sa < sb;
  case OP_SET_LE_S: return sa <= sb;
  case OP_SET_GT_S: return sa > sb;
  case OP_SET_GE_S: return sa >= sb;
  case OP_SET_LT_U: return a < b;
  case OP_SET_LE_U: return a <= b;
  case OP_SET_GT_U: return a > b;
  case OP_SET_GE_U: return a >= b;
  case OP_MIN_S: return sa < sb ? a : b;
  case OP_MIN_U: return a < b ? a : b;
  case OP_MAX_S: return sa > sb ? a : b;
  case OP_MAX_U: return a > b ? a : b;
  default: return int_convert(op, b);
  }
}

/* Shift counts are unsigned; from 32 on only zeros or signs are left,
 * where C leaves the shift undefined. */
uint32_t nsu_alu_int(unsigned op, uint32_t a, uint32_t b, uint32_t c) {
  int32_t sa = (int32_t)a, sb = (int32_t)b;
  switch (op) {
  case OP_MOV: return b;
  case OP_SELP: return c != 0 ? a : b;
  case OP_ADD: return a + b;
  case OP_SUB: return a - b;
  case OP_MUL_LO: return a * b;
  case OP_MUL_HI_S: return (uint32_t)((int64_t)sa * sb >> 32);
  case OP_MUL_HI_U: return (uint32_t)((uint64_t)a * b >> 32);
  case OP_MAD_LO: return a * b + c;
  case OP_AND: return a & b;
  case OP_OR: return a | b;
  case OP_XOR: return a ^ b;
  case OP_NOT: return ~b;
  case OP_SHL: return b > 31 ? 0 : a << b;
  case OP_SHR_U: return b > 31 ? 0 : a >> b;
  case OP_SHR_S: return (uint32_t)(sa >> (b > 31 ? 31 : b));
  case OP_ABS_S: return sb < 0 ? 0 - b : b;
  case OP_NEG_S: return 0 - b;
  default: return int_compare(op, a, b);
  }
}

/* The four units have distinct opcodes, so one of them decides. */
uint32_t nsu_alu(unsigned op, uint32_t a, uint32_t b, uint32_t c) {
  const unsigned plain = isa_plain(op);
  switch (plain) {
  case OP_FADD:
  case OP_FSUB:
  case OP_FMUL:
  case OP_FFMA: return nsu_alu_fma(op, a, b, c);
  case OP_FMIN:
  case OP_FMAX:
  case OP_FABS:
  case OP_FNEG: return nsu_alu_cmp(op, a, b);
  default: break;
  }
  if (plain >= OP_FSET_EQ && plain <= OP_FSET_NAN) return nsu_alu_cmp(op, a, b);
  if (plain >= OP_CVT_S32_F32_RN && plain <= OP_CVT_SAT_F32) return nsu_alu_cvt(op, b);
  return nsu_alu_int(op, a, b, c);
}
