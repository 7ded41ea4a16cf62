/* SPDX-License-Identifier: Apache-2.0
 *
 * Max pooling (TensorFlow's max_pool, SAME: windows that reach over the border count what is inside). Images are as
 * TensorFlow keeps them, channels innermost (NHWC); neighbouring threads take neighbouring channels, then pixels, so that
 * all accesses coalesce whatever window and stride are.
 */
#include "device.h"

extern "C" __global__ void __launch_bounds__(256) maxp(const float *in, float *out, int width, int height, int channels, int out_width,
                                                       int window, int stride, int pad_left, int pad_top) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y, y = blockIdx.z;
  if (c >= channels || x >= out_width) return;
  int left = x * stride - pad_left, right = left + window < width ? left + window : width;
  int top = y * stride - pad_top, bottom = top + window < height ? top + window : height;
  if (left < 0) left = 0;
  if (top < 0) top = 0;
  float most = -__builtin_inff();
  for (int j = top; j < bottom; j++) {
    const float *pixel = in + (size_t)(uint)(j * width + left) * (uint)channels + c;
    for (int i = left; i < right; i++, pixel += channels) most = __nvvm_fmax_f(most, *pixel);
  }
  out[(size_t)(uint)(y * out_width + x) * (uint)channels + c] = most;
}
