/* SPDX-License-Identifier: Apache-2.0
 *
 * vadd's interface and result, reached only if every cache copy is killed in time: each round a thread has the SM cache a
 * neighbour's element, near-data units overwrite all elements, and the SM's next load of the neighbour's is stored back. A stale copy ends up in c.
 */
#include "device.h"

extern "C" __global__ void vadd(const float *a, const float *b, float *c, uint n) {
  uint i = global_thread();
  uint first = blockIdx.x * blockDim.x;
  uint j = first + (threadIdx.x + 37) % blockDim.x;
  for (uint round = 0; round < 4; round++) {
    float t = 0;
    if (j < n) {
      float warm = c[j];
      __asm__ volatile("" ::"f"(warm));
    }
    __syncthreads();
    if (i < n) c[i] = (a[i] + b[i]) * (float)(round + 1);
    __syncthreads();
    if (j < n) t = c[j];
    __syncthreads();
    if (j < n) c[j] = t;
    __syncthreads();
  }
  if (i < n) c[i] = c[i] * 0.25f;
}
