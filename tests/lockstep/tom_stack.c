/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of tom_stack: whole requests, blocks that write lines and end, and a receiver that
 * returns places. All profiles but faults keep the rules of tom_stack.ports.
 */
#include "tom_stack.h"

#include "tom_stim.h"

enum { MIXED, STREAM, FULL, LINES, ALL, NONE, CHOKED, FAULTS };

/* mixed changes its rates.
 *  stream: no queue grows.
 *  full: slots and places run out, and then all blocks end.
 *  lines: lists go ahead of their acknowledgement.
 *  all, none: the longest and the shortest messages.
 *  choked: messages wait for places.
 *  faults: errors, which only a reset clears. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "requests of some registers, lines, ends, at rates that change"},
    [STREAM] = {"stream", "requests without a pause, blocks that end soon, places at once"},
    [FULL] = {"full", "blocks that do not end for long: no slot, no place for a beat; then all of them end"},
    [LINES] = {"lines", "a line in most cycles, few blocks: lists that go ahead"},
    [ALL] = {"all", "all registers, or all but one, or the last, in and out"},
    [NONE] = {"none", "headers alone, acknowledgements of nothing or one register"},
    [CHOKED] = {"choked", "places for messages come back rarely"},
    [FAULTS] =
        {"faults",
         "beats without a place, requests of a wrong length, lines and ends of no block, more credits than places"},
};

/* places: places of the stack, as its link counts them. owed: places that the receiver has not
 * returned. rows: rows of the request still to be sent, valid while `within` one. ends, lines,
 * beats, credits: chances of 16. noise: rd_data is random without a read, too. */
typedef struct {
  rng_t rng;
  unsigned profile;
  tom_stack_t shadow;
  unsigned places, owed, rows, sm, ends, lines, beats, credits;
  bool within, fills, noise;
  uint64_t base;
} state_t;

/* New rates for a while; `fills` lets FULL run without ends. */
static void phase(state_t *s) {
  s->fills = rng_bits(&s->rng, 2) != 0;
  s->noise = rng_bits(&s->rng, 1);
  s->beats = 1 + (unsigned)rng_below(&s->rng, 16);
  s->ends = 1 + (unsigned)rng_below(&s->rng, 12);
  s->lines = (unsigned)rng_below(&s->rng, 16);
  s->credits = 2 + (unsigned)rng_below(&s->rng, 15);
  switch (s->profile) {
  case STREAM: s->beats = s->ends = s->credits = 16, s->lines = 2; break;
  case FULL: s->beats = 16, s->ends = s->fills ? 0 : 16, s->credits = 16; break;
  case LINES: s->lines = 15, s->ends = 1; break;
  case ALL: s->beats = 15, s->ends = 4, s->credits = rng_bits(&s->rng, 1) ? 16 : s->credits; break;
  case NONE: s->ends = 12; break;
  case CHOKED: s->credits = 1; break;
  case FAULTS:
    if (rng_bits(&s->rng, 1)) s->beats = 16, s->ends = 0; /* until there is no place */
    break;
  default: break;
  }
}

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  s->places = TOM_STACK_PLACES;
  tom_stack_reset(&s->shadow);
  phase(s);
}

static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  const unsigned profile = s->profile;
  (void)cycle;
  if (!rng_chance(&s->rng, 1, profile == FAULTS ? (s->places ? 1000 : 100) : 5000)) return false;
  const uint64_t seed = rng_next(&s->rng);
  memset(s, 0, sizeof *s);
  init(s, seed, profile);
  return true;
}

/* ---- requests ---- */

static uint64_t one(state_t *s) {
  return UINT64_C(1) << rng_bits(&s->rng, 6);
}

static uint64_t registers(state_t *s) {
  switch (s->profile) {
  case ALL: return rng_bits(&s->rng, 1) ? UINT64_MAX : rng_bits(&s->rng, 1) ? ~one(s) : UINT64_C(1) << 63;
  case NONE: return rng_bits(&s->rng, 1) ? 0 : one(s);
  default:
    return rng_bits(&s->rng, 2) ? (rng_next(&s->rng) & rng_next(&s->rng) & rng_next(&s->rng)) >> rng_bits(&s->rng, 6)
                                : 0;
  }
}

static void header(state_t *s, tom_stack_in_t *in) {
  uint64_t ins = registers(s);
  if (s->profile == NONE && rng_bits(&s->rng, 2)) ins = 0;
  s->rows = (unsigned)__builtin_popcountll(ins);
  s->sm = (unsigned)rng_below(&s->rng, Sms);
  bits_put(in->in_beat, REQ_mask_LSB, REQ_mask_W, stim_mask(&s->rng));
  bits_put(in->in_beat, REQ_in_LSB, REQ_in_W, ins);
  bits_put(in->in_beat, REQ_out_LSB, REQ_out_W, registers(s));
  if (s->profile == FAULTS && rng_chance(&s->rng, 1, 12)) s->rows = (unsigned)rng_below(&s->rng, 8);
}

/* The next beat of a request. Only faults sends more beats than there are places. */
static void beat(state_t *s, tom_stack_in_t *in) {
  const bool false_one = s->profile == FAULTS && rng_chance(&s->rng, 1, 3);
  in->in_valid = rng_chance(&s->rng, s->beats, 16) && (s->places || false_one);
  rng_fill(&s->rng, in->in_beat, TOM_ROW_BITS);
  if (!s->within) header(s, in);
  in->in_last = s->rows == (unsigned)s->within;
  in->in_sm = s->sm;
  if (!in->in_valid) return;
  if (s->places) s->places--;
  if (s->within) s->rows--;
  s->within = !in->in_last;
}

/* ---- blocks ---- */

/* A slot with a running block, from a random slot on. False: no block runs. */
static bool block(state_t *s, uint64_t *slot) {
  const unsigned from = (unsigned)rng_below(&s->rng, Warps);
  for (unsigned i = 0; i < (Warps); i++) {
    *slot = s->profile == LINES ? i : (from + i) % (Warps);
    if (s->shadow.slots[*slot].runs) return true;
  }
  *slot = from;
  return false;
}

static void blocks(state_t *s, tom_stack_in_t *in) {
  const bool some = block(s, &in->push_slot);
  in->push_valid = some && rng_chance(&s->rng, s->lines, 16);
  in->push_line = s->base + rng_below(&s->rng, s->profile == LINES ? 8 * (Lines) : 2 * (Lines));
  if (s->profile != FULL && rng_chance(&s->rng, 1, 8)) in->push_line = tom_number(&s->rng, LineBits);
  in->push_line &= bits_ones(LineBits);
  in->end_valid = block(s, &in->end_slot) && rng_chance(&s->rng, s->ends, 16);
  if (some && rng_bits(&s->rng, 1)) in->end_slot = in->push_slot;
  if (s->profile != FAULTS) return;
  if (rng_chance(&s->rng, 1, 40)) in->push_valid = 1, in->push_slot = rng_bits(&s->rng, CLOG2(Warps));
  if (rng_chance(&s->rng, 1, 40)) in->end_valid = 1, in->end_slot = rng_bits(&s->rng, CLOG2(Warps));
}

static void credit(state_t *s, tom_stack_in_t *in) {
  if (s->shadow.out.valid) s->owed++;
  in->out_credit = s->owed && rng_chance(&s->rng, s->credits, 16);
  if (s->profile == FAULTS && rng_chance(&s->rng, 1, 64)) in->out_credit = 1;
  if (in->out_credit && s->owed) s->owed--;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  tom_stack_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  if (rng_chance(&s->rng, 1, s->profile == FULL ? 1500 : s->profile == FAULTS ? 600 : 300)) phase(s);
  if (rng_chance(&s->rng, 1, 64)) s->base = tom_number(&s->rng, LineBits);
  if (s->shadow.credit) s->places++;
  beat(s, in);
  blocks(s, in);
  credit(s, in);
  if (s->noise || s->shadow.reads) rng_fill(&s->rng, in->rd_data, TOM_ROW_BITS);
  tom_stack_step(&s->shadow, in);
}

STIM_DEFINE(tom_stack, .reset = reset)
