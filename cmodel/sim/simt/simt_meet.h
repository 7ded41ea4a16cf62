/* SPDX-License-Identifier: Apache-2.0
 *
 * Convergence at instructions with a membermask: vote.sync, match.sync, redux.sync, shfl.sync,
 * bar.warp.sync (PTX ISA).
 *
 * A thread executes such an instruction when all threads of its membermask that have not exited
 * have reached one, too. The other threads are on another path of the warp's stack, or wait at a
 * reconvergence point. They run first, as far as needed.
 *
 * Call simt_meet before each such instruction, with the threads whose guard holds.
 */
#ifndef SIMT_MEET_H
#define SIMT_MEET_H

#include "simt_call.h"

typedef enum {
  SIMT_MEET_NOW, /* all are here: execute */
  /* the threads met others that are at other instructions, and have their results: skip the
   * instruction */
  SIMT_MEET_PAST,
  SIMT_MEET_LATER, /* others run first: read the top of the stack again */
  /* undefined in PTX, or a deadlock; `wrong` continues a sentence about "the warp" */
  SIMT_MEET_NEVER
} simt_meeting_t;

/* calls: NULL if the kernel calls no function. w: NULL restricts meetings at several
 * instructions to bar.warp.sync. mask: threads at the instruction whose guard holds. members:
 * membermask of each lane of mask. */
simt_meeting_t simt_meet(const simt_kernel_t *k, const simt_calls_t *calls, simt_stack_t *s, simt_warp_t *w,
                         uint32_t mask, const uint32_t members[32], trouble_t *wrong);

/* Independent thread scheduling (simt_turns.h): the path on top steps aside, and the one that has
 * waited longest runs. Threads that wait at a reconvergence point are a path, too: they go on
 * without the others. False: no other path can run. */
bool simt_give_turn(simt_stack_t *s);
/* Before a barrier of the CTA: once a path has stepped aside, the warp's other threads may still
 * come, and arrive together. False: they run first; read the top of the stack again. */
bool simt_gather(const simt_kernel_t *k, simt_stack_t *s);

#endif
