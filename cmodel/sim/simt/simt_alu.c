/* SPDX-License-Identifier: Apache-2.0
 *
 * Selects the function that executes an arithmetic instruction (simt_alu_bind). Compare, select,
 * move and shuffle functions are here; the other files of simt_lanes.h have the rest.
 */
#include "simt_lanes.h"

_Static_assert(PTX_NUM_MODS <= 256, "simt_op_t.sub holds a ptx_mod_t");

/* setp and set: p = (a cmp b) bool c, and q = !(a cmp b) bool c. */
static uint32_t combine_predicate(const simt_op_t *op, const simt_warp_t *w, uint32_t t) {
  if (op->sub == SIMT_BOOL_NONE) return t;
  uint32_t c = pred_of(w, op->c, op->flags & SIMT_NEG_C);
  if (op->sub == SIMT_BOOL_AND) return t & c;
  return op->sub == SIMT_BOOL_OR ? t | c : t ^ c;
}

static void x_setp(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  uint32_t t = op->cmp(op, w);
  uint32_t p = combine_predicate(op, w, t), q = op->e == SIMT_NO_OPERAND ? 0 : combine_predicate(op, w, ~t);
  commit_pred(w, op->d, p, mask);
  commit_pred(w, op->e, q, mask);
}

/* op->imm is the value that set writes where the comparison holds. */
static void x_set(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  uint32_t t = combine_predicate(op, w, op->cmp(op, w)), r[32], yes = (uint32_t)op->imm;
  FOR_LANES r[i] = t >> i & 1 ? yes : 0;
  commit32(w, op->d, r, mask);
}

/* f16x2: p belongs to the lower half, q to the upper half. */
static void x_setp_halves(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint32_t p = combine_predicate(op, w, simt_half_low(op, w)),
                 q = combine_predicate(op, w, simt_half_high(op, w));
  commit_pred(w, op->d, p, mask);
  commit_pred(w, op->e, q, mask);
}
static void x_set_halves(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint32_t low = combine_predicate(op, w, simt_half_low(op, w)),
                 high = combine_predicate(op, w, simt_half_high(op, w)), yes = (uint32_t)op->imm;
  uint32_t r[32];
  FOR_LANES r[i] = (low >> i & 1 ? yes : 0) | (high >> i & 1 ? yes << 16 : 0);
  commit32(w, op->d, r, mask);
}

/* slct: one bit a lane, set where c >= 0. An f32 -0.0 counts as not negative. */
static uint32_t not_negative(const simt_op_t *op, const simt_warp_t *w) {
  const uint32_t *c = simt_src(w, op->c);
  uint32_t t = 0;
  if (op->type == PTX_F32) FOR_LANES t |= (uint32_t)(as_f32(op->flags & SIMT_FTZ ? flush(c[i]) : c[i]) >= 0) << i;
  else FOR_LANES t |= (uint32_t)((int32_t)c[i] >= 0) << i;
  return t;
}
static void x_slct32(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint32_t *a = simt_src(w, op->a), *b = simt_src(w, op->b);
  uint32_t t = not_negative(op, w), r[32];
  FOR_LANES r[i] = t >> i & 1 ? a[i] : b[i];
  commit32(w, op->d, r, mask);
}
static void x_slct64(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint64_t *a = simt_src(w, op->a), *b = simt_src(w, op->b);
  uint32_t t = not_negative(op, w);
  uint64_t r[32];
  FOR_LANES r[i] = t >> i & 1 ? a[i] : b[i];
  commit64(w, op->d, r, mask);
}

/* mov.b64 d, {a, b} and the like. The first of op->vec elements of op->bytes is the lowest. */
static void x_pack(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  uint64_t r[32] = {0};
  for (unsigned k = 0; k < op->vec; k++) {
    const uint32_t *a = simt_src(w, op->v[k]);
    uint64_t keep = op->bytes == 4 ? 0xffffffffu : 0xffffu;
    FOR_LANES r[i] |= (a[i] & keep) << 8 * op->bytes * k;
  }
  if (op->reg_bytes == 8) {
    commit64(w, op->d, r, mask);
    return;
  }
  uint32_t s[32];
  FOR_LANES s[i] = (uint32_t)r[i];
  commit32(w, op->d, s, mask);
}
/* The inverse of x_pack. */
static void x_unpack(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  uint64_t x[32];
  if (op->reg_bytes == 8) memcpy(x, simt_src(w, op->a), sizeof x);
  else FOR_LANES x[i] = ((const uint32_t *)simt_src(w, op->a))[i];
  uint64_t keep = op->bytes == 4 ? 0xffffffffu : 0xffffu;
  for (unsigned k = 0; k < op->vec; k++) {
    uint32_t r[32];
    FOR_LANES r[i] = (uint32_t)(x[i] >> 8 * op->bytes * k & keep);
    commit32(w, op->v[k], r, mask);
  }
}

/* mov.v4.u32 {a, b, c, d}, {e, f, g, h}. v has the results, then the sources. All sources are
 * read first, because a register may be both. */
static void x_mov_vector(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  uint64_t x[SIMT_MAX_VEC / 2][32];
  for (unsigned k = 0; k < op->vec; k++) memcpy(x[k], simt_src(w, op->v[op->vec + k]), 32u * op->reg_bytes);
  for (unsigned k = 0; k < op->vec; k++) {
    if (op->reg_bytes == 8) commit64(w, op->v[k], x[k], mask);
    else commit32(w, op->v[k], (const uint32_t *)(const void *)x[k], mask);
  }
}

/* Loads at fixed addresses of the parameter block or const segment. The constants are adjacent. */
static void x_constants(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  for (unsigned k = 0; k < op->vec; k++) {
    const void *from = simt_src(w, op->a + k * 32u * op->reg_bytes);
    if (op->reg_bytes == 8) commit64(w, op->v[k], from, mask);
    else commit32(w, op->v[k], from, mask);
  }
}

/* %clock and %globaltimer. sub: the nanoseconds; imm: 32 for the upper half. */
static void x_clock32(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  uint64_t t = op->sub ? w->nanoseconds : w->clock;
  uint32_t r[32];
  FOR_LANES r[i] = (uint32_t)(t >> op->imm);
  commit32(w, op->d, r, mask);
}
static void x_clock64(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  uint64_t r[32];
  FOR_LANES r[i] = op->sub ? w->nanoseconds : w->clock;
  commit64(w, op->d, r, mask);
}

/* Start of a space's window of the generic addresses; 0 for global memory. */
static uint64_t window_of(unsigned space) {
  switch (space) {
  case PTX_SPACE_SHARED: return SIMT_WINDOW_SHARED;
  case PTX_SPACE_LOCAL: return SIMT_WINDOW_LOCAL;
  case PTX_SPACE_CONST: return SIMT_WINDOW_CONST;
  case PTX_SPACE_PARAM: return SIMT_WINDOW_PARAM;
  default: return 0;
  }
}
/* op->imm is added. Windows are far apart, so a sum of window and offset never carries into
 * another. */
static void x_cvta(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint64_t *a = simt_src(w, op->a);
  uint64_t r[32];
  FOR_LANES r[i] = a[i] + (uint64_t)op->imm;
  commit64(w, op->d, r, mask);
}
/* True where the address lies in the window of op->space. */
static void x_isspacep(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint64_t *a = simt_src(w, op->a);
  uint64_t window = window_of(op->space);
  uint32_t r = 0;
  FOR_LANES r |= (uint32_t)(window ? a[i] - window <= SIMT_WINDOW_MASK : a[i] < SIMT_WINDOW_SHARED) << i;
  commit_pred(w, op->d, r, mask);
}

static void x_activemask(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  uint32_t r[32];
  FOR_LANES r[i] = mask;
  commit32(w, op->d, r, mask);
}
/* shfl, as in the PTX document's pseudocode. sub: a ptx_mod_t. c has the clamp value in bits 0
 * to 4 and the segment mask in bits 8 to 12. */
static void x_shfl(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint32_t *a = simt_src(w, op->a), *b = simt_src(w, op->b), *c = simt_src(w, op->c);
  uint32_t r[32], ok = 0;
  FOR_LANES {
    int lane = (int)i, by = (int)(b[i] & 31), clamp = (int)(c[i] & 31), seg = (int)(c[i] >> 8 & 31);
    int most = (lane & seg) | (clamp & ~seg), least = lane & seg, j;
    bool in;
    if (op->sub == PTX_MOD_up) j = lane - by, in = j >= most;
    else if (op->sub == PTX_MOD_down) j = lane + by, in = j <= most;
    else if (op->sub == PTX_MOD_bfly) j = lane ^ by, in = j <= most;
    else j = least | (by & ~seg), in = j <= most;
    if (!in) j = lane;
    r[i] = a[j & 31];
    ok |= (uint32_t)in << i;
  }
  commit32(w, op->d, r, mask);
  commit_pred(w, op->e, ok, mask);
}

/* The value that set writes where the comparison holds; 0: PTX has no such destination. */
static uint32_t set_value(unsigned type) {
  switch (type) {
  case PTX_B32:
  case PTX_U32:
  case PTX_S32: return ~0u;
  case PTX_F32: return 0x3f800000;
  case PTX_U16:
  case PTX_S16: return 0xffff;
  default: return simt_halves(type) ? half_one(simt_half_format(type)) : 0;
  }
}

/* set of two halves writes two numbers of the source's type, or, as .u32 or .s32, two 16-bit
 * integers. op->imm is one of them. */
static bool bind_set_halves(simt_op_t *op, unsigned from) {
  const bool whole = op->type == PTX_U32 || op->type == PTX_S32;
  op->fn = x_set_halves;
  op->imm &= 0xffff;
  return whole || op->type == from;
}

/* setp and set. The first unknown modifier is the comparison. */
static bool bind_set(simt_op_t *op, const ptx_instr_t *in) {
  bool setp = in->op == PTX_OP_setp;
  ptx_mod_t cmp = PTX_MOD_NONE;
  for (unsigned m = 0; m < in->num_mods; m++) {
    unsigned mod = in->mod[m];
    if (mod == PTX_MOD_and) op->sub = SIMT_BOOL_AND;
    else if (mod == PTX_MOD_or) op->sub = SIMT_BOOL_OR;
    else if (mod == PTX_MOD_xor) op->sub = SIMT_BOOL_XOR;
    else if (mod != PTX_MOD_ftz && cmp == PTX_MOD_NONE) cmp = (ptx_mod_t)mod;
  }
  if ((op->sub != SIMT_BOOL_NONE) != (in->num_operands == 4)) return false;
  if (in->num_types != (setp ? 1 : 2)) return false;
  const unsigned of = in->type[setp ? 0 : 1];
  unsigned halves = 1;
  op->type = in->type[0];
  op->imm = set_value(op->type);
  if (!setp && !op->imm) return false;
  if (!simt_halves(of)) op->cmp = simt_cmp_find(cmp, simt_ti(of));
  else if (simt_half_compare(op, of, cmp, &halves)) op->cmp = simt_half_low;
  if (!setp && halves == 2) return op->cmp != NULL && bind_set_halves(op, of);
  op->fn = setp ? x_setp : x_set;
  if (setp && halves == 2) op->fn = x_setp_halves;
  return op->cmp != NULL && (setp || (op->type != PTX_F16X2 && op->type != PTX_BF16X2));
}

/* mov between registers, vectors, and from clock registers. */
static bool bind_mov(simt_op_t *op, const ptx_instr_t *in) {
  const ptx_operand_t *to = &in->operand[0], *from = &in->operand[1];
  unsigned bytes = ptx_type_bytes(in->type[0]);
  if (in->vec > 1) {
    op->vec = in->vec;
    op->fn = x_mov_vector;
    return bytes >= 2 && bytes <= 8 && 2 * in->vec <= SIMT_MAX_VEC && to->kind == PTX_OPND_VEC &&
           from->kind == PTX_OPND_VEC && to->count == in->vec && from->count == in->vec;
  }
  if (to->kind == PTX_OPND_VEC || from->kind == PTX_OPND_VEC) {
    op->vec = to->kind == PTX_OPND_VEC ? to->count : from->count;
    op->bytes = (uint8_t)(op->vec ? bytes / op->vec : 0);
    op->fn = to->kind == PTX_OPND_VEC ? x_unpack : x_pack;
    return bytes <= 8 && (op->bytes == 2 || op->bytes == 4) && op->bytes * op->vec == bytes;
  }
  if (from->kind == PTX_OPND_SREG &&
      (from->index == PTX_SREG_clock || from->index == PTX_SREG_clock_hi || from->index == PTX_SREG_globaltimer_lo ||
       from->index == PTX_SREG_globaltimer_hi)) {
    op->sub = from->index == PTX_SREG_globaltimer_lo || from->index == PTX_SREG_globaltimer_hi;
    op->imm = from->index == PTX_SREG_clock_hi || from->index == PTX_SREG_globaltimer_hi ? 32 : 0;
    op->fn = x_clock32;
    return bytes == 4;
  }
  if (from->kind == PTX_OPND_SREG && (from->index == PTX_SREG_clock64 || from->index == PTX_SREG_globaltimer)) {
    op->sub = from->index == PTX_SREG_globaltimer;
    op->fn = x_clock64;
    return bytes == 8;
  }
  op->fn = simt_int_find(in, simt_ti(in->type[0]));
  return op->fn != NULL;
}

/* cvta adds the window of a space, cvta.to subtracts it. Modules with 32-bit pointers have only
 * global addresses, where cvta is a mov. */
static bool bind_cvta(simt_op_t *op, const ptx_instr_t *in) {
  uint64_t window = window_of(in->space);
  op->imm = (int64_t)(ptx_has(in, PTX_MOD_to) ? 0 - window : window);
  if (in->num_types == 1 && ptx_type_bytes(in->type[0]) == 8) op->fn = x_cvta;
  else op->fn = window ? NULL : simt_int_find(in, TI_U32);
  return op->fn != NULL;
}

static bool bind_shfl(simt_op_t *op, const ptx_instr_t *in) {
  op->fn = x_shfl;
  for (unsigned m = 0; m < in->num_mods; m++) {
    unsigned mod = in->mod[m];
    if (mod == PTX_MOD_up || mod == PTX_MOD_down || mod == PTX_MOD_bfly || mod == PTX_MOD_idx) op->sub = (uint8_t)mod;
  }
  return op->sub != 0 && in->num_operands == (ptx_has(in, PTX_MOD_sync) ? 5 : 4);
}

/* Operations of the special function unit. */
static bool is_special(unsigned op) {
  return op == PTX_OP_sqrt || op == PTX_OP_rcp || op == PTX_OP_rsqrt || op == PTX_OP_ex2 || op == PTX_OP_lg2 ||
         op == PTX_OP_sin || op == PTX_OP_cos || op == PTX_OP_tanh || op == PTX_OP_div || op == PTX_OP_rem;
}

static bool adds_or_multiplies(unsigned op) {
  return op == PTX_OP_add || op == PTX_OP_sub || op == PTX_OP_mul || op == PTX_OP_mad || op == PTX_OP_fma;
}

/* Everything else. `slow` functions honour rounding modes, .ftz and .sat. */
static bool bind_arithmetic(simt_op_t *op, const ptx_instr_t *in) {
  simt_ti_t ti = simt_ti(in->type[0]);
  const bool slow = op->round != SIMT_RN || op->flags & (SIMT_FTZ | SIMT_SAT);
  if (is_special(in->op)) op->kind = SIMT_SFU;
  if (ti == TI_F64) op->kind = SIMT_DP;
  op->single = ti == TI_F32 && adds_or_multiplies(in->op);
  if (simt_halves(in->type[0])) return simt_half_bind(op, in);
  if (!simt_minimum_form(op, in) || ptx_has(in, PTX_MOD_relu)) return false;
  op->fn = simt_float_find(in, ti, slow);
  if (!op->fn && (ti != TI_F32 && ti != TI_F64)) op->fn = simt_int_find(in, ti);
  if (!op->fn)
    op->fn = in->op == PTX_OP_selp || in->op == PTX_OP_and || in->op == PTX_OP_or || in->op == PTX_OP_xor
                 ? simt_int_find(in, ti)
                 : NULL;
  if (in->op == PTX_OP_bfind) op->sub = ptx_has(in, PTX_MOD_shiftamt);
  if (in->op == PTX_OP_mad || in->op == PTX_OP_madc) op->sub = ptx_has(in, PTX_MOD_hi);
  if (in->op == PTX_OP_testp) op->sub = in->num_mods ? in->mod[0] : 0;
  if (ptx_type_kind(in->type[0]) == 'S') op->flags |= SIMT_SIGNED;
  if (ptx_has(in, PTX_MOD_cc)) op->flags |= SIMT_CARRY_OUT;
  if (in->op == PTX_OP_addc || in->op == PTX_OP_subc || in->op == PTX_OP_madc) op->flags |= SIMT_CARRY_IN;
  return op->fn != NULL;
}

bool simt_alu_bind(simt_op_t *op, const ptx_instr_t *in) {
  op->kind = SIMT_ALU;
  op->round = (uint8_t)simt_round(in);
  op->space = in->space;
  if (ptx_has(in, PTX_MOD_ftz)) op->flags |= SIMT_FTZ;
  if (ptx_has(in, PTX_MOD_sat)) op->flags |= SIMT_SAT;
  if (in->op == PTX_OP_activemask) {
    op->fn = x_activemask;
    return true;
  }
  if (in->op == PTX_OP_isspacep) {
    op->fn = x_isspacep;
    return true;
  }
  if (!in->num_types) return false;
  if (simt_is_video(in->op)) return simt_video_bind(op, in);
  switch (in->op) {
  case PTX_OP_setp:
  case PTX_OP_set: return bind_set(op, in);
  case PTX_OP_mov: return bind_mov(op, in);
  case PTX_OP_cvt: return simt_cvt_bind(op, in);
  case PTX_OP_cvta: return bind_cvta(op, in);
  case PTX_OP_shfl: return bind_shfl(op, in);
  case PTX_OP_vote:
  case PTX_OP_match:
  case PTX_OP_redux: return simt_group_bind(op, in);
  case PTX_OP_prmt:
  case PTX_OP_lop3:
  case PTX_OP_bmsk:
  case PTX_OP_szext:
  case PTX_OP_fns:
  case PTX_OP_dp2a:
  case PTX_OP_dp4a: return simt_bits_bind(op, in);
  case PTX_OP_slct:
    if (in->num_types != 2 || (in->type[1] != PTX_S32 && in->type[1] != PTX_F32)) return false;
    op->type = in->type[1];
    op->fn = ptx_type_bytes(in->type[0]) == 8 ? x_slct64 : x_slct32;
    return true;
  case PTX_OP_ld:
  case PTX_OP_ldu: op->fn = x_constants; return true;
  default: return bind_arithmetic(op, in);
  }
}
