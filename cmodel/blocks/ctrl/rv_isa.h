/* SPDX-License-Identifier: Apache-2.0
 *
 * The instructions of the controller's core in C: kinds, forms, control registers and causes of
 * traps, all from rtl/ctrl/rv_isa.def.
 */
#ifndef RV_ISA_H
#define RV_ISA_H

#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
typedef enum {
#define RV_KIND(name, code, text) RV_##name = (code),
#include "rv_isa.def"
} rv_kind_t;

typedef enum {
#define RV_FORM(name, code, text) RV_FORM_##name = (code),
#include "rv_isa.def"
} rv_form_t;

enum {
#define RV_CSR(name, address, text) RV_CSR_##name = (address),
#define RV_CAUSE(name, code, text) RV_CAUSE_##name = (code),
#include "rv_isa.def"
};
/* clang-format on */

typedef struct {
  const char *mnemonic; /* "addi" */
  uint32_t match, mask; /* an instruction is this one if (instr & mask) == match */
  rv_form_t form;
  rv_kind_t kind;
  unsigned sub; /* which of its kind */
} rv_op_t;

enum {
  RV_NUM_OPS = 0
#define RV_OP(name, mnemonic, match, mask, form, kind, sub) +1
#include "rv_isa.def"
};

extern const rv_op_t rv_ops[RV_NUM_OPS]; /* in the list's order */

const rv_op_t *rv_op(uint32_t instr); /* NULL: no such instruction */

/* Fields that are at the same place in every form: 0 .. 31. */
static inline unsigned rv_rd(uint32_t instr) {
  return instr >> 7 & 31;
}
static inline unsigned rv_rs1(uint32_t instr) {
  return instr >> 15 & 31;
}
static inline unsigned rv_rs2(uint32_t instr) {
  return instr >> 20 & 31;
}

/* True if the form writes a register. */
bool rv_has_rd(rv_form_t form);
/* The immediate, extended to 32 bits; 0 if the form has none. */
uint32_t rv_imm(rv_form_t form, uint32_t instr);

/* An instruction with these fields. Fields that its form does not have are ignored, as are bits of
 * the immediate without a place. csr counts for forms C and Z. */
uint32_t rv_make(const rv_op_t *op, unsigned rd, unsigned rs1, unsigned rs2, uint32_t imm, unsigned csr);

#endif
