/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of arb_list: requests, and a list of preferred requesters that stays or changes.
 */
#include "arb_list.h"

#include "arb_stim.h"
#include "bits.h"

enum { STEADY, CHANGING, JUNK, EMPTY, WHOLE, STARVE, HOLD, WITHHELD };

/* steady gives lists of a controller; the next four give lists that a controller hardly makes.
 *  changing: the choice depends on this cycle's list alone.
 *  junk: entries that must not win.
 *  empty and whole: turns alone, or the list alone, decides.
 *  starve: an unlisted requester waits for the bound; elsewhere the list often changes before.
 *  hold and withheld: refused grants must not advance the turns or the bound. */
static const stim_profile_t profiles[] = {
    [STEADY] = {"steady", "a list of different requesters that stays for some time, as critical pairs do"},
    [CHANGING] = {"changing", "another list every cycle"},
    [JUNK] = {"junk", "entries that name nobody, entries twice, holes of entries that do not count"},
    [EMPTY] = {"empty", "no entry counts: takes turns"},
    [WHOLE] = {"whole", "all places are taken, often with all requesters"},
    [STARVE] = {"starve", "everybody asks all the time, the list stays: a bound is reached again and again"},
    [HOLD] = {"hold", "a requester asks until it is served, half of the grants are refused"},
    [WITHHELD] = {"withheld", "everybody asks, grants are taken rarely"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  bool begun;
  uint8_t list[ListLen];
  uint64_t valid;
  arb_hold_t hold;
} state_t;

/* Different requesters as long as the list is not longer than their number. */
static void name_different(state_t *s) {
  unsigned first = (unsigned)rng_below(&s->rng, NumReq), step = (unsigned)rng_range(&s->rng, 1, 3);
  for (unsigned i = 0; i < ListLen; i++) s->list[i] = (uint8_t)((first + i * step) % NumReq);
}

/* Entries that may be twice in the list or name no requester. */
static void name_junk(state_t *s) {
  for (unsigned i = 0; i < ListLen; i++) {
    switch (rng_below(&s->rng, 4)) {
    case 0: s->list[i] = (uint8_t)rng_bits(&s->rng, 6); break;         /* may name no requester */
    case 1: s->list[i] = s->list[rng_below(&s->rng, i + 1)]; break;    /* has a place already */
    case 2: s->list[i] = (NumReq + rng_below(&s->rng, 3)) & 63; break; /* just above the last requester */
    default: s->list[i] = (uint8_t)rng_below(&s->rng, NumReq); break;
    }
  }
}

static void new_list(state_t *s) {
  uint64_t all = arb_everybody(ListLen);
  bool junk = s->profile == JUNK || s->profile == EMPTY || rng_chance(&s->rng, 1, 8);
  if (junk) name_junk(s);
  else name_different(s);
  switch (s->profile) {
  case EMPTY: s->valid = 0; break;
  case WHOLE: s->valid = all; break;
  case STEADY: /* the next line: a list fills up from the front */
  case STARVE: s->valid = arb_everybody((unsigned)rng_range(&s->rng, 1, ListLen)); break;
  default: s->valid = arb_any(&s->rng, ListLen); break;
  }
}

/* starve keeps a list for many times the bound, so that the bound is reached again and again. */
static bool keep_list(state_t *s) {
  if (!s->begun || s->profile == CHANGING) return false;
  return !rng_chance(&s->rng, 1, s->profile == STARVE ? 40 + 4 * Bound : 20);
}

static uint64_t ask(state_t *s, uint64_t gnt) {
  switch (s->profile) {
  case STARVE:
  case WITHHELD: return arb_everybody(NumReq);
  case HOLD: return arb_hold(&s->rng, &s->hold, NumReq, gnt);
  default: return arb_any(&s->rng, NumReq);
  }
}

static void next(void *state, uint64_t cycle, const void *out_bytes, void *in_bytes) {
  state_t *s = state;
  const arb_list_out_t *out = out_bytes;
  arb_list_in_t *in = in_bytes;
  (void)cycle;
  if (!keep_list(s)) new_list(s);
  s->begun = true;
  in->req = ask(s, out->gnt);
  in->update = s->profile == HOLD ? s->hold.update : rng_chance(&s->rng, s->profile == WITHHELD ? 1 : 7, 8);
  for (unsigned i = 0; i < ListLen; i++) bits_put(in->list, i * 6, 6, s->list[i]);
  in->list_valid = s->valid;
}

ARB_STIM_DEFINE(arb_list)
