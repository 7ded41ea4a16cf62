/* SPDX-License-Identifier: Apache-2.0
 *
 * k nearest neighbours (Rodinia's nn): the distance of every record from the one that is looked for; the host then picks the
 * nearest. Latitudes and longitudes are arrays of their own, so that neighbouring threads read neighbouring words.
 */
#include "device.h"

extern "C" __global__ void __launch_bounds__(256) knn(const float *latitude, const float *longitude, float *distance, uint records, float lat, float lng) {
  for (uint i = global_thread(); i < records; i += grid_threads()) {
    float north = latitude[i] - lat, east = longitude[i] - lng;
    distance[i] = __nvvm_sqrt_rn_f(north * north + east * east);
  }
}
