/* SPDX-License-Identifier: Apache-2.0
 *
 * Outside vectors through RTL and model: a text file, one vector a line, `operand ... result` in
 * hexadecimal, as the block's stimulus declares them (stim.h). Empty lines and those that start
 * with # are skipped.
 */
#ifndef VECTORS_H
#define VECTORS_H

#include "run.h"

#include <stdio.h>

typedef struct {
  uint64_t *values; /* per vector: the operands, then the result */
  unsigned *lines;  /* where each was */
  size_t count, width;
} vectors_t;

/* INPUT: file, line and what is wrong. */
bool vectors_read(vectors_t *vectors, const char *path, const stim_t *stim, trouble_t *trouble);
void vectors_free(vectors_t *vectors);

typedef struct {
  size_t wrong;      /* results that differ from the file */
  failure_t first;   /* the first of them, in words */
  failure_t failure; /* when RTL and model differ, or one asserts, or model or stimulus crash */
  /* line of the vector driven then, less the latency; of
   * a stimulus that crashed, of the vector it was at */
  unsigned failure_line;
} vectors_result_t;

/* Runs them all; writes the first few wrong results to out: file, line, expected and got. The
 * recording is kept in trace (inputs up to a lockstep failure). PASS, or DIVERGED when a result is
 * wrong, or what lockstep says; BAD_INPUT before the first cycle, when an operand has bits above
 * those that the inputs take, and INFRA: with trouble. */
outcome_t vectors_run(lockstep_t *ls, const stim_t *stim, const vectors_t *vectors, const char *path, FILE *out,
                      trace_t *trace, vectors_result_t *result, trouble_t *trouble);

#endif
