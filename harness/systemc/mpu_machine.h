/* SPDX-License-Identifier: Apache-2.0
 *
 * What the MPU tells of a run.
 */
#ifndef MPU_MACHINE_H
#define MPU_MACHINE_H

#include "mpu.h"

typedef struct {
  mpu_stats_t machine;
  uint64_t link_flits[2];                /* that crossed a link between routers: on the chip, between processors */
} mpu_machine_stats_t;

#endif
