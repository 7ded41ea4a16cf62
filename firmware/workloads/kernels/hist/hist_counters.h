/* SPDX-License-Identifier: Apache-2.0
 *
 * 256 bins counted without atomic operations, whatever the distribution.
 *
 *    bin b:   | word 0 | word 1 | ... | word 31 |        word l: lane l of the warps
 *    word:    | warp 0 | warp 1 | warp 2 | warp 3 |     a byte each
 *
 * Every thread has 256 counters of 8 bits of its own in shared memory. A warp's lanes are in
 * different banks, whatever they count. Before a counter can run over, the block adds the counters
 * up. There a thread sums two bins, and lane l begins at word l: different banks again. A block
 * leaves 256 sums. Another kernel adds the blocks' sums; a block does 32 bins.
 */
#ifndef HIST_COUNTERS_H
#define HIST_COUNTERS_H

#include "device.h"

enum { BINS = 256, THREADS = 128, LANES = 32, SLICES = 8 };

/* `mine` points at the thread's byte in bin 0. */
static __device__ inline void count_value(unsigned char *mine, uint bin) {
  mine[bin * THREADS]++;
}

/* The sum of a bin's counters, which begin again from 0. The halves of a word hold two sums, each
 * at most 64 times 255. */
static __device__ inline uint take_counters(uint *bin) {
  uint sums = 0;
#pragma unroll 8
  for (uint i = 0; i < LANES; i++) {
    uint *word = &bin[(threadIdx.x ^ i) % LANES];
    uint four = *word;
    *word = 0;
    sums += (four & 0xff00ff) + (four >> 8 & 0xff00ff);
  }
  return (sums & 0xffff) + (sums >> 16);
}

/* Adds up the blocks' sums of 32 bins. `sums` is the block's shared memory. */
static __device__ inline void sum_blocks(uint (*sums)[LANES], const uint *partial, uint *bins, uint blocks) {
  uint bin = blockIdx.x * LANES + threadIdx.x, sum = 0;
  for (uint block = threadIdx.y; block < blocks; block += SLICES) sum += partial[block * BINS + bin];
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y > 0) return;
  for (uint slice = 1; slice < SLICES; slice++) sum += sums[slice][threadIdx.x];
  bins[bin] = sum;
}

#endif
