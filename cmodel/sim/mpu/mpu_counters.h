/* SPDX-License-Identifier: Apache-2.0
 *
 * What an MPU has counted: one field for each line of mpu_counters.def, which has their units.
 *
 * Each core counts for itself (core_base.h); mpu_stats adds up. All fields are uint64_t, so that a
 * sum may treat the structure as an array.
 */
#ifndef MPU_COUNTERS_H
#define MPU_COUNTERS_H

#include <stdint.h>

#include "mpu_reasons.h"

typedef struct {
#define COUNTER(name, ...) uint64_t name;
#define WORK(name, ...) uint64_t name;
#define WORK_BY(name, number, ...) uint64_t name[number];
#include "mpu_counters.def"
} mpu_stats_t;

#endif
