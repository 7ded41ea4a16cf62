/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch as the caller describes it, and the variables of a module. All machines that execute
 * kernels use them.
 */
#ifndef SIMT_MODULE_H
#define SIMT_MODULE_H

#include <stddef.h>

#include "trouble.h"
#include "ptx.h"

/* A launch. */
typedef struct {
  const char *kernel;         /* name; NULL: the only kernel of the module */
  uint32_t grid[3], block[3]; /* CTAs of the grid, threads of a CTA */
  uint32_t shared_bytes;      /* dynamic shared memory of a CTA */
  const void *params;         /* laid out as the kernel's parameter block; the caller's */
  size_t param_bytes;
  /* cooperative grids: address of the barrier's workspace, for %envreg1 and %envreg2; others: 0 */
  uint64_t workspace;
} simt_launch_t;

/* Checks sizes (not zero, not too large, as .reqntid and the like demand) and the number of
 * parameter bytes. Returns 0, or -1 with err. */
int simt_check_launch(const simt_launch_t *launch, const ptx_func_t *func, trouble_t *err);

/* Memory of a machine, for a module's variables. */
typedef struct {
  void *machine;
  /* address; 0: err says why */
  uint64_t (*allocate)(void *machine, uint64_t bytes, trouble_t *err);
  int (*copy_in)(void *machine, uint64_t addr, const void *data, size_t bytes, trouble_t *err);
} simt_store_t;

/* -1 with err if the module has 32-bit pointers and the bytes at addr are not all below 4 GB.
 * module NULL: no module is loaded, and every address is fine. */
int simt_check_pointer(const ptx_module_t *module, uint64_t addr, uint64_t bytes, trouble_t *err);

/* A module's variables in a machine. simt_variables_free frees them. */
typedef struct simt_variables {
  uint64_t global_base; /* address of the global segment; 0: there is none */
  uint8_t *const_segment;
  /* [variables]: handle that a texture, sampler or surface reference is bound to; 0: none. NULL:
   * no reference is bound */
  uint64_t *reference;
} simt_variables_t;

/* Allocates and initialises all variables of a module, with the addresses in them resolved. -1
 * with err; the caller frees *v either way. */
int simt_variables_load(simt_variables_t *v, const ptx_module_t *module, const simt_store_t *store, trouble_t *err);
/* Binds a reference to the texture, surface or sampler with this handle; 0 unbinds. -1 with err. */
int simt_bind(simt_variables_t *v, const ptx_module_t *module, const char *reference, uint64_t handle, trouble_t *err);
/* Variable of the reference; NULL: the module has none of that name. */
const ptx_var_t *simt_reference(const ptx_module_t *module, const char *name);
void simt_variables_free(simt_variables_t *v);

#endif
