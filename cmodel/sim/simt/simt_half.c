/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic and comparisons of f16 and bf16, alone in a 16-bit register or as a pair in a 32-bit
 * one. Intermediate values are exact doubles, or rounded to odd, and are then rounded once
 * (half.h).
 *
 * NaNs are 0x7fff. tanh and ex2 are computed in double and rounded, within PTX's bounds.
 */
#include <math.h>

#include "half.h"
#include "simt_lanes.h"

enum { CANONICAL_NAN = 0x7fff, SIGN = 0x8000, MAGNITUDE = 0x7fff };

typedef enum { H_ADD, H_SUB, H_MUL, H_FMA, H_MIN, H_MAX, H_ABS, H_NEG, H_TANH, H_EX2 } half_op_t;

unsigned simt_halves(unsigned type) {
  switch (type) {
  case PTX_F16X2:
  case PTX_BF16X2: return 2;
  case PTX_F16:
  case PTX_BF16: return 1;
  default: return 0;
  }
}

half_format_t simt_half_format(unsigned type) {
  return type == PTX_BF16 || type == PTX_BF16X2 ? HALF_BF16 : HALF_F16;
}

/* ---- one half ---- */

static bool is_nan(half_format_t format, unsigned a) {
  return (a & MAGNITUDE) > half_infinity(format);
}

static unsigned flush_half(half_format_t format, unsigned a) {
  return (a & MAGNITUDE) < half_least(format) ? a & SIGN : a;
}

unsigned simt_half_nearest(half_format_t format, double value) {
  return isnan(value) ? CANONICAL_NAN : half_bits(format, value, HALF_NEAREST);
}

/* PTX's min and max: a number wins over a NaN, unless .NaN; -0 is less than +0; .xorsign.abs
 * compares magnitudes and XORs the signs. */
static unsigned least_or_most(const simt_op_t *op, half_format_t format, unsigned a, unsigned b, bool most) {
  const unsigned sign = op->imm & SIMT_MIN_XORSIGN ? (a ^ b) & SIGN : 0;
  if (op->imm & SIMT_MIN_XORSIGN) a &= MAGNITUDE, b &= MAGNITUDE;
  const bool no_a = is_nan(format, a), no_b = is_nan(format, b);
  if ((no_a && no_b) || (op->imm & SIMT_MIN_NAN && (no_a || no_b))) return CANONICAL_NAN;
  if (no_a || no_b) return sign | (no_a ? b : a);
  const double x = half_value(format, (uint16_t)a), y = half_value(format, (uint16_t)b);
  const bool a_less = x < y || (x == y && a & SIGN);
  return sign | (a_less != most ? a : b);
}

/* One operation, without .ftz, .relu and .sat. */
static unsigned compute_half(const simt_op_t *op, half_format_t format, unsigned a, unsigned b, unsigned c) {
  const double x = half_value(format, (uint16_t)a), y = half_value(format, (uint16_t)b),
               z = half_value(format, (uint16_t)c);
  switch ((half_op_t)op->sub) {
  case H_ADD: return simt_half_nearest(format, half_sum(x, y));
  case H_SUB: return simt_half_nearest(format, half_sum(x, -y));
  case H_MUL: return simt_half_nearest(format, x * y);
  case H_FMA: return simt_half_nearest(format, half_sum(x * y, z));
  case H_MIN: return least_or_most(op, format, a, b, false);
  case H_MAX: return least_or_most(op, format, a, b, true);
  case H_ABS: return is_nan(format, a) ? CANONICAL_NAN : a & MAGNITUDE;
  case H_NEG: return is_nan(format, a) ? CANONICAL_NAN : a ^ SIGN;
  case H_TANH: return simt_half_nearest(format, tanh(x));
  case H_EX2: break;
  }
  return simt_half_nearest(format, exp2(x));
}

unsigned simt_half_finish(const simt_op_t *op, half_format_t format, unsigned r) {
  const unsigned one = half_one(format);
  if (op->imm & SIMT_RELU && !is_nan(format, r) && r & SIGN) r = 0;
  if (!(op->flags & SIMT_SAT)) return r;
  if (is_nan(format, r) || r & SIGN) return 0;
  return r < one ? r : one;
}

/* One operation, with all modifiers. */
static unsigned half_lane(const simt_op_t *op, half_format_t format, unsigned a, unsigned b, unsigned c) {
  const bool flush_all = op->flags & SIMT_FTZ;
  if (flush_all) a = flush_half(format, a), b = flush_half(format, b), c = flush_half(format, c);
  const unsigned r = simt_half_finish(op, format, compute_half(op, format, a, b, c));
  return flush_all ? flush_half(format, r) : r;
}

/* ---- 32 lanes ---- */

/* src_bytes: the format; bytes: halves of a lane. */
static void x_half(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint32_t *a = simt_src(w, op->a);
  const uint32_t *b = op->b == SIMT_NO_OPERAND ? a : simt_src(w, op->b),
                 *c = op->c == SIMT_NO_OPERAND ? a : simt_src(w, op->c);
  uint32_t r[32];
  FOR_LANES {
    r[i] = 0;
    for (unsigned k = 0; k < 16u * op->bytes; k += 16)
      r[i] |= half_lane(op, (half_format_t)op->src_bytes, a[i] >> k & 0xffff, b[i] >> k & 0xffff, c[i] >> k & 0xffff)
              << k;
  }
  commit32(w, op->d, r, mask);
}

/* PTX's comparisons; those with u are true for NaN. */
static bool compare_values(unsigned cmp, double a, double b) {
  const bool less = a<b, more = a> b, same = a == b, ordered = less || more || same;
  switch (cmp) {
  case PTX_MOD_eq: return same;
  case PTX_MOD_ne: return less || more;
  case PTX_MOD_lt: return less;
  case PTX_MOD_le: return less || same;
  case PTX_MOD_gt: return more;
  case PTX_MOD_ge: return more || same;
  case PTX_MOD_equ: return same || !ordered;
  case PTX_MOD_neu: return !same;
  case PTX_MOD_ltu: return less || !ordered;
  case PTX_MOD_leu: return !more;
  case PTX_MOD_gtu: return more || !ordered;
  case PTX_MOD_geu: return !less;
  case PTX_MOD_num: return ordered;
  default: return !ordered;
  }
}

/* bytes: the comparison, a ptx_mod_t. half: 0 the lower one, 1 the upper one. */
static uint32_t compare_halves(const simt_op_t *op, const simt_warp_t *w, unsigned half) {
  const uint32_t *a = simt_src(w, op->a), *b = simt_src(w, op->b);
  const half_format_t format = (half_format_t)op->src_bytes;
  uint32_t r = 0;
  FOR_LANES {
    unsigned x = a[i] >> 16 * half & 0xffff, y = b[i] >> 16 * half & 0xffff;
    if (op->flags & SIMT_FTZ) x = flush_half(format, x), y = flush_half(format, y);
    r |= (uint32_t)compare_values(op->bytes, half_value(format, (uint16_t)x), half_value(format, (uint16_t)y)) << i;
  }
  return r;
}

uint32_t simt_half_low(const simt_op_t *op, const simt_warp_t *w) {
  return compare_halves(op, w, 0);
}

uint32_t simt_half_high(const simt_op_t *op, const simt_warp_t *w) {
  return compare_halves(op, w, 1);
}

/* ---- which ---- */

/* True if the instruction has no modifier but the allowed ones. */
static bool has_only(const ptx_instr_t *in, const ptx_mod_t *allowed, unsigned count) {
  for (unsigned m = 0; m < in->num_mods; m++) {
    bool found = false;
    for (unsigned i = 0; i < count; i++) found |= in->mod[m] == allowed[i];
    if (!found) return false;
  }
  return true;
}
#define ONLY(in, ...) \
  has_only(in, (const ptx_mod_t[]){__VA_ARGS__}, sizeof((const ptx_mod_t[]){__VA_ARGS__}) / sizeof(ptx_mod_t))

bool simt_half_compare(simt_op_t *op, unsigned type, unsigned cmp, unsigned *halves) {
  const half_format_t format = simt_half_format(type);
  *halves = simt_halves(type);
  if (format == HALF_BF16 && op->flags & SIMT_FTZ) return false;
  op->src_bytes = format;
  op->bytes = (uint8_t)cmp;
  switch (cmp) {
  case PTX_MOD_eq:
  case PTX_MOD_ne:
  case PTX_MOD_lt:
  case PTX_MOD_le:
  case PTX_MOD_gt:
  case PTX_MOD_ge:
  case PTX_MOD_equ:
  case PTX_MOD_neu:
  case PTX_MOD_ltu:
  case PTX_MOD_leu:
  case PTX_MOD_gtu:
  case PTX_MOD_geu:
  case PTX_MOD_num:
  case PTX_MOD_nan: return true;
  default: return false;
  }
}

/* Operation and number of sources. false: PTX has no such instruction, or not with these
 * modifiers. */
static bool find_operation(simt_op_t *op, const ptx_instr_t *in, half_format_t format, unsigned *sources) {
  const bool f16 = format == HALF_F16;
  *sources = 2;
  switch (in->op) {
  case PTX_OP_add: op->sub = H_ADD; return f16 ? ONLY(in, PTX_MOD_rn, PTX_MOD_ftz, PTX_MOD_sat) : ONLY(in, PTX_MOD_rn);
  case PTX_OP_sub: op->sub = H_SUB; return f16 ? ONLY(in, PTX_MOD_rn, PTX_MOD_ftz, PTX_MOD_sat) : ONLY(in, PTX_MOD_rn);
  case PTX_OP_mul: op->sub = H_MUL; return f16 ? ONLY(in, PTX_MOD_rn, PTX_MOD_ftz, PTX_MOD_sat) : ONLY(in, PTX_MOD_rn);
  case PTX_OP_fma:
    op->sub = H_FMA, *sources = 3;
    if (!ptx_has(in, PTX_MOD_rn) || (ptx_has(in, PTX_MOD_relu) && ptx_has(in, PTX_MOD_sat))) return false;
    return f16 ? ONLY(in, PTX_MOD_rn, PTX_MOD_ftz, PTX_MOD_sat, PTX_MOD_relu) : ONLY(in, PTX_MOD_rn, PTX_MOD_relu);
  case PTX_OP_min:
  case PTX_OP_max:
    op->sub = in->op == PTX_OP_min ? H_MIN : H_MAX;
    return (f16 || !ptx_has(in, PTX_MOD_ftz)) && ONLY(in, PTX_MOD_ftz, PTX_MOD_NaN, PTX_MOD_xorsign, PTX_MOD_abs);
  case PTX_OP_abs: op->sub = H_ABS, *sources = 1; return f16 ? ONLY(in, PTX_MOD_ftz) : !in->num_mods;
  case PTX_OP_neg: op->sub = H_NEG, *sources = 1; return f16 ? ONLY(in, PTX_MOD_ftz) : !in->num_mods;
  case PTX_OP_tanh: op->sub = H_TANH, *sources = 1; return ptx_has(in, PTX_MOD_approx) && ONLY(in, PTX_MOD_approx);
  case PTX_OP_ex2:
    op->sub = H_EX2, *sources = 1;
    return ptx_has(in, PTX_MOD_approx) &&
           (f16 ? ONLY(in, PTX_MOD_approx) : ptx_has(in, PTX_MOD_ftz) && ONLY(in, PTX_MOD_approx, PTX_MOD_ftz));
  default: return false;
  }
}

bool simt_half_bind(simt_op_t *op, const ptx_instr_t *in) {
  const half_format_t format = simt_half_format(in->type[0]);
  unsigned sources;
  if (in->num_types != 1 || !find_operation(op, in, format, &sources) || in->num_operands != sources + 1 ||
      !simt_minimum_form(op, in))
    return false;
  for (unsigned k = 1; k < in->num_operands; k++)
    if (in->operand[k].kind == PTX_OPND_FLOAT) return false; /* PTX has no such constants */
  if (ptx_has(in, PTX_MOD_relu)) op->imm |= SIMT_RELU;
  op->kind = op->sub == H_TANH || op->sub == H_EX2 ? SIMT_SFU : SIMT_ALU;
  op->single = op->sub <= H_FMA;
  op->src_bytes = format;
  op->bytes = (uint8_t)simt_halves(in->type[0]);
  op->fn = x_half;
  return true;
}
