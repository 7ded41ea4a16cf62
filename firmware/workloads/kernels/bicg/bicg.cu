/* SPDX-License-Identifier: Apache-2.0
 *
 * BiCGStab's two products with one matrix (Polybench BICG): s = A^T r and q = A p. A is rows x columns, row-major.
 * The sums live in memory while they grow, as in Polybench.
 */
#include "device.h"

extern "C" __global__ void bicg_s(const float *a, const float *r, float *s, uint rows, uint columns) {
  uint j = global_thread();
  if (j >= columns) return;
  s[j] = 0.0f;
  for (uint i = 0; i < rows; i++) s[j] += a[i * columns + j] * r[i];
}

extern "C" __global__ void bicg_q(const float *a, const float *p, float *q, uint rows, uint columns) {
  uint i = global_thread();
  if (i >= rows) return;
  q[i] = 0.0f;
  for (uint j = 0; j < columns; j++) q[i] += a[i * columns + j] * p[j];
}
