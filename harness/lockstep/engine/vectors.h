/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs outside vectors through RTL and model. The text file has one vector a line, `operand ...
 * result` in hexadecimal, as the block's stimulus declares them (stim.h). Empty lines and lines
 * that start with # are skipped.
 */
#ifndef VECTORS_H
#define VECTORS_H

#include "run.h"

#include <stdio.h>

typedef struct {
  uint64_t *values;    /* of each vector the operands, then the result */
  unsigned *lines;     /* of each vector, in the file */
  size_t count, width; /* vectors; values of each */
} vectors_t;

/* INPUT: file, line and what is wrong. */
bool vectors_read(vectors_t *vectors, const char *path, const stim_t *stim, trouble_t *trouble);
void vectors_free(vectors_t *vectors);

typedef struct {
  size_t wrong;      /* results that differ from the file */
  failure_t first;   /* the first of them */
  failure_t failure; /* RTL and model differ, one asserts, or model or stimulus crashes. */
  /* Line of the vector in flight: the one driven, less the latency. If the stimulus crashed, the
   * vector it was at. */
  unsigned failure_line;
} vectors_result_t;

/* Runs all vectors. Writes the first few wrong results to `out`: file, line, expected and got.
 * `trace` keeps the inputs up to a lockstep failure. Returns PASS, DIVERGED for a wrong result, or
 * lockstep's outcome. With `trouble`: BAD_INPUT before the first cycle if an operand is too wide
 * for its inputs, and INFRA. */
outcome_t vectors_run(lockstep_t *ls, const stim_t *stim, const vectors_t *vectors, const char *path, FILE *out,
                      trace_t *trace, vectors_result_t *result, trouble_t *trouble);

#endif
