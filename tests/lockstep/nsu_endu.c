/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_endu: blocks that end with 0 to 7 registers, grants of the register file, and an
 * output that accepts acknowledgements.
 */
#include "nsu_endu.h"

#include "nsu_stim.h"

enum { MIXED, FAST, CROWDED, BLOCKED };

/* mixed has all counts and short waits. fast begins the next block in the cycle of the last accept.
 *  crowded: each read waits.
 *  blocked: each acknowledgement waits, and credits change meanwhile. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "0 to 7 registers, grants at random"},
    [FAST] = {"fast", "always granted, always accepted, always the next one"},
    [CROWDED] = {"crowded", "the register file is rarely free"},
    [BLOCKED] = {"blocked", "acknowledgements are rarely accepted"},
};

/* A copy of the model tells when it is ready and when it reads. */
typedef struct {
  rng_t rng;
  unsigned profile;
  nsu_endu_t shadow;
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  static const unsigned grant[] = {[MIXED] = 5, [FAST] = 8, [CROWDED] = 1, [BLOCKED] = 7};
  static const unsigned accept[] = {[MIXED] = 5, [FAST] = 8, [CROWDED] = 7, [BLOCKED] = 1};
  state_t *s = state;
  nsu_endu_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  in->stack_id = rng_bits(&s->rng, 4);
  rng_fill(&s->rng, in->rf_rd_data, PKT_LINE_BITS);
  in->cr_cmd = rng_bits(&s->rng, 8);
  in->cr_rd = rng_bits(&s->rng, 10);
  in->cr_wr = rng_bits(&s->rng, 10);
  if (s->profile == FAST || chance8(&s->rng, 5)) { /* ready or not */
    in->go = 1;
    in->go_instr = stim_instr(&s->rng, ISA_END, (unsigned)rng_bits(&s->rng, 3));
    if (!nsu_endu_idle(&s->shadow)) in->go_instr = rng_next(&s->rng); /* any bits: the block is not ready */
    in->go_slot = rng_bits(&s->rng, 6);
    in->go_sm = rng_bits(&s->rng, 8);
    in->go_warp = rng_bits(&s->rng, 6);
    in->go_seq = rng_bits(&s->rng, 6);
    in->go_mask = stim_mask(&s->rng);
  }
  in->rf_rd_gnt = s->shadow.state == ENDU_READ && chance8(&s->rng, grant[s->profile]);
  in->ack_ready = chance8(&s->rng, accept[s->profile]);
  nsu_endu_step(&s->shadow, in);
}

STIM_RESET

STIM_DEFINE(nsu_endu, .reset = reset)
