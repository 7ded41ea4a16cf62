/* SPDX-License-Identifier: Apache-2.0
 *
 * The block beside mutants of it, with the same inputs: for each an output that is high where
 * lockstep would see a difference.
 *
 * The block is there once. A mutant has its own gates where its fault reaches, and its own of those
 * registers that are said to diverge; all others are the block's, and a next state that differs is
 * a difference. So no difference means equal, for any choice of them; one that goes into a register
 * may be none that lockstep sees, unless all diverge.
 *
 * From power-up and reset on; a reset may come again at any time. An input field whose valid bit is
 * 0 keeps its old value, an output field whose valid bit is 0 is not compared. Where an assertion
 *   of the block itself fires or an assumption of X.env.sv
 * does not hold, the inputs are not legal and what follows does not count. A memory (sram_*) is
 * shared: what it gives back is free after each read, but the same for both; what goes into it is
 * compared where it is used, in resets too, so that it holds the same in both. So equal means
 * equal; a difference need not be one where there are memories.
 */
#ifndef MITER_H
#define MITER_H

#include "bed.h"

/* cycles after a difference until the output says so: an assertion of the RTL needs one to fire */
enum { MITER_DELAY = 1 };

typedef struct {
  const fault_t *fault;
  const unsigned char *diverges; /* by register of the netlist, not BED_SAME: the mutant has its own; NULL: of all */
} miter_of_t;

typedef struct {
  gates_t gates;
  lit_t *differs;   /* by mutant */
  uint32_t *inputs; /* by input of the netlist: its node; 0: it is none */
  uint32_t reset;   /* its node: a reset begins */
  bool memories;
} miter_t;

/* What is asked: of all cycles from power-up on; or of one cycle,
 * whatever the state, where no assertion of the block fires. */
typedef enum { MITER_ALL_CYCLES, MITER_ONE_CYCLE } miter_span_t;

/* blind: compares nothing. A test of those who ask: what is
 * killed must not be proved equal. False: out of memory. */
bool miter_open(miter_t *miter, const bed_t *bed, miter_span_t span, const miter_of_t *of, unsigned num, bool blind);
void miter_close(miter_t *miter);

#endif
