/* SPDX-License-Identifier: Apache-2.0
 *
 * Legality and operands of an instruction, from the fields of nsu_isa.def.
 */
#include "nsu_decode.h"

#include <stddef.h>

void nsu_decode_reset(nsu_decode_t *s) {
  s->none = 0;
}

/* Rule 2, a line for each condition. */
static bool nsu_decode_legal(const isa_op_t *op, uint64_t instr) {
  if (!op || isa_zero(instr)) return false;
  if (isa_immb(instr) && !(op->sources & 2)) return false;
  if (isa_guard(instr) ? op->kind != ISA_ALU : isa_ginv(instr) || isa_rg(instr)) return false;
  const unsigned pairs = isa_pairs(isa_opcode(instr));
  const uint32_t named[] = {isa_rd(instr), isa_ra(instr), isa_rb(instr), isa_rc(instr)};
  for (unsigned o = 0; o < 4; o++)
    if (pairs >> o & 1 && named[o] % 2) return false;
  if (pairs & ISA_PAIR_B && isa_immb(instr)) return false;
  switch (op->kind) {
  case ISA_BEG:
  case ISA_END: return isa_imm(instr) >> 28 <= PKT_MAX_CMD_REGS;
  case ISA_LDC: return isa_imm(instr) % 4 == 0;
  default: return true;
  }
}

void nsu_decode_eval(const nsu_decode_t *s, const nsu_decode_in_t *in, nsu_decode_out_t *out) {
  (void)s;
  const isa_op_t *op = isa_op(isa_opcode(in->instr));
  *out = (nsu_decode_out_t){0};
  out->legal = nsu_decode_legal(op, in->instr);
  if (!out->legal) return;
  out->kind = op->kind;
  out->src_a = op->sources & 1;
  out->src_b = (op->sources >> 1 & 1) && !isa_immb(in->instr);
  out->src_c = op->sources >> 2 & 1;
}

void nsu_decode_step(nsu_decode_t *s, const nsu_decode_in_t *in) {
  (void)s;
  (void)in;
}
