/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_warps.
 */
#include "nsu_warps.h"

#include "nsu_stim.h"

enum { MIXED, FULL, LONELY, SLEEPY, SLOW, RETRIES, HALTS, STRAYS, CROWDED };

static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "warps come, run and go"},
    [FULL] = {"full", "all slots in use, commands wait"},
    [LONELY] = {"lonely", "few warps that run long: sequence numbers wrap"},
    [SLEEPY] = {"sleepy", "most warps wait; ids that nearly match"},
    [SLOW] = {"slow", "most slots are ISSUED, few are READY, far apart"},
    [RETRIES] = {"retries", "most instructions find their unit busy, some of them wait the next time"},
    [HALTS] = {"halts", "slots halt one by one until reset"},
    [STRAYS] = {"strays", "events of slots that are not ISSUED, free ones among them"},
    [CROWDED] = {"crowded", "all slots in use by warps that run long: sequence numbers of each wrap"},
};

/* A copy of the model tells in which state each slot is, so that events rather concern ISSUED slots. */
typedef struct {
  rng_t rng;
  unsigned profile;
  nsu_warps_t shadow;
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  nsu_warps_reset(&s->shadow);
}

static void spawn(state_t *s, nsu_warps_in_t *in) {
  const unsigned rate = s->profile == FULL || s->profile == CROWDED ? 8 : s->profile == STRAYS ? 1 : 3;
  in->sp_valid = s->profile == LONELY ? rng_chance(&s->rng, 1, 300) : chance8(&s->rng, rate);
  if (!in->sp_valid) return;
  in->sp_sm = rng_bits(&s->rng, 1) ? rng_bits(&s->rng, 8) : 1u << rng_bits(&s->rng, 3);
  in->sp_warp = rng_bits(&s->rng, 6);
  in->sp_pc = rng_below(&s->rng, 8) ? rng_bits(&s->rng, PKT_ADDR_BITS) : bits_ones(PKT_ADDR_BITS) - 7;
  in->sp_mask = stim_mask(&s->rng);
  in->sp_cbase = rng_bits(&s->rng, PKT_ADDR_BITS);
  in->sp_count = rng_bits(&s->rng, 3);
  in->sp_idx = rng_bits(&s->rng, 6);
}

/* Slots that have had no event in this cycle: ISSUED ones, and all. */
typedef struct {
  uint64_t issued, all;
} slots_t;

/* One of the ISSUED slots, which then has had its event of this cycle; -1: none left, or not now. */
static int pick(state_t *s, slots_t *left, unsigned rate) {
  const bool stray = s->profile == STRAYS && chance8(&s->rng, 3);
  const uint64_t from = stray ? left->all : left->issued;
  if (!from || !chance8(&s->rng, rate)) return -1;
  unsigned slot = (unsigned)rng_bits(&s->rng, 6);
  while (!(from >> slot & 1)) slot = (slot + 1) % 64;
  left->issued &= ~(UINT64_C(1) << slot);
  left->all &= ~(UINT64_C(1) << slot);
  return (int)slot;
}

static unsigned verdict(state_t *s) {
  if (s->profile == HALTS && rng_below(&s->rng, 16) == 0) return ISA_LEAVE_HALT;
  if (s->profile == SLEEPY) return (unsigned)rng_range(&s->rng, ISA_LEAVE_WAIT_I, ISA_LEAVE_WAIT_ACK);
  if ((s->profile == RETRIES && chance8(&s->rng, 6)) || (s->profile == STRAYS && chance8(&s->rng, 4))) return ISA_LEAVE_RETRY;
  unsigned next = (unsigned)rng_bits(&s->rng, 3);
  return next == ISA_LEAVE_HALT && s->profile != HALTS ? ISA_LEAVE_DISPATCHED : next;
}

static void events(state_t *s, nsu_warps_in_t *in) {
  slots_t left = {s->shadow.in_state[WARP_ISSUED], ~UINT64_C(0)};
  bool slow = s->profile == SLOW;
  int slot;
  if ((slot = pick(s, &left, s->profile == RETRIES ? 8 : slow || s->profile == CROWDED ? 2 : 4)) >= 0) {
    in->d_valid = 1;
    in->d_slot = (unsigned)slot;
    in->d_next = verdict(s);
  }
  if ((slot = pick(s, &left, slow ? 1 : 3)) >= 0) in->ex_done = 1, in->ex_done_slot = (unsigned)slot;
  if ((slot = pick(s, &left, slow ? 1 : 3)) >= 0) {
    in->ld_done = 1;
    in->ld_done_slot = (unsigned)slot;
    in->ld_done_seq = rng_bits(&s->rng, 1);
    in->ld_done_beg = rng_bits(&s->rng, 1);
  }
  if ((slot = pick(s, &left, slow ? 1 : 2)) >= 0) in->ld_miss = 1, in->ld_miss_slot = (unsigned)slot;
  if ((slot = pick(s, &left, slow ? 1 : 3)) >= 0) in->st_done = 1, in->st_done_slot = (unsigned)slot;
  unsigned end = s->profile == FULL || slow ? 1 : 3;
  if ((s->profile == LONELY || s->profile == CROWDED) && rng_below(&s->rng, 200)) return;
  if ((slot = pick(s, &left, end)) >= 0) in->en_done = 1, in->en_done_slot = (unsigned)slot;
}

/* The id of a slot in the state, sometimes off by a bit. */
static bool completion(state_t *s, warp_state_t state, uint64_t *sm, uint64_t *warp, uint64_t *seq) {
  if (!chance8(&s->rng, 3)) return false;
  unsigned slot = (unsigned)rng_below(&s->rng, NumWarps);
  for (unsigned i = 0; i < NumWarps && !(s->shadow.in_state[state] >> slot & 1); i++) slot = (slot + 1) % NumWarps;
  const nsu_warp_t *w = &s->shadow.slot[slot];
  *sm = w->sm ^ (rng_below(&s->rng, 6) ? 0 : 1u << rng_bits(&s->rng, 3));
  *warp = w->warp ^ (rng_below(&s->rng, 6) ? 0 : 1u << rng_below(&s->rng, 6));
  *seq = w->seq ^ (rng_below(&s->rng, 6) ? 0 : 1u << rng_below(&s->rng, 6));
  return true;
}

static void wakes(state_t *s, nsu_warps_in_t *in) {
  in->iwake = rng_chance(&s->rng, 1, s->profile == SLEEPY ? 100 : 6);
  in->cwake = rng_chance(&s->rng, 1, s->profile == SLEEPY ? 100 : 6);
  in->rd_cpl = completion(s, WARP_WAIT_RD, &in->rd_cpl_sm, &in->rd_cpl_warp, &in->rd_cpl_seq);
  in->wr_cpl = completion(s, WARP_WAIT_WR, &in->wr_cpl_sm, &in->wr_cpl_warp, &in->wr_cpl_seq);
  in->ack_zero = rng_next(&s->rng) & rng_next(&s->rng) & rng_next(&s->rng);
  if (s->profile == SLEEPY) in->ack_zero &= rng_next(&s->rng) & rng_next(&s->rng) & rng_next(&s->rng);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  nsu_warps_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  spawn(s, in);
  events(s, in);
  wakes(s, in);
  nsu_warps_step(&s->shadow, in);
}

static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  const unsigned period = s->profile == CROWDED ? 15000 : 5000;
  bool now = cycle % period == period - 1;
  if (now) nsu_warps_reset(&s->shadow);
  return now;
}

STIM_DEFINE(nsu_warps, .reset = reset)
