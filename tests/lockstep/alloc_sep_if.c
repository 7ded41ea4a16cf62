/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of alloc_sep_if: the common profiles of the allocators (alloc_stim.h). The block has no
 * inputs beside requests and update, so it needs no profile of its own.
 */
#include "alloc_sep_if.h"

#include "alloc_stim.h"

static const stim_profile_t profiles[] = {ALLOC_PROFILE_TEXTS};

typedef struct {
  rng_t rng;
  unsigned profile;
  alloc_stim_t alloc;
} state_t;

static void next(void *state, uint64_t cycle, const void *out_bytes, void *in_bytes) {
  state_t *s = state;
  const alloc_sep_if_out_t *out = out_bytes;
  alloc_sep_if_in_t *in = in_bytes;
  (void)cycle;
  in->update = alloc_stim_next(&s->rng, s->profile, &s->alloc, out->gnt, in->req);
}

ARB_STIM_DEFINE(alloc_sep_if)
