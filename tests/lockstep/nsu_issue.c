/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_issue: a selected warp, the cache's answer for it, look-ups of the buffers, and
 * dispatches of kept instructions.
 */
#include "nsu_issue.h"

#include "nsu_stim.h"

enum { MIXED, STEADY, MISSES, ERRORS };

/* mixed shows every decision. steady fills the pipeline: a fetch and a dispatch meet in each cycle.
 *  misses: warps go back to wait.
 *  errors: instructions that halt a warp. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "every kind of instruction and answer"},
    [STEADY] = {"steady", "a fetch and a dispatch in each cycle, data always there"},
    [MISSES] = {"misses", "instructions, data and addresses rarely there"},
    [ERRORS] = {"errors", "illegal instructions, blocks that begin wrongly"},
};

/* A copy of the model tells which warp it holds: the cache's answer holds, and fits the warp. */
typedef struct {
  rng_t rng;
  unsigned profile;
  nsu_issue_t shadow;
  uint64_t kept; /* slots with a kept instruction */
  bool hit;
  uint64_t data;
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

/* A reset keeps the instructions that the block holds, so `kept` stays. */
static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  (void)cycle;
  if (!rng_chance(&s->rng, 1, 5000)) return false;
  nsu_issue_reset(&s->shadow);
  return true;
}

static void select_warp(state_t *s, nsu_issue_in_t *in) {
  in->sel_valid = chance8(&s->rng, s->profile == STEADY ? 8 : 6);
  if (!in->sel_valid) return;
  in->sel_slot = rng_below(&s->rng, NumWarps);
  in->sel_sm = rng_bits(&s->rng, 8);
  in->sel_warp = rng_bits(&s->rng, 6);
  in->sel_seq = rng_bits(&s->rng, 6);
  in->sel_pc = rng_bits(&s->rng, PKT_ADDR_BITS);
  in->sel_count = rng_bits(&s->rng, 3);
  in->sel_begun = chance8(&s->rng, 6);
}

static void dispatch(state_t *s, nsu_issue_in_t *in) {
  if (!s->kept || !chance8(&s->rng, s->profile == STEADY ? 8 : 5)) return;
  in->go_valid = 1;
  in->go_slot = rng_below(&s->rng, NumWarps);
  while (!(s->kept >> in->go_slot & 1)) in->go_slot = (in->go_slot + 1) % NumWarps;
  /* Often the slot that is being fetched for: it holds the instruction
   * before until the clock edge. */
  if (s->shadow.held && s->kept >> s->shadow.slot & 1 && chance8(&s->rng, 2)) in->go_slot = s->shadow.slot;
}

/* The cache's answer to the request for this warp: mostly an instruction that fits its state. */
static void fetch(state_t *s, const nsu_issue_t *warp) {
  bool errors = s->profile == ERRORS;
  s->hit = !chance8(&s->rng, s->profile == MISSES ? 3 : s->profile == STEADY ? 0 : 1);
  isa_kind_t kind = (isa_kind_t)rng_below(&s->rng, ISA_ALU + 1);
  unsigned count = warp->count;
  if (!warp->begun && !(errors && chance8(&s->rng, 3))) kind = ISA_BEG;
  if (warp->begun && kind == ISA_BEG && !(errors && chance8(&s->rng, 4))) kind = ISA_LD;
  if (kind == ISA_END || (errors && chance8(&s->rng, 2))) count = (unsigned)rng_bits(&s->rng, 3);
  s->data = stim_instr(&s->rng, kind, count);
  if (errors && chance8(&s->rng, 2)) s->data ^= UINT64_C(1) << rng_bits(&s->rng, 6);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  static const unsigned there[] = {[MIXED] = 5, [STEADY] = 8, [MISSES] = 2, [ERRORS] = 5};
  state_t *s = state;
  nsu_issue_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  select_warp(s, in);
  in->ic_hit = s->hit;
  if (s->hit) in->ic_data = s->data;
  in->rd_hit = chance8(&s->rng, there[s->profile]);
  in->wr_hit = chance8(&s->rng, there[s->profile]);
  in->rd_idx = rng_bits(&s->rng, 10);
  in->wr_idx = rng_bits(&s->rng, 10);
  dispatch(s, in);
  nsu_issue_out_t now;
  nsu_issue_eval(&s->shadow, in, &now);
  if (now.d_valid && now.d_next == ISA_FETCH_KNOWN) s->kept |= UINT64_C(1) << now.d_slot;
  nsu_issue_step(&s->shadow, in);
  if (now.ic_req) fetch(s, &s->shadow);
}

STIM_DEFINE(nsu_issue, .reset = reset)
