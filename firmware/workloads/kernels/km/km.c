/* SPDX-License-Identifier: Apache-2.0
 *
 * km: kmn with 32-bit pointers, at the TOM paper's size. Features are kept by points.
 */
#include "centres.h"
#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(km);

static const workload_param_t params[] = {
    /* in the order of centres.h */
    {"points", "points", 12000, 1, 1 << 24, 123505},
    {"features", "features a point", 34, 0, 1024, 0},
    {"clusters", "centres", 5, 0, 1024, 0},
    {"block", "threads a block", 256, 1, 1024, 0},
    {0},
};

static int km_run(void *state, const runtime_t *rt) {
  return centres_run(state, rt, "kmn");
}

const workload_t workload_km = {KERNEL_WORKLOAD(km), .params = params,       .create = centres_create_by_points,
                                .run = km_run,       .check = centres_check, .destroy = data_destroy};
