/* SPDX-License-Identifier: Apache-2.0
 *
 * What machines that execute kernels have in common besides execution: variables of a module, and what a launch is.
 */
#ifndef SIMT_MODULE_H
#define SIMT_MODULE_H

#include <stddef.h>

#include "gpu_error.h"
#include "ptx.h"

typedef struct {
  const char *kernel;        /* NULL: the module's only one */
  uint32_t grid[3], block[3];
  uint32_t shared_bytes;     /* dynamic */
  const void *params;        /* laid out as the kernel's parameter block */
  size_t param_bytes;
} simt_launch_t;

/* 0, or -1 with err: sizes that are none, too large, not those the kernel was compiled for; parameters missing. */
int simt_check_launch(const simt_launch_t *launch, const ptx_func_t *func, gpu_error_t *err);

/* A variable's v->size bytes with the addresses in it filled in; global_base: where the module's global segment is. */
void simt_variable_bytes(const ptx_module_t *module, const ptx_var_t *v, uint64_t global_base, uint8_t *bytes);

#endif
