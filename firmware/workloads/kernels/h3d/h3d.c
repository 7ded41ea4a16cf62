/* SPDX-License-Identifier: Apache-2.0
 *
 * h3d: temperatures of a chip of several layers, after Rodinia's hotspot3D. A launch is a step of
 * time; two arrays take turns. Cell (x, y, z) is at x + side * (y + side * z).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(h3d);

enum { SIDE, LAYERS, STEPS };
static const workload_param_t params[] = {
    {"side", "cells a row and a column of the chip", 128, 1, 4096, 512},
    {"layers", "layers of the chip", 8, 1, 64, 0},
    {"steps", "steps of time, a launch each", 4, 1, 1000, 26},
    {0},
};

enum { WIDE = 64, HIGH = 4 }; /* threads of a block */
static const float ambient = 80;

/* The weights of a cell's next temperature: of its power, its neighbours along each
 * axis, and itself. */
typedef struct {
  float power, x, y, z, itself;
} share_t;

typedef struct {
  data_t data;
  uint32_t side, layers, steps;
  share_t share;
  float *power, *start, *got, *want[2];
} h3d_t;

/* Of a chip of silicon, 16 mm x 16 mm x 0.5 mm. In a step no cell can change by more than a
 * thousandth of a degree. */
static share_t h3d_shares(uint32_t side, uint32_t layers) {
  const double thick = 0.0005, wide = 0.016, heat = 1.75e6, conducts = 100, fitted = 0.5, most_power = 3e6,
               precision = 0.001;
  const double dx = wide / side, dz = thick / layers, capacity = fitted * heat * thick * dx * dx;
  const double step = precision / (most_power / (fitted * thick * heat)), by_power = step / capacity;
  const double along = by_power * 2 * conducts * thick, up = by_power * conducts * dx * dx / dz;
  return (share_t){(float)by_power, (float)along, (float)along, (float)up, (float)(1 - (4 * along + 3 * up))};
}

static size_t cells_of(const h3d_t *w) {
  return (size_t)w->side * w->side * w->layers;
}

static void *h3d_create(const int64_t *values, uint64_t seed) {
  h3d_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->side = (uint32_t)values[SIDE];
  w->layers = (uint32_t)values[LAYERS];
  w->steps = (uint32_t)values[STEPS];
  w->share = h3d_shares(w->side, w->layers);
  const size_t cells = cells_of(w);
  w->power = data_floats(&w->data, &seed, cells);
  w->start = data_floats(&w->data, &seed, cells);
  w->got = data_array(&w->data, cells, sizeof *w->got);
  for (unsigned i = 0; i < 2; i++) w->want[i] = data_array(&w->data, cells, sizeof *w->want[i]);
  for (size_t i = 0; !w->data.failed && i < cells; i++) {
    w->power[i] = fabsf(w->power[i]) * 0.001f;
    w->start[i] = ambient + 10 * w->start[i];
  }
  return data_made(w);
}

/* A launch reads `in` and writes `out`; a thread goes through all layers of a column. */
static int h3d_step(const h3d_t *w, const runtime_t *rt, rt_ptr_t power, rt_ptr_t in, rt_ptr_t out) {
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, power);
  rt_arg_ptr(&args, in);
  rt_arg_ptr(&args, out);
  rt_arg_f32(&args, w->share.power);
  rt_arg_u32(&args, w->side);
  rt_arg_u32(&args, w->side);
  rt_arg_u32(&args, w->layers);
  rt_arg_f32(&args, w->share.x);
  rt_arg_f32(&args, w->share.y);
  rt_arg_f32(&args, w->share.z);
  rt_arg_f32(&args, w->share.itself);
  const rt_launch_t launch = {
      "h3d", {data_blocks(w->side, WIDE), data_blocks(w->side, HIGH), 1}, {WIDE, HIGH, 1}, 0, args.bytes, args.size};
  return rt->launch(rt->ctx, &launch);
}

static int h3d_run(void *state, const runtime_t *rt) {
  h3d_t *w = state;
  const size_t bytes = cells_of(w) * sizeof *w->got;
  rt_ptr_t power, warm[2];
  int status = data_to_device(rt, &power, w->power, bytes);
  if (!status) status = data_to_device(rt, &warm[0], w->start, bytes);
  if (!status) status = data_to_device(rt, &warm[1], NULL, bytes);
  for (uint32_t s = 0; !status && s < w->steps; s++) status = h3d_step(w, rt, power, warm[s % 2], warm[(s + 1) % 2]);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->got, warm[w->steps % 2], bytes);
}

/* The next temperature of cell c at (x, y, z). The additions have the kernel's order; beyond an
 * edge it is as warm as at the edge. */
static float want_cell(const h3d_t *w, const float *in, size_t c, uint32_t x, uint32_t y, uint32_t z) {
  const size_t row = w->side, layer = row * row;
  const share_t *s = &w->share;
  float sum = s->itself * in[c];
  sum = fmaf(s->x, in[x > 0 ? c - 1 : c], sum);
  sum = fmaf(s->x, in[x + 1 < w->side ? c + 1 : c], sum);
  sum = fmaf(s->y, in[y + 1 < w->side ? c + row : c], sum);
  sum = fmaf(s->y, in[y > 0 ? c - row : c], sum);
  sum = fmaf(s->z, in[z > 0 ? c - layer : c], sum);
  sum = fmaf(s->z, in[z + 1 < w->layers ? c + layer : c], sum);
  sum = fmaf(s->power, w->power[c], sum);
  return fmaf(s->z, ambient, sum);
}

static bool h3d_check(const void *state, trouble_t *trouble) {
  const h3d_t *w = state;
  memcpy(w->want[0], w->start, cells_of(w) * sizeof *w->start);
  for (uint32_t s = 0; s < w->steps; s++) {
    size_t c = 0;
    for (uint32_t z = 0; z < w->layers; z++)
      for (uint32_t y = 0; y < w->side; y++)
        for (uint32_t x = 0; x < w->side; x++, c++) w->want[(s + 1) % 2][c] = want_cell(w, w->want[s % 2], c, x, y, z);
  }
  return data_equal_f32("warm", w->got, w->want[w->steps % 2], cells_of(w), trouble);
}

const workload_t workload_h3d = {KERNEL_WORKLOAD(h3d), .params = params,   .create = h3d_create,
                                 .run = h3d_run,       .check = h3d_check, .destroy = data_destroy};
