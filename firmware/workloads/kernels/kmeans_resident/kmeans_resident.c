/* SPDX-License-Identifier: Apache-2.0
 *
 * kmeans_resident: k-means' assignment step with four features and four centres, which stay in
 * every thread's registers.
 */
#include "centres.h"
#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(kmeans_resident);

enum { POINTS, BLOCKS, FEATURES = 4, CENTRES = 4, THREADS = 128 };
static const workload_param_t params[] = {
    {"points", "points; a multiple of 131,072 for features that begin at one core", 1 << 17, 1, 1 << 26, 1 << 20},
    {"blocks", "blocks at most; they go on through what is left", 512, 1, 65535, 0},
    {0},
};

static void *kmeans_resident_create(const int64_t *values, uint64_t seed) {
  const int64_t all[] = {values[POINTS], FEATURES, CENTRES, THREADS};
  return centres_limit(centres_create(all, seed), values[BLOCKS]);
}

static int kmeans_resident_run(void *state, const runtime_t *rt) {
  return centres_run(state, rt, "kmeans_resident");
}

const workload_t workload_kmeans_resident = {KERNEL_WORKLOAD(kmeans_resident), .params = params,
                                             .create = kmeans_resident_create, .run = kmeans_resident_run,
                                             .check = centres_check,           .destroy = data_destroy};
