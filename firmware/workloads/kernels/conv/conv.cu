/* SPDX-License-Identifier: Apache-2.0
 *
 * 3 x 3 convolution with zero padding (TensorFlow's conv2d, stride 1, SAME). Images are one plane a channel (NCHW), weights as
 * TensorFlow keeps them: row, column, input channel, output channel. A thread makes one pixel of four output channels. For
 * each input channel its block has the weights and three rows of pixels in shared memory, so that a pixel is read three times
 * for four outputs of nine products each.
 */
#include "device.h"

enum { MAX_BLOCK = 256, ROW = MAX_BLOCK + 2, OUTPUTS = 4, TAPS = 9 };

/* One of the three rows, row[0] being the pixel to the left of this thread's: everybody's pixel, and the two beside the block. */
static __device__ inline void stage(float *row, const float *pixel, bool inside, uint x, uint width) {
  row[1] = inside && x < width ? pixel[0] : 0.0f;
  if (threadIdx.x == 0) row[0] = inside && x > 0 ? pixel[-1] : 0.0f;
  if (threadIdx.x == blockDim.x - 1) row[2] = inside && x + 1 < width ? pixel[1] : 0.0f;
}

extern "C" __global__ void __launch_bounds__(MAX_BLOCK) conv(const float *in, const float *weights, float *out, uint width, uint height,
                                                             uint inputs, uint outputs) {
  __shared__ float rows[3 * ROW], taps[TAPS * OUTPUTS];
  float *near = rows + threadIdx.x; /* this thread's pixel of the first row is near[1] */
  uint x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, first = blockIdx.z * OUTPUTS;
  float sum[OUTPUTS] = {0.0f, 0.0f, 0.0f, 0.0f};
  const float *pixel = in + (y * width + x);
  for (uint c = 0; c < inputs; c++, pixel += (size_t)width * height) {
    for (uint i = threadIdx.x; i < TAPS * OUTPUTS; i += blockDim.x) {
      uint o = first + i % OUTPUTS;
      taps[i] = o < outputs ? weights[(i / OUTPUTS * inputs + c) * outputs + o] : 0.0f;
    }
    stage(near, pixel - width, y > 0, x, width);
    stage(near + ROW, pixel, true, x, width);
    stage(near + 2 * ROW, pixel + width, y + 1 < height, x, width);
    __syncthreads();
#pragma unroll
    for (uint k = 0; k < TAPS; k++) {
      float v = near[k / 3 * ROW + k % 3];
#pragma unroll
      for (uint o = 0; o < OUTPUTS; o++) sum[o] += v * taps[k * OUTPUTS + o];
    }
    __syncthreads();
  }
  float *to = out + (size_t)first * width * height + (y * width + x);
#pragma unroll
  for (uint o = 0; o < OUTPUTS; o++, to += (size_t)width * height)
    if (x < width && first + o < outputs) *to = sum[o];
}
