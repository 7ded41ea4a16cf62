/* SPDX-License-Identifier: Apache-2.0
 *
 * bicg: s = A^T r and q = A p with one matrix, row-major (Polybench). Two launches; each element of
 * a result is one thread's chain of fused multiply-adds.
 */
#include <math.h>
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(bicg);

enum { ROWS, COLUMNS, BLOCK };
static const workload_param_t params[] = {
    {"rows", "rows of A", 512, 1, 16384, 6144},
    {"columns", "columns of A", 512, 1, 16384, 6144},
    {"block", "threads a block", 256, 1, 1024, 0},
    {0},
};

typedef struct {
  data_t data;
  uint32_t rows, columns, block;
  float *a, *r, *p, *s, *q, *want;
} bicg_t;

static void *bicg_create(const int64_t *values, uint64_t seed) {
  bicg_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->rows = (uint32_t)values[ROWS];
  w->columns = (uint32_t)values[COLUMNS];
  w->block = (uint32_t)values[BLOCK];
  w->a = data_floats(&w->data, &seed, (size_t)w->rows * w->columns);
  w->r = data_floats(&w->data, &seed, w->rows);
  w->p = data_floats(&w->data, &seed, w->columns);
  w->s = data_array(&w->data, w->columns, sizeof *w->s);
  w->q = data_array(&w->data, w->rows, sizeof *w->q);
  w->want = data_array(&w->data, w->rows > w->columns ? w->rows : w->columns, sizeof *w->want);
  return data_made(w);
}

/* One of the two products: both kernels take the same arguments. */
static int bicg_launch(const bicg_t *w, const runtime_t *rt, const char *kernel, uint32_t threads, rt_ptr_t a,
                       rt_ptr_t vector, rt_ptr_t product) {
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, a);
  rt_arg_ptr(&args, vector);
  rt_arg_ptr(&args, product);
  rt_arg_u32(&args, w->rows);
  rt_arg_u32(&args, w->columns);
  return rt_launch_1d(rt, kernel, threads, w->block, &args);
}

static int bicg_run(void *state, const runtime_t *rt) {
  bicg_t *w = state;
  rt_ptr_t a, r, s, p, q;
  int status = data_to_device(rt, &a, w->a, (size_t)w->rows * w->columns * sizeof *w->a);
  if (!status) status = data_to_device(rt, &r, w->r, w->rows * sizeof *w->r);
  if (!status) status = data_to_device(rt, &s, NULL, w->columns * sizeof *w->s);
  if (!status) status = data_to_device(rt, &p, w->p, w->columns * sizeof *w->p);
  if (!status) status = data_to_device(rt, &q, NULL, w->rows * sizeof *w->q);
  if (!status) status = bicg_launch(w, rt, "bicg_s", w->columns, a, r, s);
  if (!status) status = bicg_launch(w, rt, "bicg_q", w->rows, a, p, q);
  if (!status) status = rt->memcpy_d2h(rt->ctx, w->s, s, w->columns * sizeof *w->s);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->q, q, w->rows * sizeof *w->q);
}

/* Column sums for s, row sums for q. */
static bool bicg_check(const void *state, trouble_t *trouble) {
  const bicg_t *w = state;
  for (uint32_t j = 0; j < w->columns; j++) {
    w->want[j] = 0;
    for (uint32_t i = 0; i < w->rows; i++) w->want[j] = fmaf(w->r[i], w->a[(size_t)i * w->columns + j], w->want[j]);
  }
  if (!data_equal_f32("s", w->s, w->want, w->columns, trouble)) return false;
  for (uint32_t i = 0; i < w->rows; i++) {
    w->want[i] = 0;
    for (uint32_t j = 0; j < w->columns; j++) w->want[i] = fmaf(w->a[(size_t)i * w->columns + j], w->p[j], w->want[i]);
  }
  return data_equal_f32("q", w->q, w->want, w->rows, trouble);
}

const workload_t workload_bicg = {KERNEL_WORKLOAD(bicg), .params = params,    .create = bicg_create,
                                  .run = bicg_run,       .check = bicg_check, .destroy = data_destroy};
