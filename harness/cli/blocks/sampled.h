/* SPDX-License-Identifier: Apache-2.0
 *
 * --sample N: what the verbs that take it share (sample.h draws the sets).
 */
#ifndef SAMPLED_H
#define SAMPLED_H

#include "cli.h"
#include "sample.h"

#define SAMPLED_HELP                                                                           \
  "sets of other parameters, drawn by --seed from what the port file allows: ends of ranges, " \
  "values at which a width changes, powers of two and their neighbours, pairs of all these"

/* Draws the sets of a block. block: a name or a folder; fixed: those of --set. 0, or an exit code
 * after a line. */
int sampled_draw(sample_t *sample, const char *block, const char *fixed, uint64_t seed, uint64_t count);

/* Prints a set as options: " --set Depth=7 --set Width=100". */
void sampled_options(FILE *out, const char *set);

/* "7 of 8 sets of parameters held, 30 of 36 pairs of classes of values, seed 1", which ends a
 * line. */
void sampled_sum(FILE *out, const sample_t *sample, unsigned held, uint64_t seed);

/* {asked, sets, pairs, met}; takes `sets` over. */
json_t *sampled_json(const sample_t *sample, uint64_t asked, json_t *sets);

#endif
