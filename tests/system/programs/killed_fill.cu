/* SPDX-License-Identifier: Apache-2.0
 *
 * vadd's interface and result, and lines on their way to the caches when invalidations come for them: of two warps side by side one writes its
 * line again and again, on a near-data unit, while the other reads that line again and again on its SM. What it reads does not matter.
 */
#include "device.h"

extern "C" __global__ void vadd(const float *a, const float *b, float *c, uint n) {
  uint i = global_thread();
  uint beside = i ^ 32;
  bool reads = threadIdx.x & 32;
  for (uint round = 0; round < 16; round++) {
    if (reads && beside < n) {
      float seen = c[beside];
      __asm__ volatile("" ::"f"(seen));
    }
    if (!reads && i < n) c[i] = a[i] + b[i];
  }
  __syncthreads();
  if (reads && i < n) c[i] = a[i] + b[i];
}
