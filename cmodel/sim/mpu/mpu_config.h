/* SPDX-License-Identifier: Apache-2.0
 *
 * The configuration of an MPU: sizes of the machine, latencies, policies. mpu_keys.def and
 * mpu_net_keys.def have the fields with their ranges and sources. T2: MPU paper, Table II.
 */
#ifndef MPU_CONFIG_H
#define MPU_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "mpu_compiler.h"
#include "near_mc.h"

enum {
  MPU_WIDTH = 32,   /* threads of a warp (T2) */
  MPU_SUBCORES = 4, /* of a core, each with a near-bank unit (T2) */
  MPU_MAX_CORES = 128,
  MPU_MAX_WARPS = 16,  /* of a subcore: parameter Warps of track_table */
  MPU_MAX_BLOCKS = 64, /* blocks of threads in a core at a time */
  MPU_ROW_BYTES = 128, /* a register of all threads */
  MPU_MAX_SMEM = 65536,
  MPU_MAX_MSHRS = 32, /* of an instruction cache */
  MPU_TOPOLOGY = 128,
};

/* Which core a block of threads goes to: that which has the block's words of an array, or that
 * of the block's number. */
typedef enum { MPU_BLOCKS_BY_ADDRESS, MPU_BLOCKS_BY_NUMBER, MPU_NUM_PLACES } mpu_blocks_to_t;

#define KEYS_AS_FIELDS
#include "key_list.h"

/* The network between cores. */
typedef struct {
#include "mpu_net_keys.def"
} mpu_net_config_t;

typedef struct mpu_config {
#include "mpu_keys.def"
  mpu_net_config_t net;
  /* the system's keys of these names (simt_unwritten.h) */
  uint32_t uninitialised;
  bool check_uninitialised;
  near_mc_config_t mc; /* memory controller of a near-bank unit, activated row-buffers */
} mpu_config_t;

extern const config_key_t mpu_keys[]; /* of mpu_config_t but for `net`; ends with {0} */

mpu_config_t mpu_config_default(void);
mpu_net_config_t mpu_net_config_default(void);
/* Ranges, and combinations that the model cannot build: bad input. mpu_net_check looks at `net`. */
bool mpu_config_check(const mpu_config_t *config, trouble_t *trouble);

static inline unsigned mpu_config_cores(const mpu_config_t *c) {
  return c->cubes_x * c->cubes_y * c->cores_x * c->cores_y;
}

#endif
