/* SPDX-License-Identifier: Apache-2.0
 *
 * k-means, assignment step (Rodinia's kmeans): the nearest centre of every point, by squared distance; of equally near ones the
 * first. Features are stored feature-major (all points' feature 0 first). Eight centres at a time are compared, each with its
 * sum in a register, so that a feature is read once for eight; a block has the centres' features in shared memory, 64
 * at a time. `kmn` is the same step as it is usually written for a GPU with caches.
 */
#include "device.h"

enum { CENTRES = 8, CHUNK = 64 };

/* Features f0 to f0 + many - 1 of centres c0 to c0 + 7; of centres beyond the last, infinity, which is never nearer. */
static __device__ inline void stage(float (*shared)[CENTRES], const float *centres, uint c0, uint f0, uint many, uint clusters,
                                    uint count) {
  for (uint i = threadIdx.x; i < CENTRES * many; i += blockDim.x) {
    uint c = c0 + i % CENTRES;
    shared[i / CENTRES][i % CENTRES] = c < clusters ? centres[c * count + f0 + i / CENTRES] : __builtin_inff();
  }
}

extern "C" __global__ void __launch_bounds__(256) kmeans(const float *features, const float *centres, int *member, uint points,
                                                         uint clusters, uint count) {
  __shared__ float centre[CHUNK][CENTRES];
  uint i = global_thread();
  int nearest = 0;
  float least = 3.402823466e+38f;
  for (uint c0 = 0; c0 < clusters; c0 += CENTRES) {
    float distance[CENTRES] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    const float *feature = features + i;
    for (uint f0 = 0; f0 < count; f0 += CHUNK) {
      uint many = count - f0 < CHUNK ? count - f0 : CHUNK;
      __syncthreads();
      stage(centre, centres, c0, f0, many, clusters, count);
      __syncthreads();
      if (i < points)
        for (uint f = 0; f < many; f++, feature += points) {
          float v = *feature;
#pragma unroll
          for (uint k = 0; k < CENTRES; k++) distance[k] += (v - centre[f][k]) * (v - centre[f][k]);
        }
    }
#pragma unroll
    for (uint k = 0; k < CENTRES; k++)
      if (distance[k] < least) {
        least = distance[k];
        nearest = (int)(c0 + k);
      }
  }
  if (i < points) member[i] = nearest;
}
