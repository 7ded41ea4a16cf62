/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of router_level. Packets and ranks stay for a while. At most one flit leaves for an
 * output in a cycle.
 */
#include "router_level.h"

#include "router_stim.h"
#include "router_vc.h"

enum { STARVE, TAKE_TURNS, QUEUE, MISSED, NOBODY_WAITS, STRAY, NOISE };

/* Rules 3 to 7 need long histories, which random grants rarely make.
 *  starve: count reaches Bound and stays, because no flit of level 0 leaves.
 *  take-turns: such a flit leaves when the output is fair.
 *  queue: the turn passes several requesters and the last input VC.
 *  missed: another one leaves.
 *  nobody-waits: count goes back to 0.
 *  stray: rank 0 of no output.
 *  noise: grants without a request. */
static const stim_profile_t profiles[] = {
    [STARVE] = {"starve",
                "prioritised flits leave again and again while others wait: the count gets to Bound and stays"},
    [TAKE_TURNS] = {"take-turns",
                    "as the bound would have it: when an output is fair, one of level 0 leaves, sometimes later"},
    [QUEUE] =
        {"queue",
         "who asks goes on asking until its flit leaves, and who has the turn leaves soon: turns go round among several, and around the end"},
    [MISSED] =
        {"missed",
         "as queue, but who has the turn seldom leaves: others do, or it asks no more, and the turn is another's"},
    [NOBODY_WAITS] = {"nobody-waits", "prioritised flits leave, and seldom one of level 0 asks"},
    [STRAY] = {"stray", "packets for ports that are not there"},
    [NOISE] = {"noise", "everything new in every cycle; flits leave that did not ask"},
};

enum { IVCS = Ports * VCS };

typedef struct {
  rng_t rng;
  unsigned profile;
  unsigned left;   /* cycles for which packets and ranks stay */
  unsigned turn;   /* chance of 16 that a flit of level 0 leaves before prioritised ones */
  uint64_t queued; /* QUEUE, MISSED: input VCs that ask until they leave */
  uint32_t rank[PORT_WORDS(Ports * Ports * 7)], out_port[PORT_WORDS(FLIT_route_W * IVCS)],
      hops[PORT_WORDS(FLIT_hops_W * IVCS)];
} state_t;

static unsigned port_of(const state_t *s, unsigned i) {
  return (unsigned)bits_get(s->out_port, FLIT_route_W * i, FLIT_route_W);
}

static bool prioritised(const state_t *s, unsigned i) {
  unsigned op = port_of(s, i), v = i % VCS;
  if (op < Ports && bits_get(s->rank, 7 * (i / VCS * Ports + op), 7)) return true;
  return vc_is_priority(v) || (Dist && bits_get(s->hops, FLIT_hops_W * i, FLIT_hops_W));
}

static void plan(state_t *s) {
  s->left = s->profile == NOISE ? 1 : (unsigned)rng_range(&s->rng, 1, rng_bits(&s->rng, 1) ? 20 : 3 * Bound + 20);
  s->turn = rng_bits(&s->rng, 1) ? 0 : (unsigned)rng_below(&s->rng, 8);
  unsigned listed = (unsigned)rng_below(&s->rng, 5), far = (unsigned)rng_below(&s->rng, 5); /* of 4 */
  for (unsigned pair = 0; pair < Ports * Ports; pair++)
    bits_put(s->rank, 7 * pair, 7, rng_chance(&s->rng, listed, 4) ? rng_bits(&s->rng, 7) : 0);
  for (unsigned i = 0; i < IVCS; i++)
    bits_put(s->hops, FLIT_hops_W * i, FLIT_hops_W, rng_chance(&s->rng, far, 4) ? rng_bits(&s->rng, FLIT_hops_W) : 0);
  stim_out_ports(&s->rng, s->out_port, IVCS, Ports, s->profile == STRAY);
}

static bool queues(const state_t *s) {
  return s->profile == QUEUE || s->profile == MISSED;
}

static uint64_t asking(state_t *s) {
  if (queues(s))
    return s->queued = (rng_bits(&s->rng, 3) ? s->queued : s->queued & stim_set(&s->rng, IVCS)) |
                       (stim_set(&s->rng, IVCS) & rng_next(&s->rng));
  uint64_t asks = stim_set(&s->rng, IVCS);
  if (s->profile == STARVE || s->profile == TAKE_TURNS) asks |= stim_set(&s->rng, IVCS) | stim_set(&s->rng, IVCS);
  if (s->profile != NOBODY_WAITS) return asks;
  for (unsigned i = 0; i < IVCS; i++)
    if (!prioritised(s, i) && !rng_chance(&s->rng, 1, 64)) asks &= ~(UINT64_C(1) << i);
  return asks;
}

/* One of the candidates for output o. Prioritised ones go first, but for `turn` and, in TAKE_TURNS,
 * when the output is fair. */
static uint64_t leaver(state_t *s, unsigned o, uint64_t candidates, bool fair) {
  uint64_t high = 0, low = 0;
  for (unsigned i = 0; i < IVCS; i++) {
    if (!(candidates >> i & 1) || port_of(s, i) != o) continue;
    if (prioritised(s, i)) high |= UINT64_C(1) << i;
    else low |= UINT64_C(1) << i;
  }
  bool low_first = rng_chance(&s->rng, s->turn, 16) || (s->profile == TAKE_TURNS && fair && rng_bits(&s->rng, 1));
  uint64_t set = (low_first && low) || !high ? low : high;
  for (uint64_t skip = rng_below(&s->rng, (unsigned)__builtin_popcountll(set) + 1); skip > 1; skip--) set &= set - 1;
  return set & (0 - set);
}

/* The input VC that had the turn at output o in the last cycle, if it may leave now; else 0. */
static uint64_t turn_of(const state_t *s, const router_level_out_t *out, unsigned o, uint64_t candidates) {
  for (uint64_t left = out->fair >> o & 1 ? candidates : 0; left; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctzll(left);
    if (port_of(s, i) == o && bits_get(out->level, 12 * i, 12) == 1) return UINT64_C(1) << i;
  }
  return 0;
}

/* The flit that leaves for output o. With QUEUE the turn mostly leaves,
 * with MISSED mostly another one. */
static uint64_t leaves(state_t *s, const router_level_out_t *out, unsigned o, uint64_t candidates) {
  uint64_t turn = queues(s) ? turn_of(s, out, o, candidates) : 0;
  bool goes = rng_chance(&s->rng, 1, 4) == (s->profile == MISSED);
  if (turn && goes) return turn;
  return leaver(s, o, candidates & ~turn, out->fair >> o & 1);
}

static void next(void *state, uint64_t cycle, const void *out_bytes, void *in_bytes) {
  state_t *s = state;
  const router_level_out_t *out = out_bytes;
  router_level_in_t *in = in_bytes;
  (void)cycle;
  if (s->left == 0) plan(s);
  s->left--;
  memcpy(in->rank, s->rank, sizeof in->rank);
  memcpy(in->out_port, s->out_port, sizeof in->out_port);
  memcpy(in->hops, s->hops, sizeof in->hops);
  in->asks = asking(s);
  uint64_t candidates = s->profile == NOISE ? stim_set(&s->rng, IVCS) : in->asks;
  for (unsigned o = 0; o < Ports; o++)
    if (rng_chance(&s->rng, 7, 8)) in->sa_gnt |= leaves(s, out, o, candidates);
  s->queued &= ~in->sa_gnt;
}

ROUTER_STIM_DEFINE(router_level, 6000)
