/* SPDX-License-Identifier: Apache-2.0
 *
 * A stimulus' decisions: the numbers that it drew, cycle by cycle. Played again, they make the same
 * inputs; with some taken out or changed they make other inputs, but always such as this stimulus
 * could make itself, so that they are legal whatever the block's rules are.
 *
 * A played number is reduced into the range that is asked for. A cycle that draws more than it has
 * on tape gets what its `rest` says.
 */
#ifndef TAPE_H
#define TAPE_H

#include "rng.h"

#include <stddef.h>

/* QUIET: what switches off: no chance comes true, the last of a choice, all ones of up to 8 bits,
 * zero of more. ZERO: no chance comes true, all else is 0. Of 64 bits at once both give 1: resets
 * ask whether they divide it. */
typedef enum { TAPE_QUIET, TAPE_ZERO } tape_rest_t;

typedef struct {
  uint64_t *draws; /* owned by the tape */
  uint32_t count;
  uint16_t turn; /* before the cycle, to profile turn - 1 (run.h: driver_t); 0: none */
  uint8_t rest;  /* tape_rest_t */
} tape_cycle_t;

typedef struct {
  unsigned profile;
  uint64_t seed;      /* given to init, which may look at it */
  tape_cycle_t start; /* of init: what stays the same in the run */
  tape_cycle_t *cycles;
  size_t count, room;
  size_t bytes;  /* memory in use for draws */
  void **blocks; /* arena */
  size_t num_blocks, block_used, block_size;
} tape_t;

void tape_init(tape_t *tape, unsigned profile);
void tape_free(tape_t *tape);

/* A copy of draws that lives as long as the tape. NULL: out of memory (or count is 0). */
uint64_t *tape_copy(tape_t *tape, const uint64_t *draws, size_t count);

bool tape_add(tape_t *tape, const tape_cycle_t *cycle); /* draws are copied; false: out of memory */

/* What answers draws: those of a cycle on tape (play), or the generator; notes what it answers. */
typedef struct {
  rng_tape_t hook;          /* first: what the object's pointer points to */
  const tape_cycle_t *play; /* NULL: the generator answers */
  uint32_t at, beyond;      /* draws done from it, and after its end */
  bool note, lost;          /* lost: out of memory while noting */
  uint64_t *noted;
  size_t num_noted, room;
} tape_head_t;

void tape_head_init(tape_head_t *head, bool note);
void tape_head_free(tape_head_t *head);
/* the draws of a cycle follow; nothing is noted yet */
void tape_head_cycle(tape_head_t *head, const tape_cycle_t *play);

#endif
