/* SPDX-License-Identifier: Apache-2.0
 *
 * Max pooling, windows of 2 x 2 at a stride of 2, of images that are kept as four planes (TensorFlow's space_to_depth): the pixels of even rows and columns,
 * of even rows and odd columns, and so on. So the four pixels of a window have one place in each plane, and all accesses are a warp's own 128 bytes.
 */
#include "device.h"

enum { PLANES = 4 };

extern "C" __global__ void __launch_bounds__(256) maxp_planes(const float *in, float *out, uint n) {
  for (uint i = global_thread(); i < n; i += grid_threads()) {
    float most = in[i];
#pragma unroll
    for (uint plane = 1; plane < PLANES; plane++) most = __nvvm_fmax_f(most, in[i + (size_t)plane * n]);
    out[i] = most;
  }
}
