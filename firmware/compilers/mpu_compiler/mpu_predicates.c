/* SPDX-License-Identifier: Apache-2.0
 *
 * Which predicates are values. Algorithm 1 seeds the sources of jumps alone.
 *
 * A predicate is a value itself if three things hold. No jump, guard or other operation of the base
 * die reads it. It chooses between values near the banks (selp). All that it was made of came from
 * loads, so comparing where the values are moves nothing. A predicate made of indices stays on the
 * base die, as its sources would have to be moved.
 *
 *    find_candidates -> [ locate -> trace_sources -> cross_out_doubtful ] until none is crossed out
 */
#include <stdlib.h>
#include <string.h>

#include "mpu_internal.h"

static bool is_pred(const mpu_program_t *p, int32_t reg) {
  return p->func->regs[reg].type == PTX_PRED;
}

/* Arithmetic that either die can execute. */
static bool runs_on_both(const mpu_program_t *p, const ptx_instr_t *in) {
  return mpu_kind(p, in) == MPU_KIND_OTHER && !mpu_far_op(in);
}

/* ---- By what is read and written ------------------------------------------------------------- */

/* Sets values[] to 0 for predicates that steer, or that come with another result. */
static void cross_out(const mpu_program_t *p, const ptx_instr_t *in, uint8_t *values) {
  int32_t regs[PTX_MAX_INSTR_REGS];
  const unsigned defs = ptx_defs(p->func, in, regs, PTX_MAX_INSTR_REGS);
  for (unsigned k = 0; k < defs; k++)
    if (defs > 1 || !runs_on_both(p, in)) values[regs[k]] = 0;
  const unsigned uses = ptx_uses(p->func, in, regs, PTX_MAX_INSTR_REGS);
  for (unsigned k = 0; k < uses; k++)
    if (!runs_on_both(p, in) || (in->guarded && regs[k] == in->guard)) values[regs[k]] = 0;
}

/* All predicates but those crossed out. False: there is none. */
static bool find_candidates(const mpu_program_t *p, uint8_t *values) {
  const ptx_func_t *f = p->func;
  bool any = false;
  for (uint32_t r = 0; r < f->num_regs; r++) values[r] = is_pred(p, (int32_t)r);
  for (uint32_t i = 0; i < f->num_instrs; i++) cross_out(p, &f->instrs[i], values);
  for (uint32_t r = 0; f->num_blocks && r < f->num_regs; r++) {
    if (f->blocks[0].live_in[r / 64] >> (r % 64) & 1) values[r] = 0; /* read before it is written */
    any |= values[r];
  }
  return any;
}

/* ---- By where values come from --------------------------------------------------------------- */

/* Where a result comes from: loads leave values near the banks, arithmetic passes on its
 * sources. */
static unsigned comes_from(const mpu_program_t *p, const operands_t *o, const facts_t *f, const uint8_t *from) {
  if (f->kind != MPU_KIND_OTHER) return f->kind == MPU_KIND_GLOBAL ? MPU_N : shared_at(p);
  return f->far_op || f->writes_pred ? MPU_F : union_of(from, srcs_of(o, f), f->num_srcs);
}

/* To a fixed point over the reachable code. */
static void trace_sources(const mpu_program_t *p, const operands_t *o, uint8_t *from) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < p->func->num_instrs; i++) {
      const facts_t *f = &o->facts[i];
      if (f->reachable) changed |= gain_all(from, defs_of(o, f), f->num_defs, comes_from(p, o, f, from));
    }
  }
}

/* Crosses out predicates that are not made of loaded values alone. Crosses out those, too, that
 * choose values wanted on the base die. True: one was crossed out. */
static bool cross_out_doubtful(const mpu_program_t *p, const operands_t *o, uint32_t i, const uint8_t *loc,
                               const uint8_t *from, uint8_t *values) {
  const facts_t *f = &o->facts[i];
  bool less = false;
  for (unsigned k = 0; k < f->num_defs; k++) {
    const int32_t reg = defs_of(o, f)[k];
    if (!values[reg] || (loc[reg] == MPU_N && union_of(from, srcs_of(o, f), f->num_srcs) == MPU_N)) continue;
    values[reg] = 0, less = true;
  }
  for (unsigned k = 0; k < f->num_srcs; k++) {
    const int32_t reg = srcs_of(o, f)[k];
    if (!is_pred(p, reg) || !values[reg] || union_of(loc, defs_of(o, f), f->num_defs) == MPU_N) continue;
    values[reg] = 0, less = true;
  }
  return less;
}

bool mpu_value_predicates(const mpu_program_t *p, uint8_t *values) {
  const uint32_t n = p->func->num_instrs;
  const size_t room = p->func->num_regs + 1;
  if (p->policy != MPU_ANNOTATED || !find_candidates(p, values)) {
    memset(values, 0, room);
    return true;
  }
  uint8_t *sets = malloc(2 * room);
  bool ok = sets, less = true;
  while (ok && less) { /* only ever fewer */
    operands_t o;
    if (!(ok = operands_make(&o, p, values))) break;
    memset(sets, 0, 2 * room);
    mpu_algorithm_1(p, &o, sets);
    trace_sources(p, &o, sets + room);
    less = false;
    for (uint32_t i = 0; i < n; i++)
      if (o.facts[i].reachable) less |= cross_out_doubtful(p, &o, i, sets, sets + room, values);
    operands_free(&o);
  }
  free(sets);
  return ok;
}
