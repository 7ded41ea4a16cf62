/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of tom_unpack: whole messages, with pauses. All profiles but faults keep the rules of
 * tom_unpack.ports.
 */
#include "tom_unpack.h"

#include "tom_stim.h"

enum { MIXED, ROWS, LISTS, ALONE, CHOKED, FAULTS };

/* mixed has short messages of rows and lists.
 *  rows: the most rows without a pause, and the last register.
 *  lists: each number of lines.
 *  alone: a message ends with its header.
 *  choked: a list waits for invalidations.
 *  faults: messages that end early and lists that are too long; resets follow soon. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "messages of rows and lists"},
    [ROWS] = {"rows", "all registers, or all but one, or the last, without a pause"},
    [LISTS] = {"lists", "lines without registers, lists of all lengths"},
    [ALONE] = {"alone", "headers without anything, or with one row"},
    [CHOKED] = {"choked", "invalidations are taken rarely"},
    [FAULTS] = {"faults", "messages that end before their rows, lists of too many lines"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  tom_unpack_t shadow;
  unsigned lists; /* lists still to come in this message */
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  tom_unpack_reset(&s->shadow);
}

static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  const unsigned profile = s->profile;
  (void)cycle;
  if (!rng_chance(&s->rng, 1, profile == FAULTS ? 60 : 5000)) return false;
  const uint64_t seed = rng_next(&s->rng);
  memset(s, 0, sizeof *s);
  init(s, seed, profile);
  return true;
}

static uint64_t registers(state_t *s) {
  switch (s->profile) {
  case ROWS:
    return rng_bits(&s->rng, 1)   ? UINT64_MAX
           : rng_bits(&s->rng, 1) ? ~(UINT64_C(1) << rng_bits(&s->rng, 6))
                                  : UINT64_C(1) << 63;
  case LISTS: return 0;
  case ALONE: return rng_bits(&s->rng, 1) ? 0 : UINT64_C(1) << rng_bits(&s->rng, 6);
  default: return (rng_next(&s->rng) & rng_next(&s->rng) & rng_next(&s->rng)) >> rng_bits(&s->rng, 6);
  }
}

static void header(state_t *s, tom_unpack_in_t *in) {
  const uint64_t out = registers(s);
  s->lists = s->profile == LISTS                           ? 1 + (unsigned)rng_below(&s->rng, 3)
             : s->profile == ALONE || rng_bits(&s->rng, 1) ? 0
                                                           : (unsigned)rng_below(&s->rng, 3);
  bits_put(in->ack_beat, ACK_warp_LSB, ACK_warp_W, rng_below(&s->rng, Warps));
  bits_put(in->ack_beat, ACK_done_LSB, ACK_done_W, rng_bits(&s->rng, 2) != 0);
  bits_put(in->ack_beat, ACK_mask_LSB, ACK_mask_W, stim_mask(&s->rng));
  bits_put(in->ack_beat, ACK_out_LSB, ACK_out_W, out);
  in->ack_last = !out && !s->lists;
}

static void list(state_t *s, tom_unpack_in_t *in) {
  const unsigned few = (unsigned)rng_below(&s->rng, 3), most = TOM_LIST_MOST;
  unsigned lines = rng_bits(&s->rng, 1)   ? few
                   : rng_bits(&s->rng, 1) ? most - few
                                          : (unsigned)rng_below(&s->rng, most + 1);
  if (s->profile == FAULTS && rng_chance(&s->rng, 1, 4))
    lines = (unsigned)rng_range(&s->rng, most, bits_ones(TOM_LIST_COUNT_W));
  bits_put(in->ack_beat, 0, TOM_LIST_COUNT_W, lines);
  in->ack_last = !s->lists || !--s->lists;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  tom_unpack_in_t *in = in_bytes;
  const unsigned lists = s->lists;
  (void)cycle;
  (void)out;
  in->ack_valid = s->profile == ROWS || rng_chance(&s->rng, 3, 4);
  rng_fill(&s->rng, in->ack_beat, TOM_ROW_BITS);
  switch (s->shadow.next) {
  case UNPACK_HEADER: header(s, in); break;
  case UNPACK_ROW: in->ack_last = !(s->shadow.left & (s->shadow.left - 1)) && !s->lists; break;
  case UNPACK_LIST: list(s, in); break;
  default: break;
  }
  if (s->profile == FAULTS && s->shadow.next <= UNPACK_ROW && rng_chance(&s->rng, 1, 12)) in->ack_last = 1;
  in->inv_ready = rng_chance(&s->rng, 1, s->profile == CHOKED ? 20 : s->profile == LISTS ? 1 : 2);
  STIM_LOOK(tom_unpack, s, in);
  if (!in->ack_valid || !now.ack_ready) s->lists = lists; /* the beat is not taken */
  tom_unpack_step(&s->shadow, in);
}

STIM_DEFINE(tom_unpack, .reset = reset)
