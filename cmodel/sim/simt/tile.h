/* SPDX-License-Identifier: Apache-2.0
 *
 * A matrix of wmma.load or wmma.store, or an asynchronous copy, on its way through the L1: its
 * pieces, each inside one line, and the lines.
 */
#ifndef TILE_H
#define TILE_H

#include "matrix.h"

typedef struct {
  unsigned pieces, piece_bytes;
  unsigned lines;
  uint64_t line[MATRIX_PIECES];    /* physical addresses, in the order of the first piece in each */
  uint64_t in_line[MATRIX_PIECES]; /* pieces in each line, one bit each */
  uint8_t offset[MATRIX_PIECES];   /* byte offset of each piece in its line */
  uint8_t bytes[MATRIX_BYTES];     /* bytes of all pieces, piece after piece */
} tile_t;

/* adds piece number `piece` at physical address paddr */
void tile_place(tile_t *t, unsigned piece, uint64_t paddr);
/* line number `line` has arrived: copies its pieces to `bytes` */
void tile_take(tile_t *t, unsigned line, const uint32_t *words);

#endif
