/* SPDX-License-Identifier: Apache-2.0
 *
 * Location annotation (MPU paper, section V-B, Algorithm 1) and what the other policies come to.
 *
 *    ANNOTATED:  seed_locations -> propagate_to_sources -> trace_origins -> hints -> place_all
 *    others:                                                                        place_all
 *
 * Locations are sets (N, F bits) that only ever gain. So the loops end, and their result does not
 * depend on the order.
 */
#include <stdlib.h>
#include <string.h>

#include "mpu_internal.h"

/* ---- Algorithm 1 ----------------------------------------------------------------------------- */

/* The locations that an access fixes. Global memory: address registers F, value registers N. Shared
 * memory: where it is. Whatever else the front end or the LSU reads is F, as jump sources are.
 * Predicates that steer are always F, so they are not in the lists. */
static void seed_locations(const mpu_program_t *p, const operands_t *o, const facts_t *f, uint8_t *loc) {
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

/* Where the results are wanted. */
static unsigned dest_loc(const operands_t *o, const facts_t *f, const uint8_t *loc) {
  return union_of(loc, defs_of(o, f), f->num_defs) | (f->writes_pred ? MPU_F : MPU_U);
}

/* Sources follow destinations. The order is backwards, against the flow of values, so one pass
 * settles all but loops. */
static void propagate_to_sources(const operands_t *o, uint32_t n, uint8_t *loc) {
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
    if (o->facts[i].reachable) seed_locations(p, o, &o->facts[i], loc);
  propagate_to_sources(o, n, loc);
}

/* ---- Instructions whose destination is B ----------------------------------------------------- */

/* Where the values of the sources are made. Without register sources: where the destination's
 * other values are made. */
static unsigned source_origin(const operands_t *o, const facts_t *f, const uint8_t *made) {
  if (f->num_srcs) return union_of(made, srcs_of(o, f), f->num_srcs);
  return union_of(made, defs_of(o, f), f->num_defs);
}

/* Where registers are written, as far as that is fixed. An instruction that could run on either die
 * passes on the places of its sources. */
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

/* An instruction with its destination in both places runs near only if all its values
 * are made there. */
static mpu_loc_t hint_of(const mpu_program_t *p, const operands_t *o, const facts_t *f, const uint8_t *loc,
                         const uint8_t *made) {
  if (f->kind == MPU_KIND_SHARED) return shared_at(p);
  if (f->kind == MPU_KIND_GLOBAL && f->num_defs) return MPU_N;
  if (f->far_op || f->writes_pred) return MPU_F;
  unsigned where = dest_loc(o, f, loc);
  if (where == MPU_B) return source_origin(o, f, made) == MPU_N ? MPU_N : MPU_F;
  return where == MPU_N ? MPU_N : MPU_F;
}

/* Algorithm 1, origins, then a hint for each reachable instruction. */
static void annotate_program(mpu_program_t *p, const operands_t *o, uint8_t *loc, uint8_t *made) {
  uint32_t n = p->func->num_instrs;
  mpu_algorithm_1(p, o, loc);
  trace_origins(p, o, loc, made);
  for (uint32_t i = 0; i < n; i++)
    if (o->facts[i].reachable) p->instrs[i].hint = hint_of(p, o, &o->facts[i], loc, made);
  for (uint32_t r = 0; r < p->func->num_regs; r++) p->regs[r].annotated = (mpu_loc_t)loc[r];
}

/* ---- Where instructions run, and what that means for their registers ------------------------- */

/* Without a hint: near if there are sources and all have a near-bank copy; both bits if they may
 * have copies in both. One predicate goes with the instruction. A second one is a source like
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

/* Where the instruction may run by the policy, as a set. */
static unsigned place_of_instr(const mpu_program_t *p, const operands_t *o, uint32_t i, const uint8_t *loc) {
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

/* Registers gain the places where the instruction reads and writes them. True: one has grown. */
static bool settle_registers(const operands_t *o, const facts_t *f, unsigned place, uint8_t *loc) {
  bool global = f->kind == MPU_KIND_GLOBAL, grown = false;
  unsigned data = global ? MPU_N : place;
  grown |= gain_all(loc, far_of(o, f), f->num_far, MPU_F);
  grown |= gain_all(loc, srcs_of(o, f), f->num_srcs, data);
  grown |= gain_all(loc, defs_of(o, f), f->num_defs, data);
  return grown;
}

/* A warp begins with valid copies of its registers at both places. That matters for registers that
 * may be read before they are written. */
static void start_in_both(const mpu_program_t *p, uint8_t *loc) {
  const ptx_func_t *func = p->func;
  for (uint32_t r = 0; func->num_blocks && r < func->num_regs; r++)
    if (func->regs[r].type != PTX_PRED && func->blocks[0].live_in[r / 64] >> (r % 64) & 1)
      gain_locations(&loc[r], MPU_B);
}

/* With the default policy places depend on registers and these on places: hence the fixed point. */
static void place_all(mpu_program_t *p, const operands_t *o, uint8_t *loc) {
  uint32_t n = p->func->num_instrs;
  if (p->policy == MPU_HW_DEFAULT) start_in_both(p, loc);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < n; i++) {
      if (!o->facts[i].reachable) continue;
      p->instrs[i].place = (mpu_loc_t)place_of_instr(p, o, i, loc);
      changed |= settle_registers(o, &o->facts[i], p->instrs[i].place, loc);
    }
  }
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* Predicates of reachable code that steer are the front end's: F. Those that are values
 * have their place. */
static void locate_predicates(mpu_program_t *p, uint32_t i, const uint8_t *loc) {
  int32_t regs[2 * PTX_MAX_INSTR_REGS];
  const ptx_instr_t *in = &p->func->instrs[i];
  unsigned n = ptx_defs(p->func, in, regs, PTX_MAX_INSTR_REGS);
  n += ptx_uses(p->func, in, regs + n, PTX_MAX_INSTR_REGS);
  for (unsigned k = 0; k < n; k++)
    if (p->func->regs[regs[k]].type == PTX_PRED) p->regs[regs[k]].loc = loc[regs[k]] ? (mpu_loc_t)loc[regs[k]] : MPU_F;
}

/* Copies the sets into the program. */
static void finish_locations(mpu_program_t *p, const operands_t *o, const uint8_t *loc) {
  for (uint32_t i = 0; i < p->func->num_instrs; i++) {
    p->instrs[i].far_op = o->facts[i].far_op;
    if (o->facts[i].reachable) locate_predicates(p, i, loc);
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
  if (p->policy == MPU_ANNOTATED) annotate_program(p, o, sets, made);
  memset(sets, 0, room);
  place_all(p, o, sets);
  finish_locations(p, o, sets);
  free(sets);
  return true;
}
