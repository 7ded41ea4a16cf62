/* SPDX-License-Identifier: Apache-2.0
 *
 * Parallel reduction as in the CUDA SDK's sixth kernel: blocks of 256 threads go through the elements, each thread adding two, a block's width
 * apart, in a step of the grid; then a tree in shared memory, without barriers in the last warp. Each block leaves a sum; a second
 * launch, of one block, adds these.
 */
#include "device.h"

#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) rd(const float *in, float *out, uint n) {
  __shared__ volatile float sums[BLOCK];
  const uint t = threadIdx.x, step = 2 * BLOCK * gridDim.x;
  float sum = 0.0f;
  for (uint i = 2 * BLOCK * blockIdx.x + t; i < n; i += step) {
    sum += in[i];
    if (i + BLOCK < n) sum += in[i + BLOCK];
  }
  sums[t] = sum;
  __syncthreads();
  if (t < 128) sums[t] = sum = sum + sums[t + 128];
  __syncthreads();
  if (t < 64) sums[t] = sum = sum + sums[t + 64];
  __syncthreads();
  if (t < 32) { /* a warp: all its threads load before any stores */
    sums[t] = sum = sum + sums[t + 32];
    sums[t] = sum = sum + sums[t + 16];
    sums[t] = sum = sum + sums[t + 8];
    sums[t] = sum = sum + sums[t + 4];
    sums[t] = sum = sum + sums[t + 2];
    sums[t] = sum = sum + sums[t + 1];
  }
  if (t == 0) out[blockIdx.x] = sum;
}
