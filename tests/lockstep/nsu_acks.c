/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_acks.
 */
#include "nsu_acks.h"

#include "nsu_stim.h"

enum { MIXED, ONE_SLOT, DEEP, ERRORS };

static const stim_profile_t profiles[] = {
  [MIXED] = {"mixed", "writes and acknowledgements of all slots"},
  [ONE_SLOT] = {"one-slot", "both for one slot in one cycle, around zero"},
  [DEEP] = {"deep", "up to the 2048 writes of a block"},
  [ERRORS] = {"errors", "acknowledgements that nothing waits for, slots out of range"},
};

enum { MOST = 64 * 32 }; /* stores of a block, lines of a store */

typedef struct {
  rng_t rng;
  unsigned profile;
  bool draining;
  unsigned count[NumWarps];
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  nsu_acks_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  bool few = s->profile == ONE_SLOT || s->profile == DEEP;
  unsigned up = few && s->count[0] >= (s->profile == DEEP ? MOST : 3u) ? 0 : s->profile == DEEP && !s->draining ? 8 : 4;
  if (s->profile == DEEP && s->count[0] == MOST) s->draining = true;
  if (s->count[0] == 0) s->draining = false;
  if (s->draining) up = 1;
  in->inc_slot = few ? 0 : rng_below(&s->rng, NumWarps);
  in->inc = s->count[in->inc_slot] < MOST && chance8(&s->rng, up);
  in->dec_slot = few ? 0 : rng_below(&s->rng, NumWarps);
  if (s->profile == ERRORS && chance8(&s->rng, 2)) in->dec_slot = rng_bits(&s->rng, 6);
  in->dec = chance8(&s->rng, s->draining ? 7 : s->profile == DEEP ? 1 : 4);
  bool counted = in->dec_slot < NumWarps && s->count[in->dec_slot] > 0;
  if (!counted && s->profile != ERRORS) in->dec = 0;
  if (in->inc) s->count[in->inc_slot]++;
  if (in->dec && counted) s->count[in->dec_slot]--;
}

STIM_RESET

STIM_DEFINE(nsu_acks, .reset = reset)
