/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of rv_muldiv: operations with two numbers of Width bits, and resets in the middle of
 * some.
 */
#include "rv_muldiv.h"

#include "rv_stim.h"

enum { ANY, CORNER, BUSY, BITS };

/* any leaves pauses.
 *  busy: start is high while an operation runs, and the block must ignore it.
 *  corner: overflow and division by zero.
 *  bits: each step of the division alone gives the bit of the quotient. */
static const stim_profile_t profiles[] = {
    [ANY] = {"any", "any operands, now and then"},
    [CORNER] = {"corner", "0, 1, -1, the least and the greatest number, and those of one bit"},
    [BUSY] = {"busy", "start all the time, with other operands each time"},
    [BITS] = {"bits", "quotients of negative numbers by numbers of one bit, one after the other"},
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

static uint64_t corner(rng_t *rng) {
  const uint64_t top = UINT64_C(1) << (Width - 1);
  const uint64_t values[] = {0, 1, top - 1 + top, top, top - 1, 2};
  if (rng_bits(rng, 1)) return UINT64_C(1) << rng_below(rng, Width);
  return values[rng_below(rng, 6)] & (top - 1 + top);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  rv_muldiv_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  in->start = s->profile >= BUSY || rng_below(&s->rng, 3) == 0;
  in->op = rng_bits(&s->rng, 3);
  in->a = s->profile == CORNER ? corner(&s->rng) : rv_stim_number(&s->rng, Width);
  in->b = s->profile == CORNER ? corner(&s->rng) : rv_stim_number(&s->rng, Width);
  if (s->profile != BITS) return;
  in->op = 4;
  in->a |= UINT64_C(1) << (Width - 1);
  in->b = UINT64_C(1) << rng_below(&s->rng, Width);
}

/* Resets fall into the middle of some operations. */
static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  (void)cycle;
  return rng_chance(&s->rng, 1, 2000);
}

RV_STIM_DEFINE(rv_muldiv, .reset = reset)
