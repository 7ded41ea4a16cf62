/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime API, with all that a compiler's host code does around kernels: exec_runtime PART...
 * FATBIN is a fat binary of kernels.ptx, which is registered as two modules here.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "fat_binary.h"
#include "holds.h"

enum { N = 3000 };

static float factor[4]; /* what host code has in the place of a variable of the device */
static int counter;

/* ---- stubs: what a call becomes ---- */

/* What a compiler makes of a kernel's call: takes the configuration of <<<>>> and launches. */
static cudaError_t stub(const void *self, void **params) {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
  const cudaError_t error = __cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream);
  return error ? error : cudaLaunchKernel(self, grid, block, params, shared_bytes, stream);
}

/* Stubs of the kernels in kernels.ptx, as host code calls them. */
static void stub_scale(float *x, int n) {
  stub((const void *)stub_scale, (void *[]){&x, &n});
}

static void stub_add(const float *a, const float *b, float *c, int n) {
  stub((const void *)stub_add, (void *[]){&a, &b, &c, &n});
}

static void stub_store(int *at, int value) {
  stub((const void *)stub_store, (void *[]){&at, &value});
}

/* A stub of a kernel that is not registered. */
static void stub_nothing(void) {
  stub((const void *)stub_nothing, NULL);
}

#define ON(grid_, block_, call)                                                                 \
  do {                                                                                          \
    if (!__cudaPushCallConfiguration((dim3){grid_, 1, 1}, (dim3){block_, 1, 1}, 0, NULL)) call; \
  } while (0)

__attribute__((constructor)) static void before_main(void) {
  void **first = __cudaRegisterFatBinary((void *)&fat_wrapper),
       **second = __cudaRegisterFatBinary((void *)&fat_wrapper);
  __cudaRegisterFunction(first, (const char *)stub_scale, (char *)"scale", "scale", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterFunction(second, (const char *)stub_add, (char *)"add", "add", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterFunction(second, (const char *)stub_store, (char *)"store", "store", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterVar(first, (char *)factor, (char *)"factor", "factor", 0, sizeof factor, 1, 0);
  __cudaRegisterVar(first, (char *)&counter, (char *)"counter", "counter", 0, sizeof counter, 0, 0);
  __cudaRegisterFatBinaryEnd(first);
  __cudaRegisterFatBinaryEnd(second);
}

/* ---- parts ---- */

static void expect_result(cudaError_t wanted, cudaError_t got, const char *what, int line) {
  if (wanted == got) return;
  printf("line %d: %s gave %s (%s)\n", line, what, cudaGetErrorName(got), cudaGetErrorString(got));
  exit(1);
}
#define IS(wanted, call) expect_result(wanted, call, #call, __LINE__)
#define GOOD(call) IS(cudaSuccess, call)

/* Two kernels after each other, a variable of the device, and simulated time between events. */
static void compute(void) {
  static float host[N];
  const float factors[4] = {1, 2, 3, 4};
  float *x, *y, ms;
  int counted = -1;
  cudaEvent_t begin, end;
  for (int i = 0; i < N; i++) host[i] = (float)i;
  GOOD(cudaMalloc((void **)&x, sizeof host));
  GOOD(cudaMalloc((void **)&y, sizeof host));
  GOOD(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
  GOOD(cudaMemcpyToSymbol(factor, factors, sizeof factors, 0, cudaMemcpyHostToDevice));
  GOOD(cudaEventCreate(&begin));
  GOOD(cudaEventCreate(&end));
  GOOD(cudaEventRecord(begin, NULL));
  ON((N + 127) / 128, 128, stub_scale(x, N));
  ON((N + 127) / 128, 128, stub_add(x, x, y, N));
  GOOD(cudaGetLastError());
  GOOD(cudaEventRecord(end, NULL));
  GOOD(cudaEventSynchronize(end));
  GOOD(cudaEventElapsedTime(&ms, begin, end));
  GOOD(cudaMemcpy(host, y, sizeof host, cudaMemcpyDefault));
  for (int i = 0; i < N; i++) TRUE(host[i] == 2 * (float)i * factors[i & 3]);
  GOOD(cudaMemcpyFromSymbol(&counted, &counter, sizeof counted, 0, cudaMemcpyDeviceToHost));
  TRUE(counted == N && ms > 0);
  GOOD(cudaFree(x));
  GOOD(cudaFree(NULL));
}

/* Properties of device, kernels and pointers, hints for managed memory, pools. */
static void properties(void) {
  struct cudaDeviceProp p;
  struct cudaFuncAttributes a;
  struct cudaPointerAttributes where;
  int count = 0, version = 0, blocks = 0;
  void *managed;
  GOOD(cudaGetDeviceCount(&count));
  GOOD(cudaGetDeviceProperties(&p, 0));
  TRUE(count == 1 && p.warpSize == 32 && p.multiProcessorCount > 0 && p.totalGlobalMem > 1 << 20 &&
       !strncmp(p.name, "Lockstack ", 10) && p.maxGridSize[2] > 1);
  IS(cudaErrorInvalidDevice, cudaSetDevice(1));
  IS(cudaErrorInvalidDevice, cudaPeekAtLastError());
  IS(cudaErrorInvalidDevice, cudaGetLastError());
  GOOD(cudaGetLastError());
  GOOD(cudaRuntimeGetVersion(&version));
  TRUE(version == CUDART_MAJOR * 1000);
  GOOD(cudaFuncGetAttributes(&a, (const void *)stub_add));
  TRUE(a.numRegs > 2 && a.maxThreadsPerBlock >= 256);
  GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)stub_add, 128, 0));
  TRUE(blocks > 0);
  GOOD(cudaMallocManaged(&managed, 100, cudaMemAttachGlobal));
  GOOD(cudaPointerGetAttributes(&where, managed));
  TRUE(where.type == cudaMemoryTypeManaged && where.devicePointer == managed);
#if CUDART_MAJOR >= 13
  const struct cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0},
                               other = {cudaMemLocationTypeDevice, 1};
  GOOD(cudaMemAdvise(managed, 100, cudaMemAdviseSetPreferredLocation, device));
  GOOD(cudaMemPrefetchAsync(managed, 100, device, 0, NULL));
  GOOD(cudaMemPrefetchAsync(managed, 100, host, 0, NULL));
  IS(cudaErrorInvalidDevice, cudaMemPrefetchAsync(managed, 100, other, 0, NULL));
#else
  const struct cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
  GOOD(cudaMemAdvise(managed, 100, cudaMemAdviseSetPreferredLocation, 0));
  GOOD(cudaMemPrefetchAsync(managed, 100, -1, NULL));
  IS(cudaErrorInvalidDevice, cudaMemPrefetchAsync(managed, 100, 1, NULL));
#endif
  GOOD(cudaMemAdvise_v2(managed, 100, cudaMemAdviseSetReadMostly, device));
  GOOD(cudaMemPrefetchAsync_v2(managed, 100, device, 0, NULL));
  cudaMemPool_t pool;
  void *taken;
  unsigned long long used = ~0ull;
  GOOD(cudaDeviceGetDefaultMemPool(&pool, 0));
  GOOD(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &used));
  GOOD(cudaMallocAsync(&taken, 1000, NULL));
  GOOD(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  TRUE(used >= 1000 && used < 10000);
  GOOD(cudaFreeAsync(taken, NULL));
  GOOD(cudaMallocFromPoolAsync(&taken, 1000, pool, NULL));
  GOOD(cudaFree(taken));
  GOOD(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  TRUE(used == 0);
  size_t bytes = 0;
  const char *name = NULL;
  GOOD(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void *)stub_add, 1, 128));
  TRUE(bytes == p.sharedMemPerBlock);
  GOOD(cudaFuncGetName(&name, (const void *)stub_add));
  TRUE(!strcmp(name, "add"));
  IS(cudaErrorInvalidDeviceFunction, cudaFuncGetName(&name, &p));
  GOOD(cudaThreadSetCacheConfig(1));
  int config = 0;
  GOOD(cudaThreadGetCacheConfig(&config));
  GOOD(cudaPointerGetAttributes(&where, &p));
  TRUE(where.type == cudaMemoryTypeUnregistered);
}

/* Each error is told by the call and stays until it is fetched. After a fault only a reset
 * helps. */
static void errors(void) {
  float *x;
  int *at;
  GOOD(cudaMalloc((void **)&x, 400));
  ON(1, 5000, stub_scale(x, 100));
  IS(cudaErrorInvalidConfiguration, cudaGetLastError());
  ON(1, 1, stub_nothing());
  IS(cudaErrorInvalidDeviceFunction, cudaGetLastError());
  IS(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(x, x, 4, 0, cudaMemcpyHostToDevice));
  IS(cudaErrorInvalidValue, cudaMemcpyToSymbol(factor, factor, 4, 14, cudaMemcpyHostToDevice));
  IS(cudaErrorInvalidMemcpyDirection, cudaMemcpy(x, factor, 4, (enum cudaMemcpyKind)9));
  IS(cudaErrorInvalidPitchValue, cudaMemcpy2D(x, 2, x, 8, 4, 1, cudaMemcpyDeviceToDevice));
  IS(cudaErrorMemoryAllocation, cudaMalloc((void **)&at, (size_t)1 << 45));
  ON(1, 1, stub_store((int *)0x30, 1));
  IS(cudaErrorIllegalAddress, cudaGetLastError());
  IS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  IS(cudaErrorIllegalAddress, cudaMalloc((void **)&at, 4));
  GOOD(cudaDeviceReset());
  compute();
}

static const struct {
  const char *name;
  void (*run)(void);
} parts[] = {{"compute", compute}, {"properties", properties}, {"errors", errors}};

int main(int argc, char **argv) {
  for (int a = 1; a < argc; a++)
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
      if (!strcmp(parts[i].name, argv[a])) {
        parts[i].run();
        printf("%s held\n", argv[a]);
      }
  return 0;
}
