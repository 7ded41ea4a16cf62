/* SPDX-License-Identifier: Apache-2.0
 *
 * The decision which instances of offload blocks go to an NSU (NSU paper, section 7):
 *
 *   static          a fixed share, from the configuration (7.1)
 *   dynamic         a share that ofld_ratio finds, epoch by epoch (7.2, Algorithm 1; rtl/offload)
 *   dynamic_cache   the same, but only for blocks that offload_score.h allows (7.3)
 *
 * The instances are the engines of gpu_parts_t: model, RTL or both. They step in each core cycle in
 * which a kernel runs. The decision reads their outputs once a cycle, before the SMs.
 *
 * Each SM has a register for the instructions of its finished blocks. The SMs report round robin,
 * one a cycle.
 */
#ifndef OFFLOAD_DECISION_H
#define OFFLOAD_DECISION_H

#include "gpu_shared.h"
#include "offload_score.h"

typedef struct {
  const gpu_shared_t *sh;
  offload_instance_t ratio;   /* not open: a static share */
  uint64_t threshold;         /* share, of 2^32; valid if `ratio` is open */
  uint64_t done[GPU_MAX_SMS]; /* instructions of finished blocks in each SM, not yet reported */
  unsigned next_sm;           /* SM that reports next */
  offload_score_t score;      /* not open: every block may go */
  gpu_epoch_t *epochs;        /* [num_epochs], finished ones */
  unsigned num_epochs, room_epochs;
  gpu_epoch_t epoch;   /* the current epoch, as far as it is counted here */
  gpu_block_t *blocks; /* [num_blocks], of the loaded module */
  unsigned num_blocks;
} offload_decision_t;

/* -1: out of host memory, or an engine failed. */
int offload_decision_init(offload_decision_t *d, const gpu_shared_t *sh);
void offload_decision_deinit(offload_decision_t *d); /* also after a failed init */

/* Replaces the blocks by those of another module. The caller fills in `line` of each. -1: out of
 * host memory. */
int offload_decision_load(offload_decision_t *d, unsigned blocks);

/* True: the instance goes to an NSU. block: its number in the module. draw: random bits. */
bool offload_decision_take(offload_decision_t *d, unsigned block, uint64_t draw);

/* An instance that was to go stays after all. The epoch's counts keep the drawn decision. */
void offload_decision_stays(offload_decision_t *d, unsigned block);

/* A block of so many instructions has finished in the SM, wherever it ran. */
void offload_decision_ended(offload_decision_t *d, unsigned sm, unsigned instructions);

/* An NSU has acknowledged an instance. */
void offload_decision_measured(offload_decision_t *d, const offload_measure_t *measure);

void offload_decision_tick(offload_decision_t *d); /* each core cycle, before the SMs */

#endif
