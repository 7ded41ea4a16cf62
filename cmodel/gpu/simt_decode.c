/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX instructions to simt_op_t, once a kernel.
 *
 * Long file: one function for each form of instruction, over the operands and refusals that all of them share.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "one_line.h"
#include "simt_call.h"
#include "simt_regs.h"

typedef struct {
  simt_kernel_t *k;
  gpu_error_t *err;
  const ptx_func_t *root;  /* the kernel, where k->func is a function that it calls */
  const simt_unit_t *unit; /* NULL: it calls none */
  const ptx_instr_t *in;
  uint32_t konst_capacity;
  bool bad; /* an operand that cannot be had */
} decoder_t;

static int unsupported(decoder_t *d, const char *what) {
  const ptx_instr_t *in = d->in;
  return gpu_fail(d->err, 2, "%s:%d:%d: kernel %s: '%s' is not executed by the GPU model (%s); use the instructions in cmodel/gpu/README.md",
                  d->k->module->file, in->line, in->column, d->root->name, in->text ? in->text : ptx_op_name(in->op), what);
}

/* A call, or what passes values to it and from it, which may stand before the call or behind it. */
static int unsupported_call(decoder_t *d) {
  const ptx_func_t *f = d->k->func;
  const ptx_instr_t *last = &f->instrs[f->num_instrs];
  const ptx_instr_t *in = d->in;
  char what[400];
  while (in < last && in->op != PTX_OP_call) in++;
  if (in < last) d->in = in;
  const ptx_operand_t *to = &d->in->operand[0];
  if (to->kind == PTX_OPND_LIST && d->in->num_operands > 1) to++;
  if (d->in->op == PTX_OP_call && to->kind == PTX_OPND_FUNC) line_printf(what, sizeof what, "a call of '%s'", d->k->module->funcs[to->index].name);
  else line_printf(what, sizeof what, "a call");
  return unsupported(d, what);
}

/* ---- Operands ---------------------------------------------------------------------------------------------------- */

static uint32_t add_konst(decoder_t *d, simt_konst_t konst) {
  simt_kernel_t *k = d->k;
  for (uint32_t i = 0; konst.kind == SIMT_K_VALUE && i < k->num_konsts; i++) {
    const simt_konst_t *old = &k->konsts[i];
    if (old->kind == SIMT_K_VALUE && old->lane_bytes == konst.lane_bytes && old->value == konst.value) return SIMT_CONST | old->at;
  }
  if (k->num_konsts == d->konst_capacity) {
    uint32_t capacity = d->konst_capacity * 2 + 16;
    simt_konst_t *more = realloc(k->konsts, capacity * sizeof *more);
    if (!more) {
      gpu_fail(d->err, 3, "out of memory");
      d->bad = true;
      return SIMT_NO_OPERAND;
    }
    k->konsts = more;
    d->konst_capacity = capacity;
  }
  konst.at = k->konst_bytes;
  k->konst_bytes += konst.lane_bytes == 1 ? 32 : 32u * konst.lane_bytes; /* predicates padded: alignment of the rest */
  k->konsts[k->num_konsts++] = konst;
  return SIMT_CONST | konst.at;
}

static uint32_t value_operand(decoder_t *d, unsigned lane_bytes, int64_t value) {
  return add_konst(d, (simt_konst_t){.kind = SIMT_K_VALUE, .lane_bytes = (uint8_t)lane_bytes, .value = value});
}

static uint32_t float_operand(decoder_t *d, const ptx_operand_t *o, unsigned lane_bytes) {
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
  return value_operand(d, lane_bytes, (int64_t)bits);
}

/* Read when the instruction executes: mov has functions for them. */
static bool is_clock(unsigned sreg) {
  return sreg == PTX_SREG_clock || sreg == PTX_SREG_clock_hi || sreg == PTX_SREG_clock64 || sreg == PTX_SREG_globaltimer || sreg == PTX_SREG_globaltimer_lo ||
         sreg == PTX_SREG_globaltimer_hi;
}

/* Special registers are filled when a warp starts; offsets are assigned behind the others at the end of decoding, so
 * here they are numbered. */
static uint32_t sreg_operand(decoder_t *d, const ptx_operand_t *o) {
  simt_kernel_t *k = d->k;
  if (!simt_has_sreg((unsigned)o->index)) {
    d->bad = true;
    return SIMT_NO_OPERAND;
  }
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

/* The address of a variable, in its own space. */
static int64_t var_address(const decoder_t *d, int32_t var, simt_konst_kind_t *kind) {
  const ptx_var_t *v = &d->k->module->vars[var];
  *kind = v->space == PTX_SPACE_GLOBAL ? SIMT_K_GLOBAL : SIMT_K_VALUE;
  return (int64_t)(v->space == PTX_SPACE_SHARED ? ptx_shared_offset(d->root, var) : v->offset);
}

static uint32_t var_operand(decoder_t *d, const ptx_operand_t *o, unsigned lane_bytes) {
  simt_konst_kind_t kind;
  int64_t address = var_address(d, o->index, &kind) + o->imm;
  return add_konst(d, (simt_konst_t){.kind = (uint8_t)kind, .lane_bytes = (uint8_t)lane_bytes, .value = address});
}

static uint32_t reg_operand(decoder_t *d, const ptx_operand_t *o, unsigned lane_bytes) {
  const simt_reg_t *r = &d->k->regs[o->index];
  if (r->bytes != lane_bytes || o->sel) d->bad = true;
  return r->at;
}

/* lane_bytes: 1 predicate, 4, 8. bits: what the instruction looks at, for integer constants. */
static uint32_t operand(decoder_t *d, const ptx_operand_t *o, unsigned lane_bytes, unsigned type_bytes) {
  switch (o->kind) {
  case PTX_OPND_REG: return reg_operand(d, o, lane_bytes);
  case PTX_OPND_IMM:
    if (lane_bytes == 1) return value_operand(d, 1, o->imm ? -1 : 0);
    return value_operand(d, lane_bytes, type_bytes < 8 ? o->imm & (int64_t)((1ull << 8 * type_bytes) - 1) : o->imm);
  case PTX_OPND_FLOAT: return float_operand(d, o, lane_bytes);
  case PTX_OPND_SREG:
    if (lane_bytes != (o->index == PTX_SREG_gridid ? 8u : 4u)) d->bad = true;
    return sreg_operand(d, o);
  case PTX_OPND_VAR: return var_operand(d, o, lane_bytes);
  case PTX_OPND_SINK: return SIMT_NO_OPERAND;
  default: d->bad = true; return SIMT_NO_OPERAND;
  }
}

static unsigned lanes_of(unsigned type) {
  return type == PTX_PRED ? 1 : ptx_type_bytes(type) == 8 ? 8 : 4;
}

/* Lane width of an ALU instruction's operand k. */
static unsigned operand_lanes(const ptx_instr_t *in, unsigned k, unsigned *type_bytes) {
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
  return lanes_of(type);
}

/* ---- Instructions ------------------------------------------------------------------------------------------------ */

static void set_deps(decoder_t *d, simt_op_t *op) {
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

/* Elements of a vector, or the operand itself, into op->v. Widths: all the same register width. */
static int data_operands(decoder_t *d, simt_op_t *op, const ptx_operand_t *o, unsigned type_bytes) {
  const ptx_operand_t *e = o->kind == PTX_OPND_VEC ? &d->k->func->elements[o->first] : o;
  op->vec = o->kind == PTX_OPND_VEC ? o->count : 1;
  if (op->vec > SIMT_MAX_VEC) return unsupported(d, "more than 8 elements");
  op->reg_bytes = 0;
  for (unsigned i = 0; i < op->vec; i++) {
    unsigned lanes = e[i].kind == PTX_OPND_REG ? d->k->regs[e[i].index].bytes : 0;
    if (lanes == 1) return unsupported(d, "predicate as data");
    if (lanes && op->reg_bytes && lanes != op->reg_bytes) return unsupported(d, "registers of several widths in a vector");
    if (lanes) op->reg_bytes = (uint8_t)lanes;
    if (lanes) op->x = ptx_type_bytes(d->k->func->regs[e[i].index].type); /* 16-bit registers are kept zero-extended */
  }
  if (!op->reg_bytes) op->reg_bytes = type_bytes == 8 ? 8 : 4;
  if (op->reg_bytes < type_bytes) return unsupported(d, "register narrower than the access");
  for (unsigned i = 0; i < op->vec; i++) op->v[i] = operand(d, &e[i], op->reg_bytes, type_bytes);
  return 0;
}

static int decode_address(decoder_t *d, simt_op_t *op, const ptx_operand_t *o) {
  if (o->kind != PTX_OPND_ADDR || o->count) return unsupported(d, "address");
  op->base = SIMT_NO_OPERAND;
  op->imm = o->imm;
  if (o->base == PTX_BASE_REG) {
    const simt_reg_t *r = &d->k->regs[o->index];
    op->base = r->at;
    if (r->bytes == 4) op->flags |= SIMT_ADDR32;
    if (r->bytes == 1) return unsupported(d, "address");
  } else if (o->base == PTX_BASE_VAR) {
    const ptx_var_t *v = &d->k->module->vars[o->index];
    simt_konst_kind_t kind;
    int64_t address = var_address(d, o->index, &kind);
    if (op->space == PTX_SPACE_GENERIC) op->space = (uint8_t)v->space;
    if (kind == SIMT_K_GLOBAL) op->base = var_operand(d, &(ptx_operand_t){.index = o->index}, 8);
    else op->imm += address;
    if (v->space == PTX_SPACE_LOCAL && d->unit) op->flags |= SIMT_FRAME;
  }
  return 0;
}

static bool is_const_access(const decoder_t *d, const simt_op_t *op, const ptx_operand_t *o) {
  bool var = o->base == PTX_BASE_VAR && (op->space == PTX_SPACE_PARAM || op->space == PTX_SPACE_CONST);
  return var && d->in->op != PTX_OP_st;
}

/* ld.param [p + 4] and ld.const [c]: a register move from constants that the launch fills. */
static int decode_constants(decoder_t *d, simt_op_t *op, unsigned bytes, bool sign) {
  uint64_t size = op->space == PTX_SPACE_PARAM ? d->k->func->param_bytes : d->k->module->const_bytes;
  if (op->imm < 0 || (uint64_t)op->imm + bytes * op->vec > size) return unsupported(d, "outside of the parameters or constants");
  uint32_t first = 0;
  for (unsigned i = 0; i < op->vec; i++) {
    uint32_t at = add_konst(d, (simt_konst_t){.kind = op->space == PTX_SPACE_PARAM ? SIMT_K_PARAM : SIMT_K_CONST,
                                              .lane_bytes = op->reg_bytes,
                                              .bytes = (uint8_t)bytes,
                                              .sign = sign,
                                              .value = op->imm + (int64_t)(i * bytes)});
    if (!i) first = at;
  }
  int64_t imm = op->imm;
  uint8_t space = op->space;
  simt_alu_bind(op, d->in);
  op->a = first;
  op->imm = imm;
  op->space = space;
  return 0;
}

static bool bypasses_l1(const ptx_instr_t *in) {
  return ptx_has(in, PTX_MOD_volatile) || ptx_has(in, PTX_MOD_cv) || ptx_has(in, PTX_MOD_cg) || ptx_has(in, PTX_MOD_relaxed) || ptx_has(in, PTX_MOD_acquire) ||
         ptx_has(in, PTX_MOD_mmio);
}

/* A parameter or result of a call, on either side. */
static bool in_frame(const decoder_t *d, const ptx_operand_t *o, uint32_t *at) {
  const bool param = o->kind == PTX_OPND_ADDR && o->base == PTX_BASE_VAR && d->k->module->vars[o->index].space == PTX_SPACE_PARAM;
  return d->unit && param && simt_param_place(d->unit, d->k->module, o->index, at);
}

static int decode_param(decoder_t *d, simt_op_t *op, uint32_t at, const ptx_operand_t *o) {
  if (o->imm < 0 || (uint64_t)o->imm + op->bytes * op->vec > d->k->module->vars[o->index].size) return unsupported(d, "outside of the parameter");
  op->fn = op->kind == SIMT_STORE ? simt_param_store : simt_param_load;
  op->kind = SIMT_ALU;
  op->imm = at + o->imm;
  return 0;
}

static int decode_access(decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  bool store = in->op == PTX_OP_st;
  if (in->num_types != 1 || in->num_operands != 2) return unsupported(d, "form");
  unsigned bytes = ptx_type_bytes(in->type[0]);
  if (bytes > 8 || in->type[0] == PTX_PRED) return unsupported(d, "type");
  if (data_operands(d, op, &in->operand[store ? 1 : 0], bytes)) return -1;
  const ptx_operand_t *address = &in->operand[store ? 0 : 1];
  op->kind = store ? SIMT_STORE : SIMT_LOAD;
  op->space = in->op == PTX_OP_ldu ? PTX_SPACE_GLOBAL : in->space;
  op->bytes = (uint8_t)bytes;
  op->type = in->type[0];
  bool sign = ptx_type_kind(in->type[0]) == 'S';
  if (sign) op->flags |= SIMT_SIGNED;
  if (bypasses_l1(in)) op->flags |= SIMT_UNCACHED;
  uint32_t at;
  if (in_frame(d, address, &at)) return decode_param(d, op, at, address);
  if (address->kind == PTX_OPND_ADDR && address->base == PTX_BASE_VAR && d->k->module->vars[address->index].is_call_param) return unsupported_call(d);
  if (decode_address(d, op, address)) return -1;
  if (bytes * op->vec > 32 || (bytes * op->vec & (bytes * op->vec - 1))) return unsupported(d, "access size");
  if (is_const_access(d, op, address)) return decode_constants(d, op, bytes, sign);
  if (store && (op->space == PTX_SPACE_CONST || op->space == PTX_SPACE_PARAM)) return unsupported(d, "store to constants");
  return 0;
}

static bool atomic_type_ok(unsigned sub, unsigned type) {
  unsigned bytes = ptx_type_bytes(type);
  char kind = ptx_type_kind(type);
  if (bytes != 4 && bytes != 8) return false;
  switch (sub) {
  case PTX_MOD_add: return kind == 'U' || kind == 'S' || type == PTX_F32 || type == PTX_F64;
  case PTX_MOD_min:
  case PTX_MOD_max: return kind == 'U' || kind == 'S';
  case PTX_MOD_inc:
  case PTX_MOD_dec: return type == PTX_U32;
  case PTX_MOD_and:
  case PTX_MOD_or:
  case PTX_MOD_xor:
  case PTX_MOD_exch:
  case PTX_MOD_cas: return kind != 'X' && kind != 'F';
  default: return false;
  }
}

static int decode_atomic(decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  unsigned first = in->op == PTX_OP_atom ? 1 : 0;
  if (in->num_types != 1 || in->num_operands < first + 2 || in->vec > 1) return unsupported(d, "form");
  op->kind = SIMT_ATOM;
  op->space = in->space;
  op->type = in->type[0];
  op->bytes = (uint8_t)ptx_type_bytes(in->type[0]);
  for (unsigned m = 0; m < in->num_mods; m++) {
    unsigned mod = in->mod[m];
    if (mod == PTX_MOD_and || mod == PTX_MOD_or || mod == PTX_MOD_xor || mod == PTX_MOD_cas || mod == PTX_MOD_exch || mod == PTX_MOD_add ||
        mod == PTX_MOD_inc || mod == PTX_MOD_dec || mod == PTX_MOD_min || mod == PTX_MOD_max)
      op->sub = (uint8_t)mod;
  }
  if (!atomic_type_ok(op->sub, op->type)) return unsupported(d, "atomic operation of this type");
  unsigned lanes = op->bytes == 8 ? 8 : 4;
  op->reg_bytes = (uint8_t)lanes;
  op->vec = 1;
  op->v[0] = first ? operand(d, &in->operand[0], lanes, op->bytes) : SIMT_NO_OPERAND;
  op->b = operand(d, &in->operand[first + 1], lanes, op->bytes);
  op->c = SIMT_NO_OPERAND;
  if (op->sub == PTX_MOD_cas) {
    if (in->num_operands < first + 3) return unsupported(d, "form");
    op->c = operand(d, &in->operand[first + 2], lanes, op->bytes);
  }
  if (decode_address(d, op, &in->operand[first])) return -1;
  if (op->space != PTX_SPACE_GLOBAL && op->space != PTX_SPACE_SHARED && op->space != PTX_SPACE_GENERIC) return unsupported(d, "atomic in this space");
  return 0;
}

/* bar.red.popc.u32 d, a{, b}, {!}p: how many threads have p; and.pred, or.pred: whether all have, whether any has. */
static int decode_reduction(decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  const unsigned last = in->num_operands - 1u;
  op->sub = ptx_has(in, PTX_MOD_popc) ? PTX_MOD_popc : ptx_has(in, PTX_MOD_and) ? PTX_MOD_and : PTX_MOD_or;
  const unsigned type = op->sub == PTX_MOD_popc ? PTX_U32 : PTX_PRED;
  if (in->num_operands < 3 || in->num_types != 1 || in->type[0] != type || !ptx_has(in, (ptx_mod_t)op->sub)) return unsupported(d, "form");
  op->flags |= SIMT_REDUCES | (last == 3 ? SIMT_BAR_COUNT : 0) | (in->operand[last].negated ? SIMT_NEG_C : 0);
  op->d = operand(d, &in->operand[0], lanes_of(type), ptx_type_bytes(type));
  op->a = operand(d, &in->operand[1], 4, 4);
  if (last == 3) op->b = operand(d, &in->operand[2], 4, 4);
  op->c = operand(d, &in->operand[last], 1, 1);
  return 0;
}

static int decode_barrier(decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  if (ptx_has(in, PTX_MOD_warp)) {
    op->kind = SIMT_NOP;
    return 0;
  }
  op->kind = SIMT_BARRIER;
  if (ptx_has(in, PTX_MOD_red)) return decode_reduction(d, op);
  if (ptx_has(in, PTX_MOD_cluster) || in->num_operands < 1 || in->num_operands > 2) return unsupported(d, "form");
  op->a = operand(d, &in->operand[0], 4, 4);
  if (in->num_operands == 2) {
    op->b = operand(d, &in->operand[1], 4, 4);
    op->flags |= SIMT_BAR_COUNT;
  }
  if (ptx_has(in, PTX_MOD_arrive)) {
    if (in->num_operands != 2) return unsupported(d, "bar.arrive without a thread count");
    op->flags |= SIMT_ARRIVE;
  }
  return 0;
}

static int decode_cvt(decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  const ptx_operand_t *to = &in->operand[0], *from = &in->operand[1];
  if (in->num_operands != 2 || to->kind != PTX_OPND_REG) return unsupported(d, "form");
  op->reg_bytes = d->k->regs[to->index].bytes;
  op->x = ptx_type_bytes(d->k->func->regs[to->index].type);
  unsigned from_lanes = from->kind == PTX_OPND_REG ? d->k->regs[from->index].bytes : lanes_of(in->type[1]);
  if (from->kind == PTX_OPND_SREG) from_lanes = from->index == PTX_SREG_gridid ? 8 : 4;
  op->vec = (uint8_t)from_lanes;
  if (!simt_alu_bind(op, in)) return unsupported(d, "conversion");
  bool to_float = ptx_type_kind(in->type[0]) == 'F', from_float = ptx_type_kind(in->type[1]) == 'F';
  if (op->reg_bytes == 1 || from_lanes == 1 || op->reg_bytes < op->bytes || (to_float && op->reg_bytes != op->bytes) ||
      (from_float && from_lanes != op->src_bytes) || from_lanes < op->src_bytes)
    return unsupported(d, "register width");
  op->d = operand(d, to, op->reg_bytes, op->bytes);
  op->a = operand(d, from, from_lanes, op->src_bytes);
  return 0;
}

/* mov.v4.u32 {a, b, c, d}, {e, f, g, h} */
static int decode_vector_to_vector(decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  const ptx_operand_t *elements = d->k->func->elements;
  const unsigned bytes = ptx_type_bytes(in->type[0]);
  op->reg_bytes = bytes == 8 ? 8 : 4;
  if (!simt_alu_bind(op, in)) return unsupported(d, "form");
  for (unsigned i = 0; i < in->vec; i++) {
    op->v[i] = operand(d, &elements[in->operand[0].first + i], op->reg_bytes, bytes);
    op->v[in->vec + i] = operand(d, &elements[in->operand[1].first + i], op->reg_bytes, bytes);
  }
  return 0;
}

static int decode_vector_mov(decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  if (in->vec > 1) return decode_vector_to_vector(d, op);
  bool pack = in->operand[1].kind == PTX_OPND_VEC;
  const ptx_operand_t *vec = &in->operand[pack ? 1 : 0], *scalar = &in->operand[pack ? 0 : 1];
  if (vec->count > SIMT_MAX_VEC) return unsupported(d, "form");
  unsigned bytes = ptx_type_bytes(in->type[0]);
  op->reg_bytes = bytes == 8 ? 8 : 4;
  if (!simt_alu_bind(op, in)) return unsupported(d, "form");
  for (unsigned i = 0; i < vec->count; i++) op->v[i] = operand(d, &d->k->func->elements[vec->first + i], 4, op->bytes);
  *(pack ? &op->d : &op->a) = operand(d, scalar, op->reg_bytes, bytes);
  return 0;
}

static void decode_pair(decoder_t *d, simt_op_t *op, const ptx_operand_t *o, unsigned lanes0, unsigned lanes1) {
  const ptx_operand_t *e = &d->k->func->elements[o->first];
  op->d = operand(d, &e[0], lanes0, lanes0);
  op->e = operand(d, &e[1], lanes1, lanes1);
}

static int decode_alu(decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  if (in->op == PTX_OP_cvt) return decode_cvt(d, op);
  if (in->op == PTX_OP_mov && (in->operand[0].kind == PTX_OPND_VEC || in->operand[1].kind == PTX_OPND_VEC)) return decode_vector_mov(d, op);
  op->a = op->b = op->c = op->x = op->e = SIMT_NO_OPERAND;
  if (!simt_alu_bind(op, in)) return unsupported(d, "operation or type");
  uint32_t *to[] = {&op->d, &op->a, &op->b, &op->c, &op->x};
  static const uint16_t negs[] = {0, SIMT_NEG_A, SIMT_NEG_B, SIMT_NEG_C, 0};
  bool clock = in->op == PTX_OP_mov && in->operand[1].kind == PTX_OPND_SREG && is_clock((unsigned)in->operand[1].index);
  for (unsigned k = 0; k < in->num_operands && k < 5; k++) {
    const ptx_operand_t *o = &in->operand[k];
    unsigned type_bytes, lanes = operand_lanes(in, k, &type_bytes);
    if (k == 0 && o->kind == PTX_OPND_PAIR) decode_pair(d, op, o, lanes, 1);
    else if (clock && k == 1) continue;
    else *to[k] = operand(d, o, lanes, type_bytes);
    if (o->negated) op->flags |= negs[k];
  }
  return 0;
}

/* brx.idx r, table: target is the table's number. */
static int decode_indexed(decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  const ptx_operand_t *table = &in->operand[1];
  if (!ptx_has(in, PTX_MOD_idx) || table->kind != PTX_OPND_TABLE || d->k->func->tables[table->index].kind != PTX_TABLE_BRANCH) return unsupported(d, "form");
  op->kind = SIMT_BRANCH;
  op->flags |= SIMT_INDEXED;
  op->a = operand(d, &in->operand[0], 4, 4);
  op->target = (uint32_t)table->index;
  op->reconv = (uint32_t)in->reconv;
  return 0;
}

/* call (r), f, (a, b): what is passed are .param variables. */
static int decode_call(decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  const simt_kernel_t *k = d->k;
  const unsigned callee = in->num_operands > 1 && in->operand[0].kind == PTX_OPND_LIST;
  const ptx_operand_t *to = &in->operand[callee];
  if (!d->unit) return unsupported_call(d);
  op->kind = SIMT_CALL;
  for (unsigned i = 0; i < in->num_operands; i++)
    for (unsigned e = 0; in->operand[i].kind == PTX_OPND_LIST && e < in->operand[i].count; e++) {
      const ptx_operand_t *o = &k->func->elements[in->operand[i].first + e];
      if (o->kind != PTX_OPND_VAR || !k->module->vars[o->index].is_call_param) return unsupported(d, "a call whose parameters are no .param variables");
    }
  if (to->kind == PTX_OPND_REG) {
    op->a = operand(d, to, k->regs[to->index].bytes, 8);
    if (k->regs[to->index].bytes == 4) op->flags |= SIMT_ADDR32;
    return 0;
  }
  for (op->target = 1; to->kind == PTX_OPND_FUNC && op->target < k->num_units; op->target++)
    if (k->units[op->target].func == &k->module->funcs[to->index]) {
      const ptx_func_t *f = k->units[op->target].func;
      for (uint32_t i = 0; i < f->num_params + f->num_rets; i++)
        if (k->module->vars[i < f->num_params ? f->params[i] : f->rets[i - f->num_params]].is_register) return unsupported_call(d);
      return 0;
    }
  return unsupported_call(d); /* it has no body */
}

/* mov of the address of a function, or of a .local variable of one that has a place in the stack; false: something else. */
static bool decode_own_address(decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  const ptx_operand_t *from = &in->operand[1];
  if (in->op != PTX_OP_mov || in->num_operands != 2 || in->operand[0].kind != PTX_OPND_REG) return false;
  const bool function = from->kind == PTX_OPND_FUNC, local = from->kind == PTX_OPND_VAR && d->unit && d->k->module->vars[from->index].space == PTX_SPACE_LOCAL;
  if (!function && !local) return false;
  const unsigned lanes = d->k->regs[in->operand[0].index].bytes;
  op->kind = SIMT_ALU;
  op->fn = lanes == 8 ? simt_frame_address64 : simt_frame_address32;
  op->d = operand(d, &in->operand[0], lanes, lanes);
  op->imm = local ? (int64_t)d->k->module->vars[from->index].offset + from->imm : 0;
  if (!function) return true;
  if (lanes != 8) d->bad = true;
  const uint32_t value = value_operand(d, 8, (int64_t)simt_function_address((uint32_t)from->index));
  simt_alu_bind(op, in);
  op->a = value;
  return true;
}

static int decode_op(decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  switch (in->op) {
  case PTX_OP_ld:
  case PTX_OP_ldu:
  case PTX_OP_st: return decode_access(d, op);
  case PTX_OP_atom:
  case PTX_OP_red: return decode_atomic(d, op);
  case PTX_OP_bar:
  case PTX_OP_barrier: return decode_barrier(d, op);
  case PTX_OP_bra:
    op->kind = SIMT_BRANCH;
    op->target = (uint32_t)in->target;
    op->reconv = (uint32_t)in->reconv;
    return 0;
  case PTX_OP_brx: return decode_indexed(d, op);
  case PTX_OP_ret: op->kind = d->unit && d->unit != d->k->units ? SIMT_RETURN : SIMT_EXIT; return 0;
  case PTX_OP_exit: op->kind = SIMT_EXIT; return 0;
  case PTX_OP_membar:
  case PTX_OP_fence: op->kind = SIMT_MEMBAR; return 0;
  case PTX_OP_prefetch:
  case PTX_OP_prefetchu:
  case PTX_OP_pmevent:
  case PTX_OP_nanosleep:
  case PTX_OP_discard:
  case PTX_OP_applypriority:
  case PTX_OP_brkpt: op->kind = SIMT_NOP; return 0;
  case PTX_OP_trap: op->kind = SIMT_TRAP; return 0;
  case PTX_OP_call: return decode_call(d, op);
  default: return decode_own_address(d, op) ? 0 : decode_alu(d, op);
  }
}

static int decode_instr(decoder_t *d, uint32_t i) {
  const uint32_t first = d->unit ? d->unit->first : 0;
  simt_op_t *op = &d->k->ops[first + i];
  d->in = &d->k->func->instrs[i];
  d->bad = false;
  op->index = i;
  op->d = op->e = op->a = op->b = op->c = op->x = op->base = SIMT_NO_OPERAND;
  if (decode_op(d, op)) return -1;
  if (op->kind == SIMT_BRANCH) op->reconv += first, op->target += op->flags & SIMT_INDEXED ? 0 : first;
  if (d->in->guarded) {
    op->guard = d->k->regs[d->in->guard].at;
    op->flags |= SIMT_GUARDED | (d->in->guard_negated ? SIMT_GUARD_NOT : 0);
  }
  set_deps(d, op);
  return d->bad ? unsupported(d, "operand") : 0;
}

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

simt_kernel_t *simt_decode(const ptx_module_t *module, const ptx_func_t *func, gpu_error_t *err) {
  return simt_decode_placed(module, func, NULL, err);
}

static bool calls(const ptx_func_t *f) {
  for (uint32_t i = 0; i < f->num_instrs; i++)
    if (f->instrs[i].op == PTX_OP_call) return true;
  return false;
}

/* -1: err. The functions that it calls have registers of their own: only where nobody else places the kernel's. */
static int prepare(simt_kernel_t *k, const simt_placement_t *placement, gpu_error_t *err) {
  if (!placement && calls(k->func)) {
    if (simt_link(k, err)) return -1;
  } else if (place_regs(k, placement)) return gpu_fail(err, 3, "out of memory");
  k->ops = calloc(k->num_ops + 1, sizeof *k->ops);
  return k->ops ? 0 : gpu_fail(err, 3, "out of memory");
}

static int decode_unit(decoder_t *d, const simt_unit_t *unit) {
  simt_kernel_t *k = d->k;
  d->unit = unit;
  if (unit) k->func = unit->func, k->regs = unit->regs;
  for (uint32_t i = 0; i < k->func->num_instrs; i++)
    if (decode_instr(d, i)) return -1;
  return 0;
}

simt_kernel_t *simt_decode_placed(const ptx_module_t *module, const ptx_func_t *func, const simt_placement_t *placement, gpu_error_t *err) {
  simt_kernel_t *k = calloc(1, sizeof *k);
  if (!k) {
    gpu_fail(err, 3, "out of memory");
    return NULL;
  }
  *k = (simt_kernel_t){.module = module, .func = func, .num_ops = func->num_instrs};
  decoder_t d = {.k = k, .err = err, .root = func};
  int status = prepare(k, placement, err);
  if (!status && !k->units) status = decode_unit(&d, NULL);
  for (uint32_t u = 0; !status && u < k->num_units; u++) status = decode_unit(&d, &k->units[u]);
  k->func = func;
  if (k->units) k->regs = k->units[0].regs;
  if (!status) return k;
  simt_kernel_free(k);
  return NULL;
}

void simt_kernel_free(simt_kernel_t *k) {
  if (!k) return;
  free(k->ops);
  if (k->units) simt_unlink(k);
  else free(k->regs);
  free(k->konsts);
  free(k);
}
