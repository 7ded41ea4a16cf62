/* SPDX-License-Identifier: Apache-2.0
 *
 * A block with one fault after the other, in lockstep with its golden model: would the block's stimulus and probes see it?
 *
 * Mutant 0 has no fault and is the control: when it fails, the netlist or the block is wrong and no mutant is run.
 */
#ifndef MUTATE_H
#define MUTATE_H

#include "build.h"
#include "run.h"

enum { MUTANTS_MOST = 20000, MUTANT_TEXT = 512 };

/* A line of mutants.txt: which bit of which cell, and the line of the RTL it comes from. */
typedef struct {
  char mode[16], module[MUTANT_TEXT], cell[MUTANT_TEXT], port[64], source[MUTANT_TEXT]; /* source: "file:line"; "": unknown */
  int bit;
  bool killed;
  const char *profile; /* killed: by this one */
  failure_t failure;   /* killed: port, cycle in the profile */
} mutant_t;

typedef struct {
  const block_t *block; /* its `mutants` are set */
  places_t places;
  uint64_t seed, cycles; /* of the stimulus; cycles of each mutant, shared by the profiles */
  bool (*on_mutant)(void *context, unsigned done, unsigned all); /* also now and then within one; false: stop */
  void *context;
} mutate_t;

typedef struct {
  outcome_t outcome; /* PASS: the control passed and the mutants were run */
  char error[4096];  /* BAD_INPUT, INFRA: one line */
  bool stopped;      /* on_mutant said so */
  const dut_t *dut;
  mutant_t control;
  uint64_t control_cycles;
  mutant_t *mutants; /* mutants[0] is mutant 1 */
  unsigned count, done, killed;
  double seconds;    /* without the build */
} mutate_result_t;

void mutate_run(const mutate_t *mutate, mutate_result_t *result);
void mutate_free(mutate_result_t *result);

#endif
