/* SPDX-License-Identifier: Apache-2.0
 *
 * csr: sparse matrix times vector. Row i has value[k] in column[k] for k from row_start[i] to
 * row_start[i + 1] - 1; a thread does a row.
 */
#include <math.h>
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(csr);

enum { ROWS, COLUMNS, MOST, BLOCK };
static const workload_param_t params[] = {
    {"rows", "rows", 16384, 1, 1 << 22, 0},
    {"columns", "columns", 16384, 1, 1 << 26, 0},
    {"most", "elements a row at most; their number is random", 16, 0, 64, 0},
    {"block", "threads a block", 256, 1, 1024, 0},
    {0},
};

typedef struct {
  data_t data;
  uint32_t rows, columns, block, elements;
  uint32_t *row_start, *column;
  float *value, *x, *y, *want;
} csr_t;

/* Rows have 0 to `most` elements at random columns, so neighbours in a warp diverge. */
static void *csr_create(const int64_t *values, uint64_t seed) {
  csr_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->rows = (uint32_t)values[ROWS];
  w->columns = (uint32_t)values[COLUMNS];
  w->block = (uint32_t)values[BLOCK];
  w->row_start = data_array(&w->data, w->rows + 1, sizeof *w->row_start);
  for (uint32_t i = 0; w->row_start && i < w->rows; i++)
    w->row_start[i + 1] = w->row_start[i] + (uint32_t)(data_random(&seed) % (uint64_t)(values[MOST] + 1));
  w->elements = w->row_start ? w->row_start[w->rows] : 0;
  w->column = data_array(&w->data, w->elements, sizeof *w->column);
  for (uint32_t k = 0; w->column && k < w->elements; k++) w->column[k] = (uint32_t)(data_random(&seed) % w->columns);
  w->value = data_floats(&w->data, &seed, w->elements);
  w->x = data_floats(&w->data, &seed, w->columns);
  w->y = data_array(&w->data, w->rows, sizeof *w->y);
  w->want = data_array(&w->data, w->rows, sizeof *w->want);
  return data_made(w);
}

static int csr_run(void *state, const runtime_t *rt) {
  csr_t *w = state;
  rt_ptr_t row_start, column, value, x, y;
  int status = data_to_device(rt, &row_start, w->row_start, (w->rows + 1) * sizeof *w->row_start);
  if (!status) status = data_to_device(rt, &column, w->column, w->elements * sizeof *w->column);
  if (!status) status = data_to_device(rt, &value, w->value, w->elements * sizeof *w->value);
  if (!status) status = data_to_device(rt, &x, w->x, w->columns * sizeof *w->x);
  if (!status) status = data_to_device(rt, &y, NULL, w->rows * sizeof *w->y);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, row_start);
  rt_arg_ptr(&args, column);
  rt_arg_ptr(&args, value);
  rt_arg_ptr(&args, x);
  rt_arg_ptr(&args, y);
  rt_arg_u32(&args, w->rows);
  status = rt_launch_1d(rt, "csr", w->rows, w->block, &args);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->y, y, w->rows * sizeof *w->y);
}

/* A row's products in order, each fused with its addition. */
static bool csr_check(const void *state, trouble_t *trouble) {
  const csr_t *w = state;
  for (uint32_t i = 0; i < w->rows; i++) {
    w->want[i] = 0;
    for (uint32_t k = w->row_start[i]; k < w->row_start[i + 1]; k++)
      w->want[i] = fmaf(w->value[k], w->x[w->column[k]], w->want[i]);
  }
  return data_equal_f32("y", w->y, w->want, w->rows, trouble);
}

const workload_t workload_csr = {KERNEL_WORKLOAD(csr), .params = params,   .create = csr_create,
                                 .run = csr_run,       .check = csr_check, .destroy = data_destroy};
