/* SPDX-License-Identifier: Apache-2.0
 *
 * rd: the sum of all elements by parallel reduction, the CUDA SDK's sixth kernel. Each thread adds
 * two elements in a step of the grid. rd_whole is for counts that fill each step.
 */
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(rd);

enum { N, BLOCKS, BLOCK = 256 };
static const workload_param_t params[] = {
    {"n", "elements", 1 << 22, 1, 1 << 28, 1 << 25},
    {"blocks", "blocks at most; the threads go on through what is left", 64, 1, 65535, 0},
    {0},
};

typedef struct {
  data_t data;
  uint32_t n, blocks;
  float *in, *partial;
  float got;
} rd_t;

static void *rd_create(const int64_t *values, uint64_t seed) {
  rd_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->n = (uint32_t)values[N];
  w->blocks = (uint32_t)data_least(data_blocks(w->n, 2 * BLOCK), (uint64_t)values[BLOCKS]);
  w->in = data_floats(&w->data, &seed, w->n);
  w->partial = data_array(&w->data, w->blocks, sizeof *w->partial);
  return data_made(w);
}

static int rd_launch(const runtime_t *rt, rt_ptr_t in, rt_ptr_t out, uint32_t n, uint32_t blocks) {
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, in);
  rt_arg_ptr(&args, out);
  rt_arg_u32(&args, n);
  const rt_launch_t launch = {
      n % (2 * BLOCK) ? "rd" : "rd_whole", {blocks, 1, 1}, {BLOCK, 1, 1}, 0, args.bytes, args.size};
  return rt->launch(rt->ctx, &launch);
}

static int rd_run(void *state, const runtime_t *rt) {
  rd_t *w = state;
  rt_ptr_t in, partial, out;
  int status = data_to_device(rt, &in, w->in, w->n * sizeof *w->in);
  if (!status) status = data_to_device(rt, &partial, NULL, w->blocks * sizeof *w->partial);
  if (!status) status = data_to_device(rt, &out, NULL, sizeof w->got);
  if (!status) status = rd_launch(rt, in, partial, w->n, w->blocks);
  if (!status) status = rd_launch(rt, partial, out, w->blocks, 1);
  return status ? status : rt->memcpy_d2h(rt->ctx, &w->got, out, sizeof w->got);
}

/* One block's sum: each thread adds its elements in order, two a step, then pairs of threads
 * at halving distances. */
static float rd_block(const float *in, uint32_t n, uint32_t block, uint32_t blocks) {
  float sum[BLOCK] = {0};
  for (uint32_t t = 0; t < BLOCK; t++)
    for (uint64_t i = 2ull * BLOCK * block + t; i < n; i += 2ull * BLOCK * blocks) {
      sum[t] += in[i];
      if (i + BLOCK < n) sum[t] += in[i + BLOCK];
    }
  for (uint32_t width = BLOCK / 2; width; width /= 2)
    for (uint32_t t = 0; t < width; t++) sum[t] += sum[t + width];
  return sum[0];
}

static bool rd_check(const void *state, trouble_t *trouble) {
  const rd_t *w = state;
  for (uint32_t b = 0; b < w->blocks; b++) w->partial[b] = rd_block(w->in, w->n, b, w->blocks);
  const float want = rd_block(w->partial, w->blocks, 0, 1);
  return data_equal_f32("sum", &w->got, &want, 1, trouble);
}

const workload_t workload_rd = {KERNEL_WORKLOAD(rd), .params = params,  .create = rd_create,
                                .run = rd_run,       .check = rd_check, .destroy = data_destroy};
