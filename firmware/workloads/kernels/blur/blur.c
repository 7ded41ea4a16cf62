/* SPDX-License-Identifier: Apache-2.0
 *
 * blur: 3 x 3 box blur of one image; pixels beyond the border are the nearest inside. A block has a
 * part of one row.
 */
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(blur);

enum { WIDTH, HEIGHT, BLOCK };
static const workload_param_t params[] = {
    {"width", "pixels of a row", 600, 1, 16384, 1024},
    {"height", "rows", 401, 1, 16384, 256},
    {"block", "threads a block", 256, 1, 256, 0},
    {0},
};

typedef struct {
  data_t data;
  uint32_t width, height, block;
  float *in, *got, *want;
} blur_t;

static void *blur_create(const int64_t *values, uint64_t seed) {
  blur_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->width = (uint32_t)values[WIDTH];
  w->height = (uint32_t)values[HEIGHT];
  w->block = (uint32_t)values[BLOCK];
  const size_t pixels = (size_t)w->width * w->height;
  w->in = data_floats(&w->data, &seed, pixels);
  w->got = data_array(&w->data, pixels, sizeof *w->got);
  w->want = data_array(&w->data, pixels, sizeof *w->want);
  return data_made(w);
}

static int blur_run(void *state, const runtime_t *rt) {
  blur_t *w = state;
  const size_t bytes = (size_t)w->width * w->height * sizeof *w->in;
  rt_ptr_t in, out;
  int status = data_to_device(rt, &in, w->in, bytes);
  if (!status) status = data_to_device(rt, &out, NULL, bytes);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, in);
  rt_arg_ptr(&args, out);
  rt_arg_u32(&args, w->width);
  rt_arg_u32(&args, w->height);
  const rt_dim3_t grid = {data_blocks(w->width, w->block), w->height, 1};
  const rt_launch_t launch = {"blur", grid, {w->block, 1, 1}, 0, args.bytes, args.size};
  status = rt->launch(rt->ctx, &launch);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->got, out, bytes);
}

/* Three pixels from above to below. */
static float blur_column(const blur_t *w, int64_t x, int64_t y) {
  const int64_t right = w->width - 1, bottom = w->height - 1;
  const float *column = w->in;
  if (x > 0) column += x > right ? right : x;
  return column[(y > 0 ? y - 1 : 0) * w->width] + column[y * w->width] +
         column[(y < bottom ? y + 1 : bottom) * w->width];
}

/* Three such sums from left to right, then a product: nothing can be fused. */
static bool blur_check(const void *state, trouble_t *trouble) {
  const blur_t *w = state;
  for (int64_t y = 0; y < w->height; y++)
    for (int64_t x = 0; x < w->width; x++)
      w->want[y * w->width + x] =
          (blur_column(w, x - 1, y) + blur_column(w, x, y) + blur_column(w, x + 1, y)) * (1.0f / 9.0f);
  return data_equal_f32("out", w->got, w->want, (size_t)w->width * w->height, trouble);
}

const workload_t workload_blur = {KERNEL_WORKLOAD(blur), .params = params,    .create = blur_create,
                                  .run = blur_run,       .check = blur_check, .destroy = data_destroy};
