/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts of small runs, held to a file of the tree: a row a run, a column a count. A fault that
 * changes when something happens, and not what comes out, shows here.
 *
 * With KEPT_COUNTS=make in the environment a run that has no row gets one, and a count that has no
 * column cannot: a row that has to change is taken out by hand first, and the commit says why.
 */
#ifndef KEPT_COUNTS_H
#define KEPT_COUNTS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char *name;
  uint64_t value;
} kept_count_t;

/* What differs, in one line, into text; empty: nothing. A run without a row differs. */
void kept_counts_compare(const char *file, const char *run, const kept_count_t *counts, size_t n, char *text,
                         size_t size);

/* Fails the test if anything differs. */
void kept_counts_hold(const char *file, const char *run, const kept_count_t *counts, size_t n);

/* What the file has; fails the test if it has no such run or count. */
uint64_t kept_counts_of(const char *file, const char *run, const char *count);

uint64_t kept_counts_hash(const void *data, size_t bytes); /* FNV-1a, 32 bits of it */

#endif
