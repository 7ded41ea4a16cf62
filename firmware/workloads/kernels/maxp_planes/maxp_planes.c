/* SPDX-License-Identifier: Apache-2.0
 *
 * maxp_planes: max pooling of windows of 2 x 2 at a stride of 2. The four pixels of a window are at
 * one place in four planes (TensorFlow's space_to_depth).
 */
#include <math.h>
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(maxp_planes);

enum { N, BLOCK, BLOCKS };
enum { PLANES = 4 };
static const workload_param_t params[] = {
    {"n", "pixels of a plane; a multiple of 131,072 for planes that begin at one core", 131072, 1, 1 << 26, 1 << 20},
    {"block", "threads a block", 128, 1, 256, 0},
    {"blocks", "blocks at most; the threads go on through what is left", 1024, 1, 65535, 0},
    {0},
};

typedef struct {
  data_t data;
  uint32_t n, block, blocks;
  float *in, *got, *want;
} maxp_planes_t;

static void *maxp_planes_create(const int64_t *values, uint64_t seed) {
  maxp_planes_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->n = (uint32_t)values[N];
  w->block = (uint32_t)values[BLOCK];
  w->blocks = (uint32_t)values[BLOCKS];
  w->in = data_floats(&w->data, &seed, (size_t)PLANES * w->n);
  w->got = data_array(&w->data, w->n, sizeof *w->got);
  w->want = data_array(&w->data, w->n, sizeof *w->want);
  return data_made(w);
}

static int maxp_planes_run(void *state, const runtime_t *rt) {
  maxp_planes_t *w = state;
  const size_t bytes = w->n * sizeof *w->in;
  rt_ptr_t in, out;
  int status = data_to_device(rt, &in, w->in, PLANES * bytes);
  if (!status) status = data_to_device(rt, &out, NULL, bytes);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, in);
  rt_arg_ptr(&args, out);
  rt_arg_u32(&args, w->n);
  status = rt_launch_1d(rt, "maxp_planes", data_least(w->n, (uint64_t)w->blocks * w->block), w->block, &args);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->got, out, bytes);
}

/* The order of the four does not matter: no element is a NaN. */
static bool maxp_planes_check(const void *state, trouble_t *trouble) {
  const maxp_planes_t *w = state;
  for (uint32_t i = 0; i < w->n; i++) {
    w->want[i] = w->in[i];
    for (unsigned plane = 1; plane < PLANES; plane++) w->want[i] = fmaxf(w->want[i], w->in[i + (size_t)plane * w->n]);
  }
  return data_equal_f32("out", w->got, w->want, w->n, trouble);
}

const workload_t workload_maxp_planes = {KERNEL_WORKLOAD(maxp_planes), .params = params,
                                         .create = maxp_planes_create, .run = maxp_planes_run,
                                         .check = maxp_planes_check,   .destroy = data_destroy};
