/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws are noted after reduction into their range, so that a tape played to its own stimulus gives
 * the same numbers. A stimulus may draw until it likes a number. Therefore, after LONG draws beyond
 * a cycle's end, the answers begin to vary.
 */
#include "tape.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_DRAWS = 1 << 17, LONG = 4096, FEW_BITS = 0xff };

void tape_init(tape_t *tape, unsigned profile) {
  memset(tape, 0, sizeof *tape);
  tape->profile = profile;
}

void tape_free(tape_t *tape) {
  for (size_t i = 0; i < tape->num_blocks; i++) free(tape->blocks[i]);
  free(tape->blocks);
  free(tape->cycles);
  memset(tape, 0, sizeof *tape);
}

static bool new_block(tape_t *tape, size_t draws) {
  void **more = realloc(tape->blocks, (tape->num_blocks + 1) * sizeof *more);
  if (!more) return false;
  tape->blocks = more;
  tape->block_size = draws > BLOCK_DRAWS ? draws : BLOCK_DRAWS;
  tape->block_used = 0;
  void *block = malloc(tape->block_size * sizeof(uint64_t));
  if (!block) return false;
  tape->blocks[tape->num_blocks++] = block;
  return true;
}

uint64_t *tape_copy(tape_t *tape, const uint64_t *draws, size_t count) {
  if (!count) return NULL;
  if ((!tape->num_blocks || tape->block_used + count > tape->block_size) && !new_block(tape, count)) return NULL;
  uint64_t *copy = (uint64_t *)tape->blocks[tape->num_blocks - 1] + tape->block_used;
  memcpy(copy, draws, count * sizeof *draws);
  tape->block_used += count;
  tape->bytes += count * sizeof *draws;
  return copy;
}

bool tape_add(tape_t *tape, const tape_cycle_t *cycle) {
  if (tape->count == tape->room) {
    const size_t room = tape->room ? 2 * tape->room : 256;
    tape_cycle_t *more = realloc(tape->cycles, room * sizeof *more);
    if (!more) return false;
    tape->cycles = more;
    tape->room = room;
  }
  tape_cycle_t *added = &tape->cycles[tape->count++];
  *added = *cycle;
  added->draws = tape_copy(tape, cycle->draws, cycle->count);
  return added->draws || !cycle->count;
}

/* --- answering */

/* A number below n; without a range 0. */
static uint64_t reduce_below(uint64_t value, uint64_t n) {
  if (!n) return 0;
  if (value == ~0ull) return n - 1;
  return value < n ? value : value % n;
}

/* Reduces a number on tape to the requested draw. All ones stands for the last of a choice. */
static uint64_t reduce_draw(uint64_t value, rng_kind_t kind, uint64_t n, uint64_t num) {
  switch (kind) {
  case RNG_BELOW: return reduce_below(value, n);
  case RNG_BITS: return value & n;
  case RNG_CHANCE: return num && (num >= n || (value & 1)); /* never and always stay so */
  default: return value;
  }
}

/* The answer beyond the end of a cycle's draws (tape_rest_t). */
static uint64_t answer_beyond(const tape_head_t *head, rng_kind_t kind, uint64_t n, uint64_t num) {
  const bool quiet = head->play->rest == TAPE_QUIET;
  if (head->beyond > LONG) return reduce_draw(rng_mix(head->beyond), kind, n, num);
  if (kind == RNG_NEXT) return 1;
  return reduce_draw(quiet && (kind == RNG_BELOW || (kind == RNG_BITS && n <= FEW_BITS)) ? ~0ull : 0, kind, n, num);
}

static void note_draw(tape_head_t *head, uint64_t value) {
  if (head->num_noted == head->room) {
    const size_t room = head->room ? 2 * head->room : 256;
    uint64_t *more = realloc(head->noted, room * sizeof *more);
    head->lost |= !more;
    if (!more) return;
    head->noted = more;
    head->room = room;
  }
  head->noted[head->num_noted++] = value;
}

static uint64_t answer_draw(rng_tape_t *hook, rng_t *rng, rng_kind_t kind, uint64_t n, uint64_t num) {
  tape_head_t *head = (tape_head_t *)hook;
  uint64_t value;
  if (!head->play) value = rng_generate(rng, kind, n, num);
  else if (head->at < head->play->count) value = reduce_draw(head->play->draws[head->at++], kind, n, num);
  else head->beyond++, value = answer_beyond(head, kind, n, num);
  if (head->note) note_draw(head, value);
  return value;
}

void tape_head_init(tape_head_t *head, bool note) {
  *head = (tape_head_t){.hook = {answer_draw}, .note = note};
}

void tape_head_free(tape_head_t *head) {
  free(head->noted);
  memset(head, 0, sizeof *head);
}

void tape_head_cycle(tape_head_t *head, const tape_cycle_t *play) {
  head->play = play;
  head->at = head->beyond = 0;
  head->num_noted = 0;
}
