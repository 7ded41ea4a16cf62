/* SPDX-License-Identifier: Apache-2.0
 *
 * Divergence: the reconvergence stack of a warp.
 *
 * The top entry runs. A branch that splits its threads turns it into the entry that waits at the
 * branch's immediate post-dominator and pushes the threads that fall through and, on top, those
 * that take it. An entry that reaches its reconvergence point is popped: its threads go on with the
 * entry below, which has them in its mask.
 */
#ifndef SIMT_STACK_H
#define SIMT_STACK_H

#include <stdbool.h>
#include <stdint.h>

/* a split leaves each side fewer threads: 2 x 32 + 1 suffice; and room for simt_meet */
enum { SIMT_STACK_DEPTH = 104 };

typedef struct {
  uint32_t pc, reconv, mask;
  bool waits; /* not on top: at an instruction whose membermask names others (simt_meet.h) */
} simt_frame_t;

typedef struct {
  unsigned top;
  simt_frame_t frame[SIMT_STACK_DEPTH];
  uint32_t members[32]; /* membermasks of threads in frames that wait */
  uint32_t met;         /* threads of these that have met all others */
} simt_stack_t;

#define SIMT_NO_RECONV UINT32_MAX

void simt_stack_init(simt_stack_t *s, uint32_t mask);
static inline uint32_t simt_stack_pc(const simt_stack_t *s) {
  return s->frame[s->top].pc;
}
static inline uint32_t simt_stack_mask(const simt_stack_t *s) {
  return s->frame[s->top].mask;
} /* 0: all have exited */

/* After an instruction: the next pc. */
void simt_stack_advance(simt_stack_t *s, uint32_t pc);
bool simt_stack_branch(simt_stack_t *s, uint32_t taken, uint32_t target, uint32_t reconv); /* whether it diverged */
/* the others stay at this instruction */
bool simt_stack_choose(simt_stack_t *s, uint32_t chosen, uint32_t target, uint32_t reconv);
/* the others go on with the next instruction */
void simt_stack_exit(simt_stack_t *s, uint32_t lanes);

#endif
