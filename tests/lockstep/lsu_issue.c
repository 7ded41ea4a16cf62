/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of lsu_issue: messages of class memory, and the places that they need. A message stays
 * until the block takes it.
 */
#include "lsu_issue.h"

#include "lsu_stim.h"

enum { MIXED, FAST, STORES, STARVED, UNALIGNED };

/* fast never waits; starved waits for each resource alone. mixed is between them.
 *  stores: rows are read and shifted by odd offsets.
 *  unaligned: up to nine transfers of an access. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "messages of all types and sizes, everything they need comes at random"},
    [FAST] = {"fast", "always a message, nothing to wait for"},
    [STORES] = {"stores", "mostly stores, long and at odd addresses"},
    [STARVED] = {"starved", "transactions, entries, grants and places come rarely"},
    [UNALIGNED] =
        {"unaligned",
         "leading addresses that are no multiple of the size, too: up to the last byte but one of nine transfers"},
};

STIM_STATE(lsu_issue, bool held; uint64_t hdr, mask; uint32_t data[LSU_XFER_WORDS];)

/* A message of any type. unaligned sets any address, often with the last offset of a transfer. */
static void new_message(state_t *s) {
  static const unsigned types[] = {LSU_RD, LSU_WR, LSU_LDO, LSU_STO};
  unsigned type = s->profile == STORES && chance8(&s->rng, 6) ? LSU_STO : types[rng_below(&s->rng, 4)];
  s->held = true;
  s->hdr = stim_lsu_hdr(&s->rng, type);
  if (s->profile == UNALIGNED && chance8(&s->rng, 4))
    s->hdr = LSU_PUT(s->hdr, addr, rng_bits(&s->rng, LSU_ADDR_BITS) | (chance8(&s->rng, 4) ? 31 : 0));
  s->mask = type != LSU_WR || chance8(&s->rng, 1) ? 0 : stim_mask(&s->rng);
  memset(s->data, 0, sizeof s->data);
  if (type == LSU_WR) rng_fill(&s->rng, s->data, LSU_XFER_BITS);
}

static void drive_message(state_t *s, lsu_issue_in_t *in) {
  if (!s->held && chance8(&s->rng, s->profile == FAST ? 8 : s->profile == STARVED ? 1 : 5)) new_message(s);
  in->m_valid = s->held;
  if (!s->held) return;
  in->m_hdr = s->hdr;
  in->m_mask = s->mask;
  memcpy(in->m_data, s->data, sizeof in->m_data);
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  static const unsigned often[] = {[MIXED] = 5, [FAST] = 8, [STORES] = 6, [STARVED] = 2, [UNALIGNED] = 7};
  state_t *s = state;
  lsu_issue_in_t *in = in_bytes;
  unsigned n = often[s->profile];
  (void)cycle;
  (void)out;
  drive_message(s, in);
  if (s->profile != STARVED || s->shadow.coming) rng_fill(&s->rng, in->rf_data, 1024);
  in->x_free = chance8(&s->rng, n);
  if (in->x_free) in->x_tag = rng_bits(&s->rng, 8);
  in->g_free = chance8(&s->rng, n);
  if (in->g_free) in->g_idx = rng_bits(&s->rng, 4);
  in->st_free = chance8(&s->rng, n);
  if (in->st_free) in->st_idx = rng_bits(&s->rng, 4);
  in->q_ready = chance8(&s->rng, n);
  STIM_LOOK(lsu_issue, s, in);
  in->rf_gnt = now.rf_req && chance8(&s->rng, n);
  if (now.m_take) s->held = false;
  lsu_issue_step(&s->shadow, in);
}

STIM_DEFINE(lsu_issue, .reset = reset)
