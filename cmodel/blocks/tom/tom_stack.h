/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of tom_stack, offloaded blocks in a memory stack: requests become warps of the
 * stack's SM, ends of blocks become acknowledgements (TOM paper, sections 4.2 and 4.4.2;
 * rtl/tom/tom_stack.ports).
 *
 * Call tom_stack_eval for the outputs of a cycle, then tom_stack_step with the same inputs for its
 * clock edge. All outputs are state (Moore). Faults set err bits that stay until reset.
 *
 * While tom_stack_idle is true and in_valid, push_valid, end_valid and out_credit are 0,
 * tom_stack_step changes nothing. No request waits then, and no list or message is under way;
 * blocks may run.
 */
#ifndef TOM_STACK_H
#define TOM_STACK_H

#include <stdbool.h>

#include "tom_lines.h"
#include "tom_stack_ports.h"

enum {
  TOM_STACK_WORDS = TOM_ROW_BITS / 32,                     /* words of a beat */
  TOM_STACK_PLACES = (Queue) * ((Rows) + 1),               /* beats that can wait */
  TOM_STACK_LIST = TOM_LIST_COUNT_W + (Lines) * (LineBits) /* bits of a list */
};

/* A beat that came or goes out. sm: the SM that asked. */
typedef struct {
  uint32_t words[TOM_STACK_WORDS];
  bool valid, last;
  uint8_t sm;
} tom_stack_beat_t;

/* A block: what its header says, and its SM and warp. used: until the choice of its
 * acknowledgement's last beat. runs: from its start until its end. */
typedef struct {
  bool used, runs;
  uint8_t sm, warp;
  uint32_t pc, exit, mask;
  uint64_t out;
} tom_stack_slot_t;

/* What comes next of the request under way. REST: beats behind its rows, which are a fault. */
typedef enum { STACK_HEADER, STACK_ROW, STACK_REST, STACK_CLEAR, STACK_START } tom_stack_next_t;

/* The message under way: beats still to be chosen. */
typedef struct {
  bool header, list;               /* these beats are still to be chosen */
  uint64_t rows;                   /* and the rows of these registers, a bit each */
  bool done;                       /* an acknowledgement, not a list sent ahead */
  unsigned slot;                   /* the block's */
  uint32_t lines[TOM_STACK_WORDS]; /* the list's beat */
} tom_stack_message_t;

typedef struct {
  tom_stack_beat_t beat[TOM_STACK_PLACES]; /* a ring of beats that wait */
  unsigned oldest, waiting, fresh;         /* the oldest beat; beats; beats of the last cycle, not usable yet */
  bool credit;                             /* a beat was used in the last cycle */
  tom_stack_next_t next;
  unsigned slot; /* of the request under way */
  uint64_t left; /* its registers with rows still to come */
  tom_stack_slot_t slots[Warps];
  tom_lines_t lines;
  tom_stack_message_t message;
  bool reads;                   /* the beat chosen last is a row; rd_data has it now */
  tom_stack_beat_t chosen, out; /* the beat chosen last; the one on out_ */
  unsigned credits;             /* places at the receiver, 0 .. OutCredits */
  unsigned err;                 /* the output */
} tom_stack_t;

void tom_stack_reset(tom_stack_t *s);
void tom_stack_eval(const tom_stack_t *s, const tom_stack_in_t *in, tom_stack_out_t *out);
void tom_stack_step(tom_stack_t *s, const tom_stack_in_t *in);
bool tom_stack_idle(const tom_stack_t *s);

/* For coverage: the number of bits that are 1 among the first n, and whether bit i is. */
static inline int64_t tom_stack_ones(const uint32_t *words, unsigned n) {
  int64_t ones = 0;
  for (unsigned i = 0; i < n; i++) ones += words[i / 32] >> i % 32 & 1;
  return ones;
}
static inline bool tom_stack_has(const uint32_t *words, uint64_t i, unsigned n) {
  return i < n && words[i / 32] >> i % 32 & 1;
}

#endif
