/* SPDX-License-Identifier: Apache-2.0
 *
 * vadd's interface and result, by kernels that print: the first thread of each warp, in a function, with arguments of every kind; and one whose assertion
 * fails at element 40.
 */
#include "device.h"

extern "C" __device__ int printf(const char *format, ...);
extern "C" __device__ void __assertfail(const char *message, const char *file, uint line, const char *function, size_t size);
#define assert(e) ((e) ? (void)0 : __assertfail(#e, "prints.cu", __LINE__, __PRETTY_FUNCTION__, 1))

__device__ __attribute__((noinline)) void tell(uint i, float sum) {
  const int n = printf("%3u|%-6s|%.2f|%lld|%c|%x%%\n", i, i & 32 ? "odd" : "even", sum, -(long long)i << 33, 'a' + (int)(i / 32), i);
  if (n != 6) printf("that were %d\n", n);
}

extern "C" __global__ void vadd(float *a, float *b, float *c, uint n) {
  uint i = global_thread();
  if (i >= n) return;
  c[i] = a[i] + b[i];
  if (i % 32 == 0) tell(i, c[i]);
}

extern "C" __global__ void fails(float *a, float *b, float *c, uint n) {
  uint i = global_thread();
  if (i >= n) return;
  if (i == 39) printf("before\n");
  assert(a[i] < 40);
  c[i] = a[i] + b[i];
}

extern "C" __global__ void much(float *a, float *b, float *c, uint n) {
  uint i = global_thread();
  if (i < n) c[i] = a[i] + b[i];
  if (i < n) printf("%1000d\n", i);
}
