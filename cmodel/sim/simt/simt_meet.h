/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads meet at an instruction with a membermask: vote.sync, match.sync, redux.sync, shfl.sync,
 * bar.warp.sync (PTX ISA).
 *
 * A thread executes such an instruction when all threads of its membermask that have not exited
 * have come to it, too. Threads that have not come are on another path of the warp's stack, or wait
 * where paths join: they go first, as far as they need. Call simt_meet before each such
 * instruction, with the threads at it whose guard holds.
 */
#ifndef SIMT_MEET_H
#define SIMT_MEET_H

#include "simt_call.h"

typedef enum {
  SIMT_MEET_NOW,   /* all are here: execute */
  SIMT_MEET_PAST,  /* they have met others that are at other instructions, and have their results: go on behind it */
  SIMT_MEET_LATER, /* others go first: look at the stack anew */
  SIMT_MEET_NEVER  /* undefined by PTX, or a deadlock: `wrong` says what is wrong with "the warp" */
} simt_meeting_t;

/* calls: NULL, the kernel calls no function. w: NULL, only at bar.warp.sync can threads at several
 * instructions meet. mask: at the instruction, their guard holds. members: of each lane of mask. */
simt_meeting_t simt_meet(const simt_kernel_t *k, const simt_calls_t *calls, simt_stack_t *s, simt_warp_t *w,
                         uint32_t mask, const uint32_t members[32], trouble_t *wrong);

#endif
