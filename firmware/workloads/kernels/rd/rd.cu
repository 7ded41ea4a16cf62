/* SPDX-License-Identifier: Apache-2.0
 *
 * Parallel reduction as in the CUDA SDK's sixth kernel: blocks of 256 threads go through the elements, each thread adding two, a block's width
 * apart, in a step of the grid; then a tree in shared memory, without barriers in the last warp. Each block leaves a sum; a second
 * launch, of one block, adds these. There are two of it, as there: for elements that fill each step a block does (rd_whole), whose threads ask for both
 * elements before they add one, and for any number.
 */
#include "device.h"

#define BLOCK 256

template <bool whole> static __device__ inline void reduce(const float *in, float *out, uint n) {
  __shared__ volatile float sums[BLOCK];
  const uint t = threadIdx.x, step = 2 * BLOCK * gridDim.x;
  float sum = 0.0f;
  for (uint i = 2 * BLOCK * blockIdx.x + t; i < n; i += step) {
    const float first = in[i];
    if (whole) {
      const float second = in[i + BLOCK];
      sum += first;
      sum += second;
    } else {
      sum += first;
      if (i + BLOCK < n) sum += in[i + BLOCK];
    }
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

extern "C" __global__ void __launch_bounds__(BLOCK) rd(const float *in, float *out, uint n) {
  reduce<false>(in, out, n);
}

extern "C" __global__ void __launch_bounds__(BLOCK) rd_whole(const float *in, float *out, uint n) {
  reduce<true>(in, out, n);
}
