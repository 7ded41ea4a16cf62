/* SPDX-License-Identifier: Apache-2.0
 *
 * sp: scalar products of pairs of vectors, after the CUDA SDK. A block does a pair.
 */
#include "sp/sp.h"

#include <math.h>
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(sp);

static const workload_param_t params[] = {
    /* in the order of sp.h */
    {"vectors", "pairs of vectors", 512, 1, 65535, 0},
    {"n", "elements a vector", 2048, 0, 32768, 32768},
    {"log2block", "threads a block, as a power of two", 7, 0, 8, 0},
    {0},
};

typedef struct {
  data_t data;
  uint32_t vectors, n, block;
  float *a, *b, *c, *want;
} sp_t;

void *sp_create(const int64_t *values, uint64_t seed) {
  sp_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->vectors = (uint32_t)values[SP_VECTORS];
  w->n = (uint32_t)values[SP_N];
  w->block = 1u << values[SP_LOG2BLOCK];
  w->a = data_floats(&w->data, &seed, (size_t)w->vectors * w->n);
  w->b = data_floats(&w->data, &seed, (size_t)w->vectors * w->n);
  w->c = data_array(&w->data, w->vectors, sizeof *w->c);
  w->want = data_array(&w->data, w->vectors, sizeof *w->want);
  return data_made(w);
}

int sp_run(void *state, const runtime_t *rt) {
  sp_t *w = state;
  const size_t bytes = (size_t)w->vectors * w->n * sizeof *w->a;
  rt_ptr_t a, b, c;
  int status = data_to_device(rt, &a, w->a, bytes);
  if (!status) status = data_to_device(rt, &b, w->b, bytes);
  if (!status) status = data_to_device(rt, &c, NULL, w->vectors * sizeof *w->c);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, a);
  rt_arg_ptr(&args, b);
  rt_arg_ptr(&args, c);
  rt_arg_u32(&args, w->n);
  const rt_launch_t launch = {"sp", {w->vectors, 1, 1}, {w->block, 1, 1}, 0, args.bytes, args.size};
  status = rt->launch(rt->ctx, &launch);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->c, c, w->vectors * sizeof *w->c);
}

/* Thread t sums its elements with fused multiply-adds; then sums meet pairwise,
 * at halving distances. */
static float sp_product(const float *a, const float *b, uint32_t n, uint32_t block) {
  float partial[256];
  for (uint32_t t = 0; t < block; t++) {
    partial[t] = 0;
    for (uint32_t i = t; i < n; i += block) partial[t] = fmaf(a[i], b[i], partial[t]);
  }
  for (uint32_t width = block / 2; width; width /= 2)
    for (uint32_t t = 0; t < width; t++) partial[t] += partial[t + width];
  return partial[0];
}

bool sp_check(const void *state, trouble_t *trouble) {
  const sp_t *w = state;
  for (uint32_t v = 0; v < w->vectors; v++)
    w->want[v] = sp_product(w->a + (size_t)v * w->n, w->b + (size_t)v * w->n, w->n, w->block);
  return data_equal_f32("c", w->c, w->want, w->vectors, trouble);
}

const workload_t workload_sp = {KERNEL_WORKLOAD(sp), .params = params,  .create = sp_create,
                                .run = sp_run,       .check = sp_check, .destroy = data_destroy};
