/* SPDX-License-Identifier: Apache-2.0
 *
 * BLAS axpy, y = a x + y. A thread takes an element and every one that is a whole grid further on, so that any grid does
 * any length and a warp always has 32 neighbours.
 */
#include "device.h"

extern "C" __global__ void __launch_bounds__(256) axpy(float a, const float *x, float *y, uint n) {
  for (uint i = global_thread(); i < n; i += grid_threads()) y[i] += a * x[i];
}
