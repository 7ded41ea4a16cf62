/* SPDX-License-Identifier: Apache-2.0
 *
 * The two formulas of the paper's section III-D with width codes: a code says how often W is
 * halved. Numbers in brackets are rules of the port file.
 */
#include "router_width.h"

#include <string.h>

#include "bits.h"

_Static_assert((uint64_t)(CountStart) >> (CountBits) == 0, "CountStart: less than 2^CountBits");

static const uint32_t most_credits = (uint32_t)((UINT64_C(1) << CountBits) - 1);
static const uint64_t bandwidth = EpochCycles; /* BW: flits that a link of width W carries an epoch */

enum { W, W_2, W_4, W_8 };

static uint32_t bit(unsigned port) {
  return UINT32_C(1) << port;
}

/* CountStart is 0 but in checks of the counters' high bits. */
static void start_counters(router_width_t *s) {
  for (unsigned o = 0; o < Ports; o++) s->probe_rate[o] = CountStart;
}

void router_width_reset(router_width_t *s) {
  memset(s, 0, sizeof *s);
  start_counters(s);
}

void router_width_eval(const router_width_t *s, const router_width_in_t *in, router_width_out_t *out) {
  (void)in;
  memset(out, 0, sizeof *out);
  out->off = s->off;
  for (unsigned o = 0; o < Ports; o++) {
    bits_put(out->width, 2 * o, 2, s->width[o]);
    bits_put(out->probe_rate, CountBits * o, CountBits, s->probe_rate[o]);
  }
}

/* The width of a critical output, from its stalls and flits in the last epoch [3]. */
static uint8_t critical_width(uint64_t stalls, uint64_t flit_rate) {
  if (stalls > flit_rate) return W;
  if (4 * flit_rate > bandwidth) return W;
  if (8 * flit_rate > bandwidth) return W_2;
  return W_4;
}

/* The width of any other output: one tier up or down, by its share of the highest stalls [3]. */
static uint8_t other_width(uint8_t width, uint64_t stalls, uint64_t highest) {
  if (100 * stalls > (uint64_t)WidthPct * highest) return width == W ? W : (uint8_t)(width - 1);
  return width == W_8 ? W_8 : (uint8_t)(width + 1);
}

/* A change shuts the link for Penalty cycles; a further change starts them again [4]. */
static void change_width(router_width_t *s, unsigned o, uint8_t width) {
  if (s->width[o] == width) return;
  s->width[o] = width;
  s->penalty[o] = Penalty;
  if (s->penalty[o] > 0) s->off |= bit(o);
}

/* Outputs that are no links between modules keep their width [5]. */
static void decide(router_width_t *s, uint64_t link, uint64_t crit_port, const uint32_t *latched) {
  uint64_t highest = 0;
  for (unsigned o = 0; o < Ports; o++)
    if (latched[o] > highest) highest = latched[o];
  for (unsigned o = 0; o < Ports; o++)
    if (link & bit(o))
      change_width(s, o,
                   crit_port & bit(o) ? critical_width(latched[o], s->flit_rate[o])
                                      : other_width(s->width[o], latched[o], highest));
}

/* One cycle of the penalty has passed. */
static void pass_penalty(router_width_t *s) {
  for (uint32_t left = s->off; left; left &= left - 1) {
    unsigned o = (unsigned)__builtin_ctz(left);
    if (--s->penalty[o] == 0) s->off &= ~bit(o);
  }
}

/* Counters stop at their highest value. */
static void count_credits(router_width_t *s, uint64_t cr_seen) {
  for (; cr_seen; cr_seen &= cr_seen - 1) {
    uint32_t *rate = &s->probe_rate[__builtin_ctzll(cr_seen)];
    if (*rate < most_credits) (*rate)++;
  }
}

void router_width_cycle(router_width_t *s, bool epoch, bool start, uint64_t link, uint64_t cr_seen, uint64_t crit_port,
                        const uint32_t *latched) {
  if (s->off) pass_penalty(s);
  if (start) decide(s, link, crit_port, latched); /* by the last epoch's FR, even if this cycle ends an epoch */
  count_credits(s, cr_seen);
  if (!epoch) return;
  memcpy(s->flit_rate, s->probe_rate, sizeof s->flit_rate);
  start_counters(s);
}

void router_width_step(router_width_t *s, const router_width_in_t *in) {
  uint32_t latched[Ports] = {0};
  if (in->start)
    for (unsigned o = 0; o < Ports; o++) latched[o] = (uint32_t)bits_get(in->latched, CountBits * o, CountBits);
  router_width_cycle(s, in->epoch, in->start, in->link, in->cr_seen, in->crit_port, latched);
}
