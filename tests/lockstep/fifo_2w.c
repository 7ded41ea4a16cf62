/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of fifo_2w. The shadow model follows the words in the FIFO, so that no profile takes
 * from an empty one.
 */
#include "fifo_2w.h"

#include "block_stim.h"

enum { MIXED, FULL, EMPTY, WAVES };

/* mixed seldom fills a deep FIFO, so full and empty each have a profile.
 *  full: two words come when there is room for one or none.
 *  empty: a word leaves as soon as it is shown.
 *  waves: pairs wrap round the end of the memory at odd and at even places. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "none, one or two words pushed, taken half of the time"},
    [FULL] = {"full", "nearly always full, words are lost"},
    [EMPTY] = {"empty", "nearly always empty"},
    [WAVES] = {"waves", "fills up, then drains"},
};

STIM_STATE(fifo_2w, bool draining;)

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  static const unsigned push[] = {[MIXED] = 2, [FULL] = 7, [EMPTY] = 1},
                        take[] = {[MIXED] = 4, [FULL] = 4, [EMPTY] = 7};
  state_t *s = state;
  fifo_2w_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  if (s->shadow.count == Depth) s->draining = true;
  if (s->shadow.count == 0) s->draining = false;
  unsigned often = s->profile == WAVES ? s->draining ? 1 : 7 : push[s->profile];
  in->push = chance8(&s->rng, often) | (uint64_t)chance8(&s->rng, often) << 1;
  in->take = s->shadow.count && chance8(&s->rng, s->profile == WAVES ? s->draining ? 7 : 1 : take[s->profile]);
  rng_fill(&s->rng, in->wdata, 2 * Width);
  fifo_2w_step(&s->shadow, in);
}

STIM_DEFINE(fifo_2w, .reset = reset)
