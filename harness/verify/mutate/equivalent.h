/* SPDX-License-Identifier: Apache-2.0
 *
 * Is a mutant the same circuit as the block, as far as lockstep can see? abc proves that, or
 * gives inputs that show the difference.
 */
#ifndef EQUIVALENT_H
#define EQUIVALENT_H

#include "miter.h"
#include "mutant.h"

typedef struct {
  const bed_t *bed;
  const char *work;
  double seconds; /* processor time for one mutant */
  bool blind;     /* miter.h */
  bool (*stop)(void *context);
  void *context;
} equivalent_t;

typedef struct {
  mutant_status_t status;
  char method[16];    /* how it was proved */
  const char *reason; /* UNDECIDED: why */
  unsigned cycles;    /* SURVIVED: cycles of the inputs that show it */
  int lost;           /* status + 1 of an abc that failed without an answer; 0: none did */
} verdict_t;

typedef struct {
  const fault_t *fault;
  unsigned number;
  unsigned char *diverged; /* by register (miter.h): seen to differ from the block's */
  verdict_t verdict;
} asked_t;

/* Asks about one cycle, from any state, for num mutants at once. EQUIVALENT: no compared port
 * and no next state differs. All others stay OPEN. */
void equivalent_within(const equivalent_t *e, asked_t *asked, unsigned num);

/* Asks about all cycles from power-up. EQUIVALENT: proved. SURVIVED: inputs show the mutant
 * beside the golden model (replay_inputs.h); they are in the file mNUMBER.inputs of the work
 * folder. UNDECIDED: no answer in time, or inputs that show nothing there. OPEN: stopped. Adds
 * what it learns to asked->diverged. */
void equivalent_check(const equivalent_t *e, asked_t *asked);

#endif
