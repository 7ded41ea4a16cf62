/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of ofld_score: updates of blocks with properties of their own. The score of a block is
 * well on one side of zero, or beside zero.
 */
#include "ofld_score.h"

#include <string.h>

#include "rng.h"
#include "stim.h"

enum { MIXED, NEAR, ONE, EPOCHS, MOST, PROGRAMS, NOISE };
enum { MOST_MISSES = 4095, MOST_BYTES = 1048575, MOST_STORES = 127, MOST_REGS = 31, LINE_BYTES = 128 };

/* mixed changes verdicts now and then, but seldom has a score beside zero.
 *  near: a score of just zero, or one off.
 *  one and most: counts and sums saturate.
 *  epochs: refused blocks are admitted again.
 *  programs: clear meets an update under way.
 *  noise: any inputs. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "blocks of all kinds, some of which get worse and better again"},
    [NEAR] = {"near", "after an update its entry is just worth it, or just not"},
    [ONE] = {"one", "one block in every cycle, until its entry is full and beyond, another one now and then"},
    [EPOCHS] = {"epochs", "blocks that are not worth it, and epochs that end often: they are let in again and again"},
    [MOST] = {"most", "as much as can be told: sums at their ends"},
    [PROGRAMS] = {"programs", "another program now and then, most often while a verdict is on its way"},
    [NOISE] = {"noise", "anything at any time, also blocks without an entry"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  ofld_score_t shadow;
  unsigned block; /* NEAR, ONE: the block with most updates */
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  ofld_score_reset(&s->shadow);
  s->block = (unsigned)rng_below(&s->rng, Entries);
}

/* The block's entry when this cycle's update reaches it, with the update before it added. */
static ofld_measured_t before(const state_t *s, unsigned block) {
  ofld_measured_t e = s->shadow.entry[block];
  const ofld_update_t *came = &s->shadow.came;
  if (came->valid && came->block == block)
    e.n += came->sum.n, e.misses += came->sum.misses, e.hit_bytes += came->sum.hit_bytes;
  return e;
}

static uint64_t within(int64_t value, int64_t most) {
  return (uint64_t)(value < 0 ? 0 : value > most ? most : value);
}

/* Stores and registers of a block; they seldom differ, as they never do in a program. */
static void properties(state_t *s, ofld_score_in_t *in) {
  const unsigned block = (unsigned)in->upd_block;
  const bool odd = rng_chance(&s->rng, 1, 16);
  in->upd_stores = odd ? rng_bits(&s->rng, 7) : (block * 5 + 1) % 3;
  in->upd_regs = odd ? rng_bits(&s->rng, 5) : (block * 7 + 2) % 8;
}

/* Misses that make up for the cost of the registers, and bytes that take
 * the gain away, give or take one. */
static void near(state_t *s, ofld_score_in_t *in) {
  const ofld_measured_t e = before(s, (unsigned)in->upd_block);
  const int64_t less = (int64_t)in->upd_regs - (int64_t)in->upd_stores, odd = (int64_t)rng_below(&s->rng, 3) - 1;
  const int64_t spare = (Rule) ? (int64_t)rng_below(&s->rng, 4) : 0, target = less * (e.n + 1) + spare;
  in->upd_misses = within(target - e.misses + ((Rule) ? 0 : odd), MOST_MISSES);
  const int64_t lines = e.misses + (int64_t)in->upd_misses - less * (e.n + 1);
  in->upd_hit_bytes = (Rule) ? within(lines * LINE_BYTES + odd - e.hit_bytes, MOST_BYTES) : rng_bits(&s->rng, 20);
}

/* Misses and bytes of a usual update. The data of every fourth block are in no cache. */
static void some(state_t *s, ofld_score_in_t *in) {
  const bool bad = s->profile == EPOCHS || rng_chance(&s->rng, 1, 3);
  in->upd_misses = rng_below(&s->rng, bad ? 2 : 16);
  in->upd_hit_bytes = in->upd_block % 4 == 3 ? 0 : LINE_BYTES / 4 * rng_below(&s->rng, bad ? 64 : 4);
}

static void most(state_t *s, ofld_score_in_t *in) {
  in->upd_misses = rng_chance(&s->rng, 7, 8) ? MOST_MISSES : 0;
  in->upd_hit_bytes = rng_chance(&s->rng, 7, 8) ? MOST_BYTES : 0;
  in->upd_stores = rng_chance(&s->rng, 1, 2) ? MOST_STORES : 0;
  in->upd_regs = rng_chance(&s->rng, 1, 2) ? MOST_REGS : 0;
}

static void any_update(state_t *s, ofld_score_in_t *in) {
  in->upd_block = rng_next(&s->rng) & ((UINT64_C(1) << CLOG2(Entries)) - 1);
  in->upd_stores = rng_bits(&s->rng, 7);
  in->upd_regs = rng_bits(&s->rng, 5);
  in->upd_misses = rng_bits(&s->rng, 12) >> rng_below(&s->rng, 12);
  in->upd_hit_bytes = rng_bits(&s->rng, 20) >> rng_below(&s->rng, 20);
}

static unsigned choose(state_t *s) {
  const bool fills = s->profile == ONE || s->profile == MOST, alone = fills || s->profile == NEAR;
  if (rng_chance(&s->rng, 1, fills ? 16384 : alone ? 64 : 4)) s->block = (unsigned)rng_below(&s->rng, Entries);
  return alone && !rng_chance(&s->rng, 1, 16) ? s->block : (unsigned)rng_below(&s->rng, Entries);
}

static void update(state_t *s, ofld_score_in_t *in) {
  in->upd_valid = rng_chance(&s->rng, s->profile == ONE || s->profile == MOST ? 15 : 8, 16);
  in->upd_block = choose(s);
  properties(s, in);
  switch (s->profile) {
  case NOISE: any_update(s, in); break;
  case NEAR: near(s, in); break;
  case MOST: most(s, in); break;
  default: some(s, in); break;
  }
}

/* Verdicts are on their way. */
static bool busy(const state_t *s) {
  return s->shadow.judged.valid || s->shadow.summed.valid;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  ofld_score_in_t *in = in_bytes;
  (void)cycle, (void)out;
  update(s, in);
  in->epoch_end = rng_chance(&s->rng, 1, s->profile == EPOCHS ? 4 : s->profile == NOISE ? 8 : 100);
  in->clear = s->profile == PROGRAMS ? rng_chance(&s->rng, 1, busy(s) ? 64 : 512)
                                     : s->profile == NOISE && rng_chance(&s->rng, 1, 256);
  ofld_score_step(&s->shadow, in);
}

static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  const unsigned profile = s->profile;
  (void)cycle;
  if (!rng_chance(&s->rng, 1, profile == ONE || profile == MOST ? 20000 : 3000)) return false;
  const uint64_t seed = rng_next(&s->rng);
  memset(s, 0, sizeof *s);
  init(s, seed, profile);
  return true;
}

const stim_t ofld_score_stim = {
    .profiles = profiles,
    .num_profiles = sizeof profiles / sizeof *profiles,
    .state_size = sizeof(state_t),
    .init = init,
    .next = next,
    .reset = reset,
};
