/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of tom_cond, a block without state: random registers, and registers whose distance is at
 * the threshold or beside it.
 */
#include "tom_cond.h"

#include "tom_stim.h"

enum { ANY, NEAR, LARGE };

/* Random distances are seldom at the threshold, where near puts them, give or take one.
 *  large: products and differences beyond 32 bits. */
static const stim_profile_t profiles[] = {
    [ANY] = {"any", "registers, constants, kinds at random, each often at an end of its range"},
    [NEAR] = {"near", "the distance is the threshold, or one less or more"},
    [LARGE] = {"large", "registers at the ends of their ranges, large steps and shifts"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

static uint64_t end_of_range(rng_t *rng) {
  static const uint32_t ends[] = {0, 1, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0x7ffffffe};
  return ends[rng_below(rng, sizeof ends / sizeof *ends)];
}

/* A threshold that a distance can have, and registers with that distance, give or take one. */
static void near(state_t *s, tom_cond_in_t *in) {
  const int64_t off = (int64_t)rng_below(&s->rng, 3) - 1;
  if (in->kind == KIND_STEPS) in->step &= UINT32_MAX >> rng_below(&s->rng, 32);
  if (in->kind == KIND_STEPS && in->is_signed && rng_chance(&s->rng, 1, 4)) in->step = (0 - in->step) & UINT32_MAX;
  const int64_t step = in->is_signed ? (int64_t)(int32_t)in->step : (int64_t)in->step;
  const int64_t least = in->kind == KIND_STEPS ? step * (INT64_C(1) << in->shift) : (int64_t)(int32_t)in->imm;
  if (in->up) in->bound = (uint64_t)((int64_t)in->start + least + off) & UINT32_MAX;
  else in->start = (uint64_t)((int64_t)in->bound + least + off) & UINT32_MAX;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  tom_cond_in_t *in = in_bytes;
  const bool large = s->profile == LARGE;
  (void)cycle;
  (void)out;
  in->kind = rng_chance(&s->rng, 1, 8) ? rng_bits(&s->rng, COND_kind_W)
             : rng_bits(&s->rng, 1)    ? KIND_DISTANCE
                                       : KIND_STEPS;
  in->up = rng_bits(&s->rng, 1);
  in->is_signed = rng_bits(&s->rng, 1);
  in->shift = large && rng_bits(&s->rng, 1) ? 15 : rng_bits(&s->rng, COND_shift_W);
  in->beyond = rng_bits(&s->rng, 1);
  in->imm = large ? end_of_range(&s->rng) : tom_number(&s->rng, COND_imm_W);
  in->start = large ? end_of_range(&s->rng) : tom_number(&s->rng, 32);
  in->bound = large ? end_of_range(&s->rng) : tom_number(&s->rng, 32);
  in->step = large ? end_of_range(&s->rng) : tom_number(&s->rng, 32);
  if (s->profile == NEAR) near(s, in);
}

STIM_DEFINE(tom_cond)
