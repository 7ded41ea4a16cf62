/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel while it is decoded (simt_decode.c), and its instructions' operands as places in
 * register file or constants. What cannot be had sets `bad`.
 */
#ifndef SIMT_OPERAND_H
#define SIMT_OPERAND_H

#include "simt_call.h"

enum { SIMT_WHY = 400 /* bytes of what stands in a refusal's brackets */ };

typedef struct {
  simt_kernel_t *k;
  trouble_t *err;
  const ptx_func_t *root;            /* the kernel, where k->func is a function that it calls */
  const simt_unit_t *unit;           /* NULL: it calls none */
  const simt_placement_t *placement; /* NULL: of a GPU */
  const ptx_instr_t *in;
  ptx_instr_t copy; /* of one that is looked at without an operand (simt_hint.h) */
  uint32_t konst_capacity;
  bool bad;           /* an operand that cannot be had */
  char why[SIMT_WHY]; /* of the refusal in err */
} simt_decoder_t;

/* -1: the instruction is not executed, which is said, and why. */
int simt_refuse(simt_decoder_t *d, const char *why);
/* a call, or what passes values to it and from it, which may stand before the call or behind it */
int simt_refuse_call(simt_decoder_t *d);

/* Places, or SIMT_NO_OPERAND. lane_bytes: 1 predicate, 4, 8;
 * type_bytes: what the instruction looks at, for integer constants. */
uint32_t simt_operand(simt_decoder_t *d, const ptx_operand_t *o, unsigned lane_bytes, unsigned type_bytes);
int simt_data_operands(simt_decoder_t *d, simt_op_t *op, const ptx_operand_t *o,
                       /* of a memory access: v, vec, reg_bytes, x; -1: refused */
                       unsigned type_bytes);
/* base, imm, space, flags; -1: refused */
int simt_address_operand(simt_decoder_t *d, simt_op_t *op, const ptx_operand_t *o);
uint32_t simt_value_operand(simt_decoder_t *d, unsigned lane_bytes, int64_t value);
uint32_t simt_var_operand(simt_decoder_t *d, const ptx_operand_t *o, unsigned lane_bytes);
uint32_t simt_konst_operand(simt_decoder_t *d, simt_konst_t konst);
int64_t simt_var_address(const simt_decoder_t *d, int32_t var, simt_konst_kind_t *kind); /* in its own space */

bool simt_is_clock(unsigned sreg); /* read when the instruction executes: mov has functions for them */
unsigned simt_lanes_of(unsigned type);
/* lane width of an ALU instruction's operand k */
unsigned simt_operand_lanes(const ptx_instr_t *in, unsigned k, unsigned *type_bytes);

#endif
