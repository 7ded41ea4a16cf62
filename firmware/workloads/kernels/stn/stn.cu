/* SPDX-License-Identifier: Apache-2.0
 *
 * 7-point stencil on an nx x ny x nz grid (Parboil): next = c1 * (sum of the six neighbours) - c0 * centre, inside; a thread a
 * cell, a block a row, whose first cell is of the border. Cells of the border are not written.
 */
#include "device.h"

#define AT(x, y, z) ((x) + nx * ((y) + ny * (z)))

extern "C" __global__ void stn(float c0, float c1, const float *a, float *next, uint nx, uint ny, uint nz) {
  uint i = threadIdx.x, j = blockIdx.x + 1, k = blockIdx.y + 1;
  if (i > 0)
    next[AT(i, j, k)] = (a[AT(i, j, k + 1)] + a[AT(i, j, k - 1)] + a[AT(i, j + 1, k)] + a[AT(i, j - 1, k)] + a[AT(i + 1, j, k)] + a[AT(i - 1, j, k)]) * c1 -
                        a[AT(i, j, k)] * c0;
}
