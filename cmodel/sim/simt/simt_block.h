/* SPDX-License-Identifier: Apache-2.0
 *
 * What all SIMT cores share at their front end: a launch, a CTA with its barriers, the start of a
 * warp.
 *
 *   simt_run_begin(&run, kernel, &launch)      then the owner sets konsts, params and the like
 *                                              (simt_run_operands)
 *   simt_block_begin(&block, &run, index)      for each CTA
 *   simt_block_warp(...)                       for each warp of the CTA
 *   simt_block_arrive(...)                     at a barrier instruction
 *   while (simt_block_opens(...)) wake `waiting`   after an arrival, and after live_warps--
 */
#ifndef SIMT_BLOCK_H
#define SIMT_BLOCK_H

#include <stddef.h>

#include "simt.h"
#include "simt_module.h"

/* A launch. */
typedef struct {
  const simt_kernel_t *kernel;
  uint8_t *konsts;              /* constant operands; simt_run_operands allocates konsts and params */
  uint8_t *params;              /* the parameter block */
  const uint8_t *const_segment; /* the module's */
  uint64_t const_bytes;
  uint32_t grid[3], block[3]; /* CTAs of the grid, threads of a CTA */
  uint32_t threads, warps;    /* of a CTA */
  /* bytes of a CTA's shared memory: all; without the reserved part; the dynamic part */
  uint32_t shared_bytes, own_shared, dynamic_shared;
  uint64_t num_blocks;
  uint64_t id;        /* number of launches so far */
  uint32_t watch;     /* number of the watchdog's look (simt_turns.h); 0: it does not look */
  uint64_t workspace; /* as simt_launch_t */
} simt_run_t;

/* Warps of a CTA; bytes of its shared memory without and with the reserved part. */
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

/* A resource that a CTA needs and a core has. `wrong` is the message for a CTA that needs more
 * than a core has; simt_limit formats it. */
typedef struct {
  uint64_t need, have;
  char wrong[200];
} simt_limit_t;
simt_limit_t simt_limit(uint64_t need, uint64_t have, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Number of CTAs that fit on a core at once, at most `most`. 0: not one fits, err says why. */
unsigned simt_occupancy(const simt_kernel_t *k, const simt_limit_t *limit, unsigned limits, unsigned most,
                        trouble_t *err);

/* Sets sizes and kernel of a launch that simt_check_launch has accepted. Buffers of an earlier
 * launch stay allocated. */
void simt_run_begin(simt_run_t *run, const simt_kernel_t *kernel, const simt_launch_t *launch);
/* Allocates and fills konsts and params. -1: out of host memory. */
int simt_run_operands(simt_run_t *run, const simt_launch_t *launch, const simt_variables_t *variables);
void simt_run_free(simt_run_t *run);

enum { SIMT_BARRIERS = 16 };

/* Threads that came to a barrier with a predicate, and those with a true one. */
typedef struct {
  uint32_t threads, yes;
} simt_votes_t;

/* A warp that waits for the result of bar.red: the instruction (NULL: none) and its threads. */
typedef struct {
  const simt_op_t *op;
  uint32_t mask;
} simt_reduction_t;

/* A CTA on a core. */
typedef struct {
  bool live;
  uint64_t index; /* linear in the grid */
  uint32_t ctaid[3];
  uint32_t live_warps; /* warps with threads that have not exited */
  struct {
    uint64_t waiting;           /* warps at the barrier, one bit each, as the core numbers them */
    uint32_t arrived, expected; /* in warps; expected 0: all live ones */
    simt_votes_t votes;
  } barrier[SIMT_BARRIERS];
} simt_block_t;

/* Starts CTA `index`, linear in the grid. */
void simt_block_begin(simt_block_t *b, const simt_run_t *run, uint64_t index);

/* Starts warp `number` of a CTA: zeroes its registers and fills the special registers. The
 * caller has set smid, nsmid, warpid and nwarpid in `where`; the function fills the rest.
 * Returns the warp's threads. */
uint32_t simt_block_warp(const simt_block_t *b, const simt_run_t *run, unsigned number, simt_place_t *where,
                         simt_warp_t *registers);

/* A barrier instruction of the warp with bit `bit`. mask has the threads whose guard holds; it
 * is not 0. False: `wrong` continues a sentence about "the warp". */
bool simt_block_arrive(simt_block_t *b, const simt_op_t *op, const simt_warp_t *registers, uint32_t mask, uint64_t bit,
                       trouble_t *wrong);
/* Opens a barrier that all expected warps have reached. Returns false if there is none. *waiting
 * are the warps to wake. */
bool simt_block_opens(simt_block_t *b, uint64_t *waiting, simt_votes_t *votes);
/* Writes the result of bar.red into a warp's registers. */
void simt_block_reduce(simt_reduction_t *r, simt_warp_t *registers, simt_votes_t votes);
/* True if every live warp waits at a barrier: none can arrive any more. */
bool simt_block_is_stuck(const simt_block_t *b);
/* Reports a stuck CTA; returns -1. */
int simt_block_fail_stuck(const simt_block_t *b, const simt_run_t *run, trouble_t *fault);

/* brx: *target is where the first thread of `mask` (not 0) goes, *chosen the threads that go
 * there, too. False: what is wrong. */
bool simt_indexed_target(const simt_kernel_t *k, const simt_op_t *op, const simt_warp_t *registers, uint32_t mask,
                         uint32_t *chosen, uint32_t *target, trouble_t *wrong);

/* Writes "thread (ctaid 0,0,0 tid 5,0,0)" into text. `thread` is linear in the CTA. */
void simt_block_thread(const simt_block_t *b, const simt_run_t *run, uint32_t thread, char *text, size_t size);

/* The threads of `mask` whose guard holds. */
static inline uint32_t simt_guard(const simt_warp_t *registers, const simt_op_t *op, uint32_t mask) {
  if (!(op->flags & SIMT_GUARDED)) return mask;
  uint32_t p = *(const uint32_t *)simt_src(registers, op->guard);
  return mask & (op->flags & SIMT_GUARD_NOT ? ~p : p);
}

#endif
