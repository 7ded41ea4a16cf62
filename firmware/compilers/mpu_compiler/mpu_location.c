/* SPDX-License-Identifier: Apache-2.0
 *
 * Location annotation (MPU paper, section V-B, Algorithm 1) and what the other policies come to.
 *
 * Locations are sets (N, F bits), registers only ever gain: the loops end, and their result does
 * not depend on the order.
 */
#include <stdlib.h>
#include <string.h>

#include "mpu_internal.h"

/* ---- Algorithm 1 ----------------------------------------------------------------------------- */

/* Address registers of global memory F, its value registers N, registers of shared memory where
 * that is. Whatever else the front end or the LSU reads is F, as jump sources are; predicates that
 * steer are F and nothing else, so they are not in the lists. */
static void seed(const mpu_program_t *p, const operands_t *o, const facts_t *f, uint8_t *loc) {
  switch (f->kind) {
  case MPU_KIND_GLOBAL:
    gain_all(loc, far_of(o, f), f->num_far, MPU_F);
    gain_all(loc, srcs_of(o, f), f->num_srcs, MPU_N);
    gain_all(loc, defs_of(o, f), f->num_defs, MPU_N);
    break;
  case MPU_KIND_SHARED:
    gain_all(loc, srcs_of(o, f), f->num_srcs, shared_at(p));
    gain_all(loc, defs_of(o, f), f->num_defs, shared_at(p));
    break;
  default:
    if (f->far_op) gain_all(loc, srcs_of(o, f), f->num_srcs, MPU_F);
  }
}

static unsigned dest_loc(const operands_t *o, const facts_t *f, const uint8_t *loc) {
  return union_of(loc, defs_of(o, f), f->num_defs) | (f->writes_pred ? MPU_F : MPU_U);
}

/* Sources follow destinations. Backwards, the way values came: a pass settles all but loops. */
static void propagate(const operands_t *o, uint32_t n, uint8_t *loc) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = n; i-- > 0;) {
      const facts_t *f = &o->facts[i];
      if (!f->reachable || f->kind != MPU_KIND_OTHER || f->far_op) continue;
      changed |= gain_all(loc, srcs_of(o, f), f->num_srcs, dest_loc(o, f, loc));
    }
  }
}

void mpu_algorithm_1(const mpu_program_t *p, const operands_t *o, uint8_t *loc) {
  const uint32_t n = p->func->num_instrs;
  for (uint32_t i = 0; i < n; i++)
    if (o->facts[i].reachable) seed(p, o, &o->facts[i], loc);
  propagate(o, n, loc);
}

/* ---- Instructions whose destination is B ----------------------------------------------------- */

/* Where the values of the sources are made; without register
 * sources, where the destination's other values are. */
static unsigned origin(const operands_t *o, const facts_t *f, const uint8_t *made) {
  if (f->num_srcs) return union_of(made, srcs_of(o, f), f->num_srcs);
  return union_of(made, defs_of(o, f), f->num_defs);
}

/* Where registers are written, as far as that is fixed; an instruction that could run on either die
 * passes on what its sources are. */
static void trace_origins(const mpu_program_t *p, const operands_t *o, const uint8_t *loc, uint8_t *made) {
  const uint32_t n = p->func->num_instrs;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < n; i++) {
      const facts_t *f = &o->facts[i];
      if (!f->reachable) continue;
      unsigned where = dest_loc(o, f, loc);
      if (f->kind != MPU_KIND_OTHER) where = f->kind == MPU_KIND_GLOBAL ? MPU_N : shared_at(p);
      else if (f->far_op || f->writes_pred) where = MPU_F;
      else if (where == MPU_B) where = union_of(made, srcs_of(o, f), f->num_srcs);
      changed |= gain_all(made, defs_of(o, f), f->num_defs, where);
    }
  }
}

static mpu_loc_t hint_of(const mpu_program_t *p, const operands_t *o, const facts_t *f, const uint8_t *loc,
                         const uint8_t *made) {
  if (f->kind == MPU_KIND_SHARED) return shared_at(p);
  if (f->kind == MPU_KIND_GLOBAL && f->num_defs) return MPU_N;
  if (f->far_op || f->writes_pred) return MPU_F;
  unsigned where = dest_loc(o, f, loc);
  if (where == MPU_B) return origin(o, f, made) == MPU_N ? MPU_N : MPU_F;
  return where == MPU_N ? MPU_N : MPU_F;
}

static void annotate(mpu_program_t *p, const operands_t *o, uint8_t *loc, uint8_t *made) {
  uint32_t n = p->func->num_instrs;
  mpu_algorithm_1(p, o, loc);
  trace_origins(p, o, loc, made);
  for (uint32_t i = 0; i < n; i++)
    if (o->facts[i].reachable) p->instrs[i].hint = hint_of(p, o, &o->facts[i], loc, made);
  for (uint32_t r = 0; r < p->func->num_regs; r++) p->regs[r].annotated = (mpu_loc_t)loc[r];
}

/* ---- Where instructions run, and what that means for their registers ------------------------- */

/* Without a hint: near when there are sources and all have a near-bank copy, so either where they
 * may have copies in both. One predicate goes with the instruction; a second is a source like
 * others, of which nothing is known. */
static unsigned default_place(const operands_t *o, const facts_t *f, const uint8_t *loc) {
  unsigned all = MPU_B, any = f->num_preds > 1 || !f->num_srcs ? MPU_F : MPU_U;
  if (f->num_preds <= 1 && !f->num_srcs) return MPU_F;
  for (unsigned k = 0; k < f->num_srcs; k++) {
    all &= loc[srcs_of(o, f)[k]];
    any |= loc[srcs_of(o, f)[k]];
  }
  return (all & MPU_N) | (any & MPU_F);
}

static unsigned place_of(const mpu_program_t *p, const operands_t *o, uint32_t i, const uint8_t *loc) {
  const facts_t *f = &o->facts[i];
  if (f->kind == MPU_KIND_SHARED) return shared_at(p);
  if (f->far_op) return MPU_F;
  switch (p->policy) {
  case MPU_ANNOTATED: return p->instrs[i].hint;
  case MPU_HW_DEFAULT: return default_place(o, f, loc);
  case MPU_ALL_NEAR: return MPU_N;
  default: return MPU_F;
  }
}

static bool settle(const operands_t *o, const facts_t *f, unsigned place, uint8_t *loc) {
  bool global = f->kind == MPU_KIND_GLOBAL, grown = false;
  unsigned data = global ? MPU_N : place;
  grown |= gain_all(loc, far_of(o, f), f->num_far, MPU_F);
  grown |= gain_all(loc, srcs_of(o, f), f->num_srcs, data);
  grown |= gain_all(loc, defs_of(o, f), f->num_defs, data);
  return grown;
}

/* A register that may be read before it is written has
 * valid copies at both places then: the warp starts so. */
static void enter(const mpu_program_t *p, uint8_t *loc) {
  const ptx_func_t *func = p->func;
  for (uint32_t r = 0; func->num_blocks && r < func->num_regs; r++)
    if (func->regs[r].type != PTX_PRED && func->blocks[0].live_in[r / 64] >> (r % 64) & 1) gain(&loc[r], MPU_B);
}

static void place_all(mpu_program_t *p, const operands_t *o, uint8_t *loc) {
  uint32_t n = p->func->num_instrs;
  if (p->policy == MPU_HW_DEFAULT) enter(p, loc);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < n; i++) {
      if (!o->facts[i].reachable) continue;
      p->instrs[i].place = (mpu_loc_t)place_of(p, o, i, loc);
      changed |= settle(o, &o->facts[i], p->instrs[i].place, loc);
    }
  }
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* Predicates that steer are the front end's. */
static void touch(mpu_program_t *p, uint32_t i, const uint8_t *loc) {
  int32_t regs[2 * PTX_MAX_INSTR_REGS];
  const ptx_instr_t *in = &p->func->instrs[i];
  unsigned n = ptx_defs(p->func, in, regs, PTX_MAX_INSTR_REGS);
  n += ptx_uses(p->func, in, regs + n, PTX_MAX_INSTR_REGS);
  for (unsigned k = 0; k < n; k++)
    if (p->func->regs[regs[k]].type == PTX_PRED) p->regs[regs[k]].loc = loc[regs[k]] ? (mpu_loc_t)loc[regs[k]] : MPU_F;
}

static void finish(mpu_program_t *p, const operands_t *o, const uint8_t *loc) {
  for (uint32_t i = 0; i < p->func->num_instrs; i++) {
    p->instrs[i].far_op = o->facts[i].far_op;
    if (o->facts[i].reachable) touch(p, i, loc);
  }
  for (uint32_t r = 0; r < p->func->num_regs; r++) {
    mpu_reg_t *reg = &p->regs[r];
    if (p->func->regs[r].type != PTX_PRED) reg->loc = (mpu_loc_t)loc[r];
    if (p->policy != MPU_ANNOTATED || p->func->regs[r].type == PTX_PRED) reg->annotated = reg->loc;
    if (reg->annotated == MPU_U && reg->loc != MPU_U) reg->annotated = MPU_F; /* the fall-back */
  }
}

bool mpu_locate(mpu_program_t *p, const operands_t *o) {
  size_t room = p->func->num_regs + 1;
  uint8_t *sets = calloc(2 * room, 1), *made = sets + room;
  if (!sets) return false;
  if (p->policy == MPU_ANNOTATED) annotate(p, o, sets, made);
  memset(sets, 0, room);
  place_all(p, o, sets);
  finish(p, o, sets);
  free(sets);
  return true;
}
