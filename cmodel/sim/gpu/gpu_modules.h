/* SPDX-License-Identifier: Apache-2.0
 *
 * The modules that are loaded in a GPU: kernels decoded, variables in memory, instructions where
 * caches fetch them. Of one of them, the current one, kernels are launched and the offload policy
 * has the blocks.
 */
#ifndef GPU_MODULES_H
#define GPU_MODULES_H

#include "offload_policy.h"
#include "page_table.h"
#include "simt.h"
#include "simt_module.h"
#include "texture_table.h"

typedef struct gpu_loaded {
  struct gpu_loaded *next;
  const ptx_module_t *module;
  const void *blocks;      /* the policy's; NULL: none */
  simt_kernel_t **kernels; /* of each function; NULL: not a kernel, or one that SMs cannot execute */
  uint64_t *code;          /* of each: where its instructions are; NULL: instruction caches are ideal */
  simt_variables_t variables;
  uint64_t *samplers; /* of each variable that is declared to be one: its handle; NULL: none is */
  uint64_t constants; /* virtual address of their copy in the GPU's memory; 0: no kernel has looked for them there */
} gpu_loaded_t;

typedef struct {
  simt_store_t store; /* what variables and instructions are put into */
  page_table_t *pages;
  texture_table_t *textures;
  bool ideal_fetch; /* instruction caches are */
  bool ideal_constants;
  const offload_policy_t *policy;
  void *die;                     /* the policy's; NULL: it has nothing */
  gpu_loaded_t *first, *current; /* NULL: none */
} gpu_modules_t;

/* 0, or -1 with err. Makes it the current one. */
int gpu_modules_add(gpu_modules_t *m, const ptx_module_t *module, const void *blocks, trouble_t *err);
/* memory of its variables stays mapped */
void gpu_modules_drop(gpu_modules_t *m, gpu_loaded_t *loaded);
gpu_loaded_t *gpu_modules_find(const gpu_modules_t *m, const ptx_module_t *module); /* NULL: not loaded */
/* Constants as the host has them now into memory, if the kernel looks for them there. */
int gpu_modules_constants(const gpu_modules_t *m, gpu_loaded_t *loaded, const simt_kernel_t *kernel, trouble_t *err);
int gpu_modules_select(gpu_modules_t *m, gpu_loaded_t *loaded, trouble_t *err);

/* NULL: err says why not. loaded NULL: none is. */
const simt_kernel_t *gpu_modules_kernel(const gpu_loaded_t *loaded, const char *name, trouble_t *err);

#endif
