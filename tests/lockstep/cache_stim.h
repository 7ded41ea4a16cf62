/* SPDX-License-Identifier: Apache-2.0
 *
 * Look-ups and fills for the blocks that are read-only caches (ro_cache, nsu_icache, nsu_ccache).
 * Includer: `Bytes`, STIM_MSHRS.
 */
#ifndef CACHE_STIM_H
#define CACHE_STIM_H

#include "block_stim.h"

enum { HITS, THRASH, CONFLICTS, SLOW, WALK, ERRORS };

static const stim_profile_t profiles[] = {
    [HITS] = {"hits", "a working set that fits"},
    [THRASH] = {"thrash", "a working set of twice the capacity"},
    [CONFLICTS] = {"conflicts", "more lines of one set than it has ways, tags that differ in one bit"},
    [SLOW] = {"slow", "fetches taken rarely, fills late and out of order: all misses outstanding"},
    [WALK] = {"walk", "one word after the other, as code runs"},
    [ERRORS] = {"errors", "fills that nothing asked for"},
};

enum { STIM_ASKED = 2 * (STIM_MSHRS) };

typedef struct {
  rng_t rng;
  unsigned profile;
  uint64_t base, walk;
  bool took;      /* ft_ready of the last cycle */
  unsigned asked; /* fetches taken and not filled: */
  uint64_t line[STIM_ASKED];
} state_t;

static void init(void *state, uint64_t seed, unsigned profile) {
  state_t *s = state;
  rng_init(&s->rng, seed);
  s->profile = profile;
  s->base = rng_bits(&s->rng, PKT_ADDR_BITS) & ~UINT64_C(127);
}

static uint64_t cache_stim_addr(state_t *s) {
  uint64_t offset = rng_bits(&s->rng, 7);
  switch (s->profile) {
  case HITS: offset += 128 * rng_below(&s->rng, (Bytes) / 128); break;
  case CONFLICTS: /* lines of two sets, and others whose tags differ from theirs in one bit */
    offset += (Bytes)*rng_below(&s->rng, 4) + 128 * rng_below(&s->rng, 2);
    if (rng_bits(&s->rng, 1)) offset += UINT64_C(1) << rng_range(&s->rng, 7, PKT_ADDR_BITS - 1);
    break;
  case WALK:
    if (rng_below(&s->rng, 40) == 0) s->walk = rng_below(&s->rng, 4 * (Bytes));
    s->walk += 8;
    offset = s->walk;
    break;
  default: offset += 128 * rng_below(&s->rng, 2 * (Bytes) / 128); break;
  }
  return (s->base + offset) & bits_ones(PKT_ADDR_BITS);
}

static void cache_stim_take(state_t *s, bool ft_valid, uint64_t ft_addr) {
  if (ft_valid && s->took && s->asked < STIM_ASKED) s->line[s->asked++] = ft_addr;
}

/* A fill, of an outstanding miss in any order or (errors) of anything. */
static bool cache_stim_fill(state_t *s, uint64_t *addr) {
  unsigned rate = s->profile == SLOW ? 1 : s->profile == HITS ? 24 : 8;
  if (s->profile == ERRORS && rng_below(&s->rng, 16) == 0) {
    /* may be one that is outstanding: then it is right, and the later one is wrong */
    *addr = cache_stim_addr(s);
    if (s->asked && rng_bits(&s->rng, 1)) /* outstanding but for one bit */
      *addr = s->line[rng_below(&s->rng, s->asked)] ^ UINT64_C(1) << rng_range(&s->rng, 7, PKT_ADDR_BITS - 1);
    return true;
  }
  if (!s->asked || !rng_chance(&s->rng, rate, 64)) return false;
  unsigned i = (unsigned)rng_below(&s->rng, s->asked);
  *addr = s->line[i] | rng_bits(&s->rng, 7);
  s->line[i] = s->line[--s->asked];
  return true;
}

#define CACHE_STIM(block)                                                                \
  static void next(void *state, uint64_t cycle, const void *out_bytes, void *in_bytes) { \
    state_t *s = state;                                                                  \
    const block##_out_t *out = out_bytes;                                                \
    block##_in_t *in = in_bytes;                                                         \
    (void)cycle;                                                                         \
    cache_stim_take(s, out->ft_valid, out->ft_addr);                                     \
    in->req = chance8(&s->rng, s->profile == SLOW ? 3 : 6);                              \
    if (in->req) in->req_addr = cache_stim_addr(s);                                      \
    in->ft_ready = chance8(&s->rng, s->profile == SLOW ? 1 : 6);                         \
    s->took = in->ft_ready;                                                              \
    in->fill_valid = cache_stim_fill(s, &in->fill_addr);                                 \
    if (in->fill_valid) rng_fill(&s->rng, in->fill_data, PKT_LINE_BITS);                 \
  }                                                                                      \
  STIM_RESET                                                                             \
  STIM_DEFINE(block, .reset = reset)

#endif
