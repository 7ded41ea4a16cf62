/* SPDX-License-Identifier: Apache-2.0
 *
 * May a load read what a store wrote? And from which of the kernel's pointers was an address made?
 *
 * A register is an integer, or made from one pointer parameter by adding and subtracting integers,
 * or unknown: 64 bits from memory, an address of a variable, two pointers in one expression. That
 * does not depend on the place in the kernel: what any definition of a register gives counts.
 */
#include <stdlib.h>

#include "offload_internal.h"

/* ---- Pointers -------------------------------------------------------------------------------- */

/* What a register's value is made from. 0 and up: the pointer parameter at that byte of the
 * parameter block.
 *
 *    MADE_NOT_YET  ->  MADE_INTEGER or one pointer  ->  MADE_UNKNOWN
 *
 * A value only moves to the right, so the fixed point in find_made ends. */
enum { MADE_UNKNOWN = -3, MADE_INTEGER = -2, MADE_NOT_YET = -1 };

/* Of two definitions of one register: different makes give MADE_UNKNOWN. */
static int32_t made_join(int32_t a, int32_t b) {
  if (a == MADE_NOT_YET || a == b) return b;
  return b == MADE_NOT_YET ? a : MADE_UNKNOWN;
}

/* Of a + b: pointer plus integer stays in the pointer's allocation, two pointers are unknown. */
static int32_t made_sum(int32_t a, int32_t b) {
  if (a == MADE_NOT_YET || b == MADE_NOT_YET) return MADE_NOT_YET;
  if (a == MADE_INTEGER) return b;
  return b == MADE_INTEGER ? a : MADE_UNKNOWN;
}

/* The default case is, among others, the address of a variable: no parameter's pointer. */
static int32_t made_operand(const int32_t *made, const ptx_operand_t *o) {
  switch (o->kind) {
  case PTX_OPND_REG: return made[o->index];
  case PTX_OPND_IMM:
  case PTX_OPND_FLOAT:
  case PTX_OPND_SREG: return MADE_INTEGER;
  default: return MADE_UNKNOWN;
  }
}

/* Loads of less than 8 bytes cannot give a pointer. Of wider ones only a scalar ld.param is
 * known. */
static int32_t made_load(const kernel_t *k, const ptx_instr_t *in) {
  const ptx_operand_t *from = &in->operand[1];
  if (ptx_type_bytes((ptx_type_t)in->type[0]) < 8) return MADE_INTEGER;
  bool parameter = in->op == PTX_OP_ld && in->space == PTX_SPACE_PARAM && in->vec == 1 && from->base == PTX_BASE_VAR &&
                   !k->module->vars[from->index].is_call_param;
  return parameter ? (int32_t)(k->module->vars[from->index].offset + (uint64_t)from->imm) : MADE_UNKNOWN;
}

/* Of operations that keep no pointer: an integer, if all their operands are integers. */
static int32_t made_other(const ptx_func_t *f, const ptx_instr_t *in, const int32_t *made) {
  int32_t regs[PTX_MAX_INSTR_REGS], sum = MADE_INTEGER;
  unsigned n = ptx_uses(f, in, regs, PTX_MAX_INSTR_REGS);
  for (unsigned u = in->guarded; u < n && u < PTX_MAX_INSTR_REGS; u++) {
    if (made[regs[u]] == MADE_NOT_YET) return MADE_NOT_YET;
    if (made[regs[u]] != MADE_INTEGER) sum = MADE_UNKNOWN;
  }
  for (unsigned o = 1; o < in->num_operands; o++)
    if (in->operand[o].kind == PTX_OPND_VEC || in->operand[o].kind == PTX_OPND_VAR ||
        in->operand[o].kind == PTX_OPND_FUNC)
      sum = MADE_UNKNOWN;
  return sum;
}

/* The make of what an instruction writes. integer - pointer and pointer * anything are unknown. */
static int32_t made_by(const kernel_t *k, const ptx_instr_t *in, const int32_t *made) {
  const ptx_operand_t *o = in->operand;
  switch (in->op) {
  case PTX_OP_ld:
  case PTX_OP_ldu:
  case PTX_OP_atom: return made_load(k, in);
  case PTX_OP_mov:
  case PTX_OP_cvta:
    return o[0].kind == PTX_OPND_REG && o[1].kind != PTX_OPND_VEC ? made_operand(made, &o[1]) : MADE_UNKNOWN;
  case PTX_OP_add: return made_sum(made_operand(made, &o[1]), made_operand(made, &o[2]));
  case PTX_OP_sub:
    return made_operand(made, &o[2]) >= 0 ? MADE_UNKNOWN
                                          : made_sum(made_operand(made, &o[1]), made_operand(made, &o[2]));
  case PTX_OP_mad: {
    int32_t a = made_operand(made, &o[1]), b = made_operand(made, &o[2]);
    return a >= 0 || b >= 0 ? MADE_UNKNOWN : made_sum(made_sum(a, b), made_operand(made, &o[3]));
  }
  case PTX_OP_selp: return made_join(made_operand(made, &o[1]), made_operand(made, &o[2]));
  case PTX_OP_setp: return MADE_INTEGER;
  case PTX_OP_call: return MADE_UNKNOWN;
  default: return made_other(k->func, in, made);
  }
}

/* Iterates over all definitions until nothing changes. Order within the kernel plays no part. */
static void find_made(const kernel_t *k, int32_t *made) {
  const ptx_func_t *f = k->func;
  int32_t regs[PTX_MAX_INSTR_REGS];
  for (uint32_t r = 0; r < f->num_regs; r++) made[r] = MADE_NOT_YET;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < f->num_instrs; i++) {
      unsigned n = ptx_defs(f, &f->instrs[i], regs, PTX_MAX_INSTR_REGS);
      int32_t by = n ? made_by(k, &f->instrs[i], made) : MADE_NOT_YET;
      for (unsigned d = 0; d < n && d < PTX_MAX_INSTR_REGS; d++) {
        int32_t joined = made_join(made[regs[d]], by);
        changed |= joined != made[regs[d]];
        made[regs[d]] = joined;
      }
    }
  }
}

/* ---- Addresses ------------------------------------------------------------------------------- */

/* The first of the instruction's facts[i].num_uses uses. */
static const use_t *uses_of(const kernel_t *k, uint32_t i) {
  return k->uses + k->facts[i].first_use;
}

/* Follows constant additions of the same basic block back to the register that they start from. So
 * a[i] and a[i + 1] get one base and two offsets. */
static address_t access_address(const kernel_t *k, uint32_t i, const int32_t *made) {
  const ptx_instr_t *in = &k->func->instrs[i];
  const ptx_operand_t *o = &in->operand[k->facts[i].class == CLASS_LOAD];
  address_t a = {
      .is_var = o->base != PTX_BASE_REG, .base = o->index, .def = PTX_NONE, .offset = o->imm, .param = PTX_NONE};
  if (!a.is_var && made[o->index] >= 0) a.param = made[o->index];
  for (uint32_t u = 0; u < k->facts[i].num_uses; u++)
    if (uses_of(k, i)[u].kind == USE_ADDRESS) a.def = uses_of(k, i)[u].def;
  while (!a.is_var && a.def != PTX_NONE) {
    const ptx_instr_t *add = &k->func->instrs[a.def];
    bool constant = add->op == PTX_OP_add && !add->guarded && add->operand[1].kind == PTX_OPND_REG &&
                    add->operand[2].kind == PTX_OPND_IMM;
    if (!constant) break;
    a.offset += add->operand[2].imm;
    a.base = add->operand[1].index;
    a.def = uses_of(k, (uint32_t)a.def)[0].def;
  }
  return a;
}

/* Finds the nearest stores before a load that it always reads (always) or may read (asks). A store
 * MAX_WORDS accesses before cannot share a block with the load. */
static void find_stores(kernel_t *k, uint32_t load) {
  fact_t *fact = &k->facts[load];
  const uint32_t first = k->func->blocks[k->func->instrs[load].block].first;
  unsigned accesses = 0;
  fact->always = fact->asks = PTX_NONE;
  for (uint32_t s = load;
       s-- > first && k->facts[s].class != CLASS_HARD && accesses < MAX_WORDS && fact->always == PTX_NONE;) {
    accesses += k->facts[s].class != CLASS_ALU;
    if (k->facts[s].class != CLASS_STORE) continue;
    const alias_t alias = alias_of(k, s, load);
    if (alias == ALIAS_ALWAYS) fact->always = (int32_t)s;
    if (alias == ALIAS_ASK_GPU && fact->asks == PTX_NONE) fact->asks = (int32_t)s;
  }
}

bool alias_make(kernel_t *k) {
  const ptx_func_t *f = k->func;
  int32_t *made = malloc((f->num_regs + 1) * sizeof *made);
  if (!made) return false;
  find_made(k, made);
  for (uint32_t i = 0; i < f->num_instrs; i++)
    if (k->facts[i].class == CLASS_LOAD || k->facts[i].class == CLASS_STORE)
      k->facts[i].address = access_address(k, i, made);
  for (uint32_t i = 0; i < f->num_instrs; i++)
    if (k->facts[i].class == CLASS_LOAD) find_stores(k, i);
  free(made);
  return true;
}

/* In one thread, two addresses with one base are as far apart as their offsets. Between threads the
 * base differs, so `apart` means ASK_GPU. A variable's address is the same in all threads. */
alias_t alias_of(const kernel_t *k, uint32_t store, uint32_t load) {
  const ptx_instr_t *st = &k->func->instrs[store], *ld = &k->func->instrs[load];
  const address_t *s = &k->facts[store].address, *l = &k->facts[load].address;
  if (ld->op == PTX_OP_ldu || ptx_has(ld, PTX_MOD_nc)) return ALIAS_NEVER; /* read-only while the kernel runs */
  if (s->is_var && l->is_var && s->base != l->base) return ALIAS_NEVER;
  if (s->is_var != l->is_var || s->base != l->base || s->def != l->def) return ALIAS_ASK_GPU;
  int64_t distance = (int64_t)((uint64_t)l->offset - (uint64_t)s->offset);
  bool apart = distance >= (int64_t)ptx_access_bytes(st) || -distance >= (int64_t)ptx_access_bytes(ld);
  if (apart) return s->is_var ? ALIAS_NEVER : ALIAS_ASK_GPU;
  return st->guarded || ld->guarded ? ALIAS_ASK_GPU : ALIAS_ALWAYS;
}
