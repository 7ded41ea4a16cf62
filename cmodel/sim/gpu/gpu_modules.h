/* SPDX-License-Identifier: Apache-2.0
 *
 * The modules loaded in a GPU: decoded kernels, variables in memory, code where instruction caches
 * fetch it. One module is the current one: its kernels are launched, and the offload policy has its
 * blocks.
 */
#ifndef GPU_MODULES_H
#define GPU_MODULES_H

#include "offload_policy.h"
#include "page_table.h"
#include "simt.h"
#include "simt_module.h"
#include "texture_table.h"

/* A loaded module. */
typedef struct gpu_loaded {
  struct gpu_loaded *next;
  const ptx_module_t *module;
  const void *blocks;      /* from the policy's compile; NULL: none */
  simt_kernel_t **kernels; /* [functions]; NULL: not a kernel, or one that the SMs cannot execute */
  uint64_t *code;          /* [functions]: virtual address of the code; NULL: instruction caches are ideal */
  simt_variables_t variables;
  uint64_t *samplers; /* [variables]: handle of a declared sampler; NULL: there is none */
  /* virtual address of the constants' copy; 0: no kernel has needed one */
  uint64_t constants;
} gpu_loaded_t;

/* The modules, and the parts of the GPU that they use. */
typedef struct {
  simt_store_t store; /* for variables and code */
  page_table_t *pages;
  texture_table_t *textures;
  bool ideal_fetch; /* instruction caches are ideal */
  bool ideal_constants;
  const offload_policy_t *policy;
  void *die;                     /* of the policy; NULL: none */
  gpu_loaded_t *first, *current; /* NULL: none */
} gpu_modules_t;

/* Loads a module and makes it the current one. 0, or -1 with err. */
int gpu_modules_add(gpu_modules_t *m, const ptx_module_t *module, const void *blocks, trouble_t *err);
/* Frees a module. The memory of its variables stays mapped. */
void gpu_modules_drop(gpu_modules_t *m, gpu_loaded_t *loaded);
gpu_loaded_t *gpu_modules_find(const gpu_modules_t *m, const ptx_module_t *module); /* NULL: not loaded */
/* Copies the constants to GPU memory if the kernel reads them there. 0, or -1 with err. */
int gpu_modules_constants(const gpu_modules_t *m, gpu_loaded_t *loaded, const simt_kernel_t *kernel, trouble_t *err);
/* Makes a loaded module the current one. 0, or -1 with err. */
int gpu_modules_select(gpu_modules_t *m, gpu_loaded_t *loaded, trouble_t *err);

/* Kernel of this name. NULL with err. loaded NULL: no module is loaded. */
const simt_kernel_t *gpu_modules_kernel(const gpu_loaded_t *loaded, const char *name, trouble_t *err);

#endif
