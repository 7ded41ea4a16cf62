/* SPDX-License-Identifier: Apache-2.0
 *
 * One PTX instruction in the NSU's instructions (section 3.2: one-to-one; 64-bit moves and some
 * conversions take two).
 *
 * An 8- or 16-bit value lives in the low bits of an NSU register; the other bits mean nothing.
 * Operations whose low result bits depend on low operand bits alone (add, multiply, logic) need no
 * care. Others of these widths are not translated. A predicate is 1 or 0.
 */
#include <string.h>

#include "nsu_fp64.h"
#include "offload_words.h"

/* ---- Types ---- */

/* Rounds to nearest and does not saturate, which is all that the NSU's float operations do. */
static bool is_plain_float(const ptx_instr_t *in) {
  return !ptx_has(in, PTX_MOD_sat) && !ptx_has(in, PTX_MOD_rz) && !ptx_has(in, PTX_MOD_rm) &&
         !ptx_has(in, PTX_MOD_rp) && in->num_types == 1;
}

/* The opcode with or without flushing, as the instruction's .ftz says. Fails
 * if the NSU has no flushing form. */
static unsigned as_flushed(tr_t *t, unsigned op) {
  if (!ptx_has(t->in, PTX_MOD_ftz)) return op;
  if (!isa_ftz(op)) t->failed = true;
  return isa_ftz(op);
}

/* 0: neither an integer type nor an untyped one (.b). */
static unsigned int_bytes(ptx_type_t type) {
  return memchr("BUS", ptx_type_kind(type), 3) ? ptx_type_bytes(type) : 0;
}

static word_t dest_word(tr_t *t, unsigned half) {
  const ptx_operand_t *o = &t->in->operand[0];
  if (o->kind != PTX_OPND_REG) {
    t->failed = true;
    return imm_word(0);
  }
  return reg_word(t, o->index, half);
}

/* ---- binary64, on pairs ---- */

/* Plain binary64 arithmetic, which the NSU does on register pairs. */
static bool is_fp64(const tr_t *t) {
  return t->in->type[0] == PTX_F64 && is_plain_float(t->in) && !ptx_has(t->in, PTX_MOD_ftz);
}

/* The low word of an even-odd pair that holds the operand. A literal is moved into a fresh pair of
 * temporaries, aligned to an even number. */
static word_t operand_pair(tr_t *t, unsigned slot) {
  word_t low = source_word(t, slot, 0), high = source_word(t, slot, 1);
  if (low.reg != PTX_NONE && high.reg == low.reg + 1) return low;
  if (low.reg != PTX_NONE || high.reg != PTX_NONE) t->failed = true;
  if ((t->k->func->num_regs * 2 + *t->temps) % 2) (*t->temps)++;
  const word_t to = temp_word(t), above = temp_word(t);
  set_b(emit_op(t, OP_MOV, to), low);
  set_b(emit_op(t, OP_MOV, above), high);
  return to;
}

/* An operation with two or three binary64 operands. */
static void translate_fp64(tr_t *t, unsigned op, unsigned operands) {
  const word_t a = operand_pair(t, 1), b = operand_pair(t, 2), c = operands == 3 ? operand_pair(t, 3) : imm_word(0);
  if (t->in->num_operands != operands + 1 || reg_words(t->k->func, t->in->operand[0].index) != 2) t->failed = true;
  vinstr_t *v = emit_op(t, op, dest_word(t, 0));
  v->ra = a.reg, v->rb = b.reg, v->rc = c.reg;
  guard_last(t);
}

/* neg and abs of binary64 change the sign bit, which is in the high word, by xor or and. */
static void translate_fp64_sign(tr_t *t, unsigned op, uint32_t mask) {
  emit_b(t, OP_MOV, dest_word(t, 0), source_word(t, 1, 0));
  emit_ab(t, op, dest_word(t, 1), source_word(t, 1, 1), imm_word(mask));
}

/* Between binary64 and binary32. False: another conversion, nothing emitted. */
static bool translate_cvt_fp64(tr_t *t, ptx_type_t to, ptx_type_t from) {
  const bool widens = to == PTX_F64 && from == PTX_F32,
             narrows = to == PTX_F32 && from == PTX_F64 && ptx_has(t->in, PTX_MOD_rn);
  if ((!widens && !narrows) || ptx_has(t->in, PTX_MOD_sat)) return false;
  const word_t b = widens ? in_register(t, source_word(t, 1, 0)) : operand_pair(t, 1);
  emit_b(t, as_flushed(t, widens ? OP_CVT_F64_F32 : OP_CVT_F32_F64), dest_word(t, 0), b);
  return true;
}

/* ---- Arithmetic ---- */

typedef struct {
  uint8_t integer, floating; /* NSU opcodes, 0: none */
  bool low_bits;             /* also right for 8 and 16 bits */
  bool commutes;
} binary_t;

/* Two operands, one result. Operand a cannot be immediate, so a commuting operation swaps. */
static void translate_binary(tr_t *t, binary_t ops) {
  ptx_type_t type = (ptx_type_t)t->in->type[0];
  unsigned bytes = int_bytes(type);
  bool is_int = bytes && (bytes == 4 || (bytes < 4 && ops.low_bits)) && !ptx_has(t->in, PTX_MOD_sat);
  bool is_float = type == PTX_F32 && is_plain_float(t->in);
  unsigned op = is_float ? ops.floating : 0;
  if (is_int) op = ops.integer;
  if (is_fp64(t) && ops.floating >= OP_FADD && ops.floating <= OP_FMUL) {
    translate_fp64(t, OP_DADD + ops.floating - OP_FADD, 2);
    return;
  }
  word_t a = source_word(t, 1, 0), b = source_word(t, 2, 0);
  if (!op || t->in->num_operands != 3) {
    t->failed = true;
    return;
  }
  bool swap = ops.commutes && a.reg == PTX_NONE;
  emit_ab(t, as_flushed(t, op), dest_word(t, 0), swap ? b : a, swap ? a : b);
}

/* mul.lo is right in the low bits for any width; mul.hi needs 32 bits, mul.wide does not
 * translate. */
static void translate_mul(tr_t *t) {
  ptx_type_t type = (ptx_type_t)t->in->type[0];
  bool hi = ptx_has(t->in, PTX_MOD_hi);
  unsigned high = ptx_type_kind(type) == 'S' ? OP_MUL_HI_S : OP_MUL_HI_U;
  if (ptx_has(t->in, PTX_MOD_wide)) t->failed = true;
  translate_binary(t, (binary_t){(uint8_t)(hi ? high : OP_MUL_LO), OP_FMUL, !hi, true});
}

/* mad.f32 without a rounding is PTX 1.x. Today's machines execute it as a fused multiply-add. */
static void translate_mad(tr_t *t) {
  ptx_type_t type = (ptx_type_t)t->in->type[0];
  if (is_fp64(t)) {
    translate_fp64(t, OP_DFMA, 3);
    return;
  }
  unsigned bytes = int_bytes(type);
  bool is_int = bytes && bytes <= 4 && ptx_has(t->in, PTX_MOD_lo) && !ptx_has(t->in, PTX_MOD_sat);
  bool is_float =
      type == PTX_F32 && is_plain_float(t->in) && !ptx_has(t->in, PTX_MOD_relu) && !ptx_has(t->in, PTX_MOD_oob);
  word_t a = source_word(t, 1, 0), b = source_word(t, 2, 0), c = source_word(t, 3, 0);
  bool swap = a.reg == PTX_NONE;
  if (!is_int && !is_float) t->failed = true;
  emit_abc(t, as_flushed(t, is_int ? OP_MAD_LO : OP_FFMA), dest_word(t, 0), swap ? b : a, swap ? a : b, c);
}

/* Compares whole words, so 8- and 16-bit operands do not translate. */
static void translate_minmax(tr_t *t, bool max) {
  ptx_type_t type = (ptx_type_t)t->in->type[0];
  bool is_signed = ptx_type_kind(type) == 'S';
  const unsigned largest = is_signed ? OP_MAX_S : OP_MAX_U, smallest = is_signed ? OP_MIN_S : OP_MIN_U;
  unsigned integer = max ? largest : smallest;
  if (ptx_has(t->in, PTX_MOD_NaN) || ptx_has(t->in, PTX_MOD_xorsign) || ptx_has(t->in, PTX_MOD_relu)) t->failed = true;
  translate_binary(t, (binary_t){(uint8_t)integer, (uint8_t)(max ? OP_FMAX : OP_FMIN), false, true});
}

/* A left shift of 16 bits is right in the low half; a right shift would pull in undefined bits. */
static void translate_shift(tr_t *t) {
  ptx_type_t type = (ptx_type_t)t->in->type[0];
  bool left = t->in->op == PTX_OP_shl;
  unsigned bytes = int_bytes(type);
  unsigned op = ptx_type_kind(type) == 'S' ? OP_SHR_S : OP_SHR_U;
  if (left) op = OP_SHL;
  if (!(bytes == 4 || (bytes == 2 && left))) t->failed = true;
  emit_ab(t, op, dest_word(t, 0), source_word(t, 1, 0), source_word(t, 2, 0));
}

/* `low_bits`: the integer form is right for 16-bit operands as well. */
static void translate_unary(tr_t *t, unsigned integer, unsigned floating, bool low_bits) {
  if (is_fp64(t)) {
    if (floating == OP_FNEG) translate_fp64_sign(t, OP_XOR, 0x80000000);
    else translate_fp64_sign(t, OP_AND, 0x7fffffff);
    return;
  }
  ptx_type_t type = (ptx_type_t)t->in->type[0];
  unsigned bytes = int_bytes(type);
  bool is_int = bytes == 4 || (bytes == 2 && low_bits);
  bool is_float = type == PTX_F32 && is_plain_float(t->in);
  if (!is_int && !is_float) t->failed = true;
  emit_b(t, as_flushed(t, is_int ? integer : floating), dest_word(t, 0), source_word(t, 1, 0));
}

/* Bitwise, word by word. A predicate is one word of 0 or 1, so its `not` is xor 1. */
static void translate_logic(tr_t *t, unsigned op) {
  ptx_type_t type = (ptx_type_t)t->in->type[0];
  unsigned words = type != PTX_PRED && ptx_type_bytes(type) == 8 ? 2 : 1;
  if (ptx_type_bytes(type) > 8) t->failed = true;
  for (unsigned h = 0; h < words; h++) {
    if (t->in->op != PTX_OP_not) emit_ab(t, op, dest_word(t, h), source_word(t, 1, h), source_word(t, 2, h));
    else if (type == PTX_PRED) emit_ab(t, OP_XOR, dest_word(t, 0), source_word(t, 1, 0), imm_word(1));
    else emit_b(t, OP_NOT, dest_word(t, h), source_word(t, 1, h));
  }
}

/* ---- Compares and selections ---- */

/* The SET opcode of a comparison. 0: none for this type. Integers need 32 bits, as undefined high
 * bits would take part. */
static unsigned compare_op(ptx_mod_t cmp, ptx_type_t type) {
  static const struct {
    ptx_mod_t cmp;
    uint8_t s, u, f;
  } table[] = {
      {PTX_MOD_eq, OP_SET_EQ, OP_SET_EQ, OP_FSET_EQ},
      {PTX_MOD_ne, OP_SET_NE, OP_SET_NE, OP_FSET_NE},
      {PTX_MOD_lt, OP_SET_LT_S, OP_SET_LT_U, OP_FSET_LT},
      {PTX_MOD_le, OP_SET_LE_S, OP_SET_LE_U, OP_FSET_LE},
      {PTX_MOD_gt, OP_SET_GT_S, OP_SET_GT_U, OP_FSET_GT},
      {PTX_MOD_ge, OP_SET_GE_S, OP_SET_GE_U, OP_FSET_GE},
      {PTX_MOD_lo, OP_SET_LT_U, OP_SET_LT_U, 0},
      {PTX_MOD_ls, OP_SET_LE_U, OP_SET_LE_U, 0},
      {PTX_MOD_hi, OP_SET_GT_U, OP_SET_GT_U, 0},
      {PTX_MOD_hs, OP_SET_GE_U, OP_SET_GE_U, 0},
      {PTX_MOD_equ, 0, 0, OP_FSET_EQU},
      {PTX_MOD_neu, 0, 0, OP_FSET_NEU},
      {PTX_MOD_ltu, 0, 0, OP_FSET_LTU},
      {PTX_MOD_leu, 0, 0, OP_FSET_LEU},
      {PTX_MOD_gtu, 0, 0, OP_FSET_GTU},
      {PTX_MOD_geu, 0, 0, OP_FSET_GEU},
      {PTX_MOD_num, 0, 0, OP_FSET_NUM},
      {PTX_MOD_nan, 0, 0, OP_FSET_NAN},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (table[i].cmp != cmp) continue;
    if (type == PTX_F32) return table[i].f;
    if (int_bytes(type) != 4) return 0;
    return ptx_type_kind(type) == 'S' ? table[i].s : table[i].u;
  }
  return 0;
}

/* 0: setp without a combining predicate. */
static unsigned combine_op(const ptx_instr_t *in) {
  if (ptx_has(in, PTX_MOD_and)) return OP_AND;
  if (ptx_has(in, PTX_MOD_or)) return OP_OR;
  return ptx_has(in, PTX_MOD_xor) ? OP_XOR : 0;
}

/* The fourth operand of setp: c, or a temporary that holds !c. */
static word_t combined_predicate(tr_t *t) {
  ptx_operand_t o = t->in->operand[3];
  bool negated = o.negated;
  o.negated = false;
  word_t c = operand_word(t, &o, 0);
  if (!negated) return c;
  word_t temp = temp_word(t);
  vinstr_t *v = emit_op(t, OP_XOR, temp);
  v->ra = c.reg;
  set_b(v, imm_word(1));
  return temp;
}

/* setp p, a, b takes one instruction. setp p|q and setp.and compare into a temporary first. */
static void translate_setp(tr_t *t) {
  const ptx_operand_t *d = &t->in->operand[0];
  unsigned op = compare_op((ptx_mod_t)t->in->mod[0], (ptx_type_t)t->in->type[0]), combine = combine_op(t->in);
  word_t a = source_word(t, 1, 0), b = source_word(t, 2, 0);
  bool pair = d->kind == PTX_OPND_PAIR;
  if (op) op = as_flushed(t, op);
  if (!op || (combine != 0) != (t->in->num_operands == 4) || (combine && pair)) {
    t->failed = true;
    return;
  }
  if (!combine && !pair) {
    emit_ab(t, op, dest_word(t, 0), a, b);
    return;
  }
  word_t temp = temp_word(t);
  a = in_register(t, a);
  vinstr_t *v = emit_op(t, op, temp);
  v->ra = a.reg;
  set_b(v, b);
  if (combine) {
    word_t c = combined_predicate(t);
    emit_ab(t, combine, dest_word(t, 0), temp, c);
    return;
  }
  const ptx_operand_t *p = &t->k->func->elements[d->first], *q = p + 1;
  if (p->kind == PTX_OPND_REG) emit_b(t, OP_MOV, reg_word(t, p->index, 0), temp);
  if (q->kind == PTX_OPND_REG) emit_ab(t, OP_XOR, reg_word(t, q->index, 0), temp, imm_word(1));
}

/* set.lt.u32.f32 gives all ones or zero: the comparison's 0 or 1, negated. */
static void translate_set(tr_t *t) {
  unsigned op = compare_op((ptx_mod_t)t->in->mod[0], (ptx_type_t)t->in->type[1]);
  if (op) op = as_flushed(t, op);
  if (!op || t->in->num_operands != 3 || int_bytes((ptx_type_t)t->in->type[0]) != 4) {
    t->failed = true;
    return;
  }
  word_t temp = temp_word(t), a = in_register(t, source_word(t, 1, 0));
  vinstr_t *v = emit_op(t, op, temp);
  v->ra = a.reg;
  set_b(v, source_word(t, 2, 0));
  emit_b(t, OP_NEG_S, dest_word(t, 0), temp);
}

/* 64 bits are selected half by half. */
static void translate_selp(tr_t *t) {
  unsigned words = ptx_type_bytes((ptx_type_t)t->in->type[0]) == 8 ? 2 : 1;
  for (unsigned h = 0; h < words; h++)
    emit_abc(t, OP_SELP, dest_word(t, h), source_word(t, 1, h), source_word(t, 2, h), source_word(t, 3, 0));
}

/* ---- Moves ---- */

/* mov.b64 d, {lo, hi} and mov.b64 {lo, hi}, a: two moves. A sink `_` in the vector needs none. */
static void translate_pack(tr_t *t) {
  const ptx_operand_t *d = &t->in->operand[0], *s = &t->in->operand[1];
  const ptx_operand_t *vec = d->kind == PTX_OPND_VEC ? d : s;
  const ptx_operand_t *part = &t->k->func->elements[vec->first];
  if (ptx_type_bytes((ptx_type_t)t->in->type[0]) != 8 || vec->count != 2 || d->kind == s->kind) {
    t->failed = true;
    return;
  }
  for (unsigned h = 0; h < 2; h++) {
    if (vec == s) emit_b(t, OP_MOV, dest_word(t, h), operand_word(t, &part[h], 0));
    else if (part[h].kind == PTX_OPND_REG) emit_b(t, OP_MOV, reg_word(t, part[h].index, 0), source_word(t, 1, h));
  }
}

static void translate_mov(tr_t *t) {
  ptx_type_t type = (ptx_type_t)t->in->type[0];
  if (t->in->operand[0].kind == PTX_OPND_VEC || t->in->operand[1].kind == PTX_OPND_VEC) {
    translate_pack(t);
    return;
  }
  if (ptx_type_bytes(type) > 8) t->failed = true;
  for (unsigned h = 0; h < (ptx_type_bytes(type) == 8 ? 2u : 1u); h++)
    emit_b(t, OP_MOV, dest_word(t, h), source_word(t, 1, h));
}

/* ---- Conversions ---- */

/* Extends the low 8 or 16 bits to 32. 0: the type needs no extension. */
static unsigned extend_op(ptx_type_t type) {
  bool is_signed = ptx_type_kind(type) == 'S';
  switch (ptx_type_bytes(type)) {
  case 1: return is_signed ? OP_CVT_S8 : OP_CVT_U8;
  case 2: return is_signed ? OP_CVT_S16 : OP_CVT_U16;
  default: return 0;
  }
}

/* Clamps 32 bits into the type. 0: no such opcode. Between u32 and s32 only one direction has
 * one. */
static unsigned saturate_op(ptx_type_t to, bool from_signed) {
  switch (to) {
  case PTX_S8: return from_signed ? OP_CVT_SAT_S8_S : OP_CVT_SAT_S8_U;
  case PTX_U8: return from_signed ? OP_CVT_SAT_U8_S : OP_CVT_SAT_U8_U;
  case PTX_S16: return from_signed ? OP_CVT_SAT_S16_S : OP_CVT_SAT_S16_U;
  case PTX_U16: return from_signed ? OP_CVT_SAT_U16_S : OP_CVT_SAT_U16_U;
  case PTX_U32: return from_signed ? OP_CVT_SAT_U32_S : 0;
  case PTX_S32: return from_signed ? 0 : OP_CVT_SAT_S32_U;
  default: return 0;
  }
}

/* The source as a 32-bit value with its type's meaning: 8- and 16-bit sources go through a
 * temporary. */
static word_t extended_source(tr_t *t, ptx_type_t from) {
  word_t s = source_word(t, 1, 0);
  unsigned op = extend_op(from);
  if (!op) return s;
  word_t temp = temp_word(t);
  set_b(emit_op(t, op, temp), s);
  return temp;
}

/* Integer to integer. Narrowing keeps the low bits and extends them again. */
static void translate_cvt_int(tr_t *t, ptx_type_t to, ptx_type_t from) {
  unsigned to_bytes = ptx_type_bytes(to), from_bytes = ptx_type_bytes(from);
  bool from_signed = ptx_type_kind(from) == 'S';
  if (ptx_has(t->in, PTX_MOD_sat)) {
    unsigned op = from_bytes <= 4 && to_bytes <= 4 ? saturate_op(to, from_signed) : 0;
    if (!op) t->failed = true;
    emit_b(t, op, dest_word(t, 0), extended_source(t, from));
    return;
  }
  if (to_bytes == 8) {
    word_t lo = from_bytes < 8 ? extended_source(t, from) : source_word(t, 1, 0);
    emit_b(t, OP_MOV, dest_word(t, 0), lo);
    if (from_bytes == 8) emit_b(t, OP_MOV, dest_word(t, 1), source_word(t, 1, 1));
    else if (from_signed) emit_ab(t, OP_SHR_S, dest_word(t, 1), lo, imm_word(31));
    else emit_b(t, OP_MOV, dest_word(t, 1), imm_word(0));
    return;
  }
  unsigned narrow = extend_op(to);
  word_t s = from_bytes < to_bytes && narrow ? extended_source(t, from) : source_word(t, 1, 0);
  unsigned op = narrow;
  if (!narrow && from_bytes < to_bytes) op = extend_op(from);
  emit_b(t, op ? op : OP_MOV, dest_word(t, 0), s);
}

/* cvt.ftz.f32.f32 only flushes subnormals: x + -0 is x, for zeros of either sign, too. */
static void emit_flush(tr_t *t) {
  emit_ab(t, OP_FADD_FTZ, dest_word(t, 0), source_word(t, 1, 0), imm_word(0x80000000));
}

/* Conversions with a float on one side or both. A conversion without an opcode fails. */
static void translate_cvt_float(tr_t *t, ptx_type_t to, ptx_type_t from) {
  if (translate_cvt_fp64(t, to, from)) return;
  static const struct {
    ptx_mod_t round;
    uint8_t s32, u32, f32;
  } rounds[] = {
      {PTX_MOD_rni, OP_CVT_S32_F32_RN, OP_CVT_U32_F32_RN, OP_CVT_F32_RN},
      {PTX_MOD_rzi, OP_CVT_S32_F32_RZ, OP_CVT_U32_F32_RZ, OP_CVT_F32_RZ},
      {PTX_MOD_rmi, OP_CVT_S32_F32_RM, OP_CVT_U32_F32_RM, OP_CVT_F32_RM},
      {PTX_MOD_rpi, OP_CVT_S32_F32_RP, OP_CVT_U32_F32_RP, OP_CVT_F32_RP},
  };
  bool sat = ptx_has(t->in, PTX_MOD_sat);
  unsigned op = 0, rounded = 0;
  if (from == PTX_F32) {
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
      if (!ptx_has(t->in, rounds[i].round)) continue;
      rounded++;
      op = 0;
      if (to == PTX_S32) op = rounds[i].s32;
      else if (to == PTX_U32) op = rounds[i].u32;
      else if (to == PTX_F32 && !sat) op = rounds[i].f32;
    }
    if (!rounded && to == PTX_F32) op = sat ? OP_CVT_SAT_F32 : OP_MOV;
    if (op == OP_MOV && ptx_has(t->in, PTX_MOD_ftz)) emit_flush(t);
    else emit_b(t, as_flushed(t, op), dest_word(t, 0), source_word(t, 1, 0));
  } else {
    bool is_signed = ptx_type_kind(from) == 'S';
    if (to == PTX_F32 && int_bytes(from) && int_bytes(from) <= 4 && ptx_has(t->in, PTX_MOD_rn) && !sat)
      op = is_signed ? OP_CVT_F32_S32 : OP_CVT_F32_U32;
    emit_b(t, as_flushed(t, op), dest_word(t, 0), extended_source(t, from));
  }
  if (!op) t->failed = true;
}

/* Checks the form, then picks the integers or the floats. */
static void translate_cvt(tr_t *t) {
  ptx_type_t to = (ptx_type_t)t->in->type[0], from = (ptx_type_t)t->in->type[1];
  bool odd = t->in->num_operands != 2 || t->in->operand[0].kind != PTX_OPND_REG || t->in->num_types != 2 ||
             ptx_has(t->in, PTX_MOD_relu) || ptx_has(t->in, PTX_MOD_satfinite) ||
             (ptx_has(t->in, PTX_MOD_ftz) && to != PTX_F32 && from != PTX_F32);
  /* the destination must be as wide as the type: a wider register would need its high word set */
  if (odd || reg_words(t->k->func, t->in->operand[0].index) != (ptx_type_bytes(to) == 8 ? 2 : 1)) t->failed = true;
  else if (int_bytes(to) && int_bytes(from) && int_bytes(to) <= 8 && int_bytes(from) <= 8)
    translate_cvt_int(t, to, from);
  else translate_cvt_float(t, to, from);
}

/* ---- Memory ---- */

/* Element k of the data: of a vector, or the scalar itself. */
static const ptx_operand_t *data_element(const tr_t *t, const ptx_operand_t *o, unsigned k) {
  return o->kind == PTX_OPND_VEC ? &t->k->func->elements[o->first + k] : o;
}

/* The load that extends elements of this type to 32 bits. */
static unsigned load_op(ptx_type_t type) {
  bool is_signed = ptx_type_kind(type) == 'S';
  switch (ptx_type_bytes(type)) {
  case 1: return is_signed ? OP_LD_S8 : OP_LD_U8;
  case 2: return is_signed ? OP_LD_S16 : OP_LD_U16;
  default: return OP_LD;
  }
}

/* Sets the high word of a register wider than its access: sign or zero. Threads whose guard is
 * false keep theirs. */
static void emit_extension(tr_t *t, ptx_type_t type, int32_t reg) {
  if (ptx_type_kind(type) == 'S') emit_ab(t, OP_SHR_S, reg_word(t, reg, 1), reg_word(t, reg, 0), imm_word(31));
  else emit_b(t, OP_MOV, reg_word(t, reg, 1), imm_word(0));
}

/* The address is the GPU's business: LD takes the next word of the read data. A sink takes its
 * word, too, into a temporary. */
static void translate_load(tr_t *t) {
  ptx_type_t type = (ptx_type_t)t->in->type[0];
  unsigned words = ptx_type_bytes(type) == 8 ? 2 : 1;
  for (unsigned k = 0; k < t->in->vec; k++) {
    const ptx_operand_t *o = data_element(t, &t->in->operand[0], k);
    bool is_reg = o->kind == PTX_OPND_REG;
    if (!is_reg && o->kind != PTX_OPND_SINK) t->failed = true;
    for (unsigned h = 0; h < words; h++) emit_op(t, load_op(type), is_reg ? reg_word(t, o->index, h) : temp_word(t));
  }
  for (unsigned k = 0; k < t->in->vec; k++) {
    const ptx_operand_t *o = data_element(t, &t->in->operand[0], k);
    if (o->kind == PTX_OPND_REG && reg_words(t->k->func, o->index) > words) emit_extension(t, type, o->index);
  }
}

/* Does a load write 64-bit registers from narrower data? */
bool load_widens(const ptx_func_t *func, const ptx_instr_t *in) {
  const ptx_operand_t *o = &in->operand[0];
  bool widens = false;
  for (unsigned k = 0; k < in->vec; k++) {
    const ptx_operand_t *e = o->kind == PTX_OPND_VEC ? &func->elements[o->first + k] : o;
    widens |= e->kind == PTX_OPND_REG && reg_words(func, e->index) == 2 && ptx_type_bytes((ptx_type_t)in->type[0]) < 8;
  }
  return widens;
}

/* ST hands over one word, from a register; a literal goes through a temporary. */
static void translate_store(tr_t *t) {
  ptx_type_t type = (ptx_type_t)t->in->type[0];
  unsigned words = ptx_type_bytes(type) == 8 ? 2 : 1;
  for (unsigned k = 0; k < t->in->vec; k++) {
    for (unsigned h = 0; h < words; h++) {
      const ptx_operand_t *o = data_element(t, &t->in->operand[1], k);
      word_t s = in_register(t, operand_word(t, o, h));
      vinstr_t *v = emit_op(t, OP_ST, s);
      v->ra = s.reg;
      v->rd = PTX_NONE;
    }
  }
}

/* ld.param and ld.const at a fixed place become LDC of aligned words. Narrower data are shifted
 * down and extended. A place outside of the variable, or a misaligned one, does not translate. */
static void translate_constant(tr_t *t) {
  const ptx_operand_t *o = &t->in->operand[1];
  unsigned bytes = ptx_type_bytes((ptx_type_t)t->in->type[0]);
  if (o->base != PTX_BASE_VAR || t->in->vec != 1 || bytes > 8 || t->in->operand[0].kind != PTX_OPND_REG) {
    t->failed = true;
    return;
  }
  const ptx_var_t *v = &t->k->module->vars[o->index];
  uint64_t at = v->offset + (uint64_t)o->imm + (v->space == PTX_SPACE_CONST ? t->k->const_offset : 0);
  if ((int64_t)o->imm < 0 || (uint64_t)o->imm + bytes > v->size || at % (bytes < 4 ? bytes : 4) ||
      at > UINT32_MAX - 8) {
    t->failed = true;
    return;
  }
  for (unsigned h = 0; h < (bytes == 8 ? 2u : 1u); h++) {
    unsigned op = extend_op((ptx_type_t)t->in->type[0]);
    bool plain = bytes >= 4 && !t->in->guarded;
    word_t d = dest_word(t, h), w = plain ? d : temp_word(t);
    emit_op(t, OP_LDC, w)->imm = (uint32_t)(at & ~UINT64_C(3)) + 4 * h;
    if (plain) continue;
    if (at & 3) {
      word_t shifted = temp_word(t);
      vinstr_t *s = emit_op(t, OP_SHR_U, shifted);
      s->ra = w.reg;
      set_b(s, imm_word((uint32_t)(at & 3) * 8));
      w = shifted;
    }
    emit_b(t, op ? op : OP_MOV, d, w);
  }
  if (load_widens(t->k->func, t->in)) emit_extension(t, (ptx_type_t)t->in->type[0], t->in->operand[0].index);
}

/* The NSU's repertoire; everything else is the GPU's alone. */
static void translate_by_opcode(tr_t *t) {
  switch (t->in->op) {
  case PTX_OP_add: translate_binary(t, (binary_t){OP_ADD, OP_FADD, true, true}); break;
  case PTX_OP_sub: translate_binary(t, (binary_t){OP_SUB, OP_FSUB, true, false}); break;
  case PTX_OP_mul: translate_mul(t); break;
  case PTX_OP_mad:
  case PTX_OP_fma: translate_mad(t); break;
  case PTX_OP_min: translate_minmax(t, false); break;
  case PTX_OP_max: translate_minmax(t, true); break;
  case PTX_OP_abs: translate_unary(t, OP_ABS_S, OP_FABS, false); break;
  case PTX_OP_neg: translate_unary(t, OP_NEG_S, OP_FNEG, true); break;
  case PTX_OP_and: translate_logic(t, OP_AND); break;
  case PTX_OP_or: translate_logic(t, OP_OR); break;
  case PTX_OP_xor: translate_logic(t, OP_XOR); break;
  case PTX_OP_not: translate_logic(t, OP_NOT); break;
  case PTX_OP_shl:
  case PTX_OP_shr: translate_shift(t); break;
  case PTX_OP_setp: translate_setp(t); break;
  case PTX_OP_set: translate_set(t); break;
  case PTX_OP_selp: translate_selp(t); break;
  case PTX_OP_mov: translate_mov(t); break;
  case PTX_OP_cvt: translate_cvt(t); break;
  case PTX_OP_st: translate_store(t); break;
  case PTX_OP_ld:
  case PTX_OP_ldu:
    if (t->in->space == PTX_SPACE_GLOBAL) translate_load(t);
    else translate_constant(t);
    break;
  default: t->failed = true; break;
  }
}

unsigned translate_instr(const kernel_t *k, uint32_t i, vinstr_t out[MAX_EXPAND], uint32_t *temps) {
  tr_t t = {.k = k, .in = &k->func->instrs[i], .out = out, .temps = temps, .source = (int32_t)i};
  translate_by_opcode(&t);
  return t.failed ? 0 : t.count;
}
