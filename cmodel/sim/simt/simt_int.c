/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer, logic, shift and bit instructions. Sums and products are computed in 64 unsigned bits
 * and cut, which is PTX's wrap-around in every width. Division by zero gives all ones, and the
 * remainder is the dividend, as in NVIDIA's code.
 *
 * DEFn(name, T, expr) defines the function name_T with n operands A, B, C of type T.
 */
#include "simt_lanes.h"

/* clang-format off */
#define INT_TYPES(X) X(u16) X(s16) X(u32) X(s32) X(u64) X(s64)
#define BITS(T) (8 * (unsigned)sizeof(t_##T))

#define DEF1(name, T, expr)                                                             \
  static void name##_##T(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {          \
    const lane_##T *a = simt_src(w, op->a);                                             \
    lane_##T r[32];                                                                     \
    FOR_LANES {                                                                         \
      const t_##T A = (t_##T)a[i];                                                      \
      r[i] = (lane_##T)(un_##T)(expr);                                                  \
    }                                                                                   \
    commit_##T(w, op->d, r, mask);                                                      \
  }

#define DEF2(name, T, expr)                                                             \
  static void name##_##T(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {          \
    const lane_##T *a = simt_src(w, op->a), *b = simt_src(w, op->b);                    \
    lane_##T r[32];                                                                     \
    FOR_LANES {                                                                         \
      const t_##T A = (t_##T)a[i], B = (t_##T)b[i];                                     \
      r[i] = (lane_##T)(un_##T)(expr);                                                  \
    }                                                                                   \
    commit_##T(w, op->d, r, mask);                                                      \
  }

#define DEF3(name, T, expr)                                                                              \
  static void name##_##T(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {                           \
    const lane_##T *a = simt_src(w, op->a), *b = simt_src(w, op->b), *c = simt_src(w, op->c);            \
    lane_##T r[32];                                                                                      \
    FOR_LANES {                                                                                          \
      const t_##T A = (t_##T)a[i], B = (t_##T)b[i], C = (t_##T)c[i];                                     \
      r[i] = (lane_##T)(un_##T)(expr);                                                                   \
    }                                                                                                    \
    commit_##T(w, op->d, r, mask);                                                                       \
  }

/* The shift amount is always a 32-bit operand. */
#define DEF_SHIFT(name, T, expr)                                                        \
  static void name##_##T(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {          \
    const lane_##T *a = simt_src(w, op->a);                                             \
    const uint32_t *b = simt_src(w, op->b);                                             \
    lane_##T r[32];                                                                     \
    FOR_LANES {                                                                         \
      const t_##T A = (t_##T)a[i];                                                      \
      const uint32_t B = b[i];                                                          \
      r[i] = (lane_##T)(un_##T)(expr);                                                  \
    }                                                                                   \
    commit_##T(w, op->d, r, mask);                                                      \
  }

/* What a shift to the right by the width or more leaves: copies of the sign. */
#define SIGN_FILL(T, A) ((A) < 0 ? ~(un_##T)0 : 0)

#define ALL_BUT_DIV(T)                                                                  \
  DEF2(add, T, (uint64_t)A + (uint64_t)B)                                               \
  DEF2(sub, T, (uint64_t)A - (uint64_t)B)                                               \
  DEF2(mul, T, (uint64_t)A * (uint64_t)B)                                               \
  DEF3(mad, T, (uint64_t)A * (uint64_t)B + (uint64_t)C)                                 \
  DEF2(min, T, A < B ? A : B)                                                           \
  DEF2(max, T, A > B ? A : B)                                                           \
  DEF3(sad, T, (A < B ? (uint64_t)B - (uint64_t)A : (uint64_t)A - (uint64_t)B) + (uint64_t)C) \
  DEF_SHIFT(shl, T, B < BITS(T) ? (un_##T)A << (B & (BITS(T) - 1)) : 0)                 \
  DEF_SHIFT(shr, T, B < BITS(T) ? (un_##T)(A >> (B & (BITS(T) - 1))) : SIGN_FILL(T, A))
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits"
INT_TYPES(ALL_BUT_DIV)
#pragma GCC diagnostic pop

#define MUL_HI(T, wide)                                                                                                \
  DEF2(mul_hi, T, ((wide)A * (wide)B) >> BITS(T)) DEF3(mad_hi, T, (un_##T)(((wide)A * (wide)B) >> BITS(T)) + (un_##T)C)
__extension__ typedef __int128 int128_t;
__extension__ typedef unsigned __int128 uint128_t;
MUL_HI(u16, uint64_t)
MUL_HI(s16, int64_t)
MUL_HI(u32, uint64_t)
MUL_HI(s32, int64_t)
MUL_HI(u64, uint128_t)
MUL_HI(s64, int128_t)

#define DIV_U(T) DEF2(div, T, B ? A / B : (t_##T)~(t_##T)0) DEF2(rem, T, B ? A % B : A)
/* A division by -1 may overflow, so C leaves it open. */
#define DIV_S(T)                                                                        \
  static t_##T quotient_##T(t_##T a, t_##T b) {                                         \
    if (b == 0) return -1;                                                              \
    return (t_##T)(b == -1 ? (t_##T)(0 - (uint64_t)a) : a / b);                         \
  }                                                                                     \
  static t_##T remainder_##T(t_##T a, t_##T b) {                                        \
    if (b == 0) return a;                                                               \
    return (t_##T)(b == -1 ? 0 : a % b);                                                \
  }                                                                                     \
  DEF2(div, T, quotient_##T(A, B)) DEF2(rem, T, remainder_##T(A, B))
DIV_U(u16) DIV_U(u32) DIV_U(u64) DIV_S(s16) DIV_S(s32) DIV_S(s64)

#define ABS_NEG(T) DEF1(abs, T, A < 0 ? 0 - (uint64_t)A : (uint64_t)A) DEF1(neg, T, 0 - (uint64_t)A)
ABS_NEG(s16) ABS_NEG(s32) ABS_NEG(s64)

#define LOGIC(T)                                                                        \
  DEF2(and, T, A & B) DEF2(or, T, A | B) DEF2(xor, T, A ^ B) DEF1(not, T, ~A) DEF1(cnot, T, A == 0) DEF1(mov, T, A)
LOGIC(u16) LOGIC(u32) LOGIC(u64)

/* 16 x 16 -> 32 and 32 x 32 -> 64 */
#define WIDE(T, R, W)                                                                                    \
  static void mul_wide_##T(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {                         \
    const lane_##T *a = simt_src(w, op->a), *b = simt_src(w, op->b);                                     \
    lane_##R r[32];                                                                                      \
    FOR_LANES r[i] = (lane_##R)((W)(t_##T)a[i] * (W)(t_##T)b[i]);                                        \
    commit_##R(w, op->d, r, mask);                                                                       \
  }                                                                                                      \
  static void mad_wide_##T(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {                         \
    const lane_##T *a = simt_src(w, op->a), *b = simt_src(w, op->b);                                     \
    const lane_##R *c = simt_src(w, op->c);                                                              \
    lane_##R r[32];                                                                                      \
    FOR_LANES r[i] = (lane_##R)((W)(t_##T)a[i] * (W)(t_##T)b[i]) + c[i];                                 \
    commit_##R(w, op->d, r, mask);                                                                       \
  }
WIDE(u16, u32, uint64_t)
WIDE(s16, u32, int64_t)
WIDE(u32, u64, uint64_t)
WIDE(s32, u64, int64_t)

/* .sat clamps to s32; only s32 has it. */
static int32_t clamp_s32(int64_t x) {
  if (x > INT32_MAX) return INT32_MAX;
  return x < INT32_MIN ? INT32_MIN : (int32_t)x;
}
DEF2(add_sat, s32, clamp_s32((int64_t)A + B))
DEF2(sub_sat, s32, clamp_s32((int64_t)A - B))
DEF3(mad_hi_sat, s32, clamp_s32((((int64_t)A * B) >> 32) + C))

/* mul24 and mad24 use the low 24 bits of their factors. */
static int64_t s24(uint32_t x) { return (int32_t)(x << 8) >> 8; }
static uint64_t u24(uint32_t x) { return x & 0xffffff; }
DEF2(mul24_lo, u32, u24(A) * u24(B))
DEF2(mul24_hi, u32, (u24(A) * u24(B)) >> 16)
DEF2(mul24_lo, s32, s24((uint32_t)A) * s24((uint32_t)B))
DEF2(mul24_hi, s32, (s24((uint32_t)A) * s24((uint32_t)B)) >> 16)
DEF3(mad24_lo, u32, u24(A) * u24(B) + C)
DEF3(mad24_hi, u32, ((u24(A) * u24(B)) >> 16) + C)
DEF3(mad24_lo, s32, s24((uint32_t)A) * s24((uint32_t)B) + C)
DEF3(mad24_hi, s32, ((s24((uint32_t)A) * s24((uint32_t)B)) >> 16) + C)

/* add.cc, addc, sub.cc, subc, mad.cc, madc. The carry of a subtraction is its borrow. */
#define CARRY(T, wide)                                                                                   \
  static void carry_##T(simt_warp_t *w, const simt_op_t *op, uint32_t out, uint32_t mask) {              \
    if (op->flags & SIMT_CARRY_OUT) w->carry = (w->carry & ~mask) | (out & mask);                        \
  }                                                                                                      \
  static void addc_##T(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {                             \
    const lane_##T *a = simt_src(w, op->a), *b = simt_src(w, op->b);                                     \
    lane_##T r[32];                                                                                      \
    uint32_t out = 0, in = op->flags & SIMT_CARRY_IN ? w->carry : 0;                                     \
    FOR_LANES {                                                                                          \
      wide s = (wide)a[i] + b[i] + (in >> i & 1);                                                        \
      r[i] = (lane_##T)s;                                                                                \
      out |= (uint32_t)(s >> BITS(T) & 1) << i;                                                          \
    }                                                                                                    \
    carry_##T(w, op, out, mask);                                                                         \
    commit_##T(w, op->d, r, mask);                                                                       \
  }                                                                                                      \
  static void subc_##T(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {                             \
    const lane_##T *a = simt_src(w, op->a), *b = simt_src(w, op->b);                                     \
    lane_##T r[32];                                                                                      \
    uint32_t out = 0, in = op->flags & SIMT_CARRY_IN ? w->carry : 0;                                     \
    FOR_LANES {                                                                                          \
      wide s = (wide)a[i] - b[i] - (in >> i & 1);                                                        \
      r[i] = (lane_##T)s;                                                                                \
      out |= (uint32_t)(s >> BITS(T) & 1) << i;                                                          \
    }                                                                                                    \
    carry_##T(w, op, out, mask);                                                                         \
    commit_##T(w, op->d, r, mask);                                                                       \
  }                                                                                                      \
  static void madc_##T(const simt_op_t *op, simt_warp_t *w, uint32_t mask) { /* sub: 1 the high half */  \
    const lane_##T *a = simt_src(w, op->a), *b = simt_src(w, op->b), *c = simt_src(w, op->c);            \
    lane_##T r[32];                                                                                      \
    uint32_t out = 0, in = op->flags & SIMT_CARRY_IN ? w->carry : 0;                                     \
    FOR_LANES {                                                                                          \
      wide p = op->flags & SIMT_SIGNED ? (wide)((wide)(t_s##T##_t)a[i] * (wide)(t_s##T##_t)b[i]) : (wide)a[i] * b[i]; \
      wide s = (wide)(lane_##T)(op->sub ? p >> BITS(T) : p) + c[i] + (in >> i & 1);                      \
      r[i] = (lane_##T)s;                                                                                \
      out |= (uint32_t)(s >> BITS(T) & 1) << i;                                                          \
    }                                                                                                    \
    carry_##T(w, op, out, mask);                                                                         \
    commit_##T(w, op->d, r, mask);                                                                       \
  }
typedef int32_t t_su32_t;
typedef int64_t t_su64_t;
CARRY(u32, uint64_t)
CARRY(u64, uint128_t)

/* Bits. bfind and clz and popc give 32 bits whatever their source. */
#define TO32(name, T, expr)                                                             \
  static void name##_##T(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {          \
    const lane_##T *a = simt_src(w, op->a);                                             \
    uint32_t r[32];                                                                     \
    FOR_LANES {                                                                         \
      const un_##T A = (un_##T)a[i];                                                    \
      r[i] = (uint32_t)(expr);                                                          \
    }                                                                                   \
    commit32(w, op->d, r, mask);                                                        \
  }
TO32(clz, u32, A ? __builtin_clz(A) : 32)
TO32(clz, u64, A ? __builtin_clzll(A) : 64)
TO32(popc, u32, __builtin_popcount(A))
TO32(popc, u64, __builtin_popcountll(A))

/* bfind: position of the highest one; shiftamt: the shift that moves it to the top. ~0: x is 0. */
static uint32_t find_msb(uint64_t x, unsigned bits, bool shiftamt) {
  if (!x) return ~0u;
  uint32_t msb = 63 - (uint32_t)__builtin_clzll(x);
  return shiftamt ? bits - 1 - msb : msb;
}
TO32(bfind, u32, find_msb(A, 32, op->sub))
TO32(bfind, u64, find_msb(A, 64, op->sub))
TO32(bfind, s32, find_msb((int32_t)A < 0 ? (uint32_t)~A : A, 32, op->sub))
TO32(bfind, s64, find_msb((int64_t)A < 0 ? ~A : A, 64, op->sub))

static uint64_t reverse_bits(uint64_t x, unsigned bits) {
  uint64_t r = 0;
  for (unsigned i = 0; i < bits; i++) r |= (x >> i & 1) << (bits - 1 - i);
  return r;
}
DEF1(brev, u32, reverse_bits(A, 32))
DEF1(brev, u64, reverse_bits(A, 64))
/* clang-format on */

static uint64_t low_ones(unsigned n) {
  return n >= 64 ? ~0ull : (1ull << n) - 1;
}

/* clang-format off */
/* bfe, as in the PTX document: the field is cut at the register's end, and a sign fills above
 * it. */
static uint64_t extract_field(uint64_t a, unsigned pos, unsigned len, unsigned bits, bool sign) {
  pos &= 255;
  len &= 255;
  unsigned last = pos + len - 1 < bits - 1 ? pos + len - 1 : bits - 1;
  bool fill = sign && len && (a >> last & 1);
  uint64_t field = pos < bits ? a >> pos : 0;
  unsigned have = pos < bits ? (len < bits - pos ? len : bits - pos) : 0;
  field &= low_ones(have);
  return fill ? field | ~low_ones(have) : field;
}
#define DEF_BFE(T, sign)                                                                \
  static void bfe_##T(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {             \
    const lane_##T *a = simt_src(w, op->a);                                             \
    const uint32_t *b = simt_src(w, op->b), *c = simt_src(w, op->c);                    \
    lane_##T r[32];                                                                     \
    FOR_LANES r[i] = (lane_##T)extract_field(a[i], b[i], c[i], BITS(T), sign);                \
    commit_##T(w, op->d, r, mask);                                                      \
  }
DEF_BFE(u32, false) DEF_BFE(s32, true) DEF_BFE(u64, false) DEF_BFE(s64, true)

/* bfi: puts len bits of a into b at pos. */
static uint64_t insert_field(uint64_t a, uint64_t b, unsigned pos, unsigned len, unsigned bits) {
  pos &= 255;
  len &= 255;
  if (pos >= bits || !len) return b;
  uint64_t field = low_ones(len) << pos;
  return (b & ~field) | (a << pos & field);
}
#define DEF_BFI(T)                                                                      \
  static void bfi_##T(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {             \
    const lane_##T *a = simt_src(w, op->a), *b = simt_src(w, op->b);                    \
    const uint32_t *c = simt_src(w, op->c), *x = simt_src(w, op->x);                    \
    lane_##T r[32];                                                                     \
    FOR_LANES r[i] = (lane_##T)insert_field(a[i], b[i], c[i], x[i], BITS(T));                 \
    commit_##T(w, op->d, r, mask);                                                      \
  }
DEF_BFI(u32) DEF_BFI(u64)

DEF3(shf_l_clamp, u32, C >= 32 ? A : (uint32_t)(((uint64_t)B << 32 | A) >> (32 - C)))
DEF3(shf_l_wrap, u32, (uint32_t)((((uint64_t)B << 32 | A) << (C & 31)) >> 32))
DEF3(shf_r_clamp, u32, C >= 32 ? B : (uint32_t)(((uint64_t)B << 32 | A) >> C))
DEF3(shf_r_wrap, u32, (uint32_t)(((uint64_t)B << 32 | A) >> (C & 31)))
    /* clang-format on */

    static void selp_u32(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint32_t *a = simt_src(w, op->a), *b = simt_src(w, op->b);
  uint32_t p = pred_of(w, op->c, op->flags & SIMT_NEG_C), r[32];
  FOR_LANES r[i] = p >> i & 1 ? a[i] : b[i];
  commit32(w, op->d, r, mask);
}
static void selp_u64(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint64_t *a = simt_src(w, op->a), *b = simt_src(w, op->b);
  uint32_t p = pred_of(w, op->c, op->flags & SIMT_NEG_C);
  uint64_t r[32];
  FOR_LANES r[i] = p >> i & 1 ? a[i] : b[i];
  commit64(w, op->d, r, mask);
}

/* clang-format off */
/* Predicates. */
#define DEF_PRED(name, expr)                                                                                           \
  static void name##_pred(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {                                        \
    uint32_t A = pred_of(w, op->a, op->flags & SIMT_NEG_A),                                                            \
             B = op->b == SIMT_NO_OPERAND ? 0 : pred_of(w, op->b, op->flags & SIMT_NEG_B);                             \
    (void)B;                                                                                                           \
    commit_pred(w, op->d, expr, mask);                                                                                 \
  }
DEF_PRED(and, A & B)
DEF_PRED(or, A | B)
DEF_PRED(xor, A ^ B)
DEF_PRED(not, ~A)
DEF_PRED(mov, A)

/* Compares. */
#define DEF_CMP(name, T, expr)                                                          \
  static uint32_t cmp_##name##_##T(const simt_op_t *op, const simt_warp_t *w) {         \
    const lane_##T *a = simt_src(w, op->a), *b = simt_src(w, op->b);                    \
    uint32_t r = 0;                                                                     \
    FOR_LANES {                                                                         \
      const t_##T A = (t_##T)a[i], B = (t_##T)b[i];                                     \
      r |= (uint32_t)(expr) << i;                                                       \
    }                                                                                   \
    return r;                                                                           \
  }
#define DEF_CMPS(T)                                                                                                    \
  DEF_CMP(eq, T, A == B)                                                                                               \
  DEF_CMP(ne, T, A != B) DEF_CMP(lt, T, A < B) DEF_CMP(le, T, A <= B) DEF_CMP(gt, T, A > B) DEF_CMP(ge, T, A >= B)
INT_TYPES(DEF_CMPS)

#define FCMP(name, T, as, expr)                                                         \
  static uint32_t cmp_##name##_##T(const simt_op_t *op, const simt_warp_t *w) {         \
    const lane_##T *a = simt_src(w, op->a), *b = simt_src(w, op->b);                    \
    bool ftz = op->flags & SIMT_FTZ;                                                    \
    uint32_t r = 0;                                                                     \
    FOR_LANES {                                                                         \
      lane_##T x = a[i], y = b[i];                                                      \
      if (ftz) x = (lane_##T)flush((uint32_t)x), y = (lane_##T)flush((uint32_t)y);      \
      const __typeof__(as(x)) A = as(x), B = as(y);                                     \
      r |= (uint32_t)(expr) << i;                                                       \
    }                                                                                   \
    return r;                                                                           \
  }
#define FCMPS(T, as)                                                                    \
  FCMP(eq, T, as, A == B) FCMP(ne, T, as, A < B || A > B) FCMP(lt, T, as, A < B) FCMP(le, T, as, A <= B)     \
  FCMP(gt, T, as, A > B) FCMP(ge, T, as, A >= B) FCMP(equ, T, as, !(A < B || A > B)) FCMP(neu, T, as, A != B) \
  FCMP(ltu, T, as, !(A >= B)) FCMP(leu, T, as, !(A > B)) FCMP(gtu, T, as, !(A <= B)) FCMP(geu, T, as, !(A < B)) \
  FCMP(num, T, as, A == A && B == B) FCMP(nan, T, as, A != A || B != B)
FCMPS(f32, as_f32)
FCMPS(f64, as_f64)

#define INT_CMP_CASE(name) \
  case PTX_MOD_##name: { \
    static simt_cmp_t *const t[] = {cmp_##name##_u16, cmp_##name##_s16, cmp_##name##_u32, cmp_##name##_s32, \
                                    cmp_##name##_u64, cmp_##name##_s64, cmp_##name##_f32, cmp_##name##_f64}; \
    return ti < TI_PRED ? t[ti] : NULL; \
  }
#define FLOAT_CMP_CASE(name) \
  case PTX_MOD_##name: return pick_float(ti, cmp_##name##_f32, cmp_##name##_f64);

/* Comparisons that only floating-point numbers have. */
static simt_cmp_t *pick_float(simt_ti_t ti, simt_cmp_t *f32, simt_cmp_t *f64) {
  if (ti == TI_F32) return f32;
  return ti == TI_F64 ? f64 : NULL;
}

/* lo, ls, hi and hs compare as unsigned in any type: the comparison that they are then. */
static ptx_mod_t unsigned_compare(ptx_mod_t cmp) {
  switch (cmp) {
  case PTX_MOD_lo: return PTX_MOD_lt;
  case PTX_MOD_ls: return PTX_MOD_le;
  case PTX_MOD_hi: return PTX_MOD_gt;
  case PTX_MOD_hs: return PTX_MOD_ge;
  default: return PTX_MOD_NONE;
  }
}

simt_cmp_t *simt_cmp_find(ptx_mod_t cmp, simt_ti_t ti) {
  const ptx_mod_t plain = unsigned_compare(cmp);
  if (plain != PTX_MOD_NONE) {
    if (ti > TI_S64) return NULL;
    ti = (simt_ti_t)(ti & ~1u);
    cmp = plain;
  }
  switch (cmp) {
    INT_CMP_CASE(eq)
    INT_CMP_CASE(ne) INT_CMP_CASE(lt) INT_CMP_CASE(le) INT_CMP_CASE(gt) INT_CMP_CASE(ge) FLOAT_CMP_CASE(equ)
        FLOAT_CMP_CASE(neu) FLOAT_CMP_CASE(ltu) FLOAT_CMP_CASE(leu) FLOAT_CMP_CASE(gtu) FLOAT_CMP_CASE(geu)
            FLOAT_CMP_CASE(num) FLOAT_CMP_CASE(nan) default : return NULL;
  }
}

#define ALL6(name) {name##_u16, name##_s16, name##_u32, name##_s32, name##_u64, name##_s64}
#define SIGNED(name) {NULL, name##_s16, NULL, name##_s32, NULL, name##_s64}
#define LOGIC6(name)                                                                                                   \
  { name##_u16, name##_u16, name##_u32, name##_u32, name##_u64, name##_u64, name##_u32, name##_u64, name##_pred }
#define PICK(...) do { static simt_fn_t *const t[TI_NONE + 1] = __VA_ARGS__; return t[ti]; } while (0)

/* mul and mad: .lo, .hi and .wide. */
static simt_fn_t *find_mul(const ptx_instr_t *in, simt_ti_t ti) {
  bool mad = in->op == PTX_OP_mad;
  if (ptx_has(in, PTX_MOD_wide)) {
    static simt_fn_t *const mul[] = {mul_wide_u16, mul_wide_s16, mul_wide_u32, mul_wide_s32};
    static simt_fn_t *const mads[] = {mad_wide_u16, mad_wide_s16, mad_wide_u32, mad_wide_s32};
    if (ti > TI_S32) return NULL;
    return mad ? mads[ti] : mul[ti];
  }
  if (ptx_has(in, PTX_MOD_hi)) {
    if (ptx_has(in, PTX_MOD_sat)) return mad && ti == TI_S32 ? mad_hi_sat_s32 : NULL;
    if (mad) PICK(ALL6(mad_hi));
    PICK(ALL6(mul_hi));
  }
  if (ptx_has(in, PTX_MOD_sat) || !ptx_has(in, PTX_MOD_lo)) return NULL;
  if (mad) PICK(ALL6(mad));
  PICK(ALL6(mul));
}
/* clang-format on */

/* mul24 and mad24. */
static simt_fn_t *find_24(const ptx_instr_t *in, simt_ti_t ti) {
  /* [mad][signed][hi] */
  static simt_fn_t *const all[2][2][2] = {{{mul24_lo_u32, mul24_hi_u32}, {mul24_lo_s32, mul24_hi_s32}},
                                          {{mad24_lo_u32, mad24_hi_u32}, {mad24_lo_s32, mad24_hi_s32}}};
  if (ptx_has(in, PTX_MOD_sat) || (ti != TI_U32 && ti != TI_S32)) return NULL;
  return all[in->op == PTX_OP_mad24][ti == TI_S32][ptx_has(in, PTX_MOD_hi)];
}

static simt_fn_t *find_shf(const ptx_instr_t *in) {
  bool wrap = ptx_has(in, PTX_MOD_wrap);
  if (ptx_has(in, PTX_MOD_l)) return wrap ? shf_l_wrap_u32 : shf_l_clamp_u32;
  return wrap ? shf_r_wrap_u32 : shf_r_clamp_u32;
}

/* clang-format off */
static simt_fn_t *find_add(const ptx_instr_t *in, simt_ti_t ti) {
  bool add = in->op == PTX_OP_add;
  if (ptx_has(in, PTX_MOD_sat)) {
    if (ti != TI_S32) return NULL;
    return add ? add_sat_s32 : sub_sat_s32;
  }
  if (add) PICK(ALL6(add));
  PICK(ALL6(sub));
}
/* clang-format on */

/* Instructions with a carry in or out: add.cc, addc, sub.cc, subc, mad.cc, madc. */
static simt_fn_t *find_carry(const ptx_instr_t *in, simt_ti_t ti) {
  bool wide = ti == TI_U64 || ti == TI_S64;
  if (!wide && ti != TI_U32 && ti != TI_S32) return NULL;
  switch (in->op) {
  case PTX_OP_add:
  case PTX_OP_addc: return wide ? addc_u64 : addc_u32;
  case PTX_OP_sub:
  case PTX_OP_subc: return wide ? subc_u64 : subc_u32;
  default: return wide ? madc_u64 : madc_u32;
  }
}

/* Bit instructions of 32 and 64 bits. */
static simt_fn_t *find_bits(const ptx_instr_t *in, simt_ti_t ti) {
  bool w64 = ti == TI_U64 || ti == TI_S64;
  if (ti < TI_U32 || ti > TI_S64) return NULL;
  switch (in->op) {
  case PTX_OP_clz: return w64 ? clz_u64 : clz_u32;
  case PTX_OP_popc: return w64 ? popc_u64 : popc_u32;
  case PTX_OP_brev: return w64 ? brev_u64 : brev_u32;
  case PTX_OP_bfind: PICK({NULL, NULL, bfind_u32, bfind_s32, bfind_u64, bfind_s64});
  case PTX_OP_bfe: PICK({NULL, NULL, bfe_u32, bfe_s32, bfe_u64, bfe_s64});
  case PTX_OP_bfi: return w64 ? bfi_u64 : bfi_u32;
  default: return NULL;
  }
}

simt_fn_t *simt_int_find(const ptx_instr_t *in, simt_ti_t ti) {
  if (in->op == PTX_OP_addc || in->op == PTX_OP_subc || in->op == PTX_OP_madc || ptx_has(in, PTX_MOD_cc))
    return find_carry(in, ti);
  switch (in->op) {
  case PTX_OP_add:
  case PTX_OP_sub: return find_add(in, ti);
  case PTX_OP_mul:
  case PTX_OP_mad: return find_mul(in, ti);
  case PTX_OP_mul24:
  case PTX_OP_mad24: return find_24(in, ti);
  case PTX_OP_div: PICK(ALL6(div));
  case PTX_OP_rem: PICK(ALL6(rem));
  case PTX_OP_min: PICK(ALL6(min));
  case PTX_OP_max: PICK(ALL6(max));
  case PTX_OP_sad: PICK(ALL6(sad));
  case PTX_OP_abs: PICK(SIGNED(abs));
  case PTX_OP_neg: PICK(SIGNED(neg));
  case PTX_OP_and: PICK(LOGIC6(and));
  case PTX_OP_or: PICK(LOGIC6(or));
  case PTX_OP_xor: PICK(LOGIC6(xor));
  case PTX_OP_not: PICK(LOGIC6(not ));
  case PTX_OP_mov:
  case PTX_OP_cvta: PICK(LOGIC6(mov));
  case PTX_OP_cnot: PICK({cnot_u16, NULL, cnot_u32, NULL, cnot_u64});
  case PTX_OP_shl: PICK(ALL6(shl));
  case PTX_OP_shr: PICK(ALL6(shr));
  case PTX_OP_selp: PICK({selp_u32, selp_u32, selp_u32, selp_u32, selp_u64, selp_u64, selp_u32, selp_u64});
  case PTX_OP_shf: return find_shf(in);
  default: return find_bits(in, ti);
  }
}
