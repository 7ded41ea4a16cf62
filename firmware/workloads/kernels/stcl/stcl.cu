/* SPDX-License-Identifier: Apache-2.0
 *
 * Stream clustering: what opening a centre at point x would save (the algorithm of Rodinia's streamcluster, its pgain on the device). Points
 * that are nearer to x would move there: moves[i] and work[i][open] say so and by how much less they would cost. Of the others, work[i] says
 * under their own centre's number how much less they cost than at x. Coordinates are stored coordinate-major; a block has those of x in
 * shared memory.
 */
#include "device.h"

typedef struct {
  float weight;
  float *coordinates; /* the host's */
  long centre;
  float cost;
} point_t;

extern "C" __global__ void stcl(const point_t *point, const float *coordinate, const int *number, float *work, unsigned char *moves, int points, int dims,
                                int x, int open, int stride) {
  extern __shared__ float of_x[];
  int i = (int)global_thread();
  for (int d = (int)threadIdx.x; d < dims; d += (int)blockDim.x) of_x[d] = coordinate[d * points + x];
  __syncthreads();
  if (i >= points) return;
  float distance = 0.0f;
  for (int d = 0; d < dims; d++) {
    float apart = coordinate[d * points + i] - of_x[d];
    distance += apart * apart;
  }
  float cost = distance * point[i].weight;
  float *row = work + i * stride;
  if (cost < point[i].cost) {
    moves[i] = 1;
    row[open] = cost - point[i].cost;
  } else {
    row[number[point[i].centre]] += point[i].cost - cost;
  }
}
