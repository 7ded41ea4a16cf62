/* SPDX-License-Identifier: Apache-2.0
 *
 * Nearest neighbours (Rodinia's nn): the distance of every record from the place that is looked for, a thread a record; the host then picks the
 * nearest. A record is a structure of its latitude and its longitude, so that a warp's load of either is of two lines.
 */
#include "device.h"

typedef struct {
  float latitude, longitude;
} record_t;

extern "C" __global__ void nn(const record_t *record, float *distance, uint records, float latitude, float longitude) {
  const uint i = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
  if (i >= records) return;
  const float north = latitude - record[i].latitude, east = longitude - record[i].longitude;
  distance[i] = __nvvm_sqrt_rn_f(north * north + east * east);
}
