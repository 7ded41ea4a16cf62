/* SPDX-License-Identifier: Apache-2.0
 *
 * k-means, assignment step, of points with four features and four centres: the nearest centre of every point, by squared distance; of equally near ones the
 * first. Features are stored feature-major, a block has 128 threads that come back a whole grid further on, and the centres stay in every thread's registers:
 * a block's first 16 threads bring them to shared memory once, from which all threads load them. A feature is loaded once for all centres.
 */
#include "device.h"

enum { FEATURES = 4, CENTRES = 4, THREADS = 128 };

extern "C" __global__ void __launch_bounds__(THREADS)
    kmeans_resident(const float *features, const float *centres, int *member, uint points, uint clusters, uint count) {
  __shared__ float shared[CENTRES][FEATURES];
  float centre[CENTRES][FEATURES];
  (void)clusters, (void)count; /* they are the constants */
  if (threadIdx.x < CENTRES * FEATURES) shared[0][threadIdx.x] = centres[threadIdx.x];
  __syncthreads();
#pragma unroll
  for (uint c = 0; c < CENTRES; c++)
#pragma unroll
    for (uint f = 0; f < FEATURES; f++) centre[c][f] = shared[c][f];
  for (uint i = global_thread(); i < points; i += grid_threads()) {
    float value[FEATURES], least = 3.402823466e+38f;
    int nearest = 0;
#pragma unroll
    for (uint f = 0; f < FEATURES; f++) value[f] = features[(size_t)f * points + i];
#pragma unroll
    for (uint c = 0; c < CENTRES; c++) {
      float distance = 0.0f;
#pragma unroll
      for (uint f = 0; f < FEATURES; f++) distance += (value[f] - centre[c][f]) * (value[f] - centre[c][f]);
      if (distance < least) {
        least = distance;
        nearest = (int)c;
      }
    }
    member[i] = nearest;
  }
}
