/* SPDX-License-Identifier: Apache-2.0
 *
 * vadd: c = a + b, a thread an element.
 */
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(vadd);

enum { N, BLOCK };
static const workload_param_t params[] = {
    {"n", "elements", 1000003, 1, 1 << 28, 50000000},
    {"block", "threads a block", 256, 1, 1024, 0},
    {0},
};

typedef struct {
  data_t data;
  uint32_t n, block;
  float *a, *b, *c, *want;
} vadd_t;

static void *vadd_create(const int64_t *values, uint64_t seed) {
  vadd_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->n = (uint32_t)values[N];
  w->block = (uint32_t)values[BLOCK];
  w->a = data_floats(&w->data, &seed, w->n);
  w->b = data_floats(&w->data, &seed, w->n);
  w->c = data_array(&w->data, w->n, sizeof *w->c);
  w->want = data_array(&w->data, w->n, sizeof *w->want);
  return data_made(w);
}

static int vadd_run(void *state, const runtime_t *rt) {
  vadd_t *w = state;
  const size_t bytes = w->n * sizeof *w->a;
  rt_ptr_t a, b, c;
  int status = data_to_device(rt, &a, w->a, bytes);
  if (!status) status = data_to_device(rt, &b, w->b, bytes);
  if (!status) status = data_to_device(rt, &c, NULL, bytes);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, a);
  rt_arg_ptr(&args, b);
  rt_arg_ptr(&args, c);
  rt_arg_u32(&args, w->n);
  status = rt_launch_1d(rt, "vadd", w->n, w->block, &args);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->c, c, bytes);
}

/* One addition an element, rounded once. */
static bool vadd_check(const void *state, trouble_t *trouble) {
  const vadd_t *w = state;
  for (uint32_t i = 0; i < w->n; i++) w->want[i] = w->a[i] + w->b[i];
  return data_equal_f32("c", w->c, w->want, w->n, trouble);
}

const workload_t workload_vadd = {KERNEL_WORKLOAD(vadd), .params = params,    .create = vadd_create,
                                  .run = vadd_run,       .check = vadd_check, .destroy = data_destroy};
