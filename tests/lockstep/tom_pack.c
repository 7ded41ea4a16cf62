/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of tom_pack: requests, a register file, and a receiver that returns places. All profiles
 * but faults return no more places than beats were sent.
 */
#include "tom_pack.h"

#include "tom_stim.h"

enum { MIXED, STREAM, CHOKED, ALL, NONE, FAULTS };

/* mixed leaves pauses.
 *  stream: requests follow each other without a pause.
 *  choked: a beat waits for its place.
 *  all, none: the longest and the shortest requests, and the last register.
 *  faults: more places than there are. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "requests of some registers, places come back at different rates"},
    [STREAM] = {"stream", "requests without a pause, places come back at once"},
    [CHOKED] = {"choked", "places come back rarely"},
    [ALL] = {"all", "all registers, or all but one, or the last"},
    [NONE] = {"none", "requests without registers, or with one"},
    [FAULTS] = {"faults", "more credits than places"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  tom_pack_t shadow;
  unsigned owed; /* places of beats that came and that the receiver has not returned */
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  tom_pack_reset(&s->shadow);
}

static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  const unsigned profile = s->profile;
  (void)cycle;
  if (!rng_chance(&s->rng, 1, profile == FAULTS ? 100 : 5000)) return false;
  const uint64_t seed = rng_next(&s->rng);
  memset(s, 0, sizeof *s);
  init(s, seed, profile);
  return true;
}

/* A set of registers, often small; its highest register may be any. */
static uint64_t some_registers(state_t *s) {
  const uint64_t some = rng_next(&s->rng) & rng_next(&s->rng) & (rng_bits(&s->rng, 1) ? rng_next(&s->rng) : UINT64_MAX);
  return rng_bits(&s->rng, 3) ? some >> rng_bits(&s->rng, 6) : 0;
}

static uint64_t registers(state_t *s) {
  switch (s->profile) {
  case ALL:
    return rng_bits(&s->rng, 1)   ? UINT64_MAX
           : rng_bits(&s->rng, 1) ? ~(UINT64_C(1) << rng_bits(&s->rng, 6))
                                  : UINT64_C(1) << 63;
  case NONE: return rng_bits(&s->rng, 1) ? 0 : UINT64_C(1) << rng_bits(&s->rng, 6);
  default: return some_registers(s);
  }
}

static void go(state_t *s, tom_pack_in_t *in) {
  in->go_valid = rng_chance(&s->rng, s->profile == MIXED ? 1 : 4, 4);
  in->go_warp = rng_below(&s->rng, Warps);
  in->go_stack = rng_bits(&s->rng, TOM_STACK_W);
  in->go_pc = rng_bits(&s->rng, META_pc_W);
  in->go_exit = rng_bits(&s->rng, META_exit_W);
  in->go_mask = stim_mask(&s->rng);
  in->go_in = registers(s);
  in->go_out = rng_next(&s->rng);
}

static void credit(state_t *s, tom_pack_in_t *in) {
  static const unsigned of_16[] = {[MIXED] = 8, [STREAM] = 16, [CHOKED] = 1, [ALL] = 15, [NONE] = 6, [FAULTS] = 8};
  if (s->shadow.out.valid) s->owed++;
  in->credit = s->owed && rng_chance(&s->rng, of_16[s->profile], 16);
  if (s->profile == FAULTS && rng_chance(&s->rng, 1, 30)) in->credit = 1;
  if (in->credit && s->owed) s->owed--;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  tom_pack_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  go(s, in);
  credit(s, in);
  rng_fill(&s->rng, in->rd_data, TOM_ROW_BITS);
  tom_pack_step(&s->shadow, in);
}

STIM_DEFINE(tom_pack, .reset = reset)
