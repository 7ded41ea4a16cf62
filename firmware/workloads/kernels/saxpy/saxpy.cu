/* SPDX-License-Identifier: Apache-2.0
 *
 * y = a x + y.
 */
#include "device.h"

extern "C" __global__ void saxpy(uint n, float a, const float *x, float *y) {
  uint i = global_thread();
  if (i < n) y[i] = a * x[i] + y[i];
}
