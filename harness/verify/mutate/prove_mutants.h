/* SPDX-License-Identifier: Apache-2.0
 *
 * Proofs of the mutants that the stimulus does not kill, on several processes. As a control,
 * some mutants that it does kill are asked, too: they must not be proved equivalent.
 */
#ifndef PROVE_MUTANTS_H
#define PROVE_MUTANTS_H

#include "equivalent.h"

enum { CONTROLS = 4 };

typedef struct {
  equivalent_t equivalent;
  mutant_t *mutants;       /* in memory shared by processes */
  unsigned char *diverged; /* by mutant and register (miter.h) */
  unsigned count, jobs;
} prove_mutants_t;

/* Asks about one cycle. It asks only about open mutants that diverged in no register. False: a
 * process failed. */
bool prove_within(const prove_mutants_t *prove);

/* Asks about all others: about one cycle where nobody asked that yet, then over time. False: a
 * process failed. A control has `control` set. When one has `proved` EQUIVALENT, no proof of
 * this run counts. */
bool prove_mutants(const prove_mutants_t *prove);

#endif
