/* SPDX-License-Identifier: Apache-2.0
 *
 * 256 bins counted without atomic operations, whatever the distribution.
 *
 * Every thread has 256 counters of 8 bits of its own in shared memory. A bin's 128 counters are 32
 * words; lane l of a warp has its counter in word l, each of the four warps another byte of it, so
 * that a warp's lanes are in different banks whatever they count. Before a counter can run over,
 * the block adds the counters up: a thread two bins, lane l beginning at word l, again in different
 * banks. A block leaves 256 sums, and another kernel adds the blocks' sums, a block 32 bins.
 */
#ifndef HIST_COUNTERS_H
#define HIST_COUNTERS_H

#include "device.h"

enum { BINS = 256, THREADS = 128, LANES = 32, SLICES = 8 };

static __device__ inline void count(unsigned char *mine, uint bin) {
  mine[bin * THREADS]++;
}

/* The sum of a bin's counters, which start again from 0. The
 * halves of a word hold two sums, 64 times 255 at most. */
static __device__ inline uint take(uint *bin) {
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

/* sums: of the block, in shared memory. */
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
