/* SPDX-License-Identifier: Apache-2.0
 *
 * Dyadic convolution by fast Walsh transforms (the CUDA SDK's fastWalshTransform): a transform is radix-4 steps in global memory, a launch each
 * (fwt4), until its parts fit into shared memory, where a block does one to its end (fwt_part). Data and kernel are transformed, multiplied
 * (fwt_modulate), and the product is transformed back.
 */
#include "device.h"

extern "C" __global__ void fwt4(float *data, uint n, uint stride) {
  uint pos = global_thread();
  if (pos >= n / 4) return;
  uint lo = pos & (stride - 1);
  uint i0 = (pos - lo) * 4 + lo, i1 = i0 + stride, i2 = i1 + stride, i3 = i2 + stride;
  float d0 = data[i0], d1 = data[i1], d2 = data[i2], d3 = data[i3], t;
  t = d0;
  d0 = d0 + d2;
  d2 = t - d2;
  t = d1;
  d1 = d1 + d3;
  d3 = t - d3;
  t = d0;
  data[i0] = d0 + d1;
  data[i1] = t - d1;
  t = d2;
  data[i2] = d2 + d3;
  data[i3] = t - d3;
}

extern "C" __global__ void fwt_part(float *data, uint log2n) {
  extern __shared__ float part[];
  uint n = 1u << log2n;
  float *from = data + blockIdx.x * n;
  for (uint i = threadIdx.x; i < n; i += blockDim.x) part[i] = from[i];
  for (uint stride = n / 4; stride > 0; stride /= 4) {
    uint lo = threadIdx.x & (stride - 1);
    uint i0 = (threadIdx.x - lo) * 4 + lo, i1 = i0 + stride, i2 = i1 + stride, i3 = i2 + stride;
    __syncthreads();
    float d0 = part[i0], d1 = part[i1], d2 = part[i2], d3 = part[i3];
    float sum02 = d0 + d2, sum13 = d1 + d3, less02 = d0 - d2, less13 = d1 - d3;
    part[i0] = sum02 + sum13;
    part[i1] = sum02 - sum13;
    part[i2] = less02 + less13;
    part[i3] = less02 - less13;
  }
  __syncthreads();
  if (log2n & 1) {
    for (uint i = threadIdx.x; i < n / 2; i += blockDim.x) {
      float d0 = part[2 * i], d1 = part[2 * i + 1];
      part[2 * i] = d0 + d1;
      part[2 * i + 1] = d0 - d1;
    }
    __syncthreads();
  }
  for (uint i = threadIdx.x; i < n; i += blockDim.x) from[i] = part[i];
}

extern "C" __global__ void fwt_modulate(float *a, const float *b, uint n, float scale) {
  for (uint i = global_thread(); i < n; i += grid_threads()) a[i] *= b[i] * scale;
}
