/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions on the bytes and bits of 32-bit words: prmt, lop3, bmsk, szext, fns, dp2a, dp4a.
 */
#include "simt_lanes.h"

/* clang-format off */
/* A function of three words, or of two. */
#define WORDS3(name, expr)                                                               \
  static void name(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {                 \
    const uint32_t *a = simt_src(w, op->a), *b = simt_src(w, op->b);                     \
    const uint32_t *c = op->c == SIMT_NO_OPERAND ? b : simt_src(w, op->c);               \
    uint32_t r[32];                                                                      \
    FOR_LANES {                                                                          \
      const uint32_t A = a[i], B = b[i], C = c[i];                                       \
      r[i] = (expr);                                                                     \
    }                                                                                    \
    commit32(w, op->d, r, mask);                                                         \
  }
/* clang-format on */

/* ---- prmt: bytes 0 to 3 are a's, 4 to 7 b's ---- */

/* Each hex digit of sel picks a byte; its bit 3 spreads the byte's sign over the result byte. */
static uint32_t permute(uint32_t a, uint32_t b, uint32_t sel) {
  uint64_t bytes = (uint64_t)b << 32 | a;
  uint32_t r = 0;
  for (unsigned k = 0; k < 4; k++) {
    unsigned s = sel >> 4 * k & 15;
    uint32_t byte = (uint32_t)(bytes >> 8 * (s & 7)) & 255;
    if (s & 8) byte = byte & 128 ? 255 : 0;
    r |= byte << 8 * k;
  }
  return r;
}
WORDS3(prmt, permute(A, B, C))

/* Selector of result byte k in a mode of prmt, from the mode's table in the PTX document. */
static unsigned byte_of(unsigned mode, unsigned k, unsigned from) {
  switch (mode) {
  case PTX_MOD_f4e: return k + from;
  case PTX_MOD_b4e: return (from - k) & 7;
  case PTX_MOD_rc8: return from;
  case PTX_MOD_ecl: return k > from ? k : from;
  case PTX_MOD_ecr: return k < from ? k : from;
  default: return 2 * (from & 1) + (k & 1); /* rc16 */
  }
}

static uint32_t permute_by(unsigned mode, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t selector = 0;
  for (unsigned k = 0; k < 4; k++) selector |= byte_of(mode, k, c & 3) << 4 * k;
  return permute(a, b, selector);
}
WORDS3(prmt_by, permute_by(op->sub, A, B, C)) /* sub: the mode */

static bool bind_prmt(simt_op_t *op, const ptx_instr_t *in) {
  op->fn = in->num_mods ? prmt_by : prmt;
  op->sub = in->num_mods ? in->mod[0] : 0;
  return in->num_mods <= 1;
}

/* ---- lop3: the bits of a, b, c at a position select the table's bit for the result ---- */

/* lop3: bit k of the table is the result where the bits of a, b, c form the number k. */
static uint32_t apply_table(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t r = 0;
  for (unsigned k = 0; k < 8; k++)
    if (table >> k & 1) r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
  return r;
}

/* With .or or .and (sub) lop3 also tests the result for non-zero, combined with predicate v[0]. */
static void lop3(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint32_t *a = simt_src(w, op->a), *b = simt_src(w, op->b), *c = simt_src(w, op->c), *x = simt_src(w, op->x);
  uint32_t r[32], any = 0;
  FOR_LANES {
    r[i] = apply_table(a[i], b[i], c[i], x[i]);
    any |= (uint32_t)(r[i] != 0) << i;
  }
  if (op->sub) {
    const uint32_t with = pred_of(w, op->v[0], op->flags & SIMT_NEG_C);
    commit_pred(w, op->e, op->sub == PTX_MOD_and ? any & with : any | with, mask);
  }
  commit32(w, op->d, r, mask);
}

static bool bind_lop3(simt_op_t *op, const ptx_instr_t *in) {
  op->fn = lop3;
  op->sub = 0;
  if (ptx_has(in, PTX_MOD_and)) op->sub = PTX_MOD_and;
  else if (ptx_has(in, PTX_MOD_or)) op->sub = PTX_MOD_or;
  return op->sub ? in->num_operands == 6 && in->operand[0].kind == PTX_OPND_PAIR : in->num_operands == 5;
}

/* ---- bmsk, szext, fns ---- */

/* b ones from bit a on. clamp: bits beyond bit 31 are dropped; otherwise a and b are taken
 * modulo 32. */
static uint32_t bit_mask(uint32_t a, uint32_t b, bool clamp) {
  if (clamp && a > 31) return 0;
  const unsigned from = a & 31, count = clamp && b > 31 ? 32 : b & 31;
  return (uint32_t)(((UINT64_C(1) << count) - 1) << from);
}
WORDS3(bmsk, ((void)C, bit_mask(A, B, op->sub))) /* sub: clamp */

/* The lower b bits of a, sign- or zero-extended. b is clamped to 32, or taken modulo 32. */
static uint32_t extend_bits(uint32_t a, uint32_t b, bool clamp, bool is_signed) {
  if (clamp && b >= 32) return a;
  const unsigned bits = b & 31;
  const uint32_t kept = a & (uint32_t)((UINT64_C(1) << bits) - 1);
  return is_signed && bits && kept >> (bits - 1) & 1 ? kept | (uint32_t)(~UINT64_C(0) << bits) : kept;
}
WORDS3(szext, ((void)C, extend_bits(A, B, op->sub, op->flags &SIMT_SIGNED))) /* sub: clamp */

/* fns: position of the n-th one of a from bit b on, upwards, or downwards for negative n. n = 0:
 * bit b itself, if set. ~0: there is none. */
static uint32_t nth_one(uint32_t a, uint32_t b, int32_t n) {
  const int64_t step = n < 0 ? -1 : 1;
  uint32_t left = n < 0 ? 0 - (uint32_t)n : (uint32_t)n;
  if (!n) return b < 32 && a >> b & 1 ? b : ~0u;
  for (int64_t at = b; at >= 0 && at < 32; at += step)
    if (a >> at & 1 && --left == 0) return (uint32_t)at;
  return ~0u;
}
WORDS3(fns, nth_one(A, B, (int32_t)C))

/* Exactly one of .clamp and .wrap must be given. */
static bool bind_clamp(simt_op_t *op, const ptx_instr_t *in) {
  op->sub = ptx_has(in, PTX_MOD_clamp);
  return op->sub != ptx_has(in, PTX_MOD_wrap);
}

/* ---- dp2a, dp4a ---- */

/* dp2a and dp4a: the sum of products of a's elements and b's bytes, added to c. The form says
 * how wide and how signed the elements are. */
enum { DOT_A_SIGNED = 1, DOT_B_SIGNED = 2, DOT_HALVES = 4, DOT_HIGH = 8 };

static unsigned dot_form(const ptx_instr_t *in) {
  return (ptx_type_kind(in->type[0]) == 'S' ? DOT_A_SIGNED : 0u) |
         (ptx_type_kind(in->type[1]) == 'S' ? DOT_B_SIGNED : 0u) | (in->op == PTX_OP_dp2a ? DOT_HALVES : 0u) |
         (ptx_has(in, PTX_MOD_hi) ? DOT_HIGH : 0u);
}

/* Element k of a word, sign- or zero-extended. */
static int64_t get_element(uint32_t word, unsigned k, unsigned bits, bool is_signed) {
  const uint32_t value = word >> k * bits & ((1u << bits) - 1);
  return is_signed && value >> (bits - 1) ? (int64_t)value - (INT64_C(1) << bits) : (int64_t)value;
}

static uint32_t dot_product(unsigned form, uint32_t a, uint32_t b, uint32_t c) {
  const unsigned n = form & DOT_HALVES ? 2 : 4, first = form & DOT_HIGH ? 2 : 0;
  int64_t sum = 0;
  for (unsigned k = 0; k < n; k++)
    sum += get_element(a, k, 32 / n, form & DOT_A_SIGNED) * get_element(b, first + k, 8, form & DOT_B_SIGNED);
  return c + (uint32_t)sum;
}
WORDS3(dots, dot_product(op->sub, A, B, C)) /* sub: its form */

static bool bind_dot(simt_op_t *op, const ptx_instr_t *in) {
  for (unsigned k = 0; k < 2; k++)
    if (in->type[k] != PTX_U32 && in->type[k] != PTX_S32) return false;
  op->sub = (uint8_t)dot_form(in);
  op->fn = dots;
  return in->op == PTX_OP_dp4a || ptx_has(in, PTX_MOD_lo) != ptx_has(in, PTX_MOD_hi);
}

bool simt_bits_bind(simt_op_t *op, const ptx_instr_t *in) {
  const unsigned type = in->type[0];
  switch (in->op) {
  case PTX_OP_prmt: return type == PTX_B32 && bind_prmt(op, in);
  case PTX_OP_lop3: return type == PTX_B32 && bind_lop3(op, in);
  case PTX_OP_bmsk: op->fn = bmsk; return type == PTX_B32 && bind_clamp(op, in);
  case PTX_OP_szext:
    op->fn = szext;
    if (type == PTX_S32) op->flags |= SIMT_SIGNED;
    return (type == PTX_U32 || type == PTX_S32) && bind_clamp(op, in);
  case PTX_OP_fns: op->fn = fns; return type == PTX_B32;
  default: return bind_dot(op, in);
  }
}
