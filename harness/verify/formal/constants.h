/* SPDX-License-Identifier: Apache-2.0
 *
 * Bits of a block that cannot both rise and fall, or that are never 1, proved from reset for all
 * inputs and all further resets.
 */
#ifndef CONSTANTS_H
#define CONSTANTS_H

#include "yosys.h"
#include "trouble.h"

/* no answer; cannot rise or cannot fall (zero: is never 1); can do both (is 1 once) */
typedef enum { BIT_OPEN, BIT_STUCK, BIT_MOVES } bit_state_t;

typedef struct {
  const char *name; /* below the block: "i_fifo.gen_row[2].level_q", of an array with its element */
  unsigned bit;     /* from the lowest, whatever that is called */
  unsigned point;   /* the caller's */
  bit_state_t state;
} stuck_bit_t;

typedef struct {
  const char *source, *gen; /* the tree; the generated packages */
  const char *block, *ports, *rtl;
  const rtl_t *own;   /* of a block outside of the tree; NULL: it is one of the tree */
  const char *params; /* "NumReq=4,Depth=2" */
  const char *work;   /* folder for problems and logs, is made */
  double seconds;     /* for all answers of abc */
  bool zero;          /* asked is whether a bit is ever 1 after the first cycles in reset */
  bool (*stop)(void *context);
  void *context;
  stuck_bit_t *bits;
  unsigned count;
} constants_t;

/* Sets the state of each bit. Registers that no reset reaches start at 0, as in simulation;
 * memories (sram_*) give anything. HOLDS: done; a bit may still be open. */
answer_t constants_prove(constants_t *constants, trouble_t *trouble);

#endif
