/* SPDX-License-Identifier: Apache-2.0
 *
 * saxpy: y = a * x + y, a thread an element.
 */
#include <math.h>
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(saxpy);

enum { N, BLOCK };
static const workload_param_t params[] = {
    {"n", "elements", 1000003, 1, 1 << 28, 0},
    {"block", "threads a block", 256, 1, 1024, 0},
    {0},
};

typedef struct {
  data_t data;
  uint32_t n, block;
  float a, *x, *y, *got, *want;
} saxpy_t;

static void *saxpy_create(const int64_t *values, uint64_t seed) {
  saxpy_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->n = (uint32_t)values[N];
  w->block = (uint32_t)values[BLOCK];
  w->a = 2.71828175f;
  w->x = data_floats(&w->data, &seed, w->n);
  w->y = data_floats(&w->data, &seed, w->n);
  w->got = data_array(&w->data, w->n, sizeof *w->got);
  w->want = data_array(&w->data, w->n, sizeof *w->want);
  return data_made(w);
}

static int saxpy_run(void *state, const runtime_t *rt) {
  saxpy_t *w = state;
  const size_t bytes = w->n * sizeof *w->x;
  rt_ptr_t x, y;
  int status = data_to_device(rt, &x, w->x, bytes);
  if (!status) status = data_to_device(rt, &y, w->y, bytes);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_u32(&args, w->n);
  rt_arg_f32(&args, w->a);
  rt_arg_ptr(&args, x);
  rt_arg_ptr(&args, y);
  status = rt_launch_1d(rt, "saxpy", w->n, w->block, &args);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->got, y, bytes);
}

/* clang fuses the multiplication and the addition. */
static bool saxpy_check(const void *state, trouble_t *trouble) {
  const saxpy_t *w = state;
  for (uint32_t i = 0; i < w->n; i++) w->want[i] = fmaf(w->x[i], w->a, w->y[i]);
  return data_equal_f32("y", w->got, w->want, w->n, trouble);
}

const workload_t workload_saxpy = {KERNEL_WORKLOAD(saxpy), .params = params,     .create = saxpy_create,
                                   .run = saxpy_run,       .check = saxpy_check, .destroy = data_destroy};
