/* SPDX-License-Identifier: Apache-2.0
 *
 * conv: 3 x 3 convolution with zero padding, TensorFlow's conv2d. Images are a plane a
 * channel; weights are row, column, input channel, output channel. A thread makes a pixel of
 * four output channels.
 */
#include <math.h>
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(conv);

enum { OUTPUTS_A_THREAD = 4 }; /* as in conv.cu */

enum { WIDTH, HEIGHT, INPUTS, OUTPUTS, BLOCK };
static const workload_param_t params[] = {
    {"width", "pixels of a row", 224, 1, 8192, 1024}, {"height", "rows", 112, 1, 8192, 128},
    {"inputs", "channels before", 3, 0, 1024, 0},     {"outputs", "channels after", 8, 1, 1024, 4},
    {"block", "threads a block", 256, 1, 256, 0},     {0},
};

typedef struct {
  data_t data;
  uint32_t width, height, inputs, outputs, block;
  float *in, *weight, *got, *want;
} conv_t;

/* Pixels of a channel. */
static size_t conv_plane(const conv_t *w) {
  return (size_t)w->width * w->height;
}

static size_t conv_weights(const conv_t *w) {
  return 9 * (size_t)w->inputs * w->outputs;
}

static void *conv_create(const int64_t *values, uint64_t seed) {
  conv_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->width = (uint32_t)values[WIDTH];
  w->height = (uint32_t)values[HEIGHT];
  w->inputs = (uint32_t)values[INPUTS];
  w->outputs = (uint32_t)values[OUTPUTS];
  w->block = (uint32_t)values[BLOCK];
  w->in = data_floats(&w->data, &seed, conv_plane(w) * w->inputs);
  w->weight = data_floats(&w->data, &seed, conv_weights(w));
  w->got = data_array(&w->data, conv_plane(w) * w->outputs, sizeof *w->got);
  w->want = data_array(&w->data, conv_plane(w) * w->outputs, sizeof *w->want);
  return data_made(w);
}

static int conv_run(void *state, const runtime_t *rt) {
  conv_t *w = state;
  const size_t bytes = conv_plane(w) * w->outputs * sizeof *w->got;
  rt_ptr_t in, weight, out;
  int status = data_to_device(rt, &in, w->in, conv_plane(w) * w->inputs * sizeof *w->in);
  if (!status) status = data_to_device(rt, &weight, w->weight, conv_weights(w) * sizeof *w->weight);
  if (!status) status = data_to_device(rt, &out, NULL, bytes);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, in);
  rt_arg_ptr(&args, weight);
  rt_arg_ptr(&args, out);
  rt_arg_u32(&args, w->width);
  rt_arg_u32(&args, w->height);
  rt_arg_u32(&args, w->inputs);
  rt_arg_u32(&args, w->outputs);
  const rt_dim3_t grid = {data_blocks(w->width, w->block), w->height, data_blocks(w->outputs, OUTPUTS_A_THREAD)};
  const rt_launch_t launch = {"conv", grid, {w->block, 1, 1}, 0, args.bytes, args.size};
  status = rt->launch(rt->ctx, &launch);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->got, out, bytes);
}

/* A pixel of a channel; 0 beyond the border. */
static float conv_pixel(const conv_t *w, uint32_t channel, int64_t x, int64_t y) {
  if (x < 0 || y < 0 || x >= w->width || y >= w->height) return 0;
  return w->in[(channel * (int64_t)w->height + y) * w->width + x];
}

/* Input channels in order. In each the nine products go by rows, each fused with its addition. */
static float conv_sum(const conv_t *w, uint32_t output, int64_t x, int64_t y) {
  float sum = 0;
  for (uint32_t c = 0; c < w->inputs; c++)
    for (uint32_t tap = 0; tap < 9; tap++)
      sum = fmaf(conv_pixel(w, c, x + tap % 3 - 1, y + tap / 3 - 1),
                 w->weight[((size_t)tap * w->inputs + c) * w->outputs + output], sum);
  return sum;
}

static bool conv_check(const void *state, trouble_t *trouble) {
  const conv_t *w = state;
  float *want = w->want;
  for (uint32_t o = 0; o < w->outputs; o++)
    for (uint32_t y = 0; y < w->height; y++)
      for (uint32_t x = 0; x < w->width; x++) *want++ = conv_sum(w, o, x, y);
  return data_equal_f32("out", w->got, w->want, conv_plane(w) * w->outputs, trouble);
}

const workload_t workload_conv = {KERNEL_WORKLOAD(conv), .params = params,    .create = conv_create,
                                  .run = conv_run,       .check = conv_check, .destroy = data_destroy};
