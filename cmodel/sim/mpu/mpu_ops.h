/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of mpu_kernel.c that makes mpu_op_t's: one or several of each PTX instruction.
 *
 *    mpu_maker_t m = {.k = kernel, .module = module, .err = err};
 *    ... units, numbers of registers, the decoded kernel ...
 *    status = mpu_ops_make(&m);                  0; -1: err says why
 *
 *    ld.v2, st.v2        one access an element
 *    ld of few bits      an access of the low row, then ALU that fills in the high row
 *    st of a constant    ALU that brings it into the scratch row, then the access
 *    several results     one ALU operation a result
 *    else                one
 *
 * A maker works on one function at a time; mpu_maker_turn goes to the next.
 */
#ifndef MPU_OPS_H
#define MPU_OPS_H

#include "mpu_kernel_types.h"
#include "simt_call.h"

#define MPU_MACHINE "near-bank processor"
#define MPU_PAGE "cmodel/sim/mpu/README.md"

typedef struct {
  mpu_kernel_t *k;
  const ptx_module_t *module;
  const ptx_func_t *f;    /* the function in work, */
  const mpu_unit_t *unit; /* its registers, */
  uint32_t code;          /* and where its instructions begin */
  trouble_t *err;
  const simt_refusals_t *refusals; /* NULL: the first one is an error */
  const char *why;                 /* reason of the last refusal */
} mpu_maker_t;

/* The number of a register of the function; -1: never used. */
static inline int mpu_maker_id(const mpu_maker_t *m, int32_t reg) {
  const mpu_reg_t *r = &m->unit->program->regs[reg];
  if (r->row < 0) return -1;
  return r->rows ? (int)m->unit->row + r->row : (int)(m->k->rows + m->unit->predicate) + r->row;
}

static inline bool mpu_maker_wide(const mpu_maker_t *m, int32_t reg) {
  return m->unit->program->regs[reg].rows == 2;
}

/* Turns to function u of the kernel's units. */
static inline void mpu_maker_turn(mpu_maker_t *m, uint32_t u) {
  const simt_kernel_t *simt = m->k->simt;
  m->unit = &m->k->units[u];
  m->f = m->unit->program->func;
  m->code = simt && simt->units ? simt->units[u].first : 0;
}

/* Fills in the kernel's ops, parts and first. -1: m->err says why. */
int mpu_ops_make(mpu_maker_t *maker);

/* True: a store of data that are in no register. They go through the kernel's `scratch` rows. */
bool mpu_ops_need_scratch(const ptx_func_t *func, const ptx_instr_t *in);

#endif
