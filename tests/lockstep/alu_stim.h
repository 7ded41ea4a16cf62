/* SPDX-License-Identifier: Apache-2.0
 *
 * Opcodes and operands for the arithmetic blocks.
 */
#ifndef ALU_STIM_H
#define ALU_STIM_H

#include "nsu_stim.h"

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

/* Opcodes from..to belong to the block; others are given now and then, half of them a bit from those. */
static inline unsigned alu_stim_op(state_t *s, unsigned from, unsigned to) {
  if (s->profile == ALU_ONE_OP && !rng_chance(&s->rng, 1, 64)) return s->op;
  s->op = (unsigned)rng_range(&s->rng, from, to);
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
  if (s->profile == ALU_RANDOM) x = (uint32_t)rng_next(&s->rng), y = (uint32_t)rng_next(&s->rng), z = (uint32_t)rng_next(&s->rng);
  *a = x;
  *b = y;
  *c = z;
}

#endif
