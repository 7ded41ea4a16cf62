/* SPDX-License-Identifier: Apache-2.0
 *
 * cvt between integers of 8 to 64 bits, f16, bf16, f32 and f64, with all roundings, .sat, .relu,
 * .satfinite and .ftz.
 *
 * Integers are converted through 64 bits. Float to integer clamps to the destination's range, and
 * NaN gives 0. Compiled with -frounding-math.
 */
#include <fenv.h>
#include <math.h>

#include "simt_lanes.h"

enum { CVT_FINITE = 8 /* in simt_op_t.imm, like SIMT_RELU: overflow gives the largest finite number */ };

/* Source lanes as 64-bit integers, extended by the source's type. */
static void read_int(const simt_op_t *op, const simt_warp_t *w, uint64_t *x) {
  unsigned shift = 64 - 8 * op->src_bytes;
  bool sign = op->flags & SIMT_SIGNED;
  if (op->vec == 8) {
    const uint64_t *a = simt_src(w, op->a);
    FOR_LANES x[i] = a[i];
  } else {
    const uint32_t *a = simt_src(w, op->a);
    FOR_LANES x[i] = a[i];
  }
  if (!shift) return;
  if (sign) FOR_LANES x[i] = (uint64_t)((int64_t)(x[i] << shift) >> shift);
  else FOR_LANES x[i] = x[i] << shift >> shift;
}

/* Writes integers of op->bytes, sign-extended (sub) or zero-extended to the register. */
static void write_int(const simt_op_t *op, simt_warp_t *w, uint64_t *x, uint32_t mask) {
  unsigned shift = 64 - 8 * op->bytes;
  if (shift) {
    if (op->sub) FOR_LANES x[i] = (uint64_t)((int64_t)(x[i] << shift) >> shift);
    else FOR_LANES x[i] = x[i] << shift >> shift;
  }
  if (op->reg_bytes == 8) {
    commit64(w, op->d, x, mask);
    return;
  }
  uint32_t r[32], keep = op->x == 2 ? 0xffffu : ~0u; /* x: register's own bytes; 16-bit ones are kept zero-extended */
  FOR_LANES r[i] = (uint32_t)x[i] & keep;
  commit32(w, op->d, r, mask);
}

/* .sat: clamps to the destination's range. */
static void clamp_int(const simt_op_t *op, uint64_t *x) {
  unsigned bits = 8 * op->bytes;
  bool from_signed = op->flags & SIMT_SIGNED;
  uint64_t most = ~0ull >> (64 - bits + (op->sub ? 1 : 0));
  int64_t least = op->sub ? -(int64_t)most - 1 : 0;
  FOR_LANES {
    if (from_signed && (int64_t)x[i] < 0) x[i] = (int64_t)x[i] < least ? (uint64_t)least : x[i];
    else if (x[i] > most) x[i] = most;
  }
}

static void cvt_int_int(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  uint64_t x[32];
  read_int(op, w, x);
  if (op->flags & SIMT_SAT) clamp_int(op, x);
  write_int(op, w, x, mask);
}

/* The most frequent conversions, without the generic path. */
static void cvt_u64_u32(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint32_t *a = simt_src(w, op->a);
  uint64_t r[32];
  FOR_LANES r[i] = a[i];
  commit64(w, op->d, r, mask);
}
static void cvt_s64_s32(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint32_t *a = simt_src(w, op->a);
  uint64_t r[32];
  FOR_LANES r[i] = (uint64_t)(int64_t)(int32_t)a[i];
  commit64(w, op->d, r, mask);
}
static void cvt_u32_u64(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint64_t *a = simt_src(w, op->a);
  uint32_t r[32];
  FOR_LANES r[i] = (uint32_t)a[i];
  commit32(w, op->d, r, mask);
}

static const int fe_modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

/* Arrays are parameters, so that the compiler cannot move arithmetic across the mode changes. */
__attribute__((noinline)) static void ints_to_f32(unsigned round, bool sign, const uint64_t *x, uint32_t *r) {
  fesetround(fe_modes[round]);
  FOR_LANES r[i] = bits_f32(sign ? (float)(int64_t)x[i] : (float)x[i]);
  fesetround(FE_TONEAREST);
}
__attribute__((noinline)) static void ints_to_f64(unsigned round, bool sign, const uint64_t *x, uint64_t *r) {
  fesetround(fe_modes[round]);
  FOR_LANES r[i] = bits_f64(sign ? (double)(int64_t)x[i] : (double)x[i]);
  fesetround(FE_TONEAREST);
}
__attribute__((noinline)) static void f64_to_f32(unsigned round, const double *x, uint32_t *r) {
  fesetround(fe_modes[round]);
  FOR_LANES r[i] = canon((float)x[i]);
  fesetround(FE_TONEAREST);
}

/* Applies .ftz and .sat, and writes the result. */
static void finish_f32(const simt_op_t *op, simt_warp_t *w, uint32_t *r, uint32_t mask) {
  if (op->flags & SIMT_FTZ) FOR_LANES r[i] = flush(r[i]);
  if (op->flags & SIMT_SAT) FOR_LANES r[i] = saturate(r[i]);
  commit32(w, op->d, r, mask);
}

/* The host converts large 64-bit unsigned values by halving them with a sticky bit, which is
 * right in every rounding mode. */
static void cvt_int_f32(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  uint64_t x[32];
  uint32_t r[32];
  read_int(op, w, x);
  bool sign = (op->flags & SIMT_SIGNED) || op->src_bytes < 8;
  if (op->round == SIMT_RN) FOR_LANES r[i] = bits_f32(sign ? (float)(int64_t)x[i] : (float)x[i]);
  else ints_to_f32(op->round, sign, x, r);
  finish_f32(op, w, r, mask);
}

static void cvt_int_f64(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  uint64_t x[32], r[32];
  read_int(op, w, x);
  ints_to_f64(op->round, (op->flags & SIMT_SIGNED) || op->src_bytes < 8, x, r);
  if (op->flags & SIMT_SAT) FOR_LANES r[i] = bits_f64(saturate64(as_f64(r[i])));
  commit64(w, op->d, r, mask);
}

static double to_integral(double x, unsigned round) {
  switch (round) {
  case SIMT_RN: return nearbyint(x); /* the mode is to nearest, ties to even */
  case SIMT_RZ: return trunc(x);
  case SIMT_RM: return floor(x);
  default: return ceil(x);
  }
}

/* Source lanes as doubles. op->type is the format of a 16-bit source. */
static void read_float(const simt_op_t *op, const simt_warp_t *w, double *x) {
  if (op->src_bytes == 8) {
    memcpy(x, simt_src(w, op->a), 256);
    return;
  }
  const uint32_t *a = simt_src(w, op->a);
  if (op->src_bytes == 2) {
    FOR_LANES x[i] = half_value(simt_half_format(op->type), (uint16_t)a[i]);
    return;
  }
  bool ftz = op->flags & SIMT_FTZ;
  FOR_LANES x[i] = (double)as_f32(ftz ? flush(a[i]) : a[i]);
}

/* `above` is the first value out of range. */
static uint64_t float_to_int(double x, unsigned bits, bool sign) {
  if (x != x) return 0;
  double above = ldexp(1.0, (int)(sign ? bits - 1 : bits));
  if (x >= above) return ~0ull >> (64 - bits + (sign ? 1 : 0));
  if (!sign) return x <= 0 ? 0 : (uint64_t)x;
  return x <= -above ? 0 - (1ull << (bits - 1)) : (uint64_t)(int64_t)x;
}

static void cvt_float_int(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  double x[32];
  uint64_t r[32];
  read_float(op, w, x);
  FOR_LANES r[i] = float_to_int(to_integral(x[i], op->round), 8u * op->bytes, op->sub);
  write_int(op, w, r, mask);
}

/* Same size: rounding is to an integral value. vec: .rni or the like is present. */
static void cvt_f32_f32(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint32_t *a = simt_src(w, op->a);
  uint32_t r[32];
  FOR_LANES {
    float x = as_f32(op->flags & SIMT_FTZ ? flush(a[i]) : a[i]);
    r[i] = canon(op->vec ? (float)to_integral(x, op->round) : x);
  }
  finish_f32(op, w, r, mask);
}
static void cvt_f64_f64(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const double *a = simt_src(w, op->a);
  uint64_t r[32];
  FOR_LANES {
    double x = op->vec ? to_integral(a[i], op->round) : a[i];
    if (op->flags & SIMT_SAT) x = saturate64(x);
    r[i] = bits_f64(x);
  }
  commit64(w, op->d, r, mask);
}
static void cvt_f32_f64(const simt_op_t *op, simt_warp_t *w, uint32_t mask) { /* from f64 */
  uint32_t r[32];
  f64_to_f32(op->round, simt_src(w, op->a), r);
  finish_f32(op, w, r, mask);
}
static void cvt_f64_f32(const simt_op_t *op, simt_warp_t *w, uint32_t mask) { /* from f32, f16, bf16 */
  double x[32];
  uint64_t r[32];
  read_float(op, w, x);
  FOR_LANES {
    if (op->flags & SIMT_SAT) x[i] = saturate64(x[i]);
    r[i] = bits_f64(x[i]);
  }
  commit64(w, op->d, r, mask);
}

static void cvt_f32_half(const simt_op_t *op, simt_warp_t *w, uint32_t mask) { /* from f16, bf16 */
  double x[32];
  uint32_t r[32];
  read_float(op, w, x);
  FOR_LANES r[i] = canon((float)x[i]);
  finish_f32(op, w, r, mask);
}

/* sub: the format. .satfinite replaces infinity by the largest finite number, whose code is one
 * less. */
static unsigned to_half(const simt_op_t *op, double x) {
  const half_format_t format = (half_format_t)op->sub;
  unsigned bits = half_bits(format, x, (half_round_t)op->round);
  if (x != x) bits = 0x7fff;
  else if (op->imm & CVT_FINITE && (bits & 0x7fff) == half_infinity(format)) bits--;
  return simt_half_finish(op, format, bits);
}

/* vec: .rni or the like is present. */
static void cvt_half_float(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  double x[32];
  uint32_t r[32];
  read_float(op, w, x);
  FOR_LANES r[i] = to_half(op, op->vec ? to_integral(x[i], op->round) : x[i]);
  commit32(w, op->d, r, mask);
}

/* A double that rounds like the integer. If the integer has more than 53 bits, a last bit stands
 * for all lost ones (round to odd). */
static double odd_double(uint64_t magnitude) {
  const bool wide = magnitude >> 53;
  return wide ? ldexp((double)(magnitude >> 12 | ((magnitude & 0xfff) != 0)), 12) : (double)magnitude;
}

static void cvt_half_int(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  uint64_t x[32];
  uint32_t r[32];
  read_int(op, w, x);
  FOR_LANES {
    const bool negative = op->flags & SIMT_SIGNED && x[i] >> 63;
    r[i] = to_half(op, negative ? -odd_double(0 - x[i]) : odd_double(x[i]));
  }
  commit32(w, op->d, r, mask);
}

/* cvt.rn.f16x2.f32 d, a, b: a becomes the upper half. */
static void cvt_halves(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint32_t *a = simt_src(w, op->a), *b = simt_src(w, op->b);
  uint32_t r[32];
  FOR_LANES r[i] = to_half(op, as_f32(a[i])) << 16 | to_half(op, as_f32(b[i]));
  commit32(w, op->d, r, mask);
}

/* Rounds to a binary32 with 10 fraction bits. sub: ties away from zero; else to nearest even or
 * towards zero. */
static uint32_t to_tf32(const simt_op_t *op, uint32_t x) {
  const uint32_t sign = x & 0x80000000u, magnitude = x ^ sign, even = magnitude >> 13 & 1;
  if (nan_bits(x)) return 0x7fffffff;
  if (op->imm & SIMT_RELU && sign) return 0;
  uint32_t up = 0;
  if (op->sub) up = 0x1000;
  else if (op->round == SIMT_RN) up = 0xfff + even;
  const uint32_t rounded = (magnitude + up) & 0xffffe000u;
  return sign | (op->imm & CVT_FINITE && rounded == 0x7f800000u ? 0x7f7fe000u : rounded);
}

static void cvt_tf32_f32(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint32_t *a = simt_src(w, op->a);
  uint32_t r[32];
  FOR_LANES r[i] = to_tf32(op, a[i]);
  commit32(w, op->d, r, mask);
}

simt_round_t simt_round(const ptx_instr_t *in) {
  if (ptx_has(in, PTX_MOD_rz) || ptx_has(in, PTX_MOD_rzi)) return SIMT_RZ;
  if (ptx_has(in, PTX_MOD_rm) || ptx_has(in, PTX_MOD_rmi)) return SIMT_RM;
  if (ptx_has(in, PTX_MOD_rp) || ptx_has(in, PTX_MOD_rpi)) return SIMT_RP;
  return SIMT_RN;
}

static simt_fn_t *find_int_int(const simt_op_t *op) {
  if (op->flags & SIMT_SAT) return cvt_int_int;
  if (op->bytes == 8 && op->src_bytes == 4 && op->reg_bytes == 8 && op->vec == 4)
    return op->flags & SIMT_SIGNED ? cvt_s64_s32 : cvt_u64_u32;
  if (op->bytes == 4 && op->src_bytes == 8 && op->reg_bytes == 4) return cvt_u32_u64;
  return cvt_int_int;
}

static bool is_float(unsigned type) {
  return type == PTX_F16 || type == PTX_BF16 || type == PTX_F32 || type == PTX_F64;
}

static bool is_integral(const ptx_instr_t *in) {
  return ptx_has(in, PTX_MOD_rni) || ptx_has(in, PTX_MOD_rzi) || ptx_has(in, PTX_MOD_rmi) || ptx_has(in, PTX_MOD_rpi);
}

/* .relu and .satfinite, which only 16-bit destinations from f32 have. false: not allowed here. */
static bool bind_finish(simt_op_t *op, const ptx_instr_t *in) {
  const bool relu = ptx_has(in, PTX_MOD_relu), finite = ptx_has(in, PTX_MOD_satfinite);
  if (ptx_has(in, PTX_MOD_rna) || ptx_has(in, PTX_MOD_rs)) return false;
  op->sub = simt_half_format(in->type[0]);
  op->imm = (relu ? SIMT_RELU : 0) | (finite ? CVT_FINITE : 0);
  return (!relu && !finite) ||
         (simt_halves(in->type[0]) && in->type[1] == PTX_F32 && !(op->flags & SIMT_SAT) && op->round <= SIMT_RZ);
}

/* cvt to tf32: .rna, or .rn or .rz with an optional .relu. */
static bool bind_tf32(simt_op_t *op, const ptx_instr_t *in) {
  const bool away = ptx_has(in, PTX_MOD_rna), relu = ptx_has(in, PTX_MOD_relu), finite = ptx_has(in, PTX_MOD_satfinite);
  op->fn = cvt_tf32_f32;
  op->bytes = op->src_bytes = 4;
  op->sub = away;
  op->imm = (relu ? SIMT_RELU : 0) | (finite ? CVT_FINITE : 0);
  if (away ? relu : !ptx_has(in, PTX_MOD_rn) && !ptx_has(in, PTX_MOD_rz)) return false;
  return in->type[1] == PTX_F32 && in->num_operands == 2 && in->num_mods == 1u + relu + finite;
}

static bool bind_halves(simt_op_t *op, const ptx_instr_t *in) {
  const bool rounds = ptx_has(in, PTX_MOD_rn) || ptx_has(in, PTX_MOD_rz);
  op->fn = cvt_halves;
  return in->num_operands == 3 && (in->type[0] == PTX_F16X2 || in->type[0] == PTX_BF16X2) && in->type[1] == PTX_F32 &&
         rounds && !(op->flags & (SIMT_SAT | SIMT_FTZ));
}

static simt_fn_t *find_float_float(const ptx_instr_t *in, simt_op_t *op) {
  const ptx_type_t to = in->type[0], from = in->type[1];
  op->vec = is_integral(in);
  if (simt_halves(to)) return op->vec && to != from ? NULL : cvt_half_float;
  if (to == from) return to == PTX_F32 ? cvt_f32_f32 : cvt_f64_f64;
  if (simt_halves(from)) return to == PTX_F32 ? cvt_f32_half : cvt_f64_f32;
  return to == PTX_F32 ? cvt_f32_f64 : cvt_f64_f32;
}

/* The decoder has set op->reg_bytes, op->x (bytes of the register) and op->vec (lane bytes of
 * the source register). */
bool simt_cvt_bind(simt_op_t *op, const ptx_instr_t *in) {
  op->round = (uint8_t)simt_round(in);
  if (in->num_types == 2 && in->type[0] == PTX_TF32) return bind_tf32(op, in);
  if (in->num_types == 2 && (simt_is_fp8(in->type[0]) || simt_is_fp8(in->type[1]))) return simt_fp8_bind(op, in);
  if (in->num_types != 2 || !bind_finish(op, in)) return false;
  if (in->num_operands != 2) return bind_halves(op, in);
  ptx_type_t to = in->type[0], from = in->type[1];
  char to_kind = ptx_type_kind(to), from_kind = ptx_type_kind(from);
  bool to_float = is_float(to), from_float = is_float(from);
  bool to_int = to_kind == 'U' || to_kind == 'S', from_int = from_kind == 'U' || from_kind == 'S';
  if ((!to_float && !to_int) || (!from_float && !from_int)) return false;
  op->bytes = (uint8_t)ptx_type_bytes(to);
  op->src_bytes = (uint8_t)ptx_type_bytes(from);
  if (op->bytes > 8 || op->src_bytes > 8) return false;
  op->type = from;
  if (from_kind == 'S') op->flags |= SIMT_SIGNED;
  if (to_int) op->sub = to_kind == 'S';
  if (to_int && from_int) op->fn = find_int_int(op);
  else if (to_int) op->fn = cvt_float_int;
  else if (from_float) op->fn = find_float_float(in, op);
  else if (simt_halves(to)) op->fn = cvt_half_int;
  else op->fn = to == PTX_F32 ? cvt_int_f32 : cvt_int_f64;
  return op->fn != NULL;
}
