/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of lsu_done: ids from four sources, and a bus that takes them. The shadow model counts
 * the ids that wait.
 */
#include "lsu_done.h"

#include "block_stim.h"

enum { MIXED, SPARSE, WAVES, OVERFLOW };

/* mixed brings ids faster than they are taken, so the FIFO is often full.
 *  sparse: each id passes an empty FIFO.
 *  waves: up to four ids a cycle fill it, and then it drains.
 *  overflow: more ids come than there are places, which no other profile allows. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "ids from any sources as long as there is place"},
    [SPARSE] = {"sparse", "seldom an id, taken at once"},
    [WAVES] = {"waves", "four at a time until it is full, then drained"},
    [OVERFLOW] = {"overflow", "more than fit"},
};

STIM_STATE(lsu_done, bool draining;)

/* Sources that bring an id in this cycle, one bit each. */
static unsigned sources(state_t *s) {
  switch (s->profile) {
  case SPARSE: return chance8(&s->rng, 1) ? 1u << rng_below(&s->rng, 4) : 0;
  case WAVES: return s->draining ? 0 : 15;
  default: return (unsigned)rng_bits(&s->rng, 4) & (chance8(&s->rng, 4) ? 15 : (unsigned)rng_bits(&s->rng, 4));
  }
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  lsu_done_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  if (s->shadow.core.count == Depth) s->draining = true;
  if (s->shadow.core.count == 0) s->draining = false;
  in->in_valid = sources(s);
  if (in->in_valid || chance8(&s->rng, 4)) in->in_id = rng_bits(&s->rng, 32);
  while (s->profile != OVERFLOW && s->shadow.core.count + (unsigned)__builtin_popcountll(in->in_valid) > Depth)
    in->in_valid &= in->in_valid - 1;
  in->take = s->shadow.core.count && (s->profile == WAVES ? s->draining : chance8(&s->rng, 7));
  lsu_done_step(&s->shadow, in);
}

STIM_DEFINE(lsu_done, .reset = reset)
