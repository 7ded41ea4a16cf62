/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of the router: senders that obey the credits of every input VC, receivers that return
 * credits after a while, a table that is rewritten, epochs and trackers. All profiles but `illegal`
 * keep the rules.
 *
 * A row of numbers describes a profile. Every few hundred cycles a new phase changes the hot
 * output, the inputs that pause and the receivers that sleep.
 */
#include "router.h"

#include "rng.h"
#include "router_legal.h"
#include "stim.h"

enum { LIGHT, HEAVY, HOT, BLOCKED, LONG, BURSTS, DIVERGE, TRACK, EPOCHS, WIDTHS, REWRITE, ILLEGAL, NUM_PROFILES };

/* light alone shows the least latency; heavy shows back-to-back flits on all outputs. hot, blocked
 * and long keep VCs waiting: for an output, for a credit, for a tail.
 *  bursts: the router empties.
 *  diverge: priority buffers.
 *  track, epochs, widths: the bandwidth rules.
 *  rewrite: a route that changes while its packets wait.
 *  illegal: err and what is dropped. */
static const stim_profile_t profiles[] = {
    [LIGHT] = {"light", "a flit now and then: the shortest way, and idle cycles"},
    [HEAVY] = {"heavy", "flits whenever there is a credit, credits at once"},
    [HOT] = {"hot", "most packets go to one output"},
    [BLOCKED] = {"blocked", "receivers sleep for long, so that all credits are gone"},
    [LONG] = {"long", "packets of many flits, with gaps"},
    [BURSTS] = {"bursts", "full load, then nothing until all is quiet; resets in between"},
    [DIVERGE] = {"diverge", "shares of divergent packets from none to all, slow receivers"},
    [TRACK] = {"track", "trackers come in, congested outputs change"},
    [EPOCHS] = {"epochs", "an epoch every few cycles, also in the next; resets in between"},
    [WIDTHS] = {"widths", "long epochs and changing loads: links of every width"},
    [REWRITE] = {"rewrite", "the route table changes under traffic"},
    [ILLEGAL] =
        {"illegal",
         "VCs and outputs that are none, full buffers, lost heads and tails, credits too many; resets in between"},
};

/* Chances of 256, unless a comment says cycles or flits. */
typedef struct {
  unsigned load;    /* an input sends in a cycle */
  unsigned credit;  /* an output's receiver returns a credit in a cycle */
  unsigned hot;     /* a packet goes to the hot output */
  unsigned longest; /* flits of a packet */
  unsigned div, trk, cfg;
  unsigned epoch_least, epoch_most; /* cycles between epochs; 0: none */
  unsigned phase;                   /* cycles of a phase, at most */
  unsigned pause, sleep;            /* an input sends nothing, a receiver returns nothing, for a phase */
  unsigned reset;                   /* cycles between resets, about; 0: none */
} knobs_t;

static const knobs_t knobs[] = {
    [LIGHT] = {.load = 8,
               .credit = 255,
               .longest = 2,
               .div = 128,
               .trk = 4,
               .epoch_least = 200,
               .epoch_most = 3000,
               .phase = 500,
               .pause = 64},
    [HEAVY] = {.load = 256,
               .credit = 256,
               .longest = 4,
               .div = 64,
               .trk = 1,
               .cfg = 1,
               .epoch_least = 1000,
               .epoch_most = 9000,
               .phase = 500},
    [HOT] = {.load = 200,
             .credit = 250,
             .hot = 200,
             .longest = 5,
             .div = 128,
             .trk = 8,
             .epoch_least = 100,
             .epoch_most = 1000,
             .phase = 300},
    [BLOCKED] = {.load = 200,
                 .credit = 100,
                 .hot = 64,
                 .longest = 6,
                 .div = 128,
                 .trk = 8,
                 .epoch_least = 50,
                 .epoch_most = 500,
                 .phase = 200,
                 .sleep = 128},
    [LONG] = {.load = 150,
              .credit = 220,
              .hot = 32,
              .longest = 40,
              .div = 128,
              .trk = 4,
              .epoch_least = 500,
              .epoch_most = 2000,
              .phase = 400,
              .pause = 32},
    [BURSTS] = {.load = 250,
                .credit = 128,
                .longest = 3,
                .div = 100,
                .trk = 16,
                .cfg = 4,
                .epoch_least = 100,
                .epoch_most = 400,
                .phase = 150,
                .pause = 128,
                .reset = 3000},
    [DIVERGE] = {.load = 220,
                 .credit = 90,
                 .hot = 100,
                 .longest = 5,
                 .div = 128,
                 .trk = 16,
                 .epoch_least = 100,
                 .epoch_most = 600,
                 .phase = 300,
                 .sleep = 32},
    [TRACK] = {.load = 180,
               .credit = 150,
               .hot = 100,
               .longest = 3,
               .div = 100,
               .trk = 60,
               .epoch_least = 40,
               .epoch_most = 200,
               .phase = 250,
               .sleep = 64},
    [EPOCHS] = {.load = 150,
                .credit = 120,
                .hot = 64,
                .longest = 3,
                .div = 128,
                .trk = 80,
                .epoch_least = 1,
                .epoch_most = 12,
                .phase = 100,
                .sleep = 64,
                .reset = 2000},
    [WIDTHS] = {.load = 220,
                .credit = 240,
                .hot = 80,
                .longest = 4,
                .div = 128,
                .trk = 10,
                .epoch_least = 200,
                .epoch_most = 60000,
                .phase = 4000,
                .pause = 64,
                .sleep = 8},
    [REWRITE] = {.load = 128,
                 .credit = 200,
                 .longest = 4,
                 .div = 128,
                 .trk = 8,
                 .cfg = 100,
                 .epoch_least = 100,
                 .epoch_most = 2000,
                 .phase = 200,
                 .pause = 32},
    [ILLEGAL] = {.load = 150,
                 .credit = 128,
                 .hot = 32,
                 .longest = 5,
                 .div = 128,
                 .trk = 20,
                 .cfg = 30,
                 .epoch_least = 20,
                 .epoch_most = 400,
                 .phase = 100,
                 .pause = 32,
                 .sleep = 32,
                 .reset = 400},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  unsigned phase_left, epoch_left, div, hot, load;
  unsigned next_dest;             /* next entry to write; NumDest: the table is full */
  uint16_t link, pausing, asleep; /* links; inputs that pause; outputs with a sleeping receiver */
  bool resets;
  struct {
    uint8_t credits;
    uint8_t left; /* flits of its packet to send; 0: the next is a head */
  } sender[IVCS];
  uint8_t owed[IVCS]; /* flits that the receiver's VC holds */
  uint32_t inside;    /* flits in the router */
  uint8_t table[NumDest];
} state_t;

static bool chance(state_t *s, unsigned of_256) {
  return rng_bits(&s->rng, 8) < of_256;
}
static bool illegal(state_t *s, unsigned of_256) {
  return s->profile == ILLEGAL && chance(s, of_256);
}

static uint16_t some_ports(state_t *s, unsigned of_256) {
  uint16_t set = 0;
  for (unsigned p = 0; p < Ports; p++) set |= (uint16_t)(chance(s, of_256) << p);
  return set;
}

static void begin_phase(state_t *s) {
  const knobs_t *k = &knobs[s->profile];
  static const uint16_t shares[] = {0, 32, 128, 224, 256};
  s->phase_left = (unsigned)rng_range(&s->rng, k->phase / 8, k->phase);
  s->hot = (unsigned)rng_below(&s->rng, Ports);
  s->pausing = some_ports(s, k->pause);
  s->asleep = some_ports(s, k->sleep);
  s->div = s->profile == DIVERGE ? shares[rng_below(&s->rng, 5)] : k->div;
  s->load = k->load;
  if (s->profile == WIDTHS && chance(s, 128)) s->load = 1u << rng_below(&s->rng, 8);
  if (s->profile == BURSTS && chance(s, 100)) { /* all inputs stop, and the router may empty */
    s->pausing = UINT16_MAX;
    s->asleep = 0;
  }
}

static void begin_epoch(state_t *s) {
  const knobs_t *k = &knobs[s->profile];
  s->epoch_left = (unsigned)rng_range(&s->rng, k->epoch_least, rng_range(&s->rng, k->epoch_least, k->epoch_most));
}

/* Returns to the state after a reset of the router. */
static void forget(state_t *s) {
  memset(s->sender, 0, sizeof s->sender);
  memset(s->owed, 0, sizeof s->owed);
  memset(s->table, 0, sizeof s->table);
  for (unsigned i = 0; i < IVCS; i++) s->sender[i].credits = (uint8_t)vc_depth(i % VCS);
  s->inside = 0;
  s->next_dest = 0;
  s->link = (uint16_t)(chance(s, 64) ? UINT16_MAX : rng_next(&s->rng));
  begin_phase(s);
  begin_epoch(s);
}

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  forget(s);
}

/* --- What the router said in the last cycle */

/* Counts credits and flits that the router sent in the last cycle. */
static void observe(state_t *s, const router_out_t *out) {
  for (uint64_t left = out->cr_valid; left; left &= left - 1) {
    unsigned p = (unsigned)__builtin_ctzll(left), i = p * VCS + nibble(out->cr_vc, p);
    if (s->sender[i].credits < vc_depth(i % VCS)) s->sender[i].credits++;
  }
  for (uint64_t left = out->out_valid; left; left &= left - 1) {
    unsigned p = (unsigned)__builtin_ctzll(left), i = p * VCS + FLIT_GET(out->out_flit[p * FLIT_WORDS], vc);
    if (s->owed[i] < MOST_DEPTH) s->owed[i]++;
    s->inside--;
  }
}

/* --- Senders */

/* A destination; in a few tries one whose route is `port`. */
static unsigned destination(state_t *s, unsigned port) {
  unsigned dest = 0;
  for (unsigned tries = 0; tries < 6; tries++) {
    dest = (unsigned)(chance(s, 4) ? rng_bits(&s->rng, 10) : rng_below(&s->rng, NumDest));
    if (Lookahead || (dest < NumDest && s->table[dest] == port)) break;
  }
  return dest;
}

static unsigned output(state_t *s) {
  if (Ports < 16 && illegal(s, 8)) return (unsigned)rng_range(&s->rng, Ports, 15);
  return chance(s, knobs[s->profile].hot) ? s->hot : (unsigned)rng_below(&s->rng, Ports);
}

static unsigned packet_length(state_t *s) {
  return chance(s, 128) ? 1 : (unsigned)rng_range(&s->rng, 1, knobs[s->profile].longest);
}

static uint32_t make_header(state_t *s, unsigned v) {
  uint32_t header = (uint32_t)rng_next(&s->rng); /* fields of a body flit must not matter */
  unsigned port = output(s);
  header = FLIT_PUT(header, dest, destination(s, port));
  header = FLIT_PUT(header, route, port);
  header = FLIT_PUT(header, div, v >= NumVCs && s->profile != ILLEGAL ? 0 : chance(s, s->div));
  header = FLIT_PUT(header, trk, chance(s, knobs[s->profile].trk));
  if (chance(s, 200)) header = FLIT_PUT(header, hops, rng_bits(&s->rng, 2));
  return FLIT_PUT(header, vc, v);
}

/* The input's next VC with a credit, from a random one on; VCS: there is none. */
static unsigned choose_vc(state_t *s, unsigned p) {
  unsigned v = (unsigned)rng_below(&s->rng, VCS);
  if (illegal(s, 6)) return v; /* with or without a credit */
  for (unsigned n = 0; n < VCS; n++, v = v + 1 == VCS ? 0 : v + 1)
    if (s->sender[p * VCS + v].credits) return v;
  return VCS;
}

/* One flit of input p. A packet keeps its VC from head to tail, but for
 * flits that profile illegal changes. */
static void send(state_t *s, unsigned p, router_in_t *in) {
  unsigned v = choose_vc(s, p), i = p * VCS + v;
  if (v == VCS) return;
  router_flit_t flit;
  rng_fill(&s->rng, flit.word, FlitBits);
  uint32_t header = make_header(s, v);
  bool head = s->sender[i].left == 0;
  if (head) s->sender[i].left = (uint8_t)packet_length(s);
  header = FLIT_PUT(FLIT_PUT(header, head, head), tail, s->sender[i].left == 1);
  if (illegal(s, 4)) header ^= 1u << FLIT_head_LSB;
  if (illegal(s, 4)) header ^= 1u << FLIT_tail_LSB;
  bool elsewhere = VCS < 16 && illegal(s, 4);
  if (elsewhere) header = FLIT_PUT(header, vc, rng_range(&s->rng, VCS, 15));
  flit.word[0] = header;
  in->in_valid |= 1u << p;
  flit_write(in->in_flit, p, &flit);
  if (elsewhere) return;
  s->sender[i].left--;
  if (s->sender[i].credits) s->sender[i].credits--, s->inside++;
}

/* --- Receivers */

static void return_credit(state_t *s, unsigned p, router_in_t *in) {
  unsigned v = (unsigned)rng_below(&s->rng, VCS), n = 0;
  if (illegal(s, 8)) v = (unsigned)rng_bits(&s->rng, 4); /* not owed, or no such VC */
  else {
    while (n < VCS && !s->owed[p * VCS + v]) n++, v = v + 1 == VCS ? 0 : v + 1;
    if (n == VCS) return;
  }
  in->ocr_valid |= 1u << p;
  nibble_add(in->ocr_vc, p, v);
  if (v < VCS && s->owed[p * VCS + v]) s->owed[p * VCS + v]--;
}

/* --- The table, epochs */

/* Fills the table once after a reset, then rewrites entries at the profile's rate. */
static void configure(state_t *s, router_in_t *in) {
  bool fills = s->next_dest < NumDest && chance(s, 250);
  if (!fills && !chance(s, knobs[s->profile].cfg)) return;
  unsigned dest = fills ? s->next_dest++ : (unsigned)rng_below(&s->rng, NumDest),
           port = (unsigned)rng_below(&s->rng, Ports);
  if (Lookahead || illegal(s, 16)) port = (unsigned)rng_bits(&s->rng, 4);
  if (!fills && chance(s, 8)) dest = (unsigned)rng_bits(&s->rng, 10);
  in->cfg_valid = 1;
  in->cfg_dest = dest;
  in->cfg_port = port;
  if (dest < NumDest) s->table[dest] = (uint8_t)port;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  router_in_t *in = in_bytes;
  (void)cycle;
  observe(s, out);
  if (s->phase_left-- == 0) begin_phase(s);
  for (unsigned p = 0; p < Ports; p++) {
    if (!(s->pausing >> p & 1) && chance(s, s->load)) send(s, p, in);
    if (!(s->asleep >> p & 1) && chance(s, knobs[s->profile].credit)) return_credit(s, p, in);
  }
  configure(s, in);
  in->link = s->link;
  if (knobs[s->profile].epoch_most && --s->epoch_left == 0) {
    in->epoch = 1;
    begin_epoch(s);
  }
}

static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  (void)cycle;
  const unsigned between = knobs[s->profile].reset;
  if (!between || rng_below(&s->rng, between)) return false;
  forget(s);
  return true;
}

static unsigned turn(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  if ((s->profile == ILLEGAL) == (profile == ILLEGAL)) s->profile = profile;
  begin_phase(s);
  begin_epoch(s);
  return s->profile;
}

static bool waiting(const void *state) {
  const state_t *s = state;
  return s->inside && s->profile != ILLEGAL;
}

const stim_t router_stim = {
    .profiles = profiles,
    .num_profiles = NUM_PROFILES,
    .state_size = sizeof(state_t),
    .init = init,
    .next = next,
    .reset = reset,
    .turn = turn,
    .waiting = waiting,
    .patience = 200000,
    .legal = &router_legal,
};
