/* SPDX-License-Identifier: Apache-2.0
 *
 * axpy: y = a * x + y by a fixed grid, written for the MPU. One launch; threads go on by
 * the grid's width.
 */
#include <math.h>
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(axpy);

enum { N, BLOCK, BLOCKS };
static const workload_param_t params[] = {
    {"n", "elements", 200003, 1, 1 << 28, 1 << 20},
    {"block", "threads a block; a core of the MPU has the words of 128", 256, 1, 256, 128},
    {"blocks", "blocks at most; the threads go on through what is left", 512, 1, 65535, 0},
    {0},
};

typedef struct {
  data_t data;
  uint32_t n, block, blocks;
  float a, *x, *y, *got, *want;
} axpy_t;

static void *axpy_create(const int64_t *values, uint64_t seed) {
  axpy_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->n = (uint32_t)values[N];
  w->block = (uint32_t)values[BLOCK];
  w->blocks = (uint32_t)values[BLOCKS];
  w->a = (float)(int32_t)(uint32_t)(data_random(&seed) >> 32) * 0x1p-30f;
  w->x = data_floats(&w->data, &seed, w->n);
  w->y = data_floats(&w->data, &seed, w->n);
  w->got = data_array(&w->data, w->n, sizeof *w->got);
  w->want = data_array(&w->data, w->n, sizeof *w->want);
  return data_made(w);
}

static int axpy_run(void *state, const runtime_t *rt) {
  axpy_t *w = state;
  const size_t bytes = w->n * sizeof *w->x;
  rt_ptr_t x, y;
  int status = data_to_device(rt, &x, w->x, bytes);
  if (!status) status = data_to_device(rt, &y, w->y, bytes);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_f32(&args, w->a);
  rt_arg_ptr(&args, x);
  rt_arg_ptr(&args, y);
  rt_arg_u32(&args, w->n);
  status = rt_launch_1d(rt, "axpy", data_least(w->n, (uint64_t)w->blocks * w->block), w->block, &args);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->got, y, bytes);
}

/* One fused multiply-add an element. */
static bool axpy_check(const void *state, trouble_t *trouble) {
  const axpy_t *w = state;
  for (uint32_t i = 0; i < w->n; i++) w->want[i] = fmaf(w->a, w->x[i], w->y[i]);
  return data_equal_f32("y", w->got, w->want, w->n, trouble);
}

const workload_t workload_axpy = {KERNEL_WORKLOAD(axpy), .params = params,    .create = axpy_create,
                                  .run = axpy_run,       .check = axpy_check, .destroy = data_destroy};
