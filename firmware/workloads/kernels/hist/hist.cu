/* SPDX-License-Identifier: Apache-2.0
 *
 * Histogram of 8-bit pixels, 256 bins: hist counts (hist_counters.h), hist_sum adds the blocks' sums.
 */
#include "hist/hist_counters.h"

enum { MOST_WORDS = 63 }; /* of four pixels, between two additions: with a pixel of the rest, 253 at most in a counter */

extern "C" __global__ void __launch_bounds__(THREADS) hist(const unsigned char *pixels, uint *partial, uint n) {
  __shared__ uint counters[BINS][LANES];
  unsigned char *mine = (unsigned char *)&counters[0][threadIdx.x % LANES] + threadIdx.x / LANES;
  const uint *fours = (const uint *)pixels;
  uint words = n / 4, rest = n % 4, first = blockIdx.x * THREADS, low = 0, high = 0;
#pragma unroll 8
  for (uint i = threadIdx.x; i < BINS * LANES; i += THREADS) counters[0][i] = 0;
  __syncthreads();
  if (global_thread() < rest) count_value(mine, pixels[words * 4 + global_thread()]);
  do {
    uint i = first + threadIdx.x;
    for (uint word = 0; word < MOST_WORDS && i < words; word++, i += grid_threads()) {
      uint four = fours[i];
      count_value(mine, four & 0xff);
      count_value(mine, four >> 8 & 0xff);
      count_value(mine, four >> 16 & 0xff);
      count_value(mine, four >> 24);
    }
    __syncthreads();
    low += take_counters(counters[threadIdx.x]);
    high += take_counters(counters[threadIdx.x + THREADS]);
    __syncthreads();
    first += MOST_WORDS * grid_threads();
  } while (first < words);
  partial[blockIdx.x * BINS + threadIdx.x] = low;
  partial[blockIdx.x * BINS + threadIdx.x + THREADS] = high;
}

extern "C" __global__ void __launch_bounds__(LANES * SLICES) hist_sum(const uint *partial, uint *bins, uint blocks) {
  __shared__ uint sums[SLICES][LANES];
  sum_blocks(sums, partial, bins, blocks);
}
