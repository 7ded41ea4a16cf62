/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands of PTX instructions: registers, constants, special registers, addresses of variables.
 * How an instruction is refused is here, too.
 */
#include "simt_operand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "one_line.h"
#include "simt_lanes.h"

/* Only the first refusal's reason is kept. */
int simt_refuse(simt_decoder_t *d, const char *what) {
  const ptx_instr_t *in = d->in;
  if (!d->err->kind) snprintf(d->why, sizeof d->why, "%s", what);
  return trouble_fail(d->err, TROUBLE_INPUT,
                      "%s:%d:%d: kernel %s: '%s' is not executed by the %s (%s); use the instructions in %s",
                      d->k->func->file, in->line, in->column, d->root->name, in->text ? in->text : ptx_op_name(in->op),
                      d->placement ? d->placement->machine : "GPU model", what,
                      d->placement ? d->placement->page : "cmodel/sim/gpu/README.md");
}

/* Names the call that the instruction belongs to: the next one in the text. */
int simt_refuse_call(simt_decoder_t *d) {
  const ptx_func_t *f = d->k->func;
  const ptx_instr_t *last = &f->instrs[f->num_instrs];
  const ptx_instr_t *in = d->in == &d->copy ? last : d->in;
  char what[SIMT_WHY];
  while (in < last && in->op != PTX_OP_call) in++;
  if (in < last) d->in = in;
  const ptx_operand_t *to = &d->in->operand[0];
  if (to->kind == PTX_OPND_LIST && d->in->num_operands > 1) to++;
  const ptx_func_t *callee =
      d->in->op == PTX_OP_call && to->kind == PTX_OPND_FUNC ? &d->k->module->funcs[to->index] : NULL;
  if (callee)
    line_printf(what, sizeof what, "a call of '%s'%s", callee->name, callee->defined ? "" : ", which nothing defines");
  else line_printf(what, sizeof what, "a call");
  return simt_refuse(d, what);
}

/* Equal numbers share a place. Predicates are padded, to keep the alignment of the rest. */
uint32_t simt_konst_operand(simt_decoder_t *d, simt_konst_t konst) {
  simt_kernel_t *k = d->k;
  for (uint32_t i = 0; konst.kind == SIMT_K_VALUE && i < k->num_konsts; i++) {
    const simt_konst_t *old = &k->konsts[i];
    if (old->kind == SIMT_K_VALUE && old->lane_bytes == konst.lane_bytes && old->value == konst.value)
      return SIMT_CONST | old->at;
  }
  if (k->num_konsts == d->konst_capacity) {
    uint32_t capacity = d->konst_capacity * 2 + 16;
    simt_konst_t *more = realloc(k->konsts, capacity * sizeof *more);
    if (!more) {
      trouble_fail(d->err, TROUBLE_ENVIRONMENT, "out of memory");
      d->bad = true;
      return SIMT_NO_OPERAND;
    }
    k->konsts = more;
    d->konst_capacity = capacity;
  }
  konst.at = k->konst_bytes;
  k->konst_bytes += konst.lane_bytes == 1 ? 32 : 32u * konst.lane_bytes;
  k->konsts[k->num_konsts++] = konst;
  return SIMT_CONST | konst.at;
}

uint32_t simt_value_operand(simt_decoder_t *d, unsigned lane_bytes, int64_t value) {
  return simt_konst_operand(d, (simt_konst_t){.kind = SIMT_K_VALUE, .lane_bytes = (uint8_t)lane_bytes, .value = value});
}

/* A floating-point number, converted to the register's width. */
static uint32_t float_operand(simt_decoder_t *d, const ptx_operand_t *o, unsigned lane_bytes) {
  uint64_t bits = (uint64_t)o->imm;
  double wide;
  float narrow;
  if (o->type == PTX_F64 && lane_bytes == 4) {
    memcpy(&wide, &bits, 8);
    narrow = (float)wide;
    uint32_t b32;
    memcpy(&b32, &narrow, 4);
    bits = b32;
  } else if (o->type == PTX_F32 && lane_bytes == 8) {
    uint32_t b32 = (uint32_t)bits;
    memcpy(&narrow, &b32, 4);
    wide = narrow;
    memcpy(&bits, &wide, 8);
  }
  return simt_value_operand(d, lane_bytes, (int64_t)bits);
}

bool simt_is_clock(unsigned sreg) {
  return sreg == PTX_SREG_clock || sreg == PTX_SREG_clock_hi || sreg == PTX_SREG_clock64 ||
         sreg == PTX_SREG_globaltimer || sreg == PTX_SREG_globaltimer_lo || sreg == PTX_SREG_globaltimer_hi;
}

/* A special register gets a place behind the other registers, at its first use. */
static uint32_t sreg_operand(simt_decoder_t *d, const ptx_operand_t *o) {
  simt_kernel_t *k = d->k;
  if (!simt_has_sreg((unsigned)o->index)) {
    d->bad = true;
    return SIMT_NO_OPERAND;
  }
  k->reserves_shared |= simt_is_reserved_shared((unsigned)o->index);
  for (uint32_t i = 0; i < k->num_sregs; i++)
    if (k->sregs[i].sreg == o->index && k->sregs[i].sel == o->sel) return k->sregs[i].at;
  if (k->num_sregs == sizeof k->sregs / sizeof k->sregs[0]) {
    d->bad = true;
    return SIMT_NO_OPERAND;
  }
  uint32_t at = k->reg_bytes;
  k->reg_bytes += o->index == PTX_SREG_gridid ? 256 : 128;
  k->sregs[k->num_sregs++] = (simt_sreg_t){.sreg = (uint8_t)o->index, .sel = o->sel, .at = at};
  return at;
}

/* Shared variables have their offset in the kernel's layout, also in called functions. */
int64_t simt_var_address(const simt_decoder_t *d, int32_t var, simt_konst_kind_t *kind) {
  const ptx_var_t *v = &d->k->module->vars[var];
  *kind = v->space == PTX_SPACE_GLOBAL ? SIMT_K_GLOBAL : SIMT_K_VALUE;
  return (int64_t)(v->space == PTX_SPACE_SHARED ? ptx_shared_offset(d->root, var) : v->offset);
}

/* A texture, sampler or surface reference stands for the handle that it is bound to. */
uint32_t simt_var_operand(simt_decoder_t *d, const ptx_operand_t *o, unsigned lane_bytes) {
  simt_konst_kind_t kind;
  const unsigned type = d->k->module->vars[o->index].type;
  if (type == PTX_TEXREF || type == PTX_SAMPLERREF || type == PTX_SURFREF)
    return simt_konst_operand(
        d, (simt_konst_t){.kind = SIMT_K_REFERENCE, .lane_bytes = (uint8_t)lane_bytes, .value = o->index});
  int64_t address = simt_var_address(d, o->index, &kind) + o->imm;
  return simt_konst_operand(d,
                            (simt_konst_t){.kind = (uint8_t)kind, .lane_bytes = (uint8_t)lane_bytes, .value = address});
}

/* Only video instructions may select a part of a register. */
static uint32_t reg_operand(simt_decoder_t *d, const ptx_operand_t *o, unsigned lane_bytes) {
  const simt_reg_t *r = &d->k->regs[o->index];
  if (r->bytes != lane_bytes || (o->sel && !simt_is_video(d->in->op))) d->bad = true;
  return r->at;
}

uint32_t simt_operand(simt_decoder_t *d, const ptx_operand_t *o, unsigned lane_bytes, unsigned type_bytes) {
  switch (o->kind) {
  case PTX_OPND_REG: return reg_operand(d, o, lane_bytes);
  case PTX_OPND_IMM:
    if (lane_bytes == 1) return simt_value_operand(d, 1, o->imm ? -1 : 0);
    return simt_value_operand(d, lane_bytes,
                              type_bytes < 8 ? o->imm & (int64_t)((1ull << 8 * type_bytes) - 1) : o->imm);
  case PTX_OPND_FLOAT: return float_operand(d, o, lane_bytes);
  case PTX_OPND_SREG:
    if (lane_bytes != (o->index == PTX_SREG_gridid ? 8u : 4u)) d->bad = true;
    return sreg_operand(d, o);
  case PTX_OPND_VAR: return simt_var_operand(d, o, lane_bytes);
  case PTX_OPND_SINK: return SIMT_NO_OPERAND;
  default: d->bad = true; return SIMT_NO_OPERAND;
  }
}

unsigned simt_lanes_of(unsigned type) {
  if (type == PTX_PRED) return 1;
  return ptx_type_bytes(type) == 8 ? 8 : 4;
}

/* The type of most operands is the instruction's; this function has the exceptions. */
unsigned simt_operand_lanes(const ptx_instr_t *in, unsigned k, unsigned *type_bytes) {
  unsigned type = in->type[0];
  switch (in->op) {
  case PTX_OP_shl:
  case PTX_OP_shr:
    if (k == 2) type = PTX_U32;
    break;
  case PTX_OP_bfe:
  case PTX_OP_bfi:
    if (k + 1 >= in->num_operands || (in->op == PTX_OP_bfi ? k >= 3 : k >= 2)) type = PTX_U32;
    break;
  case PTX_OP_clz:
  case PTX_OP_popc:
  case PTX_OP_bfind:
    if (k == 0) type = PTX_U32;
    break;
  case PTX_OP_mul:
  case PTX_OP_mad:
    if (ptx_has(in, PTX_MOD_wide) && (k == 0 || k == 3)) type = ptx_type_bytes(type) == 2 ? PTX_U32 : PTX_U64;
    break;
  case PTX_OP_setp:
    if (k == 0 || k == 3) type = PTX_PRED;
    break;
  case PTX_OP_set: type = k == 3 ? PTX_PRED : in->type[k ? 1 : 0]; break;
  case PTX_OP_slct: type = in->type[k == 3 ? 1 : 0]; break;
  case PTX_OP_selp:
    if (k == 3) type = PTX_PRED;
    break;
  case PTX_OP_testp:
    if (k == 0) type = PTX_PRED;
    break;
  case PTX_OP_isspacep: type = k ? PTX_U64 : PTX_PRED; break;
  case PTX_OP_activemask: type = PTX_U32; break;
  case PTX_OP_match:
    if (k != 1) type = PTX_U32;
    break;
  case PTX_OP_vote:
    if (k == 1) type = PTX_PRED;
    else if (k == 0) type = ptx_has(in, PTX_MOD_ballot) ? PTX_U32 : PTX_PRED;
    else type = PTX_U32;
    break;
  default: break;
  }
  *type_bytes = ptx_type_bytes(type);
  return simt_lanes_of(type);
}

/* Elements of a vector, or a single operand. All registers must have the same width. */
int simt_data_operands(simt_decoder_t *d, simt_op_t *op, const ptx_operand_t *o, unsigned type_bytes) {
  const ptx_operand_t *e = o->kind == PTX_OPND_VEC ? &d->k->func->elements[o->first] : o;
  op->vec = o->kind == PTX_OPND_VEC ? o->count : 1;
  if (op->vec > SIMT_MAX_VEC) return simt_refuse(d, "more than 8 elements");
  op->reg_bytes = 0;
  for (unsigned i = 0; i < op->vec; i++) {
    unsigned lanes = e[i].kind == PTX_OPND_REG ? d->k->regs[e[i].index].bytes : 0;
    if (lanes == 1) return simt_refuse(d, "predicate as data");
    if (lanes && op->reg_bytes && lanes != op->reg_bytes)
      return simt_refuse(d, "registers of several widths in a vector");
    if (lanes) op->reg_bytes = (uint8_t)lanes;
    if (lanes) op->x = ptx_type_bytes(d->k->func->regs[e[i].index].type); /* 16-bit registers are kept zero-extended */
  }
  if (!op->reg_bytes) op->reg_bytes = type_bytes == 8 ? 8 : 4;
  if (op->reg_bytes < type_bytes) return simt_refuse(d, "register narrower than the access");
  for (unsigned i = 0; i < op->vec; i++) op->v[i] = simt_operand(d, &e[i], op->reg_bytes, type_bytes);
  return 0;
}

/* A variable's address replaces a generic space by the variable's own. Addresses of global
 * variables are known only at launch, so they become a base register. */
int simt_address_operand(simt_decoder_t *d, simt_op_t *op, const ptx_operand_t *o) {
  if (o->kind != PTX_OPND_ADDR || o->count) return simt_refuse(d, "address");
  op->base = SIMT_NO_OPERAND;
  op->imm = o->imm;
  if (o->base == PTX_BASE_REG) {
    const simt_reg_t *r = &d->k->regs[o->index];
    op->base = r->at;
    if (r->bytes == 4) op->flags |= SIMT_ADDR32;
    if (r->bytes == 1) return simt_refuse(d, "address");
  } else if (o->base == PTX_BASE_VAR) {
    const ptx_var_t *v = &d->k->module->vars[o->index];
    simt_konst_kind_t kind;
    int64_t address = simt_var_address(d, o->index, &kind);
    if (op->space == PTX_SPACE_GENERIC) op->space = (uint8_t)v->space;
    if (kind == SIMT_K_GLOBAL) op->base = simt_var_operand(d, &(ptx_operand_t){.index = o->index}, 8);
    else op->imm += address;
    if (v->space == PTX_SPACE_LOCAL && d->unit) op->flags |= SIMT_FRAME;
  }
  return 0;
}
