/* SPDX-License-Identifier: Apache-2.0
 *
 * An entry of a suite: axes with alternatives, each alternative some words of a command line.
 * Each combination of alternatives is a job.
 */
#ifndef SUITE_MATRIX_H
#define SUITE_MATRIX_H

#include "suite.h"

typedef enum {
  AXIS_WORDS,    /* alternatives as listed */
  AXIS_SEEDS,    /* `count` seeds derived from the suite's seed and the words before */
  AXIS_VARIANTS, /* names of variants of the block: --set words */
} axis_kind_t;

typedef struct {
  axis_kind_t kind;
  json_t *alternatives; /* arrays of words; names, for AXIS_VARIANTS */
  uint64_t count;
} axis_t;

enum { ENTRY_AXES = 40, ENTRY_NAME = 64 };

typedef struct {
  const char *verb;
  double limit;
  axis_t axes[ENTRY_AXES]; /* positional arguments first */
  unsigned num_axes;
} entry_t;

/* Adds the entry's jobs, except for those that the suite has already. *combinations: how many
 * there are, perhaps 0. False: too many jobs, no memory, or a job has --set of one name twice,
 * which `twice` names. */
bool entry_expand(suite_t *suite, const entry_t *entry, const suite_catalog_t *catalog, json_t *keys,
                  char twice[ENTRY_NAME], unsigned *combinations);
void entry_free(entry_t *entry);

void suite_hash(SHA2_CTX *sha, const char *text);

#endif
