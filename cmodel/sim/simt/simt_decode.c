/* SPDX-License-Identifier: Apache-2.0
 *
 * The decoder: PTX instructions to simt_op_t, once a kernel.
 *
 *   simt_decode -> prepare_kernel: registers (simt_regs.c), or units with calls (simt_link.c)
 *               -> decode_unit -> decode_instr -> decode_op -> one function a kind of instruction
 *
 * An instruction that the machine cannot execute is refused with a reason. The refusal is an error,
 * unless the caller collects refusals (simt_refusals_t).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "async_copy.h"
#include "matrix_decode.h"
#include "simt_deciders.h"
#include "simt_decode_memory.h"
#include "simt_hint.h"
#include "simt_host.h"
#include "simt_lanes.h"
#include "simt_operand.h"
#include "simt_regs.h"
#include "texture_decode.h"

/* Fills the scoreboard slots: destinations first, then sources, each slot once. */
static void set_deps(simt_decoder_t *d, simt_op_t *op) {
  int32_t regs[PTX_MAX_INSTR_REGS];
  const ptx_func_t *f = d->k->func;
  unsigned n = ptx_defs(f, d->in, regs, PTX_MAX_INSTR_REGS);
  for (unsigned pass = 0; pass < 2; pass++) {
    for (unsigned i = 0; i < n; i++) {
      uint16_t slot = d->k->regs[regs[i]].slot;
      if (slot == SIMT_NO_SLOT) continue;
      bool seen = false;
      for (unsigned j = 0; j < op->num_deps; j++) seen |= op->dep[j] == slot;
      if (seen) continue;
      if (op->num_deps == SIMT_MAX_DEPS) {
        d->bad = true;
        return;
      }
      op->dep[op->num_deps++] = slot;
    }
    if (!pass) op->num_dsts = op->num_deps, n = ptx_uses(f, d->in, regs, PTX_MAX_INSTR_REGS);
  }
}

/* Registers may be wider than the types of cvt. */
static int decode_cvt(simt_decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  const ptx_operand_t *to = &in->operand[0], *from = &in->operand[1];
  if (in->num_operands != 2 || in->num_types != 2 || to->kind != PTX_OPND_REG) return simt_refuse(d, "form");
  op->reg_bytes = d->k->regs[to->index].bytes;
  op->x = ptx_type_bytes(d->k->func->regs[to->index].type);
  unsigned from_lanes = from->kind == PTX_OPND_REG ? d->k->regs[from->index].bytes : simt_lanes_of(in->type[1]);
  if (from->kind == PTX_OPND_SREG) from_lanes = from->index == PTX_SREG_gridid ? 8 : 4;
  op->vec = (uint8_t)from_lanes;
  if (!simt_alu_bind(op, in)) return simt_refuse(d, "conversion");
  bool to_float = ptx_type_kind(in->type[0]) == 'F', from_float = ptx_type_kind(in->type[1]) == 'F';
  if (op->reg_bytes == 1 || from_lanes == 1 || op->reg_bytes < op->bytes ||
      (to_float && op->reg_bytes != simt_lanes_of(in->type[0])) ||
      (from_float && from_lanes != simt_lanes_of(in->type[1])) || from_lanes < op->src_bytes)
    return simt_refuse(d, "register width");
  op->d = simt_operand(d, to, op->reg_bytes, op->bytes);
  op->a = simt_operand(d, from, from_lanes, op->src_bytes);
  return 0;
}

/* mov.v4.u32 {a, b, c, d}, {e, f, g, h} */
static int decode_vector_to_vector(simt_decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  const ptx_operand_t *elements = d->k->func->elements;
  const unsigned bytes = ptx_type_bytes(in->type[0]);
  op->reg_bytes = bytes == 8 ? 8 : 4;
  if (!simt_alu_bind(op, in)) return simt_refuse(d, "form");
  for (unsigned i = 0; i < in->vec; i++) {
    op->v[i] = simt_operand(d, &elements[in->operand[0].first + i], op->reg_bytes, bytes);
    op->v[in->vec + i] = simt_operand(d, &elements[in->operand[1].first + i], op->reg_bytes, bytes);
  }
  return 0;
}

/* mov.b64 d, {a, b}, its inverse, and vectors to vectors. */
static int decode_vector_mov(simt_decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  if (in->vec > 1) return decode_vector_to_vector(d, op);
  bool pack = in->operand[1].kind == PTX_OPND_VEC;
  const ptx_operand_t *vec = &in->operand[pack ? 1 : 0], *scalar = &in->operand[pack ? 0 : 1];
  if (vec->count > SIMT_MAX_VEC) return simt_refuse(d, "form");
  unsigned bytes = ptx_type_bytes(in->type[0]);
  op->reg_bytes = bytes == 8 ? 8 : 4;
  if (!simt_alu_bind(op, in)) return simt_refuse(d, "form");
  for (unsigned i = 0; i < vec->count; i++)
    op->v[i] = simt_operand(d, &d->k->func->elements[vec->first + i], 4, op->bytes);
  *(pack ? &op->d : &op->a) = simt_operand(d, scalar, op->reg_bytes, bytes);
  return 0;
}

/* A destination p|q. */
static void decode_pair(simt_decoder_t *d, simt_op_t *op, const ptx_operand_t *o, unsigned lanes0, unsigned lanes1) {
  const ptx_operand_t *e = &d->k->func->elements[o->first];
  op->d = simt_operand(d, &e[0], lanes0, lanes0);
  op->e = simt_operand(d, &e[1], lanes1, lanes1);
}

/* Arithmetic: binds the function, then places the operands. */
static int decode_alu(simt_decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  if (in->op == PTX_OP_cvt && in->num_operands < 3) return decode_cvt(d, op);
  if (in->op == PTX_OP_mov && (in->operand[0].kind == PTX_OPND_VEC || in->operand[1].kind == PTX_OPND_VEC))
    return decode_vector_mov(d, op);
  op->a = op->b = op->c = op->x = op->e = SIMT_NO_OPERAND;
  if (!simt_alu_bind(op, in)) return simt_refuse(d, "operation or type");
  uint32_t *to[] = {&op->d, &op->a, &op->b, &op->c, &op->x};
  static const uint16_t negs[] = {0, SIMT_NEG_A, SIMT_NEG_B, SIMT_NEG_C, 0};
  bool clock =
      in->op == PTX_OP_mov && in->operand[1].kind == PTX_OPND_SREG && simt_is_clock((unsigned)in->operand[1].index);
  for (unsigned k = 0; k < in->num_operands && k < 5; k++) {
    const ptx_operand_t *o = &in->operand[k];
    unsigned type_bytes, lanes = simt_operand_lanes(in, k, &type_bytes);
    if (k == 0 && o->kind == PTX_OPND_PAIR) decode_pair(d, op, o, lanes, 1);
    else if (clock && k == 1) continue;
    else *to[k] = simt_operand(d, o, lanes, type_bytes);
    if (o->negated) op->flags |= negs[k];
  }
  if (in->op == PTX_OP_lop3 && in->num_operands == 6) {
    op->v[0] = simt_operand(d, &in->operand[5], 1, 1);
    if (in->operand[5].negated) op->flags |= SIMT_NEG_C;
  }
  if (ptx_has(in, PTX_MOD_sync)) op->members = in->op == PTX_OP_shfl ? op->x : op->b; /* vote, match, redux */
  return 0;
}

/* brx.idx r, table: target becomes the table's number. */
static int decode_indexed(simt_decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  const ptx_operand_t *table = &in->operand[1];
  if (!ptx_has(in, PTX_MOD_idx) || table->kind != PTX_OPND_TABLE ||
      d->k->func->tables[table->index].kind != PTX_TABLE_BRANCH)
    return simt_refuse(d, "form");
  op->kind = SIMT_BRANCH;
  op->flags |= SIMT_INDEXED;
  op->a = simt_operand(d, &in->operand[0], 4, 4);
  op->target = (uint32_t)table->index;
  op->reconv = (uint32_t)in->reconv;
  return 0;
}

/* A call of a function that the host executes. false: not such a function. */
static bool decode_host(simt_decoder_t *d, simt_op_t *op, const ptx_operand_t *to) {
  const ptx_instr_t *in = d->in;
  const ptx_module_t *m = d->k->module;
  const ptx_operand_t *lists[2] = {&in->operand[0], &in->operand[in->num_operands - 1]};
  uint64_t bytes[SIMT_HOST_PARAMS] = {0};
  uint32_t at;
  if (to == lists[1] || lists[1]->kind != PTX_OPND_LIST || lists[1]->count > SIMT_HOST_PARAMS) return false;
  for (unsigned i = 0; i < lists[1]->count; i++) {
    const int32_t var = d->k->func->elements[lists[1]->first + i].index;
    if (!simt_param_place(d->unit, m, var, &at)) return false;
    op->v[i] = at;
    bytes[i] = m->vars[var].size;
  }
  op->imm = -1;
  if (lists[0]->kind == PTX_OPND_LIST && lists[0] != lists[1] && lists[0]->count)
    if (simt_param_place(d->unit, m, d->k->func->elements[lists[0]->first].index, &at)) op->imm = at;
  op->sub = (uint8_t)simt_host_find(m->funcs[to->index].name, bytes, lists[1]->count);
  op->vec = lists[1]->count;
  op->kind = SIMT_HOST;
  return op->sub != SIMT_HOST_NONE;
}

/* call (r), f, (a, b). Arguments and results are .param variables; the reader has put values in
 * registers there. */
static int decode_call(simt_decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  const simt_kernel_t *k = d->k;
  const unsigned callee = in->num_operands > 1 && in->operand[0].kind == PTX_OPND_LIST;
  const ptx_operand_t *to = &in->operand[callee];
  if (!d->unit) return simt_refuse_call(d);
  op->kind = SIMT_CALL;
  for (unsigned i = 0; i < in->num_operands; i++)
    for (unsigned e = 0; in->operand[i].kind == PTX_OPND_LIST && e < in->operand[i].count; e++) {
      const ptx_operand_t *o = &k->func->elements[in->operand[i].first + e];
      if (o->kind != PTX_OPND_VAR || !k->module->vars[o->index].is_call_param)
        return simt_refuse(d, "a call whose parameters are no .param variables");
    }
  if (to->kind == PTX_OPND_REG) {
    op->a = simt_operand(d, to, k->regs[to->index].bytes, 8);
    if (k->regs[to->index].bytes == 4) op->flags |= SIMT_ADDR32;
    return 0;
  }
  for (op->target = 1; to->kind == PTX_OPND_FUNC && op->target < k->num_units; op->target++)
    if (k->units[op->target].func == &k->module->funcs[to->index])
      return simt_call_fits(k, d->unit, in, &k->units[op->target])
                 ? 0
                 : simt_refuse(d, "a call whose parameters or results are others than its function's");
  return to->kind == PTX_OPND_FUNC && decode_host(d, op, to) ? 0 : simt_refuse_call(d); /* it has no body */
}

/* mov of the address of a function, or of a .local variable in the stack. false: another mov. */
static bool decode_own_address(simt_decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  const ptx_operand_t *from = &in->operand[1];
  if (in->op != PTX_OP_mov || in->num_operands != 2 || in->operand[0].kind != PTX_OPND_REG) return false;
  const bool function = from->kind == PTX_OPND_FUNC,
             local = from->kind == PTX_OPND_VAR && d->unit && d->k->module->vars[from->index].space == PTX_SPACE_LOCAL;
  if (!function && !local) return false;
  const unsigned lanes = d->k->regs[in->operand[0].index].bytes;
  op->kind = SIMT_ALU;
  op->fn = lanes == 8 ? simt_frame_address64 : simt_frame_address32;
  op->d = simt_operand(d, &in->operand[0], lanes, lanes);
  op->imm = local ? (int64_t)d->k->module->vars[from->index].offset + from->imm : 0;
  if (!function) return true;
  if (lanes != 8) d->bad = true;
  const uint32_t value = simt_value_operand(d, 8, (int64_t)simt_function_address((uint32_t)from->index));
  simt_alu_bind(op, in);
  op->a = value;
  return true;
}

/* Only GPUs have texture units. */
static int decode_texture(simt_decoder_t *d, simt_op_t *op) {
  if (d->placement) return simt_refuse(d, "textures and surfaces");
  return d->in->op == PTX_OP_suld || d->in->op == PTX_OP_sust ? surface_decode(d, op) : texture_decode(d, op);
}

/* Calls the function for the kind of instruction. simt_without_policy has removed the hint from
 * accesses that may have one; a hint that is still there is refused. */
static int decode_op(simt_decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  if (ptx_has(in, PTX_MOD_L2_cache_hint) && ptx_access_bytes(in) && in != &d->copy)
    return simt_refuse(d, "cache policy");
  switch (in->op) {
  case PTX_OP_ld:
  case PTX_OP_ldu:
  case PTX_OP_st: return simt_decode_access(d, op);
  case PTX_OP_atom:
  case PTX_OP_red: return simt_decode_atomic(d, op);
  case PTX_OP_tex:
  case PTX_OP_tld4:
  case PTX_OP_txq:
  case PTX_OP_suq:
  case PTX_OP_suld:
  case PTX_OP_sust: return decode_texture(d, op);
  case PTX_OP_mma:
  case PTX_OP_wmma:
  case PTX_OP_ldmatrix:
  case PTX_OP_stmatrix:
  case PTX_OP_movmatrix: return matrix_decode(d, op);
  case PTX_OP_cp: return async_copy_decode(d, op);
  case PTX_OP_bar:
  case PTX_OP_barrier: return simt_decode_barrier(d, op);
  case PTX_OP_bra:
    op->kind = SIMT_BRANCH;
    op->target = (uint32_t)in->target;
    op->reconv = (uint32_t)in->reconv;
    return 0;
  case PTX_OP_brx: return decode_indexed(d, op);
  case PTX_OP_ret: op->kind = d->unit && d->unit != d->k->units ? SIMT_RETURN : SIMT_EXIT; return 0;
  case PTX_OP_exit: op->kind = SIMT_EXIT; return 0;
  case PTX_OP_membar:
  case PTX_OP_fence:
    op->kind = SIMT_MEMBAR;
    op->order = simt_order_of(in);
    return 0;
  case PTX_OP_prefetch:
  case PTX_OP_prefetchu:
  case PTX_OP_pmevent:
  case PTX_OP_nanosleep:
  case PTX_OP_discard:
  case PTX_OP_applypriority:
  case PTX_OP_brkpt: op->kind = SIMT_NOP; return 0;
  case PTX_OP_createpolicy: return simt_decode_policy(d, op);
  case PTX_OP_trap: op->kind = SIMT_TRAP; return 0;
  case PTX_OP_call: return decode_call(d, op);
  default: return decode_own_address(d, op) ? 0 : decode_alu(d, op);
  }
}

/* Decodes instruction i of the current function. Branch targets are indices in the linked code. */
static int decode_instr(simt_decoder_t *d, uint32_t i) {
  const uint32_t first = d->unit ? d->unit->first : 0;
  simt_op_t *op = &d->k->ops[first + i];
  d->in = simt_without_policy(&d->k->func->instrs[i], &d->copy);
  d->bad = false;
  op->index = i;
  op->d = op->e = op->a = op->b = op->c = op->x = op->base = op->members = SIMT_NO_OPERAND;
  if (decode_op(d, op)) return -1;
  if (op->kind == SIMT_BRANCH) op->reconv += first, op->target += op->flags & SIMT_INDEXED ? 0 : first;
  if (d->in->guarded) {
    op->guard = d->k->regs[d->in->guard].at;
    op->flags |= SIMT_GUARDED | (d->in->guard_negated ? SIMT_GUARD_NOT : 0);
  }
  set_deps(d, op);
  return d->bad ? simt_refuse(d, "operand") : 0;
}

/* Registers by live range, or at the caller's places. */
static int place_regs(simt_kernel_t *k, const simt_placement_t *placement) {
  if (!placement) return simt_regs_assign(k);
  k->regs = calloc(k->func->num_regs + 1, sizeof *k->regs);
  if (!k->regs) return -1;
  memcpy(k->regs, placement->regs, k->func->num_regs * sizeof *k->regs);
  k->reg_bytes = placement->reg_bytes;
  k->num_slots = placement->num_slots;
  k->hw_regs = placement->hw_regs;
  return 0;
}

simt_kernel_t *simt_decode(const ptx_module_t *module, const ptx_func_t *func, trouble_t *err) {
  return simt_decode_placed(module, func, NULL, err);
}

/* Registers and units of the kernel, and memory for its operations. -1 with err. */
static int prepare_kernel(simt_kernel_t *k, const simt_placement_t *placement, trouble_t *err) {
  if (simt_calls_any(k->func) && (!placement || placement->units)) {
    if (simt_link(k, placement, err)) return -1;
  } else if (place_regs(k, placement)) return trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  k->ops = calloc(k->num_ops + 1, sizeof *k->ops);
  return k->ops ? 0 : trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
}

/* After a refusal: true if the caller collects refusals, and decoding continues. A refusal in a
 * called function refuses the kernel. */
static bool collect_refusal(simt_decoder_t *d, uint32_t i) {
  const simt_refusals_t *r = d->placement ? d->placement->refusals : NULL;
  if (!r || d->err->kind != TROUBLE_INPUT || d->k->func != d->root) return false;
  r->each(r->ctx, i, d->why);
  *d->err = (trouble_t){0};
  d->k->ops[i] = (simt_op_t){.kind = SIMT_TRAP, .index = i, .members = SIMT_NO_OPERAND};
  return true;
}

/* Decodes a function. k->func and k->regs are the function's while it is decoded. */
static int decode_unit(simt_decoder_t *d, const simt_unit_t *unit) {
  simt_kernel_t *k = d->k;
  d->unit = unit;
  if (unit) k->func = unit->func, k->regs = unit->regs;
  for (uint32_t i = 0; i < k->func->num_instrs; i++)
    if (decode_instr(d, i) && !collect_refusal(d, i)) return -1;
  return 0;
}

/* Constant memory holds what an operand names. */
static int check_constant(const ptx_module_t *m, const ptx_instr_t *in, const ptx_operand_t *o, trouble_t *err) {
  const bool names = o->kind == PTX_OPND_VAR || (o->kind == PTX_OPND_ADDR && o->base == PTX_BASE_VAR);
  const ptx_var_t *v = names ? &m->vars[o->index] : NULL;
  const uint64_t most = v && v->banked ? PTX_CONST_BANKS * PTX_CONST_BYTES : PTX_CONST_BYTES;
  if (!v || v->space != PTX_SPACE_CONST || v->offset + v->size <= most) return 0;
  return trouble_fail(err, TROUBLE_INPUT, "%s:%d:%d: '%s' ends at byte %" PRIu64 " of .const; %" PRIu64 " are the most",
                      m->file, in->line, in->column, v->name, v->offset + v->size, most);
}

static int check_constants(const ptx_module_t *m, const ptx_func_t *f, trouble_t *err) {
  for (uint32_t i = 0; i < f->num_instrs; i++)
    for (unsigned n = 0; n < f->instrs[i].num_operands; n++) {
      const ptx_operand_t *o = &f->instrs[i].operand[n];
      if (check_constant(m, &f->instrs[i], o, err)) return -1;
    }
  return 0;
}

/* Of the kernel and of all that it may call. */
static int check_all_constants(const simt_kernel_t *k, trouble_t *err) {
  int status = check_constants(k->module, k->func, err);
  for (uint32_t u = 0; !status && u < k->num_units; u++) status = check_constants(k->module, k->units[u].func, err);
  return status;
}

simt_kernel_t *simt_decode_placed(const ptx_module_t *module, const ptx_func_t *func, const simt_placement_t *placement,
                                  trouble_t *err) {
  simt_kernel_t *k = calloc(1, sizeof *k);
  if (!k) {
    trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
    return NULL;
  }
  *k = (simt_kernel_t){.module = module, .func = func, .num_ops = func->num_instrs};
  simt_decoder_t d = {.k = k, .err = err, .root = func, .placement = placement};
  int status = prepare_kernel(k, placement, err);
  if (!status) status = check_all_constants(k, err);
  if (!status && !k->units) status = decode_unit(&d, NULL);
  for (uint32_t u = 0; !status && u < k->num_units; u++) status = decode_unit(&d, &k->units[u]);
  k->func = func;
  if (k->units) k->regs = k->units[0].regs;
  if (!status && !k->units && !simt_deciders_find(k)) status = trouble_fail(err, TROUBLE_ENVIRONMENT, "out of memory");
  if (!status) return k;
  simt_kernel_free(k);
  return NULL;
}

void simt_kernel_free(simt_kernel_t *k) {
  if (!k) return;
  free(k->ops);
  if (k->units) simt_unlink(k);
  else free(k->regs);
  matrix_free(k);
  free(k->konsts);
  free(k->deciders);
  free(k);
}
