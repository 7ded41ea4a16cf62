/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of ofld_ratio: a machine whose throughput depends on the ratio, or epochs whose sums
 * have a chosen relation to the sum of the epoch before.
 */
#include "ofld_ratio.h"

#include <string.h>

#include "rng.h"
#include "stim.h"

enum { CLIMB, SINK, PEAK, NEAR, WORSE, NOISE, FLOOD };
enum { MOST_TOLD = 65535 };

/* climb, sink and peak close the loop as a machine does: the ratio reaches both ends and
 * oscillates.
 *  near: equal sums, and sums that differ in one bit, test the comparison.
 *  worse: every epoch reverses the direction.
 *  flood: sums saturate.
 *  noise: pauses within an epoch. */
static const stim_profile_t profiles[] = {
    [CLIMB] = {"climb", "the more is offloaded the better: up to all, and back from there"},
    [SINK] = {"sink", "the less is offloaded the better: down to nothing"},
    [PEAK] = {"peak", "best at a half, with some noise; launches with pauses between"},
    [NEAR] = {"near", "an epoch's sum is that of the one before, or differs in one bit"},
    [WORSE] = {"worse", "each epoch is worse than the one before until nothing is left: reversals alone"},
    [NOISE] = {"noise", "anything at any time"},
    [FLOOD] = {"flood", "as much as can be told in most cycles, while not much runs: sums stay at their end"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  ofld_ratio_t shadow;
  uint64_t want; /* NEAR, WORSE: sum of this epoch */
  unsigned noise, pause;
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  ofld_ratio_reset(&s->shadow);
  s->want = rng_below(&s->rng, EpochCycles) + rng_below(&s->rng, MOST_TOLD);
}

/* Instructions of a cycle as a function of the ratio. */
static unsigned throughput(const state_t *s) {
  const unsigned ratio = s->shadow.ratio;
  switch (s->profile) {
  case CLIMB: return 20 * (1 + ratio);
  case SINK: return 20 * (21 - ratio);
  default: return 20 * (11 - (ratio > 10 ? ratio - 10 : 10 - ratio)) + s->noise;
  }
}

/* Plans the epoch that begins from the sum of the one before. */
static void new_epoch(state_t *s) {
  const uint64_t sum = s->shadow.cur, bit = UINT64_C(1) << rng_below(&s->rng, CountBits);
  s->noise = (unsigned)rng_below(&s->rng, 50);
  if (s->profile == NEAR) s->want = rng_chance(&s->rng, 1, 4) ? sum : sum ^ bit;
  if (s->profile == WORSE)
    s->want = sum ? sum - 1 - rng_below(&s->rng, sum / 20 + 1) : (uint64_t)(EpochCycles)*rng_below(&s->rng, MOST_TOLD);
}

/* Tells the missing instructions of the epoch's sum, as many as a cycle can. */
static void towards(state_t *s, ofld_ratio_in_t *in) {
  const uint64_t left = s->want > s->shadow.count ? s->want - s->shadow.count : 0;
  in->done_valid = left != 0;
  in->done_instrs = left < MOST_TOLD ? left : MOST_TOLD;
  in->run = !rng_chance(&s->rng, 1, 64);
}

static void any(state_t *s, ofld_ratio_in_t *in) {
  in->run = rng_bits(&s->rng, 1);
  in->done_valid = rng_bits(&s->rng, 1);
  in->done_instrs = rng_bits(&s->rng, 16) >> rng_below(&s->rng, 16);
}

/* Runs with the throughput of the ratio; peak pauses now and then, as between launches. */
static void machine(state_t *s, ofld_ratio_in_t *in) {
  if (s->pause) s->pause--;
  else if (s->profile == PEAK && rng_chance(&s->rng, 1, 50)) s->pause = 1 + (unsigned)rng_below(&s->rng, 40);
  in->run = !s->pause;
  in->done_valid = in->run;
  in->done_instrs = throughput(s);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  ofld_ratio_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  if (s->shadow.ended) new_epoch(s);
  switch (s->profile) {
  case NEAR:
  case WORSE: towards(s, in); break;
  case NOISE: any(s, in); break;
  case FLOOD:
    in->run = rng_chance(&s->rng, 3, 8);
    in->done_valid = 1;
    in->done_instrs = rng_chance(&s->rng, 1, 4) ? rng_bits(&s->rng, 16) : MOST_TOLD;
    break;
  default: machine(s, in); break;
  }
  ofld_ratio_step(&s->shadow, in);
}

/* Resets are rare, so that several epochs pass and a sum can saturate. */
static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  const unsigned profile = s->profile;
  (void)cycle;
  if (!rng_chance(&s->rng, 1, 50 * (uint64_t)(EpochCycles) + 2000)) return false;
  const uint64_t seed = rng_next(&s->rng);
  memset(s, 0, sizeof *s);
  init(s, seed, profile);
  return true;
}

const stim_t ofld_ratio_stim = {
    .profiles = profiles,
    .num_profiles = sizeof profiles / sizeof *profiles,
    .state_size = sizeof(state_t),
    .init = init,
    .next = next,
    .reset = reset,
};
