/* SPDX-License-Identifier: Apache-2.0
 *
 * 3 x 3 box blur of many images of 32 by 32 pixels, pixels beyond an image's border taken from it, in the layout of tiles.h: every access to global memory
 * is a warp's own 128 bytes. A thread has eight pixels of a column; those above and below come through shared memory, and so do the sums beside its own.
 * Addresses are found once a thread: in the loop they differ by constants.
 */
#include "device.h"
#include "tiles.h"

extern "C" __global__ void __launch_bounds__(TILE_THREADS) blur_tiles(const float *in, float *out, uint tiles) {
  __shared__ float pixel[(TILE + 2) * TILE], sum[TILE * TILE]; /* pixel: a row above and one below the image */
  uint x = threadIdx.x % TILE, row = threadIdx.x / TILE;
  float *own = pixel + TILE + threadIdx.x, *centre = sum + threadIdx.x;
  const float *left = x > 0 ? centre - 1 : centre, *right = x < TILE - 1 ? centre + 1 : centre;
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
    for (int s = 0; s < TILE_SLICES; s++) {
      value[s] = own[s * TILE_THREADS - TILE] + value[s] + own[s * TILE_THREADS + TILE];
      centre[s * TILE_THREADS] = value[s];
    }
    __syncthreads();
#pragma unroll
    for (int s = 0; s < TILE_SLICES; s++)
      out[at + s * TILES_STEP(tiles)] = (left[s * TILE_THREADS] + value[s] + right[s * TILE_THREADS]) * (1.0f / 9.0f);
    __syncthreads();
  }
}
