/* SPDX-License-Identifier: Apache-2.0
 *
 * Speckle-reducing anisotropic diffusion of an image (the algorithm of Rodinia's srad_v1): a thread a pixel, pixels by columns. Out of the exponent of the
 * image, then in each iteration: pixels and their squares (srad_prepare), their sums, in as many launches as it takes (srad_reduce), how much each
 * pixel differs from its four neighbours and what that lets through (srad), and the new image (srad2); in the end its logarithm. Numbers
 * of neighbours are read from lists. Multiplications and additions are fused where it says so, and nowhere else can they be.
 */
#include "device.h"

#define BLOCK 512
#define LOG2_E 1.44269504f
#define LN_2 0.693147182f

static __device__ inline float fused(float a, float b, float c) {
  return __nvvm_fma_rn_f(a, b, c);
}

static __device__ inline double fused64(double a, double b, double c) {
  return __nvvm_fma_rn_d(a, b, c);
}

extern "C" __global__ void srad_extract(int pixels, float *image) {
  const int i = (int)global_thread();
  if (i < pixels) image[i] = __nvvm_ex2_approx_f(image[i] / 255.0f * LOG2_E);
}

extern "C" __global__ void srad_prepare(int pixels, const float *image, float *sums, float *squares) {
  const int i = (int)global_thread();
  if (i >= pixels) return;
  sums[i] = image[i];
  squares[i] = image[i] * image[i];
}

/* Sums `count` elements, `stride` apart, a block into the place of its first. The last block sums up as many as there is a power of two for, and then one
 * thread the others. */
extern "C" __global__ void srad_reduce(int count, int stride, float *sums, float *squares) {
  __shared__ float sum[BLOCK], square[BLOCK];
  const int x = (int)threadIdx.x, first = (int)blockIdx.x * BLOCK, i = first + x;
  const int mine = count - first < BLOCK ? count - first : BLOCK;
  if (x < mine) {
    sum[x] = sums[i * stride];
    square[x] = squares[i * stride];
  }
  __syncthreads();
  int whole = 1;
  while (2 * whole <= mine) whole *= 2;
  for (int apart = 2; apart <= whole; apart *= 2) {
    if ((x + 1) % apart == 0 && x < whole) {
      sum[x] += sum[x - apart / 2];
      square[x] += square[x - apart / 2];
    }
    __syncthreads();
  }
  if (x != whole - 1) return;
  float all = sum[x], all_squares = square[x];
  for (int k = first + whole; k < first + mine; k++) {
    all += sums[k * stride];
    all_squares += squares[k * stride];
  }
  sums[first * stride] = all;
  squares[first * stride] = all_squares;
}

/* north, south: of each row, the rows above and below; west, east: of each column, the columns to its left and right. */
extern "C" __global__ void srad(int rows, int pixels, const int *north, const int *south, const int *west, const int *east, float *to_north, float *to_south,
                                float *to_west, float *to_east, float speckle, float *through, const float *image) {
  const int i = (int)global_thread(), row = i % rows, column = i / rows;
  if (i >= pixels) return;
  const float here = image[i];
  const float n = image[north[row] + rows * column] - here, s = image[south[row] + rows * column] - here;
  const float w = image[row + rows * west[column]] - here, e = image[row + rows * east[column]] - here;
  const float slope = fused(e, e, fused(w, w, fused(s, s, n * n))) / (here * here), bend = (n + s + w + e) / here;
  const float over = (float)fused64(-1.0 / 16.0, (double)(bend * bend), 0.5 * (double)slope), under = (float)fused64(0.25, (double)bend, 1.0);
  const float varies = over / (under * under);
  const float excess = (varies - speckle) / (speckle * (1.0f + speckle));
  float c = (float)(1.0 / (1.0 + (double)excess));
  if (c < 0.0f) c = 0.0f;
  else if (c > 1.0f) c = 1.0f;
  to_north[i] = n;
  to_south[i] = s;
  to_west[i] = w;
  to_east[i] = e;
  through[i] = c;
}

extern "C" __global__ void srad2(float lambda, int rows, int pixels, const int *south, const int *east, const float *to_north, const float *to_south,
                                 const float *to_west, const float *to_east, const float *through, float *image) {
  const int i = (int)global_thread(), row = i % rows, column = i / rows;
  if (i >= pixels) return;
  const float here = through[i], s = through[south[row] + rows * column], e = through[row + rows * east[column]];
  const float flow = fused(e, to_east[i], fused(here, to_west[i], fused(s, to_south[i], here * to_north[i])));
  image[i] = (float)fused64(0.25 * (double)lambda, (double)flow, (double)image[i]);
}

extern "C" __global__ void srad_compress(int pixels, float *image) {
  const int i = (int)global_thread();
  if (i < pixels) image[i] = __nvvm_lg2_approx_f(image[i]) * LN_2 * 255.0f;
}
