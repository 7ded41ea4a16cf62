/* SPDX-License-Identifier: Apache-2.0
 *
 * One kernel on a small machine of golden models (mpu_rig.h). A buffer goes in, the kernel
 * runs, and the buffer comes out.
 *
 * Usage: fill a bed_t, call bed_run() with the configuration of bed_machine(), look at
 * bed.data, bed.stats, or bed.error if the status is not 0.
 */
#ifndef MPU_BED_H
#define MPU_BED_H

#include "mpu_rig.h"

enum { BED_MACHINES = 9 }; /* four policies with shared memory near and far, and all on the base die */

typedef struct {
  const char *ptx;
  uint32_t grid[3], block[3];
  uint32_t shared_bytes; /* dynamic */
  void *data;            /* of the buffer: in and out; its address is the kernel's first parameter */
  size_t bytes;
  uint32_t n;           /* the second, of 32 bits, if the kernel has one */
  bool backwards;       /* cores in the other order */
  bool restless;        /* no core sleeps */
  uint64_t cycle_limit; /* 0: 2,000,000 */
  /* results */
  trouble_t error;
  mpu_stats_t stats;
} bed_t;

mpu_config_t bed_machine(unsigned which); /* 0 .. BED_MACHINES - 1; four cores */
const char *bed_machine_name(unsigned which);
/* 0, or the exit status with error set; module.ptx is the kernel's file */
int bed_run(bed_t *bed, const mpu_config_t *config);

#endif
