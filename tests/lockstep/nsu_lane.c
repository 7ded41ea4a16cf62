/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_lane: the common profiles of the units (alu_stim.h) with every operation of a
 * lane. Vectors: "op a b c result", hexadecimal.
 */
#include "nsu_lane.h"

#include "alu_stim.h"

static const stim_profile_t profiles[] = {ALU_STIM_PROFILES};

/* Three binary64 numbers: any, or a and b equal or opposite, or c near the product of a and b. */
static void doubles(rng_t *rng, nsu_lane_in_t *in) {
  uint64_t a = alu_stim_double(rng), b = alu_stim_double(rng), c = alu_stim_double(rng);
  switch (rng_below(rng, 4)) {
  case 0: b = a ^ rng_bits(rng, 1) << 63; break;
  case 1: {
    /* 1025 is -1023 modulo 2048 */
    const uint64_t product = ((a >> 52 & 2047) + (b >> 52 & 2047) + 1025 + rng_below(rng, 5) - 2) & 2047;
    c = (c & ~(UINT64_C(2047) << 52)) | product << 52;
    break;
  }
  default: break;
  }
  in->a = (uint32_t)a, in->ah = a >> 32;
  in->b = (uint32_t)b, in->bh = b >> 32;
  in->c = (uint32_t)c, in->ch = c >> 32;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  nsu_lane_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  in->valid = alu_stim_valid(s);
  if (!in->valid) return;
  in->op = rng_below(&s->rng, 4) ? alu_stim_op(s, OP_MOV, OP_CVT_SAT_S32_U) : alu_stim_op(s, OP_DADD, OP_CVT_F32_F64);
  doubles(&s->rng, in);
  if (!isa_pairs((unsigned)in->op) || isa_plain((unsigned)in->op) == OP_CVT_F64_F32)
    alu_stim_operands(s, &in->a, &in->b, &in->c);
}

static void drive(const uint64_t *operands, void *in_bytes) {
  nsu_lane_in_t *in = in_bytes;
  in->valid = 1;
  in->op = operands[0];
  in->a = (uint32_t)operands[1], in->ah = operands[1] >> 32;
  in->b = (uint32_t)operands[2], in->bh = operands[2] >> 32;
  in->c = (uint32_t)operands[3], in->ch = operands[3] >> 32;
}

static bool result(const void *out_bytes, uint64_t *value) {
  const nsu_lane_out_t *out = out_bytes;
  *value = out->yh << 32 | out->y;
  return out->valid;
}

STIM_RESET

STIM_DEFINE(nsu_lane, .reset = reset, .vector_operands = 4, .vector_latency = ISA_LANE_LATENCY,
            .vector_text = "op a b c result", .vector_drive = drive, .vector_result = result)
