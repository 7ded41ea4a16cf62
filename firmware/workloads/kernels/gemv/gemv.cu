/* SPDX-License-Identifier: Apache-2.0
 *
 * BLAS gemv, y = A x, A rows x columns, row-major. A block does four rows, so that an element of x is loaded once for four of A:
 * each thread sums every blockDim.x-th column, then a tree in shared memory adds the threads' sums. Of a last block with fewer
 * rows, the missing ones repeat the last. blockDim.x is a power of two, at most 256.
 */
#include "device.h"

enum { ROWS = 4 };

static __device__ inline uint row_of(uint i, uint rows) {
  uint row = blockIdx.x * ROWS + i;
  return row < rows ? row : rows - 1;
}

extern "C" __global__ void __launch_bounds__(256) gemv(const float *a, const float *x, float *y, uint rows, uint columns) {
  __shared__ float sums[ROWS][256];
  const float *a0 = a + (unsigned long long)row_of(0, rows) * columns;
  const float *a1 = a + (unsigned long long)row_of(1, rows) * columns;
  const float *a2 = a + (unsigned long long)row_of(2, rows) * columns;
  const float *a3 = a + (unsigned long long)row_of(3, rows) * columns;
  float sum0 = 0.0f, sum1 = 0.0f, sum2 = 0.0f, sum3 = 0.0f;
  for (uint j = threadIdx.x; j < columns; j += blockDim.x) {
    float xj = x[j];
    sum0 += a0[j] * xj;
    sum1 += a1[j] * xj;
    sum2 += a2[j] * xj;
    sum3 += a3[j] * xj;
  }
  sums[0][threadIdx.x] = sum0;
  sums[1][threadIdx.x] = sum1;
  sums[2][threadIdx.x] = sum2;
  sums[3][threadIdx.x] = sum3;
  for (uint stride = blockDim.x / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) {
      sums[0][threadIdx.x] += sums[0][threadIdx.x + stride];
      sums[1][threadIdx.x] += sums[1][threadIdx.x + stride];
      sums[2][threadIdx.x] += sums[2][threadIdx.x + stride];
      sums[3][threadIdx.x] += sums[3][threadIdx.x + stride];
    }
  }
  if (threadIdx.x == 0) {
    for (uint i = 0; i < ROWS && blockIdx.x * ROWS + i < rows; i++) y[blockIdx.x * ROWS + i] = sums[i][0];
  }
}
