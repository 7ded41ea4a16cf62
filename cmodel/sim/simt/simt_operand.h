/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel during decoding (simt_decode.c), and the places of its operands in register file or
 * constants. An operand without a place sets `bad`.
 */
#ifndef SIMT_OPERAND_H
#define SIMT_OPERAND_H

#include "simt_call.h"

enum { SIMT_WHY = 400 /* bytes of a refusal's reason */ };

/* State of the decoder, for one function at a time. */
typedef struct {
  simt_kernel_t *k;
  trouble_t *err;
  const ptx_func_t *root;            /* the kernel, if k->func is a function that it calls */
  const simt_unit_t *unit;           /* unit of k->func; NULL: the kernel calls none */
  const simt_placement_t *placement; /* the caller's register placement; NULL: a GPU's */
  const ptx_instr_t *in;             /* instruction being decoded */
  ptx_instr_t copy;                  /* memory for an instruction without its policy (simt_hint.h) */
  uint32_t konst_capacity;           /* entries allocated in k->konsts */
  bool bad;                          /* an operand has no place */
  char why[SIMT_WHY];                /* the refusal's reason, also in err */
} simt_decoder_t;

/* Refuses the instruction, with a reason. Returns -1. */
int simt_refuse(simt_decoder_t *d, const char *why);
/* Refuses a call, or an instruction that passes values to or from one. Returns -1. */
int simt_refuse_call(simt_decoder_t *d);

/* Place of an operand, or SIMT_NO_OPERAND. lane_bytes: 4 or 8; 1 for a predicate. type_bytes:
 * bytes that the instruction uses, for integer constants. */
uint32_t simt_operand(simt_decoder_t *d, const ptx_operand_t *o, unsigned lane_bytes, unsigned type_bytes);
/* Data registers of a memory access: fills v, vec, reg_bytes, x. -1: refused. */
int simt_data_operands(simt_decoder_t *d, simt_op_t *op, const ptx_operand_t *o, unsigned type_bytes);
/* Address of a memory access: fills base, imm, space, flags. -1: refused. */
int simt_address_operand(simt_decoder_t *d, simt_op_t *op, const ptx_operand_t *o);
/* Places of a constant: a number, a variable's address or contents, any simt_konst_t. */
uint32_t simt_value_operand(simt_decoder_t *d, unsigned lane_bytes, int64_t value);
uint32_t simt_var_operand(simt_decoder_t *d, const ptx_operand_t *o, unsigned lane_bytes);
uint32_t simt_konst_operand(simt_decoder_t *d, simt_konst_t konst);
/* offset in the variable's own space */
int64_t simt_var_address(const simt_decoder_t *d, int32_t var, simt_konst_kind_t *kind);

bool simt_is_clock(unsigned sreg);     /* clock registers, which mov reads at execution */
unsigned simt_lanes_of(unsigned type); /* bytes a lane of a type's register */
/* Bytes a lane of operand k of an arithmetic instruction; *type_bytes as in simt_operand. */
unsigned simt_operand_lanes(const ptx_instr_t *in, unsigned k, unsigned *type_bytes);

#endif
