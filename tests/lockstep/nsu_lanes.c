/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_lanes: starts with operands of 32 lanes, back to back or apart.
 */
#include "nsu_lanes.h"

#include "nsu_stim.h"

enum { BUSY, GAPS, ONE_LANE, SPARSE };

/* busy and gaps cover results of different operations that follow each other.
 *  one-lane: a lane that takes another lane's mask shows.
 *  sparse: the array is empty; also opcodes of no unit. */
static const stim_profile_t profiles[] = {
    [BUSY] = {"busy", "start_valid all the time, so starts run back to back"},
    [GAPS] = {"gaps", "starts at random"},
    [ONE_LANE] = {"one-lane", "masks of one thread or none"},
    [SPARSE] = {"sparse", "the array drains between starts; opcodes of nobody too"},
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

/* High word of a binary64 number: sign, exponent and first bits of the fraction, often near 1. */
static uint32_t high_word(rng_t *rng) {
  const uint32_t word = (uint32_t)rng_next(rng);
  return rng_below(rng, 4) ? (word & 0x800fffff) | (uint32_t)(1015 + rng_below(rng, 16)) << 20 : word;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  nsu_lanes_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  in->start_valid = s->profile == BUSY || (s->profile == SPARSE ? rng_chance(&s->rng, 1, 50) : chance8(&s->rng, 4));
  if (!in->start_valid) return;
  in->op = s->profile == SPARSE ? rng_bits(&s->rng, 8) : stim_opcode(&s->rng, ISA_ALU);
  if (rng_below(&s->rng, 4) == 0) do
      in->op = rng_range(&s->rng, OP_DADD, OP_CVT_F32_F64);
    while (!isa_pairs((unsigned)in->op));
  in->op = stim_ftz(&s->rng, (unsigned)in->op);
  in->tag = rng_bits(&s->rng, TagBits);
  in->mask = s->profile == ONE_LANE ? (rng_below(&s->rng, 4) ? 1u << rng_below(&s->rng, 32) : 0) : stim_mask(&s->rng);
  for (unsigned i = 0; i < PKT_WARP_WIDTH; i++) {
    stim_operands(&s->rng, &in->a[i], &in->b[i], &in->c[i]);
    in->ah[i] = high_word(&s->rng);
    in->bh[i] = high_word(&s->rng);
    in->ch[i] = high_word(&s->rng);
  }
}

STIM_RESET

STIM_DEFINE(nsu_lanes, .reset = reset)
