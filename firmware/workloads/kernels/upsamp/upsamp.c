/* SPDX-License-Identifier: Apache-2.0
 *
 * upsamp: an image twice as wide and high, after Halide's upsample. A new pixel is 3/4 the nearest
 * old one and 1/4 the next, in each direction.
 *
 *    old:      0       1       2           new 2 k lies before old k, new 2 k + 1 behind it
 *    new:    0   1   2   3   4   5
 */
#include <math.h>
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(upsamp);

enum { WIDTH, HEIGHT, BLOCK };
static const workload_param_t params[] = {
    {"width", "pixels of a row before", 301, 1, 8192, 512},
    {"height", "rows before", 200, 1, 8192, 128},
    {"block", "threads a block", 256, 1, 256, 0},
    {0},
};

typedef struct {
  data_t data;
  uint32_t width, height, block;
  float *in, *got, *want;
} upsamp_t;

static void *upsamp_create(const int64_t *values, uint64_t seed) {
  upsamp_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->width = (uint32_t)values[WIDTH];
  w->height = (uint32_t)values[HEIGHT];
  w->block = (uint32_t)values[BLOCK];
  const size_t pixels = (size_t)w->width * w->height;
  w->in = data_floats(&w->data, &seed, pixels);
  w->got = data_array(&w->data, 4 * pixels, sizeof *w->got);
  w->want = data_array(&w->data, 4 * pixels, sizeof *w->want);
  return data_made(w);
}

static int upsamp_run(void *state, const runtime_t *rt) {
  upsamp_t *w = state;
  const size_t bytes = (size_t)w->width * w->height * sizeof *w->in;
  rt_ptr_t in, out;
  int status = data_to_device(rt, &in, w->in, bytes);
  if (!status) status = data_to_device(rt, &out, NULL, 4 * bytes);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, in);
  rt_arg_ptr(&args, out);
  rt_arg_u32(&args, w->width);
  rt_arg_u32(&args, w->height);
  const rt_dim3_t grid = {data_blocks(2 * w->width, w->block), 2 * w->height, 1};
  const rt_launch_t launch = {"upsamp", grid, {w->block, 1, 1}, 0, args.bytes, args.size};
  status = rt->launch(rt->ctx, &launch);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->got, out, 4 * bytes);
}

/* The old element nearest to a new one. upsamp_next is the one on its other side,
 * within the border. */
static uint32_t upsamp_nearest(uint32_t at) {
  return at / 2;
}

static uint32_t upsamp_next(uint32_t at, uint32_t count) {
  const int64_t next = (int64_t)at / 2 - 1 + 2 * (at % 2);
  if (next < 0) return 0;
  return next >= count ? count - 1 : (uint32_t)next;
}

/* The product with 3/4 is fused with the addition. */
static float upsamp_blend(float nearest, float next) {
  return fmaf(nearest, 0.75f, next * 0.25f);
}

static float upsamp_column(const upsamp_t *w, uint32_t x, uint32_t y) {
  return upsamp_blend(w->in[(size_t)upsamp_nearest(y) * w->width + x],
                      w->in[(size_t)upsamp_next(y, w->height) * w->width + x]);
}

static bool upsamp_check(const void *state, trouble_t *trouble) {
  const upsamp_t *w = state;
  float *want = w->want;
  for (uint32_t y = 0; y < 2 * w->height; y++)
    for (uint32_t x = 0; x < 2 * w->width; x++)
      *want++ = upsamp_blend(upsamp_column(w, upsamp_nearest(x), y), upsamp_column(w, upsamp_next(x, w->width), y));
  return data_equal_f32("out", w->got, w->want, 4 * (size_t)w->width * w->height, trouble);
}

const workload_t workload_upsamp = {KERNEL_WORKLOAD(upsamp), .params = params,      .create = upsamp_create,
                                    .run = upsamp_run,       .check = upsamp_check, .destroy = data_destroy};
