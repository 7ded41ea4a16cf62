/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares guided with unguided stimulus at equal cycles, over several seeds.
 */
#ifndef COVER_COMPARE_H
#define COVER_COMPARE_H

#include "guide.h"

/* At most so many seeds. */
enum { COMPARE_SEEDS = 32 };

/* A point of the curve. */
typedef struct {
  uint64_t cycles;
  double guided, unguided; /* points hit, mean over the seeds */
} compare_sample_t;

typedef struct {
  outcome_t outcome;
  trouble_t trouble; /* with BAD_INPUT and INFRA */
  bool stopped;
  unsigned points, seeds, num_samples;
  uint64_t cycles;                                         /* of each run */
  unsigned guided[COMPARE_SEEDS], unguided[COMPARE_SEEDS]; /* points hit at the end, by seed */
  compare_sample_t curve[GUIDE_SAMPLES];
  double seconds;
} compare_result_t;

/* cover->seed and cover->runs give the seeds. cover->cycles is the length of both runs of each
 * seed. */
void cover_compare(const cover_t *cover, compare_result_t *result);

#endif
