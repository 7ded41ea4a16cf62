/* SPDX-License-Identifier: Apache-2.0
 *
 * Collective instructions of a warp: vote, match and redux. The group of a thread are the threads
 * that execute with it and are in its membermask. simt_meet has made sure that these are all
 * threads of the membermask that have not exited. A vote without .sync has no membermask: its group
 * are all threads that execute it.
 */
#include "simt_lanes.h"

/* What a vote says, if all or any of its group are for it. uni: all are of one opinion. */
static bool vote_holds(unsigned mode, bool all, bool any) {
  switch (mode) {
  case PTX_MOD_all: return all;
  case PTX_MOD_any: return any;
  default: return all || !any;
  }
}

/* sub: the mode, a ptx_mod_t. b: the membermask, if there is one. */
static void x_vote(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint32_t *members = op->b == SIMT_NO_OPERAND ? NULL : simt_src(w, op->b),
                 p = pred_of(w, op->a, op->flags & SIMT_NEG_A);
  uint32_t r[32], holds = 0;
  FOR_LANES {
    const uint32_t group = members ? mask & members[i] : mask, yes = p & group;
    r[i] = yes;
    holds |= (uint32_t)vote_holds(op->sub, yes == group, yes != 0) << i;
  }
  if (op->sub == PTX_MOD_ballot) commit32(w, op->d, r, mask);
  else commit_pred(w, op->d, holds, mask);
}

/* Threads of the group that have the lane's value. */
static uint32_t find_equal_lanes(const simt_op_t *op, const simt_warp_t *w, unsigned lane, uint32_t group) {
  uint32_t same = 0;
  for (; group; group &= group - 1) {
    const unsigned i = (unsigned)__builtin_ctz(group);
    const bool is = op->bytes == 8
                        ? ((const uint64_t *)simt_src(w, op->a))[i] == ((const uint64_t *)simt_src(w, op->a))[lane]
                        : ((const uint32_t *)simt_src(w, op->a))[i] == ((const uint32_t *)simt_src(w, op->a))[lane];
    same |= (uint32_t)is << i;
  }
  return same;
}

/* sub: PTX_MOD_any or PTX_MOD_all. match.all also sets the predicate e. */
static void x_match(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint32_t *members = simt_src(w, op->b);
  uint32_t r[32] = {0}, all = 0;
  FOR_LANES {
    if (!(mask >> i & 1)) continue;
    const uint32_t group = mask & members[i], same = find_equal_lanes(op, w, i, group);
    all |= (uint32_t)(same == group) << i;
    r[i] = op->sub == PTX_MOD_any || same == group ? same : 0;
  }
  commit32(w, op->d, r, mask);
  commit_pred(w, op->e, all, mask);
}

/* One step of redux. */
static uint32_t reduce_step(const simt_op_t *op, uint32_t a, uint32_t b) {
  const bool is_signed = op->flags & SIMT_SIGNED, less = is_signed ? (int32_t)a < (int32_t)b : a < b;
  switch (op->sub) {
  case PTX_MOD_add: return a + b;
  case PTX_MOD_min: return less ? a : b;
  case PTX_MOD_max: return less ? b : a;
  case PTX_MOD_and: return a & b;
  case PTX_MOD_or: return a | b;
  default: return a ^ b;
  }
}

/* sub: the operation, a ptx_mod_t. */
static void x_redux(const simt_op_t *op, simt_warp_t *w, uint32_t mask) {
  const uint32_t *a = simt_src(w, op->a), *members = simt_src(w, op->b);
  uint32_t r[32] = {0};
  FOR_LANES {
    if (!(mask >> i & 1)) continue;
    uint32_t group = mask & members[i];
    r[i] = group ? a[__builtin_ctz(group)] : a[i];
    for (group &= group - 1; group; group &= group - 1) r[i] = reduce_step(op, r[i], a[__builtin_ctz(group)]);
  }
  commit32(w, op->d, r, mask);
}

static bool bind_vote(simt_op_t *op, const ptx_instr_t *in) {
  static const ptx_mod_t modes[] = {PTX_MOD_all, PTX_MOD_any, PTX_MOD_uni, PTX_MOD_ballot};
  for (unsigned i = 0; i < 4; i++)
    if (ptx_has(in, modes[i])) op->sub = (uint8_t)modes[i];
  op->fn = x_vote;
  return op->sub && in->num_operands == (ptx_has(in, PTX_MOD_sync) ? 3 : 2);
}

static bool bind_match(simt_op_t *op, const ptx_instr_t *in) {
  const unsigned type = in->type[0];
  op->sub = ptx_has(in, PTX_MOD_any) ? PTX_MOD_any : PTX_MOD_all;
  op->bytes = (uint8_t)ptx_type_bytes(type);
  op->fn = x_match;
  return ptx_has(in, PTX_MOD_sync) && (type == PTX_B32 || type == PTX_B64) &&
         (op->sub == PTX_MOD_all ? ptx_has(in, PTX_MOD_all) : in->operand[0].kind == PTX_OPND_REG);
}

/* redux.sync: bitwise operations of .b32; sums and extremes of .u32 and .s32. */
static bool bind_redux(simt_op_t *op, const ptx_instr_t *in) {
  static const ptx_mod_t bits[] = {PTX_MOD_and, PTX_MOD_or, PTX_MOD_xor},
                         numbers[] = {PTX_MOD_add, PTX_MOD_min, PTX_MOD_max};
  const unsigned type = in->type[0];
  if ((type != PTX_B32 && type != PTX_U32 && type != PTX_S32) || ptx_has(in, PTX_MOD_abs) || ptx_has(in, PTX_MOD_NaN))
    return false;
  for (unsigned i = 0; i < 3; i++)
    if (ptx_has(in, type == PTX_B32 ? bits[i] : numbers[i]))
      op->sub = (uint8_t)(type == PTX_B32 ? bits[i] : numbers[i]);
  if (type == PTX_S32) op->flags |= SIMT_SIGNED;
  op->fn = x_redux;
  return op->sub && ptx_has(in, PTX_MOD_sync);
}

bool simt_group_bind(simt_op_t *op, const ptx_instr_t *in) {
  switch (in->op) {
  case PTX_OP_vote: return bind_vote(op, in);
  case PTX_OP_match: return bind_match(op, in);
  default: return bind_redux(op, in);
  }
}

/* ---- At several instructions ----------------------------------------------------------------- */

/* A lane's value of an operand; bytes 1: a predicate. */
static uint64_t read_lane(const simt_warp_t *w, uint32_t at, unsigned lane, unsigned bytes) {
  if (at == SIMT_NO_OPERAND) return 0;
  const void *from = simt_src(w, at);
  if (bytes == 1) return *(const uint32_t *)from >> lane & 1;
  return bytes == 8 ? ((const uint64_t *)from)[lane] : ((const uint32_t *)from)[lane];
}

/* Writes a lane's value of an operand. */
static void write_lane(simt_warp_t *w, uint32_t at, unsigned lane, unsigned bytes, uint64_t value) {
  uint64_t wide[32];
  uint32_t narrow[32];
  wide[lane] = value, narrow[lane] = (uint32_t)value;
  if (bytes == 1) commit_pred(w, at, (uint32_t)value << lane, 1u << lane);
  else if (bytes == 8) commit64(w, at, wide, 1u << lane);
  else commit32(w, at, narrow, 1u << lane);
}

/* The threads use different registers, so their operands are copied to one temporary register
 * file. One instruction then does the work for all, and the results are copied back. */
void simt_exchange(const simt_op_t *const at[32], simt_warp_t *w, uint32_t group) {
  enum { A, B = 256, C = 512, D = 768, E = 1024, FILE_WORDS = 160 };
  uint64_t file[FILE_WORDS] = {0};
  simt_warp_t meeting = {.base = {(uint8_t *)file, (uint8_t *)file}};
  simt_op_t op = *at[__builtin_ctz(group)];
  const bool vote = op.fn == x_vote;
  const unsigned to = vote && op.sub != PTX_MOD_ballot ? 1 : 4;
  unsigned from = op.bytes == 8 ? 8 : 4; /* bytes of operand a; 1: a predicate */
  if (vote) from = 1;
  op.a = A, op.b = B, op.c = C, op.d = D, op.e = E, op.flags &= (uint16_t)~SIMT_NEG_A;
  for (uint32_t m = group; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    write_lane(&meeting, A, i, from, read_lane(w, at[i]->a, i, from) ^ (vote && at[i]->flags & SIMT_NEG_A));
    write_lane(&meeting, B, i, 4, read_lane(w, at[i]->b, i, 4));
    write_lane(&meeting, C, i, 4, read_lane(w, at[i]->c, i, 4));
  }
  op.fn(&op, &meeting, group);
  for (uint32_t m = group; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    write_lane(w, at[i]->d, i, to, read_lane(&meeting, D, i, to));
    write_lane(w, at[i]->e, i, 1, read_lane(&meeting, E, i, 1));
  }
}
