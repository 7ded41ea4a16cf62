/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of tom_map: warps that begin, access lines and end, in any order and often in one cycle.
 */
#include "tom_map.h"

#include "tom_stim.h"

enum { MIXED, ONE_WARP, LOCAL, LONG, FULL, OFF };

/* mixed seldom has two events of one warp; one-warp has them in most cycles.
 *  local: one address bit decides for a map.
 *  long: many accesses count once.
 *  full: all warps at a time.
 *  off: begins and ends while the block is off, and clear meets an end. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "all warps, any lines"},
    [ONE_WARP] = {"one-warp", "begins, accesses and ends of one or two warps, mostly in the same cycle"},
    [LOCAL] = {"local", "each instance's lines differ in one bit of the address, or in none"},
    [LONG] = {"long", "many accesses of an instance"},
    [FULL] = {"full", "instances of all warps, none of which ends for long"},
    [OFF] = {"off", "switched off and on, cleared in the midst of it all"},
};

STIM_STATE(tom_map, uint64_t base[Warps]; unsigned bit[Warps]; bool on, drains;)

static unsigned warp(state_t *s) {
  return (unsigned)(s->profile == ONE_WARP ? rng_below(&s->rng, 2) : rng_below(&s->rng, Warps));
}

/* A line of the warp: LOCAL lines differ from its base in one bit or in none. */
static uint64_t line(state_t *s, unsigned of) {
  enum { Bits = Maps - 1 + StackBits };
  if (s->profile != LOCAL) return tom_number(&s->rng, Bits);
  if (rng_chance(&s->rng, 1, 16))
    s->base[of] = rng_bits(&s->rng, Bits), s->bit[of] = (unsigned)rng_below(&s->rng, Bits);
  return s->base[of] ^ rng_bits(&s->rng, 1) << s->bit[of];
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  tom_map_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  if (rng_chance(&s->rng, 1, s->profile == OFF ? 20 : 500)) s->on = !s->on;
  if (rng_chance(&s->rng, 1, 300)) s->drains = !s->drains;
  in->on = s->on || s->profile == MIXED;
  in->clear = rng_chance(&s->rng, 1, s->profile == OFF ? 50 : 2000);
  in->beg_valid = rng_chance(&s->rng, 1, s->profile == LONG ? 40 : 2);
  in->beg_warp = warp(s);
  in->acc_valid = rng_chance(&s->rng, 7, 8);
  in->acc_warp = rng_bits(&s->rng, 1) ? in->beg_warp : warp(s);
  in->acc_addr = line(s, (unsigned)in->acc_warp);
  in->end_valid = rng_chance(&s->rng, 1, s->profile == LONG ? 40 : s->profile == FULL && !s->drains ? 1000 : 2);
  in->end_warp = rng_bits(&s->rng, 1) ? in->acc_warp : warp(s);
  in->rd_map = rng_bits(&s->rng, 2) ? rng_below(&s->rng, Maps) : rng_bits(&s->rng, 4);
}

STIM_DEFINE(tom_map)
