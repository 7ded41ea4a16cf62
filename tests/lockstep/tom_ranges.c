/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus of tom_ranges: tables of allocations, and addresses inside them, at their edges and
 * between them. A table is always written as a whole.
 */
#include "tom_ranges.h"

#include "tom_stim.h"

enum { MIXED, FULL, FEW, EDGES, GAPS, CHOKED, UNORDERED };

/* mixed seldom hits an edge.
 *  edges: one byte decides.
 *  full, few: the search's longest and shortest ways.
 *  gaps: addresses between allocations, and empty ones.
 *  choked: inputs that the block must refuse.
 *  unordered: a table that breaks the rule; the block still has to agree with its model. */
static const stim_profile_t profiles[] = {
    [MIXED] = {"mixed", "tables of any length, any addresses"},
    [FULL] = {"full", "all entries in use, one behind the other"},
    [FEW] = {"few", "none to three entries"},
    [EDGES] = {"edges", "first and last bytes of allocations, and those beside them"},
    [GAPS] = {"gaps", "allocations far apart, some of no bytes"},
    [CHOKED] = {"choked", "more addresses than can be looked up, entries that cannot be written"},
    [UNORDERED] = {"unordered", "entries that do not rise"},
};

/* to_write: entries of the table still to be written. */
typedef struct {
  rng_t rng;
  unsigned profile, count, to_write;
  tom_ranges_t shadow;
  uint64_t start[Entries], bytes[Entries];
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  tom_ranges_reset(&s->shadow);
}

/* A new table: starts that rise, as far as there are addresses. */
static void make_table(state_t *s) {
  const uint64_t all = bits_ones(AddrBits);
  uint64_t at = rng_bits(&s->rng, 1) ? 0 : tom_number(&s->rng, AddrBits) >> rng_below(&s->rng, AddrBits);
  s->count = s->profile == FULL  ? (Entries)
             : s->profile == FEW ? (unsigned)rng_below(&s->rng, 4)
                                 : (unsigned)rng_below(&s->rng, (Entries) + 1);
  if (s->count > (Entries)) s->count = (Entries);
  const uint64_t share = all / (s->count ? s->count : 1);
  for (unsigned i = 0; i < s->count; i++) {
    const uint64_t room = all - at, most = share < room ? share : room;
    uint64_t bytes = rng_bits(&s->rng, 2) ? rng_next(&s->rng) % (most + 1) : rng_below(&s->rng, 3);
    if (bytes > room) bytes = room;
    const uint64_t gap = s->profile == FULL || s->profile == EDGES || rng_bits(&s->rng, 1)
                             ? 0
                             : rng_next(&s->rng) % (most - (bytes < most ? bytes : most) + 1);
    s->start[i] = s->profile == UNORDERED ? tom_number(&s->rng, AddrBits) : at;
    s->bytes[i] = bytes;
    at += bytes + gap > room ? room : bytes + gap;
  }
  s->to_write = s->count;
}

/* An address at an edge of an allocation, inside it, or any. */
static uint64_t address(state_t *s) {
  const uint64_t all = bits_ones(AddrBits);
  if (!s->count || rng_chance(&s->rng, 1, s->profile == EDGES ? 20 : 4)) return tom_number(&s->rng, AddrBits);
  const unsigned i = (unsigned)rng_below(&s->rng, s->count);
  const uint64_t inside = s->bytes[i] ? rng_next(&s->rng) % s->bytes[i] : 0;
  switch (rng_below(&s->rng, s->profile == EDGES ? 4 : 8)) {
  case 0: return s->start[i];
  case 1: return (s->start[i] + s->bytes[i] - 1) & all;
  case 2: return (s->start[i] + s->bytes[i]) & all;
  case 3: return (s->start[i] - 1) & all;
  default: return (s->start[i] + inside) & all;
  }
}

static void next(void *state, uint64_t cycle, const void *out, void *in_bytes) {
  state_t *s = state;
  tom_ranges_in_t *in = in_bytes;
  const bool free = !s->shadow.waiting && !s->shadow.looks;
  (void)cycle;
  (void)out;
  if (!s->to_write && rng_chance(&s->rng, 1, 4 * (Entries) + 20)) make_table(s);
  in->cfg_valid = s->to_write || (s->profile == CHOKED && rng_chance(&s->rng, 1, 8));
  if (s->to_write) {
    in->cfg_idx = s->to_write - 1;
    in->cfg_start = s->start[s->to_write - 1], in->cfg_bytes = s->bytes[s->to_write - 1];
    if (free) s->to_write--;
  } else if (in->cfg_valid) {
    in->cfg_idx = rng_below(&s->rng, Entries);
    in->cfg_start = s->start[in->cfg_idx], in->cfg_bytes = s->bytes[in->cfg_idx];
  }
  in->count = s->count;
  in->q_valid = rng_chance(&s->rng, s->profile == CHOKED ? 15 : 1,
                           s->to_write            ? 64
                           : s->profile == CHOKED ? 16
                                                  : 1 + rng_below(&s->rng, 12));
  in->q_addr = address(s);
  in->rd_idx = s->count && rng_bits(&s->rng, 2) ? rng_below(&s->rng, s->count) : rng_below(&s->rng, Entries);
  tom_ranges_step(&s->shadow, in);
}

/* A reset at any time; the table stays, but its marks are cleared. */
static bool reset(void *state, uint64_t cycle) {
  state_t *s = state;
  (void)cycle;
  if (!rng_chance(&s->rng, 1, 500)) return false;
  tom_ranges_reset(&s->shadow);
  return true;
}

STIM_DEFINE(tom_ranges, .reset = reset)
