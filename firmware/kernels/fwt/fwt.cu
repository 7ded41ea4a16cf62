/* SPDX-License-Identifier: Apache-2.0
 *
 * Fast Walsh transform in global memory (the CUDA SDK's fwtBatch2Kernel), one radix-4 step a launch, a radix-2 step where the
 * logarithm is odd, and the product with another spectrum that turns two transforms into a dyadic convolution.
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

extern "C" __global__ void fwt2(float *data, uint n, uint stride) {
  uint pos = global_thread();
  if (pos >= n / 2) return;
  uint lo = pos & (stride - 1);
  uint i0 = (pos - lo) * 2 + lo, i1 = i0 + stride;
  float d0 = data[i0], d1 = data[i1];
  data[i0] = d0 + d1;
  data[i1] = d0 - d1;
}

extern "C" __global__ void fwt_modulate(float *a, const float *b, uint n, float scale) {
  uint i = global_thread();
  if (i < n) a[i] *= b[i] * scale;
}
