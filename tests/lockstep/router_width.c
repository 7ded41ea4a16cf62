/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of router_width: epochs with planned numbers of credits. When start comes, stalls are at
 * the borders of both rules or beside them.
 */
#include "router_width.h"

#include "bits.h"
#include "router_stim.h"

enum { BORDER, CRITICAL, DOWN_UP, SHORT, SATURATED, LONG, NOISE };

/* Random counts are seldom at a border: border plans credits and stalls there and beside it.
 *  critical: links on the list, and ports without a link.
 *  down-up: every width on the way down and up.
 *  short: penalties restart, and epoch meets start.
 *  saturated, long: counters at their end and in high bits. */
static const stim_profile_t profiles[] = {
    [BORDER] =
        {"border",
         "credits at EpochCycles / 4 and / 8, stalls at FR and at WidthPct % of the highest, and one beside them"},
    [CRITICAL] = {"critical", "critical links of few and of many credits, some ports that are no links"},
    [DOWN_UP] = {"down-up", "some epochs without stalls, then some with: down to W/8 and up to W"},
    [SHORT] = {"short", "decisions in nearly every cycle: penalties begin anew, and epoch and start come together"},
    [SATURATED] = {"saturated", "credits nearly all the time in long epochs"},
    [LONG] =
        {"long",
         "epochs of up to hundreds of thousands of cycles: counts beyond a quarter of the bandwidth, and their high bits"},
    [NOISE] = {"noise", "inputs without rhyme or reason"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  unsigned left;           /* cycles of the epoch that are still to come */
  unsigned cycles;         /* of the epoch */
  uint64_t credits[Ports]; /* of an output in the rest of this epoch, beside CountStart */
  uint64_t rate[Ports];    /* of an output in the last epoch: FR, unless the count saturated */
  uint64_t link, crit_port;
  bool start, rising;
} state_t;

static uint64_t beside(rng_t *rng, uint64_t border) {
  uint64_t value = border + rng_below(rng, 3);
  return value ? value - 1 : 0;
}

static uint64_t above_start(uint64_t count) {
  return count > CountStart ? count - CountStart : 0;
}

/* Cycles of the next epoch; long enough for FR of a quarter of the
 * bandwidth, if that is feasible. */
static unsigned plan_cycles(state_t *s) {
  uint64_t quarter = above_start(EpochCycles / 4) + 4;
  switch (s->profile) {
  case SHORT: return (unsigned)rng_range(&s->rng, 1, 3);
  case NOISE: return (unsigned)rng_range(&s->rng, 1, 40);
  case SATURATED: return (unsigned)rng_range(&s->rng, 10, 300);
  case LONG: return (unsigned)rng_bits(&s->rng, (unsigned)rng_range(&s->rng, 10, 21)) + 1;
  case DOWN_UP: return (unsigned)rng_range(&s->rng, 2, 2 * (Penalty < 40 ? Penalty : 40) + 8);
  default:
    if (quarter < 300 || (quarter < 100000 && rng_chance(&s->rng, 1, 64)))
      return (unsigned)(quarter + rng_below(&s->rng, 40));
    return (unsigned)rng_range(&s->rng, 20, 300);
  }
}

static uint64_t plan_credits(state_t *s, unsigned cycles) {
  uint64_t planned;
  switch (rng_below(&s->rng, 5)) {
  case 0: planned = above_start(beside(&s->rng, EpochCycles / 4)); break;
  case 1: planned = above_start(beside(&s->rng, EpochCycles / 8)); break;
  case 2: planned = rng_below(&s->rng, 4); break;
  case 3: planned = cycles; break;
  default: planned = rng_range(&s->rng, 0, cycles); break;
  }
  if ((s->profile == SATURATED || s->profile == LONG) && rng_chance(&s->rng, 3, 4))
    planned = cycles - rng_below(&s->rng, 3);
  return planned < cycles ? planned : cycles;
}

static void plan_epoch(state_t *s) {
  s->left = s->cycles = plan_cycles(s);
  for (unsigned o = 0; o < Ports; o++) s->rate[o] = CountStart + (s->credits[o] = plan_credits(s, s->left));
  if (rng_chance(&s->rng, 1, 8)) s->rising = !s->rising;
  if (rng_chance(&s->rng, 1, 4)) s->crit_port = s->profile == DOWN_UP ? 0 : stim_set(&s->rng, Ports);
  if (rng_chance(&s->rng, 1, 16)) s->link = stim_set(&s->rng, Ports);
}

static uint64_t credits_seen(state_t *s) {
  uint64_t seen = 0;
  for (unsigned o = 0; o < Ports; o++) {
    if (!rng_chance(&s->rng, s->credits[o], s->left)) continue;
    seen |= UINT64_C(1) << o;
    s->credits[o]--;
  }
  return seen;
}

/* Stalls of an output: 0, beside its rate, at the percentage of the highest, beside it, or any. */
static uint64_t stalls(state_t *s, uint64_t highest, uint64_t rate) {
  uint64_t most = bits_ones(CountBits), value;
  if (s->profile == DOWN_UP) return s->rising ? highest : 0;
  switch (rng_below(&s->rng, 6)) {
  case 0: value = 0; break;
  case 1: value = beside(&s->rng, rate); break;
  case 2: value = highest * WidthPct / 100; break;
  case 3: value = beside(&s->rng, highest * WidthPct / 100); break;
  case 4: value = highest; break;
  default: value = rng_range(&s->rng, 0, most); break;
  }
  return value < most ? value : most;
}

/* The latched stalls of all outputs. Now and then WidthPct % of the highest is a whole number. */
static void latched(state_t *s, const uint64_t *rate, uint32_t *vector) {
  uint64_t most = bits_ones(CountBits), highest = rng_bits(&s->rng, (unsigned)rng_range(&s->rng, 1, CountBits));
  uint64_t round = highest / 100 * 100 + 100;
  if (rng_chance(&s->rng, 1, 4)) highest = most;
  else if (rng_chance(&s->rng, 1, 2) && round <= most) highest = round;
  else if (rng_chance(&s->rng, 1, 2) && most > 10) highest = 10;
  unsigned top = (unsigned)rng_below(&s->rng, Ports);
  for (unsigned o = 0; o < Ports; o++) {
    uint64_t value = stalls(s, highest, rate[o]);
    bits_put(vector, CountBits * o, CountBits, o == top && s->profile != DOWN_UP && value < highest ? highest : value);
  }
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  router_width_in_t *in = in_bytes;
  uint64_t rate[Ports]; /* of the epoch that ended */
  (void)out;
  if (cycle == 0 || !s->cycles) s->link = stim_all(Ports);
  memcpy(rate, s->rate, sizeof rate);
  if (s->left == 0) plan_epoch(s);
  in->start = s->profile == NOISE ? rng_chance(&s->rng, 1, 4) : s->start;
  in->epoch = s->left == 1;
  in->link = s->link;
  in->crit_port = s->crit_port;
  in->cr_seen = credits_seen(s);
  if (in->start || rng_chance(&s->rng, 1, 8)) latched(s, rate, in->latched);
  s->left--;
  s->start = in->epoch;
}

ROUTER_STIM_DEFINE(router_width, s->profile == LONG ? 3000000 : s->profile == NOISE ? 300 : 6000)
