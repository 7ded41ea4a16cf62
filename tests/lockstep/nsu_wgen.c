/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_wgen: the common profiles of stores (store_stim.h), and an output that accepts
 * packets. A start comes whether the block is ready or not; only a ready block takes it.
 */
#include "nsu_wgen.h"

#include "store_stim.h"

static const stim_profile_t profiles[] = {STORE_STIM_PROFILES};

typedef struct {
  rng_t rng;
  unsigned profile;
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  nsu_wgen_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  in->stack_id = rng_bits(&s->rng, 4);
  in->wr_ready = chance8(&s->rng, store_stim_ready(s->profile));
  if (chance8(&s->rng, 6)) { /* ready or not */
    in->start = 1;
    in->slot = rng_bits(&s->rng, 6);
    in->sm = rng_bits(&s->rng, 8);
    in->warp = rng_bits(&s->rng, 6);
    in->seq = rng_bits(&s->rng, 6);
    in->mask = stim_mask(&s->rng);
    store_stim_addrs(&s->rng, s->profile, in->addrs, &in->size);
    rng_fill(&s->rng, in->data, PKT_LINE_BITS);
  }
}

STIM_RESET

STIM_DEFINE(nsu_wgen, .reset = reset)
