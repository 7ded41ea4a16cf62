/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_decode.
 */
#include "nsu_decode.h"

#include "nsu_stim.h"

enum { LEGAL, NEARLY, RANDOM };

static const stim_profile_t profiles[] = {
    [LEGAL] = {"legal", "legal instructions of every kind"},
    [NEARLY] = {"nearly", "one bit of a legal instruction turned"},
    [RANDOM] = {"random", "every opcode with random fields"},
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
  nsu_decode_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  in->instr = stim_instr(&s->rng, (isa_kind_t)rng_below(&s->rng, ISA_ALU + 1), (unsigned)rng_bits(&s->rng, 3));
  if (s->profile == NEARLY) in->instr ^= UINT64_C(1) << rng_bits(&s->rng, 6);
  if (s->profile == RANDOM) in->instr = rng_next(&s->rng) & ~(rng_bits(&s->rng, 2) << 32); /* bit 32 and immb rarely */
}

STIM_DEFINE(nsu_decode)
