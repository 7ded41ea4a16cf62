/* SPDX-License-Identifier: Apache-2.0
 *
 * fwt: dyadic convolution by fast Walsh transforms, after the CUDA SDK.
 *
 *    transform(data), transform(kernel), data *= kernel / n, transform(data)
 *    a transform:  fwt4 (two levels in global memory) ... until parts fit: fwt_part (shared memory)
 */
#include "fwt/fwt.h"

#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(fwt);

static const workload_param_t params[] = {
    /* in the order of fwt.h */
    {"log2n", "length of the data, as a power of two", 16, 2, 26, 22},
    {"log2kernel", "length of the kernel, which zeros make as long as the data", 11, 0, 26, 17},
    {"block", "threads a block, but where a block does a part", 256, 1, 1024, 0},
    {0},
};

enum { LOG2_PART = 11, MODULATE_BLOCKS = 128 }; /* as in the SDK */

typedef struct {
  data_t data;
  uint32_t log2n, n, block;
  float scale, *in, *kernel, *got, *want, *want_kernel;
} fwt_t;

void *fwt_create(const int64_t *values, uint64_t seed) {
  fwt_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->log2n = (uint32_t)values[FWT_LOG2N];
  w->n = 1u << w->log2n;
  w->block = (uint32_t)values[FWT_BLOCK];
  w->scale = 1.0f / (float)w->n;
  w->in = data_floats(&w->data, &seed, w->n);
  w->kernel = data_floats(&w->data, &seed, w->n);
  for (size_t i = (size_t)1 << values[FWT_LOG2KERNEL]; w->kernel && i < w->n; i++) w->kernel[i] = 0;
  w->got = data_array(&w->data, w->n, sizeof *w->got);
  w->want = data_array(&w->data, w->n, sizeof *w->want);
  w->want_kernel = data_array(&w->data, w->n, sizeof *w->want_kernel);
  return data_made(w);
}

/* Two levels of the transform: distances 2 * stride and stride. */
static int fwt_step(const fwt_t *w, const runtime_t *rt, rt_ptr_t data, uint32_t stride) {
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, data);
  rt_arg_u32(&args, w->n);
  rt_arg_u32(&args, stride);
  return rt_launch_1d(rt, "fwt4", w->n / 4, w->block, &args);
}

/* The remaining levels: a block does a part of 2^log2n elements. */
static int fwt_parts(const fwt_t *w, const runtime_t *rt, rt_ptr_t data, uint32_t log2n) {
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, data);
  rt_arg_u32(&args, log2n);
  const rt_launch_t launch = {
      "fwt_part", {w->n >> log2n, 1, 1}, {1u << log2n >> 2, 1, 1}, (uint32_t)sizeof *w->in << log2n, args.bytes,
      args.size};
  return rt->launch(rt->ctx, &launch);
}

static int fwt_transform(const fwt_t *w, const runtime_t *rt, rt_ptr_t data) {
  uint32_t log2n = w->log2n;
  int status = 0;
  for (; !status && log2n > LOG2_PART; log2n -= 2) status = fwt_step(w, rt, data, 1u << log2n >> 2);
  return status ? status : fwt_parts(w, rt, data, log2n);
}

static int fwt_modulate(const fwt_t *w, const runtime_t *rt, rt_ptr_t data, rt_ptr_t kernel) {
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, data);
  rt_arg_ptr(&args, kernel);
  rt_arg_u32(&args, w->n);
  rt_arg_f32(&args, w->scale);
  return rt_launch_1d(rt, "fwt_modulate", (uint64_t)MODULATE_BLOCKS * w->block, w->block, &args);
}

int fwt_run(void *state, const runtime_t *rt) {
  fwt_t *w = state;
  const size_t bytes = w->n * sizeof *w->in;
  rt_ptr_t data, kernel;
  int status = data_to_device(rt, &data, w->in, bytes);
  if (!status) status = data_to_device(rt, &kernel, w->kernel, bytes);
  if (!status) status = fwt_transform(w, rt, data);
  if (!status) status = fwt_transform(w, rt, kernel);
  if (!status) status = fwt_modulate(w, rt, data, kernel);
  if (!status) status = fwt_transform(w, rt, data);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->got, data, bytes);
}

/* Plain radix-2 butterflies of one level. There are additions only, so their order is
 * all that matters. */
static void fwt_level(float *data, uint32_t n, uint32_t distance) {
  for (uint32_t i = 0; i < n; i++) {
    if (i & distance) continue;
    const float a = data[i], b = data[i + distance];
    data[i] = a + b;
    data[i + distance] = a - b;
  }
}

static void want_transform(float *data, uint32_t n) {
  for (uint32_t distance = n / 2; distance; distance /= 2) fwt_level(data, n, distance);
}

bool fwt_check(const void *state, trouble_t *trouble) {
  const fwt_t *w = state;
  memcpy(w->want, w->in, w->n * sizeof *w->in);
  memcpy(w->want_kernel, w->kernel, w->n * sizeof *w->kernel);
  want_transform(w->want, w->n);
  want_transform(w->want_kernel, w->n);
  for (uint32_t i = 0; i < w->n; i++) w->want[i] *= w->want_kernel[i] * w->scale;
  want_transform(w->want, w->n);
  return data_equal_f32("data", w->got, w->want, w->n, trouble);
}

const workload_t workload_fwt = {KERNEL_WORKLOAD(fwt), .params = params,   .create = fwt_create,
                                 .run = fwt_run,       .check = fwt_check, .destroy = data_destroy};
