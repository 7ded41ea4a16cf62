/* SPDX-License-Identifier: Apache-2.0
 *
 * gemv_segments: y = A x with A in segments of 128 columns.
 *
 *    A:  | segment 0 of row 0 | of row 1 | ... | segment 1 of row 0 | of row 1 | ...
 *
 * A segment of a row is 512 bytes.
 */
#include <math.h>
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(gemv_segments);

enum { ROWS, SEGMENTS, BLOCKS };
enum { THREADS = 128 };
static const workload_param_t params[] = {
    {"rows", "rows of A; a multiple of 1,024 for rows at one core each", 1024, 1, 65535, 4096},
    {"segments", "segments of 128 columns", 4, 1, 512, 16},
    {"blocks", "blocks at most; they go on through what is left", 1024, 1, 65535, 0},
    {0},
};

typedef struct {
  data_t data;
  uint32_t rows, segments, blocks;
  float *a, *x, *y, *want;
} gemv_segments_t;

static void *gemv_segments_create(const int64_t *values, uint64_t seed) {
  gemv_segments_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->rows = (uint32_t)values[ROWS];
  w->segments = (uint32_t)values[SEGMENTS];
  w->blocks = (uint32_t)values[BLOCKS];
  w->a = data_floats(&w->data, &seed, (size_t)w->rows * w->segments * THREADS);
  w->x = data_floats(&w->data, &seed, (size_t)w->segments * THREADS);
  w->y = data_array(&w->data, w->rows, sizeof *w->y);
  w->want = data_array(&w->data, w->rows, sizeof *w->want);
  return data_made(w);
}

static int gemv_segments_run(void *state, const runtime_t *rt) {
  gemv_segments_t *w = state;
  const size_t bytes = (size_t)w->segments * THREADS * sizeof *w->x;
  rt_ptr_t a, x, y;
  int status = data_to_device(rt, &a, w->a, w->rows * bytes);
  if (!status) status = data_to_device(rt, &x, w->x, bytes);
  if (!status) status = data_to_device(rt, &y, NULL, w->rows * sizeof *w->y);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, a);
  rt_arg_ptr(&args, x);
  rt_arg_ptr(&args, y);
  rt_arg_u32(&args, w->rows);
  rt_arg_u32(&args, w->segments);
  const rt_launch_t launch = {
      "gemv_segments", {(uint32_t)data_least(w->rows, w->blocks), 1, 1}, {THREADS, 1, 1}, 0, args.bytes, args.size};
  status = rt->launch(rt->ctx, &launch);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->y, y, w->rows * sizeof *w->y);
}

/* A thread's products by fused multiply-adds, then pairs of threads at halving distances. */
static float row_times(const gemv_segments_t *w, uint32_t row) {
  float sum[THREADS] = {0};
  for (uint32_t s = 0; s < w->segments; s++)
    for (uint32_t t = 0; t < THREADS; t++)
      sum[t] = fmaf(w->a[((size_t)s * w->rows + row) * THREADS + t], w->x[s * THREADS + t], sum[t]);
  for (uint32_t width = THREADS / 2; width; width /= 2)
    for (uint32_t t = 0; t < width; t++) sum[t] += sum[t + width];
  return sum[0];
}

static bool gemv_segments_check(const void *state, trouble_t *trouble) {
  const gemv_segments_t *w = state;
  for (uint32_t row = 0; row < w->rows; row++) w->want[row] = row_times(w, row);
  return data_equal_f32("y", w->y, w->want, w->rows, trouble);
}

const workload_t workload_gemv_segments = {KERNEL_WORKLOAD(gemv_segments), .params = params,
                                           .create = gemv_segments_create, .run = gemv_segments_run,
                                           .check = gemv_segments_check,   .destroy = data_destroy};
