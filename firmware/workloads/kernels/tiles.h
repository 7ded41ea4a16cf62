/* SPDX-License-Identifier: Apache-2.0
 *
 * Images of 32 by 32 words in the layout that a near-bank machine is meant for: a tile is eight
 * slices of four rows, and in memory are first the first slices of all tiles, then their second
 * slices. A slice is 512 bytes, a row of it the 128 bytes of a warp's near-bank unit; with a whole
 * number of rounds of cores in the tiles, all slices of a tile are at one core. Blocks of four
 * warps, warp k on row k of a slice.
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

/* Words from a row's pixel to that in the next slice. */
#define TILES_STEP(tiles) ((size_t)(tiles)*TILE_THREADS)

/* Where pixel (x, y) of a tile is. */
#define TILES_AT(tiles, tile, x, y)                                                                                 \
  ((size_t)((y) / TILE_ROWS) * TILES_STEP(tiles) + (size_t)(tile)*TILE_THREADS + (size_t)((y) % TILE_ROWS) * TILE + \
   (size_t)(x))

#endif
