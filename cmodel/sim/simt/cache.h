/* SPDX-License-Identifier: Apache-2.0
 *
 * A set-associative cache that holds real data, with LRU replacement. The cache is write-through:
 * lines are never dirty.
 *
 * Real data make a missing invalidation show as a wrong result. The set index is the line number
 * XOR-folded with the address bits above it (ours). Strides of a power of two therefore spread over
 * the sets.
 *
 * Line addresses are multiples of GPU_LINE_BYTES.
 */
#ifndef CACHE_H
#define CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "simt_limits.h"

/* Data of one line. */
typedef struct {
  uint32_t words[GPU_LINE_WORDS];
} cache_line_t;

typedef struct {
  unsigned sets, ways;
  uint64_t *tags;      /* line address | 1; 0: invalid */
  uint64_t *used;      /* `time` of last use, for LRU */
  cache_line_t *lines; /* [sets * ways], as tags and used */
  uint64_t time;       /* counts uses */
} cache_t;

/* bytes: capacity; -1: out of host memory */
int cache_init(cache_t *c, unsigned bytes, unsigned ways);
void cache_deinit(cache_t *c);

bool cache_has(const cache_t *c, uint64_t line_addr); /* does not count as a use */
/* Returns the line and marks it as used; NULL: miss. */
cache_line_t *cache_find(cache_t *c, uint64_t line_addr);
/* Copies a line into the cache, in place of the set's least recently used one, and returns it. */
cache_line_t *cache_fill(cache_t *c, uint64_t line_addr, const uint32_t *words);
bool cache_invalidate(cache_t *c, uint64_t line_addr); /* true: the line was cached */
void cache_clear(cache_t *c);                          /* invalidates every line */

#endif
