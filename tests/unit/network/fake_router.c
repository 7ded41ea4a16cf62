/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake router of fake_router.h: an input queue for each VC, one flit a cycle for each
 * input and output, no choice of VCs.
 *
 *     in_flit -> buffer[input][vc] -(DELAY)-> cross[output] -> wire[output] -> out_flit
 *     ocr_valid -> seen_credit -> credits[output][vc]           cr_valid <- flit leaves buffer
 *
 * Bits of a flit's first word that it knows: 0 head, 1 tail, 7..4 VC, 21..12 destination,
 * from 22 on the routers passed.
 */
#include "fake_router.h"

#include <string.h>

enum { PORTS = 16, VCS = 16, DEPTH = 64, WORDS = 4, DELAY = 2, HEAD = 1, TAIL = 2 };

/* A flit in a buffer, with the cycle from which on it may leave. */
typedef struct flit {
  uint64_t word[WORDS], ready; /* may leave its buffer from this cycle on */
} flit_t;

/* One fake: input buffers, and of each output's VC
 * the credits and the input whose packet has it. */
typedef struct fake {
  uint64_t now;
  fake_fault_t fault;
  unsigned epochs, held; /* held: flits in buffers */
  uint8_t table[TOPOLOGY_MAX_TERMINALS];
  flit_t buffer[PORTS][VCS][DEPTH];
  uint8_t first[PORTS][VCS], count[PORTS][VCS], way[PORTS][VCS];
  uint8_t owner[PORTS][VCS], credits[PORTS][VCS]; /* of outputs; owner: input + 1, 0 none */
  uint64_t cross[PORTS][WORDS], wire[PORTS][WORDS], crossing, out_valid, cr_valid, cr_vc, stall, seen_credit[2][PORTS];
  uint64_t out[5 + PORTS * WORDS];
  bool busy;
} fake_t;

static unsigned ports, vcs, words, depth;
static router_layout_t at;

/* Sizes, and places of the ports' words. All fakes of a fabric share them. */
void fake_router_setup(const topology_t *t, const router_params_t *p) {
  (void)t;
  ports = (unsigned)p->Ports, vcs = router_vcs(p), words = (unsigned)p->FlitBits / 64, depth = (unsigned)p->Depth;
  at = (router_layout_t){.flit_words = words,
                         .cfg_valid = 0,
                         .cfg_dest = 1,
                         .cfg_port = 2,
                         .epoch = 3,
                         .link = 4,
                         .in_valid = 5,
                         .ocr_valid = 6,
                         .ocr_vc = 7,
                         .in_flit = 8,
                         .in_words = 8 + ports * words,
                         .cr_valid = 0,
                         .cr_vc = 1,
                         .out_valid = 2,
                         .err = 3,
                         .probe_stall = 4,
                         .out_flit = 5,
                         .out_words = 5 + ports * words};
  fake_router_engine.in_words = at.in_words, fake_router_engine.out_words = at.out_words;
}

/* A port's place in the words, by its name. */
static int fake_place(const void *context, const char *port) {
  (void)context;
#define X(name) \
  if (!strcmp(port, #name)) return (int)at.name;
  ROUTER_WIRES(X)
#undef X
  return -1;
}

/* An output begins with as many credits as the router behind it has places. */
static bool fake_open(void *state, const void *context, unsigned router) {
  fake_t *f = state;
  (void)context, (void)router;
  memset(f->credits, (int)depth, sizeof f->credits);
  return true;
}

/* Routes, epochs, credits and flits of this
 * cycle. A credit counts one cycle after it came. */
static void take_inputs(fake_t *f, const uint64_t *in) {
  if (in[at.cfg_valid]) f->table[in[at.cfg_dest]] = (uint8_t)in[at.cfg_port];
  f->epochs += in[at.epoch] != 0;
  for (unsigned p = 0; p < ports; p++) {
    unsigned old = (unsigned)f->seen_credit[1][p], vc = (unsigned)(in[at.ocr_vc] >> 4 * p & 15);
    if (old) f->credits[p][old - 1]++;
    f->seen_credit[1][p] = in[at.ocr_valid] >> p & 1 ? vc + 1 : 0;
    if (!(in[at.in_valid] >> p & 1)) continue;
    const uint64_t *flit = in + at.in_flit + p * words;
    unsigned v = (unsigned)(*flit >> 4 & 15);
    flit_t *slot = &f->buffer[p][v][(f->first[p][v] + f->count[p][v]++) % DEPTH];
    memcpy(slot->word, flit, words * sizeof *flit);
    slot->ready = f->now + DELAY;
    f->held++;
  }
}

/* What each fault makes of a flit on its way out.
 * FAKE_WAY and FAKE_OPEN send it to another port. */
static void damage_flit(fake_t *f, uint64_t *flit, unsigned *out) {
  if (f->fault == FAKE_PAYLOAD) *flit ^= UINT64_C(1) << 27;
  if (f->fault == FAKE_UPPER_WORD) flit[words - 1] ^= UINT64_C(1) << 63;
  if (f->fault == FAKE_TWICE && *flit & TAIL) *flit -= UINT64_C(1) << 32;
  if (f->fault == FAKE_HEAD && !(*flit & HEAD)) *flit |= HEAD;
  if (f->fault == FAKE_VC) *flit ^= 1 << 4;
  if (f->fault == FAKE_RECORD) *flit |= UINT64_C(1) << 63;
  if (f->fault == FAKE_WAY) *out = 0;
  if (f->fault == FAKE_OPEN) *out = 3;
}

/* One flit an input and output: the lowest VC of the lowest input that may. */
static void send_flits(fake_t *f) {
  unsigned outputs = 0;
  for (unsigned p = 0; p < ports; p++) {
    for (unsigned v = 0; v < vcs; v++) {
      flit_t *slot = &f->buffer[p][v][f->first[p][v]];
      if (!f->count[p][v] || slot->ready > f->now) continue;
      if (slot->word[0] & HEAD) f->way[p][v] = f->table[slot->word[0] >> 12 & 1023];
      unsigned o = f->way[p][v];
      if (!f->credits[o][v]) f->stall |= UINT64_C(1) << o;
      if (outputs >> o & 1 || !f->credits[o][v] || (f->owner[o][v] && f->owner[o][v] != p + 1)) continue;
      outputs |= 1U << o;
      f->credits[o][v]--;
      f->owner[o][v] = slot->word[0] & TAIL ? 0 : (uint8_t)(p + 1);
      if (slot->word[0] & HEAD) slot->word[0] += 1 << 22;
      damage_flit(f, slot->word, &o);
      memcpy(f->cross[o], slot->word, sizeof f->cross[o]);
      f->crossing |= UINT64_C(1) << o;
      f->cr_valid |= UINT64_C(1) << p;
      f->cr_vc |= (uint64_t)v << 4 * p;
      f->first[p][v] = (uint8_t)((f->first[p][v] + 1) % DEPTH);
      f->count[p][v]--;
      f->held--;
      break;
    }
  }
}

/* One cycle. What crosses now is on the wire after the next step. The fake is busy
 * as long as it holds or moves anything, so that the fabric does not let it sleep. */
static void fake_step(void *state, const void *in) {
  fake_t *f = state;
  const uint64_t *w = in;
  f->busy = f->out_valid | f->cr_valid | f->stall;
  memcpy(f->wire, f->cross, sizeof f->wire);
  f->out_valid = f->crossing;
  f->crossing = f->cr_valid = f->cr_vc = f->stall = 0;
  send_flits(f);
  f->now++;
  f->busy |= w[at.ocr_valid] || f->held || f->crossing || f->out_valid;
  take_inputs(f, in);
  f->busy |= f->held > 0;
}

/* Outputs of the cycle; FAKE_ERR says err with each flit. */
static const void *fake_out(void *state) {
  fake_t *f = state;
  uint64_t *w = f->out;
  memset(w, 0, at.out_words * sizeof *w);
  w[at.cr_valid] = f->cr_valid, w[at.cr_vc] = f->cr_vc, w[at.out_valid] = f->out_valid, w[at.probe_stall] = f->stall;
  w[at.err] = f->fault == FAKE_ERR && f->out_valid ? 4 : 0;
  for (unsigned p = 0; p < ports; p++)
    if (f->out_valid >> p & 1) memcpy(w + at.out_flit + p * words, f->wire[p], words * sizeof *w);
  return w;
}

static bool fake_idle(const void *state) {
  return !((const fake_t *)state)->busy;
}

static const char *fake_failed(const void *state) {
  return ((const fake_t *)state)->fault == FAKE_FAILED ? "the fake has failed" : NULL;
}

block_engine_t fake_router_engine = {.name = "fake",
                                     .place = fake_place,
                                     .state_size = sizeof(fake_t),
                                     .open = fake_open,
                                     .step = fake_step,
                                     .out = fake_out,
                                     .idle = fake_idle,
                                     .failed = fake_failed};

void fake_router_break(void *state, fake_fault_t fault) {
  ((fake_t *)state)->fault = fault;
}

unsigned fake_router_epochs(const void *state) {
  return ((const fake_t *)state)->epochs;
}
