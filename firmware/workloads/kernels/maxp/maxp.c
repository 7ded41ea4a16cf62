/* SPDX-License-Identifier: Apache-2.0
 *
 * maxp: max pooling, TensorFlow's max_pool with SAME padding, written for the MPU. Images keep
 * channels innermost (NHWC); neighbouring threads take neighbouring channels, then pixels.
 */
#include <math.h>
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(maxp);

enum { WIDTH, HEIGHT, CHANNELS, WINDOW, STRIDE, BLOCK };
static const workload_param_t params[] = {
    {"width", "pixels of a row", 99, 1, 4096, 256},
    {"height", "rows", 120, 1, 4096, 128},
    {"channels", "channels", 24, 1, 4096, 32},
    {"window", "width and height of a window", 2, 1, 4096, 0},
    {"stride", "pixels, and rows, from window to window", 2, 1, 4096, 0},
    {"block", "threads a block", 256, 1, 256, 0},
    {0},
};

/* One direction: windows, and by how much the first reaches over the border. */
typedef struct {
  uint32_t in, out, pad;
} maxp_axis_t;

typedef struct {
  data_t data;
  maxp_axis_t x, y;
  uint32_t channels, window, stride, block;
  float *in, *got, *want;
} maxp_t;

/* TensorFlow's SAME: a window for every stride that begins inside. Of what reaches over the border,
 * the smaller half is in front. */
static maxp_axis_t maxp_axis(uint32_t in, uint32_t window, uint32_t stride) {
  const uint32_t out = (in + stride - 1) / stride, covered = (out - 1) * stride + window;
  return (maxp_axis_t){in, out, covered > in ? (covered - in) / 2 : 0};
}

static void *maxp_create(const int64_t *values, uint64_t seed) {
  maxp_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->channels = (uint32_t)values[CHANNELS];
  w->window = (uint32_t)values[WINDOW];
  w->stride = (uint32_t)values[STRIDE];
  w->block = (uint32_t)values[BLOCK];
  w->x = maxp_axis((uint32_t)values[WIDTH], w->window, w->stride);
  w->y = maxp_axis((uint32_t)values[HEIGHT], w->window, w->stride);
  w->in = data_floats(&w->data, &seed, (size_t)w->x.in * w->y.in * w->channels);
  w->got = data_array(&w->data, (size_t)w->x.out * w->y.out * w->channels, sizeof *w->got);
  w->want = data_array(&w->data, (size_t)w->x.out * w->y.out * w->channels, sizeof *w->want);
  return data_made(w);
}

/* The kernel's arguments in their order. */
static void maxp_args(const maxp_t *w, const runtime_t *rt, rt_ptr_t in, rt_ptr_t out, rt_args_t *args) {
  rt_args_init(args, rt);
  rt_arg_ptr(args, in);
  rt_arg_ptr(args, out);
  rt_arg_u32(args, w->x.in);
  rt_arg_u32(args, w->y.in);
  rt_arg_u32(args, w->channels);
  rt_arg_u32(args, w->x.out);
  rt_arg_u32(args, w->window);
  rt_arg_u32(args, w->stride);
  rt_arg_u32(args, w->x.pad);
  rt_arg_u32(args, w->y.pad);
}

static int maxp_run(void *state, const runtime_t *rt) {
  maxp_t *w = state;
  const size_t bytes = (size_t)w->x.out * w->y.out * w->channels * sizeof *w->got;
  rt_ptr_t in, out;
  int status = data_to_device(rt, &in, w->in, (size_t)w->x.in * w->y.in * w->channels * sizeof *w->in);
  if (!status) status = data_to_device(rt, &out, NULL, bytes);
  if (status) return status;
  rt_args_t args;
  maxp_args(w, rt, in, out, &args);
  const uint32_t channels = (uint32_t)data_least(w->channels, w->block), pixels = w->block / channels;
  const rt_dim3_t grid = {data_blocks(w->channels, channels), data_blocks(w->x.out, pixels), w->y.out};
  const rt_launch_t launch = {"maxp", grid, {channels, pixels, 1}, 0, args.bytes, args.size};
  status = rt->launch(rt->ctx, &launch);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->got, out, bytes);
}

/* Does pixel i of a direction belong to window o? */
static bool maxp_inside(const maxp_t *w, const maxp_axis_t *axis, uint32_t o, uint32_t i) {
  const int64_t from = (int64_t)o * w->stride - axis->pad;
  return i >= from && i < from + w->window;
}

/* Puts a pixel into every window that it belongs to: the other way round than the kernel. */
static void maxp_scatter(const maxp_t *w, uint32_t x, uint32_t y, const float *pixel) {
  const uint32_t back = (w->window + w->stride - 1) / w->stride;
  const uint32_t x0 = x / w->stride > back ? x / w->stride - back : 0,
                 y0 = y / w->stride > back ? y / w->stride - back : 0;
  for (uint32_t oy = y0; oy < w->y.out && (int64_t)oy * w->stride - w->y.pad <= y; oy++)
    for (uint32_t ox = x0; ox < w->x.out && (int64_t)ox * w->stride - w->x.pad <= x; ox++) {
      if (!maxp_inside(w, &w->x, ox, x) || !maxp_inside(w, &w->y, oy, y)) continue;
      float *want = w->want + ((size_t)oy * w->x.out + ox) * w->channels;
      for (uint32_t c = 0; c < w->channels; c++)
        if (pixel[c] > want[c]) want[c] = pixel[c];
    }
}

static bool maxp_check(const void *state, trouble_t *trouble) {
  const maxp_t *w = state;
  const size_t count = (size_t)w->x.out * w->y.out * w->channels;
  for (size_t i = 0; i < count; i++) w->want[i] = -INFINITY;
  for (uint32_t y = 0; y < w->y.in; y++)
    for (uint32_t x = 0; x < w->x.in; x++) maxp_scatter(w, x, y, w->in + ((size_t)y * w->x.in + x) * w->channels);
  return data_equal_f32("out", w->got, w->want, count, trouble);
}

const workload_t workload_maxp = {KERNEL_WORKLOAD(maxp), .params = params,    .create = maxp_create,
                                  .run = maxp_run,       .check = maxp_check, .destroy = data_destroy};
