/* SPDX-License-Identifier: Apache-2.0 */
#include "tile.h"

#include <string.h>

void tile_place(tile_t *t, unsigned piece, uint64_t paddr) {
  const uint64_t line = paddr & ~(uint64_t)(GPU_LINE_BYTES - 1);
  unsigned i = 0;
  while (i < t->lines && t->line[i] != line) i++;
  if (i == t->lines) t->line[t->lines++] = line, t->in_line[i] = 0;
  t->in_line[i] |= UINT64_C(1) << piece;
  t->offset[piece] = (uint8_t)(paddr & (GPU_LINE_BYTES - 1));
}

void tile_take(tile_t *t, unsigned line, const uint32_t *words) {
  for (uint64_t m = t->in_line[line]; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctzll(m);
    memcpy(t->bytes + i * t->piece_bytes, (const uint8_t *)words + t->offset[i], t->piece_bytes);
  }
}
