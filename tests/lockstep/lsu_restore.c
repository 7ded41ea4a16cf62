/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of lsu_restore, a block without state: one access and one transfer number in each cycle.
 */
#include "lsu_restore.h"

#include "lsu_stim.h"

enum { LEGAL, ANY };

/* legal covers aligned accesses and one transfer past the last. any covers addresses that are no
 * multiple of the size, and every k. */
static const stim_profile_t profiles[] = {
    [LEGAL] =
        {"legal",
         "aligned accesses and their transfers, addresses that wrap around, first and last transfer and one past it"},
    [ANY] = {"any", "any inputs"},
};

STIM_STATE(lsu_restore, )

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  lsu_restore_in_t *in = in_bytes;
  (void)cycle;
  (void)out;
  uint64_t hdr = stim_lsu_hdr(&s->rng, LSU_LDO);
  in->addr = LSU_GET(hdr, addr);
  in->size = LSU_GET(hdr, size);
  in->k = rng_below(&s->rng, lsu_access_transfers(lsu_access_off(in->addr), (unsigned)in->size) + 2u);
  if (s->profile == LEGAL) return;
  in->addr = rng_bits(&s->rng, LSU_ADDR_BITS);
  in->k = rng_bits(&s->rng, 4);
}

STIM_DEFINE(lsu_restore, .reset = reset)
