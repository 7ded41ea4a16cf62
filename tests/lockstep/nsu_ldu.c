/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_ldu: loads, constant loads and begins of blocks, grants of the register file, and
 * answers of the constant cache.
 */
#include "nsu_ldu.h"

#include "nsu_stim.h"

enum { MIXED, FAST, CROWDED, CONSTANTS, BEGINS };

/* mixed has every instruction. fast accepts the next one in the cycle in which the last ends.
 *  crowded: each write waits.
 *  constants: misses and addresses that wrap.
 *  begins: several writes an instruction. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "every instruction, grants and hits at random"},
    [FAST] = {"fast", "always granted, always the next instruction at once"},
    [CROWDED] = {"crowded", "the register file is rarely free"},
    [CONSTANTS] = {"constants", "LDC that hits and misses, addresses that wrap"},
    [BEGINS] = {"begins", "OFLD.BEG of 0 to 7 registers"},
};

/* A copy of the model tells when a write waits for its grant and when the cache is asked. */
typedef struct {
  rng_t rng;
  unsigned profile;
  nsu_ldu_t shadow;
  bool hit;
  uint32_t word;
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

/* An instruction of the profile's kind; constant bases are often near the end of memory. */
static void instruction(state_t *s, nsu_ldu_in_t *in) {
  static const isa_kind_t kinds[] = {ISA_BEG, ISA_LDC, ISA_LD, ISA_LD};
  isa_kind_t kind = kinds[rng_bits(&s->rng, 2)];
  if (s->profile == CONSTANTS) kind = ISA_LDC;
  if (s->profile == BEGINS) kind = ISA_BEG;
  in->go = 1;
  in->go_instr = stim_instr(&s->rng, kind, (unsigned)rng_bits(&s->rng, 3));
  in->go_slot = rng_bits(&s->rng, 6);
  in->go_mask = stim_mask(&s->rng);
  in->go_cbase =
      rng_below(&s->rng, 4) ? rng_bits(&s->rng, PKT_ADDR_BITS) : bits_ones(PKT_ADDR_BITS) - rng_bits(&s->rng, 32);
  in->go_idx = rng_bits(&s->rng, 6);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  static const unsigned grant[] = {[MIXED] = 5, [FAST] = 8, [CROWDED] = 1, [CONSTANTS] = 5, [BEGINS] = 6};
  state_t *s = state;
  nsu_ldu_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  rng_fill(&s->rng, in->rd_row, PKT_LINE_BITS);
  rng_fill(&s->rng, in->cb_data, PKT_LINE_BITS);
  in->rd_mask = stim_mask(&s->rng);
  in->cc_hit = s->hit; /* the cache's answer to the last request; it stays */
  if (s->hit) in->cc_data = s->word;
  in->rf_wr_gnt = chance8(&s->rng, grant[s->profile]); /* has no effect without a write */
  nsu_ldu_out_t now;
  nsu_ldu_eval(&s->shadow, in, &now);
  if (chance8(&s->rng, s->profile == FAST ? 8 : 5)) instruction(s, in);
  if (in->go && !now.ready) in->go_instr = rng_next(&s->rng); /* any bits: the block is not ready */
  nsu_ldu_step(&s->shadow, in);
  if (!now.cc_req) return;
  s->hit = chance8(&s->rng, 5);
  s->word = (uint32_t)rng_next(&s->rng);
}

STIM_RESET

STIM_DEFINE(nsu_ldu, .reset = reset)
