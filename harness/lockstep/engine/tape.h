/* SPDX-License-Identifier: Apache-2.0
 *
 * A tape has a stimulus' decisions: the numbers that the stimulus drew in each cycle. Played again,
 * the tape makes the same inputs. With draws removed or changed it makes other inputs, but always
 * inputs that this stimulus could make, so the block's rules hold.
 *
 *   generator --+
 *               +--> draws --> stimulus --> inputs
 *   tape -------+      |
 *                      +--> note: another tape
 *
 * A played number is reduced into the requested range. A cycle that draws more than its tape has
 * gets the answers of `rest`.
 */
#ifndef TAPE_H
#define TAPE_H

#include "rng.h"

#include <stddef.h>

/* Answers beyond the end of a cycle's draws. QUIET switches things off: no chance comes true, a
 * choice gives its last value, up to 8 bits are all ones, more bits are zero. ZERO: no chance comes
 * true, everything else is 0. A draw of 64 bits gives 1 in both cases, because resets ask whether
 * they divide the number. */
typedef enum { TAPE_QUIET, TAPE_ZERO } tape_rest_t;

typedef struct {
  uint64_t *draws; /* owned by the tape */
  uint32_t count;
  uint16_t turn; /* Before this cycle, turn to profile turn - 1 (run.h: driver_t); 0: no turn. */
  uint8_t rest;  /* tape_rest_t */
  bool anew;     /* A reset in place of this cycle, and the stimulus begins anew. */
} tape_cycle_t;

typedef struct {
  unsigned profile;
  uint64_t seed;      /* given to init, which may use it */
  tape_cycle_t start; /* draws of init: constant over the run */
  tape_cycle_t *cycles;
  size_t count, room;
  size_t bytes;  /* memory in use for draws */
  void **blocks; /* arena of the draws */
  size_t num_blocks, block_used, block_size;
} tape_t;

void tape_init(tape_t *tape, unsigned profile);
void tape_free(tape_t *tape);

/* Copies draws into the tape's arena, which lives as long as the tape. NULL: out of memory, or
 * count is 0. */
uint64_t *tape_copy(tape_t *tape, const uint64_t *draws, size_t count);

bool tape_add(tape_t *tape, const tape_cycle_t *cycle); /* copies the draws; false: out of memory */

/* Answers draws from a cycle on tape (`play`) or from the generator, and notes the answers. */
typedef struct {
  rng_tape_t hook;          /* first member: the object's `tape` points here */
  const tape_cycle_t *play; /* NULL: the generator answers */
  uint32_t at, beyond;      /* draws done from `play`, and beyond its end */
  bool note, lost;          /* lost: out of memory while noting */
  uint64_t *noted;
  size_t num_noted, room;
} tape_head_t;

void tape_head_init(tape_head_t *head, bool note);
void tape_head_free(tape_head_t *head);
/* Starts a cycle: its draws follow, and the notes are empty. */
void tape_head_cycle(tape_head_t *head, const tape_cycle_t *play);

#endif
