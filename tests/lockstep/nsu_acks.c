/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_acks: writes and acknowledgements of slots. `count` follows the writes of each
 * slot that wait, so that only profile errors acknowledges too many.
 */
#include "nsu_acks.h"

#include "nsu_stim.h"

enum { MIXED, ONE_SLOT, ERRORS, DEEP };

/* mixed spreads writes over all slots, whose counts stay small.
 *  one-slot: both inputs meet one count at 0 and 1.
 *  deep: counts reach 2048, the most writes of a block.
 *  errors: acknowledgements of a count of 0 and of slots of NumWarps and more. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "writes and acknowledgements of all slots"},
    [ONE_SLOT] = {"one-slot", "both for one slot in one cycle, around zero"},
    [ERRORS] = {"errors", "acknowledgements that nothing waits for, slots out of range"},
    [DEEP] = {"deep", "one slot after the other up to the 2048 writes of a block and down again"},
};

enum { MOST = 64 * 32 }; /* stores of a block times lines of a store */

typedef struct {
  rng_t rng;
  unsigned profile;
  unsigned fill, drain; /* deep: slots that count up and down */
  bool down;
  unsigned count[NumWarps];
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  s->fill = s->drain = (unsigned)rng_below(&s->rng, NumWarps);
}

/* One slot counts up while the one before it counts down. A single slot does so in turn. */
static void deep(state_t *s, nsu_acks_in_t *in) {
  const unsigned next = (s->fill + 1) % NumWarps;
  const bool full = s->count[s->fill] == MOST, alone = next == s->fill;
  if (full) s->down = true;
  if (s->count[s->drain] == 0) s->down = false;
  if (full && !alone && (s->fill == s->drain || !s->down)) {
    s->drain = s->fill;
    s->fill = next;
  }
  in->inc_slot = s->fill;
  in->inc = s->count[s->fill] < MOST && rng_chance(&s->rng, alone && s->down ? 1 : 31, 32);
  in->dec_slot = rng_chance(&s->rng, 1, 64) ? s->fill : s->drain;
  in->dec = rng_chance(&s->rng, s->fill == s->drain && !s->down ? 1 : 31, 32);
}

static void mixed(state_t *s, nsu_acks_in_t *in) {
  bool few = s->profile == ONE_SLOT;
  in->inc_slot = few ? 0 : rng_below(&s->rng, NumWarps);
  in->inc = s->count[in->inc_slot] < (few ? 3 : MOST) && chance8(&s->rng, 4);
  in->dec_slot = few ? 0 : rng_below(&s->rng, NumWarps);
  if (s->profile == ERRORS && chance8(&s->rng, 2)) in->dec_slot = rng_bits(&s->rng, 6);
  in->dec = chance8(&s->rng, 4);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  nsu_acks_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  if (s->profile == DEEP) deep(s, in);
  else mixed(s, in);
  bool counted = in->dec_slot < NumWarps && s->count[in->dec_slot] > 0;
  if (!counted && s->profile != ERRORS) in->dec = 0;
  if (in->inc) s->count[in->inc_slot]++;
  if (in->dec && counted) s->count[in->dec_slot]--;
}

STIM_RESET

/* Resets are rarer in deep, whose counts take long to grow. */
static bool reset_sometimes(void *state, uint64_t cycle) {
  state_t *s = state;
  return (s->profile != DEEP || rng_below(&s->rng, 8) == 0) && reset(state, cycle);
}

STIM_DEFINE(nsu_acks, .reset = reset_sometimes)
