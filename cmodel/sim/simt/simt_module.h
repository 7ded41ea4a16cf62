/* SPDX-License-Identifier: Apache-2.0
 *
 * What machines that execute kernels have in common besides execution: variables of a module, and
 * what a launch is.
 */
#ifndef SIMT_MODULE_H
#define SIMT_MODULE_H

#include <stddef.h>

#include "trouble.h"
#include "ptx.h"

typedef struct {
  const char *kernel; /* NULL: the module's only one */
  uint32_t grid[3], block[3];
  uint32_t shared_bytes; /* dynamic */
  const void *params;    /* laid out as the kernel's parameter block */
  size_t param_bytes;
  uint64_t workspace; /* of a cooperative grid: where its barrier is, which %envreg1 and %envreg2 say; 0: of others */
} simt_launch_t;

/* 0, or -1 with err: sizes that are none, too large, not those the kernel was
 * compiled for; parameters that are not as many bytes as the kernel has. */
int simt_check_launch(const simt_launch_t *launch, const ptx_func_t *func, trouble_t *err);

/* A machine's memory, where a module's variables go. */
typedef struct {
  void *machine;
  uint64_t (*allocate)(void *machine, uint64_t bytes, trouble_t *err); /* 0: err says why */
  int (*copy_in)(void *machine, uint64_t addr, const void *data, size_t bytes, trouble_t *err);
} simt_store_t;

/* 0, or -1 with err: the module's pointers have 32 bits, and these bytes
 * at addr are not all below 4 GB. module: NULL: none is loaded. */
int simt_check_pointer(const ptx_module_t *module, uint64_t addr, uint64_t bytes, trouble_t *err);

typedef struct simt_variables {
  uint64_t global_base; /* of the global segment in the machine's memory; 0: there is none */
  uint8_t *const_segment;
  /* of each variable that is a texture, sampler or surface reference:
   * the handle that it is bound to; 0: none. NULL: none is bound */
  uint64_t *reference;
} simt_variables_t;

/* Places and initialises all of a module's, addresses in them
 * filled in. -1: err; what was allocated is in *v either way. */
int simt_variables_load(simt_variables_t *v, const ptx_module_t *module, const simt_store_t *store, trouble_t *err);
/* Binds a reference to the texture, surface or sampler that a handle names; 0: to none. -1: err. */
int simt_bind(simt_variables_t *v, const ptx_module_t *module, const char *reference, uint64_t handle, trouble_t *err);
const ptx_var_t *simt_reference(const ptx_module_t *module, const char *name); /* NULL: it has none of that name */
void simt_variables_free(simt_variables_t *v);

#endif
