/* SPDX-License-Identifier: Apache-2.0
 *
 * What comes after a failure of a check (check.c): the recording is made small, becomes a replay
 * file and a waveform, and is reported.
 */
#ifndef PURSUE_H
#define PURSUE_H

#include "check.h"
#include "shrink.h"

/* A check under way. */
typedef struct {
  const check_t *check;
  check_result_t *result;
  lockstep_t ls;
  uint64_t before; /* cycles of the runs done */
  uint64_t driven; /* cycles that stimuli have made */
  unsigned window; /* that the coming one is in */
} check_work_t;

/* What is shrunk: inputs, and the decisions they come from. */
typedef struct {
  trace_t trace;
  tape_t tape;
  bool taped;       /* there are decisions */
  shrink_may_t may; /* otherwise: what may be done to the inputs */
} pursue_run_t;

void pursue_run_free(pursue_run_t *run);

/* The failure of a profile, which stands in work->ls: reports it, records it and pursues it. */
void pursue_profile(check_work_t *work, unsigned profile);

/* Shrinks a recording of result->failure, which was reported, writes
 * the files, reports what is left. profile -1: of no profile alone. */
void pursue(check_work_t *work, int profile, pursue_run_t *run);

/* The stimulus crashed: says that there is no recording. False: there is one. */
bool pursue_none(const check_t *check, const check_result_t *result);

/* Looks inside of the RTL, and draws the recording's end
 * at `path` (NULL: not). Names the files in the report. */
void pursue_look(const check_t *check, check_result_t *result, const trace_t *trace, const char *path);
void pursue_files(const check_t *check, const check_result_t *result);

/* The block's object of this kind; warnings (may be NULL)
 * are those of its build. Trouble as of block_object. */
bool pursue_load(const check_t *check, const char *kind, const dut_t **dut, warnings_t *warnings, trouble_t *trouble);
const char *pursue_words(const block_t *block); /* its name, or its folder */

#endif
