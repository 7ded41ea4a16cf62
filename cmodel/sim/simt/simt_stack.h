/* SPDX-License-Identifier: Apache-2.0
 *
 * Divergence: the reconvergence stack of a warp.
 *
 * The top frame runs. When a branch splits its threads, the top frame becomes the one that waits at
 * the branch's immediate post-dominator. The threads that fall through go on top of it, and then
 * the threads that take the branch. If the frame below already waits there, no frame is added for
 * it.
 *
 *   before       after a branch to T with reconvergence point R
 *                [pc T,     reconv R, taken    ]  <- top, runs
 *                [pc next,  reconv R, not taken]
 *   [pc, mask]   [pc R,               mask     ]
 *
 * A frame that reaches its reconvergence point is popped. Its threads continue with the frame
 * below, whose mask contains them.
 */
#ifndef SIMT_STACK_H
#define SIMT_STACK_H

#include <stdbool.h>
#include <stdint.h>

/* Each split leaves each side fewer threads, so 2 x 32 + 1 frames suffice. The rest is room for
 * simt_meet. */
enum { SIMT_STACK_DEPTH = 104 };

typedef struct {
  uint32_t pc, reconv, mask;
  bool waits; /* not on top: waits at an instruction for others of its membermask (simt_meet.h) */
} simt_frame_t;

typedef struct {
  unsigned top; /* index of the running frame */
  simt_frame_t frame[SIMT_STACK_DEPTH];
  uint32_t members[32]; /* membermasks of the threads in waiting frames */
  uint32_t met;         /* of these threads, those that have met all others */
  bool loose;           /* a path has given its turn away (simt_give_turn) */
} simt_stack_t;

/* Reconvergence point of a branch without one: its paths join only when they exit. */
#define SIMT_NO_RECONV UINT32_MAX

void simt_stack_init(simt_stack_t *s, uint32_t mask);
static inline uint32_t simt_stack_pc(const simt_stack_t *s) {
  return s->frame[s->top].pc;
}
/* Threads of the top frame; 0: all have exited. */
static inline uint32_t simt_stack_mask(const simt_stack_t *s) {
  return s->frame[s->top].mask;
}

/* After an instruction: the top frame continues at pc. */
void simt_stack_advance(simt_stack_t *s, uint32_t pc);
/* The threads `taken` go to target, the others to the next instruction. Returns whether the warp
 * diverged. */
bool simt_stack_branch(simt_stack_t *s, uint32_t taken, uint32_t target, uint32_t reconv);
/* The threads `chosen` go to target; the others stay at this instruction. */
bool simt_stack_choose(simt_stack_t *s, uint32_t chosen, uint32_t target, uint32_t reconv);
/* The threads `lanes` exit; the others go to the next instruction. */
void simt_stack_exit(simt_stack_t *s, uint32_t lanes);

#endif
