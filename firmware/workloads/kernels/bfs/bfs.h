/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of breadth-first search, shared by the workloads bfs and bfs32. These are a
 * workload_t's functions; the module must have the kernels of bfs.cu.
 */
#ifndef BFS_H
#define BFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime.h"
#include "trouble.h"

enum { BFS_NODES, BFS_EDGES, BFS_BLOCK }; /* a workload's parameters, in this order */

void *bfs_create(const int64_t *values, uint64_t seed); /* ends with data_destroy */
int bfs_run(void *state, const runtime_t *rt);
/* False: *trouble names the first wrong level. */
bool bfs_check(const void *state, trouble_t *trouble);

#endif
