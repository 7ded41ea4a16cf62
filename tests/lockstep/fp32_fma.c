/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of fp32_fma. Vectors: "mode a b c result", hexadecimal.
 */
#include "fp32_fma.h"

#include <math.h>
#include <string.h>

#include "alu_stim.h"

enum { TIES = ALU_PROFILES };

static const stim_profile_t profiles[] = {
    ALU_STIM_PROFILES, [TIES] = {"ties", "halfway between two numbers but for one bit, near or far, of product or addend"}};

/* number x 2^scale, of either sign. */
static uint32_t scaled(state_t *s, uint32_t number, int scale) {
  float f = ldexpf((float)number, scale);
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits | (uint32_t)rng_bits(&s->rng, 1) << 31;
}

/* Two numbers of at most 24 bits whose product ends in 1, `gap` - 1 zeros and 1: the second is the first one's inverse modulo a power of two. */
static void sparse_product(state_t *s, unsigned gap, uint32_t *a, uint32_t *b) {
  uint64_t inverse;
  do {
    *a = (uint32_t)rng_bits(&s->rng, 24) | 1;
    inverse = *a;
    for (unsigned correct = 3; correct < 34; correct *= 2) inverse *= 2 - *a * inverse;
    inverse = (inverse + (inverse << gap)) & bits_ones(gap + 1);
  } while (inverse >> 24);
  *b = (uint32_t)inverse;
}

/* a x b + c: the 25th bit of the sum is 1, and below it is one bit at most. */
static void tie(state_t *s, fp32_fma_in_t *in) {
  int x = (int)rng_below(&s->rng, 41) - 20, y = (int)rng_below(&s->rng, 41) - 20;
  uint32_t a, b;
  in->mode = 3;
  switch (rng_below(&s->rng, 4)) {
  case 0: { /* the addend in front, the product gives the halfway bit and one far below */
    const unsigned gap = (unsigned)rng_range(&s->rng, 1, 32);
    sparse_product(s, gap, &a, &b);
    in->c = scaled(s, (uint32_t)rng_bits(&s->rng, 24), x + y + (int)gap + 1);
    break;
  }
  case 1: { /* the addend takes the product's last bit away, and one more below it */
    sparse_product(s, (unsigned)rng_range(&s->rng, 1, 23), &a, &b);
    const unsigned below = (unsigned)rng_range(&s->rng, 0, 23);
    in->c = scaled(s, below ? (1u << below) + 1 : rng_bits(&s->rng, 1), x + y - (int)below);
    break;
  }
  case 2: /* the product takes the addend's last bit away exactly: one bit is left, anywhere above it */
    a = b = 1;
    in->c = scaled(s, (1u << rng_range(&s->rng, 1, 23)) + 1, x + y);
    break;
  default: { /* a product of 25 bits, and an addend of one bit, subnormal or not */
    const unsigned width = (unsigned)rng_range(&s->rng, 2, 23);
    a = (uint32_t)(rng_bits(&s->rng, width) | 1 | 1u << width);
    b = (uint32_t)(rng_bits(&s->rng, 24 - width) | 1 | 1u << (24 - width));
    const int least = -149, distance = (int)rng_range(&s->rng, 1, 100);
    const bool subnormal = rng_bits(&s->rng, 1);
    const bool far = subnormal && rng_bits(&s->rng, 1);
    if (far) { /* the product as far above it as still counts, or a bit farther or nearer */
      x = -(int)rng_range(&s->rng, 30, 70);
      y = least + 45 + (int)rng_below(&s->rng, 9) - x;
    }
    in->c = scaled(s, 1, subnormal ? least + (int)rng_below(&s->rng, far ? 2 : 24) : x + y - distance);
    break;
  }
  }
  in->a = scaled(s, a, x);
  in->b = scaled(s, b, y);
}

/* One of the three is a zero of either sign; the other factor and the addend are what they were, or have one bit. */
static void zero_operand(state_t *s, fp32_fma_in_t *in) {
  uint64_t *const operand[] = {&in->a, &in->b, &in->c};
  unsigned zero = (unsigned)rng_below(&s->rng, 3);
  for (unsigned i = 0; i < 3; i++)
    if (i != zero && rng_bits(&s->rng, 1)) *operand[i] = (uint32_t)rng_bits(&s->rng, 1) << 31 | 1u << rng_below(&s->rng, 31);
  *operand[zero] = (uint32_t)rng_bits(&s->rng, 1) << 31;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  fp32_fma_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  in->valid = alu_stim_valid(s);
  if (!in->valid) return;
  if (s->profile == TIES) {
    tie(s, in);
    return;
  }
  in->mode = alu_stim_op(s, OP_FADD, OP_FFMA) % 4;
  alu_stim_operands(s, &in->a, &in->b, &in->c);
  if (rng_chance(&s->rng, 1, 8)) zero_operand(s, in);
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

STIM_DEFINE(fp32_fma, .reset = reset, .vector_operands = 4, .vector_latency = FP32_FMA_LATENCY, .vector_text = "mode a b c result", .vector_drive = drive,
            .vector_result = result)
