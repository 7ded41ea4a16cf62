/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of instructions, made from rtl/ctrl/rv_isa.def, and the immediates of the RISC-V
 * manual's forms.
 */
#include "rv_isa.h"

#include <stddef.h>

const rv_op_t rv_ops[RV_NUM_OPS] = {
#define RV_OP(name, mnemonic, match, mask, form, kind, sub) {mnemonic, match, mask, RV_FORM_##form, RV_##kind, sub},
#include "rv_isa.def"
};

const rv_op_t *rv_op(uint32_t instr) {
  for (unsigned i = 0; i < RV_NUM_OPS; i++)
    if ((instr & rv_ops[i].mask) == rv_ops[i].match) return &rv_ops[i];
  return NULL;
}

bool rv_has_rd(rv_form_t form) {
  return form != RV_FORM_S && form != RV_FORM_B && form != RV_FORM_N;
}

/* A piece of an immediate: `bits` bits of the instruction, from bit `from` on, go to bit `to`. */
typedef struct {
  unsigned bits, from, to;
} rv_piece_t;

typedef struct {
  rv_piece_t piece[4];
  unsigned sign; /* the sign's bit; 0: the immediate has no sign */
} rv_layout_t;

static const rv_layout_t layouts[] = {
    [RV_FORM_I] = {{{12, 20, 0}}, 11},
    [RV_FORM_H] = {{{5, 20, 0}}, 0},
    [RV_FORM_S] = {{{7, 25, 5}, {5, 7, 0}}, 11},
    [RV_FORM_B] = {{{1, 31, 12}, {1, 7, 11}, {6, 25, 5}, {4, 8, 1}}, 12},
    [RV_FORM_U] = {{{20, 12, 12}}, 0},
    [RV_FORM_J] = {{{1, 31, 20}, {8, 12, 12}, {1, 20, 11}, {10, 21, 1}}, 20},
    [RV_FORM_Z] = {{{5, 15, 0}}, 0},
    [RV_FORM_N] = {{{0, 0, 0}}, 0},
};

uint32_t rv_imm(rv_form_t form, uint32_t instr) {
  const rv_layout_t *layout = &layouts[form];
  uint32_t imm = 0;
  for (unsigned i = 0; i < 4; i++)
    imm |= (instr >> layout->piece[i].from & ((1u << layout->piece[i].bits) - 1)) << layout->piece[i].to;
  if (layout->sign && imm >> layout->sign) imm |= ~0u << layout->sign;
  return imm;
}

/* The reverse of rv_imm: the instruction's bits for this immediate. */
static uint32_t rv_put_imm(rv_form_t form, uint32_t imm) {
  const rv_layout_t *layout = &layouts[form];
  uint32_t instr = 0;
  for (unsigned i = 0; i < 4; i++)
    instr |= (imm >> layout->piece[i].to & ((1u << layout->piece[i].bits) - 1)) << layout->piece[i].from;
  return instr;
}

uint32_t rv_make(const rv_op_t *op, unsigned rd, unsigned rs1, unsigned rs2, uint32_t imm, unsigned csr) {
  uint32_t instr = (rd & 31) << 7 | (rs1 & 31) << 15 | (rs2 & 31) << 20;
  if (op->form == RV_FORM_C || op->form == RV_FORM_Z) instr |= (csr & 0xfff) << 20;
  if (op->form == RV_FORM_N) instr = 0;
  uint32_t places = rv_put_imm(op->form, ~0u); /* the immediate's bits; it owns them alone */
  return (instr & ~places & ~op->mask) | rv_put_imm(op->form, imm) | op->match;
}
