/* SPDX-License-Identifier: Apache-2.0
 *
 * The block beside a mutant of it, with the same inputs: an output that is high where lockstep would see a difference.
 *
 * From power-up and reset on; a reset may come again at any time. An input field whose valid bit is 0 keeps its old value,
 * an output field whose valid bit is 0 is not compared. Where an assertion of the block itself fires or an assumption of X.env.sv
 * does not hold, the inputs are not legal and what follows does not count. A memory (sram_*) is shared: what it gives back is free after
 * each read, but the same for both; what goes into it is compared where it is used, in resets too, so that it holds the same in both.
 * So equal means equal; a difference need not be one where there are memories.
 */
#ifndef MITER_H
#define MITER_H

#include "bed.h"

enum { MITER_DELAY = 1 }; /* cycles after a difference until the output says so: an assertion of the RTL needs one to fire */

typedef struct {
  gates_t gates;
  lit_t differs;
  uint32_t *inputs;  /* by input of the netlist: its node; 0: it is none */
  uint32_t reset;    /* its node: a reset begins */
  bool memories;
} miter_t;

/* blind: compares nothing. A test of those who ask: what is killed must not be proved equal. False: out of memory. */
bool miter_open(miter_t *miter, const bed_t *bed, const fault_t *fault, bool blind);
void miter_close(miter_t *miter);

#endif
