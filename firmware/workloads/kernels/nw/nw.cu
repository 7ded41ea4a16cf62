/* SPDX-License-Identifier: Apache-2.0
 *
 * Needleman-Wunsch, the scores of aligning two sequences from their starts, as in Rodinia: the matrix in tiles of 16 by 16, a
 * launch for each diagonal of tiles, a block a tile. A tile's scores grow in shared memory along its own diagonals, a thread
 * a column. The first row and column of a matrix are given; blockIdx.y is the pair of sequences.
 */
#include "device.h"

enum { TILE = 16 };

static __device__ inline int larger(int a, int b) {
  return a > b ? a : b;
}

/* top: the tile row of block 0. similarity is rows x columns; scores has a row and a column more. */
extern "C" __global__ void __launch_bounds__(TILE)
    nw(const int *similarity, int *scores, uint rows, uint columns, uint diagonal, uint top, int penalty) {
  __shared__ int likes[TILE][TILE];
  __shared__ int score[TILE + 1][TILE + 2]; /* rows of 18, so that a diagonal lies in 16 banks */
  uint t = threadIdx.x, pitch = columns + 1;
  uint row = (top + blockIdx.x) * TILE, column = (diagonal - top - blockIdx.x) * TILE;
  uint height = rows - row, x = column + t; /* the tile may stick out of the matrix */
  similarity += ((unsigned long long)blockIdx.y * rows + row) * columns + x;
  scores += ((unsigned long long)blockIdx.y * (rows + 1) + row) * pitch + column;
  for (uint y = 0; y < TILE; y++) likes[y][t] = x < columns && y < height ? similarity[y * columns] : 0;
  if (t == 0) score[0][0] = scores[0];
  score[0][t + 1] = x < columns ? scores[t + 1] : 0;
  score[t + 1][0] = t < height ? scores[(t + 1) * pitch] : 0;
  for (uint step = 0; step < 2 * TILE - 1; step++) {
    uint y = step - t;
    __syncthreads();
    if (y < TILE)
      score[y + 1][t + 1] = larger(score[y][t] + likes[y][t], larger(score[y + 1][t], score[y][t + 1]) - penalty);
  }
  for (uint y = 0; y < TILE; y++)
    if (x < columns && y < height) scores[(y + 1) * pitch + t + 1] = score[y + 1][t + 1];
}
