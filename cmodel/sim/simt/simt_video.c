/* SPDX-License-Identifier: Apache-2.0
 *
 * Video instructions: vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vset and vmad of a word or a
 * part of it, and vadd2 to vset4 of two halves or four bytes. Elements are unbounded integers until
 * the result is cut, as in the PTX document's pseudocode.
 *
 * Fields of simt_op_t:
 *
 *   sub          video_t
 *   bytes        elements of a word
 *   src_bytes    SIGNED_*, PLUS_ONE
 *   type         comparison, .clamp or .wrap, or scale
 *   round        video_c_t: the use of c
 *   v            selectors of a, b, d
 */
#include "simt_lanes.h"

typedef enum { V_ADD, V_SUB, V_ABSDIFF, V_MIN, V_MAX, V_AVRG, V_SHL, V_SHR, V_SET, V_MAD } video_t;
typedef enum { C_UNUSED, C_MERGE, C_ADD, C_MIN, C_MAX } video_c_t;

enum { SIGNED_D = 1, SIGNED_A = 2, SIGNED_B = 4, PLUS_ONE = 8 };
enum { SEL_WORD, SEL_B0, SEL_H0 = 5, SEL_H1, SEL_HALVES, SEL_BYTES2, SEL_BYTES3, SEL_BYTES4 }; /* ptx_operand_t.sel */

__extension__ typedef __int128 wide_t;

_Static_assert(PTX_OP_vsub4 - PTX_OP_vabsdiff == 22, "simt_is_video() is a range of ptx_op.def");

/* .sat: clamps to an element's range. */
static wide_t clamp_element(wide_t x, unsigned bits, bool is_signed) {
  const wide_t most = ((wide_t)1 << (is_signed ? bits - 1 : bits)) - 1, least = is_signed ? -most - 1 : 0;
  if (x < least) return least;
  return x > most ? most : x;
}

/* Value of an element of so many bits. */
static int64_t extend_element(uint32_t value, unsigned bits, bool is_signed) {
  return is_signed && value >> (bits - 1) & 1 ? (int64_t)value - (INT64_C(1) << bits) : (int64_t)value;
}

/* ---- a word or a part of it ---- */

/* Bits of a selected part of a word. */
static unsigned part_bits(unsigned sel) {
  if (sel == SEL_WORD) return 32;
  return sel < SEL_H0 ? 8 : 16;
}

/* Position of a selected part. */
static unsigned part_at(unsigned sel) {
  if (sel == SEL_WORD) return 0;
  return sel < SEL_H0 ? 8 * (sel - SEL_B0) : 16 * (sel - SEL_H0);
}

static uint32_t part_mask(unsigned sel) {
  return (uint32_t)((UINT64_C(1) << part_bits(sel)) - 1);
}

/* Value of a selected part. */
static int64_t part_value(uint32_t word, unsigned sel, bool is_signed) {
  return extend_element(word >> part_at(sel) & part_mask(sel), part_bits(sel), is_signed);
}

/* cmp: a ptx_mod_t, eq to ge. */
static bool compare_elements(unsigned cmp, int64_t a, int64_t b) {
  switch (cmp) {
  case PTX_MOD_eq: return a == b;
  case PTX_MOD_ne: return a != b;
  case PTX_MOD_lt: return a < b;
  case PTX_MOD_le: return a <= b;
  case PTX_MOD_gt: return a > b;
  default: return a >= b;
  }
}

/* Half of the sum; halves are rounded away from zero. */
static int64_t average(int64_t sum) {
  return (sum >= 0 ? sum + 1 : sum) >> 1;
}

/* .clamp limits the shift to 32, .wrap takes it modulo 32. */
static wide_t shift_element(const simt_op_t *op, int64_t a, int64_t b) {
  const unsigned by = op->type == PTX_MOD_clamp ? (b > 32 ? 32 : (unsigned)b) : (unsigned)b & 31;
  return op->sub == V_SHL ? (wide_t)a * ((wide_t)1 << by) : a >> by;
}

/* The operation on two elements, before saturation and c. */
static wide_t first_operation(const simt_op_t *op, int64_t a, int64_t b) {
  switch ((video_t)op->sub) {
  case V_ADD: return a + b;
  case V_SUB: return a - b;
  case V_ABSDIFF: return a < b ? b - a : a - b;
  case V_MIN: return a < b ? a : b;
  case V_MAX: return a < b ? b : a;
  case V_AVRG: return average(a + b);
  case V_SHL:
  case V_SHR: return shift_element(op, a, b);
  case V_SET: return compare_elements(op->type, a, b);
  case V_MAD: break;
  }
  return 0;
}

/* The second operation: adds c, takes the minimum or maximum with c, or merges the result into
 * c. */
static uint32_t second_operation(const simt_op_t *op, wide_t t, uint32_t c) {
  const wide_t other = extend_element(c, 32, op->src_bytes & SIGNED_D);
  const unsigned sel = op->v[2];
  switch ((video_c_t)op->round) {
  case C_ADD: return (uint32_t)(t + other);
  case C_MIN: return (uint32_t)(t < other ? t : other);
  case C_MAX: return (uint32_t)(t > other ? t : other);
  case C_MERGE: return (c & ~(part_mask(sel) << part_at(sel))) | ((uint32_t)t & part_mask(sel)) << part_at(sel);
  case C_UNUSED: break;
  }
  return (uint32_t)t;
}

static uint32_t scalar_lane(const simt_op_t *op, uint32_t a, uint32_t b, uint32_t c) {
  wide_t t = first_operation(op, part_value(a, op->v[0], op->src_bytes & SIGNED_A),
                             part_value(b, op->v[1], op->src_bytes & SIGNED_B));
  if (op->flags & SIMT_SAT) t = clamp_element(t, part_bits(op->v[2]), op->src_bytes & SIGNED_D);
  return second_operation(op, t, c);
}

/* vmad. c has the signedness of the product. Subtracting c makes the result signed, but not c. */
static uint32_t mad_lane(const simt_op_t *op, uint32_t a, uint32_t b, uint32_t c) {
  const bool negative = !(op->flags & SIMT_NEG_A) != !(op->flags & SIMT_NEG_B), minus_c = op->flags & SIMT_NEG_C;
  const bool product_signed = op->src_bytes & (SIGNED_A | SIGNED_B) || negative,
             result_signed = product_signed || minus_c;
  const wide_t product =
      (wide_t)part_value(a, op->v[0], op->src_bytes & SIGNED_A) * part_value(b, op->v[1], op->src_bytes & SIGNED_B);
  const wide_t other = extend_element(c, 32, product_signed);
  wide_t t = (negative ? -product : product) + (minus_c ? -other : other) + (op->src_bytes & PLUS_ONE ? 1 : 0);
  if (op->type == PTX_MOD_shr7) t >>= 7;
  if (op->type == PTX_MOD_shr15) t >>= 15;
  return (uint32_t)(op->flags & SIMT_SAT ? clamp_element(t, 32, result_signed) : t);
}

/* ---- two halves, four bytes ---- */

/* v[0] and v[1]: the source of each element, one hex digit each. v[2]: elements to write, one
 * bit each. */
static uint32_t packed_lane(const simt_op_t *op, uint32_t a, uint32_t b, uint32_t c) {
  const unsigned n = op->bytes, bits = 32 / n;
  const uint32_t low = (1u << bits) - 1;
  const uint64_t both = (uint64_t)b << 32 | a;
  uint32_t r = c;
  for (unsigned i = 0; i < n; i++) {
    const unsigned from_a = op->v[0] >> 4 * i & 15, from_b = op->v[1] >> 4 * i & 15;
    wide_t t =
        first_operation(op, extend_element((uint32_t)(both >> bits * from_a) & low, bits, op->src_bytes & SIGNED_A),
                        extend_element((uint32_t)(both >> bits * from_b) & low, bits, op->src_bytes & SIGNED_B));
    if (op->flags & SIMT_SAT) t = clamp_element(t, bits, op->src_bytes & SIGNED_D);
    if (!(op->v[2] >> i & 1)) continue;
    r = op->round == C_ADD ? r + (uint32_t)t : (r & ~(low << bits * i)) | ((uint32_t)t & low) << bits * i;
  }
  return r;
}

/* ---- 32 lanes ---- */

/* clang-format off */
#define LANES(name, lane)                                                         \
  static void name(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {          \
    const uint32_t *a = simt_src(w, op->a), *b = simt_src(w, op->b);              \
    const uint32_t *c = op->c == SIMT_NO_OPERAND ? b : simt_src(w, op->c);        \
    uint32_t r[32];                                                               \
    FOR_LANES r[i] = lane(op, a[i], b[i], c[i]);                                  \
    commit32(w, op->d, r, mask);                                                  \
  }
/* clang-format on */
LANES(x_scalar, scalar_lane)
LANES(x_mad, mad_lane)
LANES(x_packed, packed_lane)

/* ---- which ---- */

/* Operation and elements of an instruction. */
static bool find_operation(simt_op_t *op, unsigned ptx) {
  static const struct {
    uint16_t op;
    uint8_t video, elements;
  } all[] = {
      {PTX_OP_vadd, V_ADD, 1},          {PTX_OP_vsub, V_SUB, 1},  {PTX_OP_vabsdiff, V_ABSDIFF, 1},
      {PTX_OP_vmin, V_MIN, 1},          {PTX_OP_vmax, V_MAX, 1},  {PTX_OP_vshl, V_SHL, 1},
      {PTX_OP_vshr, V_SHR, 1},          {PTX_OP_vset, V_SET, 1},  {PTX_OP_vmad, V_MAD, 1},
      {PTX_OP_vadd2, V_ADD, 2},         {PTX_OP_vsub2, V_SUB, 2}, {PTX_OP_vabsdiff2, V_ABSDIFF, 2},
      {PTX_OP_vmin2, V_MIN, 2},         {PTX_OP_vmax2, V_MAX, 2}, {PTX_OP_vavrg2, V_AVRG, 2},
      {PTX_OP_vset2, V_SET, 2},         {PTX_OP_vadd4, V_ADD, 4}, {PTX_OP_vsub4, V_SUB, 4},
      {PTX_OP_vabsdiff4, V_ABSDIFF, 4}, {PTX_OP_vmin4, V_MIN, 4}, {PTX_OP_vmax4, V_MAX, 4},
      {PTX_OP_vavrg4, V_AVRG, 4},       {PTX_OP_vset4, V_SET, 4},
  };
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].op == ptx) {
      op->sub = all[i].video, op->bytes = all[i].elements;
      return true;
    }
  return false;
}

/* Types of d, a and b, each .u32 or .s32. The result of vset has no type. */
static bool bind_types(simt_op_t *op, const ptx_instr_t *in) {
  const unsigned first = op->sub == V_SET ? 1 : 0;
  if (in->num_types != 3 - first) return false;
  for (unsigned k = 0; k < in->num_types; k++) {
    if (in->type[k] != PTX_U32 && in->type[k] != PTX_S32) return false;
    if (in->type[k] == PTX_S32) op->src_bytes |= (uint8_t)(SIGNED_D << (k + first));
  }
  return (op->sub != V_SHL && op->sub != V_SHR) || in->type[2] == PTX_U32;
}

/* One modifier. At most one of each kind is allowed: use of c; comparison, shift mode or scale. */
static bool bind_mod(simt_op_t *op, unsigned mod) {
  const bool one_word = op->bytes == 1, mad = op->sub == V_MAD;
  uint8_t c = C_UNUSED, how = 0;
  switch (mod) {
  case PTX_MOD_sat: return op->sub != V_SET;
  case PTX_MOD_add: c = mad ? C_UNUSED : C_ADD; break;
  case PTX_MOD_min: c = one_word && !mad ? C_MIN : C_UNUSED; break;
  case PTX_MOD_max: c = one_word && !mad ? C_MAX : C_UNUSED; break;
  case PTX_MOD_po: op->src_bytes |= PLUS_ONE; return mad;
  case PTX_MOD_shr7:
  case PTX_MOD_shr15: how = mad ? (uint8_t)mod : 0; break;
  case PTX_MOD_clamp:
  case PTX_MOD_wrap: how = op->sub == V_SHL || op->sub == V_SHR ? (uint8_t)mod : 0; break;
  case PTX_MOD_eq:
  case PTX_MOD_ne:
  case PTX_MOD_lt:
  case PTX_MOD_le:
  case PTX_MOD_gt:
  case PTX_MOD_ge: how = op->sub == V_SET ? (uint8_t)mod : 0; break;
  default: return false;
  }
  if ((!c && !how) || (c && op->round) || (how && op->type)) return false;
  if (c) op->round = c;
  if (how) op->type = how;
  return true;
}

static bool bind_mods(simt_op_t *op, const ptx_instr_t *in) {
  op->round = C_UNUSED, op->type = 0;
  for (unsigned m = 0; m < in->num_mods; m++)
    if (!bind_mod(op, in->mod[m])) return false;
  const bool wants = op->sub == V_SET || op->sub == V_SHL || op->sub == V_SHR;
  return (!wants || op->type) && !(op->bytes > 1 && op->flags & SIMT_SAT && op->round == C_ADD);
}

/* Selector with several digits, as hex digits. -1: too many digits, or a digit is too large. */
static int64_t read_digits(const ptx_operand_t *o, unsigned n, unsigned below) {
  const unsigned sel = n == 2 ? SEL_HALVES : SEL_BYTES4;
  if (o->sel != sel) return -1;
  for (unsigned i = 0; i < n; i++)
    if ((o->imm >> 4 * i & 15) >= below) return -1;
  return o->imm;
}

/* Selector of a or b; the default is the word's own elements. */
static bool source_elements(simt_op_t *op, unsigned k, const ptx_operand_t *o) {
  static const uint16_t usual[2][2] = {{0x10, 0x32}, {0x3210, 0x7654}};
  const int64_t list = o->sel ? read_digits(o, op->bytes, 2u * op->bytes) : usual[op->bytes == 4][k];
  op->v[k] = (uint32_t)list;
  return list >= 0;
}

/* Selector of d, such as .h0 or .b310. Its digits must fall. */
static bool written_elements(simt_op_t *op, const ptx_operand_t *o) {
  const unsigned n = op->bytes, sel = o->sel;
  op->v[2] = 0;
  if (sel == SEL_WORD) op->v[2] = (1u << n) - 1;
  else if (sel < SEL_HALVES) op->v[2] = (sel < SEL_H0) == (n == 4) ? 1u << (sel - (n == 4 ? SEL_B0 : SEL_H0)) : 0;
  else if ((sel == SEL_HALVES) == (n == 2)) {
    const unsigned count = n == 2 ? 2 : sel - SEL_BYTES2 + 2;
    for (unsigned i = 0; i < count; i++) {
      const unsigned digit = o->imm >> 4 * i & 15, above = o->imm >> 4 * (i + 1) & 15;
      if (digit >= n || (i + 1 < count && above <= digit)) return false;
      op->v[2] |= 1u << digit;
    }
  }
  return op->v[2] != 0;
}

/* True for a 32-bit register, or another operand that may stand for one. */
static bool is_word(const ptx_operand_t *o, bool result) {
  if (o->kind == PTX_OPND_REG) return ptx_type_bytes((ptx_type_t)o->type) == 4;
  return o->kind == (result ? PTX_OPND_SINK : PTX_OPND_IMM) || (!result && o->kind == PTX_OPND_SREG);
}

/* Instructions on one part of a word. */
static bool bind_scalar(simt_op_t *op, const ptx_instr_t *in) {
  for (unsigned k = 0; k < 3; k++) {
    const unsigned sel = in->operand[(k + 1) % 3].sel; /* a, b, d */
    if (in->operand[(k + 1) % 3].kind == PTX_OPND_REG && sel > SEL_H1) return false;
    op->v[k] = in->operand[(k + 1) % 3].kind == PTX_OPND_REG ? sel : SEL_WORD;
  }
  op->fn = op->sub == V_MAD ? x_mad : x_scalar;
  if (op->sub == V_MAD) return in->num_operands == 4 && !op->v[2];
  if (op->v[2] && !op->round) op->round = C_MERGE;
  else if (op->v[2]) return false;
  return in->num_operands == (op->round ? 4 : 3);
}

/* Instructions on two halves or four bytes. */
static bool bind_packed(simt_op_t *op, const ptx_instr_t *in) {
  op->fn = x_packed;
  for (unsigned k = 0; k < 3; k++)
    if (in->operand[k].kind != PTX_OPND_REG) return false;
  return in->num_operands == 4 && source_elements(op, 0, &in->operand[1]) && source_elements(op, 1, &in->operand[2]) &&
         written_elements(op, &in->operand[0]);
}

/* Only vmad has negated operands: either the product or c, and neither with .po. */
static bool signs_fit(const simt_op_t *op, const ptx_instr_t *in) {
  const bool a = in->operand[1].negated, b = in->operand[2].negated,
             c = in->num_operands == 4 && in->operand[3].negated;
  if (op->sub != V_MAD || op->src_bytes & PLUS_ONE) return !a && !b && !c;
  return !(a != b && c);
}

bool simt_video_bind(simt_op_t *op, const ptx_instr_t *in) {
  if (!find_operation(op, in->op) || !bind_types(op, in) || !bind_mods(op, in)) return false;
  for (unsigned k = 0; k < in->num_operands; k++)
    if (!is_word(&in->operand[k], k == 0)) return false;
  if (in->num_operands == 4 && in->operand[3].kind == PTX_OPND_REG && in->operand[3].sel) return false;
  return (op->bytes == 1 ? bind_scalar(op, in) : bind_packed(op, in)) && signs_fit(op, in);
}
