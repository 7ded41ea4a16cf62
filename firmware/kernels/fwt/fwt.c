/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(fwt);

enum { LOG2N, BLOCK };
static const workload_param_t params[] = {
    {"log2n", "length of the data, as a power of two", 16, 0, 26, 0},
    {"block", "threads a block", 256, 1, 1024, 0},
    {0},
};

typedef struct {
  data_t data;
  uint32_t n, block;
  float scale, *in, *factor, *got, *want;
} fwt_t;

static void *fwt_create(const int64_t *values, uint64_t seed) {
  fwt_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->n = 1u << values[LOG2N];
  w->block = (uint32_t)values[BLOCK];
  w->in = data_floats(&w->data, &seed, w->n);
  w->factor = data_floats(&w->data, &seed, w->n);
  w->scale = 1.0f / (float)w->n;
  w->got = data_array(&w->data, w->n, sizeof *w->got);
  w->want = data_array(&w->data, w->n, sizeof *w->want);
  return data_made(w);
}

static int fwt_step(const fwt_t *w, const runtime_t *rt, const char *kernel, rt_ptr_t data, uint32_t stride, uint32_t threads) {
  rt_args_t args;
  rt_args_init(&args);
  rt_arg_ptr(&args, data);
  rt_arg_u32(&args, w->n);
  rt_arg_u32(&args, stride);
  return rt_launch_1d(rt, kernel, threads, w->block, &args);
}

static int fwt_modulate(const fwt_t *w, const runtime_t *rt, rt_ptr_t data, rt_ptr_t factor) {
  rt_args_t args;
  rt_args_init(&args);
  rt_arg_ptr(&args, data);
  rt_arg_ptr(&args, factor);
  rt_arg_u32(&args, w->n);
  rt_arg_f32(&args, w->scale);
  return rt_launch_1d(rt, "fwt_modulate", w->n, w->block, &args);
}

static int fwt_run(void *state, const runtime_t *rt) {
  fwt_t *w = state;
  const size_t bytes = w->n * sizeof *w->in;
  rt_ptr_t data, factor;
  int status = data_to_device(rt, &data, w->in, bytes);
  if (!status) status = data_to_device(rt, &factor, w->factor, bytes);
  uint32_t stride = w->n / 4;
  for (; !status && stride; stride /= 4) status = fwt_step(w, rt, "fwt4", data, stride, w->n / 4);
  if (!status && __builtin_ctz(w->n) % 2) status = fwt_step(w, rt, "fwt2", data, 1, w->n / 2);
  if (!status) status = fwt_modulate(w, rt, data, factor);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->got, data, bytes);
}

/* Plain radix-2 butterflies, two levels at a time as the kernel pairs them; additions only, so the order is all that matters. */
static void fwt_level(float *data, uint32_t n, uint32_t distance) {
  for (uint32_t i = 0; i < n; i++) {
    if (i & distance) continue;
    const float a = data[i], b = data[i + distance];
    data[i] = a + b;
    data[i + distance] = a - b;
  }
}

static bool fwt_check(const void *state, char *why, size_t size) {
  const fwt_t *w = state;
  memcpy(w->want, w->in, w->n * sizeof *w->in);
  for (uint32_t distance = w->n / 2; distance; distance /= 2) fwt_level(w->want, w->n, distance);
  for (uint32_t i = 0; i < w->n; i++) w->want[i] *= w->factor[i] * w->scale;
  return data_equal_f32("data", w->got, w->want, w->n, why, size);
}

const workload_t workload_fwt = {KERNEL_WORKLOAD(fwt), .params = params, .create = fwt_create, .run = fwt_run, .check = fwt_check, .destroy = data_destroy};
