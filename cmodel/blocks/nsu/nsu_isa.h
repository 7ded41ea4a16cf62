/* SPDX-License-Identifier: Apache-2.0
 *
 * The NSU's instructions in C: opcodes, fields and their meaning, all from rtl/nsu/nsu_isa.def.
 *
 * OP_X is an opcode, ISA_X a constant or a kind. isa_rd(instr) and the like read a field of a
 * 64-bit instruction; isa_set_rd(instr, value) returns the instruction with the field replaced.
 * Functions take any opcode; one above 255 counts as no instruction.
 */
#ifndef NSU_ISA_H
#define NSU_ISA_H

#include <stdbool.h>
#include <stdint.h>

enum {
#define ISA_CONST(name, value) ISA_##name = (value),
#include "nsu_isa.def"
#define ISA_OP(name, code, mnemonic, kind, sources) OP_##name = (code),
#include "nsu_isa.def"
};

typedef enum {
#define ISA_KIND(name, code) ISA_##name = (code),
#include "nsu_isa.def"
} isa_kind_t;

enum {
#define ISA_SRC(name, code) ISA_SRC_##name = (code),
#include "nsu_isa.def"
};

typedef struct {
  const char *name;     /* "MUL_HI_S" */
  const char *mnemonic; /* "mul.hi.s32" */
  isa_kind_t kind;
  uint8_t sources; /* ISA_SRC_*: bit 0 a, bit 1 b, bit 2 c */
} isa_op_t;

const isa_op_t *isa_op(unsigned opcode); /* NULL: no such instruction */

/* The operands of an opcode that are pairs of registers; 0 if it has none or does not exist. */
enum { ISA_PAIR_D = 1, ISA_PAIR_A = 2, ISA_PAIR_B = 4, ISA_PAIR_C = 8 };
unsigned isa_pairs(unsigned opcode);

/* The same instruction with .ftz; 0: there is none. */
unsigned isa_ftz(unsigned opcode);
/* The same instruction without .ftz; an opcode that has no .ftz is returned unchanged. */
unsigned isa_plain(unsigned opcode);

/* instr[msb:lsb], both 0 .. 63. */
static inline uint64_t isa_get(uint64_t instr, unsigned msb, unsigned lsb) {
  return (instr >> lsb) & ((2ull << (msb - lsb)) - 1);
}
/* isa_opcode(instr), isa_rd(instr), ..., isa_imm(instr) */
/* clang-format off */
#define ISA_FIELD(name, msb, lsb) \
  static inline uint32_t isa_##name(uint64_t instr) { return (uint32_t)isa_get(instr, msb, lsb); }
/* clang-format on */
#include "nsu_isa.def"

/* isa_set_rd(instr, value), ... : instr with the field replaced. */
#define ISA_FIELD(name, msb, lsb)                                         \
  static inline uint64_t isa_set_##name(uint64_t instr, uint64_t value) { \
    uint64_t mask = ((2ull << ((msb) - (lsb))) - 1) << (lsb);             \
    return (instr & ~mask) | (value << (lsb)&mask);                       \
  }
#include "nsu_isa.def"

#endif
