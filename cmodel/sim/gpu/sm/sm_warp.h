/* SPDX-License-Identifier: Apache-2.0
 *
 * A warp of an SM: its threads' registers, divergence, scoreboard.
 */
#ifndef SM_WARP_H
#define SM_WARP_H

#include "simt_block.h"
#include "simt_call.h"
#include "simt_stack.h"

#define SM_NEVER UINT64_MAX

typedef struct sm_warp {
  simt_warp_t simt;
  simt_stack_t stack;
  simt_calls_t *calls;        /* NULL: its kernel calls no function */
  simt_reduction_t reduction; /* at a barrier */
  uint64_t *ready;            /* cycle from which a register slot may be used; SM_NEVER: a load will write it */
  uint64_t cta_index;         /* of its CTA, linear in the grid */
  uint32_t first_thread;      /* linear in the CTA */
  uint8_t cta;
  bool live;            /* has threads that have not exited */
  bool fetched;         /* its next instruction is in its buffer */
  uint32_t outstanding; /* its accesses under way, and lines written or atomics that are not acknowledged */
  uint8_t acquires;     /* order of what it issued last, which has to be over before it goes on; 0: nothing */
  uint32_t stores;      /* of these, lines written and atomics */
  uint32_t copy_groups; /* of asynchronous copies that it has committed */
  bool awaits_copies;   /* of some of them */
  uint64_t copied_at;   /* cycle from which what its copies that are over have copied may be used */
  uint32_t translated;  /* lanes of its next access whose pages it has found (stack_tlb.h) */
  /* offload blocks */
  enum { WARP_OUTSIDE, WARP_CHOSEN, WARP_INSIDE, WARP_AWAY } place; /* chosen: begins one; away: waits for its end */
  bool decided;                                                     /* the block at pc is not to be offloaded */
  bool keeps;                                                       /* goes through such a block, as always */
  uint32_t blocks_met;                                              /* of which the policy was asked */
} sm_warp_t;

#endif
