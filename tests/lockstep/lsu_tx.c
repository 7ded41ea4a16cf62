/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of lsu_tx: answers of the controller, done ids and rows of moves, and a bus that takes
 * words of two beats.
 */
#include "lsu_tx.h"

#include "lsu_stim.h"

enum { MIXED, READS, WRITES, ROWS, BLOCKED, SPARSE };

/* mixed has all three sources, none of them for long.
 *  reads: long messages.
 *  writes: two messages a word.
 *  rows: the longest message always waits.
 *  blocked: every source waits.
 *  sparse: a word holds one beat because nothing follows. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "all sources, the bus takes words at random"},
    [READS] = {"reads", "mostly read data, the bus takes every word"},
    [WRITES] = {"writes", "write answers and done ids: two messages a word"},
    [ROWS] = {"rows", "always a row, something else now and then"},
    [BLOCKED] = {"blocked", "everything waits for the bus"},
    [SPARSE] = {"sparse", "nothing new while a message is being sent: words of one beat, also its last"},
};

STIM_STATE(lsu_tx, uint64_t nbu; bool done, row; uint64_t done_id, hdr; uint32_t data[32];)

/* True if a source has something new; sparse waits until the block has sent all. */
static bool comes(state_t *s, unsigned often) {
  return chance8(&s->rng, often) && (s->profile != SPARSE || (!s->shadow.left && !s->shadow.reading));
}

static void drive_sources(state_t *s, lsu_tx_in_t *in) {
  static const unsigned answer[] = {[MIXED] = 3, [READS] = 6, [WRITES] = 7, [ROWS] = 1, [BLOCKED] = 5, [SPARSE] = 1};
  static const unsigned done[] = {[MIXED] = 3, [READS] = 1, [WRITES] = 8, [ROWS] = 1, [BLOCKED] = 5, [SPARSE] = 1};
  static const unsigned row[] = {[MIXED] = 1, [READS] = 0, [WRITES] = 0, [ROWS] = 8, [BLOCKED] = 2, [SPARSE] = 1};
  if (!s->done && comes(s, done[s->profile])) {
    s->done = true;
    s->done_id = rng_bits(&s->rng, 8);
  }
  if (!s->row && comes(s, row[s->profile])) {
    s->row = true;
    /* any type: the block sends an MVR whatever it is */
    s->hdr = stim_lsu_hdr(&s->rng, chance8(&s->rng, 7) ? LSU_RMV : (unsigned)rng_bits(&s->rng, 4));
    rng_fill(&s->rng, s->data, 1024);
  }
  in->in_valid = s->shadow.count + s->shadow.reading < Xacts && comes(s, answer[s->profile]);
  /* the block passes any tag on */
  if (in->in_valid) in->in_tag = chance8(&s->rng, 1) ? rng_bits(&s->rng, 8) : rng_below(&s->rng, Xacts);
  in->d_valid = s->done;
  if (s->done) in->d_id = s->done_id;
  in->v_valid = s->row;
  if (!s->row) return;
  in->v_hdr = s->hdr;
  memcpy(in->v_data, s->data, sizeof in->v_data);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  static const unsigned take[] = {[MIXED] = 5, [READS] = 8, [WRITES] = 8, [ROWS] = 7, [BLOCKED] = 1, [SPARSE] = 4};
  static const unsigned writes[] = {[MIXED] = 4, [READS] = 1, [WRITES] = 8, [ROWS] = 4, [BLOCKED] = 4, [SPARSE] = 4};
  state_t *s = state;
  lsu_tx_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  const bool quiet = s->profile == SPARSE && chance8(&s->rng, 6);
  if (s->profile != SPARSE && !s->shadow.count && rng_chance(&s->rng, 1, 100)) s->nbu = rng_bits(&s->rng, 2);
  in->nbu_id = s->nbu;
  drive_sources(s, in);
  if (!quiet) {
    in->a_kind = chance8(&s->rng, writes[s->profile]) ? LSU_KIND_WR : LSU_KIND_RD;
    in->a_ref = rng_bits(&s->rng, 11);
    rng_fill(&s->rng, in->rd_data, LSU_XFER_BITS);
  }
  in->up_take = s->shadow.beats && chance8(&s->rng, take[s->profile]);
  STIM_LOOK(lsu_tx, s, in);
  if (!now.a_valid && !quiet) in->a_kind = rng_bits(&s->rng, 2); /* without a request the kind must not matter */
  if (now.d_take) s->done = false;
  if (now.v_take) s->row = false;
  lsu_tx_step(&s->shadow, in);
}

STIM_DEFINE(lsu_tx, .reset = reset)
