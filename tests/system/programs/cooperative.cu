/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of a grid that wait for each other. relay: in each of `n` rounds a thread takes the value of the same thread of the block before and adds one, from
 * one of two arrays into the other. A round that begins too early, or a value out of an old line, is seen in the result. The barrier is as cooperative groups
 * make it: in a workspace that %envreg1 and %envreg2 say, block 0 brings the top bit of a word to change when all others have come.
 */
#include "device.h"

__device__ static uint *barrier_of_grid() {
  unsigned long long workspace;
  __asm__("mov.b64 %0, {%%envreg2, %%envreg1};" : "=l"(workspace));
  return workspace ? (uint *)workspace + 1 : (uint *)0;
}

__device__ static void wait_for_grid(uint *barrier) {
  __syncthreads();
  if (threadIdx.x == 0) {
    const uint blocks = gridDim.x * gridDim.y, first = blockIdx.x + blockIdx.y == 0;
    uint before;
    __nvvm_membar_gl();
    __asm__ volatile("atom.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(barrier), "r"(first ? 0x80000001u - blocks : 1) : "memory");
    while (!((before ^ *(volatile uint *)barrier) >> 31)) continue;
    __nvvm_membar_gl();
  }
  __syncthreads();
}

extern "C" __global__ void relay(uint *a, uint *b, uint *came, uint n) {
  const uint block = blockIdx.y * gridDim.x + blockIdx.x, blocks = gridDim.x * gridDim.y, before = (block + blocks - 1) % blocks;
  uint *barrier = barrier_of_grid();
  if (threadIdx.x == 0) came[block] = barrier != 0;
  if (!barrier) return;
  for (uint round = 0; round < n; round++) {
    b[block * blockDim.x + threadIdx.x] = a[before * blockDim.x + threadIdx.x] + 1;
    wait_for_grid(barrier);
    uint *swap = a;
    a = b, b = swap;
  }
}

/* A chain of blocks: each has the line of all values in its L1, waits for the flag of the block before, and only then reads what that one has stored.
 * Acquire and release alone see to it that this is not the old line. */
extern "C" __global__ void hands(uint *value, uint *flag, uint *got) {
  const uint block = blockIdx.x;
  uint ready = block == 0;
  const uint warm = value[block];
  __asm__ volatile("" ::"r"(warm));
  if (threadIdx.x) return;
  while (!ready) __asm__ volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(ready) : "l"(flag + block - 1) : "memory");
  got[block] = value[block];
  value[block + 1] = value[block] + 1;
  __asm__ volatile("st.release.gpu.u32 [%0], %1;" ::"l"(flag + block), "r"(1) : "memory");
}
