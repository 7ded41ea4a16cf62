/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of router_vcalloc: packets that ask for an output VC, output VCs that are taken or free,
 * and levels.
 */
#include "router_vcalloc.h"

#include "router_stim.h"

enum { FULL, ONE_FREE, PRIORITY, LEVELS, STRAY, HOLD, NOISE };

/* full shows the turns; one-free shows that one packet wins an output VC.
 *  priority: each rule about priority buffers, credits and divergent packets.
 *  levels: high levels win.
 *  stray: outputs beyond the last.
 *  hold: packets wait, and VCs stay taken, as in a router. */
static const stim_profile_t profiles[] = {
    [FULL] = {"full", "every packet asks, every output VC is free, for a while"},
    [ONE_FREE] = {"one-free", "one output VC is free, and most ask for its port"},
    [PRIORITY] = {"priority", "priority buffers free or not, with and without a credit, divergent packets and others"},
    [LEVELS] = {"levels", "all kinds of levels, most output VCs free"},
    [STRAY] = {"stray", "packets for ports that are not there"},
    [HOLD] = {"hold", "packets ask until they are served, output VCs are held for a while"},
    [NOISE] = {"noise", "anything"},
};

enum { IVCS = VCALLOC_SIZE };

typedef struct {
  rng_t rng;
  unsigned profile;
  unsigned left; /* cycles for which ports and levels stay */
  uint64_t req, div, taken, freed;
  uint32_t out_port[PORT_WORDS(FLIT_route_W * IVCS)], level[PORT_WORDS(12 * IVCS)];
} state_t;

static uint64_t priority_buffers(void) {
  uint64_t set = 0;
  for (unsigned i = 0; i < IVCS; i++)
    if (vc_is_priority(i % VCS)) set |= UINT64_C(1) << i;
  return set;
}

static void plan(state_t *s) {
  s->left = (unsigned)rng_range(&s->rng, 1, s->profile == FULL ? 4 * IVCS : s->profile == NOISE ? 2 : 16);
  stim_out_ports(&s->rng, s->out_port, IVCS, Ports, s->profile == STRAY || s->profile == NOISE);
  stim_levels(&s->rng, s->level, IVCS);
  if (s->profile == FULL && rng_chance(&s->rng, 3, 4)) memset(s->level, 0, sizeof s->level);
  if (s->profile != HOLD) s->div = stim_set(&s->rng, IVCS);
  if (s->profile == PRIORITY) s->taken = stim_all(IVCS) & rng_next(&s->rng) & ~(priority_buffers() & rng_next(&s->rng));
  if (s->profile == ONE_FREE) {
    unsigned free = (unsigned)rng_below(&s->rng, IVCS);
    s->taken = stim_all(IVCS) & ~(UINT64_C(1) << free);
    for (unsigned i = 0; i < IVCS; i++)
      if (rng_chance(&s->rng, 3, 4)) bits_put(s->out_port, FLIT_route_W * i, FLIT_route_W, free / VCS);
  }
}

/* A packet that got its VC in the last cycle asks no more until the next packet. Output
 * VCs given away are held for a while. */
static void hold(state_t *s, const router_vcalloc_out_t *out, router_vcalloc_in_t *in) {
  uint64_t fresh = stim_set(&s->rng, IVCS) & ~s->req;
  s->req = (s->req & ~out->gnt) | fresh;
  for (uint64_t left = fresh; left; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctzll(left);
    bits_put(s->out_port, FLIT_route_W * i, FLIT_route_W, rng_below(&s->rng, Ports));
    s->div = (s->div & ~(UINT64_C(1) << i)) | rng_bits(&s->rng, 1) << i;
  }
  s->taken = (s->taken & ~(rng_next(&s->rng) & rng_next(&s->rng))) | out->take;
  in->req = s->req;
  in->taken = s->taken;
}

static void ask(state_t *s, const router_vcalloc_out_t *out, router_vcalloc_in_t *in) {
  in->req = stim_all(IVCS) & (rng_next(&s->rng) | rng_next(&s->rng) | rng_next(&s->rng));
  in->taken = s->taken;
  switch (s->profile) {
  case FULL: in->req = stim_all(IVCS); break;
  case LEVELS: in->taken = stim_all(IVCS) & rng_next(&s->rng) & rng_next(&s->rng); break;
  case STRAY:
  case NOISE:
    in->req = stim_set(&s->rng, IVCS);
    in->taken = stim_set(&s->rng, IVCS);
    break;
  case HOLD: hold(s, out, in); break;
  default: break;
  }
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  router_vcalloc_in_t *in = in_bytes;
  (void)cycle;
  if (s->left == 0) plan(s);
  s->left--;
  ask(s, out, in);
  in->div = s->div;
  in->space = s->profile == FULL && rng_chance(&s->rng, 3, 4) ? stim_all(IVCS) : stim_set(&s->rng, IVCS);
  if (s->profile == PRIORITY && rng_bits(&s->rng, 1)) in->space ^= priority_buffers();
  memcpy(in->out_port, s->out_port, sizeof in->out_port);
  memcpy(in->level, s->level, sizeof in->level);
}

ROUTER_STIM_DEFINE(router_vcalloc, 2000)
