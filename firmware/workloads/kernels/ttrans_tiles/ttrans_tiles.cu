/* SPDX-License-Identifier: Apache-2.0
 *
 * Transposition of many matrices of 32 by 32 words in the layout of tiles.h, a matrix at a time in shared memory, whose rows are one word longer, so that a
 * column lies in 32 banks.
 */
#include "device.h"
#include "tiles.h"

enum { ROW = TILE + 1 };

extern "C" __global__ void __launch_bounds__(TILE_THREADS) ttrans_tiles(const float *in, float *out, uint tiles) {
  __shared__ float word[TILE * ROW];
  uint x = threadIdx.x % TILE, row = threadIdx.x / TILE;
  float *to = word + row * ROW + x;
  const float *from = word + x * ROW + row;
  for (uint tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    size_t at = (size_t)tile * TILE_THREADS + threadIdx.x;
#pragma unroll
    for (int s = 0; s < TILE_SLICES; s++) to[s * TILE_ROWS * ROW] = in[at + s * TILES_STEP(tiles)];
    __syncthreads();
#pragma unroll
    for (int s = 0; s < TILE_SLICES; s++) out[at + s * TILES_STEP(tiles)] = from[s * TILE_ROWS];
    __syncthreads();
  }
}
