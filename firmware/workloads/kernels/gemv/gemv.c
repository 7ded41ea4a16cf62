/* SPDX-License-Identifier: Apache-2.0
 *
 * gemv: y = A x, row-major, written for the MPU. A block does four rows: an element of x is loaded
 * once for four elements of A.
 */
#include <math.h>
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(gemv);

enum { ROWS, COLUMNS, LOG2BLOCK, ROWS_OF_BLOCK = 4, MAX_BLOCK = 256 };
static const workload_param_t params[] = {
    {"rows", "rows of A", 515, 1, 65535, 2048},
    {"columns", "columns of A", 1001, 1, 65535, 512},
    {"log2block", "threads a block, as a power of two; a block does four rows", 8, 0, 8, 0},
    {0},
};

typedef struct {
  data_t data;
  uint32_t rows, columns, block;
  float *a, *x, *y, *want;
} gemv_t;

static void *gemv_create(const int64_t *values, uint64_t seed) {
  gemv_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->rows = (uint32_t)values[ROWS];
  w->columns = (uint32_t)values[COLUMNS];
  w->block = 1u << values[LOG2BLOCK];
  w->a = data_floats(&w->data, &seed, (size_t)w->rows * w->columns);
  w->x = data_floats(&w->data, &seed, w->columns);
  w->y = data_array(&w->data, w->rows, sizeof *w->y);
  w->want = data_array(&w->data, w->rows, sizeof *w->want);
  return data_made(w);
}

static int gemv_run(void *state, const runtime_t *rt) {
  gemv_t *w = state;
  rt_ptr_t a, x, y;
  int status = data_to_device(rt, &a, w->a, (size_t)w->rows * w->columns * sizeof *w->a);
  if (!status) status = data_to_device(rt, &x, w->x, w->columns * sizeof *w->x);
  if (!status) status = data_to_device(rt, &y, NULL, w->rows * sizeof *w->y);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, a);
  rt_arg_ptr(&args, x);
  rt_arg_ptr(&args, y);
  rt_arg_u32(&args, w->rows);
  rt_arg_u32(&args, w->columns);
  const uint32_t blocks = (w->rows + ROWS_OF_BLOCK - 1) / ROWS_OF_BLOCK;
  const rt_launch_t launch = {"gemv", {blocks, 1, 1}, {w->block, 1, 1}, 0, args.bytes, args.size};
  status = rt->launch(rt->ctx, &launch);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->y, y, w->rows * sizeof *w->y);
}

/* A thread's products by fused multiply-adds, then pairs of threads at halving distances. */
static float gemv_row(const float *row, const float *x, uint32_t columns, uint32_t block) {
  float sum[MAX_BLOCK];
  for (uint32_t t = 0; t < block; t++) {
    sum[t] = 0;
    for (uint32_t j = t; j < columns; j += block) sum[t] = fmaf(row[j], x[j], sum[t]);
  }
  for (uint32_t width = block / 2; width; width /= 2)
    for (uint32_t t = 0; t < width; t++) sum[t] += sum[t + width];
  return sum[0];
}

static bool gemv_check(const void *state, trouble_t *trouble) {
  const gemv_t *w = state;
  for (uint32_t i = 0; i < w->rows; i++)
    w->want[i] = gemv_row(w->a + (size_t)i * w->columns, w->x, w->columns, w->block);
  return data_equal_f32("y", w->y, w->want, w->rows, trouble);
}

const workload_t workload_gemv = {KERNEL_WORKLOAD(gemv), .params = params,    .create = gemv_create,
                                  .run = gemv_run,       .check = gemv_check, .destroy = data_destroy};
