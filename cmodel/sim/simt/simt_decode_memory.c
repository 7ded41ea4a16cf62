/* SPDX-License-Identifier: Apache-2.0 */
#include "simt_decode_memory.h"

#include "simt_lanes.h"

/* ld.param and ld.const at the address of a variable. */
static bool is_const_access(const simt_decoder_t *d, const simt_op_t *op, const ptx_operand_t *o) {
  bool var = o->base == PTX_BASE_VAR && (op->space == PTX_SPACE_PARAM || op->space == PTX_SPACE_CONST);
  return var && d->in->op != PTX_OP_st;
}

/* ld.param [p + 4] and ld.const [c] become moves from constants, which the launch fills. */
static int decode_constants(simt_decoder_t *d, simt_op_t *op, unsigned bytes, bool sign) {
  uint64_t size = op->space == PTX_SPACE_PARAM ? d->k->func->param_bytes : d->k->module->const_bytes;
  if (op->imm < 0 || (uint64_t)op->imm + bytes * op->vec > size)
    return simt_refuse(d, "outside of the parameters or constants");
  uint32_t first = 0;
  for (unsigned i = 0; i < op->vec; i++) {
    uint32_t at =
        simt_konst_operand(d, (simt_konst_t){.kind = op->space == PTX_SPACE_PARAM ? SIMT_K_PARAM : SIMT_K_CONST,
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

/* Loads that must see what other SMs have stored. */
static bool bypasses_l1(const ptx_instr_t *in) {
  return ptx_has(in, PTX_MOD_volatile) || ptx_has(in, PTX_MOD_cv) || ptx_has(in, PTX_MOD_cg) ||
         ptx_has(in, PTX_MOD_relaxed) || ptx_has(in, PTX_MOD_acquire) || ptx_has(in, PTX_MOD_mmio);
}

/* A fence orders in both directions. A cluster is a single CTA here. */
uint8_t simt_order_of(const ptx_instr_t *in) {
  const bool fence = in->op == PTX_OP_membar || in->op == PTX_OP_fence, both = fence || ptx_has(in, PTX_MOD_acq_rel);
  const unsigned release = both || ptx_has(in, PTX_MOD_release) ? SIMT_RELEASE : 0,
                 acquire = both || ptx_has(in, PTX_MOD_acquire) ? SIMT_ACQUIRE : 0;
  return (uint8_t)(release | acquire | (ptx_has(in, PTX_MOD_cta) || ptx_has(in, PTX_MOD_cluster) ? 0 : SIMT_BEYOND));
}

/* True for a parameter or result of a call, on either side; *at is its offset in the block. */
static bool in_frame(const simt_decoder_t *d, const ptx_operand_t *o, uint32_t *at) {
  const bool param =
      o->kind == PTX_OPND_ADDR && o->base == PTX_BASE_VAR && d->k->module->vars[o->index].space == PTX_SPACE_PARAM;
  return d->unit && param && simt_param_place(d->unit, d->k->module, o->index, at);
}

/* ld.param and st.param of a call move bytes of the activation's block. */
static int decode_param(simt_decoder_t *d, simt_op_t *op, uint32_t at, const ptx_operand_t *o) {
  if (o->imm < 0 || (uint64_t)o->imm + op->bytes * op->vec > d->k->module->vars[o->index].size)
    return simt_refuse(d, "outside of the parameter");
  op->fn = op->kind == SIMT_STORE ? simt_param_store : simt_param_load;
  op->kind = SIMT_ALU;
  op->imm = at + o->imm;
  return 0;
}

/* ld, ldu and st. */
int simt_decode_access(simt_decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  bool store = in->op == PTX_OP_st;
  if (in->num_types != 1 || in->num_operands != 2) return simt_refuse(d, "form");
  unsigned bytes = ptx_type_bytes(in->type[0]);
  if (bytes > 8 || in->type[0] == PTX_PRED) return simt_refuse(d, "type");
  if (simt_data_operands(d, op, &in->operand[store ? 1 : 0], bytes)) return -1;
  const ptx_operand_t *address = &in->operand[store ? 0 : 1];
  op->kind = store ? SIMT_STORE : SIMT_LOAD;
  op->space = in->op == PTX_OP_ldu ? PTX_SPACE_GLOBAL : in->space;
  op->bytes = (uint8_t)bytes;
  op->type = in->type[0];
  bool sign = ptx_type_kind(in->type[0]) == 'S';
  if (sign) op->flags |= SIMT_SIGNED;
  if (bypasses_l1(in)) op->flags |= SIMT_UNCACHED;
  op->order = simt_order_of(in);
  uint32_t at;
  if (in_frame(d, address, &at)) return decode_param(d, op, at, address);
  if (address->kind == PTX_OPND_ADDR && address->base == PTX_BASE_VAR &&
      d->k->module->vars[address->index].is_call_param)
    return simt_refuse_call(d);
  if (simt_address_operand(d, op, address)) return -1;
  if (bytes * op->vec > 32 || (bytes * op->vec & (bytes * op->vec - 1))) return simt_refuse(d, "access size");
  if (is_const_access(d, op, address)) return decode_constants(d, op, bytes, sign);
  if (store && (op->space == PTX_SPACE_CONST || op->space == PTX_SPACE_PARAM))
    return simt_refuse(d, "store to constants");
  return 0;
}

/* Combinations of operation and type that PTX has. */
static bool atomic_type_ok(unsigned sub, unsigned type) {
  unsigned bytes = ptx_type_bytes(type);
  char kind = ptx_type_kind(type);
  if (simt_halves(type)) return sub == PTX_MOD_add;
  if (bytes == 2) return sub == PTX_MOD_cas && kind == 'B';
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

/* atom and red. */
int simt_decode_atomic(simt_decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  unsigned first = in->op == PTX_OP_atom ? 1 : 0;
  if (in->num_types != 1 || in->num_operands != first + (ptx_has(in, PTX_MOD_cas) ? 3 : 2) || in->vec > 1)
    return simt_refuse(d, "form");
  op->kind = SIMT_ATOM;
  op->order = simt_order_of(in);
  op->space = in->space;
  op->type = in->type[0];
  op->bytes = (uint8_t)ptx_type_bytes(in->type[0]);
  for (unsigned m = 0; m < in->num_mods; m++) {
    unsigned mod = in->mod[m];
    if (mod == PTX_MOD_and || mod == PTX_MOD_or || mod == PTX_MOD_xor || mod == PTX_MOD_cas || mod == PTX_MOD_exch ||
        mod == PTX_MOD_add || mod == PTX_MOD_inc || mod == PTX_MOD_dec || mod == PTX_MOD_min || mod == PTX_MOD_max)
      op->sub = (uint8_t)mod;
  }
  if (simt_halves(op->type) && !ptx_has(in, PTX_MOD_noftz)) return simt_refuse(d, "halves without .noftz");
  if (!atomic_type_ok(op->sub, op->type)) return simt_refuse(d, "atomic operation of this type");
  unsigned lanes = op->bytes == 8 ? 8 : 4;
  op->reg_bytes = (uint8_t)lanes;
  op->vec = 1;
  op->v[0] = first ? simt_operand(d, &in->operand[0], lanes, op->bytes) : SIMT_NO_OPERAND;
  op->b = simt_operand(d, &in->operand[first + 1], lanes, op->bytes);
  op->c = SIMT_NO_OPERAND;
  if (op->sub == PTX_MOD_cas) op->c = simt_operand(d, &in->operand[first + 2], lanes, op->bytes);
  if (simt_address_operand(d, op, &in->operand[first])) return -1;
  if (op->space != PTX_SPACE_GLOBAL && op->space != PTX_SPACE_SHARED && op->space != PTX_SPACE_GENERIC)
    return simt_refuse(d, "atomic in this space");
  return 0;
}

/* bar.red.popc.u32 d, a{, b}, {!}p counts the threads with p. bar.red.and.pred and
 * bar.red.or.pred say whether all, or any, have p. */
static int decode_reduction(simt_decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  const unsigned last = in->num_operands - 1u;
  op->sub = PTX_MOD_or;
  if (ptx_has(in, PTX_MOD_popc)) op->sub = PTX_MOD_popc;
  else if (ptx_has(in, PTX_MOD_and)) op->sub = PTX_MOD_and;
  const unsigned type = op->sub == PTX_MOD_popc ? PTX_U32 : PTX_PRED;
  if (in->num_operands < 3 || in->num_types != 1 || in->type[0] != type || !ptx_has(in, (ptx_mod_t)op->sub))
    return simt_refuse(d, "form");
  op->flags |= SIMT_REDUCES | (last == 3 ? SIMT_BAR_COUNT : 0) | (in->operand[last].negated ? SIMT_NEG_C : 0);
  op->d = simt_operand(d, &in->operand[0], simt_lanes_of(type), ptx_type_bytes(type));
  op->a = simt_operand(d, &in->operand[1], 4, 4);
  if (last == 3) op->b = simt_operand(d, &in->operand[2], 4, 4);
  op->c = simt_operand(d, &in->operand[last], 1, 1);
  return 0;
}

/* bar.warp.sync only converges threads (simt_meet.h). The others are barriers of the CTA. */
int simt_decode_barrier(simt_decoder_t *d, simt_op_t *op) {
  const ptx_instr_t *in = d->in;
  if (ptx_has(in, PTX_MOD_warp)) {
    if (!ptx_has(in, PTX_MOD_sync) || in->num_operands != 1) return simt_refuse(d, "form");
    op->kind = SIMT_NOP;
    op->members = simt_operand(d, &in->operand[0], 4, 4);
    return 0;
  }
  op->kind = SIMT_BARRIER;
  if (ptx_has(in, PTX_MOD_red)) return decode_reduction(d, op);
  if (ptx_has(in, PTX_MOD_cluster) || in->num_operands < 1 || in->num_operands > 2) return simt_refuse(d, "form");
  op->a = simt_operand(d, &in->operand[0], 4, 4);
  if (in->num_operands == 2) {
    op->b = simt_operand(d, &in->operand[1], 4, 4);
    op->flags |= SIMT_BAR_COUNT;
  }
  if (ptx_has(in, PTX_MOD_arrive)) {
    if (in->num_operands != 2) return simt_refuse(d, "bar.arrive without a thread count");
    op->flags |= SIMT_ARRIVE;
  }
  return 0;
}
