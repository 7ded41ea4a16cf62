/* SPDX-License-Identifier: Apache-2.0
 *
 * What calls pass in registers and constants (PTX ISA, section "Parameter State Space": functions
 * of PTX 1.x, and those of an assembly programmer).
 *
 * The module shows parameters in .param variables alone. This part inserts what moves them:
 *
 *    body:    ld.param of each .reg parameter ... st.param of each .reg result, ret
 *    call:    st.param of registers and constants, call, ld.param of results
 */
#include "ptx_internal.h"

static ptx_operand_t reg_operand(const parser_t *p, int32_t reg) {
  return (ptx_operand_t){.kind = PTX_OPND_REG, .type = (uint8_t)p->regs.data[reg].type, .index = reg};
}

/* A predicate has no place in memory, so it travels as a number, 1 or 0. */
static bool is_predicate(const parser_t *p, int32_t reg) {
  return p->regs.data[reg].type == PTX_PRED;
}

/* One register, or the vector of `vec` registers from `reg` on. */
static ptx_operand_t data_operand(parser_t *p, int32_t reg, unsigned vec) {
  if (vec == 1) return reg_operand(p, reg);
  ptx_operand_t out = {.kind = PTX_OPND_VEC, .count = (uint8_t)vec, .first = p->elements.count};
  for (unsigned k = 0; k < vec; k++) {
    uint32_t at = VECTOR_ADD(p, p->elements);
    p->elements.data[at] = reg_operand(p, reg + (int32_t)k);
  }
  return out;
}

static ptx_operand_t var_address(int32_t var) {
  return (ptx_operand_t){.kind = PTX_OPND_ADDR, .base = PTX_BASE_VAR, .index = var};
}

/* An inserted instruction with the line and the guard of `like`. */
static ptx_instr_t implicit_like(parser_t *p, const ptx_instr_t *like, ptx_op_t op, ptx_mod_t mod, unsigned vec,
                                 ptx_type_t type) {
  ptx_instr_t in = implicit_instr(p, like, op, mod, vec, type);
  in.guarded = like->guarded, in.guard_negated = like->guard_negated, in.guard = like->guard;
  return in;
}

/* Completes the instruction with its operands and its text. */
static ptx_instr_t with_operands(parser_t *p, ptx_instr_t in, const ptx_operand_t *operands, unsigned count) {
  for (unsigned k = 0; k < count; k++) in.operand[k] = operands[k];
  in.num_operands = (uint8_t)count;
  implicit_source(p, &in);
  return in;
}

static ptx_instr_t param_store(parser_t *p, const ptx_instr_t *like, int32_t var, const ptx_operand_t *data) {
  const ptx_var_t v = p->vars.data[var];
  const ptx_operand_t operands[2] = {var_address(var), *data};
  return with_operands(p, implicit_like(p, like, PTX_OP_st, PTX_MOD_param, v.vec, v.type), operands, 2);
}

static ptx_instr_t param_load(parser_t *p, const ptx_instr_t *like, int32_t reg, int32_t var) {
  const ptx_var_t v = p->vars.data[var];
  const ptx_operand_t operands[2] = {data_operand(p, reg, v.vec), var_address(var)};
  return with_operands(p, implicit_like(p, like, PTX_OP_ld, PTX_MOD_param, v.vec, v.type), operands, 2);
}

/* selp.u32 number, 1, 0, predicate. */
static ptx_instr_t to_number(parser_t *p, const ptx_instr_t *like, int32_t predicate, int32_t number) {
  const ptx_operand_t operands[4] = {reg_operand(p, number),
                                     {.kind = PTX_OPND_IMM, .imm = 1},
                                     {.kind = PTX_OPND_IMM, .imm = 0},
                                     reg_operand(p, predicate)};
  return with_operands(p, implicit_like(p, like, PTX_OP_selp, PTX_MOD_NONE, 1, PTX_U32), operands, 4);
}

/* setp.ne.u32 predicate, number, 0. */
static ptx_instr_t to_predicate(parser_t *p, const ptx_instr_t *like, int32_t number, int32_t predicate) {
  const ptx_operand_t operands[3] = {
      reg_operand(p, predicate), reg_operand(p, number), {.kind = PTX_OPND_IMM, .imm = 0}};
  return with_operands(p, implicit_like(p, like, PTX_OP_setp, PTX_MOD_ne, 1, PTX_U32), operands, 3);
}

/* A new register for a predicate's number, with the predicate's name. */
static int32_t number_register(parser_t *p, int32_t predicate) {
  return registers_add(p, p->regs.data[predicate].name, PTX_U32, 1);
}

/* The instruction first, then VECTOR_ADD: making it may grow the same vector. */
#define PUT(p, list, instr)              \
  do {                                   \
    const ptx_instr_t put = (instr);     \
    uint32_t slot = VECTOR_ADD(p, list); \
    (list).data[slot] = put;             \
  } while (0)

/* Appends the store of a parameter to p->before, by way of a number for a predicate. */
static void put_store(parser_t *p, const ptx_instr_t *like, int32_t var, const ptx_operand_t *data) {
  ptx_operand_t from = *data;
  if (from.kind == PTX_OPND_REG && is_predicate(p, from.index)) {
    const int32_t number = number_register(p, from.index);
    PUT(p, p->before, to_number(p, like, from.index, number));
    from = reg_operand(p, number);
  }
  PUT(p, p->before, param_store(p, like, var, &from));
}

/* Appends the load of a parameter to p->behind, by way of a number for a predicate. */
static void put_load(parser_t *p, const ptx_instr_t *like, int32_t reg, int32_t var) {
  const bool predicate = is_predicate(p, reg);
  const int32_t to = predicate ? number_register(p, reg) : reg;
  PUT(p, p->behind, param_load(p, like, to, var));
  if (predicate) PUT(p, p->behind, to_predicate(p, like, to, reg));
}

/* ---- Inside of the function ------------------------------------------------------------------ */

/* The instructions that load .reg parameters, at the line of the function's head. */
void params_enter(parser_t *p, const ptx_func_t *f) {
  const ptx_instr_t head = {.guard = PTX_NONE, .line = f->line, .column = f->column};
  for (uint32_t i = 0; i < f->num_params; i++)
    if (p->vars.data[f->params[i]].reg != PTX_NONE) put_load(p, &head, p->vars.data[f->params[i]].reg, f->params[i]);
}

/* The instructions that store .reg results, under the guard of the ret. */
void params_return(parser_t *p, const ptx_func_t *f, const ptx_instr_t *ret) {
  const ptx_instr_t like = *ret;
  for (uint32_t i = 0; i < f->num_rets; i++) {
    const ptx_var_t v = p->vars.data[f->rets[i]];
    if (v.reg == PTX_NONE) continue;
    const ptx_operand_t data = data_operand(p, v.reg, v.vec);
    put_store(p, &like, f->rets[i], &data);
  }
}

/* ---- Calls ----------------------------------------------------------------------------------- */

/* What pass_list and variable_for_element know of a call. */
typedef struct {
  parser_t *p;
  uint32_t call;
  const token_t *at;
  const ptx_func_t *to; /* NULL: through a register */
} passing_t;

/* The .param variable for element `number` of a list, of the callee's declared type. Through a
 * register the callee is unknown, so the type is the passed register's. Fails if the element is too
 * narrow or the callee has no such parameter. */
static int32_t variable_for_element(const passing_t *c, const ptx_operand_t *o, bool result, uint32_t number) {
  parser_t *p = c->p;
  const char *what = result ? "result" : "parameter";
  const ptx_type_t own =
      o->kind == PTX_OPND_REG ? (is_predicate(p, o->index) ? PTX_U32 : p->regs.data[o->index].type) : PTX_NO_TYPE;
  ptx_type_t type = own;
  if (c->to) {
    const uint32_t count = result ? c->to->num_rets : c->to->num_params;
    if (number >= count) ptx_fail(p, c->at, "call of '%s' with more %ss than its %u", c->to->name, what, count);
    const ptx_var_t *v = &p->vars.data[(result ? c->to->rets : c->to->params)[number]];
    type = v->type;
    if (v->num_dims || v->vec > 1)
      ptx_fail(p, c->at, "%s %u of '%s' has several elements; pass a .param variable as it is declared there", what,
               number + 1, c->to->name);
    if (own && ptx_type_bytes(own) < ptx_type_bytes(type))
      ptx_fail(p, c->at, "%s %u of '%s' is .%s; '%s' is too narrow for it", what, number + 1, c->to->name,
               ptx_type_name(type), p->regs.data[o->index].name);
  }
  if (!type)
    ptx_fail(p, c->at, "%s %u of a call through a register is no register and no variable: its type is not known", what,
             number + 1);
  return call_param_add(p, what, type);
}

/* Replaces each register or constant of a call's list by a variable. Variables stay as they are. */
static void pass_list(const passing_t *c, uint32_t operand, bool results) {
  parser_t *p = c->p;
  const ptx_operand_t list = instr_at(p, c->call)->operand[operand];
  for (uint32_t k = 0; k < list.count; k++) {
    const ptx_instr_t like = *instr_at(p, c->call);
    ptx_operand_t o = p->elements.data[list.first + k];
    const bool sink = o.kind == PTX_OPND_SINK;
    const bool given = results ? sink || o.kind == PTX_OPND_REG
                               : o.kind == PTX_OPND_REG || o.kind == PTX_OPND_IMM || o.kind == PTX_OPND_FLOAT;
    if (!given || o.negated || o.sel) continue;
    const int32_t var = variable_for_element(c, &o, results, k);
    float_operand(&o, p->vars.data[var].type);
    if (!results) put_store(p, &like, var, &o);
    else if (!sink) put_load(p, &like, o.index, var);
    p->elements.data[list.first + k] = (ptx_operand_t){.kind = PTX_OPND_VAR, .index = var};
  }
}

/* A call is call (results), callee, (parameters), table; all parts but the callee may be missing.
 */
void params_call(parser_t *p, uint32_t call, const token_t *at) {
  const ptx_instr_t in = *instr_at(p, call);
  const uint32_t callee = in.num_operands > 1 && in.operand[0].kind == PTX_OPND_LIST;
  const bool direct = in.operand[callee].kind == PTX_OPND_FUNC;
  const passing_t c = {p, call, at, direct ? &p->funcs.data[in.operand[callee].index] : NULL};
  if (callee) pass_list(&c, 0, true);
  if (callee + 1 < in.num_operands && in.operand[callee + 1].kind == PTX_OPND_LIST) pass_list(&c, callee + 1, false);
}
