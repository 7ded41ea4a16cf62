/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensor transposition: the axes of a tensor of three dimensions in another order. x is the axis whose elements are
 * neighbours in the source, p another one, q the third; the caller says how far apart neighbours in each are, on both sides.
 *
 * ttrans: p's elements become the neighbours. A block turns a tile of 32 by 32 of x and p in shared memory, whose rows are one
 *         word longer, so that a column lies in 32 banks: reading and writing, a warp is on 32 neighbours.
 * ttrans_rows: x's elements stay neighbours, rows move as they are.
 *
 * Blocks of 32 by 8 threads, a block a tile; the grid's axes are x, p and q.
 */
#include "device.h"

enum { TILE = 32, STEP = 8 };
typedef unsigned long long wide_t;

extern "C" __global__ void __launch_bounds__(TILE * STEP)
    ttrans(const uint *in, uint *out, uint nx, uint np, uint in_p, uint in_q, uint out_x, uint out_q) {
  __shared__ uint tile[TILE][TILE + 1];
  uint x = blockIdx.x * TILE + threadIdx.x, p = blockIdx.y * TILE + threadIdx.y;
  in += (wide_t)blockIdx.z * in_q + (wide_t)p * in_p + x;
#pragma unroll
  for (uint i = 0; i < TILE; i += STEP, in += STEP * (wide_t)in_p)
    if (x < nx && p + i < np) tile[threadIdx.y + i][threadIdx.x] = *in;
  __syncthreads();
  x = blockIdx.x * TILE + threadIdx.y;
  p = blockIdx.y * TILE + threadIdx.x;
  out += (wide_t)blockIdx.z * out_q + (wide_t)x * out_x + p;
#pragma unroll
  for (uint i = 0; i < TILE; i += STEP, out += STEP * (wide_t)out_x)
    if (x + i < nx && p < np) *out = tile[threadIdx.x][threadIdx.y + i];
}

extern "C" __global__ void __launch_bounds__(TILE * STEP)
    ttrans_rows(const uint *in, uint *out, uint nx, uint np, uint in_p, uint in_q, uint out_p, uint out_q) {
  uint x = blockIdx.x * TILE + threadIdx.x, p = blockIdx.y * TILE + threadIdx.y;
  in += (wide_t)blockIdx.z * in_q + (wide_t)p * in_p + x;
  out += (wide_t)blockIdx.z * out_q + (wide_t)p * out_p + x;
#pragma unroll
  for (uint i = 0; i < TILE; i += STEP, in += STEP * (wide_t)in_p, out += STEP * (wide_t)out_p)
    if (x < nx && p + i < np) *out = *in;
}
