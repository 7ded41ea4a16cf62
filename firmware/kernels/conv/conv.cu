/* SPDX-License-Identifier: Apache-2.0
 *
 * 3 x 3 convolution with zero padding (TensorFlow's conv2d, stride 1, SAME). Images are one plane a channel (NCHW), weights as
 * TensorFlow keeps them: row, column, input channel, output channel. A thread makes one pixel of four output channels. For
 * each input channel its block has the weights and three rows of pixels in shared memory, so that a pixel is read three times
 * for four outputs of nine products each. Blocks cover a row; rows beyond the grid are done in turn.
 */
#include "device.h"

enum { MAX_BLOCK = 256, OUTPUTS = 4, TAPS = 9 };

extern "C" __global__ void __launch_bounds__(MAX_BLOCK) conv(const float *in, const float *weights, float *out, uint width, uint height,
                                                             uint inputs, uint outputs) {
  __shared__ float rows[3][MAX_BLOCK + 2], taps[TAPS * OUTPUTS];
  uint t = threadIdx.x, x = blockIdx.x * blockDim.x + t, first = blockIdx.z * OUTPUTS;
  for (uint y = blockIdx.y; y < height; y += gridDim.y) {
    float sum[OUTPUTS] = {0.0f, 0.0f, 0.0f, 0.0f};
    const float *plane = in;
    for (uint c = 0; c < inputs; c++, plane += (size_t)width * height) {
      for (uint i = t; i < TAPS * OUTPUTS; i += blockDim.x) {
        uint o = first + i % OUTPUTS;
        taps[i] = o < outputs ? weights[(i / OUTPUTS * inputs + c) * outputs + o] : 0.0f;
      }
#pragma unroll
      for (uint r = 0; r < 3; r++) {
        uint line = y + r - 1; /* wraps above the image, so one comparison says whether it is inside */
        const float *pixel = plane + (size_t)line * width + x;
        rows[r][t + 1] = line < height && x < width ? pixel[0] : 0.0f;
        if (t == 0) rows[r][0] = line < height && x > 0 ? pixel[-1] : 0.0f;
        if (t == blockDim.x - 1) rows[r][t + 2] = line < height && x + 1 < width ? pixel[1] : 0.0f;
      }
      __syncthreads();
#pragma unroll
      for (uint k = 0; k < TAPS; k++) {
        float v = rows[k / 3][t + k % 3];
#pragma unroll
        for (uint o = 0; o < OUTPUTS; o++) sum[o] += v * taps[k * OUTPUTS + o];
      }
      __syncthreads();
    }
#pragma unroll
    for (uint o = 0; o < OUTPUTS; o++)
      if (x < width && first + o < outputs) out[((size_t)(first + o) * height + y) * width + x] = sum[o];
  }
}
