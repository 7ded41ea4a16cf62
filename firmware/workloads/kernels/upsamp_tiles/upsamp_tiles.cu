/* SPDX-License-Identifier: Apache-2.0
 *
 * Many images of 32 by 32 pixels twice as wide and high, each new pixel 3/4 the nearest and 1/4 the next one in each direction, taken from the image beyond
 * its border, in the layout of tiles.h. New pixels are kept as four images: those above and below an old pixel's middle, of each those to the left and
 * to the right. A thread has eight pixels of a column; it blends its rows, then the columns beside it come through shared memory.
 */
#include "device.h"
#include "tiles.h"

static __device__ inline float blend(float near, float next) {
  return 0.75f * near + 0.25f * next;
}

extern "C" __global__ void __launch_bounds__(TILE_THREADS) upsamp_tiles(const float *in, float *out, uint tiles) {
  __shared__ float pixel[(TILE + 2) * TILE], blended[TILE * TILE]; /* pixel: a row above and one below the image */
  uint x = threadIdx.x % TILE, row = threadIdx.x / TILE;
  float *own = pixel + TILE + threadIdx.x, *centre = blended + threadIdx.x;
  const float *left = x > 0 ? centre - 1 : centre, *right = x < TILE - 1 ? centre + 1 : centre;
  size_t all = (size_t)tiles * (TILE * TILE);
  for (uint tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    size_t at = (size_t)tile * TILE_THREADS + threadIdx.x;
    float value[TILE_SLICES];
#pragma unroll
    for (int s = 0; s < TILE_SLICES; s++) {
      value[s] = in[at + s * TILES_STEP(tiles)];
      own[s * TILE_THREADS] = value[s];
    }
    if (row == 0) own[-TILE] = value[0];
    if (row == TILE_ROWS - 1) own[(TILE_SLICES - 1) * TILE_THREADS + TILE] = value[TILE_SLICES - 1];
    __syncthreads();
#pragma unroll
    for (int below = 0; below < 2; below++) {
      float *to = out + 2 * below * all + at;
      float mine[TILE_SLICES];
#pragma unroll
      for (int s = 0; s < TILE_SLICES; s++) {
        mine[s] = blend(value[s], own[s * TILE_THREADS + (below ? TILE : -TILE)]);
        centre[s * TILE_THREADS] = mine[s];
      }
      __syncthreads();
#pragma unroll
      for (int s = 0; s < TILE_SLICES; s++, to += TILES_STEP(tiles)) {
        to[0] = blend(mine[s], left[s * TILE_THREADS]);
        to[all] = blend(mine[s], right[s * TILE_THREADS]);
      }
      __syncthreads();
    }
  }
}
