/* SPDX-License-Identifier: Apache-2.0
 *
 * A policy is the last operand of an access that names one. PTX leaves open what its register
 * holds: 0.
 */
#include "simt_hint.h"

static bool may_be_policy(const ptx_operand_t *o) {
  return o->kind == PTX_OPND_IMM ||
         (o->kind == PTX_OPND_REG && !o->negated && !o->sel && ptx_type_bytes((ptx_type_t)o->type) == 8);
}

const ptx_instr_t *simt_without_policy(const ptx_instr_t *in, ptx_instr_t *copy) {
  const bool global = in->space == PTX_SPACE_GLOBAL || in->space == PTX_SPACE_GENERIC;
  if (!ptx_has(in, PTX_MOD_L2_cache_hint) || !ptx_access_bytes(in) || !global || !in->num_operands) return in;
  if (!may_be_policy(&in->operand[in->num_operands - 1])) return in;
  *copy = *in;
  copy->num_operands--;
  return copy;
}

/* createpolicy.fractional.L2::evict_last.b64 d{, part};
 * .range d, [a], size, size; .cvt.L2 d, property */
static bool policy_form(const ptx_instr_t *in) {
  const unsigned kind = in->num_mods ? in->mod[0] : PTX_MOD_NONE, operands = in->num_operands;
  if (in->num_types != 1 || in->type[0] != PTX_B64 || in->operand[0].kind != PTX_OPND_REG) return false;
  if (kind == PTX_MOD_fractional) return operands <= 2;
  if (kind == PTX_MOD_range) return operands == 4 && in->operand[1].kind == PTX_OPND_ADDR;
  return kind == PTX_MOD_cvt && operands == 2;
}

int simt_decode_policy(simt_decoder_t *d, simt_op_t *op) {
  const ptx_instr_t zero = {
      .op = PTX_OP_mov, .num_types = 1, .num_operands = 2, .vec = 1, .type = {PTX_B64}, .operand = {d->in->operand[0]}};
  if (!policy_form(d->in) || !simt_alu_bind(op, &zero)) return simt_refuse(d, "form");
  op->d = simt_operand(d, &d->in->operand[0], 8, 8);
  op->a = simt_value_operand(d, 8, 0);
  return 0;
}
