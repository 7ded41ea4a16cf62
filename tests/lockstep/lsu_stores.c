/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of lsu_stores: stores take an entry, and each of their transfers is acknowledged.
 */
#include "lsu_stores.h"

#include "block_stim.h"

enum { MIXED, FULL, SHORT, ABUSE };

/* mixed keeps some entries free and has lengths from 10 to 15, which no access has.
 *  full: an entry is free for one cycle.
 *  short: a store ends with its first acknowledgement.
 *  abuse: acknowledgements of entries that are free or beyond the last. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "stores of any length begin and are answered at random; lengths that no access has, too"},
    [FULL] = {"full", "all entries in use nearly always: an entry that is done is used again at once"},
    [SHORT] = {"short", "stores of one transfer, an answer nearly every cycle"},
    [ABUSE] = {"abuse", "also answers for entries that are free or are not there"},
};

STIM_STATE(lsu_stores, )

/* An entry in use, or -1. */
static int used(state_t *s) {
  unsigned first = (unsigned)rng_below(&s->rng, Stores);
  for (unsigned i = 0; i < Stores; i++)
    if (s->shadow.used >> (first + i) % Stores & 1) return (int)((first + i) % Stores);
  return -1;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  lsu_stores_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  STIM_LOOK(lsu_stores, s, in);
  in->alloc = now.free && chance8(&s->rng, s->profile == FULL ? 8 : 4);
  if (in->alloc) {
    in->al_n = s->profile == SHORT ? 1 : rng_range(&s->rng, 1, s->profile == MIXED ? 15 : LSU_MAX_XFERS);
    in->al_id = rng_bits(&s->rng, 8);
  }
  int idx = used(s);
  in->ack = idx >= 0 && chance8(&s->rng, s->profile == MIXED ? 5 : 7);
  if (in->ack) in->ack_idx = (unsigned)idx;
  if (s->profile == ABUSE && chance8(&s->rng, 2)) {
    in->ack = 1;
    in->ack_idx = rng_bits(&s->rng, 4);
  }
  lsu_stores_step(&s->shadow, in);
}

STIM_DEFINE(lsu_stores, .reset = reset)
