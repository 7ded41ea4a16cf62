/* SPDX-License-Identifier: Apache-2.0
 *
 * hist_words: histogram of numbers from 0 to below 1, a word each, in 256 bins of one width. Small
 * numbers are more frequent.
 */
#include <stdlib.h>

#include "bins.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(hist_words);

enum { N, BLOCKS };
static const workload_param_t params[] = {
    {"n", "numbers; a multiple of 131,072 for as many a thread", 1 << 18, 1, 1 << 28, 63 << 17},
    {"blocks", "blocks at most; the threads go on through what is left", 64, 1, 65535, 256},
    {0},
};

typedef struct {
  bins_t bins;
  float *values;
} hist_words_t;

static void *hist_words_create(const int64_t *values, uint64_t seed) {
  hist_words_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  bins_init(&w->bins, values[N], 1, values[BLOCKS]);
  w->bins.bytes = w->bins.n * sizeof *w->values;
  w->bins.in = w->values = data_array(&w->bins.data, w->bins.n, sizeof *w->values);
  for (uint32_t i = 0; w->values && i < w->bins.n; i++) { /* the product of two: the small ones are the more frequent */
    const uint64_t random = data_random(&seed);
    w->values[i] = (float)(random >> 52) * (float)(random & 0xfff) * 0x1p-24f;
  }
  return data_made(w);
}

static int hist_words_run(void *state, const runtime_t *rt) {
  hist_words_t *w = state;
  return bins_run(&w->bins, rt, "hist_words", "hist_words_sum");
}

/* A number times a power of two is exact, so its whole part is the bin. */
static bool hist_words_check(const void *state, trouble_t *trouble) {
  const hist_words_t *w = state;
  for (unsigned bin = 0; bin < BINS; bin++) w->bins.want[bin] = 0;
  for (uint32_t i = 0; i < w->bins.n; i++) w->bins.want[(unsigned)(w->values[i] * BINS)]++;
  return bins_equal(&w->bins, trouble);
}

const workload_t workload_hist_words = {KERNEL_WORKLOAD(hist_words), .params = params,
                                        .create = hist_words_create, .run = hist_words_run,
                                        .check = hist_words_check,   .destroy = data_destroy};
