/* SPDX-License-Identifier: Apache-2.0
 *
 * Opcodes and operands for the arithmetic blocks.
 */
#ifndef ALU_STIM_H
#define ALU_STIM_H

#include "block_stim.h"
#include "nsu_isa.h"
#include "operand_stim.h"

enum { ALU_HARD, ALU_RANDOM, ALU_ONE_OP, ALU_SPARSE, ALU_PROFILES };

/* clang-format off */
#define ALU_STIM_PROFILES                                                          \
  [ALU_HARD] = {"hard", "operands at the corners: subnormals, halfway, cancellation, NaN"}, \
  [ALU_RANDOM] = {"random", "all bits random"},                                    \
  [ALU_ONE_OP] = {"one-op", "the same opcode for a while"},                        \
  [ALU_SPARSE] = {"sparse", "rarely valid, opcodes of nobody too"}
/* clang-format on */

typedef struct {
  rng_t rng;
  unsigned profile, op;
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  s->op = OP_FADD;
}

/* Opcodes from..to, half of them with .ftz where there is that, belong to the
 * block; others are given now and then, half of them a bit from those. */
static inline unsigned alu_stim_op(state_t *s, unsigned from, unsigned to) {
  if (s->profile == ALU_ONE_OP && !rng_chance(&s->rng, 1, 64)) return s->op;
  s->op = (unsigned)rng_range(&s->rng, from, to);
  if (isa_ftz(s->op) && rng_bits(&s->rng, 1)) s->op = isa_ftz(s->op);
  if (rng_chance(&s->rng, s->profile == ALU_SPARSE ? 6 : 1, 16))
    s->op = rng_bits(&s->rng, 1) ? s->op ^ 1u << rng_bits(&s->rng, 3) : (unsigned)rng_bits(&s->rng, 8);
  return s->op;
}

static inline bool alu_stim_valid(state_t *s) {
  return s->profile == ALU_SPARSE ? chance8(&s->rng, 1) : !rng_chance(&s->rng, 1, 16);
}

static inline void alu_stim_operands(state_t *s, uint64_t *a, uint64_t *b, uint64_t *c) {
  uint32_t x, y, z;
  stim_operands(&s->rng, &x, &y, &z);
  if (s->profile == ALU_RANDOM)
    x = (uint32_t)rng_next(&s->rng), y = (uint32_t)rng_next(&s->rng), z = (uint32_t)rng_next(&s->rng);
  *a = x;
  *b = y;
  *c = z;
}

/* Where narrowing goes wrong: the fraction's 29 last bits are a tie or beside one, as are more of
 * them when the result is subnormal; the exponents at the ends of binary32 and of binary64. */
static inline uint64_t alu_stim_double(rng_t *rng) {
  uint64_t exponent = rng_bits(rng, 11), fraction = rng_bits(rng, 52);
  unsigned lost = 29;
  switch (rng_below(rng, 8)) {
  /* zero and subnormal, normal; the largest, infinity and NaN */
  case 0: exponent = rng_range(rng, 0, 1) * 2046 + rng_bits(rng, 1); break;
  case 1: exponent = rng_range(rng, 1148, 1153); break; /* overflow */
  case 2:
  case 3:
  case 4:
    exponent = rng_range(rng, 869, 898); /* a subnormal result, or none */
    if (exponent < 897) lost += (unsigned)(897 - exponent);
    if (lost > 52) lost = 52;
    break;
  default: exponent = rng_range(rng, 890, 1152); break;
  }
  const uint64_t below = (UINT64_C(1) << lost) - 1;
  switch (rng_below(rng, 8)) {
  case 0: fraction = 0; break;
  case 1: fraction = UINT64_C(1) << rng_below(rng, 52); break;
  case 2: fraction = (UINT64_C(1) << 52) - 1; break;
  case 3: fraction |= ~below; break; /* a carry through all of it */
  case 4: fraction = ~below | UINT64_C(1) << (lost - 1); break;
  default: fraction = (fraction & ~below) | UINT64_C(1) << (lost - 1); break; /* a tie */
  }
  if (rng_below(rng, 3) == 0) fraction ^= UINT64_C(1) << rng_below(rng, lost);
  if (rng_below(rng, 3) == 0) fraction += rng_below(rng, 3) - 1;
  return rng_bits(rng, 1) << 63 | exponent << 52 | (fraction & ((UINT64_C(1) << 52) - 1));
}

#endif
