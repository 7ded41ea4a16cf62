/* SPDX-License-Identifier: Apache-2.0
 *
 * Execution units of an SM besides its load/store unit: those of the SM, for all its schedulers, or
 * (`partitions`) of each scheduler. A unit takes the next instruction an interval later.
 */
#ifndef SM_UNITS_H
#define SM_UNITS_H

#include "matrix.h"
#include "warp_sets.h"

enum { UNIT_FP, UNIT_INT, UNIT_SFU, UNIT_DP, UNIT_MATRIX, UNITS };

typedef struct {
  uint64_t until[GPU_SCHEDULERS_MOST][UNITS]; /* busy; of each scheduler, or the first has all */
} sm_units_t;

/* Cycles that it takes of a tensor unit. */
static inline unsigned sm_matrix_cycles(const gpu_config_t *c, const simt_op_t *op) {
  return (op->matrix->work + c->sm.matrix_rate - 1) / c->sm.matrix_rate;
}

/* An interval of 1 of f32 or integers is as many as schedulers
 * issue; of special functions and f64 it is one a cycle. */
static inline void sm_units_take(sm_units_t *u, const gpu_config_t *c, unsigned warp, const simt_op_t *op,
                                 uint64_t now) {
  uint64_t *until = u->until[c->sm.partitions ? warp % c->sm.schedulers : 0];
  if (op->kind == SIMT_SFU) until[UNIT_SFU] = now + c->sm.sfu_interval;
  else if (op->kind == SIMT_DP) until[UNIT_DP] = now + c->sm.dp_interval;
  else if (op->kind == SIMT_MATRIX) until[UNIT_MATRIX] = now + sm_matrix_cycles(c, op);
  else if (op->single && c->sm.fp_interval > 1) until[UNIT_FP] = now + c->sm.fp_interval;
  else if (!op->single && c->sm.int_interval > 1) until[UNIT_INT] = now + c->sm.int_interval;
}

/* Of a bank's warps, those whose next instruction has
 * to wait for such a unit of this scheduler's. */
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
