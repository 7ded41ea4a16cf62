/* SPDX-License-Identifier: Apache-2.0
 *
 * vadd's interface and result, and threads that reach the same element by their SM and by near-data units in turn, with nothing between but their own order:
 * a write or a read that the next block's packets overtake makes c wrong.
 */
#include "device.h"

#define IN_ORDER __asm__ volatile("" ::: "memory")

extern "C" __global__ void vadd(const float *a, const float *b, float *c, uint n) {
  uint i = global_thread();
  if (i >= n) return;
  c[i] = a[i];
  for (uint round = 0; round < 4; round++) {
    IN_ORDER;
    float was = c[i];
    IN_ORDER;
    c[i] = b[i];
    IN_ORDER;
    float is = c[i];
    IN_ORDER;
    c[i] = was + (is - b[i]);
  }
  IN_ORDER;
  c[i] = c[i] + b[i];
}
