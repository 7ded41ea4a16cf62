/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of tom_busy: links that carry much, little or nothing, and sums that end at the
 * threshold or beside it.
 */
#include "tom_busy.h"

#include "tom_stim.h"

enum { RATES, FULL, NEAR, LINKS, NOISE };

/* rates and full are seldom at the threshold.
 *  near, links: the sum of all links, or of each link, is at the threshold or one off.
 *  noise: limits above 100 and more flits than fit, which no link sends. */
static const stim_profile_t profiles[] = {
    [RATES] = {"rates", "each link's load is another in each window"},
    [FULL] = {"full", "every place is used, or every one but a few"},
    [NEAR] = {"near", "the sum of all links ends at the threshold, or one below or above it"},
    [LINKS] = {"links", "the sum of each link ends at the threshold, or one below or above it"},
    [NOISE] = {"noise", "any numbers and limits at any time, more flits than fit among them"},
};

/* Plan of the rest of a window for one direction. */
typedef struct {
  int64_t all;         /* NEAR: flits of all links */
  int64_t link[Links]; /* LINKS: flits of each link */
  unsigned rate[Links];
} plan_t;

STIM_STATE(tom_busy, plan_t tx; plan_t rx; unsigned limit;)

/* The least sum that is enough, or one less or more. */
static int64_t near(state_t *s, int64_t most) {
  const int64_t least = (s->limit * most + 99) / 100 + (int64_t)rng_below(&s->rng, 3) - 1;
  return least < 0 ? 0 : least > most ? most : least;
}

static void plan(state_t *s, plan_t *p) {
  const int64_t link = (Flits) * (Window);
  p->all = near(s, link * (Links));
  for (unsigned i = 0; i < Links; i++) {
    p->link[i] = near(s, link);
    p->rate[i] = (unsigned)rng_below(&s->rng, 9);
  }
}

static void begin_window(state_t *s) {
  static const unsigned often[] = {90, 50, 95, 100, 0, 1, 99, 101, 255, 128};
  s->limit = rng_bits(&s->rng, 1) ? often[rng_below(&s->rng, sizeof often / sizeof *often)]
                                  : (unsigned)rng_below(&s->rng, 101);
  if (s->profile == NEAR || s->profile == LINKS) s->limit = (unsigned)rng_below(&s->rng, 101);
  plan(s, &s->tx);
  plan(s, &s->rx);
}

/* Flits of this cycle, so that the rest of the plan still fits. `left`: flits of the plan that
 * are left; `room`: the most that can come after them. */
static unsigned part(state_t *s, int64_t left, int64_t room) {
  const int64_t least = left > room ? left - room : 0, most = left < (Flits) ? left : (Flits);
  if (rng_bits(&s->rng, 1)) return (unsigned)(rng_bits(&s->rng, 1) ? least : most);
  return (unsigned)rng_range(&s->rng, (uint64_t)least, (uint64_t)most);
}

static unsigned flits(state_t *s, plan_t *p, unsigned link) {
  const int64_t cycles = (Window)-1 - (int64_t)s->shadow.count; /* after this one */
  unsigned n;
  switch (s->profile) {
  case FULL: return rng_chance(&s->rng, 1, 4 * (Window)) ? (Flits)-1 : (Flits);
  case NEAR:
    n = part(s, p->all, cycles * (Links) * (Flits) + ((Links)-1 - (int64_t)link) * (Flits));
    p->all -= n;
    return n;
  case LINKS:
    n = part(s, p->link[link], cycles * (Flits));
    p->link[link] -= n;
    return n;
  case NOISE: return (unsigned)rng_bits(&s->rng, TOM_BUSY_FLIT_W);
  default: return chance8(&s->rng, p->rate[link]) ? (Flits) - (unsigned)rng_below(&s->rng, 2) : 0;
  }
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  tom_busy_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  if (!s->shadow.count) begin_window(s);
  for (unsigned i = 0; i < Links; i++) {
    bits_put(in->tx_flits, i * TOM_BUSY_FLIT_W, TOM_BUSY_FLIT_W, flits(s, &s->tx, i));
    bits_put(in->rx_flits, i * TOM_BUSY_FLIT_W, TOM_BUSY_FLIT_W, flits(s, &s->rx, i));
  }
  in->limit = s->profile == NOISE ? rng_bits(&s->rng, 8) : s->limit;
  tom_busy_step(&s->shadow, in);
}

STIM_DEFINE(tom_busy, .reset = reset)
