/* SPDX-License-Identifier: Apache-2.0
 *
 * A warp of an SM: registers, divergence, scoreboard, and its state towards offload blocks.
 */
#ifndef SM_WARP_H
#define SM_WARP_H

#include "simt_block.h"
#include "simt_call.h"
#include "simt_turns.h"

/* Ready time of a register that a load will write. */
#define SM_NEVER UINT64_MAX

typedef struct sm_warp {
  simt_warp_t simt;
  simt_stack_t stack;
  simt_turns_t turns;
  simt_calls_t *calls;        /* NULL: its kernel calls no function */
  simt_reduction_t reduction; /* the bar.red that it waits for */
  /* cycle from which each scoreboard slot is usable; SM_NEVER: a load will write it */
  uint64_t *ready;
  uint64_t cta_index;    /* linear in the grid */
  uint32_t first_thread; /* linear in the CTA */
  uint8_t cta;           /* slot of its CTA */
  bool live;             /* some threads have not exited */
  bool fetched;          /* the next instruction is in its buffer */
  /* accesses under way, and lines or atomics that are not acknowledged */
  uint32_t outstanding;
  /* order flags of the last acquire, which must complete before the warp continues; 0: none */
  uint8_t acquires;
  uint32_t stores;      /* of `outstanding`: lines written and atomics */
  uint32_t copy_groups; /* groups of asynchronous copies committed */
  bool awaits_copies;   /* waits for such groups */
  uint64_t copied_at;   /* cycle from which the results of finished copies are usable */
  uint32_t translated;  /* lanes of the next access whose translations are known (stack_tlb.h) */
  /* CHOSEN: will begin a block; AWAY: waits for the end of one */
  enum { WARP_OUTSIDE, WARP_CHOSEN, WARP_INSIDE, WARP_AWAY } place;
  bool decided;        /* the block at pc stays on the SM */
  bool keeps;          /* executes such a block itself, and reports its end to the policy */
  uint32_t blocks_met; /* blocks that the policy has decided on */
} sm_warp_t;

#endif
