/* SPDX-License-Identifier: Apache-2.0
 *
 * vadd's interface and result, through a function that calls itself and functions of a table, neighbours different ones.
 */
#include "device.h"

#define NOINLINE __attribute__((noinline))

extern "C" __device__ NOINLINE int depth(int n) { return n < 1 ? 0 : 1 + depth(n - 1) - depth(n / 4) + depth(n / 4); }
typedef float (*op_t)(float, float);
__device__ NOINLINE float add1(float a, float b) { return a + b; }
__device__ NOINLINE float add2(float a, float b) { return b + a; }
__device__ op_t table[2] = {add1, add2};
extern "C" __global__ void vadd(float *a, float *b, float *c, uint n) {
  uint i = global_thread();
  if (i < n && depth(i % 6) == i % 6) c[i] = table[i & 1](a[i], b[i]);
}
