/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_issue.
 */
#include "nsu_issue.h"

#include "nsu_stim.h"

enum { MIXED, READY, BUSY, RETRIES, MISSES, ERRORS };

static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "every kind of instruction and answer"},
    [READY] = {"ready", "units always ready, data always there: a warp a cycle"},
    [BUSY] = {"busy", "units rarely ready"},
    [RETRIES] = {"retries", "warps sent back come again: their unit is ready or busy again, or they must wait"},
    [MISSES] = {"misses", "instructions, data, addresses and acknowledgements rarely there"},
    [ERRORS] = {"errors", "illegal instructions, blocks that begin wrongly"},
};

/* A copy of the model tells which warp it holds: the cache's answer holds, and fits the warp. */
typedef struct {
  rng_t rng;
  unsigned profile;
  nsu_issue_t shadow;
  bool hit;
  uint64_t data;
  bool sent_back, again; /* a warp was sent back to try again; it is the one that is selected now */
  nsu_issue_t back;      /* the warp sent back last, */
  uint64_t back_data;    /* and its instruction */
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

static void select_again(state_t *s, nsu_issue_in_t *in) {
  s->sent_back = false;
  in->sel_slot = s->back.slot;
  in->sel_sm = s->back.sm;
  in->sel_warp = s->back.warp;
  in->sel_seq = s->back.seq;
  in->sel_pc = s->back.pc;
  in->sel_mask = s->back.mask;
  in->sel_cbase = s->back.cbase;
  in->sel_count = s->back.count;
  in->sel_idx = s->back.idx;
  in->sel_begun = s->back.begun;
}

static void select_new(state_t *s, nsu_issue_in_t *in) {
  in->sel_slot = rng_bits(&s->rng, 6);
  in->sel_sm = rng_bits(&s->rng, 8);
  in->sel_warp = rng_bits(&s->rng, 6);
  in->sel_seq = rng_bits(&s->rng, 6);
  in->sel_pc = rng_bits(&s->rng, PKT_ADDR_BITS);
  in->sel_mask = stim_mask(&s->rng);
  in->sel_cbase = rng_bits(&s->rng, PKT_ADDR_BITS);
  in->sel_count = rng_bits(&s->rng, 3);
  in->sel_idx = rng_bits(&s->rng, 6);
  in->sel_begun = chance8(&s->rng, 6);
}

static void select_warp(state_t *s, nsu_issue_in_t *in) {
  in->sel_valid = chance8(&s->rng, s->profile == READY ? 8 : 6);
  if (!in->sel_valid) return;
  s->again = s->sent_back && chance8(&s->rng, s->profile == RETRIES ? 7 : 2);
  if (s->again) select_again(s, in);
  else select_new(s, in);
}

/* The cache's answer to the request for this warp. */
static void fetch(state_t *s, const nsu_issue_t *warp) {
  bool errors = s->profile == ERRORS;
  unsigned miss = s->profile == MISSES ? 3 : s->profile == READY ? 0 : 1;
  s->hit = !chance8(&s->rng, miss);
  s->data = s->back_data;
  if (s->again) return;
  isa_kind_t kind = (isa_kind_t)rng_below(&s->rng, ISA_ALU + 1);
  unsigned count = warp->count;
  if (!warp->begun && !(errors && chance8(&s->rng, 3))) kind = ISA_BEG;
  if (warp->begun && kind == ISA_BEG && !(errors && chance8(&s->rng, 4))) kind = ISA_LD;
  if (kind == ISA_END || (errors && chance8(&s->rng, 2))) count = (unsigned)rng_bits(&s->rng, 3);
  s->data = stim_instr(&s->rng, kind, count);
  if (errors && chance8(&s->rng, 2)) s->data ^= UINT64_C(1) << rng_bits(&s->rng, 6);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  static const unsigned ready[] = {[MIXED] = 5, [READY] = 8, [BUSY] = 1, [RETRIES] = 3, [MISSES] = 6, [ERRORS] = 5};
  static const unsigned there[] = {[MIXED] = 5, [READY] = 8, [BUSY] = 7, [RETRIES] = 5, [MISSES] = 2, [ERRORS] = 5};
  state_t *s = state;
  nsu_issue_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  select_warp(s, in);
  in->ic_hit = s->hit;
  if (s->hit) in->ic_data = s->data;
  in->rd_hit = chance8(&s->rng, there[s->profile]);
  in->wr_hit = chance8(&s->rng, there[s->profile]);
  in->ack_zero = rng_next(&s->rng) & rng_next(&s->rng);
  if (s->profile == READY) in->ack_zero = ~UINT64_C(0);
  in->ex_ready = chance8(&s->rng, ready[s->profile]);
  in->ld_ready = chance8(&s->rng, ready[s->profile]);
  in->st_ready = chance8(&s->rng, ready[s->profile]);
  in->en_ready = chance8(&s->rng, ready[s->profile]);
  nsu_issue_out_t now;
  const nsu_issue_t held = s->shadow;
  const uint64_t data = s->data;
  nsu_issue_eval(&held, in, &now);
  nsu_issue_step(&s->shadow, in);
  if (now.ic_req) fetch(s, &s->shadow);
  if (!now.d_valid || now.d_next != ISA_LEAVE_RETRY) return;
  s->sent_back = true;
  s->back = held;
  s->back_data = data;
}

STIM_RESET

STIM_DEFINE(nsu_issue, .reset = reset)
