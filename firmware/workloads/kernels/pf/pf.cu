/* SPDX-License-Identifier: Apache-2.0
 *
 * The cheapest way through a wall from its first row to its last (the algorithm of Rodinia's pathfinder): a step to the next row goes straight or one
 * column aside, and costs what the wall has there. A launch does `steps` rows out of shared memory: a block begins with 256 columns' costs, of which at each
 * step one less to either side is right, and keeps those in the middle that are so to the end.
 */
#include "device.h"

#define BLOCK 256

/* from, to: costs of all columns, before the rows and behind them. first: of the rows. */
extern "C" __global__ void pf(int steps, const int *wall, const int *from, int *to, int columns, int first) {
  __shared__ int before[BLOCK], after[BLOCK];
  const int x = (int)threadIdx.x, start = (BLOCK - 2 * steps) * (int)blockIdx.x - steps, column = start + x;
  const int least = start < 0 ? -start : 0, most = start + BLOCK > columns ? columns - 1 - start : BLOCK - 1; /* threads with a column */
  const int left = x - 1 < least ? least : x - 1, right = x + 1 > most ? most : x + 1;
  const bool inside = x >= least && x <= most;
  if (inside) before[x] = from[column];
  __syncthreads();
  bool done = false;
  for (int i = 0; i < steps; i++) {
    done = inside && x > i && x < BLOCK - 1 - i;
    if (done) {
      int cost = before[left] < before[x] ? before[left] : before[x];
      cost = before[right] < cost ? before[right] : cost;
      after[x] = cost + wall[columns * (first + i) + column];
    }
    __syncthreads();
    if (i == steps - 1) break;
    if (done) before[x] = after[x];
    __syncthreads();
  }
  if (done) to[column] = after[x];
}
