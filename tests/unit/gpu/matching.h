/* SPDX-License-Identifier: Apache-2.0
 *
 * Maximum matchings, the yardstick of the allocators: augmenting paths over rows of up to 64
 * columns.
 */
#ifndef MATCHING_H
#define MATCHING_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  const uint64_t *rows;
  uint64_t taken, seen; /* columns */
  uint8_t row_of[64];   /* of a taken column */
} matching_t;

/* A free column for this row, others moving where they must. */
static inline bool matching_augment(matching_t *m, unsigned row) {
  while (m->rows[row] & ~m->seen) {
    uint64_t open = m->rows[row] & ~m->seen;
    unsigned column = (unsigned)__builtin_ctzll(open & ~m->taken ? open & ~m->taken : open);
    bool free_column = !(m->taken >> column & 1);
    m->seen |= UINT64_C(1) << column;
    if (!free_column && !matching_augment(m, m->row_of[column])) continue;
    m->row_of[column] = (uint8_t)row;
    m->taken |= UINT64_C(1) << column;
    return true;
  }
  return false;
}

/* The size of a maximum matching. */
static inline unsigned matching_maximum(const uint64_t *rows, unsigned num_rows) {
  matching_t m = {.rows = rows};
  unsigned size = 0;
  for (unsigned row = 0; row < num_rows; row++) {
    m.seen = 0;
    size += matching_augment(&m, row);
  }
  return size;
}

#endif
