/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of int_alu: the common profiles of the units (alu_stim.h) with integers at the limits.
 * Vectors: "op a b c result", hexadecimal.
 */
#include "int_alu.h"

#include "alu_stim.h"

static const stim_profile_t profiles[] = {ALU_STIM_PROFILES};

/* A number of one bit, or of any number of bits, or the complement of such a number. It is at
 * the end of a range, or differs from 0 in one bit. */
static uint64_t integer(rng_t *rng) {
  uint32_t value = rng_bits(rng, 1) ? 1u << rng_below(rng, 32) : (uint32_t)rng_next(rng) >> rng_below(rng, 32);
  return rng_below(rng, 4) ? value : ~value;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  int_alu_in_t *in = in_bytes;
  uint64_t a, b, c;
  (void)cycle;
  (void)out;
  alu_stim_operands(s, &a, &b, &c);
  /* Numbers below 34 are amounts to shift by: all legal ones, and two beyond. */
  if (rng_below(&s->rng, 4) == 0) b = rng_bits(&s->rng, 1) ? integer(&s->rng) : rng_below(&s->rng, 34);
  if (rng_below(&s->rng, 4) == 0) c = integer(&s->rng);
  in->op = rng_below(&s->rng, 2) ? alu_stim_op(s, OP_MOV, OP_SET_GE_U) : alu_stim_op(s, OP_CVT_S8, OP_CVT_SAT_S32_U);
  in->a = a;
  in->b = b;
  in->c = c;
}

static void drive(const uint64_t *operands, void *in_bytes) {
  int_alu_in_t *in = in_bytes;
  in->op = operands[0];
  in->a = operands[1];
  in->b = operands[2];
  in->c = operands[3];
}

static bool result(const void *out_bytes, uint64_t *value) {
  const int_alu_out_t *out = out_bytes;
  *value = out->y;
  return true;
}

STIM_DEFINE(int_alu, .vector_operands = 4, .vector_text = "op a b c result", .vector_drive = drive,
            .vector_result = result)
