/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of tom_place, a block without state: a line and a map in each cycle.
 */
#include "tom_place.h"

#include "tom_stim.h"

enum { ANY, NEXT, ONE_BIT };
enum { LINE_W = (AddrBits)-TOM_LINE_BITS };

/* any mixes all bits.
 *  next: neighbouring lines of one map, as a program has them.
 *  one-bit: each address bit alone decides the stack. */
static const stim_profile_t profiles[] = {
    [ANY] = {"any", "any lines and maps"},
    [NEXT] = {"next", "lines one after the other, of one map for a while"},
    [ONE_BIT] = {"one-bit", "lines of one bit, or all but one"},
};

typedef struct {
  rng_t rng;
  unsigned profile;
  uint64_t line;
  unsigned ndp, bit;
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  tom_place_in_t *in = in_bytes;
  (void)out;
  if (s->profile != NEXT || cycle % 64 == 0) {
    s->line = tom_number(&s->rng, LINE_W);
    s->ndp = (unsigned)rng_bits(&s->rng, 1);
    s->bit = (unsigned)rng_bits(&s->rng, 4);
  } else {
    s->line = (s->line + 1) & bits_ones(LINE_W);
  }
  if (s->profile == ONE_BIT)
    s->line = UINT64_C(1) << rng_below(&s->rng, LINE_W) ^ (rng_bits(&s->rng, 1) ? bits_ones(LINE_W) : 0);
  in->line = s->line;
  in->ndp = s->ndp;
  in->bit = s->bit;
}

STIM_DEFINE(tom_place)
