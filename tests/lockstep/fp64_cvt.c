/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of fp64_cvt: the common profiles of the units (alu_stim.h) with operands of binary64 or
 * binary32, as the operation needs. Vectors: "op b result", hexadecimal.
 */
#include "fp64_cvt.h"

#include "alu_stim.h"

static const stim_profile_t profiles[] = {ALU_STIM_PROFILES};

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  fp64_cvt_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  in->op = alu_stim_op(s, OP_CVT_F64_F32, OP_CVT_F32_F64);
  in->b = s->profile == ALU_RANDOM ? rng_next(&s->rng) : alu_stim_double(&s->rng);
  if (s->profile == ALU_RANDOM || isa_plain((unsigned)in->op) != OP_CVT_F64_F32) return;
  /* A binary32 operand: a usual one, or one of exponent 0 and few bits, which is subnormal. */
  in->b = rng_next(&s->rng) << 32 | (rng_below(&s->rng, 4) ? stim_operand(&s->rng) : stim_sparse(&s->rng, 0));
}

static void drive(const uint64_t *operands, void *in_bytes) {
  fp64_cvt_in_t *in = in_bytes;
  in->op = operands[0];
  in->b = operands[1];
}

static bool result(const void *out_bytes, uint64_t *value) {
  const fp64_cvt_out_t *out = out_bytes;
  *value = out->y;
  return true;
}

STIM_DEFINE(fp64_cvt, .vector_operands = 2, .vector_text = "op b result", .vector_drive = drive,
            .vector_result = result)
