/* SPDX-License-Identifier: Apache-2.0
 *
 * pr: the sum of all elements by parallel reduction, written for the MPU. The first launch leaves a
 * sum for each block, the second, of one block, adds these.
 */
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(pr);

enum { N, LOG2BLOCK, BLOCKS, MAX_BLOCK = 256 };
static const workload_param_t params[] = {
    {"n", "elements", 300007, 1, 1 << 28, 1 << 20},
    {"log2block", "threads a block, as a power of two; a core of the MPU has the words of 2^7", 8, 0, 8, 7},
    {"blocks", "blocks at most; the threads go on through what is left", 512, 1, 65535, 0},
    {0},
};

typedef struct {
  data_t data;
  uint32_t n, block, blocks;
  float *in, *partial;
  float got;
} pr_t;

static void *pr_create(const int64_t *values, uint64_t seed) {
  pr_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->n = (uint32_t)values[N];
  w->block = 1u << values[LOG2BLOCK];
  w->blocks = (uint32_t)data_least((w->n + w->block - 1) / w->block, (uint64_t)values[BLOCKS]);
  w->in = data_floats(&w->data, &seed, w->n);
  w->partial = data_array(&w->data, w->blocks, sizeof *w->partial);
  return data_made(w);
}

static int pr_launch(const pr_t *w, const runtime_t *rt, rt_ptr_t in, rt_ptr_t out, uint32_t n, uint32_t blocks) {
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, in);
  rt_arg_ptr(&args, out);
  rt_arg_u32(&args, n);
  const rt_launch_t launch = {"pr", {blocks, 1, 1}, {w->block, 1, 1}, 0, args.bytes, args.size};
  return rt->launch(rt->ctx, &launch);
}

static int pr_run(void *state, const runtime_t *rt) {
  pr_t *w = state;
  rt_ptr_t in, partial, out;
  int status = data_to_device(rt, &in, w->in, w->n * sizeof *w->in);
  if (!status) status = data_to_device(rt, &partial, NULL, w->blocks * sizeof *w->partial);
  if (!status) status = data_to_device(rt, &out, NULL, sizeof w->got);
  if (!status) status = pr_launch(w, rt, in, partial, w->n, w->blocks);
  if (!status) status = pr_launch(w, rt, partial, out, w->blocks, 1);
  return status ? status : rt->memcpy_d2h(rt->ctx, &w->got, out, sizeof w->got);
}

/* One block's sum: each thread adds its elements in order, then pairs of threads
 * at halving distances. */
static float pr_block(const float *in, uint32_t n, uint32_t first, uint32_t block, uint64_t stride) {
  float sum[MAX_BLOCK];
  for (uint32_t t = 0; t < block; t++) {
    sum[t] = 0;
    for (uint64_t i = first + t; i < n; i += stride) sum[t] += in[i];
  }
  for (uint32_t width = block / 2; width; width /= 2)
    for (uint32_t t = 0; t < width; t++) sum[t] += sum[t + width];
  return sum[0];
}

static bool pr_check(const void *state, trouble_t *trouble) {
  const pr_t *w = state;
  for (uint32_t b = 0; b < w->blocks; b++)
    w->partial[b] = pr_block(w->in, w->n, b * w->block, w->block, (uint64_t)w->blocks * w->block);
  const float want = pr_block(w->partial, w->blocks, 0, w->block, w->block);
  return data_equal_f32("sum", &w->got, &want, 1, trouble);
}

const workload_t workload_pr = {KERNEL_WORKLOAD(pr), .params = params,  .create = pr_create,
                                .run = pr_run,       .check = pr_check, .destroy = data_destroy};
