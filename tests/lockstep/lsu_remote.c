/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of lsu_remote: cores that ask within their credits, near-bank units that answer in any
 * order, and a network that takes the answers.
 */
#include "lsu_remote.h"

#include "block_stim.h"

enum { MIXED, STREAM, BUS_SLOW, BANK_SLOW, FEW, NET_SLOW, TRICKLE, ABUSE };

/* mixed and stream keep all queues short. Each slow profile fills one of them.
 *  bus-slow: the input FIFO.
 *  bank-slow: the entries.
 *  net-slow: the output FIFO.
 *  few: all entries are in use but no request waits.
 *  trickle: the block is empty between requests.
 *  abuse: dropped requests and answers that no entry expects. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "everybody answers soon"},
    [STREAM] = {"stream", "a request whenever there is a credit, everything taken at once"},
    [BUS_SLOW] = {"bus-slow", "dn_take comes rarely: the input FIFO is full"},
    [BANK_SLOW] = {"bank-slow", "answers come rarely: all entries are in use"},
    [FEW] = {"few", "as few requests as answers: all entries are in use and no request waits, and everything between"},
    [NET_SLOW] =
        {"net-slow",
         "out_take comes rarely: the output FIFO is full, entries are free but may not be used; then it drains"},
    [TRICKLE] = {"trickle", "a request now and then"},
    [ABUSE] =
        {"abuse",
         "also requests without a credit, and answers to entries that are free or are none; all entries in use now and then"},
};

/* Chances of 8: a request comes, is sent, is answered; its answer is taken. */
static const struct {
  unsigned ask, take, answer, leave;
} rates[] = {
    [MIXED] = {5, 6, 5, 6}, [STREAM] = {8, 8, 8, 8},   [BUS_SLOW] = {7, 1, 7, 7}, [BANK_SLOW] = {8, 7, 1, 7},
    [FEW] = {2, 8, 2, 8},   [NET_SLOW] = {7, 7, 7, 1}, [TRICKLE] = {1, 6, 6, 6},  [ABUSE] = {6, 5, 5, 5},
};

STIM_STATE(lsu_remote, bool begun, turned; unsigned credits;)

/* net-slow drains now and then. abuse has phases in which all entries are in
 * use and the input FIFO is full. */
static unsigned rate_of_answers(const state_t *s) {
  return s->profile == ABUSE && s->turned ? 1 : rates[s->profile].answer;
}
static unsigned rate_of_leaving(const state_t *s) {
  return s->turned ? s->profile == ABUSE ? 1 : 8 : rates[s->profile].leave;
}

static void request(state_t *s, lsu_remote_in_t *in) {
  in->in_valid = 1;
  in->in_write = rng_bits(&s->rng, 1);
  in->in_core = rng_bits(&s->rng, 7);
  in->in_subcore = rng_bits(&s->rng, 2);
  in->in_id = rng_bits(&s->rng, 8);
  in->in_nbu = rng_bits(&s->rng, 2);
  in->in_addr = rng_bits(&s->rng, LSU_ADDR_BITS);
  in->in_mask = stim_mask(&s->rng);
  rng_fill(&s->rng, in->in_data, LSU_XFER_BITS);
}

/* An answer to a random entry in use; abuse also names free entries and numbers beyond the last. */
static void answer(state_t *s, lsu_remote_in_t *in) {
  unsigned first = (unsigned)rng_below(&s->rng, RemoteEntries);
  bool wrong = s->profile == ABUSE && chance8(&s->rng, 1);
  for (unsigned i = 0; i < RemoteEntries && !wrong && !in->rs_valid; i++) {
    unsigned entry = (first + i) % RemoteEntries;
    in->rs_valid = s->shadow.used[entry / 64] >> entry % 64 & 1;
    in->rs_id = in->rs_valid ? entry : 0;
  }
  if (wrong) {
    in->rs_valid = 1;
    in->rs_id = rng_bits(&s->rng, chance8(&s->rng, 4) ? 8 : 4);
  }
  if (in->rs_valid) rng_fill(&s->rng, in->rs_data, LSU_XFER_BITS);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  lsu_remote_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  STIM_LOOK(lsu_remote, s, in);
  if (!s->begun) s->credits = InDepth;
  s->begun = true;
  s->credits += now.in_credit != 0;
  bool without = s->profile == ABUSE && chance8(&s->rng, 2);
  if ((s->credits || without) && chance8(&s->rng, rates[s->profile].ask)) {
    request(s, in);
    s->credits -= s->shadow.requests < InDepth && s->credits; /* a dropped request returns no credit */
  }
  in->dn_take = (now.dn_valid || s->profile == ABUSE) && chance8(&s->rng, rates[s->profile].take);
  if (chance8(&s->rng, rate_of_answers(s))) answer(s, in);
  if ((s->profile == NET_SLOW || s->profile == ABUSE) && rng_chance(&s->rng, 1, 128)) s->turned = !s->turned;
  in->out_take = (now.out_valid || s->profile == ABUSE) && chance8(&s->rng, rate_of_leaving(s));
  lsu_remote_step(&s->shadow, in);
}

static bool waiting(const void *state) {
  const lsu_remote_t *s = &((const state_t *)state)->shadow;
  return s->requests || s->in_use || s->answers;
}

STIM_DEFINE(lsu_remote, .reset = reset, .waiting = waiting)
