/* SPDX-License-Identifier: Apache-2.0
 *
 * bprop: a training step of a perceptron with 16 hidden units, after Rodinia's backprop.
 *
 *    bprop_forward   products and sums of 16 inputs each        on the device
 *    hidden_errors   hidden values, output, errors              on the host
 *    bprop_adjust    new weights                                on the device
 *
 * Weights are (points + 1) x 17. Row 0 is for the constant input, the others for the inputs. Column
 * 0 is not used, the others are for the hidden units.
 */
#include "bprop/bprop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(bprop);

static const workload_param_t params[] = {
    /* in the order of bprop.h */
    {"points", "inputs, made a multiple of 16", 80000, 1, 1 << 20, 1 << 19},
    {0},
};

enum { HIDDEN = 16, COLUMNS = HIDDEN + 1 }; /* as the kernels have it */
static const double rate = 0.3, momentum = 0.3;

typedef struct {
  data_t data;
  uint32_t points;
  float *input, *weight, *last, *output; /* output: weights of the only output unit, the constant's first */
  float target;
  /* what bprop_forward leaves: products' tree in the place of the weights, and sums of
   * 16 inputs each */
  float *tree, *sums;
  float *new_weight, *new_last, *want; /* what bprop_adjust leaves; want: the reference, of one array after another */
} bprop_t;

static size_t weights_of(const bprop_t *w) {
  return (size_t)(w->points + 1) * COLUMNS;
}

void *bprop_create(const int64_t *values, uint64_t seed) {
  bprop_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->points = data_blocks((uint32_t)values[BPROP_POINTS], HIDDEN) * HIDDEN;
  const size_t weights = weights_of(w);
  w->input = data_floats(&w->data, &seed, w->points + 1);
  w->weight = data_floats(&w->data, &seed, weights);
  w->last = data_floats(&w->data, &seed, weights);
  w->output = data_floats(&w->data, &seed, COLUMNS + 1);
  w->tree = data_array(&w->data, weights, sizeof *w->tree);
  w->sums = data_array(&w->data, w->points, sizeof *w->sums);
  w->new_weight = data_array(&w->data, weights, sizeof *w->new_weight);
  w->new_last = data_array(&w->data, weights, sizeof *w->new_last);
  w->want = data_array(&w->data, 2 * weights + w->points, sizeof *w->want);
  if (!w->data.failed) w->input[0] = 1, w->target = w->output[COLUMNS];
  return data_made(w);
}

/* The logistic function, as Rodinia has it. */
static float squash(float sum) {
  return 1 / (1 + expf(-sum));
}

/* The host's part between the kernels: the hidden units' values from the sums, the output, and the
 * hidden units' errors. error[0] is not used. */
static void hidden_errors(const bprop_t *w, const float *sums, float *error) {
  float hidden[COLUMNS] = {1};
  float out = w->output[0];
  for (uint32_t h = 1; h < COLUMNS; h++) {
    float sum = w->weight[h];
    for (uint32_t block = 0; block < w->points / HIDDEN; block++) sum += sums[block * HIDDEN + h - 1];
    hidden[h] = squash(sum);
    out = fmaf(hidden[h], w->output[h], out);
  }
  out = squash(out);
  const float output_error = out * (1 - out) * (w->target - out);
  error[0] = 0;
  for (uint32_t h = 1; h < COLUMNS; h++) error[h] = hidden[h] * (1 - hidden[h]) * (output_error * w->output[h]);
}

static int bprop_launch(const bprop_t *w, const runtime_t *rt, const char *kernel, const rt_args_t *args) {
  const rt_launch_t launch = {kernel, {1, w->points / HIDDEN, 1}, {HIDDEN, HIDDEN, 1}, 0, args->bytes, args->size};
  return rt->launch(rt->ctx, &launch);
}

/* Leaves the products' tree in the place of the weights, so bprop_adjust copies the weights
 * again. */
static int bprop_forward(bprop_t *w, const runtime_t *rt, rt_ptr_t input, rt_ptr_t weight) {
  const size_t weight_bytes = weights_of(w) * sizeof *w->weight, sum_bytes = w->points * sizeof *w->sums;
  rt_ptr_t sums;
  int status = data_to_device(rt, &sums, NULL, sum_bytes);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, input);
  rt_arg_ptr(&args, weight);
  rt_arg_ptr(&args, sums);
  status = bprop_launch(w, rt, "bprop_forward", &args);
  if (!status) status = rt->memcpy_d2h(rt->ctx, w->tree, weight, weight_bytes);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->sums, sums, sum_bytes);
}

static int bprop_adjust(bprop_t *w, const runtime_t *rt, rt_ptr_t input, rt_ptr_t weight) {
  const size_t bytes = weights_of(w) * sizeof *w->weight;
  float errors[COLUMNS];
  rt_ptr_t error, last;
  hidden_errors(w, w->sums, errors);
  int status = data_to_device(rt, &error, errors, sizeof errors);
  if (!status) status = data_to_device(rt, &last, w->last, bytes);
  if (!status) status = rt->memcpy_h2d(rt->ctx, weight, w->weight, bytes);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, error);
  rt_arg_ptr(&args, input);
  rt_arg_ptr(&args, weight);
  rt_arg_ptr(&args, last);
  status = bprop_launch(w, rt, "bprop_adjust", &args);
  if (!status) status = rt->memcpy_d2h(rt->ctx, w->new_weight, weight, bytes);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->new_last, last, bytes);
}

int bprop_run(void *state, const runtime_t *rt) {
  bprop_t *w = state;
  rt_ptr_t input, weight;
  int status = data_to_device(rt, &input, w->input, (w->points + 1) * sizeof *w->input);
  if (!status) status = data_to_device(rt, &weight, w->weight, weights_of(w) * sizeof *w->weight);
  if (!status) status = bprop_forward(w, rt, input, weight);
  return status ? status : bprop_adjust(w, rt, input, weight);
}

/* The tree's order: sums of neighbours, then of pairs that are two apart, and so on. */
static void want_forward(const bprop_t *w, float *tree, float *sums) {
  memcpy(tree, w->weight, weights_of(w) * sizeof *tree);
  for (uint32_t first = 0; first < w->points; first += HIDDEN)
    for (uint32_t h = 0; h < HIDDEN; h++) {
      float *at = &tree[(size_t)(first + 1) * COLUMNS + h + 1];
      for (uint32_t y = 0; y < HIDDEN; y++) at[y * COLUMNS] *= w->input[first + y + 1];
      for (uint32_t apart = 2; apart <= HIDDEN; apart *= 2)
        for (uint32_t y = 0; y < HIDDEN; y += apart) at[y * COLUMNS] += at[(y + apart / 2) * COLUMNS];
      sums[first + h] = at[0];
    }
}

/* In binary64. The product with the input is fused with the addition; in the constant input's row
 * it is the product with the rate. */
static void want_adjust(const bprop_t *w, const float *error, float *weight, float *last) {
  memcpy(weight, w->weight, weights_of(w) * sizeof *weight);
  memcpy(last, w->last, weights_of(w) * sizeof *last);
  for (uint32_t row = 0; row <= w->points; row++)
    for (uint32_t h = 1; h < COLUMNS; h++) {
      const size_t at = (size_t)row * COLUMNS + h;
      const double before = (double)last[at] * momentum, by = row ? (double)error[h] * rate : (double)error[h];
      const double step = fma(by, row ? (double)w->input[row] : rate, before);
      weight[at] = (float)(step + (double)weight[at]);
      last[at] = (float)step;
    }
}

bool bprop_check(const void *state, trouble_t *trouble) {
  const bprop_t *w = state;
  const size_t weights = weights_of(w);
  float *first = w->want, *second = first + weights, *sums = second + weights, error[COLUMNS];
  want_forward(w, first, sums);
  if (!data_equal_f32("tree", w->tree, first, weights, trouble) ||
      !data_equal_f32("sums", w->sums, sums, w->points, trouble))
    return false;
  hidden_errors(w, sums, error);
  want_adjust(w, error, first, second);
  return data_equal_f32("weight", w->new_weight, first, weights, trouble) &&
         data_equal_f32("last", w->new_last, second, weights, trouble);
}

const workload_t workload_bprop = {KERNEL_WORKLOAD(bprop), .params = params,     .create = bprop_create,
                                   .run = bprop_run,       .check = bprop_check, .destroy = data_destroy};
