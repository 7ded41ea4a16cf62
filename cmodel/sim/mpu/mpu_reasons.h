/* SPDX-License-Identifier: Apache-2.0
 *
 * The lists of mpu_reasons.def as numbers and names: MPU_USE_x, MPU_FATE_x, MPU_HOLD_x. They
 * index the counters of mpu_counters.def that are "by" something.
 */
#ifndef MPU_REASONS_H
#define MPU_REASONS_H

/* Reasons of moves are the last of the uses. */
typedef enum {
#define TSV_USE(name, text) MPU_USE_##name,
#define MOVE_REASON(name, text) MPU_USE_##name,
#include "mpu_reasons.def"
  MPU_USES
} mpu_use_t;

typedef enum {
#define FATE(name, text) MPU_FATE_##name,
#include "mpu_reasons.def"
  MPU_FATES
} mpu_fate_t;

typedef enum {
#define HOLD(name, text) MPU_HOLD_##name,
#include "mpu_reasons.def"
  MPU_HOLDS
} mpu_hold_t;

enum { MPU_FIRST_MOVE = MPU_USE_store_row, MPU_MOVES = MPU_USES - MPU_FIRST_MOVE };

/* Names as in mpu_reasons.def; the argument is in range. mpu_move_name counts reasons of moves
 * from 0. */
static inline const char *mpu_use_name(unsigned use) {
  static const char *const names[] = {
#define TSV_USE(name, text) #name,
#define MOVE_REASON(name, text) #name,
#include "mpu_reasons.def"
  };
  return names[use];
}

static inline const char *mpu_move_name(unsigned reason) {
  return mpu_use_name(MPU_FIRST_MOVE + reason);
}

static inline const char *mpu_fate_name(unsigned fate) {
  static const char *const names[] = {
#define FATE(name, text) #name,
#include "mpu_reasons.def"
  };
  return names[fate];
}

static inline const char *mpu_hold_name(unsigned hold) {
  static const char *const names[] = {
#define HOLD(name, text) #name,
#include "mpu_reasons.def"
  };
  return names[hold];
}

#endif
