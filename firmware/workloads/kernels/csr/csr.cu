/* SPDX-License-Identifier: Apache-2.0
 *
 * Sparse matrix times vector, compressed rows, a thread a row: y[i] = sum of value[k] * x[column[k]].
 */
#include "device.h"

extern "C" __global__ void csr(const uint *row, const uint *column, const float *value, const float *x, float *y, uint rows) {
  uint i = global_thread();
  if (i >= rows) return;
  float sum = 0.0f;
  for (uint k = row[i], end = row[i + 1]; k < end; k++) {
    uint j = column[k];
    sum += value[k] * x[j];
  }
  y[i] = sum;
}
