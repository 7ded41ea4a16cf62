/* SPDX-License-Identifier: Apache-2.0
 *
 * k-means, assignment step: the nearest centre of every point, by squared distance. Features are stored point-major
 * (all features of point 0 first), so that a thread comes back to its lines while the L1 has them. Of equally near ones the first wins.
 */
#include "device.h"

extern "C" __global__ void kmn(const float *features, const float *centres, int *member, uint points, uint clusters, uint count) {
  uint i = global_thread();
  if (i >= points) return;
  int nearest = 0;
  float least = 3.402823466e+38f;
  for (uint c = 0; c < clusters; c++) {
    float distance = 0.0f;
    for (uint f = 0; f < count; f++) {
      float d = features[i * count + f] - centres[c * count + f];
      distance += d * d;
    }
    if (distance < least) {
      least = distance;
      nearest = (int)c;
    }
  }
  member[i] = nearest;
}
