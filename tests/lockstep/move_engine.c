/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of move_engine. The offload engine and the LSU keep a request until it is served. Two
 * register files, the bus and the near half answer.
 */
#include "move_engine.h"

#include "block_stim.h"

enum { MIXED, FAST, BLOCKED, WIDE, LSU_ONLY, ABUSE };

/* mixed and fast cover the order of the two requesters; blocked holds each phase for long.
 *  wide: two rows a move, also from register 255, whose second row has number 0.
 *  lsu: the request rises again in the cycle after dt_valid.
 *  abuse: inputs outside their phase. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "both ask, answers at random"},
    [FAST] = {"fast", "both ask all the time, answers at once"},
    [BLOCKED] = {"blocked", "grants, takes and answers come rarely"},
    [WIDE] = {"wide", "registers of two rows, 255 and its follower among them"},
    [LSU_ONLY] =
        {"lsu",
         "the LSU's rows, its request high to the cycle of dt_valid and in the next one again; seldom a copy between two"},
    [ABUSE] = {"abuse", "also grants and answers that nobody waits for, and the LSU's request let go early"},
};

static const unsigned often[] = {[MIXED] = 4, [FAST] = 8, [BLOCKED] = 1, [WIDE] = 6, [LSU_ONLY] = 6, [ABUSE] = 4};

STIM_STATE(move_engine, bool begun, asks, needs; uint64_t nbu, warp, reg, wide, near, need_warp, need_reg;)

static bool answers(state_t *s) {
  return chance8(&s->rng, often[s->profile]);
}

static uint64_t any_reg(state_t *s) {
  return chance8(&s->rng, s->profile == WIDE ? 3 : 1) ? 255 : rng_bits(&s->rng, 8);
}

/* Both requesters keep their request and its fields until the grant. */
static void requests(state_t *s, move_engine_in_t *in) {
  static const unsigned ask[] = {[MIXED] = 3, [FAST] = 6, [BLOCKED] = 4, [WIDE] = 6, [LSU_ONLY] = 0, [ABUSE] = 4};
  static const unsigned need[] = {[MIXED] = 3, [FAST] = 6, [BLOCKED] = 4, [WIDE] = 1, [LSU_ONLY] = 7, [ABUSE] = 4};
  if (!s->asks && (chance8(&s->rng, ask[s->profile]) || (s->profile == LSU_ONLY && rng_chance(&s->rng, 1, 64)))) {
    s->asks = true;
    s->warp = rng_bits(&s->rng, 6);
    s->reg = any_reg(s);
    s->wide = s->profile == WIDE ? chance8(&s->rng, 7) : chance8(&s->rng, 2);
    s->near = rng_bits(&s->rng, 1);
  }
  if (!s->needs && chance8(&s->rng, need[s->profile])) {
    s->needs = true;
    s->need_warp = rng_bits(&s->rng, 6);
    s->need_reg = any_reg(s);
  }
  in->mv_req = s->asks;
  in->need_data = s->needs;
  if (s->asks) in->mv_warp = s->warp, in->mv_reg = s->reg, in->mv_wide = s->wide, in->mv_near = s->near;
  if (s->needs) in->need_warp = s->need_warp, in->need_reg = s->need_reg;
}

/* Each input that answers comes outside its phase, too, with a chance of one in eight. */
static void abuse(state_t *s, move_engine_in_t *in) {
  uint64_t which = rng_next(&s->rng);
  in->frf_gnt |= (which & 7) == 0;
  in->fwr_gnt |= (which >> 3 & 7) == 0;
  in->dn_take |= (which >> 6 & 7) == 0;
  in->cp_valid |= (which >> 9 & 7) == 0;
  in->mr_valid |= (which >> 12 & 7) == 0;
  if ((which >> 15 & 31) == 0) s->needs = false;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  move_engine_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  if (!s->begun) s->nbu = rng_bits(&s->rng, 2); /* constant from reset to reset */
  s->begun = true;
  in->nbu_id = s->nbu;
  requests(s, in);
  STIM_LOOK(move_engine, s, in);
  if (now.gnt & 1) s->asks = false;
  if (now.dt_valid) s->needs = false;
  rng_fill(&s->rng, in->frf_data, 1024);
  in->frf_gnt = now.frf_req && answers(s);
  in->fwr_gnt = now.fwr_valid && answers(s);
  in->dn_take = now.dn_valid && answers(s);
  bool reply = s->shadow.phase == MOVE_REPLY && answers(s);
  in->cp_valid = reply && s->shadow.near;
  in->mr_valid = reply && !s->shadow.near;
  if (s->profile == ABUSE) abuse(s, in);
  if (in->mr_valid) rng_fill(&s->rng, in->mr_data, 1024);
  move_engine_step(&s->shadow, in);
}

static bool waiting(const void *state) {
  return ((const state_t *)state)->shadow.phase != MOVE_NONE;
}

STIM_DEFINE(move_engine, .reset = reset, .waiting = waiting)
