/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of lsu_smem: messages of shared memory, and grants of the register file and of the
 * banks. The row of addresses is chosen with the message and shown when the block has read it.
 */
#include "lsu_smem.h"

#include "lsu_stim.h"

enum { MIXED, CONFLICTS, FREE, WRONG, BLOCKED };

/* mixed has accesses of few passes and no errors.
 *  conflicts: the most passes, several threads in a word.
 *  free: one pass, nothing waits.
 *  wrong: addresses that are errors.
 *  blocked: each request stays until its grant. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "any masks, sizes and patterns of addresses, grants at random"},
    [CONFLICTS] = {"conflicts", "threads in few banks, or at the same words and bytes"},
    [FREE] = {"free", "no conflicts, grants at once"},
    [WRONG] = {"wrong", "misaligned addresses and addresses beyond the end, no threads at all"},
    [BLOCKED] = {"blocked", "grants come rarely"},
};

STIM_STATE(lsu_smem, bool held; uint64_t hdr, ctl; uint32_t addr[Threads];)

/* Address of thread i with the offset of the message added. */
static uint32_t thread_addr(state_t *s, unsigned pattern, uint32_t base, unsigned i) {
  unsigned size = (unsigned)LSU_GET(s->hdr, size);
  switch (pattern) {
  case 0: return base + (i << size);                               /* in sequence */
  case 1: return base + i * Threads * 4;                           /* one bank */
  case 2: return base;                                             /* one word */
  case 3: return base + ((uint32_t)rng_below(&s->rng, 4) << size); /* few words */
  case 4: return base + i * 8 * (1u + (uint32_t)rng_below(&s->rng, 2));
  case 5: return base + (uint32_t)rng_below(&s->rng, 4) * Threads * 4 + ((uint32_t)rng_below(&s->rng, 3) << size);
  default: return (uint32_t)rng_bits(&s->rng, LSU_SMEM_BITS);
  }
}

static void new_message(state_t *s) {
  s->held = true;
  s->hdr = stim_lsu_hdr(&s->rng, rng_bits(&s->rng, 1) ? LSU_LDS : LSU_STS);
  uint64_t mask = chance8(&s->rng, 3) ? 0xffffffff : stim_mask(&s->rng);
  if (s->profile == WRONG && chance8(&s->rng, 1)) mask = 0;
  s->ctl = rng_next(&s->rng) << 32 | mask;
  unsigned size = (unsigned)LSU_GET(s->hdr, size);
  unsigned pattern = s->profile == FREE        ? 0
                     : s->profile == CONFLICTS ? (unsigned)rng_range(&s->rng, 1, 5)
                                               : (unsigned)rng_below(&s->rng, 7);
  uint32_t base = (uint32_t)rng_below(&s->rng, SmemBytes),
           offset = (uint32_t)(s->ctl >> 32 & 0xffff) - (uint32_t)(s->ctl >> 48 & 1) * 0x10000;
  for (unsigned i = 0; i < Threads; i++) {
    uint32_t addr = thread_addr(s, pattern, base, i) % SmemBytes & ~((1u << size) - 1);
    if (s->profile == WRONG && rng_chance(&s->rng, 1, 24)) addr ^= 1u << rng_bits(&s->rng, 5);
    if (s->profile == WRONG && rng_chance(&s->rng, 1, 24)) addr = SmemBytes - (uint32_t)rng_below(&s->rng, 10);
    s->addr[i] = addr - offset;
  }
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  static const unsigned often[] = {[MIXED] = 5, [CONFLICTS] = 7, [FREE] = 8, [WRONG] = 7, [BLOCKED] = 1};
  state_t *s = state;
  lsu_smem_in_t *in = in_bytes;
  unsigned n = often[s->profile];
  (void)cycle;
  (void)out;
  if (!s->held && chance8(&s->rng, s->profile == FREE ? 8 : s->profile == BLOCKED ? 1 : 5)) new_message(s);
  in->s_valid = s->held;
  in->s_hdr = s->held ? s->hdr : 0;
  in->s_ctl = s->held ? s->ctl : 0;
  STIM_LOOK(lsu_smem, s, in);
  in->rf_gnt = now.rf_req && chance8(&s->rng, n);
  if (s->shadow.coming && s->shadow.asked == 1) memcpy(in->rf_data, s->addr, sizeof s->addr);
  else if (s->profile != BLOCKED || s->shadow.coming) stim_lsu_row(&s->rng, in->rf_data, 32 * Threads);
  in->sm_gnt = now.sm_req && chance8(&s->rng, n);
  if (s->profile != BLOCKED || s->shadow.served) stim_lsu_row(&s->rng, in->sm_rdata, 32 * Threads);
  in->rw_gnt = now.rw_valid && chance8(&s->rng, n);
  if (now.s_take) s->held = false;
  lsu_smem_step(&s->shadow, in);
}

STIM_DEFINE(lsu_smem, .reset = reset)
