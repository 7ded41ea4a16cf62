/* SPDX-License-Identifier: Apache-2.0
 *
 * bp: bprop with 32-bit pointers, at the TOM paper's size. The host's part is bprop's.
 */
#include "bprop/bprop.h"
#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(bp);

static const workload_param_t params[] = {
    /* in the order of bprop.h */
    {"points", "inputs, made a multiple of 16", 20000, 1, 1 << 20, 1 << 18},
    {0},
};

const workload_t workload_bp = {KERNEL_WORKLOAD(bp), .params = params,     .create = bprop_create,
                                .run = bprop_run,    .check = bprop_check, .destroy = data_destroy};
