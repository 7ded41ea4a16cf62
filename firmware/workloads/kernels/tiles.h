/* SPDX-License-Identifier: Apache-2.0
 *
 * Images of 32 by 32 words in the layout that a near-bank machine is meant for. A tile is eight
 * slices of four rows:
 *
 *    memory:  | slice 0 of tile 0 | slice 0 of tile 1 | ... | slice 1 of tile 0 | ...
 *    slice:   | row 0 | row 1 | row 2 | row 3 |      512 bytes; a row is a warp's 128 bytes
 *
 * A row of a slice is the 128 bytes of a warp's near-bank unit. With a whole number of rounds of
 * cores in the tiles, all slices of a tile are at one core. Blocks have four warps, warp k on row k
 * of a slice.
 */
#ifndef TILES_H
#define TILES_H

enum {
  TILE = 32,
  TILE_ROWS = 4,
  TILE_SLICES = TILE / TILE_ROWS,
  TILE_THREADS = TILE * TILE_ROWS,
  TILE_WORDS = TILE * TILE
};

/* Words from a row's pixel to the one four rows below it, in the next slice. */
#define TILES_STEP(tiles) ((size_t)(tiles)*TILE_THREADS)

/* The index of pixel (x, y) of a tile. */
#define TILES_AT(tiles, tile, x, y)                                                                                 \
  ((size_t)((y) / TILE_ROWS) * TILES_STEP(tiles) + (size_t)(tile)*TILE_THREADS + (size_t)((y) % TILE_ROWS) * TILE + \
   (size_t)(x))

#endif
