/* SPDX-License-Identifier: Apache-2.0
 *
 * sp32: sp with 32-bit pointers, at the TOM paper's size. The host's part is sp's.
 */
#include "data.h"
#include "kernel_ptx.h"
#include "sp/sp.h"
#include "workload.h"

KERNEL_PTX(sp32);

static const workload_param_t params[] = {
    /* in the order of sp.h */
    {"vectors", "pairs of vectors", 256, 1, 65535, 2048},
    {"n", "elements a vector", 4096, 0, 32768, 0},
    {"log2block", "threads a block, as a power of two", 8, 0, 8, 0},
    {0},
};

const workload_t workload_sp32 = {KERNEL_WORKLOAD(sp32), .params = params,  .create = sp_create,
                                  .run = sp_run,         .check = sp_check, .destroy = data_destroy};
