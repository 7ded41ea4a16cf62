/* SPDX-License-Identifier: Apache-2.0
 *
 * Words of operands, and NSU operations on them under the guard of the PTX instruction.
 * offload_translate.c says which operations an instruction becomes.
 */
#ifndef OFFLOAD_WORDS_H
#define OFFLOAD_WORDS_H

#include "offload_internal.h"

/* The translation of one instruction. `failed` is sticky: helpers go on with a harmless word, and
 * translate_instr looks at the flag once. */
typedef struct {
  const kernel_t *k;
  const ptx_instr_t *in;
  vinstr_t *out;
  unsigned count;
  uint32_t *temps;
  int32_t source;
  bool failed;
  vinstr_t spill; /* takes an instruction that `out` has no room for */
} tr_t;

/* An operand's 32-bit word. */
typedef struct {
  int32_t reg; /* virtual register, or PTX_NONE: imm */
  uint32_t imm;
} word_t;

/* Word `half` of a register; fails if the register is not that wide. */
word_t reg_word(tr_t *t, int32_t reg, unsigned half);
word_t imm_word(uint32_t imm);
/* A fresh temporary, behind the virtual registers of the function. */
word_t temp_word(tr_t *t);
/* A register's or immediate's word. A float literal counts only in the instruction's own width, as
 * others would need a conversion. */
word_t operand_word(tr_t *t, const ptx_operand_t *o, unsigned half);
/* The same of the instruction's operand number `slot`. */
word_t source_word(tr_t *t, unsigned slot, unsigned half);
/* A register that holds the word: operands a and c cannot be immediate. */
word_t in_register(tr_t *t, word_t w);

/* Appends an instruction with all operands empty. If there are too many, t->spill takes it and the
 * translation fails. */
vinstr_t *emit_op(tr_t *t, unsigned op, word_t d);
/* Sets operand b, the only one that may be immediate. */
void set_b(vinstr_t *v, word_t b);
/* Applies the PTX instruction's guard to the NSU instruction emitted last, which writes the
 * destination. Those before it write temporaries, which need no guard. */
void guard_last(tr_t *t);
/* An operation with these operands, under the guard. */
void emit_b(tr_t *t, unsigned op, word_t d, word_t b);
void emit_ab(tr_t *t, unsigned op, word_t d, word_t a, word_t b);
void emit_abc(tr_t *t, unsigned op, word_t d, word_t a, word_t b, word_t c);

#endif
