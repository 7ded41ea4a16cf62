/* SPDX-License-Identifier: Apache-2.0
 *
 * A proof for each mutant that the stimulus does not kill, on several processes; and, as a control,
 * for some that it does kill.
 */
#ifndef PROVE_MUTANTS_H
#define PROVE_MUTANTS_H

#include "equivalent.h"

enum { CONTROLS = 4 };

typedef struct {
  equivalent_t equivalent;
  mutant_t *mutants;       /* in memory that processes share */
  unsigned char *diverged; /* by mutant and register (miter.h) */
  unsigned count, jobs;
} prove_mutants_t;

/* Of those that no stimulus has killed and in no register was seen to
 * diverge: what is equal within a cycle. False: a process failed. */
bool prove_within(const prove_mutants_t *prove);

/* The others. False: a process failed. Killed mutants that were said to be equivalent have
 * `control` set and `proved` EQUIVALENT: then nothing that was proved counts. */
bool prove_mutants(const prove_mutants_t *prove);

#endif
