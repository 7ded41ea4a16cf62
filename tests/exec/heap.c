/* SPDX-License-Identifier: Apache-2.0
 *
 * The limit of memory that kernels may allocate: exec_heap HEAP.ptx [none]. With `none` the machine
 * gives its kernels no memory at all.
 */
#include <string.h>

#include "cuda_runtime_api.h"
#include "driver.h"

enum { THREADS = 1000, HEAP = 32768, NODE = 16 };

static CUdeviceptr lists, counts;

/* The kernel of this name, which must be there. */
static CUfunction find_kernel(CUmodule module, const char *name) {
  CUfunction f;
  GOOD(cuModuleGetFunction(&f, module, name));
  return f;
}

/* Launches a thread for each list; `last` is the kernel's last argument. */
static void launch_kernel(CUfunction f, unsigned last) {
  unsigned n = THREADS;
  void *params[] = {&lists, &counts, &n, &last};
  GOOD(cuLaunchKernel(f, (n + 255) / 256, 1, 1, 256, 1, 1, 0, NULL, params, NULL));
}

/* The nodes that all threads together got. */
static unsigned count_nodes(void) {
  static unsigned count[THREADS];
  unsigned sum = 0;
  GOOD(cuMemcpyDtoH(count, counts, sizeof count));
  for (unsigned i = 0; i < THREADS; i++) sum += count[i];
  return sum;
}

int main(int argc, char **argv) {
  size_t bytes = 0;
  CUmodule module;
  driver_start();
  GOOD(cuCtxGetLimit(&bytes, CU_LIMIT_MALLOC_HEAP_SIZE));
  TRUE(bytes == 8 << 20);
  if (argc > 2 && !strcmp(argv[2], "none")) {
    TRUE(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, HEAP) == CUDA_ERROR_NOT_SUPPORTED);
    puts("there is no heap");
    return 0;
  }
  TRUE(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 0) == CUDA_ERROR_INVALID_VALUE);
  TRUE(!cudaDeviceSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 2 * HEAP));
  GOOD(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, HEAP));
  TRUE(!cudaDeviceGetLimit(&bytes, CU_LIMIT_MALLOC_HEAP_SIZE));
  TRUE(bytes == HEAP);
  GOOD(cuModuleLoad(&module, argv[1]));
  GOOD(cuMemAlloc(&lists, THREADS * 8));
  GOOD(cuMemAlloc(&counts, THREADS * 4));
  for (unsigned n = 0; n < 2; n++) { /* 2,500 nodes: 2,048 find room, each time */
    launch_kernel(find_kernel(module, "make"), 0);
    TRUE(count_nodes() == HEAP / NODE);
    launch_kernel(find_kernel(module, "give"), 0);
  }
  TRUE(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 2 * HEAP) == CUDA_ERROR_INVALID_VALUE);
  GOOD(cuCtxGetLimit(&bytes, CU_LIMIT_MALLOC_HEAP_SIZE));
  TRUE(bytes == HEAP);
  puts("the heap held");
  return 0;
}
