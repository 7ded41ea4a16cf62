/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of nsu_regfile: three readers and two writers that ask for rows at random.
 */
#include "nsu_regfile.h"

#include "nsu_stim.h"

enum { MIXED, CROWDED, ONE_ROW, MASKS };

/* mixed has every set of requesters.
 *  crowded: the order of the requesters decides in each cycle.
 *  one-row: a read meets a write of its row, in four rows.
 *  masks: writes of few threads keep the others. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "everybody reads and writes now and then"},
    [CROWDED] = {"crowded", "everybody asks all the time"},
    [ONE_ROW] = {"one-row", "few rows: reads of what is written in the same cycle"},
    [MASKS] = {"masks", "writes of one thread, of none, of some"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

/* True if one port asks in this cycle; sets its row. */
static bool ask(state_t *s, uint64_t *slot, uint64_t *reg) {
  if (!chance8(&s->rng, s->profile == CROWDED ? 7 : 3)) return false;
  bool few = s->profile == ONE_ROW || s->profile == MASKS;
  *slot = few ? (NumWarps - 1) * rng_bits(&s->rng, 1) : rng_below(&s->rng, NumWarps);
  *reg = few ? 15 * rng_bits(&s->rng, 1) : rng_bits(&s->rng, 4);
  return true;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  nsu_regfile_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  in->ex_rd_valid = ask(s, &in->ex_rd_slot, &in->ex_rd_reg);
  in->st_rd_valid = ask(s, &in->st_rd_slot, &in->st_rd_reg);
  in->en_rd_valid = ask(s, &in->en_rd_slot, &in->en_rd_reg);
  in->ex_wr_valid = ask(s, &in->ex_wr_slot, &in->ex_wr_reg);
  in->ld_wr_valid = ask(s, &in->ld_wr_slot, &in->ld_wr_reg);
  bool masks = s->profile == MASKS;
  if (in->ex_wr_valid) {
    in->ex_wr_mask = masks ? 1u << rng_bits(&s->rng, 5) : stim_mask(&s->rng);
    rng_fill(&s->rng, in->ex_wr_row, PKT_LINE_BITS);
  }
  if (in->ld_wr_valid) {
    in->ld_wr_mask = masks ? (uint32_t)rng_next(&s->rng) : stim_mask(&s->rng);
    rng_fill(&s->rng, in->ld_wr_row, PKT_LINE_BITS);
  }
}

STIM_RESET

STIM_DEFINE(nsu_regfile, .reset = reset)
