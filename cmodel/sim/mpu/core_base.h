/* SPDX-License-Identifier: Apache-2.0
 *
 * The state that a core's subcores and near-bank units share: the launch, the machine as a core
 * sees it, counters, the first fault, blocks of threads, shared memory.
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

/* One launch, the same for all cores. */
typedef struct {
  simt_run_t simt;
  const mpu_kernel_t *kernel;
  unsigned blocks; /* that a core holds at a time */
  /* Local memory in DRAM: 32-bit words of each thread; byte address in every near-bank unit at
   * which warp slot 0's words begin. */
  uint32_t local_words, local_at;
  uint64_t constants; /* device address of the module's constants; 0: the kernel does not load them from memory */
  uint64_t code;      /* device address of the kernel's instructions (core_fetch.h); 0: caches are ideal */
  uint32_t code_id;   /* number of the kernel's function in its module, which its code in memory repeats */
} mpu_run_t;

/* An allocation: device addresses start .. start + bytes - 1. */
typedef struct {
  uint64_t start, bytes;
} mpu_range_t;

/* What cores read of the machine. None of these fields changes while cores tick. */
typedef struct {
  const mpu_config_t *config;
  const mpu_run_t *run;
  mpu_map_t map;
  const mpu_range_t *range; /* allocations, ascending */
  size_t num_ranges;
  memory_image_t *image; /* by near-bank unit: mpu_map_image */
  const uint64_t *now;
} mpu_shared_t;

/* A block of threads in the core. */
typedef struct {
  simt_block_t simt;    /* warps are bits: subcore * 16 + warp */
  uint32_t unfinished;  /* warps with instructions under way or not exited */
  uint32_t shared_base; /* byte of the core's shared memory at which the block's begins */
} core_block_t;

/* What the parts of one core share and change. */
typedef struct {
  const mpu_shared_t *sh;
  unsigned id;
  mpu_stats_t stats;
  trouble_t fault;
  core_block_t block[MPU_MAX_BLOCKS];
  uint32_t smem[MPU_MAX_SMEM / 4];
  uint8_t written[MPU_MAX_SMEM / 8]; /* bits of its bytes, as far as blocks have it (simt_unwritten.h) */
  uint64_t smem_free;                /* cycle from which shared memory takes the next access */
  size_t last_range;                 /* the allocation of the last look-up, a hint */
} core_base_t;

static inline uint64_t core_now(const core_base_t *b) {
  return *b->sh->now;
}

bool core_base_allocated(core_base_t *b, uint64_t address, unsigned bytes); /* all bytes are in one allocation */

#endif
