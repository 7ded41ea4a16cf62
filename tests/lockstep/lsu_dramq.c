/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of lsu_dramq: requests when there is place, and credits of the memory controller.
 */
#include "lsu_dramq.h"

#include "block_stim.h"

enum { MIXED, STARVED, FULL, EMPTY, ABUSE };

/* mixed keeps the FIFO between its ends.
 *  starved: credits are at 0 and the FIFO is full.
 *  full: a push and a send in nearly each cycle.
 *  empty: all credits are back and requests pass at once.
 *  abuse: a credit beyond McCredits. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "requests and credits at random"},
    [STARVED] = {"starved", "credits come back rarely"},
    [FULL] = {"full", "a request whenever there is place, a credit nearly every cycle"},
    [EMPTY] = {"empty", "seldom a request"},
    [ABUSE] = {"abuse", "also credits that nobody took"},
};

STIM_STATE(lsu_dramq, )

static void push(state_t *s, lsu_dramq_in_t *in) {
  in->push = 1;
  in->write = rng_bits(&s->rng, 1);
  in->addr = rng_bits(&s->rng, LSU_ADDR_BITS);
  in->tag = rng_bits(&s->rng, 8);
  in->wmask = rng_bits(&s->rng, 32);
  rng_fill(&s->rng, in->wdata, LSU_XFER_BITS);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  static const unsigned often[] = {[MIXED] = 4, [STARVED] = 6, [FULL] = 8, [EMPTY] = 1, [ABUSE] = 4};
  state_t *s = state;
  lsu_dramq_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  STIM_LOOK(lsu_dramq, s, in);
  if (now.ready && chance8(&s->rng, often[s->profile])) push(s, in);
  bool owed = s->shadow.credits < McCredits || (s->profile == ABUSE && chance8(&s->rng, 1));
  in->mc_credit =
      owed && (s->profile == STARVED ? rng_chance(&s->rng, 1, 32) : chance8(&s->rng, s->profile == FULL ? 7 : 4));
  lsu_dramq_step(&s->shadow, in);
}

STIM_DEFINE(lsu_dramq, .reset = reset)
