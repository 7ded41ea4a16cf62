/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_exec: arithmetic instructions offered with or without gaps, and rows of operands.
 */
#include "nsu_exec.h"

#include "nsu_stim.h"

enum { BUSY, GAPS, NO_READS, GUARDS, PAIRS, ODD };

/* busy keeps both collectors full; gaps lets the array drain between instructions.
 *  no-reads: an instruction is complete at once, and its result may meet another one.
 *  guards: masks of few lanes.
 *  pairs: an instruction takes both collectors.
 *  odd: other kinds of instruction. */
static const stim_profile_t profiles[] = {
    [BUSY] = {"busy", "an instruction offered all the time"},
    [GAPS] = {"gaps", "instructions at random"},
    [NO_READS] = {"no-reads", "immediates only: complete at once"},
    [GUARDS] = {"guards", "guarded, with guard registers of zero or one bit, and few lanes"},
    [PAIRS] = {"pairs", "every other instruction of binary64, which has both collectors"},
    [ODD] = {"odd", "also what a dispatcher never sends: other kinds and illegal opcodes"},
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

/* An instruction of the profile's kind; legal but in profile odd. */
static uint64_t instruction(state_t *s) {
  uint64_t instr = stim_instr(&s->rng, ISA_ALU, 0);
  if (s->profile == NO_READS && !rng_chance(&s->rng, 1, 8)) {
    static const uint8_t one_operand[] = {OP_MOV,    OP_NOT,         OP_ABS_S,         OP_FNEG,
                                          OP_CVT_S8, OP_CVT_F32_S32, OP_CVT_F32_RM_FTZ};
    instr = isa_set_opcode(instr, one_operand[rng_below(&s->rng, sizeof one_operand)]);
    instr = isa_set_guard(isa_set_immb(instr, 1), 0);
  }
  if (s->profile == PAIRS && chance8(&s->rng, 4)) {
    static const uint8_t pairs[] = {OP_DADD,           OP_DFMA, OP_CVT_F64_F32, OP_CVT_F32_F64, OP_CVT_F64_F32_FTZ,
                                    OP_CVT_F32_F64_FTZ};
    instr = stim_align_pairs(isa_set_opcode(instr, pairs[rng_below(&s->rng, sizeof pairs)]));
  }
  if (s->profile == GUARDS) instr = isa_set_ginv(isa_set_guard(instr, 1), rng_bits(&s->rng, 1));
  if (s->profile == ODD && chance8(&s->rng, 3)) instr = isa_set_opcode(instr, rng_bits(&s->rng, 8));
  if (s->profile == ODD && chance8(&s->rng, 1)) instr = isa_set_zero(instr, 1);
  return instr;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  nsu_exec_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  bool zeros = chance8(&s->rng, s->profile == GUARDS ? 5 : 1);
  for (unsigned i = 0; i < PKT_WARP_WIDTH; i++)
    in->rf_rd_data[i] = zeros ? (uint32_t)(rng_bits(&s->rng, 1) << rng_bits(&s->rng, 5)) : stim_operand(&s->rng);
  in->disp_valid = s->profile == GAPS ? chance8(&s->rng, 2) : true;
  if (!in->disp_valid) return;
  in->disp_instr = instruction(s);
  in->disp_slot = rng_bits(&s->rng, 6);
  in->disp_mask = stim_mask(&s->rng);
}

STIM_RESET

STIM_DEFINE(nsu_exec, .reset = reset)
