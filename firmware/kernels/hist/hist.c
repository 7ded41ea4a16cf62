/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(hist);

enum { N, LEVELS, BLOCKS, BINS = 256, THREADS = 128, LANES = 32, SLICES = 8 };
static const workload_param_t params[] = {
    {"n", "pixels", 500009, 1, 1 << 28, 1 << 22},
    {"levels", "different values of a pixel, the darker the more frequent", 256, 1, 256, 0},
    {"blocks", "blocks at most; the threads go on through what is left", 64, 1, 65535, 512},
    {0},
};

typedef struct {
  data_t data;
  uint32_t n, blocks;
  uint8_t *pixels;
  int32_t *bins, *want;
} hist_t;

static void *hist_create(const int64_t *values, uint64_t seed) {
  hist_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->n = (uint32_t)values[N];
  const uint32_t words = (w->n + 3) / 4;
  w->blocks = (uint32_t)data_least((words + THREADS - 1) / THREADS, (uint64_t)values[BLOCKS]);
  w->pixels = data_array(&w->data, w->n, sizeof *w->pixels);
  w->bins = data_array(&w->data, BINS, sizeof *w->bins);
  w->want = data_array(&w->data, BINS, sizeof *w->want);
  for (uint32_t i = 0; w->pixels && i < w->n; i++) {
    const uint64_t random = data_random(&seed); /* the product of two: the probability falls with the logarithm */
    w->pixels[i] = (uint8_t)((random >> 48) * (random >> 32 & 0xffff) * (uint64_t)values[LEVELS] >> 32);
  }
  return data_made(w);
}

static int hist_blocks(const hist_t *w, const runtime_t *rt, rt_ptr_t pixels, rt_ptr_t partial) {
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, pixels);
  rt_arg_ptr(&args, partial);
  rt_arg_u32(&args, w->n);
  const rt_launch_t launch = {"hist", {w->blocks, 1, 1}, {THREADS, 1, 1}, 0, args.bytes, args.size};
  return rt->launch(rt->ctx, &launch);
}

static int hist_sum(const hist_t *w, const runtime_t *rt, rt_ptr_t partial, rt_ptr_t bins) {
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, partial);
  rt_arg_ptr(&args, bins);
  rt_arg_u32(&args, w->blocks);
  const rt_launch_t launch = {"hist_sum", {BINS / LANES, 1, 1}, {LANES, SLICES, 1}, 0, args.bytes, args.size};
  return rt->launch(rt->ctx, &launch);
}

static int hist_run(void *state, const runtime_t *rt) {
  hist_t *w = state;
  const size_t bytes = BINS * sizeof *w->bins;
  rt_ptr_t pixels, partial, bins;
  int status = data_to_device(rt, &pixels, w->pixels, w->n);
  if (!status) status = data_to_device(rt, &partial, NULL, w->blocks * bytes);
  if (!status) status = data_to_device(rt, &bins, NULL, bytes);
  if (!status) status = hist_blocks(w, rt, pixels, partial);
  if (!status) status = hist_sum(w, rt, partial, bins);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->bins, bins, bytes);
}

static bool hist_check(const void *state, char *why, size_t size) {
  const hist_t *w = state;
  for (unsigned bin = 0; bin < BINS; bin++) w->want[bin] = 0;
  for (uint32_t i = 0; i < w->n; i++) w->want[w->pixels[i]]++;
  return data_equal_s32("bins", w->bins, w->want, BINS, why, size);
}

const workload_t workload_hist = {KERNEL_WORKLOAD(hist), .params = params,    .create = hist_create,
                                  .run = hist_run,       .check = hist_check, .destroy = data_destroy};
