/* SPDX-License-Identifier: Apache-2.0
 *
 * Replays a counterexample of the miter as inputs of the block, beside the golden model.
 *
 * The miter compares two netlists, leaves memories free and stops where a wrong word goes into
 * one. Only what shows here is a hole. Profiles can go on behind the inputs, so that a wrong
 * word comes out of its memory.
 */
#ifndef REPLAY_INPUTS_H
#define REPLAY_INPUTS_H

#include "miter.h"

typedef struct {
  const bed_t *bed;
  uint64_t *words;     /* of all cycles */
  const void **inputs; /* by cycle; NULL: a reset in which no input counts */
  bool *resets;        /* by cycle */
  unsigned cycles;
} replay_t;

typedef struct {
  bool shown;          /* the mutant differs, and the block without a fault does not */
  unsigned cycles;     /* shown: cycles up to the one that shows it */
  const char *profile; /* profile that shows it after the inputs; NULL: they do */
  const char *reason;  /* not shown: why it does not count */
} replay_answer_t;

/* path: what abc's `write_cex -a` wrote about the miter. False: no such file, or out of memory.
 * Call replay_close in either case. */
bool replay_open(replay_t *replay, const bed_t *bed, const miter_t *miter, const char *path);
void replay_close(replay_t *replay);

/* Runs the inputs. diverged: registers that differ are added; NULL: not asked for. behind: when
 * the inputs show nothing, each profile goes on behind them. */
replay_answer_t replay_run(const replay_t *replay, const fault_t *fault, unsigned char *diverged, bool behind);
/* Writes a line for each cycle: its number, then fields that are not 0, in hexadecimal. False:
 * errno says why. */
bool replay_print(const replay_t *replay, const replay_answer_t *answer, const char *path);

#endif
