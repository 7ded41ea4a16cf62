/* SPDX-License-Identifier: Apache-2.0
 *
 * stn: one step of a 7-point stencil, after Parboil. A block is a row of x; points of the border
 * stay as they are. Point (x, y, z) is at x + nx * (y + ny * z).
 */
#include <math.h>
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(stn);

enum { NX, NY, NZ };
static const workload_param_t params[] = {
    {"nx", "points in x", 256, 3, 1025, 512},
    {"ny", "points in y", 128, 3, 4096, 512},
    {"nz", "points in z", 16, 3, 512, 64},
    {0},
};

typedef struct {
  data_t data;
  uint32_t nx, ny, nz;
  float c0, c1, *from, *to, *want;
} stn_t;

static void *stn_create(const int64_t *values, uint64_t seed) {
  stn_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->nx = (uint32_t)values[NX];
  w->ny = (uint32_t)values[NY];
  w->nz = (uint32_t)values[NZ];
  w->c0 = 0.166666672f;
  w->c1 = 0.0277777780f;
  const size_t points = (size_t)w->nx * w->ny * w->nz;
  w->from = data_floats(&w->data, &seed, points);
  w->to = data_array(&w->data, points, sizeof *w->to);
  w->want = data_array(&w->data, points, sizeof *w->want);
  return data_made(w);
}

/* The array `to` is copied as well: the border's points keep its zeros. */
static int stn_run(void *state, const runtime_t *rt) {
  stn_t *w = state;
  const size_t bytes = (size_t)w->nx * w->ny * w->nz * sizeof *w->from;
  rt_ptr_t from, to;
  int status = data_to_device(rt, &from, w->from, bytes);
  if (!status) status = data_to_device(rt, &to, w->to, bytes);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_f32(&args, w->c0);
  rt_arg_f32(&args, w->c1);
  rt_arg_ptr(&args, from);
  rt_arg_ptr(&args, to);
  rt_arg_u32(&args, w->nx);
  rt_arg_u32(&args, w->ny);
  rt_arg_u32(&args, w->nz);
  const rt_launch_t launch = {"stn", {w->ny - 2, w->nz - 2, 1}, {w->nx - 1, 1, 1}, 0, args.bytes, args.size};
  status = rt->launch(rt->ctx, &launch);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->to, to, bytes);
}

/* The six neighbours are added from left to right. The last multiplication is fused
 * with the subtraction. */
static float stn_point(const stn_t *w, size_t at) {
  const float *f = w->from + at;
  const size_t row = w->nx, plane = (size_t)w->nx * w->ny;
  const float sum = f[plane] + f[-(ptrdiff_t)plane] + f[row] + f[-(ptrdiff_t)row] + f[1] + f[-1];
  return fmaf(sum, w->c1, -(f[0] * w->c0));
}

static bool stn_check(const void *state, trouble_t *trouble) {
  const stn_t *w = state;
  for (uint32_t z = 1; z + 1 < w->nz; z++)
    for (uint32_t y = 1; y + 1 < w->ny; y++)
      for (uint32_t x = 1; x + 1 < w->nx; x++) {
        const size_t at = x + w->nx * ((size_t)y + w->ny * (size_t)z);
        w->want[at] = stn_point(w, at);
      }
  return data_equal_f32("to", w->to, w->want, (size_t)w->nx * w->ny * w->nz, trouble);
}

const workload_t workload_stn = {KERNEL_WORKLOAD(stn), .params = params,   .create = stn_create,
                                 .run = stn_run,       .check = stn_check, .destroy = data_destroy};
