/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of a core share: the launch, the machine as a core sees it, faults, statistics.
 */
#ifndef CORE_TYPES_H
#define CORE_TYPES_H

#include "mpu.h"
#include "mpu_kernel.h"
#include "mpu_map.h"
#include "tsv.h"

typedef struct core core_t;

/* What a launch is. */
typedef struct {
  const mpu_kernel_t *kernel;
  uint8_t *konsts;                 /* constant operands */
  const uint8_t *params, *const_segment;
  uint64_t const_bytes;
  uint32_t grid[3], block[3];
  uint32_t threads, warps;         /* of a block */
  uint32_t shared_bytes, dynamic_shared;
  unsigned blocks;                 /* that a core has at a time */
  uint64_t num_blocks, id;
} mpu_run_t;

typedef struct {
  uint64_t start, bytes;
} mpu_range_t;

/* What cores may read of the machine; nothing here changes while cores tick. */
typedef struct {
  const mpu_config_t *config;
  const mpu_run_t *run;
  mpu_map_t map;
  const mpu_range_t *range;        /* allocations, ascending */
  size_t num_ranges;
  memory_image_t *image;
  const uint64_t *now;
} mpu_shared_t;

#endif
