/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine of golden models without SystemC, its network a fixed delay: runs workloads and
 * kernels.
 */
#ifndef MPU_RIG_H
#define MPU_RIG_H

#include "mpu.h"
#include "runtime.h"
#include "workload.h"

typedef struct {
  mpu_t *mpu;
  trouble_t error;
  uint64_t cycle_limit;
  struct rig_net *net;
  const block_engine_t **engines;
  bool backwards; /* cores in the other order: the result is the same */
} mpu_rig_t;

/* The tests' machine, whatever the defaults are: 16 warps a subcore, 4 KB a
 * core, blocks by address, latencies that differ, one bus for both ways. */
mpu_config_t mpu_rig_config(void);

int mpu_rig_open(mpu_rig_t *rig, const mpu_config_t *config);
/* of all near-bank units */
int mpu_rig_open_with(mpu_rig_t *rig, const mpu_config_t *config, const block_engine_t *engine);
void mpu_rig_close(mpu_rig_t *rig);
int mpu_rig_run(mpu_rig_t *rig); /* what was launched; 0, or the exit status with error set */
/* of a run without a fault; NULL, or which sums by reason are not those of what they are of */
const char *mpu_rig_sums(const mpu_stats_t *stats);
runtime_t mpu_rig_runtime(mpu_rig_t *rig); /* of modules with 64-bit pointers */

/* A workload with its own kernel. 0 and *right: the result was checked; else the exit status. */
int mpu_rig_workload(mpu_rig_t *rig, const workload_t *w, const int64_t *values, bool *right, trouble_t *trouble);

extern const block_engine_t mpu_rig_model, mpu_rig_restless; /* restless: the model, but its core never sleeps */

#endif
