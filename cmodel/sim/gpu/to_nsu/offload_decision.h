/* SPDX-License-Identifier: Apache-2.0
 *
 * Which instances of offload blocks go to an NSU (NSU paper, section 7), for the policies that have
 * NSUs:
 *   static         a share of them that the configuration says (7.1)
 *   dynamic        a share that an instance of ofld_ratio finds, epoch by epoch (7.2, Algorithm 1;
 *                  rtl/offload)
 *   dynamic_cache  the same, of blocks only that offload_score.h allows (7.3)
 *
 * The instances are engines that the GPU was given (gpu_parts_t): model, RTL or both. They make a
 * step each core cycle in which a kernel runs. How many instructions of blocks have ended stays in
 * a register of each SM until its turn comes: one SM a cycle, round-robin. Outputs are looked at
 * once a cycle, before the SMs.
 */
#ifndef OFFLOAD_DECISION_H
#define OFFLOAD_DECISION_H

#include "gpu_shared.h"
#include "offload_score.h"

typedef struct {
  const gpu_shared_t *sh;
  offload_instance_t ratio;   /* not there: a static share */
  uint64_t threshold;         /* of 2^32; ratio is there */
  uint64_t done[GPU_MAX_SMS]; /* instructions of blocks that have ended in each SM, not told yet */
  unsigned next_sm;
  offload_score_t score; /* without an instance: all blocks may go */
  gpu_epoch_t *epochs;   /* that have ended */
  unsigned num_epochs, room_epochs;
  gpu_epoch_t epoch;   /* under way: what is counted of it here */
  gpu_block_t *blocks; /* of the loaded module */
  unsigned num_blocks;
} offload_decision_t;

/* -1: out of host memory, or an engine could not be opened */
int offload_decision_init(offload_decision_t *d, const gpu_shared_t *sh);
void offload_decision_deinit(offload_decision_t *d); /* also of one that could not be made */

/* A module with so many offload blocks is loaded instead of the one
 * before. -1: out of host memory. The caller fills in `line` of each. */
int offload_decision_load(offload_decision_t *d, unsigned blocks);

/* Whether an instance of the block goes, by its number
 * in the module; draw: random bits of this instance. */
bool offload_decision_take(offload_decision_t *d, unsigned block, uint64_t draw);

/* An instance that was to go stays after all; the epoch's counts are of what was drawn. */
void offload_decision_stays(offload_decision_t *d, unsigned block);

/* A block of so many instructions has ended in that SM, wherever it ran. */
void offload_decision_ended(offload_decision_t *d, unsigned sm, unsigned instructions);

/* An NSU has acknowledged an instance of a block. */
void offload_decision_measured(offload_decision_t *d, const offload_measure_t *measure);

void offload_decision_tick(offload_decision_t *d); /* each core cycle, before the SMs */

#endif
