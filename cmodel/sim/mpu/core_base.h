/* SPDX-License-Identifier: Apache-2.0
 *
 * What subcores and near-bank units of a core stand on: the launch, the machine as a core sees it,
 * counters, the first fault, blocks of threads, shared memory.
 */
#ifndef CORE_BASE_H
#define CORE_BASE_H

#include "memory_image.h"
#include "mpu_config.h"
#include "mpu_counters.h"
#include "mpu_kernel.h"
#include "mpu_map.h"
#include "simt_block.h"
#include "trouble.h"

/* What a launch is. */
typedef struct {
  simt_run_t simt;
  const mpu_kernel_t *kernel;
  unsigned blocks; /* that a core has at a time */
  /* .local in DRAM: words of 32 bits a thread; where
   * the first warp's are in every near-bank unit */
  uint32_t local_words, local_at;
  uint64_t constants; /* where the module's are in memory; 0: the kernel does not look for them there */
  uint64_t code;      /* of instruction caches: where its instructions are (core_fetch.h) */
  uint32_t code_id;
} mpu_run_t;

typedef struct {
  uint64_t start, bytes;
} mpu_range_t;

/* What cores may read of the machine; nothing here changes while cores tick. */
typedef struct {
  const mpu_config_t *config;
  const mpu_run_t *run;
  mpu_map_t map;
  const mpu_range_t *range; /* allocations, ascending */
  size_t num_ranges;
  memory_image_t *image;
  const uint64_t *now;
} mpu_shared_t;

typedef struct {
  simt_block_t simt;    /* warps are bits: subcore * 16 + warp */
  uint32_t unfinished;  /* warps with instructions under way or not exited */
  uint32_t shared_base; /* in the core's shared memory */
} core_block_t;

typedef struct {
  const mpu_shared_t *sh;
  unsigned id;
  mpu_stats_t stats;
  trouble_t fault;
  core_block_t block[MPU_MAX_BLOCKS];
  uint32_t smem[MPU_MAX_SMEM / 4];
  uint64_t smem_free; /* on the base die: when it takes the next access */
  size_t last_range;
} core_base_t;

static inline uint64_t core_now(const core_base_t *b) {
  return *b->sh->now;
}

bool core_base_allocated(core_base_t *b, uint64_t address, unsigned bytes); /* all of it is one allocation's */

#endif
