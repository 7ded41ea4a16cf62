/* SPDX-License-Identifier: Apache-2.0
 *
 * Execution units of an SM other than the load/store unit. The units are shared by all schedulers,
 * or each scheduler has its own (`partitions`). A unit takes the next instruction an interval
 * later.
 */
#ifndef SM_UNITS_H
#define SM_UNITS_H

#include "matrix.h"
#include "warp_sets.h"

enum { UNIT_FP, UNIT_INT, UNIT_SFU, UNIT_DP, UNIT_MATRIX, UNITS };

typedef struct {
  /* cycle until which a unit is busy; by scheduler, or all in the first */
  uint64_t until[GPU_SCHEDULERS_MOST][UNITS];
} sm_units_t;

/* Cycles that a product occupies a tensor unit. */
static inline unsigned sm_matrix_cycles(const gpu_config_t *c, const simt_op_t *op) {
  return (op->matrix->work + c->sm.matrix_rate - 1) / c->sm.matrix_rate;
}

/* Occupies the unit of an issued instruction. An interval of 1 for f32 or integers means that
 * every scheduler can issue each cycle. For special functions and f64 it means one a cycle. */
static inline void sm_units_take(sm_units_t *u, const gpu_config_t *c, unsigned warp, const simt_op_t *op,
                                 uint64_t now) {
  uint64_t *until = u->until[c->sm.partitions ? warp % c->sm.schedulers : 0];
  if (op->kind == SIMT_SFU) until[UNIT_SFU] = now + c->sm.sfu_interval;
  else if (op->kind == SIMT_DP) until[UNIT_DP] = now + c->sm.dp_interval;
  else if (op->kind == SIMT_MATRIX) until[UNIT_MATRIX] = now + sm_matrix_cycles(c, op);
  else if (op->single && c->sm.fp_interval > 1) until[UNIT_FP] = now + c->sm.fp_interval;
  else if (!op->single && c->sm.int_interval > 1) until[UNIT_INT] = now + c->sm.int_interval;
}

/* Warps of a bank whose next instruction has to wait for a busy unit. */
static inline uint64_t sm_units_wait(const sm_units_t *u, const gpu_config_t *c, unsigned scheduler,
                                     const warp_bank_t *bank, uint64_t now) {
  const uint64_t *until = u->until[c->sm.partitions ? scheduler : 0];
  uint64_t wait = 0;
  if (until[UNIT_FP] > now) wait |= bank->next_fp;
  if (until[UNIT_INT] > now) wait |= bank->next_int;
  if (until[UNIT_SFU] > now) wait |= bank->next_sfu;
  if (until[UNIT_DP] > now) wait |= bank->next_dp;
  if (until[UNIT_MATRIX] > now) wait |= bank->next_matrix;
  return wait;
}

#endif
