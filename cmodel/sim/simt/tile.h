/* SPDX-License-Identifier: Apache-2.0
 *
 * A matrix of wmma.load or wmma.store on its way through the L1: its pieces, each in a line, and
 * which lines these are.
 */
#ifndef TILE_H
#define TILE_H

#include "matrix.h"

typedef struct {
  unsigned pieces, piece_bytes;
  unsigned lines;
  uint64_t line[MATRIX_PIECES];    /* physical, in the order of the first piece in it */
  uint64_t in_line[MATRIX_PIECES]; /* the pieces of each, a bit each */
  uint8_t offset[MATRIX_PIECES];   /* of each piece in its line */
  uint8_t bytes[MATRIX_BYTES];     /* of all pieces */
} tile_t;

void tile_place(tile_t *t, unsigned piece, uint64_t paddr);      /* where it is in memory; it is one of `pieces` */
void tile_take(tile_t *t, unsigned line, const uint32_t *words); /* that line has come */

#endif
