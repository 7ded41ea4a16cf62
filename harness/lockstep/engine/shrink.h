/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a failing run small, as long as the same failure (run.h) is still there. What is left are
 * inputs that the block may be given: a stimulus' decisions are taken away, not its inputs, so that
 * all that is tried is what this stimulus could do. Bounded in time; what is done so far is kept.
 */
#ifndef SHRINK_H
#define SHRINK_H

#include "run.h"

typedef struct {
  size_t cycles_before, cycles_after; /* of the recording */
  size_t busy_before, busy_after;     /* cycles with any input set */
  uint64_t tried, cycles_run;
  bool finished; /* nothing more to take away; false: the time was over */
} shrink_t;

/* By decisions. The trace must be what the tape makes, and fail as *failure says; afterwards all
 * three describe the smaller run. False: it did not fail so (nothing done). */
bool shrink(lockstep_t *ls, tape_t *tape, trace_t *trace, failure_t *failure, double seconds, shrink_t *stats);

/* By inputs, for streams without a tape. ANY: the block may be given anything (its stimulus is the
 * default one). CYCLES: whole cycles may be left out or idle (outside vectors). END: nothing but
 * what comes after the failure (rules that nobody has written down). */
typedef enum { SHRINK_ANY, SHRINK_CYCLES, SHRINK_END } shrink_may_t;
bool shrink_inputs(lockstep_t *ls, trace_t *trace, failure_t *failure, shrink_may_t may, double seconds,
                   shrink_t *stats);

/* By inputs, in any way that holds the rules of the block's environment (stim.h: legal_t), and what
 * is left must pass on the judge: the same block with RTL that has not this fault. One of the two
 * may be missing (judge NULL). False too: both are, or the trace itself breaks the rules. */
bool shrink_judged(lockstep_t *ls, lockstep_t *judge, trace_t *trace, failure_t *failure, double seconds,
                   shrink_t *stats);

/* The first step of shrink alone: the last cycles without
 * those before. True: that was enough, and all are changed. */
bool shrink_tail(lockstep_t *ls, tape_t *tape, trace_t *trace, failure_t *failure, double seconds);

#endif
