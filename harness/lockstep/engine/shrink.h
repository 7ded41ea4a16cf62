/* SPDX-License-Identifier: Apache-2.0
 *
 * Shrinks a failing run while the same failure (run.h) remains. The shrinker removes decisions of
 * the stimulus, not inputs, so every attempt is a run that the stimulus could make. The block only
 * gets legal inputs. The time is limited; results so far are kept.
 *
 *   decisions (tape) --fewer, simpler--> inputs --run--> same failure? --yes--> keep the attempt
 *          ^                                                   |no
 *          +------------------ next attempt -------------------+
 */
#ifndef SHRINK_H
#define SHRINK_H

#include "run.h"

typedef struct {
  size_t cycles_before, cycles_after; /* length of the recording */
  size_t busy_before, busy_after;     /* cycles with any input set */
  uint64_t tried, cycles_run;         /* attempts, and cycles run in them */
  uint64_t passed, other, illegal;    /* attempts without a failure, with another one, with inputs
                                         that break the block's rules */
  bool finished;                      /* nothing more to remove; false: the time was over */
} shrink_t;

/* Shrinks by decisions. `trace` must be what `tape` makes, and fail as *failure says. Afterwards
 * all three describe the smaller run. False: the trace does not fail so; nothing is changed. */
bool shrink(lockstep_t *ls, tape_t *tape, trace_t *trace, failure_t *failure, double seconds, shrink_t *stats);

/* Shrinks by inputs, for streams without a tape. ANY: the block accepts any inputs (default
 * stimulus). CYCLES: whole cycles may be removed or made idle (outside vectors). END: only cycles
 * behind the failure may go (the block's rules are not written down). */
typedef enum { SHRINK_ANY, SHRINK_CYCLES, SHRINK_END } shrink_may_t;
bool shrink_inputs(lockstep_t *ls, trace_t *trace, failure_t *failure, shrink_may_t may, double seconds,
                   shrink_t *stats);

/* Shrinks by inputs in any way that keeps the rules of the block's environment (stim.h: legal_t).
 * The result must also pass on `judge`, the same block with RTL that lacks the fault. The block may
 * lack rules, or `judge` may be NULL. False: both are missing, or the trace itself breaks the
 * rules. */
bool shrink_judged(lockstep_t *ls, lockstep_t *judge, trace_t *trace, failure_t *failure, double seconds,
                   shrink_t *stats);

/* Only the first step of shrink(): drops the cycles before the last ones. True: the failure
 * remained, and tape, trace and failure are changed. */
bool shrink_tail(lockstep_t *ls, tape_t *tape, trace_t *trace, failure_t *failure, double seconds);

#endif
