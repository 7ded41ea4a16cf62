/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of fifo. `count` follows the words in the FIFO, because the outputs show a push or a pop
 * one cycle later. All profiles but abuse keep the rules of fifo.ports.
 */
#include "fifo.h"
#include "rng.h"
#include "stim.h"

enum { MIXED, FULL, EMPTY, WAVES, ABUSE };

/* mixed stays in the middle of a deep FIFO, so full and empty each have a profile.
 *  full: the last place is freed and filled again.
 *  empty: a pop in the cycle after a push.
 *  waves: the pointers wrap at every fill level.
 *  abuse: rules 3 to 5, what is dropped and the sticky flags; only resets clear these. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "pushes and pops half of the time, within the rules"},
    [FULL] = {"full", "nearly always full"},
    [EMPTY] = {"empty", "nearly always empty"},
    [WAVES] = {"waves", "fills up, then drains, with both at once in between"},
    [ABUSE] = {"abuse", "also pushes when full and pops when empty; resets clear the errors"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  bool filling;
  unsigned count; /* words in the fifo: the outputs show it only one cycle later */
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

typedef struct {
  unsigned push, pop; /* of 8 */
} rate_t;

/* Rates of this cycle; waves turns round when the FIFO is full or empty. */
static rate_t rate(state_t *s) {
  switch (s->profile) {
  case FULL: return (rate_t){8, 2};
  case EMPTY: return (rate_t){2, 8};
  case WAVES:
    if (s->count == Depth) s->filling = false;
    if (s->count == 0) s->filling = true;
    return s->filling ? (rate_t){7, 1} : (rate_t){1, 7};
  default: return (rate_t){4, 4};
  }
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  fifo_in_t *in = in_bytes;
  rate_t r = rate(s);
  (void)cycle;
  (void)out;
  in->push = rng_chance(&s->rng, r.push, 8);
  in->pop = rng_chance(&s->rng, r.pop, 8);
  if (s->profile != ABUSE) {
    if (s->count == Depth) in->push = 0;
    if (s->count == 0) in->pop = 0;
  }
  bool full = s->count == Depth, empty = s->count == 0;
  s->count += in->push && !full;
  s->count -= in->pop && !empty;
  rng_fill(&s->rng, in->wdata, Width);
}

static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  bool now = cycle % (s->profile == ABUSE ? 40 : 1000) == 39;
  if (now) s->count = 0;
  return now;
}

const stim_t fifo_stim = {
    .profiles = profiles,
    .num_profiles = 5,
    .state_size = sizeof(state_t),
    .init = init,
    .next = next,
    .reset = reset,
};
