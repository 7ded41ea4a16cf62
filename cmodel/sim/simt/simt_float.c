/* SPDX-License-Identifier: Apache-2.0
 *
 * Floating-point instructions: the host's IEEE arithmetic, with PTX's rules for NaN, min and max,
 * signed zeros, .ftz and .sat.
 *
 * f32 NaNs are 0x7fffffff; f64 NaNs are the host's. Approximations (div.approx, div.full, and
 * .approx of rcp, sqrt, rsqrt, ex2, lg2, sin, cos, tanh) are computed in double and rounded once.
 * They are within PTX's bounds, and not bit-equal to any NVIDIA chip. "Slow" functions honour .rz,
 * .rm, .rp, .ftz and .sat. Compiled with -frounding-math.
 */
#include <fenv.h>
#include <math.h>

#include "simt_lanes.h"

typedef enum {
  F_ADD,
  F_SUB,
  F_MUL,
  F_DIV,
  F_FMA,
  F_MIN,
  F_MAX,
  F_ABS,
  F_NEG,
  F_SQRT,
  F_RCP,
  F_RSQRT,
  F_EX2,
  F_LG2,
  F_SIN,
  F_COS,
  F_TANH,
  F_COPYSIGN
} float_op_t;

/* A number wins over a NaN, and -0 is less than +0. Equal operands differ in the sign of zero at
 * most. */
static uint32_t min32(uint32_t a, uint32_t b, bool max) {
  if (nan_bits(a)) return nan_bits(b) ? 0x7fffffffu : b;
  if (nan_bits(b)) return a;
  float x = as_f32(a), y = as_f32(b);
  if (x == y) return max ? a & b : a | b;
  return (x < y) != max ? a : b;
}

/* min32 with .NaN and .xorsign.abs, which are in op->imm. */
static uint32_t min32_by(int64_t form, uint32_t a, uint32_t b, bool max) {
  const uint32_t sign = form & SIMT_MIN_XORSIGN ? (a ^ b) & 0x80000000u : 0;
  if (form & SIMT_MIN_XORSIGN) a &= 0x7fffffffu, b &= 0x7fffffffu;
  if (form & SIMT_MIN_NAN && (nan_bits(a) || nan_bits(b))) return 0x7fffffffu;
  const uint32_t r = min32(a, b, max);
  return nan_bits(r) ? r : r | sign;
}

/* As min32, for f64. */
static double min64(double x, double y, bool max) {
  if (x != x) return y;
  if (y != y) return x;
  if (x == y) return signbit(x) != max ? x : y;
  return (x < y) != max ? x : y;
}

static uint32_t neg32(uint32_t a) {
  return nan_bits(a) ? 0x7fffffffu : a ^ 0x80000000u;
}
static uint32_t abs32(uint32_t a) {
  return nan_bits(a) ? 0x7fffffffu : a & 0x7fffffffu;
}

/* clang-format off */
#define F32_2(name, expr)                                                                \
  static void name##_f32(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {           \
    const uint32_t *a = simt_src(w, op->a), *b = simt_src(w, op->b);                     \
    uint32_t r[32];                                                                      \
    FOR_LANES {                                                                          \
      const uint32_t A = a[i], B = b[i];                                                 \
      r[i] = (expr);                                                                     \
    }                                                                                    \
    commit32(w, op->d, r, mask);                                                         \
  }
#define F32_1(name, expr)                                                                \
  static void name##_f32(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {           \
    const uint32_t *a = simt_src(w, op->a);                                              \
    uint32_t r[32];                                                                      \
    for (unsigned i = 0; i < 32; i++) {                                                  \
      const uint32_t A = a[i];                                                           \
      r[i] = (expr);                                                                     \
    }                                                                                    \
    commit32(w, op->d, r, mask);                                                         \
  }
F32_2(add, canon(as_f32(A) + as_f32(B)))
F32_2(sub, canon(as_f32(A) - as_f32(B)))
F32_2(mul, canon(as_f32(A) * as_f32(B)))
F32_2(div, canon(as_f32(A) / as_f32(B)))
F32_2(min, min32(A, B, false))
F32_2(max, min32(A, B, true))
F32_2(copysign, (B & 0x7fffffffu) | (A & 0x80000000u))
F32_1(abs, abs32(A))
F32_1(neg, neg32(A))
F32_1(sqrt, canon(sqrtf(as_f32(A))))
F32_1(rcp, canon(1.0f / as_f32(A)))
F32_1(rsqrt, canon((float)(1.0 / sqrt((double)as_f32(A)))))
F32_1(ex2, canon((float)exp2((double)as_f32(A))))
F32_1(lg2, canon((float)log2((double)as_f32(A))))
F32_1(sin, canon((float)sin((double)as_f32(A))))
F32_1(cos, canon((float)cos((double)as_f32(A))))
F32_1(tanh, canon((float)tanh((double)as_f32(A))))
/* clang-format on */

static void fma_f32(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint32_t *a = simt_src(w, op->a), *b = simt_src(w, op->b), *c = simt_src(w, op->c);
  uint32_t r[32];
  FOR_LANES r[i] = canon(fmaf(as_f32(a[i]), as_f32(b[i]), as_f32(c[i])));
  commit32(w, op->d, r, mask);
}

static int fe_mode(unsigned round) {
  static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  return modes[round];
}

/* One lane of an f32 operation; NaN, .ftz and .sat are the caller's. */
static float lane32(float_op_t f, uint32_t A, uint32_t B, uint32_t C) {
  float a = as_f32(A), b = as_f32(B), c = as_f32(C);
  switch (f) {
  case F_ADD: return a + b;
  case F_SUB: return a - b;
  case F_MUL: return a * b;
  case F_DIV: return a / b;
  case F_FMA: return fmaf(a, b, c);
  case F_MIN: return as_f32(min32(A, B, false));
  case F_MAX: return as_f32(min32(A, B, true));
  case F_ABS: return as_f32(abs32(A));
  case F_NEG: return as_f32(neg32(A));
  case F_SQRT: return sqrtf(a);
  case F_RCP: return 1.0f / a;
  case F_RSQRT: return (float)(1.0 / sqrt((double)a));
  case F_EX2: return (float)exp2((double)a);
  case F_LG2: return (float)log2((double)a);
  case F_SIN: return (float)sin((double)a);
  case F_COS: return (float)cos((double)a);
  case F_TANH: return (float)tanh((double)a);
  case F_COPYSIGN: break;
  }
  return copysignf(b, a);
}

/* One lane of an f64 operation. */
static double lane64(float_op_t f, double a, double b, double c) {
  switch (f) {
  case F_ADD: return a + b;
  case F_SUB: return a - b;
  case F_MUL: return a * b;
  case F_DIV: return a / b;
  case F_FMA: return fma(a, b, c);
  case F_MIN: return min64(a, b, false);
  case F_MAX: return min64(a, b, true);
  case F_ABS: return fabs(a);
  case F_NEG: return -a;
  case F_SQRT: return sqrt(a);
  case F_RCP: return 1.0 / a;
  case F_RSQRT: return 1.0 / sqrt(a);
  default: return copysign(b, a);
  }
}

/* Arrays are parameters, so that the compiler cannot move arithmetic across the mode changes. */
__attribute__((noinline)) static void lanes32(float_op_t f, unsigned round, const uint32_t *a, const uint32_t *b,
                                              const uint32_t *c, float *r) {
  fesetround(fe_mode(round));
  FOR_LANES r[i] = lane32(f, a[i], b[i], c[i]);
  fesetround(FE_TONEAREST);
}

__attribute__((noinline)) static void lanes64(float_op_t f, unsigned round, const double *a, const double *b,
                                              const double *c, double *r) {
  fesetround(fe_mode(round));
  FOR_LANES r[i] = lane64(f, a[i], b[i], c[i]);
  fesetround(FE_TONEAREST);
}

/* An operand's lanes, flushed with .ftz. Without an operand: those of a, which the operation
 * ignores. */
static void read32(const simt_op_t *op, const simt_warp_t *w, uint32_t at, uint32_t *to) {
  if (at == SIMT_NO_OPERAND) at = op->a;
  const uint32_t *from = simt_src(w, at);
  bool ftz = op->flags & SIMT_FTZ;
  FOR_LANES to[i] = ftz ? flush(from[i]) : from[i];
}

/* An f32 operation with any rounding, .ftz and .sat. */
static void slow32(float_op_t f, const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  uint32_t a[32], b[32], c[32], r[32];
  float y[32];
  read32(op, w, op->a, a);
  read32(op, w, op->b, b);
  read32(op, w, op->c, c);
  lanes32(f, op->round, a, b, c, y);
  FOR_LANES {
    r[i] = canon(y[i]);
    if (op->flags & SIMT_FTZ) r[i] = flush(r[i]);
    if (op->flags & SIMT_SAT) r[i] = saturate(r[i]);
  }
  commit32(w, op->d, r, mask);
}

/* f32 min and max with .NaN or .xorsign.abs. */
static void minmax32(bool max, const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  uint32_t a[32], b[32], r[32];
  read32(op, w, op->a, a);
  read32(op, w, op->b, b);
  FOR_LANES r[i] = min32_by(op->imm, a[i], b[i], max);
  commit32(w, op->d, r, mask);
}
static void min_by_f32(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  minmax32(false, op, w, mask);
}
static void max_by_f32(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  minmax32(true, op, w, mask);
}

/* An f64 operation; there is no fast variant. */
static void any64(float_op_t f, const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  double r[32];
  uint64_t bits[32];
  const double *a = simt_src(w, op->a);
  const double *b = op->b == SIMT_NO_OPERAND ? a : simt_src(w, op->b);
  const double *c = op->c == SIMT_NO_OPERAND ? a : simt_src(w, op->c);
  lanes64(f, op->round, a, b, c, r);
  FOR_LANES {
    if (op->flags & SIMT_SAT) r[i] = saturate64(r[i]);
    bits[i] = bits_f64(r[i]);
  }
  commit64(w, op->d, bits, mask);
}

/* clang-format off */
#define SLOW(name, f)                                                                                                  \
  static void name##_s32(const simt_op_t *op, simt_warp_t *w, uint32_t mask) { slow32(f, op, w, mask); }
#define DOUBLE(name, f)                                                                                                \
  static void name##_f64(const simt_op_t *op, simt_warp_t *w, uint32_t mask) { any64(f, op, w, mask); }
#define BOTH(name, f) SLOW(name, f) DOUBLE(name, f)
BOTH(add, F_ADD) BOTH(sub, F_SUB) BOTH(mul, F_MUL) BOTH(div, F_DIV) BOTH(fma, F_FMA) BOTH(min, F_MIN) BOTH(max, F_MAX)
BOTH(abs, F_ABS) BOTH(neg, F_NEG) BOTH(sqrt, F_SQRT) BOTH(rcp, F_RCP) BOTH(rsqrt, F_RSQRT) DOUBLE(copysign, F_COPYSIGN)
SLOW(ex2, F_EX2) SLOW(lg2, F_LG2) SLOW(sin, F_SIN) SLOW(cos, F_COS) SLOW(tanh, F_TANH)

/* testp: whether a class of fpclassify has the property. */
static bool test_class(unsigned mod, int cls, bool normal) {
  switch (mod) {
  case PTX_MOD_finite: return cls != FP_NAN && cls != FP_INFINITE;
  case PTX_MOD_infinite: return cls == FP_INFINITE;
  case PTX_MOD_number: return cls != FP_NAN;
  case PTX_MOD_notanumber: return cls == FP_NAN;
  case PTX_MOD_normal: return normal;
  default: return cls == FP_SUBNORMAL;
  }
}
/* clang-format on */

static void testp_f32(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint32_t *a = simt_src(w, op->a);
  uint32_t r = 0;
  FOR_LANES r |= (uint32_t)test_class(op->sub, fpclassify(as_f32(a[i])), isnormal(as_f32(a[i]))) << i;
  commit_pred(w, op->d, r, mask);
}
static void testp_f64(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const double *a = simt_src(w, op->a);
  uint32_t r = 0;
  FOR_LANES r |= (uint32_t)test_class(op->sub, fpclassify(a[i]), isnormal(a[i])) << i;
  commit_pred(w, op->d, r, mask);
}

bool simt_minimum_form(simt_op_t *op, const ptx_instr_t *in) {
  const bool nan = ptx_has(in, PTX_MOD_NaN), xorsign = ptx_has(in, PTX_MOD_xorsign),
             magnitude = ptx_has(in, PTX_MOD_abs);
  if (in->op != PTX_OP_min && in->op != PTX_OP_max) return !nan && !xorsign;
  op->imm |= (nan ? SIMT_MIN_NAN : 0) | (xorsign ? SIMT_MIN_XORSIGN : 0);
  return magnitude == xorsign && in->num_operands == 3;
}

/* clang-format off */
/* Return the variant for the type: name_f64 or none, or for f32 the slow or the fast function. */
#define FIND(name)                         \
  do {                                     \
    if (ti == TI_F64) return name##_f64;   \
    return slow ? name##_s32 : name##_f32; \
  } while (0)
#define FIND_F32(name)                     \
  do {                                     \
    if (ti == TI_F64) return NULL;         \
    return slow ? name##_s32 : name##_f32; \
  } while (0)
simt_fn_t *simt_float_find(const ptx_instr_t *in, simt_ti_t ti, bool slow) {
  const bool form = ptx_has(in, PTX_MOD_NaN) || ptx_has(in, PTX_MOD_xorsign);
  if (ti != TI_F32 && ti != TI_F64) return NULL;
  if (ptx_has(in, PTX_MOD_relu) || ptx_has(in, PTX_MOD_oob) || (form && ti == TI_F64)) return NULL;
  if (form && in->op == PTX_OP_min) return min_by_f32;
  if (form) return in->op == PTX_OP_max ? max_by_f32 : NULL;
  switch (in->op) {
  case PTX_OP_add: FIND(add);
  case PTX_OP_sub: FIND(sub);
  case PTX_OP_mul: FIND(mul);
  case PTX_OP_div: FIND(div);
  case PTX_OP_mad: case PTX_OP_fma: FIND(fma);
  case PTX_OP_min: FIND(min);
  case PTX_OP_max: FIND(max);
  case PTX_OP_abs: FIND(abs);
  case PTX_OP_neg: FIND(neg);
  case PTX_OP_sqrt: FIND(sqrt);
  case PTX_OP_rcp: FIND(rcp);
  case PTX_OP_rsqrt: FIND(rsqrt);
  case PTX_OP_ex2: FIND_F32(ex2);
  case PTX_OP_lg2: FIND_F32(lg2);
  case PTX_OP_sin: FIND_F32(sin);
  case PTX_OP_cos: FIND_F32(cos);
  case PTX_OP_tanh: FIND_F32(tanh);
  case PTX_OP_copysign: return ti == TI_F64 ? copysign_f64 : copysign_f32;
  case PTX_OP_testp: return ti == TI_F64 ? testp_f64 : testp_f32;
  default: return NULL;
  }
}
/* clang-format on */
