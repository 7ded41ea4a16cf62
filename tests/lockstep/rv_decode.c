/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of rv_decode, a block without state: one instruction in each cycle.
 */
#include "rv_decode.h"

#include "rv_stim.h"

enum { LISTED, NEARLY, RANDOM };

/* listed never shows an illegal instruction, random shows hardly anything else.
 *  nearly: one bit makes it illegal or another instruction. */
static const stim_profile_t profiles[] = {
    [LISTED] = {"listed", "every instruction of the list, with any fields"},
    [NEARLY] = {"nearly", "one bit of such an instruction turned"},
    [RANDOM] = {"random", "any bits, most of them as long as an instruction of 32 bits"},
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

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  rv_decode_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  in->instr = rv_stim_instr(&s->rng, &rv_ops[rng_below(&s->rng, RV_NUM_OPS)]);
  if (s->profile == NEARLY) in->instr ^= UINT64_C(1) << rng_bits(&s->rng, 5);
  if (s->profile == RANDOM) in->instr = rng_bits(&s->rng, 32) | (rng_below(&s->rng, 8) ? 3 : 0);
}

RV_STIM_DEFINE(rv_decode)
