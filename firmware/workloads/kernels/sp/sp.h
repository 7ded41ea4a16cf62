/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of scalar products of pairs of vectors, shared by the workloads sp and sp32.
 * These are a workload_t's functions; the module must have the kernel of sp.cu.
 */
#ifndef SP_H
#define SP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime.h"
#include "trouble.h"

enum { SP_VECTORS, SP_N, SP_LOG2BLOCK }; /* a workload's parameters, in this order */

void *sp_create(const int64_t *values, uint64_t seed); /* ends with data_destroy */
int sp_run(void *state, const runtime_t *rt);
/* False: *trouble names the first wrong product. */
bool sp_check(const void *state, trouble_t *trouble);

#endif
