/* SPDX-License-Identifier: Apache-2.0
 *
 * Scalar products of pairs of vectors, as in the CUDA SDK's scalarProd: a block a pair; each thread sums every
 * blockDim.x-th product, then a tree in shared memory adds the threads' sums. blockDim.x is a power of two, at most 256.
 */
#include "device.h"

extern "C" __global__ void __launch_bounds__(256) sp(const float *a, const float *b, float *out, uint length) {
  __shared__ float sums[256];
  const float *x = a + (unsigned long long)blockIdx.x * length;
  const float *y = b + (unsigned long long)blockIdx.x * length;
  float sum = 0.0f;
  for (uint i = threadIdx.x; i < length; i += blockDim.x) sum += x[i] * y[i];
  sums[threadIdx.x] = sum;
  for (uint stride = blockDim.x / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) sums[threadIdx.x] += sums[threadIdx.x + stride];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}
