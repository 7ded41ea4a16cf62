/* SPDX-License-Identifier: Apache-2.0
 *
 * Temperatures of a chip of several layers, a step of time (the algorithm of Rodinia's hotspot3D): a thread a column through the layers, from below to
 * above, with what it loaded last in registers. Beyond an edge it is as warm as at it. Multiplications and additions are fused, in the order
 * of the lines.
 */
#include "device.h"

#define AMBIENT 80.0f

static __device__ inline float fused(float a, float b, float c) {
  return __nvvm_fma_rn_f(a, b, c);
}

/* Shares of itself, of a neighbour along x, y, z, and of the power, that a step adds up. */
extern "C" __global__ void h3d(const float *power, const float *in, float *out, float by_power, int nx, int ny, int nz, float along_x, float along_y,
                               float along_z, float itself) {
  const int x = (int)global_thread(), y = (int)(blockIdx.y * blockDim.y + threadIdx.y), layer = nx * ny;
  if (x >= nx || y >= ny) return;
  int c = x + y * nx;
  int west = x == 0 ? c : c - 1, east = x == nx - 1 ? c : c + 1, north = y == 0 ? c : c - nx, south = y == ny - 1 ? c : c + nx;
  float below = in[c], here = below;
  for (int z = 0; z < nz; z++) {
    const float above = z == nz - 1 ? here : in[c + layer];
    float sum = itself * here;
    sum = fused(along_x, in[west], sum);
    sum = fused(along_x, in[east], sum);
    sum = fused(along_y, in[south], sum);
    sum = fused(along_y, in[north], sum);
    sum = fused(along_z, below, sum);
    sum = fused(along_z, above, sum);
    sum = fused(by_power, power[c], sum);
    out[c] = fused(along_z, AMBIENT, sum);
    below = here;
    here = above;
    c += layer;
    west += layer;
    east += layer;
    north += layer;
    south += layer;
  }
}
