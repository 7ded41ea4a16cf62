/* SPDX-License-Identifier: Apache-2.0
 *
 * Stimulus that coverage leads. A run is cut into slices of some hundred cycles. After one that
 * reached a point for the first time, the pair and the stimulus are kept as they are then; later
 * slices go on from there with other random numbers, and another profile where the stimulus can
 * turn to one in mid-run (stim.h: turn). Profiles and kept states that have given points lately are
 * chosen more often.
 *
 * A pure function of (block, seed, cycles), as every stimulus.
 */
#ifndef GUIDE_H
#define GUIDE_H

#include "cover.h"

typedef struct {
  uint64_t cycles; /* simulated so far, those from kept states on counted each time */
  unsigned hit;
} guide_sample_t;

enum { GUIDE_SAMPLES = 64 };

typedef struct {
  lockstep_t *ls; /* of an object of kind rtl+cov */
  const cover_map_t *map;
  cover_watch_t *watch;
  uint64_t seed, cycles;
  /* every profile in turn, each from where it was, as
   * `check` does them one after the other: to compare */
  bool unguided;
  bool (*on_cycles)(void *context, uint64_t done); /* now and then; false: stop. May be NULL */
  void *context;
} guide_t;

typedef struct {
  outcome_t outcome; /* INFRA: out of memory */
  bool stopped;
  uint64_t cycles;
  unsigned hit, kept, slices; /* points; states kept; slices run */
  guide_sample_t curve[GUIDE_SAMPLES];
  unsigned num_samples;
  trace_t trace; /* a failure: the inputs from power-up that lead to it, */
  tape_t tape;   /* and the decisions that made them */
  bool taped;    /* there are decisions: the stimulus is the block's own */
} guide_result_t;

void guide_run(const guide_t *guide, guide_result_t *result);

#endif
