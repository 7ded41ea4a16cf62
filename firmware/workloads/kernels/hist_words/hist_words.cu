/* SPDX-License-Identifier: Apache-2.0
 *
 * Histogram of numbers from 0 to below 1, a word each, in 256 bins of the same width: hist_words counts (hist/hist_counters.h), hist_words_sum adds the blocks'
 * sums. A warp reads 128 bytes at a time, of its near-bank unit when blocks follow their words, and comes back a whole grid further on.
 */
#include "hist/hist_counters.h"

enum { AHEAD = 4, MOST_ROUNDS = 63 }; /* loads before the first is counted; rounds of as many between two additions: 252 at most in a counter */

static __device__ inline uint bin_of(float value) {
  return (uint)(value * BINS);
}

extern "C" __global__ void __launch_bounds__(THREADS) hist_words(const float *values, uint *partial, uint n) {
  __shared__ uint counters[BINS][LANES];
  unsigned char *mine = (unsigned char *)&counters[0][threadIdx.x % LANES] + threadIdx.x / LANES;
  uint step = grid_threads(), low = 0, high = 0, first = blockIdx.x * THREADS;
#pragma unroll 8
  for (uint i = threadIdx.x; i < BINS * LANES; i += THREADS) counters[0][i] = 0;
  __syncthreads();
  do {
    uint i = first + threadIdx.x, round = 0;
    for (; round < MOST_ROUNDS && i + (AHEAD - 1) * step < n; round++, i += AHEAD * step) {
      float value[AHEAD];
#pragma unroll
      for (uint k = 0; k < AHEAD; k++) value[k] = values[i + k * step];
#pragma unroll
      for (uint k = 0; k < AHEAD; k++) count_value(mine, bin_of(value[k]));
    }
    for (uint k = 0; round < MOST_ROUNDS && k < AHEAD - 1 && i < n; k++, i += step) count_value(mine, bin_of(values[i]));
    __syncthreads();
    low += take_counters(counters[threadIdx.x]);
    high += take_counters(counters[threadIdx.x + THREADS]);
    __syncthreads();
    first += AHEAD * MOST_ROUNDS * step;
  } while (first < n);
  partial[blockIdx.x * BINS + threadIdx.x] = low;
  partial[blockIdx.x * BINS + threadIdx.x + THREADS] = high;
}

extern "C" __global__ void __launch_bounds__(LANES * SLICES) hist_words_sum(const uint *partial, uint *bins, uint blocks) {
  __shared__ uint sums[SLICES][LANES];
  sum_blocks(sums, partial, bins, blocks);
}
