/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine's state, for mpu.c, mpu_host.c and mpu_stats.c alone.
 */
#ifndef MPU_STATE_H
#define MPU_STATE_H

#include "core.h"
#include "simt_module.h"

/* A module that is loaded. */
typedef struct mpu_loaded {
  struct mpu_loaded *next;
  const ptx_module_t *module;
  mpu_kernel_t **kernels; /* [functions]; NULL: not a kernel, or one that the machine cannot execute */
  uint64_t *code;         /* [functions]: device address of its instructions (core_fetch.h); NULL: caches are ideal */
  uint64_t constants;     /* device address of their copy; 0: no kernel has needed it yet */
  simt_variables_t variables;
} mpu_loaded_t;

/* The machine. */
struct mpu {
  mpu_config_t config;
  mpu_shared_t shared;
  mpu_run_t run;
  unsigned cores;
  core_t *core;
  uint8_t *states, *files; /* host memory of the engines; of the warps (core_file_bytes) */
  size_t file_bytes;
  memory_image_t *image;
  uint64_t now, cycles; /* of 1 GHz: since mpu_new; while kernels ran */
  bool running;
  trouble_t fault;
  /* Allocations, ascending. */
  mpu_range_t *range;
  size_t num_ranges, room;
  uint64_t used; /* no allocation ever ended behind this address */
  /* Local memory is behind all allocations: of the present kernel from local_from on, of any
   * kernel so far from local_first on. */
  uint64_t local_from, local_first;
  mpu_loaded_t *modules, *loaded;     /* all that are loaded; the one whose kernels are launched, NULL: none */
  uint64_t next_block[MPU_MAX_CORES]; /* of each core: the block that it gets next; num_blocks: none */
  uint64_t given[MPU_MAX_CORES / 64]; /* bits: cores that got a block in the last cycle */
  uint64_t done;                      /* blocks of the kernel that have ended */
};

/* In mpu_host.c. */
void mpu_unload_all(mpu_t *m);
/* NULL and TROUBLE_INPUT: the machine cannot execute it, which matters only if somebody launches
 * it. */
mpu_kernel_t *mpu_compile_kernel(const mpu_t *m, const ptx_module_t *module, const ptx_func_t *func, trouble_t *err);

#endif
