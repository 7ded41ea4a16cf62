/* SPDX-License-Identifier: Apache-2.0
 *
 * sc: stcl at the size of Rodinia's own script. The host's part is stcl's.
 */
#include "data.h"
#include "kernel_ptx.h"
#include "stcl/stcl.h"
#include "workload.h"

KERNEL_PTX(sc);

static const workload_param_t params[] = {
    /* in the order of stcl.h */
    {"points", "points", 8192, 1, 1 << 20, 65536},
    {"dims", "coordinates of a point", 256, 0, 1024, 0},
    {"centres", "centres that are open at the start", 20, 1, STCL_MOST, 0},
    {"candidates", "points that may become one, a launch each", 2, 1, STCL_MOST, 12},
    {"block", "threads a block", 512, 1, 1024, 0},
    {0},
};

const workload_t workload_sc = {KERNEL_WORKLOAD(sc), .params = params,    .create = stcl_create,
                                .run = stcl_run,     .check = stcl_check, .destroy = data_destroy};
