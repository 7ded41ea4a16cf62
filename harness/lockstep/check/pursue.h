/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles a failure of a check (check.c): shrinks the recording, writes replay file and waveform,
 * and reports.
 */
#ifndef PURSUE_H
#define PURSUE_H

#include "check.h"
#include "shrink.h"

/* State of a running check. */
typedef struct {
  const check_t *check;
  check_result_t *result;
  lockstep_t ls;
  uint64_t before; /* cycles of the runs that are finished */
  uint64_t driven; /* cycles that stimuli have produced */
  unsigned window; /* window of the coming cycle */
} check_work_t;

/* Input of the shrinker: recorded inputs, and the decisions that made them. */
typedef struct {
  trace_t trace;
  tape_t tape;
  bool taped;       /* `tape` has the decisions */
  shrink_may_t may; /* without a tape: what the shrinker may do to the inputs */
} pursue_run_t;

void pursue_run_free(pursue_run_t *run);

/* What the devices of a profile's run begin with (run.h: run_power_up). The tree's own blocks begin
 * with 0: programs of nsu read registers that nobody has written. */
uint64_t pursue_power_up(const check_t *check, const dut_t *dut, uint64_t seed, unsigned profile);

/* Reports, records and pursues the failure of a profile; work->ls stands at the failure. */
void pursue_profile(check_work_t *work, unsigned profile);

/* Shrinks a recording of result->failure, which was reported, writes the files and reports the
 * rest. profile -1: no single profile. */
void pursue(check_work_t *work, int profile, pursue_run_t *run);

/* If the stimulus crashed, says that there is no recording and returns true. */
bool pursue_none(const check_t *check, const check_result_t *result);

/* Looks inside of the RTL, and draws the recording's end at `path` (NULL: no waveform).
 * pursue_files names the files in the report. */
void pursue_look(const check_t *check, check_result_t *result, const trace_t *trace, const char *path);
void pursue_files(const check_t *check, const check_result_t *result);

/* Loads the block's object of this kind. `warnings` (may be NULL) gets those of its build. Errors
 * as of block_object. */
bool pursue_load(const check_t *check, const char *kind, const dut_t **dut, warnings_t *warnings, trouble_t *trouble);
const char *pursue_words(const block_t *block); /* the block's name or folder, for commands  */

#endif
