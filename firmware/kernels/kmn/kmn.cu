/* SPDX-License-Identifier: Apache-2.0
 *
 * k-means, assignment step: the nearest centre of every point, by squared distance. Features are stored feature-major
 * (all points' feature 0 first), centres centre-major, as in Rodinia's kmeansPoint. Of equally near ones the first wins.
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
      float d = features[f * points + i] - centres[c * count + f];
      distance += d * d;
    }
    if (distance < least) {
      least = distance;
      nearest = (int)c;
    }
  }
  member[i] = nearest;
}
