/* SPDX-License-Identifier: Apache-2.0
 *
 * What the stimuli of the NSU's blocks share: packet headers and instructions.
 */
#ifndef NSU_STIM_H
#define NSU_STIM_H

#include "block_stim.h"
#include "nsu_hdr.h"
#include "nsu_isa.h"
#include "nsu_packet.h"
#include "operand_stim.h"

static inline void stim_header(rng_t *rng, uint32_t *hdr) {
  rng_fill(rng, hdr, PKT_HDR_W);
}

/* Half of the opcodes that there are with .ftz are. */
static inline unsigned stim_ftz(rng_t *rng, unsigned opcode) {
  return isa_ftz(opcode) && rng_bits(rng, 1) ? isa_ftz(opcode) : opcode;
}

static inline unsigned stim_opcode(rng_t *rng, isa_kind_t kind) {
  switch (kind) {
  case ISA_BEG: return OP_OFLD_BEG;
  case ISA_END: return OP_OFLD_END;
  case ISA_LD: return (unsigned)rng_range(rng, OP_LD, OP_LD_S16);
  case ISA_ST: return OP_ST;
  case ISA_LDC: return OP_LDC;
  default: break;
  }
  /* there is most to get wrong */
  if (rng_below(rng, 4) == 0) return stim_ftz(rng, (unsigned)rng_range(rng, OP_FADD, OP_FFMA));
  for (;;) {
    unsigned opcode = (unsigned)rng_range(rng, OP_MOV, OP_CVT_F32_F64);
    if (isa_op(opcode)) return stim_ftz(rng, opcode);
  }
}

/* Its fields that name pairs name even registers; b of a pair is never immediate. */
static inline uint64_t stim_align_pairs(uint64_t instr) {
  const unsigned pairs = isa_pairs(isa_opcode(instr));
  if (pairs & ISA_PAIR_D) instr = isa_set_rd(instr, isa_rd(instr) & ~1u);
  if (pairs & ISA_PAIR_A) instr = isa_set_ra(instr, isa_ra(instr) & ~1u);
  if (pairs & ISA_PAIR_B) instr = isa_set_immb(isa_set_rb(instr, isa_rb(instr) & ~1u), 0);
  if (pairs & ISA_PAIR_C) instr = isa_set_rc(instr, isa_rc(instr) & ~1u);
  return instr;
}

/* A legal instruction of the kind; BEG and END name count registers. */
static inline uint64_t stim_instr(rng_t *rng, isa_kind_t kind, unsigned count) {
  uint64_t instr = isa_set_opcode(0, stim_opcode(rng, kind));
  const isa_op_t *op = isa_op(isa_opcode(instr));
  instr = isa_set_rd(isa_set_ra(isa_set_rb(isa_set_rc(instr, rng_bits(rng, 4)), rng_bits(rng, 4)), rng_bits(rng, 4)),
                     rng_bits(rng, 4));
  switch (kind) {
  case ISA_BEG:
  case ISA_END: return isa_set_imm(instr, (uint64_t)count << 28 | rng_bits(rng, 28));
  case ISA_LDC: return isa_set_imm(instr, rng_bits(rng, 32) & ~UINT64_C(3));
  case ISA_ALU:
    if ((op->sources & 2) && rng_chance(rng, 1, 4)) instr = isa_set_immb(instr, 1);
    instr = isa_set_imm(instr, stim_operand(rng));
    if (isa_opcode(instr) >= OP_SHL && isa_opcode(instr) <= OP_SHR_S && rng_bits(rng, 1))
      instr = isa_set_imm(isa_set_immb(instr, 1), rng_bits(rng, 1) ? rng_range(rng, 30, 33) : rng_bits(rng, 5));
    if (rng_chance(rng, 1, 4))
      instr = isa_set_rg(isa_set_ginv(isa_set_guard(instr, 1), rng_bits(rng, 1)), rng_bits(rng, 4));
    return stim_align_pairs(instr);
  default: return isa_set_imm(instr, rng_bits(rng, 32)); /* LD, ST: it means nothing */
  }
}

#endif
