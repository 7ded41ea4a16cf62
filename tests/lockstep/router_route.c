/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of router_route: writes of the table, and one look-up for each port.
 */
#include "router_route.h"

#include "bits.h"
#include "rng.h"
#include "stim.h"

enum { FILL, RANDOM, SAME, BEYOND };

/* fill reaches every entry of a large table, which random writes do not.
 *  same: a look-up meets a write of its entry.
 *  beyond: destinations that have no entry. */
static const stim_profile_t profiles[] = {
    [FILL] = {"fill", "entries are written in order, look-ups everywhere"},
    [RANDOM] = {"random", "entries are written at random"},
    [SAME] = {"same", "look-ups of the entry that is being written; resets in between"},
    [BEYOND] = {"beyond", "destinations of NumDest and more, for writing and reading"},
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

static unsigned any(state_t *s) {
  if (s->profile == BEYOND && rng_chance(&s->rng, 1, 2)) return (unsigned)rng_bits(&s->rng, FLIT_dest_W);
  return (unsigned)rng_below(&s->rng, NumDest);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  router_route_in_t *in = in_bytes;
  (void)out;
  in->cfg_valid = s->profile == FILL || rng_chance(&s->rng, 1, 2);
  in->cfg_dest = s->profile == FILL ? cycle % (NumDest) : any(s);
  in->cfg_port = rng_bits(&s->rng, FLIT_route_W);
  for (unsigned i = 0; i < Ports; i++)
    bits_put(in->dest, FLIT_dest_W * i, FLIT_dest_W,
             s->profile == SAME && rng_chance(&s->rng, 1, 2) ? in->cfg_dest : any(s));
}

static bool reset(void *state, uint64_t cycle) {
  const state_t *s = state;
  return s->profile == SAME && cycle % 500 == 499;
}

const stim_t router_route_stim = {
    .profiles = profiles,
    .num_profiles = sizeof profiles / sizeof *profiles,
    .state_size = sizeof(state_t),
    .init = init,
    .next = next,
    .reset = reset,
};
