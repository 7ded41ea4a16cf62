/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of fp32_cmp: the common profiles of the units (alu_stim.h), operations fmin to set_nan.
 * Vectors: "op a b result", hexadecimal.
 */
#include "fp32_cmp.h"

#include "alu_stim.h"

static const stim_profile_t profiles[] = {ALU_STIM_PROFILES};

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  fp32_cmp_in_t *in = in_bytes;
  uint64_t a, b, c;
  (void)cycle;
  (void)out;
  alu_stim_operands(s, &a, &b, &c);
  in->op = alu_stim_op(s, OP_FMIN, OP_FSET_NAN);
  in->a = a;
  in->b = b;
}

static void drive(const uint64_t *operands, void *in_bytes) {
  fp32_cmp_in_t *in = in_bytes;
  in->op = operands[0];
  in->a = operands[1];
  in->b = operands[2];
}

static bool result(const void *out_bytes, uint64_t *value) {
  const fp32_cmp_out_t *out = out_bytes;
  *value = out->y;
  return true;
}

STIM_DEFINE(fp32_cmp, .vector_operands = 3, .vector_text = "op a b result", .vector_drive = drive,
            .vector_result = result)
