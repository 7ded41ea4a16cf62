/* SPDX-License-Identifier: Apache-2.0
 *
 * A counterexample of the miter as inputs of the block, cycle by cycle, and what comes of them
 * beside the golden model.
 *
 * The miter compares two netlists, takes memories as free and stops where a wrong word goes into
 * one. Only what shows here, in the lanes beside the golden model, is a hole; so that what is in a
 * memory can come out, the profiles go on behind the inputs.
 */
#ifndef REPLAY_INPUTS_H
#define REPLAY_INPUTS_H

#include "miter.h"

typedef struct {
  const bed_t *bed;
  uint64_t *words;     /* of all cycles */
  const void **inputs; /* of a cycle; NULL: a reset */
  unsigned cycles;
} replay_t;

typedef struct {
  bool shown;          /* the mutant differs, and the block without a fault does not */
  unsigned cycles;     /* shown: with the one that shows it */
  const char *profile; /* shown only when this one goes on behind the inputs; NULL: by them */
  const char *reason;  /* not shown: why it does not count */
} replay_answer_t;

/* path: what abc's write_cex -a wrote of the miter. False: there is none, or out of memory. */
bool replay_open(replay_t *replay, const bed_t *bed, const miter_t *miter, const char *path);
void replay_close(replay_t *replay);

/* diverged: by register, set where the mutant is not what the block
 * is. behind: where the inputs do not show it, all profiles, too. */
replay_answer_t replay_run(const replay_t *replay, const fault_t *fault, unsigned char *diverged, bool behind);
/* A line for each cycle: fields that are not 0; and
 * what goes on behind them. False: errno says why. */
bool replay_print(const replay_t *replay, const replay_answer_t *answer, const char *path);

#endif
