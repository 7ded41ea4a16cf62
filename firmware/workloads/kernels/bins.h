/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of the histograms hist and hist_words. Each has two kernels: one leaves the sums
 * of each block, the other adds them up. This part launches both and compares the 256 bins.
 */
#ifndef BINS_H
#define BINS_H

#include "data.h"

enum { BINS = 256 };

/* A histogram. `want` is the caller's to fill before bins_equal. */
typedef struct {
  data_t data;
  uint32_t n, blocks; /* elements; blocks of the first launch */
  const void *in;
  size_t bytes; /* of `in` */
  int32_t *got, *want;
} bins_t;

/* n: elements, of which a word has `per_word`; most: the largest number of blocks. Makes the arrays
 * of bins; `in` and `bytes` are the caller's to set. */
void bins_init(bins_t *b, int64_t n, unsigned per_word, int64_t most);
/* Runs the kernels named `count` and `sum`. Returns 0, or the status of the call that failed. */
int bins_run(bins_t *b, const runtime_t *rt, const char *count, const char *sum);
/* False: *trouble names the first bin that differs. */
bool bins_equal(const bins_t *b, trouble_t *trouble);

#endif
