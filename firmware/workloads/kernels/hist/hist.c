/* SPDX-License-Identifier: Apache-2.0
 *
 * hist: histogram of 8-bit pixels. Darker pixels are more frequent, so that some counters are much
 * busier than others.
 */
#include <stdlib.h>

#include "bins.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(hist);

enum { N, LEVELS, BLOCKS };
static const workload_param_t params[] = {
    {"n", "pixels", 500009, 1, 1 << 28, 1 << 22},
    {"levels", "different values of a pixel, the darker the more frequent", 256, 1, 256, 0},
    {"blocks", "blocks at most; the threads go on through what is left", 64, 1, 65535, 512},
    {0},
};

typedef struct {
  bins_t bins;
  uint8_t *pixels;
} hist_t;

static void *hist_create(const int64_t *values, uint64_t seed) {
  hist_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  bins_init(&w->bins, values[N], 4, values[BLOCKS]);
  w->bins.bytes = w->bins.n * sizeof *w->pixels;
  w->bins.in = w->pixels = data_array(&w->bins.data, w->bins.n, sizeof *w->pixels);
  for (uint32_t i = 0; w->pixels && i < w->bins.n; i++) {
    const uint64_t random = data_random(&seed); /* the product of two: the probability falls with the logarithm */
    w->pixels[i] = (uint8_t)((random >> 48) * (random >> 32 & 0xffff) * (uint64_t)values[LEVELS] >> 32);
  }
  return data_made(w);
}

static int hist_run(void *state, const runtime_t *rt) {
  hist_t *w = state;
  return bins_run(&w->bins, rt, "hist", "hist_sum");
}

static bool hist_check(const void *state, trouble_t *trouble) {
  const hist_t *w = state;
  for (unsigned bin = 0; bin < BINS; bin++) w->bins.want[bin] = 0;
  for (uint32_t i = 0; i < w->bins.n; i++) w->bins.want[w->pixels[i]]++;
  return bins_equal(&w->bins, trouble);
}

const workload_t workload_hist = {KERNEL_WORKLOAD(hist), .params = params,    .create = hist_create,
                                  .run = hist_run,       .check = hist_check, .destroy = data_destroy};
