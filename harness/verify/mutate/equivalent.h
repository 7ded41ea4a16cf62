/* SPDX-License-Identifier: Apache-2.0
 *
 * Is a mutant the same circuit as far as lockstep can see? abc proves it or gives inputs that show
 * the difference.
 */
#ifndef EQUIVALENT_H
#define EQUIVALENT_H

#include "miter.h"
#include "mutant.h"

typedef struct {
  const bed_t *bed;
  const char *work;
  double seconds; /* of processor time for one mutant */
  bool blind;     /* miter.h */
  bool (*stop)(void *context);
  void *context;
} equivalent_t;

typedef struct {
  mutant_status_t status;
  char method[16];    /* how */
  const char *reason; /* UNDECIDED: why */
  unsigned cycles;    /* SURVIVED: of the inputs that show it */
  int lost;           /* abc ended with this status + 1 and no answer, not for want of time; 0: it did not */
} verdict_t;

typedef struct {
  const fault_t *fault;
  unsigned number;
  unsigned char *diverged; /* by register (miter.h): seen not to be the block's */
  verdict_t verdict;
} asked_t;

/* Within a cycle, whatever the state, for all at once: EQUIVALENT when nothing that is compared and
 * no next state differs; all others stay OPEN. */
void equivalent_within(const equivalent_t *e, asked_t *asked, unsigned num);

/* EQUIVALENT; SURVIVED: inputs show it beside the golden model (replay.h), and are in the file
 * mNUMBER.inputs of the working folder; UNDECIDED: no answer in the time given, or inputs that do
 * not show it there. OPEN: stopped. */
void equivalent_check(const equivalent_t *e, asked_t *asked);

#endif
