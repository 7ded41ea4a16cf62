/* SPDX-License-Identifier: Apache-2.0
 *
 * Histogram of 8-bit pixels, 256 bins, without atomic operations, whatever the distribution.
 *
 * hist: every thread has 256 counters of 8 bits of its own in shared memory. A bin's 128 counters are 32 words; lane l of a
 * warp has its counter in word l, each of the four warps another byte of it, so that a warp's lanes are in different banks
 * whatever they count. Before a counter can run over, the block adds the counters up: a thread two bins, lane l beginning
 * at word l, again in different banks. A block leaves 256 sums. hist_sum adds the blocks' sums, a block 32 bins.
 */
#include "device.h"

enum { BINS = 256, THREADS = 128, LANES = 32, SLICES = 8 };
enum { MOST_WORDS = 63 }; /* of four pixels, between two additions: with a pixel of the rest, 253 at most in a counter */

static __device__ inline void count(unsigned char *mine, uint pixel) {
  mine[pixel * THREADS]++;
}

/* The sum of a bin's counters, which start again from 0. The halves of a word hold two sums, 64 times 255 at most. */
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

extern "C" __global__ void __launch_bounds__(THREADS) hist(const unsigned char *pixels, uint *partial, uint n) {
  __shared__ uint counters[BINS][LANES];
  unsigned char *mine = (unsigned char *)&counters[0][threadIdx.x % LANES] + threadIdx.x / LANES;
  const uint *fours = (const uint *)pixels;
  uint words = n / 4, rest = n % 4, first = blockIdx.x * THREADS, low = 0, high = 0;
#pragma unroll 8
  for (uint i = threadIdx.x; i < BINS * LANES; i += THREADS) counters[0][i] = 0;
  __syncthreads();
  if (global_thread() < rest) count(mine, pixels[words * 4 + global_thread()]);
  do {
    uint i = first + threadIdx.x;
    for (uint word = 0; word < MOST_WORDS && i < words; word++, i += grid_threads()) {
      uint four = fours[i];
      count(mine, four & 0xff);
      count(mine, four >> 8 & 0xff);
      count(mine, four >> 16 & 0xff);
      count(mine, four >> 24);
    }
    __syncthreads();
    low += take(counters[threadIdx.x]);
    high += take(counters[threadIdx.x + THREADS]);
    __syncthreads();
    first += MOST_WORDS * grid_threads();
  } while (first < words);
  partial[blockIdx.x * BINS + threadIdx.x] = low;
  partial[blockIdx.x * BINS + threadIdx.x + THREADS] = high;
}

extern "C" __global__ void __launch_bounds__(LANES * SLICES) hist_sum(const uint *partial, uint *bins, uint blocks) {
  __shared__ uint sums[SLICES][LANES];
  uint bin = blockIdx.x * LANES + threadIdx.x, sum = 0;
  for (uint block = threadIdx.y; block < blocks; block += SLICES) sum += partial[block * BINS + bin];
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y > 0) return;
  for (uint slice = 1; slice < SLICES; slice++) sum += sums[slice][threadIdx.x];
  bins[bin] = sum;
}
