/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a failing recording small: fewer cycles, fewer valid bits, less data, as long as the same failure (outcome and
 * port or text) is still there. Open loop, on the recorded inputs. Bounded in time; what is done so far is kept.
 */
#ifndef SHRINK_H
#define SHRINK_H

#include "run.h"

typedef struct {
  size_t cycles_before, cycles_after; /* of the recording */
  size_t busy_before, busy_after;     /* cycles with any input set */
  uint64_t tried, cycles_run;
  bool finished;                      /* nothing more to take away; false: the time was over */
} shrink_t;

/* trace must fail as *failure says; afterwards both describe the smaller one. False: it did not fail so (nothing done). */
bool shrink(lockstep_t *ls, trace_t *trace, failure_t *failure, double seconds, shrink_t *stats);

/* The first step of shrink alone: the last cycles without those before. True: that was enough, and both are changed. */
bool shrink_tail(lockstep_t *ls, trace_t *trace, failure_t *failure, double seconds);

#endif
