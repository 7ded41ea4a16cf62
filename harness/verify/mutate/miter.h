/* SPDX-License-Identifier: Apache-2.0
 *
 * The block beside mutants of it, with the same inputs. Each mutant has an output that is 1
 * where lockstep would see a difference.
 *
 *             +--> block --------------------+--> ports, memories' inputs,
 *   inputs ---+        (shared state)        |    next states of shared registers
 *             +--> mutant: gates that the ---+    --> XOR, OR --> differs
 *                  fault reaches, own registers
 *
 * The block is there once. A mutant has its own gates where its fault reaches, and its own
 * registers where they are said to diverge. All other registers are the block's: a next state
 * that differs there is a difference. No difference therefore means equal, for any choice of own
 * registers. A difference in the next state of a shared register may be one that lockstep never
 * sees.
 *
 * Cycles start at power-up with a reset, and a reset may come again at any time. An input field
 * whose valid bit is 0 keeps its value; an output field whose valid bit is 0 is not compared.
 * Inputs are illegal from where an assertion of the block fires or an assumption of X.env.sv
 * fails; nothing counts from there on.
 *
 * A memory (sram_*) is shared. What it gives after a read is free, but the same for both sides.
 * What goes into it is compared where it is used, also in a reset, so that it holds the same for
 * both. With memories, equal still means equal, but a difference need not be real.
 */
#ifndef MITER_H
#define MITER_H

#include "bed.h"

/* Cycles from a difference to the output. An assertion of the RTL takes one cycle to fire. */
enum { MITER_DELAY = 1 };

typedef struct {
  const fault_t *fault;
  const unsigned char *diverges; /* by register: other than BED_SAME, the mutant has its own; NULL: all */
} miter_of_t;

typedef struct {
  gates_t gates;
  lit_t *differs;   /* by mutant */
  uint32_t *inputs; /* by input of the netlist: its node; 0: none */
  uint32_t reset;   /* node of "a reset begins" */
  bool memories;
} miter_t;

/* All cycles from power-up, or one cycle from any state in which no assertion of the block
 * fires. */
typedef enum { MITER_ALL_CYCLES, MITER_ONE_CYCLE } miter_span_t;

/* Builds the miter of num mutants. blind compares nothing: a test whether the caller notices
 * that killed mutants are then proved equal. False: out of memory. Call miter_close in either
 * case. */
bool miter_open(miter_t *miter, const bed_t *bed, miter_span_t span, const miter_of_t *of, unsigned num, bool blind);
void miter_close(miter_t *miter);

#endif
