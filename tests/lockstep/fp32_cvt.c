/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of fp32_cvt: the common profiles of the units (alu_stim.h), operations from
 * cvt_s32_f32_rn to cvt_sat_f32. Vectors: "op b result", hexadecimal.
 */
#include "fp32_cvt.h"

#include "alu_stim.h"

static const stim_profile_t profiles[] = {ALU_STIM_PROFILES};

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  fp32_cvt_in_t *in = in_bytes;
  uint64_t a, b, c;
  (void)cycle;
  (void)out;
  alu_stim_operands(s, &a, &b, &c);
  /* Few bits and an exponent near those of integers: rounding and the range depend on one bit. */
  if (rng_below(&s->rng, 3) == 0) b = stim_sparse(&s->rng, (uint32_t)rng_range(&s->rng, 124, 160));
  in->op = alu_stim_op(s, OP_CVT_S32_F32_RN, OP_CVT_SAT_F32);

  in->b = b;
}

static void drive(const uint64_t *operands, void *in_bytes) {
  fp32_cvt_in_t *in = in_bytes;
  in->op = operands[0];

  in->b = operands[1];
}

static bool result(const void *out_bytes, uint64_t *value) {
  const fp32_cvt_out_t *out = out_bytes;
  *value = out->y;
  return true;
}

STIM_DEFINE(fp32_cvt, .vector_operands = 2, .vector_text = "op b result", .vector_drive = drive,
            .vector_result = result)
