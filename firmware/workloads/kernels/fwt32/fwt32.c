/* SPDX-License-Identifier: Apache-2.0
 *
 * fwt32: fwt with 32-bit pointers. The host's part is fwt's.
 */
#include "data.h"
#include "fwt/fwt.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(fwt32);

static const workload_param_t params[] = {
    /* in the order of fwt.h */
    {"log2n", "length of the data, as a power of two", 16, 2, 26, 22},
    {"log2kernel", "length of the kernel, which zeros make as long as the data", 11, 0, 26, 17},
    {"block", "threads a block, but where a block does a part", 256, 1, 1024, 0},
    {0},
};

const workload_t workload_fwt32 = {KERNEL_WORKLOAD(fwt32), .params = params,   .create = fwt_create,
                                   .run = fwt_run,         .check = fwt_check, .destroy = data_destroy};
