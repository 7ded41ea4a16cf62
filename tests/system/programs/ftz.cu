/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels whose arithmetic has .ftz, as nvcc's -use_fast_math makes it: a saxpy; a stencil of three points that chooses by a comparison; and what is
 * left: minimum, maximum, sign, conversions. make_ptx.sh with -fgpu-flush-denormals-to-zero makes ftz.ptx of it.
 */
#include "device.h"

extern "C" __global__ void saxpy(float *x, float *y, float a, uint n) {
  uint i = global_thread();
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void stencil(float *x, float *y, float *z, float limit, uint n) {
  uint i = global_thread();
  if (i >= n) return;
  float left = x[i], here = x[i + 1], right = x[i + 2], before = y[i];
  float mean = 0.25f * (left + right) + 0.5f * here;
  z[i] = mean < limit ? before - mean : before * here;
}

extern "C" __global__ void rest(float *x, float *y, float *z, int *floors, double *wide, uint n) {
  uint i = global_thread();
  if (i >= n) return;
  float a = x[i], b = y[i], c = z[i];
  z[i] = __builtin_fmaxf(a, -b) + __builtin_fminf(__builtin_fabsf(b), c);
  y[i] = (float)wide[i];
  floors[i] = (int)__builtin_floorf(a);
  wide[i] = (double)b;
}
