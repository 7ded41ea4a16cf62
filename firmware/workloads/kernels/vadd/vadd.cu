/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector addition: c = a + b.
 */
#include "device.h"

extern "C" __global__ void vadd(const float *a, const float *b, float *c, uint n) {
  uint i = global_thread();
  if (i < n) c[i] = a[i] + b[i];
}
