/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_tx: five requesters of the output, and a receiver that returns credits for the
 * beats that it has seen.
 */
#include "nsu_tx.h"

#include "nsu_stim.h"

enum { MIXED, FLOOD, STARVED, RESPONSES, QUIET, ABUSE };

/* mixed has short queues. flood fills the FIFOs, so that the turns decide.
 *  starved: a class without a credit must not stop the other one.
 *  responses: acknowledgements against credit packets.
 *  quiet: a beat passes an empty block.
 *  abuse: more credits than beats. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "everybody asks now and then, credits come back soon"},
    [FLOOD] = {"flood", "everybody asks all the time: FIFOs full, round robin"},
    [STARVED] = {"starved", "credits come back rarely"},
    [RESPONSES] = {"responses", "acknowledgements and credit packets compete"},
    [QUIET] = {"quiet", "single beats with silence between them"},
    [ABUSE] = {"abuse", "more credits come back than were used"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  unsigned phits;   /* of the beat on the output that have been seen */
  unsigned owed[2]; /* credits of beats that have been seen */
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

/* Chances of 64: a requester asks, an acknowledgement comes, credits are pending, a credit comes
 * back. */
static const struct {
  unsigned request, ack, pending, credit;
} rates[] = {
    [MIXED] = {16, 12, 16, 32},    [FLOOD] = {60, 60, 60, 64}, [STARVED] = {40, 40, 40, 2},
    [RESPONSES] = {4, 20, 60, 48}, [QUIET] = {1, 1, 1, 32},    [ABUSE] = {16, 16, 16, 20},
};

static bool often(state_t *s, unsigned rate) {
  return rng_chance(&s->rng, rate, 64);
}

/* Counts the phits on the output; a whole beat is worth one credit of its class. */
static void see_output(state_t *s, const nsu_tx_out_t *out) {
  if (!out->out_valid || ++s->phits < BEAT_PHITS) return;
  s->phits = 0;
  s->owed[out->out_class]++;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  nsu_tx_in_t *in = in_bytes;
  (void)cycle;
  see_output(s, out);
  in->stack_id = rng_bits(&s->rng, 4);
  in->wr_valid = often(s, rates[s->profile].request);
  if (in->wr_valid) {
    stim_header(&s->rng, in->wr_hdr);
    rng_fill(&s->rng, in->wr_data, PKT_LINE_BITS);
  }
  in->if_valid = often(s, rates[s->profile].request);
  if (in->if_valid) in->if_addr = rng_bits(&s->rng, PKT_ADDR_BITS);
  in->cf_valid = often(s, rates[s->profile].request);
  if (in->cf_valid) in->cf_addr = rng_bits(&s->rng, PKT_ADDR_BITS);
  in->ack_valid = often(s, rates[s->profile].ack);
  if (in->ack_valid) {
    stim_header(&s->rng, in->ack_hdr);
    rng_fill(&s->rng, in->ack_data, PKT_LINE_BITS);
  }
  in->ack_idle = rng_below(&s->rng, 4) != 0;
  in->cr_pending = often(s, rates[s->profile].pending);
  if (in->cr_pending) {
    in->cr_cmd = rng_bits(&s->rng, 8);
    in->cr_rd = rng_bits(&s->rng, 10);
    in->cr_wr = rng_bits(&s->rng, 10);
  }
  for (unsigned cls = 0; cls < 2; cls++) {
    bool abuse = s->profile == ABUSE && rng_below(&s->rng, 8) == 0;
    if (!abuse && (!s->owed[cls] || !often(s, rates[s->profile].credit))) continue;
    in->out_credit |= 1u << cls;
    if (s->owed[cls]) s->owed[cls]--;
  }
}

STIM_RESET

STIM_DEFINE(nsu_tx, .reset = reset)
