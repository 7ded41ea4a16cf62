/* SPDX-License-Identifier: Apache-2.0
 *
 * The front end that SIMT cores have in common, wherever they stand: a launch, a block of threads
 * with its barriers, how its warps begin.
 *
 *   simt_run_begin(&run, kernel, &launch)  then run.konsts and the like are the owner's
 *                                          (simt_run_operands)
 *   simt_block_begin(&block, &run, index), simt_block_warp(...) for each of its warps
 *   at a barrier instruction: simt_block_arrive; after it, and after each warp that exits
 *   (live_warps--): while simt_block_opens, wake who waits
 */
#ifndef SIMT_BLOCK_H
#define SIMT_BLOCK_H

#include <stddef.h>

#include "simt.h"
#include "simt_module.h"

/* What a launch is. */
typedef struct {
  const simt_kernel_t *kernel;
  uint8_t *konsts; /* constant operands */
  uint8_t *params; /* the parameter block */
  const uint8_t *const_segment;
  uint64_t const_bytes;
  uint32_t grid[3], block[3];
  uint32_t threads, warps; /* of a block */
  /* all of a block's shared memory; without what is reserved; as the launch says */
  uint32_t shared_bytes, own_shared, dynamic_shared;
  uint64_t num_blocks;
  uint64_t id;        /* launches so far */
  uint64_t workspace; /* simt_launch_t's */
} simt_run_t;

/* Of a launch: warps of a block, bytes of shared memory. */
static inline uint32_t simt_launch_warps(const simt_launch_t *l) {
  return (l->block[0] * l->block[1] * l->block[2] + 31) / 32;
}
static inline uint64_t simt_own_shared(const simt_launch_t *l, const simt_kernel_t *k) {
  return (k->func->shared_bytes + 15) / 16 * 16 + l->shared_bytes;
}
static inline uint64_t simt_launch_shared(const simt_launch_t *l, const simt_kernel_t *k) {
  const uint64_t own = simt_own_shared(l, k);
  return k->reserves_shared ? simt_reserved_at(own) + SIMT_RESERVED_SHARED : own;
}

/* Something of which a block needs some and a core has some;
 * format: what is wrong with a block that needs more. */
typedef struct {
  uint64_t need, have;
  char wrong[200];
} simt_limit_t;
simt_limit_t simt_limit(uint64_t need, uint64_t have, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Blocks that fit on a core at once, `most` at most; 0 and err: not one. */
unsigned simt_occupancy(const simt_kernel_t *k, const simt_limit_t *limit, unsigned limits, unsigned most,
                        trouble_t *err);

/* Sizes and kernel of a launch that simt_check_launch
 * has accepted; what it allocated before stays. */
void simt_run_begin(simt_run_t *run, const simt_kernel_t *kernel, const simt_launch_t *launch);
/* -1: out of host memory */
int simt_run_operands(simt_run_t *run, const simt_launch_t *launch, const simt_variables_t *variables);
void simt_run_free(simt_run_t *run);

enum { SIMT_BARRIERS = 16 };

/* Of the threads that came to a barrier with a
 * predicate, how many there are and how many have it. */
typedef struct {
  uint32_t threads, yes;
} simt_votes_t;

/* A warp that waits for what comes of them: its instruction, NULL: none, and its threads. */
typedef struct {
  const simt_op_t *op;
  uint32_t mask;
} simt_reduction_t;

typedef struct {
  bool live;
  uint64_t index; /* linear in the grid */
  uint32_t ctaid[3];
  uint32_t live_warps; /* that have not exited */
  struct {
    uint64_t waiting;           /* bits: warps, as the core numbers them */
    uint32_t arrived, expected; /* warps; expected 0: all that are live */
    simt_votes_t votes;
  } barrier[SIMT_BARRIERS];
} simt_block_t;

void simt_block_begin(simt_block_t *b, const simt_run_t *run, uint64_t index);

/* Warp `number` of a block begins with registers zeroed and special registers filled in:
 * where->smid, nsmid, warpid, nwarpid are the core's, the rest is filled in. Returns its
 * threads. */
uint32_t simt_block_warp(const simt_block_t *b, const simt_run_t *run, unsigned number, simt_place_t *where,
                         simt_warp_t *registers);

/* A barrier instruction of warp `bit`; mask: its threads whose
 * guard holds, not 0. False: what is wrong with it, said of "the warp". */
bool simt_block_arrive(simt_block_t *b, const simt_op_t *op, const simt_warp_t *registers, uint32_t mask, uint64_t bit,
                       trouble_t *wrong);
/* a barrier that all have reached: it is open now, these waited */
bool simt_block_opens(simt_block_t *b, uint64_t *waiting, simt_votes_t *votes);
/* writes the result of a warp that waited for one */
void simt_block_reduce(simt_reduction_t *r, simt_warp_t *registers, simt_votes_t votes);
/* all of its warps wait: none can arrive any more */
bool simt_block_is_stuck(const simt_block_t *b);
int simt_block_fail_stuck(const simt_block_t *b, const simt_run_t *run, trouble_t *fault);

/* brx: of the threads `mask`, not 0, those who go where the first
 * of them goes, and where. False: what is wrong. */
bool simt_indexed_target(const simt_kernel_t *k, const simt_op_t *op, const simt_warp_t *registers, uint32_t mask,
                         uint32_t *chosen, uint32_t *target, trouble_t *wrong);

/* "thread (ctaid 0,0,0 tid 5,0,0)"; thread: linear in the block. */
void simt_block_thread(const simt_block_t *b, const simt_run_t *run, uint32_t thread, char *text, size_t size);

/* Of the threads `mask`, those whose guard holds. */
static inline uint32_t simt_guard(const simt_warp_t *registers, const simt_op_t *op, uint32_t mask) {
  if (!(op->flags & SIMT_GUARDED)) return mask;
  uint32_t p = *(const uint32_t *)simt_src(registers, op->guard);
  return mask & (op->flags & SIMT_GUARD_NOT ? ~p : p);
}

#endif
