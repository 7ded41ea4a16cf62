/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_lane. Vectors: "op a b c result", hexadecimal.
 */
#include "nsu_lane.h"

#include "alu_stim.h"

static const stim_profile_t profiles[] = {ALU_STIM_PROFILES};

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  nsu_lane_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  in->valid = alu_stim_valid(s);
  if (!in->valid) return;
  in->op = alu_stim_op(s, OP_MOV, OP_CVT_SAT_S32_U);
  alu_stim_operands(s, &in->a, &in->b, &in->c);
}

static void drive(const uint64_t *operands, void *in_bytes) {
  nsu_lane_in_t *in = in_bytes;
  in->valid = 1;
  in->op = operands[0];
  in->a = operands[1];
  in->b = operands[2];
  in->c = operands[3];
}

static bool result(const void *out_bytes, uint64_t *value) {
  const nsu_lane_out_t *out = out_bytes;
  *value = out->y;
  return out->valid;
}

STIM_RESET

STIM_DEFINE(nsu_lane, .reset = reset, .vector_operands = 4, .vector_latency = ISA_LANE_LATENCY, .vector_text = "op a b c result", .vector_drive = drive,
            .vector_result = result)
