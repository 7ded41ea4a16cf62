/* SPDX-License-Identifier: Apache-2.0
 *
 * y = A x, A kept in segments of 128 columns, all rows' first segments one after the other, then their second ones: a row's segment is 512 bytes, and with a
 * whole number of rounds of cores in the rows all segments of a row are at one core. A block does four rows that are a whole grid apart, so that an element
 * of x, which is at some other core, is loaded once for four of A. Each thread sums a column of every segment; a tree in shared memory adds the threads'
 * sums. Of rows beyond the last the last is done again. The columns are whole segments.
 */
#include "device.h"

enum { THREADS = 128, ROWS = 4 };

extern "C" __global__ void __launch_bounds__(THREADS) gemv_segments(const float *a, const float *x, float *y, uint rows, uint segments) {
  __shared__ float sums[ROWS][THREADS];
  for (uint first = blockIdx.x; first < rows; first += ROWS * gridDim.x) {
    float sum[ROWS] = {0.0f, 0.0f, 0.0f, 0.0f};
    const float *from[ROWS];
#pragma unroll
    for (uint i = 0; i < ROWS; i++) {
      uint row = first + i * gridDim.x;
      from[i] = a + (size_t)(row < rows ? row : rows - 1) * THREADS + threadIdx.x;
    }
    for (uint s = 0; s < segments; s++) {
      float xs = x[s * THREADS + threadIdx.x];
#pragma unroll
      for (uint i = 0; i < ROWS; i++) {
        sum[i] += *from[i] * xs;
        from[i] += (size_t)rows * THREADS;
      }
    }
#pragma unroll
    for (uint i = 0; i < ROWS; i++) sums[i][threadIdx.x] = sum[i];
    for (uint stride = THREADS / 2; stride > 0; stride /= 2) {
      __syncthreads();
      if (threadIdx.x < stride)
#pragma unroll
        for (uint i = 0; i < ROWS; i++) sums[i][threadIdx.x] += sums[i][threadIdx.x + stride];
    }
    if (threadIdx.x == 0)
      for (uint i = 0; i < ROWS && first + i * gridDim.x < rows; i++) y[first + i * gridDim.x] = sums[i][0];
    __syncthreads();
  }
}
