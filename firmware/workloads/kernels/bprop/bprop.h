/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of a training step of back propagation, shared by the workloads bprop and bp.
 * These are a workload_t's functions; the module must have the kernels of bprop.cu.
 */
#ifndef BPROP_H
#define BPROP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime.h"
#include "trouble.h"

enum { BPROP_POINTS }; /* a workload's parameters, in this order */

void *bprop_create(const int64_t *values, uint64_t seed); /* ends with data_destroy */
int bprop_run(void *state, const runtime_t *rt);
/* False: *trouble names the first wrong sum or weight. */
bool bprop_check(const void *state, trouble_t *trouble);

#endif
