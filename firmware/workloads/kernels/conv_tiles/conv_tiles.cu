/* SPDX-License-Identifier: Apache-2.0
 *
 * 3 x 3 convolution of many images of 32 by 32 pixels, one channel, zero padding, in the layout of tiles.h. The weights are arguments, so that every thread
 * has them in registers. The image lies in shared memory with a border of zeros, which is written once.
 */
#include "device.h"
#include "tiles.h"

enum { ROW = TILE + 2, STEP = TILE_ROWS * ROW };

extern "C" __global__ void __launch_bounds__(TILE_THREADS) conv_tiles(const float *in, float *out, uint tiles, float w0, float w1, float w2, float w3,
                                                                      float w4, float w5, float w6, float w7, float w8) {
  __shared__ float pixel[ROW * ROW];
  float *own = pixel + (threadIdx.x / TILE + 1) * ROW + threadIdx.x % TILE + 1;
  for (uint i = threadIdx.x; i < ROW * ROW; i += TILE_THREADS) pixel[i] = 0.0f;
  for (uint tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    size_t at = (size_t)tile * TILE_THREADS + threadIdx.x;
    float value[TILE_SLICES];
#pragma unroll
    for (int s = 0; s < TILE_SLICES; s++) value[s] = in[at + s * TILES_STEP(tiles)];
    __syncthreads();
#pragma unroll
    for (int s = 0; s < TILE_SLICES; s++) own[s * STEP] = value[s];
    __syncthreads();
#pragma unroll
    for (int s = 0; s < TILE_SLICES; s++) {
      const float *p = own + s * STEP;
      float sum = p[-ROW - 1] * w0;
      sum += p[-ROW] * w1;
      sum += p[-ROW + 1] * w2;
      sum += p[-1] * w3;
      sum += value[s] * w4;
      sum += p[1] * w5;
      sum += p[ROW - 1] * w6;
      sum += p[ROW] * w7;
      sum += p[ROW + 1] * w8;
      out[at + s * TILES_STEP(tiles)] = sum;
    }
  }
}
