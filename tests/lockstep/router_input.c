/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of router_input: a sender that obeys credits, and allocators that grant requests of the
 * port's VCs. Both need this cycle's outputs, so the stimulus keeps a copy of the model.
 */
#include "router_input.h"

#include "rng.h"
#include "stim.h"

enum { STREAM, FULL, SLOW_VC, LONG, SPECULATIVE, ILLEGAL, NOWHERE, NUM_PROFILES };

/* stream keeps buffers short; full, slow-vc and long make flits wait for the switch, a VC, a tail.
 *  speculative: a VC and the switch are won in one cycle.
 *  illegal: err and what is dropped.
 *  nowhere: a packet for no output holds its VC until a reset, so other profiles could not go on.
 */
static const stim_profile_t profiles[] = {
    [STREAM] = {"stream", "a flit whenever there is a credit, grants at once"},
    [FULL] = {"full", "seldom a grant: full buffers"},
    [SLOW_VC] = {"slow-vc", "packets wait long for their output VC"},
    [LONG] = {"long", "long packets with gaps"},
    [SPECULATIVE] = {"speculative", "the switch is often won together with the VC"},
    [ILLEGAL] =
        {"illegal",
         "VCs that are none, full buffers, lost heads and tails, seldom an output that is none; resets in between"},
    [NOWHERE] =
        {"nowhere",
         "packets for outputs that are none, mostly the first of them, behind others or into an empty VC; resets soon after"},
};

/* Chances of 256: a flit comes, a VC is granted, the switch is granted, a new VC may win the switch
 * at once. longest: flits of a packet. */
typedef struct {
  unsigned load, va, sa, together, longest;
} knobs_t;

/* clang-format off */
static const knobs_t knobs[] = {
    [STREAM] = {256, 256, 256, 64, 4}, [FULL] = {256, 128, 40, 32, 4},        [SLOW_VC] = {200, 16, 256, 64, 3},
    [LONG] = {150, 200, 200, 64, 50},  [SPECULATIVE] = {220, 128, 250, 256, 2}, [ILLEGAL] = {200, 100, 150, 128, 4},
    [NOWHERE] = {160, 256, 256, 128, 2},
};
/* clang-format on */

typedef struct {
  rng_t rng;
  unsigned profile;
  uint8_t left[VCS]; /* flits of the VC's packet to come; 0: the next is a head */
  router_input_t now;
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
  router_input_reset(&s->now);
}

/* --- The sender: it knows the room in the buffers, at once. */

static unsigned choose_vc(state_t *s) {
  unsigned v = (unsigned)rng_below(&s->rng, VCS);
  if (illegal(s, 16)) return v;
  for (unsigned n = 0; n < VCS; n++, v = v + 1 == VCS ? 0 : v + 1)
    if (s->now.vc[v].count < vc_depth(v)) return v;
  return VCS;
}

/* An output, rarely one beyond the last: such a packet holds its VC until a reset. */
static uint64_t output(state_t *s) {
  bool none = Ports < 16 && (illegal(s, 2) || (s->profile == NOWHERE && chance(s, 32)));
  if (none) return rng_range(&s->rng, Ports, chance(s, 128) ? Ports : 15);
  return rng_below(&s->rng, Ports);
}

static void send(state_t *s, router_input_in_t *in) {
  unsigned v = choose_vc(s);
  if (v == VCS) return;
  bool head = !s->left[v];
  if (head) s->left[v] = (uint8_t)(chance(s, 128) ? 1 : rng_range(&s->rng, 1, knobs[s->profile].longest));
  in->in_valid = 1;
  rng_fill(&s->rng, in->in_flit, FlitBits);
  uint32_t header = FLIT_PUT(FLIT_PUT(in->in_flit[0], head, head), tail, s->left[v] == 1);
  header = FLIT_PUT(FLIT_PUT(header, vc, v), route, output(s));
  if (illegal(s, 8)) header ^= 1u << FLIT_head_LSB;
  if (illegal(s, 8)) header ^= 1u << FLIT_tail_LSB;
  if (VCS < 16 && illegal(s, 8)) header = FLIT_PUT(header, vc, rng_range(&s->rng, VCS, 15));
  in->in_flit[0] = header;
  in->table = Lookahead ? rng_bits(&s->rng, 4) : output(s);
  s->left[v]--;
}

/* --- The allocators */

/* VCs for those that allocate, and the switch for one VC that is ready. */
static void grant(state_t *s, const router_input_out_t *out, router_input_in_t *in) {
  const knobs_t *k = &knobs[s->profile];
  for (unsigned v = 0; v < VCS; v++) {
    nibble_add(in->va_vc, v, (unsigned)rng_bits(&s->rng, 4));
    unsigned port = nibble(out->out_port, v);
    if (out->allocating >> v & 1 && port < Ports && chance(s, k->va)) in->va_gnt |= vc_bit(v);
  }
  uint64_t able = out->ready & (out->active | (chance(s, k->together) ? in->va_gnt : 0));
  if (!able || !chance(s, k->sa)) return;
  unsigned v = (unsigned)rng_below(&s->rng, VCS);
  while (!(able >> v & 1)) v = v + 1 == VCS ? 0 : v + 1;
  in->sa_gnt = vc_bit(v);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  router_input_in_t *in = in_bytes;
  router_input_out_t now;
  (void)cycle, (void)out;
  router_input_eval(&s->now, in, &now);
  if (chance(s, knobs[s->profile].load)) send(s, in);
  grant(s, &now, in);
  router_input_step(&s->now, in);
}

static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  (void)cycle;
  unsigned between = s->profile == ILLEGAL ? 300 : s->profile == NOWHERE ? 30 : 0;
  if (!between || rng_below(&s->rng, between)) return false;
  memset(s->left, 0, sizeof s->left);
  router_input_reset(&s->now);
  return true;
}

const stim_t router_input_stim = {
    .profiles = profiles,
    .num_profiles = NUM_PROFILES,
    .state_size = sizeof(state_t),
    .init = init,
    .next = next,
    .reset = reset,
};
