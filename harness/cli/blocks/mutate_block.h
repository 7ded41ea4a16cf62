/* SPDX-License-Identifier: Apache-2.0
 *
 * One block's mutants as JSON. docs/json.md says what the keys are.
 */
#ifndef MUTATE_BLOCK_H
#define MUTATE_BLOCK_H

#include "cli.h"
#include "mutate.h"

/* The options of `mutate`. Cycles are those of each mutant; `longer` multiplies them for mutants
 * that the proofs leave open; proof_seconds is processor time. */
typedef struct {
  const char *folder; /* lockstack-out */
  uint64_t count;     /* 0: 500 for a block of 100 lines of RTL, fewer in proportion for a smaller one */
  uint64_t seed, cycles, longer, jobs, proof_seconds;
  bool by_probe, no_proofs, blind;
  uint64_t show; /* this mutant alone, with the inputs that show it; 0: all */
  char params[1024];
} mutate_options_t;

/* Draws, runs and proves a block's mutants, in this process and `jobs` more. NULL: nothing was
 * measured, a line has been printed, and *code is the exit code. */
json_t *mutate_block(const mutate_options_t *options, const char *name, int *code);

#endif
