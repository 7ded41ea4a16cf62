/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_decode, a block without state: one instruction in each cycle.
 */
#include "nsu_decode.h"

#include "nsu_stim.h"

enum { LEGAL, NEARLY, RANDOM };

/* legal never shows an error, random shows hardly anything else.
 *  nearly: one bit makes a legal instruction illegal, so that each check decides alone. */
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

/* A legal instruction with pairs of registers: even numbers where an operand is a pair. */
static uint64_t pair_instr(rng_t *rng) {
  uint64_t instr = isa_set_immb(stim_instr(rng, ISA_ALU, 0), 0);
  unsigned opcode = 0;
  while (!isa_pairs(opcode)) opcode = (unsigned)rng_range(rng, OP_DADD, OP_CVT_F32_F64);
  opcode = stim_ftz(rng, opcode);
  const unsigned pairs = isa_pairs(opcode);
  instr = isa_set_opcode(instr, opcode);
  if (pairs & ISA_PAIR_D) instr = isa_set_rd(instr, isa_rd(instr) & 14);
  if (pairs & ISA_PAIR_A) instr = isa_set_ra(instr, isa_ra(instr) & 14);
  if (pairs & ISA_PAIR_B) instr = isa_set_rb(instr, isa_rb(instr) & 14);
  if (pairs & ISA_PAIR_C) instr = isa_set_rc(instr, isa_rc(instr) & 14);
  return pairs & ISA_PAIR_B ? instr : isa_set_immb(instr, rng_bits(rng, 1));
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  nsu_decode_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  in->instr = stim_instr(&s->rng, (isa_kind_t)rng_below(&s->rng, ISA_ALU + 1), (unsigned)rng_bits(&s->rng, 3));
  if (rng_below(&s->rng, 4) == 0) in->instr = pair_instr(&s->rng);
  if (s->profile == NEARLY) in->instr ^= UINT64_C(1) << rng_bits(&s->rng, 6);
  if (s->profile == RANDOM) in->instr = rng_next(&s->rng) & ~(rng_bits(&s->rng, 2) << 32); /* bit 32 and immb rarely */
}

STIM_DEFINE(nsu_decode)
