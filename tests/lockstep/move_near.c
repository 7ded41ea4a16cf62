/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of move_near: a message stays until its row was asked for; grants and takes follow.
 */
#include "move_near.h"

#include "lsu_stim.h"

enum { MIXED, FAST, BLOCKED };

/* mixed overlaps a new message with the row of the last. fast has no idle cycle.
 *  blocked: each request and each row waits; rf_data is 0 except in the cycle of the row. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "moves, grants and takes at random"},
    [FAST] = {"fast", "always a message, granted and taken at once"},
    [BLOCKED] = {"blocked", "grants and takes come rarely"},
};

STIM_STATE(move_near, bool held; uint64_t hdr;)

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  static const unsigned often[] = {[MIXED] = 4, [FAST] = 8, [BLOCKED] = 1};
  state_t *s = state;
  move_near_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  if (!s->held && chance8(&s->rng, s->profile == FAST ? 8 : 4)) {
    s->held = true;
    /* any type: it goes up unchanged */
    s->hdr = stim_lsu_hdr(&s->rng, chance8(&s->rng, 7) ? LSU_RMV : (unsigned)rng_bits(&s->rng, 4));
  }
  in->v_valid = s->held;
  in->v_hdr = s->held ? s->hdr : 0;
  STIM_LOOK(move_near, s, in);
  in->rf_gnt = now.rf_req && chance8(&s->rng, often[s->profile]);
  if (s->profile != BLOCKED || (s->shadow.state == MOVE_NEAR_ROW && chance8(&s->rng, 6)))
    rng_fill(&s->rng, in->rf_data, 1024);
  in->out_take = now.out_valid && chance8(&s->rng, often[s->profile]);
  if (in->rf_gnt) s->held = false;
  move_near_step(&s->shadow, in);
}

STIM_DEFINE(move_near, .reset = reset)
