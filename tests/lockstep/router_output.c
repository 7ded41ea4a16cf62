/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of router_output: packets that take a VC, send flits when there are credits and the link
 * is free, and return the VC. A receiver returns credits. Both need this cycle's outputs, so the
 * stimulus keeps a copy of the model.
 */
#include "router_output.h"

#include "rng.h"
#include "stim.h"

enum { STREAM, STARVED, WIDTHS, SHUT, TRACKED, ILLEGAL, NUM_PROFILES };

/* stream keeps credits high; starved brings each VC to 0 and back in bursts.
 *  widths, shut: the link changes while a flit is on it.
 *  tracked: a tracker finds its flit at once or later.
 *  illegal: errors that other profiles must not set; resets clear them. */
static const stim_profile_t profiles[] = {
    [STREAM] = {"stream", "a flit a cycle, credits at once"},
    [STARVED] = {"starved", "credits come late, in bursts"},
    [WIDTHS] = {"widths", "the link changes its width under traffic"},
    [SHUT] = {"shut", "the link is shut for a while, flits are on it still"},
    [TRACKED] = {"tracked", "trackers wait for flits; packets of one flit"},
    [ILLEGAL] = {"illegal", "credits too many and for VCs that are none; resets in between"},
};

/* Chances of 256. */
typedef struct {
  unsigned take, send, credit, end; /* end: a flit is its packet's last */
  unsigned width, off, trk;         /* changes of width and off; a tracker is wanted */
} knobs_t;

/* clang-format off */
static const knobs_t knobs[] = {
    [STREAM] = {200, 256, 256, 100, 0, 0, 8},
    [STARVED] = {200, 200, 60, 100, 1, 1, 8},
    [WIDTHS] = {200, 230, 220, 80, 40, 0, 8},
    [SHUT] = {200, 230, 200, 80, 8, 20, 8},
    [TRACKED] = {220, 150, 180, 256, 2, 2, 100},
    [ILLEGAL] = {150, 150, 150, 80, 8, 4, 20},
};
/* clang-format on */

typedef struct {
  rng_t rng;
  unsigned profile;
  uint8_t owed[VCS];
  bool sent, asleep, off; /* a flit won the switch in the last cycle; the receiver */
  unsigned width;
  router_output_t now;
} state_t;

static bool chance(state_t *s, unsigned of_256) {
  return rng_bits(&s->rng, 8) < of_256;
}
static bool illegal(state_t *s, unsigned of_256) {
  return s->profile == ILLEGAL && chance(s, of_256);
}

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  router_output_reset(&s->now);
}

/* A VC of the set, from a random one on; VCS: the set is empty. */
static unsigned choose(state_t *s, uint64_t set) {
  unsigned v = (unsigned)rng_below(&s->rng, VCS);
  for (unsigned n = 0; n < VCS; n++, v = v + 1 == VCS ? 0 : v + 1)
    if (set >> v & 1) return v;
  return VCS;
}

/* New packets take VCs that are free. One VC with space sends a flit. */
static void packets(state_t *s, const router_output_out_t *out, router_output_in_t *in) {
  const knobs_t *k = &knobs[s->profile];
  for (unsigned v = 0; v < VCS; v++)
    if (!(out->taken >> v & 1) && chance(s, k->take)) in->va_take |= vc_bit(v);
  /* A speculative winner sends in the cycle in which it gets its VC. */
  unsigned v = choose(s, (out->taken | (chance(s, 64) ? in->va_take : 0)) & out->space);
  if (v == VCS || out->busy || !chance(s, k->send)) return;
  in->sa_valid = 1;
  in->sa_vc = v;
  in->sa_tail = chance(s, k->end);
}

/* One credit at most, for a flit that was sent; STARVED sleeps for a while. */
static void receiver(state_t *s, router_output_in_t *in) {
  if (s->profile == STARVED && chance(s, 4)) s->asleep = !s->asleep;
  if (s->asleep || !chance(s, knobs[s->profile].credit)) return;
  uint64_t owed = 0;
  for (unsigned v = 0; v < VCS; v++) owed |= (uint64_t)(s->owed[v] > 0) << v;
  unsigned v = illegal(s, 32) ? (unsigned)rng_bits(&s->rng, 4) : choose(s, owed);
  if (v == VCS && s->profile != ILLEGAL) return;
  in->cr_valid = 1;
  in->cr_vc = v & 15;
  if (v < VCS && s->owed[v]) s->owed[v]--;
}

static void link_inputs(state_t *s, router_output_in_t *in) {
  const knobs_t *k = &knobs[s->profile];
  if (chance(s, k->width)) s->width = (unsigned)rng_bits(&s->rng, 2);
  if (chance(s, k->off)) s->off = !s->off;
  in->width = s->width;
  in->off = s->off;
  in->trk_req = chance(s, k->trk);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  router_output_in_t *in = in_bytes;
  router_output_out_t now;
  (void)cycle, (void)out;
  link_inputs(s, in);
  in->st_valid = s->sent;
  if (s->sent) rng_fill(&s->rng, in->st_flit, FlitBits);
  router_output_eval(&s->now, in, &now);
  packets(s, &now, in);
  receiver(s, in);
  if (in->sa_valid) s->owed[in->sa_vc]++;
  s->sent = in->sa_valid;
  router_output_step(&s->now, in);
}

static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  (void)cycle;
  if (s->profile != ILLEGAL || rng_below(&s->rng, 300)) return false;
  memset(s->owed, 0, sizeof s->owed);
  s->sent = s->asleep = s->off = false;
  s->width = 0;
  router_output_reset(&s->now);
  return true;
}

const stim_t router_output_stim = {
    .profiles = profiles,
    .num_profiles = NUM_PROFILES,
    .state_size = sizeof(state_t),
    .init = init,
    .next = next,
    .reset = reset,
};
