/* SPDX-License-Identifier: Apache-2.0
 *
 * tom_stack -- golden model of offloaded blocks in a memory stack; contract:
 * rtl/tom/tom_stack.ports.
 *
 * While tom_stack_idle says true and in_valid, push_valid, end_valid and out_credit are 0,
 * tom_stack_step changes nothing: no request waits, no list and no message is under way. Blocks may
 * run.
 */
#ifndef TOM_STACK_H
#define TOM_STACK_H

#include <stdbool.h>

#include "tom_lines.h"
#include "tom_stack_ports.h"

enum {
  TOM_STACK_WORDS = TOM_ROW_BITS / 32,
  TOM_STACK_PLACES = (Queue) * ((Rows) + 1),
  TOM_STACK_LIST = TOM_LIST_COUNT_W + (Lines) * (LineBits)
};

/* A beat, as it comes or as it goes out. */
typedef struct {
  uint32_t words[TOM_STACK_WORDS];
  bool valid, last;
  uint8_t sm;
} tom_stack_beat_t;

/* What a header says of a block, and whose it is. */
typedef struct {
  bool used, runs;
  uint8_t sm, warp;
  uint32_t pc, exit, mask;
  uint64_t out;
} tom_stack_slot_t;

typedef enum { STACK_HEADER, STACK_ROW, STACK_REST, STACK_CLEAR, STACK_START } tom_stack_next_t;

/* The message under way: beats that are still to be chosen. */
typedef struct {
  bool header, list;
  uint64_t rows;
  bool done;
  unsigned slot;
  uint32_t lines[TOM_STACK_WORDS]; /* the list's beat */
} tom_stack_message_t;

typedef struct {
  tom_stack_beat_t beat[TOM_STACK_PLACES];
  unsigned oldest, waiting, fresh; /* fresh: came in the last cycle, not yet to be used */
  bool credit;
  tom_stack_next_t next;
  unsigned slot; /* of the request under way */
  uint64_t left; /* registers whose rows are still to come */
  tom_stack_slot_t slots[Warps];
  tom_lines_t lines;
  tom_stack_message_t message;
  bool reads; /* the beat that was chosen last is the row that is read */
  tom_stack_beat_t chosen, out;
  unsigned credits;
  unsigned err;
} tom_stack_t;

void tom_stack_reset(tom_stack_t *s);
void tom_stack_eval(const tom_stack_t *s, const tom_stack_in_t *in, tom_stack_out_t *out);
void tom_stack_step(tom_stack_t *s, const tom_stack_in_t *in);
bool tom_stack_idle(const tom_stack_t *s);

/* For coverage: bits of a vector that are 1, and one of them. */
static inline int64_t tom_stack_ones(const uint32_t *words, unsigned n) {
  int64_t ones = 0;
  for (unsigned i = 0; i < n; i++) ones += words[i / 32] >> i % 32 & 1;
  return ones;
}
static inline bool tom_stack_has(const uint32_t *words, uint64_t i, unsigned n) {
  return i < n && words[i / 32] >> i % 32 & 1;
}

#endif
