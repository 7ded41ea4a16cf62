/* SPDX-License-Identifier: Apache-2.0
 *
 * Proves which bits of a block are stuck: they cannot both rise and fall, or they are never 1.
 * The proof starts from reset and holds for all inputs and all later resets.
 */
#ifndef CONSTANTS_H
#define CONSTANTS_H

#include "yosys.h"
#include "trouble.h"

/* OPEN: no answer. STUCK: cannot rise or cannot fall (`zero`: is never 1). MOVES: does both
 * (`zero`: is 1 once). */
typedef enum { BIT_OPEN, BIT_STUCK, BIT_MOVES } bit_state_t;

typedef struct {
  const char *name; /* path in the block, with the element: "i_fifo.gen_row[2].level_q" */
  unsigned bit;     /* counted from the lowest bit */
  unsigned point;   /* for the caller */
  bit_state_t state;
} stuck_bit_t;

typedef struct {
  const char *source, *gen; /* the tree; the generated packages */
  const char *block, *ports, *rtl;
  const rtl_t *own;   /* RTL of a block outside the tree; NULL: in the tree */
  const char *params; /* "NumReq=4,Depth=2" */
  const char *work;   /* folder for problems and logs; made if need be */
  double seconds;     /* limit for all answers of abc together */
  bool zero;          /* asks whether a bit is ever 1 after the first cycles in reset */
  bool (*stop)(void *context);
  void *context;
  stuck_bit_t *bits;
  unsigned count;
} constants_t;

/* Sets the state of each bit, and may reorder `bits` (find a bit by its `point`). Registers
 * without a reset start at 0, as in simulation. Memories (sram_*) may read as anything. HOLDS:
 * the search ended; a bit can still be OPEN, for want of time or of a wire with its name. Else
 * trouble says why: BAD (sources), INFRA (a tool, the disk), or nothing (STOPPED). */
answer_t constants_prove(constants_t *constants, trouble_t *trouble);

#endif
