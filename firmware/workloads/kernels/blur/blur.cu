/* SPDX-License-Identifier: Apache-2.0
 *
 * 3 x 3 box blur of an image (Halide's blur), pixels beyond the border taken from it. A thread adds up the three pixels above
 * each other in its column; the sums of the columns beside it come through shared memory, so that a pixel is read three
 * times and not nine.
 */
#include "device.h"

enum { MAX_BLOCK = 256 };

static __device__ inline float column_sum(const float *in, uint x, uint y, uint width, uint height) {
  uint above = y ? y - 1 : y, below = y + 1 < height ? y + 1 : y;
  return in[above * width + x] + in[y * width + x] + in[below * width + x];
}

extern "C" __global__ void __launch_bounds__(MAX_BLOCK) blur(const float *in, float *out, uint width, uint height) {
  __shared__ float sums[MAX_BLOCK + 2];
  float *sum = sums + threadIdx.x; /* sum[1] is this thread's, beside it are its neighbours' */
  uint t = threadIdx.x, x0 = blockIdx.x * blockDim.x, x = x0 + t, y = blockIdx.y, right = width - 1;
  sum[1] = column_sum(in, x < right ? x : right, y, width, height);
  if (t == 0) sum[0] = column_sum(in, x0 ? x0 - 1 : 0, y, width, height);
  if (t == blockDim.x - 1) sum[2] = column_sum(in, x + 1 < right ? x + 1 : right, y, width, height);
  __syncthreads();
  if (x < width) out[y * width + x] = (sum[0] + sum[1] + sum[2]) * (1.0f / 9.0f);
}
