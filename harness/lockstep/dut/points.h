/* SPDX-License-Identifier: Apache-2.0
 *
 * Words for the coverage expressions of port files: bins of COVER_AXIS and bits of vectors. An
 * index of -1 is no bin.
 */
#ifndef POINTS_H
#define POINTS_H

#include <stdbool.h>
#include <stdint.h>

/* "none", "one", "some", "all" of the n lowest bits, n at least 3 for all of them. */
static inline int64_t cover_mask(uint64_t mask, unsigned n) {
  const uint64_t all = n >= 64 ? ~0ull : (1ull << n) - 1;
  mask &= all;
  return !mask ? 0 : mask == all ? 3 : !(mask & (mask - 1)) ? 1 : 2;
}

/* "none", "some", "all" of the n lowest bits, n at least 2 for all of them. */
static inline int64_t cover_part(uint64_t mask, unsigned n) {
  const int64_t bin = cover_mask(mask, n);
  return bin == 0 ? 0 : bin == 3 ? 2 : 1;
}

/* "empty", "one", "some", "all but one", "full" of a buffer
 * of this depth; of a small one the last that fits. */
static inline int64_t cover_level(int64_t level, int64_t depth) {
  return level <= 0 ? 0 : level >= depth ? 4 : level == depth - 1 ? 3 : level == 1 ? 1 : 2;
}

/* Only when: an axis without a bin in other cycles. */
static inline int64_t cover_when(bool when, int64_t index) {
  return when ? index : -1;
}

/* Number of the lowest bit that is 1; -1: none. */
static inline int64_t cover_lowest(uint64_t mask) {
  return mask ? __builtin_ctzll(mask) : -1;
}

/* Bits from lsb up of a vector port (width at most 64). */
static inline uint64_t cover_bits(const uint32_t *words, unsigned lsb, unsigned width) {
  uint64_t value = 0;
  for (unsigned i = 0; i < width; i++) value |= (uint64_t)(words[(lsb + i) / 32] >> (lsb + i) % 32 & 1) << i;
  return value;
}

#endif
