/* SPDX-License-Identifier: Apache-2.0
 *
 * One training step of a perceptron with a hidden layer of 16 (the algorithm of Rodinia's backprop), with 32-bit pointers. Blocks are 16 x 16: x the
 * hidden units, y inputs. Weights have a row for each input, after one for the constant input, and a column for each hidden unit, after
 * one that is not used. Forward: products of 16 inputs and their weights, summed up by a tree in shared memory that
 * is in the weights' place afterwards. Backward, when the host has made the hidden layer's errors of the sums: new weights.
 */
#include "device.h"

#define HIDDEN 16
#define RATE 0.3
#define MOMENTUM 0.3

extern "C" __global__ void bprop_forward(const float *input, float *weight, float *sums) {
  __shared__ float in[HIDDEN];
  __shared__ float tree[HIDDEN][HIDDEN];
  const uint x = threadIdx.x, y = threadIdx.y, row = HIDDEN * blockIdx.y + y + 1, at = row * (HIDDEN + 1) + x + 1;
  if (x == 0) in[y] = input[row];
  __syncthreads();
  tree[y][x] = weight[at] * in[y];
  for (uint apart = 2; apart <= HIDDEN; apart *= 2) {
    __syncthreads();
    if (y % apart == 0) tree[y][x] += tree[y + apart / 2][x];
  }
  __syncthreads();
  weight[at] = tree[y][x];
  if (x == 0) sums[blockIdx.y * HIDDEN + y] = tree[0][y];
}

extern "C" __global__ void bprop_adjust(const float *error, const float *input, float *weight, float *last) {
  const uint x = threadIdx.x + 1, y = HIDDEN * blockIdx.y + threadIdx.y + 1, at = y * (HIDDEN + 1) + x;
  const double step = RATE * error[x] * input[y] + MOMENTUM * last[at];
  weight[at] += step;
  last[at] = step;
  if (y != 1) return;
  const double first = RATE * error[x] + MOMENTUM * last[x];
  weight[x] += first;
  last[x] = first;
}
