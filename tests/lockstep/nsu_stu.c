/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_stu: the common profiles of stores (store_stim.h), grants of the register file,
 * and an output that accepts packets.
 */
#include "nsu_stu.h"

#include "store_stim.h"

static const stim_profile_t profiles[] = {STORE_STIM_PROFILES};

/* A copy of the model tells when it is ready and when it reads. */
typedef struct {
  rng_t rng;
  unsigned profile;
  nsu_stu_t shadow;
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  nsu_stu_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  in->stack_id = rng_bits(&s->rng, 4);
  store_stim_addrs(&s->rng, s->profile, in->wa_row, &in->wa_size);
  in->wa_mask = stim_mask(&s->rng);
  rng_fill(&s->rng, in->rf_rd_data, PKT_LINE_BITS);
  in->rf_rd_gnt = s->shadow.state == STU_READ && chance8(&s->rng, 5);
  in->wr_ready = chance8(&s->rng, store_stim_ready(s->profile));
  nsu_stu_out_t now;
  nsu_stu_eval(&s->shadow, in, &now);
  if (chance8(&s->rng, 6)) { /* ready or not */
    in->go = 1;
    in->go_instr = now.ready ? stim_instr(&s->rng, ISA_ST, 0) : rng_next(&s->rng); /* else it is not accepted */
    in->go_slot = rng_bits(&s->rng, 6);
    in->go_sm = rng_bits(&s->rng, 8);
    in->go_warp = rng_bits(&s->rng, 6);
    in->go_seq = rng_bits(&s->rng, 6);
  }
  nsu_stu_step(&s->shadow, in);
}

STIM_RESET

STIM_DEFINE(nsu_stu, .reset = reset)
