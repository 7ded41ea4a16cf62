/* SPDX-License-Identifier: Apache-2.0
 *
 * Parallel reduction: the sum of all elements. A thread adds up every element that is a whole grid further on, a tree in
 * shared memory adds the threads' sums, and each block leaves one; a second launch, of one block, adds these.
 * blockDim.x is a power of two, at most 256.
 */
#include "device.h"

extern "C" __global__ void __launch_bounds__(256) pr(const float *in, float *out, uint n) {
  __shared__ float sums[256];
  float sum = 0.0f;
  for (uint i = global_thread(); i < n; i += grid_threads()) sum += in[i];
  sums[threadIdx.x] = sum;
  for (uint stride = blockDim.x / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) sums[threadIdx.x] += sums[threadIdx.x + stride];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}
