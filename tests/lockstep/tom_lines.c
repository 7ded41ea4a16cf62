/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of tom_lines: warps that write lines and end, and a receiver of their lists.
 */
#include "tom_lines.h"

#include "tom_stim.h"

enum { MIXED, FEW_WARPS, SAME_LINES, MANY_LINES, ENDS, CHOKED };

/* mixed spreads writes over all warps.
 *  few-warps: writes and ends of one warp in consecutive cycles.
 *  same-lines: one bit of a line decides.
 *  many-lines: a list is full and goes ahead.
 *  ends: empty lists.
 *  choked: lists wait while other warps go on. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "all warps, some lines again"},
    [FEW_WARPS] = {"few-warps", "two warps, pushes and ends of the same one in a row"},
    [SAME_LINES] = {"same-lines", "few lines, or such as differ in one bit: most are in the list already"},
    [MANY_LINES] = {"many-lines", "blocks that write more lines than a list has"},
    [ENDS] = {"ends", "blocks that write little or nothing"},
    [CHOKED] = {"choked", "lists are taken rarely"},
};

STIM_STATE(tom_lines, uint64_t base;)

static unsigned warp(state_t *s) {
  const unsigned few = (Warps) < 2 ? (Warps) : 2;
  return (unsigned)(s->profile == FEW_WARPS ? (Warps)-1 - rng_below(&s->rng, few)
                                            : rng_below(&s->rng, s->profile == MANY_LINES ? few : (Warps)));
}

/* A line near a base that changes now and then, or any line. */
static uint64_t line(state_t *s) {
  const uint64_t all = bits_ones(LineBits);
  if (rng_chance(&s->rng, 1, 64)) s->base = tom_number(&s->rng, LineBits);
  switch (s->profile) {
  case SAME_LINES:
    return rng_bits(&s->rng, 1) ? (s->base ^ UINT64_C(1) << rng_below(&s->rng, LineBits))
                                : (s->base + rng_below(&s->rng, 3)) & all;
  case MANY_LINES: return rng_bits(&s->rng, LineBits);
  default: return (s->base + rng_below(&s->rng, 2 * (Lines))) & all;
  }
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  tom_lines_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  in->push_valid = rng_chance(&s->rng, s->profile == ENDS ? 2 : 7, 8);
  in->push_warp = warp(s);
  in->push_line = line(s);
  in->end_valid = rng_chance(&s->rng, 1, s->profile == ENDS ? 2 : s->profile == MANY_LINES ? 64 : 12);
  in->end_warp = rng_bits(&s->rng, 1) ? in->push_warp : warp(s);
  in->list_ready = rng_chance(&s->rng, 1, s->profile == CHOKED ? 30 : 2);
  tom_lines_step(&s->shadow, in);
}

STIM_DEFINE(tom_lines, .reset = reset)
