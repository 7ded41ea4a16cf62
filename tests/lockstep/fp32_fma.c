/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of fp32_fma. Vectors: "mode a b c result", hexadecimal.
 */
#include "fp32_fma.h"

#include "alu_stim.h"

static const stim_profile_t profiles[] = {ALU_STIM_PROFILES};

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  fp32_fma_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  in->valid = alu_stim_valid(s);
  if (!in->valid) return;
  in->mode = alu_stim_op(s, OP_FADD, OP_FFMA) % 4;
  alu_stim_operands(s, &in->a, &in->b, &in->c);
}

static void drive(const uint64_t *operands, void *in_bytes) {
  fp32_fma_in_t *in = in_bytes;
  in->valid = 1;
  in->mode = operands[0];
  in->a = operands[1];
  in->b = operands[2];
  in->c = operands[3];
}

static bool result(const void *out_bytes, uint64_t *value) {
  const fp32_fma_out_t *out = out_bytes;
  *value = out->y;
  return out->valid;
}

STIM_RESET

STIM_DEFINE(fp32_fma, .reset = reset, .vector_operands = 4, .vector_latency = FP32_FMA_LATENCY, .vector_text = "mode a b c result",
            .vector_drive = drive, .vector_result = result)
