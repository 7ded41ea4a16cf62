/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of router_swalloc: requests of the input VCs, each with an output, a level and a
 * speculative flag.
 */
#include "router_swalloc.h"

#include "router_stim.h"

enum { FULL, SPEC_ONLY, SPEC_MIXED, LEVELS, PAIRS, BUSY, STRAY, HOLD, NOISE };

/* full shows the turns among equals. spec-only and spec-mixed show that speculation loses.
 *  levels, pairs: one bit of a level decides; pairs leaves out no pair of bits.
 *  busy: outputs that grant nothing.
 *  stray: outputs beyond the last.
 *  hold: a request waits for its grant. */
static const stim_profile_t profiles[] = {
    [FULL] = {"full", "every VC asks all the time for a while"},
    [SPEC_ONLY] = {"spec-only", "speculative requests only"},
    [SPEC_MIXED] = {"spec-mixed", "equal levels, half of the requests speculative"},
    [LEVELS] = {"levels", "all kinds of levels, half of the time a single bit of a single one"},
    [PAIRS] =
        {"pairs",
         "all ask for one output, and one bit of one level decides beside another that all have: each such pair at each VC in turn"},
    [BUSY] = {"busy", "some, one, all or all but one of the outputs are busy"},
    [STRAY] = {"stray", "requests for ports that are not there"},
    [HOLD] = {"hold", "requests stay until they are served, then come again for another output"},
    [NOISE] = {"noise", "anything"},
};

enum { IVCS = Ports * VCs, LEVEL = 12, NUM_PAIRS = IVCS * LEVEL * LEVEL };

typedef struct {
  rng_t rng;
  unsigned profile;
  unsigned left; /* cycles for which ports and levels stay */
  unsigned pair; /* PAIRS: number of the pair, from 1 on; 0: none yet */
  uint64_t req;
  uint32_t out_port[PORT_WORDS(FLIT_route_W * IVCS)], level[PORT_WORDS(12 * IVCS)];
} state_t;

/* One bit of one level decides. In half of the cases all levels share another bit. */
static void lone_bit(state_t *s) {
  const unsigned common = rng_chance(&s->rng, 1, 2) ? 1u << rng_below(&s->rng, 12) : 0,
                 chosen = (unsigned)rng_below(&s->rng, IVCS);
  s->left = (unsigned)rng_range(&s->rng, 1, 2);
  for (unsigned i = 0; i < IVCS; i++)
    bits_put(s->level, 12 * i, 12, i == chosen ? common | 1u << rng_below(&s->rng, 12) : common);
}

/* Random levels meet a pair of bits at a certain VC once in many thousand
 * cycles. This walks through all pairs. */
static void next_pair(state_t *s) {
  const unsigned to = (unsigned)rng_below(&s->rng, Ports);
  s->pair = s->pair ? s->pair % NUM_PAIRS + 1 : (unsigned)rng_range(&s->rng, 1, NUM_PAIRS);
  const unsigned n = s->pair - 1, chosen = n / (LEVEL * LEVEL), common = 1u << n / LEVEL % LEVEL,
                 lone = 1u << n % LEVEL;
  for (unsigned i = 0; i < IVCS; i++) {
    bits_put(s->out_port, FLIT_route_W * i, FLIT_route_W, to);
    bits_put(s->level, LEVEL * i, LEVEL, i == chosen ? common | lone : common);
  }
}

static void plan(state_t *s) {
  if (s->profile == PAIRS) {
    next_pair(s);
    s->left = 1;
    return;
  }
  s->left = (unsigned)rng_range(&s->rng, 1, s->profile == FULL ? 4 * IVCS : s->profile == NOISE ? 2 : 16);
  stim_out_ports(&s->rng, s->out_port, IVCS, Ports, s->profile == STRAY || s->profile == NOISE);
  stim_levels(&s->rng, s->level, IVCS);
  if (s->profile == SPEC_MIXED || (s->profile == FULL && rng_chance(&s->rng, 3, 4)))
    memset(s->level, 0, sizeof s->level);
  if (s->profile == LEVELS && rng_chance(&s->rng, 1, 2)) lone_bit(s);
}

static uint64_t hold(state_t *s, const router_swalloc_out_t *out) {
  uint64_t fresh = stim_set(&s->rng, IVCS) & ~(s->req & ~out->gnt);
  for (uint64_t left = fresh; left; left &= left - 1)
    bits_put(s->out_port, FLIT_route_W * (unsigned)__builtin_ctzll(left), FLIT_route_W, rng_below(&s->rng, Ports));
  return s->req = (s->req & ~out->gnt) | fresh;
}

static uint64_t speculative(state_t *s) {
  if (s->profile == SPEC_ONLY) return stim_all(IVCS);
  if (s->profile == PAIRS) return rng_bits(&s->rng, 1) ? stim_all(IVCS) : 0;
  if (s->profile == SPEC_MIXED) return stim_all(IVCS) & rng_next(&s->rng);
  return s->profile == FULL && rng_chance(&s->rng, 3, 4) ? 0 : stim_set(&s->rng, IVCS);
}

static uint64_t asking(state_t *s, const router_swalloc_out_t *out) {
  switch (s->profile) {
  case FULL:
  case PAIRS: return stim_all(IVCS);
  case HOLD: return hold(s, out);
  case STRAY:
  case NOISE: return stim_set(&s->rng, IVCS);
  default: return stim_all(IVCS) & (rng_next(&s->rng) | rng_next(&s->rng));
  }
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  router_swalloc_in_t *in = in_bytes;
  (void)cycle;
  if (s->left == 0) plan(s);
  s->left--;
  in->req = asking(s, out);
  in->spec = speculative(s);
  memcpy(in->out_port, s->out_port, sizeof in->out_port);
  memcpy(in->level, s->level, sizeof in->level);
  if (s->profile == BUSY || rng_chance(&s->rng, 1, 4)) in->busy = stim_set(&s->rng, Ports);
  if ((s->profile == FULL || s->profile == PAIRS) && rng_chance(&s->rng, 7, 8)) in->busy = 0;
}

ROUTER_STIM_DEFINE(router_swalloc, 2000)
