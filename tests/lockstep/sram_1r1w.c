/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of sram_1r1w: a read and a write in most cycles, with masks of lanes.
 */
#include "rng.h"
#include "sram_1r1w.h"
#include "stim.h"

enum { RANDOM, SAME, HOLD };

/* random seldom reads the row that is being written, if the memory has many rows.
 *  same: rules 2 and 3, the old row of such a read, with empty and full masks.
 *  hold: rd_data keeps its value while nothing is read, and after a reset. */
static const stim_profile_t profiles[] = {
    [RANDOM] = {"random", "reads and writes all over, random masks"},
    [SAME] = {"same", "reads of the row being written, few rows, full and empty masks"},
    [HOLD] = {"hold", "seldom a read, so that its answer has to last; resets in between"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

/* Lanes to write: all, none or random; same has all and none in two of three cycles. */
static void mask(state_t *s, uint32_t *words) {
  enum { LANES = Width / LaneBits };
  rng_fill(&s->rng, words, LANES);
  unsigned kind = (unsigned)rng_below(&s->rng, s->profile == SAME ? 3 : 6);
  for (unsigned i = 0; i < LANES; i += 32) {
    uint32_t all = LANES - i < 32 ? (1u << (LANES - i)) - 1 : ~0u;
    if (kind == 0) words[i / 32] = all;
    if (kind == 1) words[i / 32] = 0;
  }
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  sram_1r1w_in_t *in = in_bytes;
  uint64_t rows = s->profile == SAME && Depth > 2 ? 2 : Depth;
  (void)cycle;
  (void)out;
  in->wr_en = rng_chance(&s->rng, 3, 4);
  in->wr_addr = rng_below(&s->rng, rows);
  mask(s, in->wr_mask);
  rng_fill(&s->rng, in->wr_data, Width);
  in->rd_en = s->profile == HOLD ? rng_chance(&s->rng, 1, 8) : rng_chance(&s->rng, 3, 4);
  in->rd_addr = rng_chance(&s->rng, 1, s->profile == SAME ? 2 : 4) ? in->wr_addr : rng_below(&s->rng, rows);
}

static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  return s->profile == HOLD && cycle % 300 == 299;
}

const stim_t sram_1r1w_stim = {
    .profiles = profiles,
    .num_profiles = 3,
    .state_size = sizeof(state_t),
    .init = init,
    .next = next,
    .reset = reset,
};
