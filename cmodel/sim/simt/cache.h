/* SPDX-License-Identifier: Apache-2.0
 *
 * A set-associative cache with its data, least recently used replacement, write-through: lines are
 * never dirty.
 *
 * Holds real data, so that a missing invalidation shows as a wrong result. The set index is the
 * line number XOR-folded with the address bits above it (ours), so that strides of a power of two
 * do not fall into one set.
 */
#ifndef CACHE_H
#define CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "simt_limits.h"

typedef struct {
  uint32_t words[GPU_LINE_WORDS];
} cache_line_t;

typedef struct {
  unsigned sets, ways;
  uint64_t *tags; /* line address | 1; 0: invalid */
  uint64_t *used; /* time of last use */
  cache_line_t *lines;
  uint64_t time;
} cache_t;

int cache_init(cache_t *c, unsigned bytes, unsigned ways); /* -1: out of host memory */
void cache_deinit(cache_t *c);

bool cache_has(const cache_t *c, uint64_t line_addr); /* marks nothing */
/* NULL: miss; marks the line as used */
cache_line_t *cache_find(cache_t *c, uint64_t line_addr);
/* replaces the line used least recently */
cache_line_t *cache_fill(cache_t *c, uint64_t line_addr, const uint32_t *words);
bool cache_invalidate(cache_t *c, uint64_t line_addr); /* whether it was there */
void cache_clear(cache_t *c);

#endif
