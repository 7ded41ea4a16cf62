/* SPDX-License-Identifier: Apache-2.0
 *
 * ttrans: the three axes of a tensor in another order, written for the MPU. x is the source's
 * innermost axis. Kernel ttrans turns tiles of x and p in shared memory; ttrans_rows moves whole
 * rows, if x stays the innermost axis.
 */
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(ttrans);

enum { NX, NY, NZ, ORDER, TILE = 32, STEP = 8 };
static const workload_param_t params[] = {
    {"nx", "length of x, the source's innermost axis", 67, 1, 65535, 128},
    {"ny", "length of y", 33, 1, 65535, 64},
    {"nz", "length of z, the source's outermost axis", 45, 1, 65535, 128},
    {"order", "the result's axes, outermost first: 0 zxy, 1 xzy, 2 yxz, 3 xyz, 4 yzx, 5 zyx", 3, 0, 5, 0},
    {0},
};

enum { X, Y, Z, AXES };
static const uint8_t orders[][AXES] = {{Z, X, Y}, {X, Z, Y}, {Y, X, Z}, {X, Y, Z}, {Y, Z, X}, {Z, Y, X}};

typedef struct {
  data_t data;
  size_t count;
  uint32_t length[AXES], from[AXES], to[AXES]; /* of each axis, and the distance of neighbours on both sides */
  uint8_t p, q;                                /* p: the result's innermost axis if that is not x, else the next */
  bool turns;                                  /* it is not x */
  float *in, *out, *want;
} ttrans_t;

/* Distances of neighbours along each axis: `from` in the source, `to` in the result,
 * innermost axis first. */
static void *ttrans_create(const int64_t *values, uint64_t seed) {
  ttrans_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  const uint8_t *order = orders[values[ORDER]];
  for (unsigned axis = 0; axis < AXES; axis++) w->length[axis] = (uint32_t)values[axis];
  for (unsigned axis = 0, distance = 1; axis < AXES; distance *= w->length[axis++]) w->from[axis] = distance;
  for (unsigned i = AXES, distance = 1; i--; distance *= w->length[order[i]]) w->to[order[i]] = distance;
  w->turns = order[2] != X;
  w->p = w->turns ? order[2] : order[1];
  w->q = (uint8_t)(Y + Z - w->p);
  w->count = (size_t)w->length[X] * w->length[Y] * w->length[Z];
  w->in = data_floats(&w->data, &seed, w->count);
  w->out = data_array(&w->data, w->count, sizeof *w->out);
  w->want = data_array(&w->data, w->count, sizeof *w->want);
  return data_made(w);
}

/* Tiles of 32 that cover an axis. */
static uint32_t tiles_of_axis(uint32_t length) {
  return (length + TILE - 1) / TILE;
}

static int ttrans_run(void *state, const runtime_t *rt) {
  ttrans_t *w = state;
  rt_ptr_t in, out;
  int status = data_to_device(rt, &in, w->in, w->count * sizeof *w->in);
  if (!status) status = data_to_device(rt, &out, NULL, w->count * sizeof *w->out);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, in);
  rt_arg_ptr(&args, out);
  rt_arg_u32(&args, w->length[X]);
  rt_arg_u32(&args, w->length[w->p]);
  rt_arg_u32(&args, w->from[w->p]);
  rt_arg_u32(&args, w->from[w->q]);
  rt_arg_u32(&args, w->turns ? w->to[X] : w->to[w->p]);
  rt_arg_u32(&args, w->to[w->q]);
  const rt_launch_t launch = {w->turns ? "ttrans" : "ttrans_rows",
                              {tiles_of_axis(w->length[X]), tiles_of_axis(w->length[w->p]), w->length[w->q]},
                              {TILE, STEP, 1},
                              0,
                              args.bytes,
                              args.size};
  status = rt->launch(rt->ctx, &launch);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->out, out, w->count * sizeof *w->out);
}

/* The source in its own order, each element put where the distances say. */
static bool ttrans_check(const void *state, trouble_t *trouble) {
  const ttrans_t *w = state;
  const float *in = w->in;
  for (size_t z = 0; z < w->length[Z]; z++)
    for (size_t y = 0; y < w->length[Y]; y++)
      for (size_t x = 0; x < w->length[X]; x++) w->want[z * w->to[Z] + y * w->to[Y] + x * w->to[X]] = *in++;
  return data_equal_f32("out", w->out, w->want, w->count, trouble);
}

const workload_t workload_ttrans = {KERNEL_WORKLOAD(ttrans), .params = params,      .create = ttrans_create,
                                    .run = ttrans_run,       .check = ttrans_check, .destroy = data_destroy};
