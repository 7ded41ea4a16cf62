/* SPDX-License-Identifier: Apache-2.0
 *
 * kmeans: k-means' assignment step, written for the MPU. Features are kept feature by feature.
 */
#include "centres.h"
#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(kmeans);

static const workload_param_t params[] = {
    /* in the order of centres.h */
    {"points", "points", 28000, 1, 1 << 24, 1 << 17},
    {"features", "features a point", 34, 0, 1024, 8},
    {"clusters", "centres", 5, 0, 1024, 8},
    {"block", "threads a block", 256, 1, 256, 0},
    {0},
};

static int kmeans_run(void *state, const runtime_t *rt) {
  return centres_run(state, rt, "kmeans");
}

const workload_t workload_kmeans = {KERNEL_WORKLOAD(kmeans), .params = params,       .create = centres_create,
                                    .run = kmeans_run,       .check = centres_check, .destroy = data_destroy};
