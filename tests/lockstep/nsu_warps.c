/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_warps: commands, fetched instructions, units that are ready or end, and events
 * that wake warps.
 */
#include "nsu_warps.h"

#include "nsu_stim.h"

enum { MIXED, FULL, LONELY, SLEEPY, SLOW, BUSY, STEADY, HALTS, STRAYS, CROWDED };

/* mixed passes every state. full, lonely and crowded set the number of warps and how long they run.
 *  sleepy: wake-ups must match all bits of an id.
 *  slow, busy, steady: few, no or all units have place.
 *  halts: slots stay halted until a reset.
 *  strays: events must not change slots in other states. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "warps come, run and go"},
    [FULL] = {"full", "all slots in use, commands wait"},
    [LONELY] = {"lonely", "few warps that run long: sequence numbers wrap"},
    [SLEEPY] = {"sleepy", "most warps wait; ids that nearly match"},
    [SLOW] = {"slow", "instructions take long: few slots are to be fetched for, far apart"},
    [BUSY] = {"busy", "units rarely ready, and not at the same time"},
    [STEADY] = {"steady", "units always ready, what is under way ends soon: an instruction a cycle"},
    [HALTS] = {"halts", "slots halt one by one until reset"},
    [STRAYS] = {"strays", "events of slots that they do not concern, free ones among them"},
    [CROWDED] = {"crowded", "all slots in use by warps that run long: sequence numbers of each wrap"},
};

/* A copy of the model tells the state of each slot, so that most events concern a slot that waits
 * for them. The stimulus itself knows the unit of an instruction under way. */
typedef struct {
  rng_t rng;
  unsigned profile;
  nsu_warps_t shadow;
  uint64_t under_way[3]; /* BUSY slots with an instruction in nsu_exec, nsu_ldu, nsu_stu */
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  nsu_warps_reset(&s->shadow);
}

static bool runs_long(const state_t *s) {
  return s->profile == LONELY || s->profile == CROWDED;
}

static void spawn(state_t *s, nsu_warps_in_t *in) {
  const unsigned rate = s->profile == FULL || s->profile == CROWDED || s->profile == STEADY ? 8
                        : s->profile == STRAYS                                              ? 1
                                                                                            : 3;
  in->sp_valid = s->profile == LONELY ? rng_chance(&s->rng, 1, 300) : chance8(&s->rng, rate);
  if (!in->sp_valid) return;
  in->sp_sm = rng_bits(&s->rng, 1) ? rng_bits(&s->rng, 8) : 1u << rng_bits(&s->rng, 3);
  in->sp_warp = rng_bits(&s->rng, 6);
  in->sp_pc = rng_below(&s->rng, 8) ? rng_bits(&s->rng, PKT_ADDR_BITS) : bits_ones(PKT_ADDR_BITS) - 7;
  in->sp_mask = stim_mask(&s->rng);
  in->sp_cbase = rng_bits(&s->rng, PKT_ADDR_BITS);
  in->sp_count = rng_bits(&s->rng, 3);
  in->sp_idx = rng_bits(&s->rng, 6);
  /* an id of zeros, as invalid completions have */
  if (!rng_below(&s->rng, s->profile == SLEEPY ? 2 : 4)) in->sp_sm = in->sp_warp = 0;
}

/* A slot of `slots`, or of all if `stray`, without those in `had`, which had an event in this
 * cycle. -1: there is none, or not now. */
static int pick(state_t *s, uint64_t slots, uint64_t *had, bool stray, unsigned rate) {
  const uint64_t from = (stray ? ~UINT64_C(0) : slots) & ~*had;
  if (!from || !chance8(&s->rng, rate)) return -1;
  unsigned slot = (unsigned)rng_bits(&s->rng, 6);
  while (!(from >> slot & 1)) slot = (slot + 1) % 64;
  *had |= UINT64_C(1) << slot;
  return (int)slot;
}

static bool stray(state_t *s) {
  return s->profile == STRAYS && chance8(&s->rng, 2);
}

/* Kind of the next instruction: warps that run long seldom end. */
static isa_kind_t kind(state_t *s) {
  if (runs_long(s)) return rng_below(&s->rng, 200) ? (isa_kind_t)(ISA_LD + rng_bits(&s->rng, 1)) : ISA_END;
  if (s->profile == FULL && rng_below(&s->rng, 8)) return rng_bits(&s->rng, 1) ? ISA_ALU : ISA_END;
  return (isa_kind_t)rng_below(&s->rng, ISA_ALU + 1);
}

static void fetched(state_t *s, nsu_warps_in_t *in) {
  uint64_t had = 0;
  int slot = pick(s, s->shadow.in_state[WARP_ASKED], &had, stray(s), s->profile == STEADY ? 8 : 6);
  if (slot < 0) return;
  in->d_valid = 1;
  in->d_slot = (unsigned)slot;
  in->d_kind = kind(s);
  in->d_there = chance8(&s->rng, s->profile == SLEEPY ? 1 : s->profile == STEADY ? 8 : 5);
  in->d_entry = rng_bits(&s->rng, 10);
  if (chance8(&s->rng, s->profile == SLEEPY ? 2 : s->profile == STEADY ? 0 : 1)) in->d_next = ISA_FETCH_MISS;
  if (s->profile == HALTS && rng_below(&s->rng, 16) == 0) in->d_next = (unsigned)rng_range(&s->rng, ISA_FETCH_HALT, 3);
}

static void units(state_t *s, nsu_warps_in_t *in) {
  const unsigned rate = s->profile == BUSY ? 1 : s->profile == STEADY ? 8 : 5;
  in->ex_ready = chance8(&s->rng, rate);
  in->ld_ready = chance8(&s->rng, rate);
  in->st_ready = chance8(&s->rng, rate);
  in->en_ready = chance8(&s->rng, rate);
  in->ack_zero = rng_next(&s->rng);
  if (s->profile == SLEEPY) in->ack_zero &= rng_next(&s->rng) & rng_next(&s->rng) & rng_next(&s->rng);
  if (s->profile == STEADY) in->ack_zero |= rng_next(&s->rng) | rng_next(&s->rng);
}

static void ends(state_t *s, nsu_warps_in_t *in) {
  const unsigned rate = s->profile == SLOW ? 1 : s->profile == STEADY ? 8 : 4;
  uint64_t had = 0, *way = s->under_way;
  const uint64_t constants = s->shadow.in_state[WARP_CONST];
  int slot;
  if ((slot = pick(s, way[0], &had, stray(s), rate)) >= 0) in->ex_done = 1, in->ex_done_slot = (unsigned)slot;
  if ((slot = pick(s, way[1] | constants, &had, stray(s), rate)) >= 0)
    in->ld_done = 1, in->ld_done_slot = (unsigned)slot;
  if ((slot = pick(s, constants, &had, stray(s), rate / 2 + 1)) >= 0)
    in->ld_miss = 1, in->ld_miss_slot = (unsigned)slot;
  if ((slot = pick(s, way[2], &had, stray(s), rate)) >= 0) in->st_done = 1, in->st_done_slot = (unsigned)slot;
  if ((slot = pick(s, s->shadow.in_state[WARP_LAST], &had, stray(s),
                   s->profile == FULL || s->profile == STRAYS ? 1 : rate)) >= 0)
    in->en_done = 1, in->en_done_slot = (unsigned)slot;
}

/* The id of a slot in `state`, or an id that differs in a bit. False:
 * no completion in this cycle. */
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
  in->rd_cpl_idx = rng_bits(&s->rng, 10);
  in->wr_cpl_idx = rng_bits(&s->rng, 10);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  nsu_warps_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  spawn(s, in);
  fetched(s, in);
  units(s, in);
  ends(s, in);
  wakes(s, in);
  nsu_warps_out_t now;
  nsu_warps_eval(&s->shadow, in, &now);
  const isa_kind_t going = now.go_valid ? s->shadow.slot[now.go_slot].kind : ISA_END;
  nsu_warps_step(&s->shadow, in);
  const unsigned unit = going == ISA_ALU ? 0 : going == ISA_ST ? 2 : 1;
  for (unsigned i = 0; i < 3; i++) s->under_way[i] &= s->shadow.busy;
  if (now.go_valid && going != ISA_END && going != ISA_LDC) s->under_way[unit] |= UINT64_C(1) << now.go_slot;
}

static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  const unsigned period = s->profile == CROWDED ? 15000 : 5000;
  bool now = cycle % period == period - 1;
  if (now) nsu_warps_reset(&s->shadow);
  if (now) memset(s->under_way, 0, sizeof s->under_way);
  return now;
}

STIM_DEFINE(nsu_warps, .reset = reset)
