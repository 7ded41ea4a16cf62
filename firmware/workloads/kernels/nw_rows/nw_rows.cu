/* SPDX-License-Identifier: Apache-2.0
 *
 * Needleman-Wunsch, the scores of aligning many pairs of sequences of 32 elements, a warp a pair: similarities and scores are kept by row, then pair, then
 * column, so that a pair's row is 128 bytes, and with a whole number of rounds of cores in the pairs all its rows are in the near-bank unit of its warp.
 * Before the first row and column there are gaps alone. Scores grow in shared memory along diagonals, a thread a column, in the place of the similarities;
 * of what an element needs, that above and that before it above are the thread's own and its neighbour's last ones.
 */
#include "device.h"

enum { LENGTH = 32, PAIRS = 4 }; /* elements; pairs of a block at a time */

static __device__ inline int larger(int a, int b) {
  return a > b ? a : b;
}

extern "C" __global__ void __launch_bounds__(LENGTH *PAIRS) nw_rows(const int *similarity, int *scores, uint pairs, int penalty) {
  __shared__ int table[PAIRS][LENGTH][LENGTH];
  uint x = threadIdx.x % LENGTH;
  int *column = &table[threadIdx.x / LENGTH][0][x], *before = x > 0 ? column - 1 : column;
  size_t row = (size_t)pairs * LENGTH;
  for (uint first = blockIdx.x * PAIRS; first < pairs; first += gridDim.x * PAIRS) {
    size_t at = (size_t)first * LENGTH + threadIdx.x;
    bool mine = first + threadIdx.x / LENGTH < pairs;
    if (mine)
#pragma unroll
      for (uint y = 0; y < LENGTH; y++) column[y * LENGTH] = similarity[at + y * row];
    int above = -(int)(x + 1) * penalty, corner = above + penalty, border = 0;
    for (uint step = 0; step < 2 * LENGTH - 1; step++) {
      uint y = step - x;
      __syncthreads();
      border -= penalty;
      if (y < LENGTH) {
        int left = x > 0 ? before[y * LENGTH] : border;
        above = larger(corner + column[y * LENGTH], larger(left, above) - penalty);
        column[y * LENGTH] = above;
        corner = left;
      }
    }
    __syncthreads();
    if (mine)
#pragma unroll
      for (uint y = 0; y < LENGTH; y++) scores[at + y * row] = column[y * LENGTH];
  }
}
