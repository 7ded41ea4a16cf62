/* SPDX-License-Identifier: Apache-2.0
 *
 * A campaign: a block's mutants against its golden model and stimulus. It says which mutants are
 * seen, by what and when, and which of the others are proved equivalent.
 *
 * Lane 0 has no fault and is the control. When the control fails, the netlist or the block is
 * wrong, and no mutant counts.
 */
#ifndef MUTATE_H
#define MUTATE_H

#include "bed.h"
#include "draw_mutants.h"

/* Parts of a campaign whose processor time is told apart. */
typedef enum { PHASE_DRAW, PHASE_STIMULUS, PHASE_WITHIN, PHASE_PROOFS, PHASE_LONGER, MUTATE_PHASES } mutate_phase_t;

typedef struct {
  draw_t draw;
  places_t places;
  uint64_t seed, cycles; /* of the stimulus; the profiles share a mutant's cycles */
  uint64_t longer;       /* factor on cycles for what the proofs leave; 1: no second run */
  unsigned only;         /* only this mutant (place + 1); 0: all */
  bool by_probe, proofs;
  bool blind;           /* miter.h */
  double proof_seconds; /* processor time for each mutant */
  unsigned jobs;        /* proofs at a time */
  bool (*stop)(void *context);
  void *context;
} mutate_t;

typedef struct {
  outcome_t outcome; /* PASS: the control passed and the mutants were run */
  trouble_t trouble; /* BAD_INPUT, INFRA; NOT_COMPARED: why */
  bool stopped;
  const dut_t *dut;
  drawn_t drawn;
  bool shared; /* mutants are in memory shared by processes */
  bed_t bed;
  bool control_failed;
  char model_text[512]; /* MODEL_ASSERT, MODEL_CRASH: the model's text, from the control */
  /* a killed mutant was proved equivalent, so the proofs are wrong and count for nothing */
  bool proof_control_failed;
  bed_lane_t control;
  unsigned control_profile;
  uint64_t control_cycles;
  /* cycles of all runs out of reset; cycles that compared an output or probe */
  uint64_t out_of_reset, compared;
  /* with by_probe, by mutant and port: 1: it differs, 2: before or with the outputs */
  unsigned char *probe_seen;
  /* by mutant and register: seen to differ from the register without the fault */
  unsigned char *diverged;
  uint32_t *probe_gain;                      /* with 2: how many cycles before the outputs */
  double seconds, draw_seconds, run_seconds; /* wall clock */
  double cpu[MUTATE_PHASES];                 /* processor time of each phase, children included */
} mutate_result_t;

/* Runs a campaign. result->outcome is PASS when the figures count; else trouble or model_text
 * says why. Call mutate_free in any case. */
void mutate_run(const mutate_t *mutate, mutate_result_t *result);
void mutate_free(mutate_result_t *result);

#endif
