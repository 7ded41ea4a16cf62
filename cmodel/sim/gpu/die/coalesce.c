/* SPDX-License-Identifier: Apache-2.0 */
#include "coalesce.h"

#include "stack_address.h"

void coalesce(coalesce_t *c, const uint64_t *paddr, uint32_t mask) {
  c->count = 0;
  unsigned last = 0;
  for (; mask; mask &= mask - 1) {
    unsigned t = (unsigned)__builtin_ctz(mask);
    uint64_t line = paddr[t] & ~(uint64_t)(GPU_LINE_BYTES - 1);
    c->offset[t] = (uint8_t)(paddr[t] & (GPU_LINE_BYTES - 1));
    if (!c->count || c->line[last] != line) {
      for (last = 0; last < c->count && c->line[last] != line;) last++;
      if (last == c->count) {
        c->line[last] = line;
        c->lanes[last] = 0;
        c->count++;
      }
    }
    c->lanes[last] |= 1u << t;
  }
}

void coalesce_word(coalesce_words_t *c, const uint64_t *paddr, uint32_t mask, unsigned word) {
  coalesce_t lines;
  coalesce(&lines, paddr, mask);
  for (; mask; mask &= mask - 1) c->offset[__builtin_ctz(mask)] = lines.offset[__builtin_ctz(mask)];
  for (unsigned i = 0; i < lines.count; i++) {
    c->line[c->count] = lines.line[i];
    c->lanes[c->count] = lines.lanes[i];
    c->word[c->count++] = (uint8_t)word;
  }
}

bool coalesce_aligned(const uint8_t *offset, uint32_t lanes, unsigned bytes) {
  for (; lanes; lanes &= lanes - 1) {
    unsigned t = (unsigned)__builtin_ctz(lanes);
    if (offset[t] != t * bytes) return false;
  }
  return true;
}

unsigned coalesce_target(const coalesce_t *c) {
  unsigned accesses[STACK_ADDRESS_STACKS] = {0}, best = 0, last = 0;
  for (unsigned i = 0; i < c->count; i++) {
    const unsigned stack = stack_of(c->line[i]);
    accesses[stack]++;
    if (stack > last) last = stack;
  }
  for (unsigned s = 1; s <= last; s++)
    if (accesses[s] > accesses[best]) best = s;
  return best;
}
