/* SPDX-License-Identifier: Apache-2.0
 *
 * Coverage-guided stimulus. A run is cut into slices of some hundred cycles. When a slice hits a
 * point for the first time, pair and stimulus are saved. Later slices restart from a saved state
 * with other random numbers. They may also change the profile, if the stimulus can turn to another
 * one in mid-run (stim.h: turn). Profiles and states with recent new points are chosen more often.
 *
 *   +-> pick a saved state --> slice, other draws --> new point? --yes--> save the state --+
 *   |                                                     |no                              |
 *   +-----------------------------------------------------+<-------------------------------+
 *
 * The run is a pure function of block, seed and cycles, like every stimulus.
 */
#ifndef GUIDE_H
#define GUIDE_H

#include "cover.h"

typedef struct {
  uint64_t cycles; /* simulated so far; cycles after each restart count again */
  unsigned hit;    /* points hit by then */
} guide_sample_t;

enum { GUIDE_SAMPLES = 64 };

typedef struct {
  lockstep_t *ls; /* a pair of kind rtl+cov */
  const cover_map_t *map;
  cover_watch_t *watch;
  uint64_t seed, cycles;
  /* For comparison: no guidance. Every profile in turn goes on from its last state, like `check`
   * runs them one after the other. */
  bool unguided;
  bool (*on_cycles)(void *context, uint64_t done); /* Called now and then; false stops. May be NULL. */
  void *context;
} guide_t;

typedef struct {
  outcome_t outcome; /* INFRA: out of memory */
  bool stopped;
  uint64_t cycles;
  unsigned hit, kept, slices; /* points hit, states saved, slices run */
  guide_sample_t curve[GUIDE_SAMPLES];
  unsigned num_samples;
  trace_t trace; /* of a failure: the inputs from power-up that lead to it, */
  tape_t tape;   /* and the decisions that made the inputs */
  bool taped;    /* There are decisions: the stimulus is the block's own. */
} guide_result_t;

/* Runs until `cycles` cycles are simulated, a failure, or on_cycles says stop. The caller frees
 * result->trace and, if taped, result->tape. */
void guide_run(const guide_t *guide, guide_result_t *result);

#endif
