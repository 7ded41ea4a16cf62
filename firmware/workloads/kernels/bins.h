/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of the histograms: two launches, NAME that leaves each block's sums, and the one
 * that adds them, and a comparison of the bins.
 */
#ifndef BINS_H
#define BINS_H

#include "data.h"

enum { BINS = 256 };

typedef struct {
  data_t data;
  uint32_t n, blocks; /* elements; blocks of the first launch */
  const void *in;
  size_t bytes; /* of `in` */
  int32_t *got, *want;
} bins_t;

/* n: elements, of which a word has `per_word`; most: blocks at
 * most. The arrays of bins; `in` and `bytes` are the caller's. */
void bins_init(bins_t *b, int64_t n, unsigned per_word, int64_t most);
int bins_run(bins_t *b, const runtime_t *rt, const char *count, const char *sum);
bool bins_equal(const bins_t *b, trouble_t *trouble);

#endif
