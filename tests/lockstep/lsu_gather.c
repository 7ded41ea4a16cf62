/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of lsu_gather: loads that take an entry, their transfers in any order, and a register
 * file that grants the write of a row.
 */
#include "lsu_gather.h"

#include "lsu_stim.h"

enum { MIXED, FAST, BLOCKED, SINGLE, ABUSE };

/* mixed holds some entries at different stages.
 *  fast: the assembler is never idle.
 *  blocked: all entries are complete and wait for a grant.
 *  single: a load meets an empty table.
 *  abuse: transfers of free entries or of a place already filled. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "loads of all sizes, transfers in any order"},
    [FAST] = {"fast", "a transfer every cycle, rows are written at once: the assembler is what limits"},
    [BLOCKED] = {"blocked", "the register file grants rarely: all entries are complete"},
    [SINGLE] = {"single", "one load at a time"},
    [ABUSE] = {"abuse", "also transfers that nobody waits for"},
};

STIM_STATE(lsu_gather, )

/* A load with an address and size of any legal access. */
static void alloc(state_t *s, lsu_gather_in_t *in) {
  uint64_t hdr = stim_lsu_hdr(&s->rng, LSU_LDO);
  in->alloc = 1;
  in->al_warp = LSU_GET(hdr, warp);
  in->al_reg = chance8(&s->rng, 1) ? 255 : LSU_GET(hdr, reg);
  in->al_size = LSU_GET(hdr, size);
  in->al_sign = rng_bits(&s->rng, 1);
  in->al_off = lsu_access_off(LSU_GET(hdr, addr));
  in->al_n = lsu_access_transfers((unsigned)in->al_off, (unsigned)in->al_size);
  in->al_id = LSU_GET(hdr, id);
}

/* A missing transfer of a random entry; none if all are complete. */
static void transfer(state_t *s, lsu_gather_in_t *in) {
  unsigned first = (unsigned)rng_below(&s->rng, Gathers);
  for (unsigned i = 0; i < Gathers; i++) {
    unsigned idx = (first + i) % Gathers;
    const lsu_gather_entry_t *e = &s->shadow.entry[idx];
    if (!(s->shadow.used >> idx & 1) || e->there == (1u << e->n) - 1) continue;
    in->wr_valid = 1;
    in->wr_idx = idx;
    do in->wr_k = rng_below(&s->rng, e->n);
    while (e->there >> in->wr_k & 1);
    return;
  }
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  static const unsigned grant[] = {[MIXED] = 4, [FAST] = 8, [BLOCKED] = 1, [SINGLE] = 5, [ABUSE] = 5};
  static const unsigned send[] = {[MIXED] = 6, [FAST] = 8, [BLOCKED] = 8, [SINGLE] = 5, [ABUSE] = 6};
  state_t *s = state;
  lsu_gather_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  STIM_LOOK(lsu_gather, s, in);
  bool alone = !s->shadow.used;
  if (now.free && (s->profile != SINGLE || alone) && chance8(&s->rng, s->profile == SINGLE ? 2 : 7)) alloc(s, in);
  if (chance8(&s->rng, send[s->profile])) transfer(s, in);
  if (s->profile == ABUSE && chance8(&s->rng, 1)) {
    in->wr_valid = 1;
    in->wr_idx = rng_bits(&s->rng, 4);
    in->wr_k = rng_bits(&s->rng, 4);
  }
  if (in->wr_valid) stim_lsu_row(&s->rng, in->wr_data, LSU_XFER_BITS);
  in->rw_gnt = now.rw_valid && chance8(&s->rng, grant[s->profile]);
  lsu_gather_step(&s->shadow, in);
}

STIM_DEFINE(lsu_gather, .reset = reset)
