/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of lsu_rfport: three requesters of reads and three of writes, with random rows.
 */
#include "lsu_rfport.h"

#include "lsu_stim.h"

enum { MIXED, SPARSE, ALL };

/* mixed gives every set of requesters.
 *  sparse: a grant far from the pointer moves it.
 *  all: each port serves its requesters in the order of the turns. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "each requester asks half of the time"},
    [SPARSE] = {"sparse", "seldom more than one requester"},
    [ALL] = {"all", "everybody asks all the time"},
};

STIM_STATE(lsu_rfport, )

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  static const unsigned often[] = {[MIXED] = 4, [SPARSE] = 1, [ALL] = 8};
  state_t *s = state;
  lsu_rfport_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  unsigned n = often[s->profile];
  for (unsigned i = 0; i < 3; i++) in->rd_req |= (uint64_t)chance8(&s->rng, n) << i;
  if (in->rd_req || s->profile != SPARSE) {
    in->rd_req_warp = rng_bits(&s->rng, 18);
    in->rd_req_reg = rng_bits(&s->rng, 24);
  }
  in->g_valid = chance8(&s->rng, n);
  in->g_warp = rng_bits(&s->rng, 6);
  in->g_reg = rng_bits(&s->rng, 8);
  rng_fill(&s->rng, in->g_data, 1024);
  in->s_valid = chance8(&s->rng, n);
  in->s_warp = rng_bits(&s->rng, 6);
  in->s_reg = rng_bits(&s->rng, 8);
  in->s_mask = stim_mask(&s->rng);
  rng_fill(&s->rng, in->s_data, 1024);
  in->w_valid = chance8(&s->rng, n);
  /* any type: lsu_rx alone looks at it */
  in->w_hdr = stim_lsu_hdr(&s->rng, chance8(&s->rng, 7) ? LSU_REGW : (unsigned)rng_bits(&s->rng, 4));
  in->w_mask = stim_mask(&s->rng);
  rng_fill(&s->rng, in->w_data, 1024);
}

STIM_DEFINE(lsu_rfport, .reset = reset)
