/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of track_table: writes, moves and clears, and look-ups of registers that changed lately.
 */
#include "track_table.h"

#include "block_stim.h"

enum { MIXED, COLLIDE, FILL, WARP, BEYOND };

/* mixed spreads updates, so that two rarely meet in one register.
 *  collide: write, move and clear of one register in one cycle.
 *  fill: second copies disappear.
 *  warp: all registers of a warp keep their state for long, which random updates do not allow.
 *  beyond: numbers that have no row; the block ignores their updates. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "writes, moves, rare clears; look-ups of what was changed lately"},
    [COLLIDE] = {"collide", "one warp, two registers: updates of one register in one cycle, in every pair"},
    [FILL] = {"fill", "writes alone: the table loses nearly all of its second copies"},
    [WARP] = {"warp",
              "one warp after the other: all its registers are written, seldom copied, and looked at again and again"},
    [BEYOND] = {"beyond", "warps and registers at the ends of the table and beyond"},
};

enum { RECENT = 8 };

typedef struct {
  rng_t rng;
  unsigned profile, at, warp_now; /* profile warp */
  uint8_t warp[RECENT], reg[RECENT];
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  s->warp_now = (unsigned)rng_below(&s->rng, Warps);
}
STIM_RESET

static uint64_t any_warp(state_t *s) {
  if (s->profile == COLLIDE) return Warps - 1;
  if (s->profile == WARP && !rng_chance(&s->rng, 1, 32)) return s->warp_now;
  if (s->profile == BEYOND) return chance8(&s->rng, 4) ? rng_bits(&s->rng, 6) : (Warps - 1 + rng_bits(&s->rng, 1)) & 63;
  return rng_below(&s->rng, Warps);
}

static uint64_t any_reg(state_t *s) {
  if (s->profile == COLLIDE) return rng_bits(&s->rng, 1) * (Regs - 1);
  if (s->profile == BEYOND) return chance8(&s->rng, 4) ? rng_bits(&s->rng, 8) : (Regs - 1 + rng_bits(&s->rng, 1)) & 255;
  return rng_below(&s->rng, Regs);
}

static void remember(state_t *s, uint64_t warp, uint64_t reg) {
  s->warp[s->at] = (uint8_t)warp;
  s->reg[s->at] = (uint8_t)reg;
  s->at = (s->at + 1) % RECENT;
}

/* Mostly registers of a warp that changed lately. */
static void look_up(state_t *s, track_table_in_t *in) {
  in->lk_warp = chance8(&s->rng, 6) ? s->warp[rng_below(&s->rng, RECENT)] : any_warp(s);
  for (unsigned i = 0; i < TRACK_TABLE_LOOKUPS; i++) {
    uint64_t reg = s->profile != WARP && chance8(&s->rng, 6) ? s->reg[rng_below(&s->rng, RECENT)] : any_reg(s);
    in->lk_regs |= reg << 8 * i;
  }
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  static const unsigned write[] = {[MIXED] = 4, [COLLIDE] = 5, [FILL] = 8, [WARP] = 7, [BEYOND] = 4};
  static const unsigned move[] = {[MIXED] = 2, [COLLIDE] = 5, [FILL] = 0, [WARP] = 1, [BEYOND] = 4};
  static const unsigned clear_of_512[] = {[MIXED] = 8, [COLLIDE] = 128, [FILL] = 0, [WARP] = 2, [BEYOND] = 32};
  state_t *s = state;
  track_table_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  if (s->profile == WARP && rng_chance(&s->rng, 1, 200)) s->warp_now = (s->warp_now + 1) % Warps;
  look_up(s, in);
  in->wr_valid = chance8(&s->rng, write[s->profile]);
  if (in->wr_valid) remember(s, in->wr_warp = any_warp(s), in->wr_reg = any_reg(s));
  in->wr_near = in->wr_valid && rng_bits(&s->rng, 1);
  in->mv_valid = chance8(&s->rng, move[s->profile]);
  if (in->mv_valid) remember(s, in->mv_warp = any_warp(s), in->mv_reg = any_reg(s));
  in->mv_near = in->mv_valid && rng_bits(&s->rng, 1);
  in->clear_valid = rng_chance(&s->rng, clear_of_512[s->profile], 512);
  if (in->clear_valid) in->clear_warp = any_warp(s);
}

STIM_DEFINE(track_table, .reset = reset)
