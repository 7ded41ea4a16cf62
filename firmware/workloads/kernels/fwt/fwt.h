/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of a dyadic convolution by fast Walsh transforms, shared by the workloads fwt and
 * fwt32. These are a workload_t's functions; the module must have the kernels of fwt.cu.
 */
#ifndef FWT_H
#define FWT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime.h"
#include "trouble.h"

enum { FWT_LOG2N, FWT_LOG2KERNEL, FWT_BLOCK }; /* a workload's parameters, in this order */

void *fwt_create(const int64_t *values, uint64_t seed); /* ends with data_destroy */
int fwt_run(void *state, const runtime_t *rt);
/* False: *trouble names the first wrong element. */
bool fwt_check(const void *state, trouble_t *trouble);

#endif
