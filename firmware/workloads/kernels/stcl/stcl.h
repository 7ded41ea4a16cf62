/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of stream clustering, shared by the workloads stcl and sc. These are a
 * workload_t's functions; the module must have the kernel of stcl.cu.
 */
#ifndef STCL_H
#define STCL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime.h"
#include "trouble.h"

enum { STCL_POINTS, STCL_DIMS, STCL_CENTRES, STCL_CANDIDATES, STCL_BLOCK }; /* a workload's parameters, in this order */
enum { STCL_MOST = 64 };                                                    /* centres at the start, and candidates */

void *stcl_create(const int64_t *values, uint64_t seed); /* ends with data_destroy */
int stcl_run(void *state, const runtime_t *rt);
/* False: *trouble names the first wrong element. */
bool stcl_check(const void *state, trouble_t *trouble);

#endif
