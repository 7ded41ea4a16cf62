/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of router_crit: epochs with planned numbers of stalls. trk_sent comes only where trk_req
 * is high, as router_output makes it. A shadow of the block tells where.
 */
#include "router_crit.h"

#include "router_stim.h"

enum { BORDER, BURST, AGEING, SHORT, SATURATED, LONG, NOISE };

/* Random stalls are seldom at the threshold: border plans them there and beside it.
 *  burst: the list overflows.
 *  ageing: a pair leaves after 2^HystBits epochs, or one too early or late.
 *  short: both ends of an epoch meet.
 *  saturated, long: counters at their end and in their high bits.
 *  noise: idle cycles, in which the model may sleep. */
static const stim_profile_t profiles[] = {
    [BORDER] = {"border", "equal counters, counters at TrackPct % of the highest and one beside it"},
    [BURST] = {"burst", "several trackers in a cycle, also at both ends of an epoch: more than the list holds"},
    [AGEING] = {"ageing", "few pairs, then about 2^HystBits epochs without a tracker"},
    [SHORT] = {"short", "epochs of one to four cycles, often back to back"},
    [SATURATED] =
        {"saturated",
         "stalls nearly all the time in long epochs, and about 2^HystBits of them in which no flit takes a tracker"},
    [LONG] = {"long", "as saturated, in epochs of up to hundreds of thousands of cycles: the counters' high bits"},
    [NOISE] = {"noise", "anything, and cycles without anything"},
};

/* Cycles of an epoch; chance of 64 that a tracker comes in a cycle. */
static const struct {
  unsigned least, most, trackers;
} plans[] = {
    [BORDER] = {.least = 20, .most = 260, .trackers = 6},    [BURST] = {.least = 5, .most = 40, .trackers = 24},
    [AGEING] = {.least = 3, .most = 5, .trackers = 16},      [SHORT] = {.least = 1, .most = 4, .trackers = 32},
    [SATURATED] = {.least = 10, .most = 400, .trackers = 3}, [LONG] = {.trackers = 3},
    [NOISE] = {.least = 1, .most = 80, .trackers = 8},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  router_crit_t shadow;   /* the block as it is in this cycle */
  unsigned left;          /* cycles of the epoch that are still to come */
  unsigned quiet;         /* epochs to come without trackers */
  unsigned held;          /* epochs to come in which no flit takes a tracker */
  unsigned stalls[Ports]; /* of an output in the rest of this epoch, beside CountStart */
} state_t;

/* The least number of stalls that makes TrackPct % of the highest counter. */
static unsigned threshold(unsigned highest) {
  uint64_t least = ((highest + UINT64_C(1) * CountStart) * TrackPct + 99) / 100;
  return least > CountStart ? (unsigned)(least - CountStart) : 0;
}

/* A highest count with a whole number as its TrackPct %, if the epoch is long enough. */
static unsigned plan_highest(rng_t *rng, unsigned cycles) {
  unsigned highest = (unsigned)rng_range(rng, 1, cycles);
  while (highest < cycles && (highest + UINT64_C(1) * CountStart) * TrackPct % 100) highest++;
  return highest;
}

/* Stalls of another output: 0, equal to the highest, at the threshold, beside it, or any. */
static unsigned plan_stalls(state_t *s, unsigned highest, unsigned cycles) {
  unsigned border = threshold(highest);
  switch (rng_below(&s->rng, 7)) {
  case 0: return 0;
  case 1:
  case 2: return highest;
  case 3: return border;
  case 4: return border ? border - 1 : 0;
  case 5: return border < cycles ? border + 1 : border;
  default: return (unsigned)rng_range(&s->rng, 0, highest);
  }
}

/* Epochs until an unused pair leaves the list, or one more or less. */
static unsigned until_gone(state_t *s) {
  static const int beside[] = {-1, 0, 0, 1};
  return (unsigned)((1 << HystBits) + beside[rng_below(&s->rng, 4)]);
}

static void plan_quiet(state_t *s) {
  if (s->quiet) s->quiet--;
  else if (s->profile == AGEING && rng_chance(&s->rng, 1, 8)) s->quiet = until_gone(s);
  if (s->held) s->held--;
  else if (s->profile == SATURATED && rng_chance(&s->rng, 1, 64)) s->held = until_gone(s) + 2;
}

static void plan_epoch(state_t *s) {
  unsigned cycles = (unsigned)rng_range(&s->rng, plans[s->profile].least, plans[s->profile].most);
  if (s->profile == LONG) cycles = (unsigned)rng_bits(&s->rng, (unsigned)rng_range(&s->rng, 10, 21)) + 1;
  unsigned highest = plan_highest(&s->rng, cycles), most = (unsigned)rng_below(&s->rng, Ports);
  if (s->profile == SHORT && rng_chance(&s->rng, 1, 2)) cycles = 1;
  plan_quiet(s);
  s->left = cycles;
  for (unsigned o = 0; o < Ports; o++) {
    s->stalls[o] = o == most ? highest : plan_stalls(s, highest, cycles);
    if ((s->profile == SATURATED || s->profile == LONG) && rng_chance(&s->rng, 3, 4))
      s->stalls[o] = cycles - (unsigned)rng_below(&s->rng, 3);
    if (s->profile == AGEING && o > 2) s->stalls[o] = 0;
    if (s->profile == NOISE && rng_chance(&s->rng, 1, 8)) s->stalls[o] = 0;
  }
}

/* Each output stalls in the planned number of cycles of the epoch, at random times. */
static uint64_t stall(state_t *s) {
  uint64_t stalled = 0;
  for (unsigned o = 0; o < Ports; o++) {
    if (!rng_chance(&s->rng, s->stalls[o], s->left)) continue;
    stalled |= UINT64_C(1) << o;
    s->stalls[o]--;
  }
  return stalled;
}

/* Trackers that come in this cycle; more at both ends of an epoch. */
static uint64_t trackers(state_t *s) {
  bool edge = s->left == 1 || s->shadow.start; /* the ends of an epoch */
  if (s->quiet || !rng_chance(&s->rng, plans[s->profile].trackers * (edge ? 2 : 1), 64)) return 0;
  if (s->profile == AGEING) return stim_one(&s->rng, 2);
  return s->profile == BURST || rng_chance(&s->rng, 1, 4) ? stim_set(&s->rng, Ports) : stim_one(&s->rng, Ports);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  router_crit_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  if (s->left == 0) plan_epoch(s);
  in->epoch = s->left == 1;
  in->stall = stall(s);
  in->trk_in = trackers(s);
  if (!s->held && (!s->quiet || rng_chance(&s->rng, 1, 400))) in->trk_sent = s->shadow.trk_req & rng_next(&s->rng);
  s->left--;
  router_crit_step(&s->shadow, in);
}

ROUTER_STIM_DEFINE(router_crit, s->profile == LONG ? 3000000 : 6000)
