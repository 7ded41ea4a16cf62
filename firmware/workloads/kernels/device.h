/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of CUDA that the kernels need. With it clang compiles them to PTX without an SDK.
 */
#ifndef DEVICE_H
#define DEVICE_H

#include <__clang_cuda_builtin_vars.h>

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(threads) __attribute__((launch_bounds(threads)))

typedef unsigned int uint;
typedef __SIZE_TYPE__ size_t;

/* The number of this thread in a one-dimensional grid. */
static __device__ inline uint global_thread() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

/* The threads of a one-dimensional grid: how far apart the elements of one thread are in
 * a grid-stride loop. */
static __device__ inline uint grid_threads() {
  return gridDim.x * blockDim.x;
}

#endif
