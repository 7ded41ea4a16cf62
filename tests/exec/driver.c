/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver API, part by part: exec_driver KERNELS.ptx PART... A call that does not do what it
 * should ends the program with a line and status 1.
 */
#include "driver.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 1000, THREADS = 4 };

static const char *path;

/* The kernel of this name, which must be there. */
static CUfunction find_kernel(CUmodule module, const char *name) {
  CUfunction f;
  GOOD(cuModuleGetFunction(&f, module, name));
  return f;
}

/* Loads KERNELS.ptx as a module of its own. */
static CUmodule load_kernels(void) {
  CUmodule module;
  GOOD(cuModuleLoad(&module, path));
  return module;
}

/* Launches blocks of one dimension on the default stream. */
static void launch_kernel(CUfunction f, unsigned grid, unsigned block, unsigned shared, void **params) {
  GOOD(cuLaunchKernel(f, grid, 1, 1, block, 1, 1, shared, NULL, params, NULL));
}

/* Two instances of one module have variables of their own, and unloading one leaves the other. */
static void modules(void) {
  CUmodule a = load_kernels(), b = load_kernels();
  CUdeviceptr x, count, constant;
  size_t bytes;
  float host[N];
  int n = N, counted;
  const float factors[2][4] = {{2, 2, 2, 2}, {5, 5, 5, 5}};
  CUmodule each[2] = {a, b};
  for (int i = 0; i < N; i++) host[i] = 1;
  GOOD(cuMemAlloc(&x, sizeof host));
  GOOD(cuMemcpyHtoD(x, host, sizeof host));
  for (int m = 0; m < 2; m++) {
    GOOD(cuModuleGetGlobal(&constant, &bytes, each[m], "factor"));
    TRUE(bytes == sizeof factors[m]);
    GOOD(cuMemcpyHtoD(constant, factors[m], bytes));
  }
  void *params[] = {&x, &n};
  for (int i = 0; i < 4; i++) launch_kernel(find_kernel(each[i & 1], "scale"), 8, 128, 0, params);
  GOOD(cuMemcpyDtoH(host, x, sizeof host));
  for (int i = 0; i < N; i++) TRUE(host[i] == 100);
  GOOD(cuModuleGetGlobal(&count, &bytes, b, "counter"));
  GOOD(cuMemcpyDtoH(&counted, count, 4));
  TRUE(counted == 2 * N && bytes == 4);
  GOOD(cuModuleUnload(a));
  launch_kernel(find_kernel(b, "scale"), 8, 128, 0, params);
  GOOD(cuMemcpyDtoH(host, x, sizeof host));
  TRUE(host[N - 1] == 500);
  CUfunction f;
  IS(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&f, b, "nothing"));
  IS(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal(&x, &bytes, b, "nothing"));
  IS(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&a, "no such file"));
  IS(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload((CUmodule)&f));
}

/* Copies of each kind with pitches, fills, ranges of pointers, and what is refused. */
static void memory(void) {
  enum { WIDTH = 100, ROWS = 7, DEPTH = 3 };
  static unsigned char in[DEPTH][ROWS][WIDTH], out[DEPTH][ROWS][WIDTH], much[1 << 20];
  CUdeviceptr a, b, base;
  size_t pitch, bytes, left, total, left_then;
  unsigned type;
  for (unsigned i = 0; i < sizeof in; i++) ((unsigned char *)in)[i] = (unsigned char)(i * 7 + 1);
  GOOD(cuMemGetInfo(&left, &total));
  GOOD(cuMemAllocPitch(&a, &pitch, WIDTH, ROWS * DEPTH, 4));
  TRUE(pitch >= WIDTH && pitch % 256 == 0);
  GOOD(cuMemAlloc(&b, sizeof in));
  GOOD(cuMemGetInfo(&left_then, NULL));
  TRUE(left_then < left && left <= total);
  GOOD(cuMemGetAddressRange(&base, &bytes, b + 5));
  TRUE(base == b && bytes == sizeof in);
  GOOD(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, b));
  TRUE(type == CU_MEMORYTYPE_DEVICE);
  IS(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (uintptr_t)in));
  CUDA_MEMCPY3D to = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                      .srcHost = in,
                      .srcPitch = WIDTH,
                      .srcHeight = ROWS,
                      .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                      .dstDevice = a,
                      .dstPitch = pitch,
                      .dstHeight = ROWS,
                      .WidthInBytes = WIDTH,
                      .Height = ROWS,
                      .Depth = DEPTH};
  GOOD(cuMemcpy3D(&to));
  CUDA_MEMCPY2D through = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                           .srcDevice = a,
                           .srcPitch = pitch,
                           .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                           .dstDevice = b,
                           .dstPitch = WIDTH,
                           .WidthInBytes = WIDTH,
                           .Height = ROWS * DEPTH};
  GOOD(cuMemcpy2D(&through));
  GOOD(cuMemcpyDtoH(out, b, sizeof out));
  TRUE(!memcmp(in, out, sizeof in));
  GOOD(cuMemsetD2D8(a, pitch, 9, 10, 2));
  GOOD(cuMemcpyDtoH(out, a, 20));
  TRUE(out[0][0][9] == 9 && out[0][0][10] == in[0][0][10]);
  GOOD(cuMemsetD32(b, 0x01020304, 4));
  GOOD(cuMemsetD16(b + 4, 0x0a0b, 2));
  GOOD(cuMemcpyDtoH(out, b, 16));
  TRUE(out[0][0][3] == 1 && out[0][0][4] == 0x0b && out[0][0][7] == 0x0a && out[0][0][8] == 4);
  GOOD(cuMemcpyDtoD(b + 1, b, 50)); /* they overlap */
  IS(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(b + 1, 0, 1));
  IS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD((uintptr_t)in, in, 4));
  IS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(b, much, sizeof much));
  IS(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&base, (size_t)1 << 45));
  IS(CUDA_ERROR_INVALID_VALUE, cuMemFree(b + 1));
  GOOD(cuMemFree(b));
  IS(CUDA_ERROR_INVALID_VALUE, cuMemFree(b));
  GOOD(cuMemFree(a));
  for (int i = 0; i < 200; i++) { /* more than fits at once */
    GOOD(cuMemAlloc(&a, 64 << 10));
    GOOD(cuMemFree(a));
  }
}

/* Memory that host and device share: managed, and host memory mapped at once or when it is asked
 * for. */
static void shared_memory(void) {
  CUmodule m = load_kernels();
  CUdeviceptr managed, device;
  int n = N, *mapped;
  float *x;
  GOOD(cuMemAllocManaged(&managed, 3 * N * sizeof *x, CU_MEM_ATTACH_GLOBAL));
  x = (float *)(uintptr_t)managed;
  for (int i = 0; i < N; i++) x[i] = (float)i, x[N + i] = 1, x[2 * N + i] = 0;
  CUdeviceptr y = managed + N * sizeof *x, z = y + N * sizeof *x;
  launch_kernel(find_kernel(m, "add"), 8, 128, 0, (void *[]){&managed, &y, &z, &n});
  for (int i = 0; i < N; i++) TRUE(x[2 * N + i] == (float)i + 1);
  GOOD(cuMemHostAlloc((void **)&mapped, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
  GOOD(cuMemHostGetDevicePointer(&device, mapped + 3, 0));
  int value = 77;
  launch_kernel(find_kernel(m, "store"), 1, 1, 0, (void *[]){&device, &value});
  TRUE(mapped[3] == 77 && mapped[2] == 0 && device == (uintptr_t)(mapped + 3)); /* addresses are unified */
  GOOD(cuMemFreeHost(mapped));
  GOOD(cuMemHostAlloc((void **)&mapped, 4096, 0)); /* mapped when it is asked for */
  GOOD(cuMemHostGetDevicePointer(&device, mapped + 5, 0));
  launch_kernel(find_kernel(m, "store"), 1, 1, 0, (void *[]){&device, &value});
  TRUE(mapped[5] == 77 && mapped[4] == 0);
  GOOD(cuMemFreeHost(mapped));
  IS(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(x));
  GOOD(cuMemFree(managed));
}

static int called; /* callbacks */

/* Adds the number it is given, or 100 for an error. */
static void callback(CUstream stream, CUresult status, void *data) {
  (void)stream;
  called += status == CUDA_SUCCESS ? *(int *)data : 100;
}

/* A kernel is launched until nothing changes. Events tell simulated time. */
static void loop(void) {
  CUmodule m = load_kernels();
  CUfunction relax = find_kernel(m, "relax");
  CUdeviceptr x, flag;
  CUevent begin, end;
  CUstream stream;
  int host[N], n = N, changed = 1, rounds = 0, one = 1;
  float ms = 0;
  for (int i = 0; i < N; i++) host[i] = i ? 1 << 20 : 0;
  for (int i = 0; i < N; i += 50) host[i] = i;
  GOOD(cuMemAlloc(&x, sizeof host));
  GOOD(cuMemAlloc(&flag, 4));
  GOOD(cuMemcpyHtoD(x, host, sizeof host));
  called = 0;
  GOOD(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  GOOD(cuEventCreate(&begin, 0));
  GOOD(cuEventCreate(&end, 0));
  IS(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, begin, end));
  GOOD(cuEventRecord(begin, stream));
  for (; changed; rounds++) {
    GOOD(cuMemsetD32Async(flag, 0, 1, stream));
    GOOD(cuLaunchKernel(relax, 8, 1, 1, 128, 1, 1, 0, stream, (void *[]){&x, &n, &flag}, NULL));
    GOOD(cuMemcpyDtoHAsync(&changed, flag, 4, stream));
    GOOD(cuStreamSynchronize(stream));
  }
  GOOD(cuEventRecord(end, stream));
  GOOD(cuStreamAddCallback(stream, callback, &one, 0));
  GOOD(cuStreamQuery(stream));
  GOOD(cuEventElapsedTime(&ms, begin, end));
  GOOD(cuMemcpyDtoH(host, x, sizeof host));
  for (int i = 0; i < N; i++) TRUE(host[i] == i);
  TRUE(rounds > 2 && ms > 0 && ms < 10 && called == 1);
  GOOD(cuStreamDestroy(stream));
  GOOD(cuEventDestroy(begin));
}

/* Shared memory, arguments as pointers and as one buffer, attributes of functions, occupancy. */
static void launches(void) {
  CUmodule m = load_kernels();
  CUdeviceptr x, sum;
  int host[1024], got[8], value = 0, blocks = 0, grid = 0, block = 0;
  for (int i = 0; i < 1024; i++) host[i] = i;
  GOOD(cuMemAlloc(&x, sizeof host));
  GOOD(cuMemAlloc(&sum, 64));
  GOOD(cuMemcpyHtoD(x, host, sizeof host));
  CUfunction sums = find_kernel(m, "sums"), mixed = find_kernel(m, "mixed");
  launch_kernel(sums, 8, 128, 128 * 4, (void *[]){&x, &sum});
  GOOD(cuMemcpyDtoH(got, sum, sizeof got));
  for (int b = 0; b < 8; b++) TRUE(got[b] == 128 * (128 * b) + 127 * 64);
  struct {
    char a;
    double b;
    short c;
    long long d;
    float e;
    CUdeviceptr out;
  } p = {1, 2.5, 3, 4, 0.25f, sum};
  size_t size = sizeof p;
  double result;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &p, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  GOOD(cuLaunchKernel(mixed, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
  GOOD(cuMemcpyDtoH(&result, sum, sizeof result));
  TRUE(result == 10.75);
  p.d = 100;
  launch_kernel(mixed, 1, 1, 0, (void *[]){&p.a, &p.b, &p.c, &p.d, &p.e, &p.out});
  GOOD(cuMemcpyDtoH(&result, sum, sizeof result));
  TRUE(result == 106.75);
  GOOD(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, sums));
  TRUE(value > 2 && value < 64);
  GOOD(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_PTX_VERSION, sums));
  TRUE(value == 35); /* of kernels.ptx: the architecture, not the language's version */
  GOOD(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, sums));
  GOOD(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sums, 128, 512));
  TRUE(blocks > 0 && blocks * 128 <= 2048);
  GOOD(cuOccupancyMaxPotentialBlockSize(&grid, &block, sums, NULL, 0, 0));
  TRUE(block >= 32 && block <= value && grid > 0);
  IS(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(sums, 0, 1, 1, 64, 1, 1, 0, NULL, (void *[]){&x, &sum}, NULL));
  launch_kernel(sums, 1, 64, 256, (void *[]){&x, &sum}); /* none of that is for ever */
}

/* More shared memory than the machine has. */
static void limits(void) {
  CUdeviceptr x;
  GOOD(cuMemAlloc(&x, 4096));
  const CUfunction sums = find_kernel(load_kernels(), "sums");
  IS(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
     cuLaunchKernel(sums, 1, 1, 1, 64, 1, 1, 1 << 20, NULL, (void *[]){&x, &x}, NULL));
}

static CUcontext main_context;

/* One of several threads: without a context it can do nothing; then it adds in the main one. */
static void *thread_work(void *which) {
  CUdeviceptr x, y, z;
  float host[N];
  int n = N;
  CUdeviceptr none;
  IS(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&none, 4));
  GOOD(cuCtxSetCurrent(main_context));
  CUmodule m = load_kernels();
  GOOD(cuMemAlloc(&x, sizeof host));
  GOOD(cuMemAlloc(&y, sizeof host));
  GOOD(cuMemAlloc(&z, sizeof host));
  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < N; i++) host[i] = (float)(i + *(int *)which);
    GOOD(cuMemcpyHtoD(x, host, sizeof host));
    GOOD(cuMemcpyDtoD(y, x, sizeof host));
    launch_kernel(find_kernel(m, "add"), 8, 128, 0, (void *[]){&x, &y, &z, &n});
    GOOD(cuMemcpyDtoH(host, z, sizeof host));
    for (int i = 0; i < N; i++) TRUE(host[i] == 2 * (float)(i + *(int *)which));
  }
  return NULL;
}

/* Four threads use the main context at once, each with its module and memory. */
static void threads(void) {
  pthread_t thread[THREADS];
  int which[THREADS];
  for (int i = 0; i < THREADS; i++) {
    which[i] = i;
    TRUE(!pthread_create(&thread[i], NULL, thread_work, &which[i]));
  }
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
}

/* A fork of a process with a device has no device; the parent's device stays as it was. */
static void forks(void) {
  CUdeviceptr x;
  int status;
  const pid_t child = fork();
  if (!child) {
    IS(CUDA_ERROR_NOT_INITIALIZED, cuMemAlloc(&x, 4));
    _exit(0);
  }
  TRUE(waitpid(child, &status, 0) == child && !status);
  loop();
}

/* A store to this address fails, and so does each call after it, until there is a fresh device. */
static void expect_fault(unsigned long long address, CUresult wanted) {
  CUmodule m = load_kernels();
  CUdeviceptr x;
  int value = 1;
  IS(wanted, cuLaunchKernel(find_kernel(m, "store"), 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&address, &value}, NULL));
  IS(wanted, cuMemAlloc(&x, 4));
  IS(wanted, cuCtxSynchronize());
  GOOD(cuDevicePrimaryCtxReset(0));
  m = load_kernels();
  GOOD(cuMemAlloc(&x, 4));
  launch_kernel(find_kernel(m, "store"), 1, 1, 0, (void *[]){&x, &value});
  GOOD(cuMemcpyDtoH(&value, x, 4));
  TRUE(value == 1);
}

/* A store to an address at which nothing is. */
static void faults(void) {
  expect_fault(0x40, CUDA_ERROR_ILLEGAL_ADDRESS);
}

/* A store of four bytes to an address that is no multiple of four. */
static void misaligned(void) {
  CUdeviceptr x;
  GOOD(cuMemAlloc(&x, 64));
  expect_fault(x + 2, CUDA_ERROR_MISALIGNED_ADDRESS);
}

CUresult cuGraphLaunch(void *graph, CUstream stream);

/* Functions that are not supported exist and say so; cuGetProcAddress() finds those that are. */
static void absent(void) {
  void *function = NULL;
  int found;
  IS(CUDA_ERROR_NOT_SUPPORTED, cuGraphLaunch(NULL, NULL));
  IS(CUDA_ERROR_NOT_SUPPORTED, cuGraphLaunch(NULL, NULL));
  GOOD(cuGetProcAddress("cuMemAlloc", &function, 12000, 0, &found));
  TRUE(function == (void *)cuMemAlloc && found == 0);
  IS(CUDA_ERROR_NOT_FOUND, cuGetProcAddress("cuNothing", &function, 12000, 0, &found));
}

/* Functions whose names mean others in headers of version 11.4, 12.2 and
 * 12.5, and of a program compiled with a default stream of each thread. */
CUresult cuLaunchCooperativeKernel_ptsz(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                        CUstream stream, void **params);

/* Each version gets the function that its headers mean, and each of these functions does what it
 * should: contexts, prefetches and advice by place, launches on a thread's own stream, streams'
 * numbers, room for shared memory. */
static void versions(void) {
  static const struct {
    const char *name;
    int version;
    void *is;
  } of[] = {{"cuCtxCreate", 11000, (void *)cuCtxCreate_v2},
            {"cuCtxCreate", 11040, (void *)cuCtxCreate_v3},
            {"cuCtxCreate", 12040, (void *)cuCtxCreate_v3},
            {"cuCtxCreate", 13000, (void *)cuCtxCreate_v4},
            {"cuMemAdvise", 12010, (void *)cuMemAdvise},
            {"cuMemAdvise", 12020, (void *)cuMemAdvise_v2},
            {"cuMemPrefetchAsync", 12000, (void *)cuMemPrefetchAsync},
            {"cuMemPrefetchAsync", 13000, (void *)cuMemPrefetchAsync_v2}};
  void *function;
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    GOOD(cuGetProcAddress(of[i].name, &function, of[i].version, 0, NULL));
    TRUE(function == of[i].is);
  }
  CUcontext before, context, now;
  GOOD(cuCtxGetCurrent(&before));
  const CUctxCreateParams none = {0}, affinity = {&none, 1, NULL}, graphics = {NULL, 0, &none};
  GOOD(cuCtxCreate_v4(&context, &none, 0, 0));
  GOOD(cuCtxGetCurrent(&now));
  TRUE(now == context && now != before);
  GOOD(cuCtxDestroy(context));
  GOOD(cuCtxCreate_v4(&context, NULL, 0, 0));
  GOOD(cuCtxDestroy(context));
  GOOD(cuCtxCreate_v3(&context, NULL, 0, 0, 0));
  GOOD(cuCtxDestroy(context));
  IS(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate_v4(&context, NULL, 0, 1));
  IS(CUDA_ERROR_NOT_SUPPORTED, cuCtxCreate_v4(&context, &affinity, 0, 0));
  IS(CUDA_ERROR_NOT_SUPPORTED, cuCtxCreate_v4(&context, &graphics, 0, 0));
  GOOD(cuCtxSetCurrent(before));
  CUdeviceptr managed, device;
  const CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0}, host = {CU_MEM_LOCATION_TYPE_HOST, 0},
                      other = {CU_MEM_LOCATION_TYPE_DEVICE, 1}, nowhere = {0};
  GOOD(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
  GOOD(cuMemAlloc(&device, 4096));
  GOOD(cuMemPrefetchAsync_v2(managed, 4096, here, 0, NULL));
  GOOD(cuMemPrefetchAsync_v2(managed, 4096, host, 0, NULL));
  GOOD(cuMemPrefetchAsync(managed, 4096, CU_DEVICE_CPU, NULL));
  IS(CUDA_ERROR_INVALID_DEVICE, cuMemPrefetchAsync(managed, 4096, 1, NULL));
  IS(CUDA_ERROR_INVALID_DEVICE, cuMemPrefetchAsync_v2(managed, 4096, other, 0, NULL));
  IS(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchAsync_v2(managed, 4096, nowhere, 0, NULL));
  IS(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchAsync_v2(managed, 4096, here, 1, NULL));
  IS(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchAsync_v2(device, 4096, here, 0, NULL));
  GOOD(cuMemAdvise_v2(managed, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, nowhere)); /* the place counts for nothing here */
  GOOD(cuMemAdvise_v2(managed, 4096, CU_MEM_ADVISE_SET_ACCESSED_BY, here));
  IS(CUDA_ERROR_INVALID_DEVICE, cuMemAdvise_v2(managed, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, other));
  int value = 5, got = 0, where = 9;
  CUmodule m = load_kernels();
  GOOD(cuLaunchCooperativeKernel_ptsz(find_kernel(m, "store"), 1, 1, 1, 1, 1, 1, 0, CU_STREAM_PER_THREAD,
                                      (void *[]){&device, &value}));
  GOOD(cuMemcpyDtoH(&got, device, 4));
  TRUE(got == 5);
  CUstream stream;
  unsigned long long id, own;
  GOOD(cuStreamCreate(&stream, 0));
  GOOD(cuStreamGetId(stream, &own));
  GOOD(cuStreamGetId(NULL, &id));
  GOOD(cuStreamGetDevice(stream, &where));
  TRUE(own != id && where == 0);
  size_t bytes;
  int blocks;
  for (int wanted = 1; wanted < 4; wanted++) { /* the most that so many blocks have room for, no byte less */
    GOOD(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, find_kernel(m, "sums"), wanted, 128));
    GOOD(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, find_kernel(m, "sums"), 128, bytes));
    TRUE(blocks >= wanted);
    GOOD(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, find_kernel(m, "sums"), 128, bytes + 1));
    TRUE(blocks < wanted);
  }
  IS(CUDA_ERROR_INVALID_VALUE, cuOccupancyAvailableDynamicSMemPerBlock(&bytes, find_kernel(m, "sums"), 1000, 128));
}

/* Pools count their own allocations. A destroyed pool keeps what it gave out until that is
 * freed. */
static void pools(void) {
  CUmemoryPool standard, own, now;
  CUdeviceptr a, b, c;
  uint64_t value = 0;
  int reuse = 0, flags = 0;
  CUmemPoolProps of = {
      .allocType = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}, .maxSize = 1 << 20};
  GOOD(cuDeviceGetDefaultMemPool(&standard, 0));
  IS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetDefaultMemPool(&standard, 1));
  GOOD(cuDeviceGetMemPool(&now, 0));
  TRUE(now == standard);
  GOOD(cuMemAllocAsync(&a, 5000, NULL));
  GOOD(cuMemPoolGetAttribute(standard, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value));
  TRUE(value >= 5000);
  GOOD(cuMemFreeAsync(a, NULL));
  GOOD(cuMemPoolGetAttribute(standard, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value));
  TRUE(value == 0);
  GOOD(cuMemPoolGetAttribute(standard, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &value));
  TRUE(value >= 5000);
  value = 0;
  GOOD(cuMemPoolSetAttribute(standard, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &value));
  GOOD(cuMemPoolGetAttribute(standard, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &value));
  TRUE(value == 0);
  value = UINT64_MAX;
  IS(CUDA_ERROR_INVALID_VALUE, cuMemPoolSetAttribute(standard, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value));
  GOOD(cuMemPoolSetAttribute(standard, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &value));
  value = 0;
  GOOD(cuMemPoolGetAttribute(standard, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &value));
  TRUE(value == UINT64_MAX);
  GOOD(cuMemPoolCreate(&own, &of));
  GOOD(cuMemPoolGetAttribute(own, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &reuse));
  TRUE(reuse == 1);
  GOOD(cuMemAllocFromPoolAsync(&a, 1000, own, NULL));
  IS(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocFromPoolAsync(&b, 1 << 20, own, NULL));
  GOOD(cuDeviceSetMemPool(0, own));
  GOOD(cuMemAllocAsync(&b, 2000, NULL));
  GOOD(cuMemPoolGetAttribute(own, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value));
  TRUE(value >= 3000);
  GOOD(cuMemAlloc(&c, 4096)); /* of no pool */
  GOOD(cuMemFree(c));
  uint64_t then = 0;
  GOOD(cuMemPoolGetAttribute(own, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &then));
  TRUE(then == value);
  const CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE},
                        other = {{CU_MEM_LOCATION_TYPE_DEVICE, 1}, 3};
  CUmemLocation here = access.location;
  GOOD(cuMemPoolSetAccess(own, &access, 1));
  IS(CUDA_ERROR_INVALID_DEVICE, cuMemPoolSetAccess(own, &other, 1));
  GOOD(cuMemPoolGetAccess(&flags, own, &here));
  TRUE(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  GOOD(cuMemPoolTrimTo(own, 0));
  GOOD(cuMemFree(b)); /* any of the two calls */
  GOOD(cuMemPoolDestroy(own));
  IS(CUDA_ERROR_INVALID_VALUE, cuMemPoolTrimTo(own, 0));
  GOOD(cuDeviceGetMemPool(&now, 0));
  TRUE(now == standard);
  GOOD(cuMemsetD8(a, 1, 1000)); /* still there */
  GOOD(cuMemFreeAsync(a, NULL));
  IS(CUDA_ERROR_INVALID_VALUE, cuMemPoolDestroy(standard));
  of.handleTypes = 1;
  IS(CUDA_ERROR_NOT_SUPPORTED, cuMemPoolCreate(&own, &of));
}

/* Launches until somebody ends the program, which says when it begins. */
static void forever(void) {
  puts("begins");
  fflush(stdout);
  for (;;) launches();
}

static const struct {
  const char *name;
  void (*run)(void);
} parts[] = {{"modules", modules},   {"memory", memory},         {"shared", shared_memory}, {"loop", loop},
             {"launches", launches}, {"limits", limits},         {"threads", threads},      {"forks", forks},
             {"faults", faults},     {"misaligned", misaligned}, {"absent", absent},        {"pools", pools},
             {"versions", versions}, {"forever", forever}};

int main(int argc, char **argv) {
  int device = -1;
  if (argc < 3) return 99;
  path = argv[1];
  IS(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGet(&device, 0));
  main_context = driver_start();
  for (int a = 2; a < argc; a++)
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
      if (!strcmp(parts[i].name, argv[a])) {
        parts[i].run();
        printf("%s held\n", argv[a]);
      }
  return 0;
}
