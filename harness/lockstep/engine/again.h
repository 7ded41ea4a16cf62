/* SPDX-License-Identifier: Apache-2.0
 *
 * A replay file is offered when its failure has come again from the file alone: read back and
 * played in a process of its own, on a copy of the object that is loaded anew, so that what a model
 * or RTL keeps outside of its state has its first values.
 *
 *   again_write(&again, path, sizeof path, &replay, dut, &trace)   FOLDER/NAME.replay, or NAME-2
 *   ... if another file has that name
 */
#ifndef AGAIN_H
#define AGAIN_H

#include "build.h"
#include "replay.h"

#include <stdio.h>

typedef enum { AGAIN_SAME, AGAIN_OTHER, AGAIN_UNKNOWN } again_as_t;

/* What `why` begins with when neither was seen to be the one. */
#define AGAIN_NOBODY "model or RTL do not repeat"

typedef struct {
  again_as_t as; /* UNKNOWN: it could not be played */
  char why[512]; /* OTHER: what does not repeat; UNKNOWN: what failed. One line */
} again_t;

/* Plays a replay file so. Interrupted: UNKNOWN. */
void again_play(again_t *again, const char *path, const dut_t *dut);

/* Writes a recording beside its place, plays it, and gives it its name if it fails as `replay`
 * says: `path`, or, if a file of other contents has that name, or one of ending .fst or .gtkw, the
 * next one that is free, "accum-random-1-2.replay". A file of the same contents stays. Safe for
 * several runs at once. True: again says whether there is a file (not with AGAIN_OTHER); trouble as
 * of replay_write. */
bool again_write(again_t *again, char *path, size_t path_size, const replay_t *replay, const dut_t *dut,
                 const trace_t *trace, trouble_t *trouble);

/* The recorded cycles on a pair that was powered up. A run that was STUCK: nothing changing at the
 * end stands for it. on_cycles as run_stimulus; *stopped: it said so. */
void again_run(lockstep_t *ls, const replay_t *replay, const trace_t *trace, bool (*on_cycles)(void *, uint64_t),
               void *context, bool *stopped);

/* A checksum of what is played: the key of the block's object,
 * and the memory images that were read so far. 0: not known. */
uint64_t again_content(const places_t *places, const dut_t *dut);

#endif
