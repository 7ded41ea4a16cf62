/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that was compiled in parts: as the host code of -rdc=true registers it (KERNEL, LIBRARY
 * and CODE are the fat binaries of its parts), and by the linker of the driver API: exec_parts
 * KERNEL.ptx LIBRARY.ptx [missing].
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"
#include "cuda_runtime_api.h"
#include "holds.h"

#define GOOD(call) TRUE(!(call))
#define EMBED(name, file) \
  __asm__(".pushsection .nv_fatbin, \"a\"\n.balign 8\n" name ":\n.incbin \"" file "\"\n.balign 8\n.popsection\n")

enum { N = 64, MORE = 1000, ROOM = 1 << 16 };

EMBED("fat_kernel", KERNEL);
EMBED("fat_library", LIBRARY);
EMBED("fat_code", CODE); /* machine code alone, as a library of the compiler's has it */
extern const char fat_kernel[], fat_library[], fat_code[];

static const uint64_t none[2] = {0x00100001ba55ed50, 0}; /* the fat binary of the whole, in which nothing is */
static const void *const files[] = {fat_code, fat_kernel, fat_library, NULL};
static const struct {
  uint32_t number, version;
  const void *data, *files;
} wrapper = {0x466243b1, 2, none, files};

static int more[2], calls; /* in the place of the device's */

static void run_stub(void) {}

__attribute__((constructor)) static void before_main(void) {
  void **handle = __cudaRegisterFatBinary((void *)&wrapper);
  __cudaRegisterFunction(handle, (const char *)run_stub, (char *)"run", "run", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterVar(handle, (char *)more, (char *)"more", "more", 0, sizeof more, 1, 0);
  __cudaRegisterVar(handle, (char *)&calls, (char *)"calls", "calls", 0, sizeof calls, 0, 0);
  __cudaRegisterFatBinaryEnd(handle);
}

/* Each thread has what the library's functions and variables make of its number. */
static void check_sums(const int *out) {
  for (int i = 0; i < N; i++) TRUE(out[i] == (2 * i + 100) + MORE + 3 + 1);
}

/* The runtime links the registered parts at the first launch. */
static void registered(void) {
  const int host[2] = {0, MORE};
  int out[N], counted, *x;
  GOOD(cudaMalloc((void **)&x, sizeof out));
  GOOD(cudaMemcpyToSymbol(more, host, sizeof host, 0, cudaMemcpyHostToDevice));
  GOOD(cudaLaunchKernel((const void *)run_stub, (dim3){1, 1, 1}, (dim3){N, 1, 1}, (void *[]){&x}, 0, NULL));
  GOOD(cudaMemcpy(out, x, sizeof out, cudaMemcpyDeviceToHost));
  check_sums(out);
  GOOD(cudaMemcpyFromSymbol(&counted, &calls, sizeof counted, 0, cudaMemcpyDeviceToHost));
  TRUE(counted == N);
  puts("registered held");
}

/* Loads a linked image and launches kernels of both parts in it: `count` reads what `run` has
 * counted. */
static void launch_linked(const void *image) {
  const int host[2] = {0, MORE};
  CUmodule m;
  CUfunction f;
  CUdeviceptr x, constant;
  size_t bytes;
  int out[N], counted;
  GOOD(cuModuleLoadData(&m, image));
  GOOD(cuMemAlloc(&x, sizeof out));
  GOOD(cuModuleGetGlobal(&constant, &bytes, m, "more"));
  TRUE(bytes == 8);
  GOOD(cuMemcpyHtoD(constant, host, sizeof host));
  GOOD(cuModuleGetFunction(&f, m, "run"));
  GOOD(cuLaunchKernel(f, 1, 1, 1, N, 1, 1, 0, NULL, (void *[]){&x}, NULL));
  GOOD(cuMemcpyDtoH(out, x, sizeof out));
  check_sums(out);
  GOOD(cuModuleGetFunction(&f, m, "count"));
  GOOD(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&x}, NULL));
  GOOD(cuMemcpyDtoH(&counted, x, sizeof counted));
  TRUE(counted == N);
  GOOD(cuModuleUnload(m));
}

/* cuLink...: options, inputs that are refused, and the linked image as a module. */
static void linked(const char *kernel, const char *library) {
  static char text[ROOM], info[100] = "before", error[100] = "before";
  float took = 9;
  CUjit_option options[] = {CU_JIT_WALL_TIME, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  /* the second buffer has no room */
  void *values[] = {NULL, info, (void *)sizeof info, error, (void *)0}, *image, *again;
  memcpy(&values[0], &took, sizeof took);
  CUlinkState link;
  size_t bytes;
  FILE *file = fopen(kernel, "r");
  TRUE(file && fread(text, 1, ROOM - 1, file) > 0);
  fclose(file);
  GOOD(cuLinkCreate(5, options, values, &link));
  TRUE(!values[0] && !values[2] && !*info && !strcmp(error, "before"));
  TRUE(cuLinkComplete(link, &image, &bytes) == CUDA_ERROR_INVALID_VALUE); /* of nothing */
  GOOD(cuLinkAddData(link, CU_JIT_INPUT_PTX, text, strlen(text) + 1, "kernel", 0, NULL, NULL));
  TRUE(cuLinkAddFile(link, CU_JIT_INPUT_PTX, "no such file", 0, NULL, NULL) == CUDA_ERROR_FILE_NOT_FOUND);
  TRUE(cuLinkAddData(link, CU_JIT_INPUT_OBJECT, text, 1, "object", 0, NULL, NULL) == CUDA_ERROR_NOT_SUPPORTED);
  TRUE(cuLinkAddData(link, CU_JIT_NUM_INPUT_TYPES, text, 1, "nothing", 0, NULL, NULL) == CUDA_ERROR_INVALID_VALUE);
  GOOD(cuLinkAddFile(link, CU_JIT_INPUT_PTX, library, 0, NULL, NULL));
  GOOD(cuLinkComplete(link, &image, &bytes));
  TRUE(bytes > strlen(text) && cuLinkComplete(link, &again, &bytes) == CUDA_ERROR_INVALID_HANDLE);
  launch_linked(image);
  GOOD(cuLinkDestroy(link));
  CUmodule m; /* what a compiler would say of one module */
  options[0] = CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, options[1] = CU_JIT_INFO_LOG_BUFFER;
  values[0] = (void *)sizeof info, values[1] = strcpy(info, "before");
  GOOD(cuModuleLoadDataEx(&m, text, 2, options, values));
  TRUE(!*info && !values[0]);
  puts("linked held");
}

/* Two inputs that define the same names cannot be linked. */
static void twice_defined(const char *library) {
  CUlinkState link;
  CUmodule m;
  void *image;
  GOOD(cuLinkCreate(0, NULL, NULL, &link));
  GOOD(cuLinkAddFile(link, CU_JIT_INPUT_PTX, library, 0, NULL, NULL));
  GOOD(cuLinkAddFile(link, CU_JIT_INPUT_PTX, library, 0, NULL, NULL));
  GOOD(cuLinkComplete(link, &image, NULL));
  TRUE(cuModuleLoadData(&m, image) == CUDA_ERROR_INVALID_PTX);
  GOOD(cuLinkDestroy(link));
  puts("twice held");
}

/* A kernel that calls a function without a body loads, but cannot be launched. */
static void missing(const char *kernel) {
  CUmodule m;
  CUfunction f;
  CUdeviceptr x;
  GOOD(cuModuleLoad(&m, kernel));
  GOOD(cuMemAlloc(&x, 4 * N));
  GOOD(cuModuleGetFunction(&f, m, "run"));
  TRUE(cuLaunchKernel(f, 1, 1, 1, N, 1, 1, 0, NULL, (void *[]){&x}, NULL) == CUDA_ERROR_NOT_SUPPORTED);
  puts("missing held");
}

int main(int argc, char **argv) {
  TRUE(argc > 2);
  registered();
  linked(argv[1], argv[2]);
  if (argc > 3) {
    twice_defined(argv[2]);
    missing(argv[1]);
  }
  return 0;
}
