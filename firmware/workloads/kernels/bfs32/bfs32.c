/* SPDX-License-Identifier: Apache-2.0
 *
 * bfs32: bfs with 32-bit pointers, at the TOM paper's size. The host's part is bfs's.
 */
#include "bfs/bfs.h"
#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(bfs32);

static const workload_param_t params[] = {
    /* in the order of bfs.h */
    {"nodes", "nodes of the graph", 32768, 1, 1 << 24, 1 << 20},
    {"edges", "edges of a node on the average; each is drawn by one of its ends", 6, 2, 64, 0},
    {"block", "threads a block", 256, 1, 1024, 512},
    {0},
};

const workload_t workload_bfs32 = {KERNEL_WORKLOAD(bfs32), .params = params,   .create = bfs_create,
                                   .run = bfs_run,         .check = bfs_check, .destroy = data_destroy};
