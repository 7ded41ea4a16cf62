/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of the test programs of `exec`. The .ptx beside it is made of it as the kernels' are (firmware/workloads/kernels/make_ptx.sh).
 */
#include "device.h"

__constant__ float factor[4];
__device__ int counter;

extern "C" __global__ void scale(float *x, int n) {
  const int i = (int)global_thread();
  if (i < n) x[i] *= factor[i & 3];
  if (i == 0) counter = counter + n;
}

extern "C" __global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = (int)global_thread();
  if (i < n) c[i] = a[i] + b[i];
}

/* One step of a relaxation: *changed is set while some element is larger than its neighbour on the left and 1. */
extern "C" __global__ void relax(int *x, int n, int *changed) {
  const int i = (int)global_thread();
  if (i == 0 || i >= n || x[i] <= x[i - 1] + 1) return;
  x[i] = x[i - 1] + 1;
  *changed = 1;
}

/* Each block's sum; as many words of dynamic shared memory as it has threads, a power of two. */
extern "C" __global__ void sums(const int *x, int *sum) {
  extern __shared__ int part[];
  part[threadIdx.x] = x[global_thread()];
  for (uint half = blockDim.x / 2; half; half /= 2) {
    __nvvm_bar_sync(0);
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sum[blockIdx.x] = part[0];
}

extern "C" __global__ void store(int *at, int value) {
  *at = value;
}

/* Parameters of several sizes. */
extern "C" __global__ void mixed(char a, double b, short c, long long d, float e, double *out) {
  *out = a + b + c + (double)d + e;
}
