/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine's state, for mpu.c and mpu_stats.c.
 */
#ifndef MPU_STATE_H
#define MPU_STATE_H

#include "core.h"
#include "simt_module.h"

/* A module that is loaded. */
typedef struct mpu_loaded {
  struct mpu_loaded *next;
  const ptx_module_t *module;
  mpu_kernel_t **kernels; /* of each function; NULL: not a kernel, or one that the machine cannot execute */
  uint64_t *code;         /* of each function: where instruction caches find its instructions. NULL: they are ideal */
  uint64_t constants;     /* their copy in memory; 0: no kernel has looked for them there */
  simt_variables_t variables;
} mpu_loaded_t;

struct mpu {
  mpu_config_t config;
  mpu_shared_t shared;
  mpu_run_t run;
  unsigned cores;
  core_t *core;
  uint8_t *states, *files; /* of the engines; of the warps */
  size_t file_bytes;
  memory_image_t *image;
  uint64_t now, cycles;
  bool running;
  trouble_t fault;
  /* memory */
  mpu_range_t *range;
  size_t num_ranges, room;
  uint64_t used; /* nothing was ever allocated behind it, */
  /* but local memory was from local_first on; that of the kernel that runs is from local_from on */
  uint64_t local_from, local_first;
  mpu_loaded_t *modules, *loaded;     /* all of them; the one whose kernels are launched. NULL: none */
  uint64_t next_block[MPU_MAX_CORES]; /* of each core; num_blocks: none */
  uint64_t given[MPU_MAX_CORES / 64]; /* bits: cores that got a block in the last cycle */
  uint64_t done;
};

#endif
