/* SPDX-License-Identifier: Apache-2.0
 *
 * Cooperative launches by the driver API and by the runtime API: exec_cooperative driver|runtime.
 * FATBIN is a fat binary of tests/system/programs/cooperative.ptx. Its kernel hands values from
 * block to block, round by round, so it ends with the right values only if all blocks wait for each
 * other.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "driver.h"
#include "fat_binary.h"

enum { BLOCKS = 24, THREADS = 96, ROUNDS = 7, TOO_MANY = 1 << 20 };

static void relay(void) {} /* what host code has in the place of the kernel */

__attribute__((constructor)) static void before_main(void) {
  void **module = __cudaRegisterFatBinary((void *)&fat_wrapper);
  __cudaRegisterFunction(module, (const char *)relay, (char *)"relay", "relay", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterFatBinaryEnd(module);
}

/* How a grid of so many blocks is launched. */
typedef int launch_t(unsigned blocks, void **params);

static CUfunction function;

/* The driver API's own call. */
static int launch_by_driver(unsigned blocks, void **params) {
  return (int)cuLaunchCooperativeKernel(function, blocks, 1, 1, THREADS, 1, 1, 0, NULL, params);
}

/* The driver's launch with attributes. Those beside the one that counts change nothing here. */
static int launch_by_driver_attribute(unsigned blocks, void **params) {
  const CUlaunchAttribute of[] = {{.id = CU_LAUNCH_ATTRIBUTE_IGNORE},
                                  {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1},
                                  {.id = CU_LAUNCH_ATTRIBUTE_PRIORITY},
                                  {.id = CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW},
                                  {.id = CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY},
                                  {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, .value.cooperative = 1},
                                  {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value.cluster = {1, 1, 1}}};
  const CUlaunchConfig c = {.gridDimX = blocks,
                            .gridDimY = 1,
                            .gridDimZ = 1,
                            .blockDimX = THREADS,
                            .blockDimY = 1,
                            .blockDimZ = 1,
                            .attrs = of,
                            .numAttrs = sizeof of / sizeof *of};
  return (int)cuLaunchKernelEx(&c, function, params, NULL);
}

/* The runtime API's own call. */
static int launch_by_runtime(unsigned blocks, void **params) {
  return (int)cudaLaunchCooperativeKernel((const void *)relay, (dim3){blocks, 1, 1}, (dim3){THREADS, 1, 1}, params, 0,
                                          NULL);
}

/* The runtime's launch with attributes. */
static int launch_by_runtime_attribute(unsigned blocks, void **params) {
  const cudaLaunchAttribute of[] = {{.id = cudaLaunchAttributePriority},
                                    {.id = cudaLaunchAttributeCooperative, .val.cooperative = 1}};
  const cudaLaunchConfig_t c = {.gridDim = {blocks, 1, 1}, .blockDim = {THREADS, 1, 1}, .attrs = of, .numAttrs = 2};
  return (int)cudaLaunchKernelExC(&c, (const void *)relay, params);
}

/* Clusters of blocks are not supported. */
static void expect_no_clusters(void) {
  const cudaLaunchAttribute of = {.id = cudaLaunchAttributeClusterDimension, .val.cluster = {2, 1, 1}};
  const cudaLaunchConfig_t c = {.gridDim = {2, 1, 1}, .blockDim = {THREADS, 1, 1}, .attrs = &of, .numAttrs = 1};
  void *none = NULL, *params[] = {&none, &none, &none, &none};
  TRUE(cudaLaunchKernelExC(&c, (const void *)relay, params) == cudaErrorNotSupported);
}

/* An ordinary launch, in which blocks need not wait for each other. */
static int launch_plainly(unsigned blocks, void **params) {
  return (int)cudaLaunchKernel((const void *)relay, (dim3){blocks, 1, 1}, (dim3){THREADS, 1, 1}, params, 0, NULL);
}

/* Runs the relay. True: the blocks found a barrier, and in each round each value moved on by a
 * block. */
static bool run_relay(launch_t *launch) {
  static unsigned value[BLOCKS * THREADS], came[BLOCKS];
  unsigned rounds = ROUNDS, all = 0;
  void *a, *b, *on_came;
  for (unsigned i = 0; i < BLOCKS * THREADS; i++) value[i] = i * i;
  TRUE(!cudaMalloc(&a, sizeof value) && !cudaMalloc(&b, sizeof value) && !cudaMalloc(&on_came, sizeof came));
  TRUE(!cudaMemcpy(a, value, sizeof value, cudaMemcpyHostToDevice));
  TRUE(launch(BLOCKS, (void *[]){&a, &b, &on_came, &rounds}) == 0);
  TRUE(!cudaMemcpy(value, b, sizeof value, cudaMemcpyDeviceToHost) &&
       !cudaMemcpy(came, on_came, sizeof came, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < BLOCKS; i++) all += came[i];
  TRUE(all == 0 || all == BLOCKS);
  for (unsigned i = 0; all && i < BLOCKS * THREADS; i++) {
    const unsigned from = (i + BLOCKS * THREADS - ROUNDS * THREADS) % (BLOCKS * THREADS);
    TRUE(value[i] == from * from + ROUNDS);
  }
  TRUE(!cudaFree(a) && !cudaFree(b) && !cudaFree(on_came));
  return all != 0;
}

/* A grid that does not fit into the machine at once is refused, and the context stays usable. */
static void expect_too_large(launch_t *launch) {
  void *none = NULL;
  unsigned rounds = 0;
  TRUE(launch(TOO_MANY, (void *[]){&none, &none, &none, &rounds}) == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  TRUE(run_relay(launch));
}

int main(int argc, char **argv) {
  CUmodule module;
  int can = 0;
  if (argc < 2) return 99;
  driver_start();
  GOOD(cuModuleLoadFatBinary(&module, fat_binary));
  GOOD(cuModuleGetFunction(&function, module, "relay"));
  GOOD(cuDeviceGetAttribute(&can, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 0));
  TRUE(can == 1);
  const bool driver = !strcmp(argv[1], "driver");
  expect_too_large(driver ? launch_by_driver : launch_by_runtime);
  expect_too_large(driver ? launch_by_driver_attribute : launch_by_runtime_attribute);
  TRUE(!run_relay(launch_plainly));
  expect_no_clusters();
  puts("all have waited for each other");
  return 0;
}
