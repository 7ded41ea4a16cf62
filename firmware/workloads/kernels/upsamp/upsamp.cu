/* SPDX-License-Identifier: Apache-2.0
 *
 * Image twice as wide and high (Halide's upsample): each pixel is 3/4 the nearest and 1/4 the next one in each direction, taken
 * from the border beyond it. A block makes consecutive pixels of a row: it blends the two rows for the columns it needs, half
 * as many as it has threads, into shared memory, then every thread blends two columns.
 */
#include "device.h"

enum { MAX_BLOCK = 256 };

static __device__ inline float blend(float near, float next) {
  return 0.75f * near + 0.25f * next;
}

extern "C" __global__ void __launch_bounds__(MAX_BLOCK) upsamp(const float *in, float *out, uint width, uint height) {
  __shared__ float column[MAX_BLOCK / 2 + 3]; /* element 0 is the column to the left of the block's first */
  uint t = threadIdx.x, x = blockIdx.x * blockDim.x + t, y = blockIdx.y, right = width - 1;
  uint row = y / 2, above = row ? row - 1 : 0, below = row + 1 < height ? row + 1 : row, next = y % 2 ? below : above;
  const float *a = in + row * width, *b = in + next * width;
  uint first = blockIdx.x * blockDim.x / 2, last = ((blockIdx.x + 1) * blockDim.x - 1) / 2;
  if (first + t <= last) {
    uint i = first + t < right ? first + t : right;
    column[t + 1] = blend(a[i], b[i]);
  }
  if (t == 0) {
    uint i = first ? first - 1 : 0;
    column[0] = blend(a[i], b[i]);
  }
  if (t == blockDim.x - 1) {
    uint i = last < right ? last + 1 : right;
    column[last - first + 2] = blend(a[i], b[i]);
  }
  __syncthreads();
  uint own = x / 2 - first + 1, beside = x % 2 ? own + 1 : own - 1;
  if (x < 2 * width) out[y * 2 * width + x] = blend(column[own], column[beside]);
}
