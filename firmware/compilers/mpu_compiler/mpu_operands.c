/* SPDX-License-Identifier: Apache-2.0
 *
 * What the offload engine has to know of an instruction: the far-bank operation set, the kind of
 * access, and which of its registers are addresses, data and results.
 */
#include <stdlib.h>
#include <string.h>

#include "mpu_internal.h"

/* ---- Opcodes --------------------------------------------------------------------------------- */

static bool reads_sreg(const ptx_instr_t *in) {
  for (unsigned k = 0; k < in->num_operands; k++)
    if (in->operand[k].kind == PTX_OPND_SREG) return true;
  return false;
}

/* Shared memory of this core, by ld and st alone. */
static bool accesses_shared(const ptx_instr_t *in) {
  const bool other_core = ptx_has(in, PTX_MOD_shared_cluster) || ptx_has(in, PTX_MOD_async);
  return (in->op == PTX_OP_ld || in->op == PTX_OP_st) && in->space == PTX_SPACE_SHARED && !other_core;
}

bool mpu_in_dram(const mpu_program_t *p, unsigned space) {
  switch (space) {
  case PTX_SPACE_GLOBAL:
  case PTX_SPACE_GENERIC: return true;
  case PTX_SPACE_LOCAL: return !p->local_ideal;
  case PTX_SPACE_CONST: return !p->constant_ideal;
  default: return false;
  }
}

/* Does the instruction name a constant? Then the constant comes with the instruction, as
 * a parameter does. */
static bool is_named(const ptx_instr_t *in) {
  return in->space == PTX_SPACE_CONST && in->operand[1].base == PTX_BASE_VAR;
}

mpu_kind_t mpu_kind(const mpu_program_t *p, const ptx_instr_t *in) {
  if (in->op == PTX_OP_ldu) return MPU_KIND_GLOBAL;
  if (in->op != PTX_OP_ld && in->op != PTX_OP_st) return MPU_KIND_OTHER;
  if (mpu_in_dram(p, in->space) && !is_named(in)) return MPU_KIND_GLOBAL;
  return accesses_shared(in) ? MPU_KIND_SHARED : MPU_KIND_OTHER;
}

/* ALUs are the only units that both dies have (IV-B), so all but their work is far. The carry flag
 * cannot be moved: what uses it stays on the base die. */
bool mpu_far_op(const ptx_instr_t *in) {
  if (accesses_shared(in)) return false;
  return !ptx_op_computes((ptx_op_t)in->op) || ptx_has(in, PTX_MOD_cc) || reads_sreg(in);
}

/* ---- Registers ------------------------------------------------------------------------------- */

typedef struct {
  const ptx_func_t *func;
  const mpu_program_t *program;
  const uint8_t *values;
  operands_t *out;
  size_t count, room;
  bool failed;
} gather_t;

/* A predicate that the front end keeps. */
static bool is_steering(const gather_t *g, int32_t reg) {
  return g->func->regs[reg].type == PTX_PRED && !g->values[reg];
}

/* Appends the register unless it steers; returns how many were appended. */
static uint16_t list_register(gather_t *g, int32_t reg) {
  if (is_steering(g, reg)) return 0;
  if (g->count == g->room) {
    size_t room = g->room ? g->room * 2 : 256;
    int32_t *list = realloc(g->out->list, room * sizeof *list);
    g->failed |= !list;
    if (!list) return 0;
    g->out->list = list;
    g->room = room;
  }
  g->out->list[g->count++] = reg;
  return 1;
}

/* Is the register the operand, or one of its elements? */
static bool operand_holds(const ptx_func_t *func, const ptx_operand_t *o, int32_t reg) {
  if (o->kind == PTX_OPND_REG) return o->index == reg;
  for (unsigned k = 0; k < o->count; k++)
    if (operand_holds(func, &func->elements[o->first + k], reg)) return true;
  return false;
}

/* Of an access to global memory: is the register read as data, which is a store's second
 * operand? */
static bool is_data(const ptx_func_t *func, const ptx_instr_t *in, int32_t reg) {
  return in->op == PTX_OP_st && operand_holds(func, &in->operand[1], reg);
}

/* Is the register part of the address, or an operand behind the data (a cache policy)? */
static bool is_address(const ptx_func_t *func, const ptx_instr_t *in, int32_t reg) {
  const ptx_operand_t *at = &in->operand[in->op == PTX_OP_st ? 0 : 1];
  if (at->kind == PTX_OPND_ADDR && at->base == PTX_BASE_REG && at->index == reg) return true;
  for (unsigned k = 2; k < in->num_operands; k++)
    if (operand_holds(func, &in->operand[k], reg)) return true;
  return false;
}

/* Different predicates among the registers. */
static uint16_t count_predicates(const ptx_func_t *func, const int32_t *regs, unsigned n) {
  uint16_t count = 0;
  for (unsigned k = 0; k < n; k++) {
    bool again = func->regs[regs[k]].type != PTX_PRED;
    for (unsigned j = 0; j < k && !again; j++) again = regs[j] == regs[k];
    count += !again;
  }
  return count;
}

/* Lists the registers in the order that facts_t says: results, addresses, other sources. A register
 * may be an address and data, and is listed twice then. */
static void gather_facts(gather_t *g, const ptx_instr_t *in, facts_t *f) {
  int32_t regs[PTX_MAX_INSTR_REGS];
  unsigned n = ptx_defs(g->func, in, regs, PTX_MAX_INSTR_REGS);
  *f = (facts_t){.first = (uint32_t)g->count,
                 .kind = (uint8_t)mpu_kind(g->program, in),
                 .far_op = mpu_far_op(in),
                 .reachable = g->func->blocks[in->block].reachable};
  bool global = f->kind == MPU_KIND_GLOBAL;
  for (unsigned k = 0; k < n; k++) {
    f->writes_pred |= is_steering(g, regs[k]);
    f->num_defs += list_register(g, regs[k]);
  }
  n = ptx_uses(g->func, in, regs, PTX_MAX_INSTR_REGS);
  f->num_preds = count_predicates(g->func, regs, n);
  for (unsigned k = 0; global && k < n; k++)
    if (is_address(g->func, in, regs[k])) f->num_far += list_register(g, regs[k]);
  for (unsigned k = 0; k < n; k++)
    if (!global || is_data(g->func, in, regs[k])) f->num_srcs += list_register(g, regs[k]);
}

/* False: out of memory, and *o is empty. */
bool operands_make(operands_t *o, const mpu_program_t *p, const uint8_t *values) {
  const ptx_func_t *func = p->func;
  gather_t g = {.func = func, .program = p, .values = values, .out = o};
  *o = (operands_t){.facts = calloc(func->num_instrs + 1, sizeof *o->facts), .list = malloc(sizeof(int32_t))};
  g.failed = !o->facts || !o->list;
  for (uint32_t i = 0; i < func->num_instrs && !g.failed; i++) gather_facts(&g, &func->instrs[i], &o->facts[i]);
  if (g.failed) operands_free(o);
  return !g.failed;
}

void operands_free(operands_t *o) {
  free(o->facts);
  free(o->list);
  *o = (operands_t){0};
}
