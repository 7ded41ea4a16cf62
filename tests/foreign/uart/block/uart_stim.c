/* SPDX-License-Identifier: Apache-2.0 */
#include "rng.h"
#include "stim.h"
#include "uart.h"

enum { FRAMES, BROKEN, NOISE, MIXED };

static const stim_profile_t profiles[] = {
    [FRAMES] = {"frames", "good frames, one behind the other or with pauses"},
    [BROKEN] = {"broken", "frames of which many have no stop bit"},
    [NOISE] = {"noise", "short pulses that are no start bit"},
    [MIXED] = {"mixed", "any level for any time"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  uint64_t frame, bits, left; /* levels to come, the next one lowest; how many; cycles that the next one still lasts */
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

/* What the line does next. */
static void choose(state_t *s) {
  const bool stop = s->profile != BROKEN || rng_chance(&s->rng, 1, 2);
  s->frame = (rng_next(&s->rng) & 0xff) << 1 | (uint64_t)stop << 9 | 1 << 10;
  s->bits = 10 + rng_below(&s->rng, 2);
  s->left = CLKS_PER_BIT;
  if (s->profile != NOISE && (s->profile != MIXED || rng_chance(&s->rng, 1, 2))) return;
  s->frame = rng_next(&s->rng) & 3;
  s->bits = 2;
  s->left = 1 + rng_below(&s->rng, s->profile == NOISE ? CLKS_PER_BIT / 2 : 3 * CLKS_PER_BIT);
}

static void next(void *state, uint64_t cycle, const void *out, void *inputs) {
  state_t *s = state;
  uart_in_t *in = inputs;
  (void)cycle, (void)out;
  if (!s->bits) choose(s);
  in->rxd = s->frame & 1;
  if (--s->left == 0) s->frame >>= 1, s->bits--, s->left = CLKS_PER_BIT;
  in->tx_start = rng_chance(&s->rng, 1, 16);
  in->tx_data = rng_next(&s->rng) & 0xff;
}

static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  const bool now = rng_chance(&s->rng, 1, 2000) && cycle;
  if (now) s->bits = 0;
  return now;
}

const stim_t uart_stim = {
    .profiles = profiles,
    .num_profiles = sizeof profiles / sizeof *profiles,
    .state_size = sizeof(state_t),
    .init = init,
    .next = next,
    .reset = reset,
};
