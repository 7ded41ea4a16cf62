/* SPDX-License-Identifier: Apache-2.0
 *
 * Proves a replay file before the user gets it. The recorded failure must come again from the file
 * alone: read back and played in a child process on a freshly loaded object. Values that a model or
 * RTL keeps outside of its state then start fresh, too.
 *
 *   again_write(&again, path, sizeof path, &replay, dut, &trace)  FOLDER/NAME.replay, or
 *                                                                 NAME-2.replay if that is taken
 */
#ifndef AGAIN_H
#define AGAIN_H

#include "build.h"
#include "replay.h"

#include <stdio.h>

typedef enum { AGAIN_SAME, AGAIN_OTHER, AGAIN_UNKNOWN } again_as_t;

/* How again_t.why begins when neither model nor RTL could be singled out. */
#define AGAIN_NOBODY "model or RTL do not repeat"

typedef struct {
  again_as_t as; /* UNKNOWN: the file could not be played */
  char why[512]; /* one line. OTHER: what does not repeat; UNKNOWN: what failed */
} again_t;

/* Plays the replay file in a child process. An interrupt gives UNKNOWN. */
void again_play(again_t *again, const char *path, const dut_t *dut);

/* Writes a recording to a temporary file, plays it, and renames it if it fails as `replay` says.
 * The name is `path`, or the next free one, "accum-random-1-2.replay": a name is taken if a file of
 * other contents has it, or if it exists with ending .fst or .gtkw. An existing file of the same
 * contents stays. Safe for concurrent runs. True: `again` says whether there is a file
 * (AGAIN_OTHER: none). False: trouble as of replay_write. */
bool again_write(again_t *again, char *path, size_t path_size, const replay_t *replay, const dut_t *dut,
                 const trace_t *trace, trouble_t *trouble);

/* Plays the recorded cycles on a pair that was powered up. Where the recorded run was STUCK, no
 * change at the end counts as STUCK. on_cycles: as in run_stimulus; *stopped: on_cycles ended the
 * run. */
void again_run(lockstep_t *ls, const replay_t *replay, const trace_t *trace, bool (*on_cycles)(void *, uint64_t),
               void *context, bool *stopped);

/* A checksum of what is played, for a replay file of this version: what the block's object was made
 * of, and the memory images read so far. From REPLAY_PORTABLE on it is the same wherever the block
 * lies. 0: unknown. */
uint64_t again_content(const places_t *places, const dut_t *dut, unsigned version);

#endif
