/* SPDX-License-Identifier: Apache-2.0
 *
 * Sparse matrix times vector in ELLPACK (the product in miniFE's conjugate gradients), a thread a row: element k of row i is at
 * k * pitch + i. Rows have at most `width` elements; where there is none, the column is -1.
 */
#include "device.h"

extern "C" __global__ void minife(const int *column, const float *value, const float *x, float *y, int rows, int width, int pitch) {
  int i = (int)global_thread();
  if (i >= rows) return;
  float sum = 0.0f;
  for (int k = 0, at = i; k < width; k++, at += pitch) {
    int j = column[at];
    if (j != -1) sum += value[at] * x[j];
  }
  y[i] = sum;
}
