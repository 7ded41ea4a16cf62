/* SPDX-License-Identifier: Apache-2.0
 *
 * cfd: compressible flow through an unstructured mesh, after Rodinia's euler3d.
 *
 *    iteration:  cfd_step, then three stages of  cfd_flux -> cfd_advance
 *                (a cell's step of time)         (by a third, a half, all of the step)
 *
 * Each stage advances from the variables before the iteration. Arrays are by variable: number k of
 * cell i is at i + k * stride.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cfd/cfd_mesh.h"
#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(cfd);

enum { CELLS, ITERATIONS, BLOCK, WINDOW };
static const workload_param_t params[] = {
    {"cells", "cells of the mesh", 6001, 1, 1 << 24, 97046},
    {"iterations", "iterations, of three stages each", 2, 1, 1000, 1},
    {"block", "threads a block", 192, 1, 512, 0},
    {"window", "neighbouring cells that share out their numbers at random; 0: all cells do", 0, 0, 1 << 24, 0},
    {0},
};

/* A state's numbers: what flows along x, y, z is 1, 2, 3. */
enum { DENSITY, ENERGY = 4, NUMBERS, AXES = 3, STAGES = 3 };
static const float heat_ratio = 1.4f, smoothing = 0.2f;

typedef struct {
  float q[NUMBERS];
} state_t;

typedef struct {
  data_t data;
  cfd_mesh_t mesh;
  uint32_t iterations, block;
  state_t far;
  float *start, *got, *want, *before, *flux, *step; /* of cells: number k at i + k * stride */
} cfd_t;

/* The state far away: 1.2 times as fast as sound, along x. */
static state_t far_state(void) {
  const float density = 1.4f, pressure = 1, speed = 1.2f;
  return (state_t){{density, density * speed, 0, 0, 0.5f * density * speed * speed + pressure / (heat_ratio - 1)}};
}

/* The start: the far state, each number changed by up to 0.05. */
static void disturb_state(const cfd_t *w, uint64_t seed) {
  for (uint32_t i = 0; i < w->mesh.cells; i++)
    for (unsigned k = 0; k < NUMBERS; k++) {
      const float by = 0.05f * (float)(int32_t)(uint32_t)data_random(&seed) * 0x1p-31f;
      w->start[i + k * w->mesh.stride] = w->far.q[k] + by;
    }
}

static void *cfd_create(const int64_t *values, uint64_t seed) {
  cfd_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->iterations = (uint32_t)values[ITERATIONS];
  w->block = (uint32_t)values[BLOCK];
  w->far = far_state();
  w->mesh = cfd_mesh_new(&w->data, (uint32_t)values[CELLS], (uint32_t)values[WINDOW], data_random(&seed));
  float **arrays[] = {&w->start, &w->got, &w->want, &w->before, &w->flux, &w->step};
  for (unsigned i = 0; i < sizeof arrays / sizeof *arrays; i++)
    *arrays[i] = data_array(&w->data, (size_t)NUMBERS * w->mesh.stride, sizeof(float));
  if (!w->data.failed) disturb_state(w, seed);
  return data_made(w);
}

/* ---- Launches ---- */

typedef struct {
  const cfd_t *w;
  const runtime_t *rt;
  rt_ptr_t neighbour, face, surface, variable[2], flux, step; /* variables before an iteration, and in it */
} device_t;

static void cfd_sizes(const device_t *d, rt_args_t *args) {
  rt_arg_u32(args, d->w->mesh.cells);
  rt_arg_u32(args, d->w->mesh.stride);
}

static int cfd_launch(const device_t *d, const char *kernel, const rt_args_t *args) {
  return rt_launch_1d(d->rt, kernel, d->w->mesh.cells, d->w->block, args);
}

static int cfd_step(const device_t *d) {
  rt_args_t args;
  rt_args_init(&args, d->rt);
  rt_arg_ptr(&args, d->variable[0]);
  rt_arg_ptr(&args, d->surface);
  rt_arg_ptr(&args, d->step);
  cfd_sizes(d, &args);
  return cfd_launch(d, "cfd_step", &args);
}

static int cfd_flux(const device_t *d, rt_ptr_t variable) {
  rt_args_t args;
  rt_args_init(&args, d->rt);
  rt_arg_ptr(&args, d->neighbour);
  rt_arg_ptr(&args, d->face);
  rt_arg_ptr(&args, variable);
  rt_arg_ptr(&args, d->flux);
  cfd_sizes(d, &args);
  rt_arg_f32(&args, d->w->far.q[DENSITY]);
  rt_arg_f32(&args, d->w->far.q[1]);
  rt_arg_f32(&args, d->w->far.q[ENERGY]);
  return cfd_launch(d, "cfd_flux", &args);
}

static int cfd_advance(const device_t *d, float share) {
  rt_args_t args;
  rt_args_init(&args, d->rt);
  rt_arg_ptr(&args, d->variable[0]);
  rt_arg_ptr(&args, d->variable[1]);
  rt_arg_ptr(&args, d->step);
  rt_arg_ptr(&args, d->flux);
  cfd_sizes(d, &args);
  rt_arg_f32(&args, share);
  return cfd_launch(d, "cfd_advance", &args);
}

/* The share of the step in a stage: a third, a half, all. */
static float share_of(unsigned stage) {
  return 1.0f / (float)(STAGES - stage);
}

/* variable[0] is the result afterwards: the two arrays change places. */
static int cfd_iterate(device_t *d) {
  int status = cfd_step(d);
  for (unsigned stage = 0; !status && stage < STAGES; stage++) {
    status = cfd_flux(d, d->variable[stage > 0]);
    if (!status) status = cfd_advance(d, share_of(stage));
  }
  const rt_ptr_t next = d->variable[1];
  d->variable[1] = d->variable[0];
  d->variable[0] = next;
  return status;
}

static int cfd_run(void *state, const runtime_t *rt) {
  cfd_t *w = state;
  device_t d = {.w = w, .rt = rt};
  const size_t each = w->mesh.stride * sizeof(float);
  int status = data_to_device(rt, &d.neighbour, w->mesh.neighbour, CFD_FACES * each);
  if (!status) status = data_to_device(rt, &d.face, w->mesh.face, AXES * CFD_FACES * each);
  if (!status) status = data_to_device(rt, &d.surface, w->mesh.surface, each);
  if (!status) status = data_to_device(rt, &d.variable[0], w->start, NUMBERS * each);
  if (!status) status = data_to_device(rt, &d.variable[1], NULL, NUMBERS * each);
  if (!status) status = data_to_device(rt, &d.flux, NULL, NUMBERS * each);
  if (!status) status = data_to_device(rt, &d.step, NULL, each);
  for (uint32_t i = 0; !status && i < w->iterations; i++) status = cfd_iterate(&d);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->got, d.variable[0], NUMBERS * each);
}

/* ---- Reference ---- */

typedef struct {
  float velocity[AXES], pressure, carried, square, sound; /* carried: energy and pressure; square: of the speed */
} motion_t;

/* Fused from the first axis on, as in the kernel. */
static float dot(const float *a, const float *b) {
  return fmaf(a[2], b[2], fmaf(a[1], b[1], a[0] * b[0]));
}

static state_t state_of(const cfd_t *w, const float *variable, uint32_t i) {
  state_t s;
  for (unsigned k = 0; k < NUMBERS; k++) s.q[k] = variable[i + k * w->mesh.stride];
  return s;
}

/* What follows from a state: velocity, pressure, energy and pressure carried along, speed of
 * sound. */
static motion_t motion_of(const state_t *s) {
  motion_t m;
  for (unsigned k = 0; k < AXES; k++) m.velocity[k] = s->q[1 + k] / s->q[DENSITY];
  m.square = dot(m.velocity, m.velocity);
  const float heat = fmaf(-0.5f * s->q[DENSITY], m.square, s->q[ENERGY]);
  m.pressure = (heat_ratio - 1.0f) * heat;
  m.carried = fmaf(heat_ratio - 1.0f, heat, s->q[ENERGY]);
  m.sound = sqrtf(heat_ratio * m.pressure / s->q[DENSITY]);
  return m;
}

/* Adds half of what flows through a face if both sides had this state. */
static void carry_flux(state_t *flux, const state_t *s, const float *face) {
  const motion_t m = motion_of(s);
  const float through = 0.5f * dot(m.velocity, face), push = 0.5f * m.pressure;
  for (unsigned k = 0; k < NUMBERS; k++) flux->q[k] = fmaf(k == ENERGY ? m.carried : s->q[k], through, flux->q[k]);
  for (unsigned k = 0; k < AXES; k++) flux->q[1 + k] = fmaf(push, face[k], flux->q[1 + k]);
}

/* Adds artificial viscosity: the difference of both states, times their speeds. */
static void smooth_flux(state_t *flux, const state_t *mine, const state_t *other, const float *face) {
  const motion_t m = motion_of(mine), o = motion_of(other);
  const float by = -0.5f * smoothing * sqrtf(dot(face, face)) * (sqrtf(m.square) + sqrtf(o.square) + m.sound + o.sound);
  for (unsigned k = 0; k < NUMBERS; k++) flux->q[k] = fmaf(by, mine->q[k] - other->q[k], flux->q[k]);
}

/* The sum over the four faces. A wall only pushes back; far away there is no smoothing. */
static state_t want_flux(const cfd_t *w, const float *variable, uint32_t i) {
  const cfd_mesh_t *mesh = &w->mesh;
  const state_t mine = state_of(w, variable, i);
  state_t flux = {{0}};
  for (unsigned j = 0; j < CFD_FACES; j++) {
    const int32_t to = mesh->neighbour[i + j * mesh->stride];
    float face[AXES];
    for (unsigned k = 0; k < AXES; k++) face[k] = mesh->face[i + (j + CFD_FACES * k) * mesh->stride];
    if (to == CFD_WALL) {
      const float pressure = motion_of(&mine).pressure;
      for (unsigned k = 0; k < AXES; k++) flux.q[1 + k] = fmaf(pressure, face[k], flux.q[1 + k]);
      continue;
    }
    const state_t other = to == CFD_FAR ? w->far : state_of(w, variable, (uint32_t)to);
    if (to != CFD_FAR) smooth_flux(&flux, &mine, &other, face);
    carry_flux(&flux, &other, face);
    carry_flux(&flux, &mine, face);
  }
  return flux;
}

/* One iteration on all cells, in the kernels' order. */
static void want_iteration(const cfd_t *w) {
  const uint32_t cells = w->mesh.cells, stride = w->mesh.stride;
  memcpy(w->before, w->want, NUMBERS * stride * sizeof *w->want);
  for (uint32_t i = 0; i < cells; i++) {
    const state_t s = state_of(w, w->before, i);
    const motion_t m = motion_of(&s);
    w->step[i] = 0.5f / (sqrtf(w->mesh.surface[i]) * (sqrtf(m.square) + m.sound));
  }
  for (unsigned stage = 0; stage < STAGES; stage++) {
    for (uint32_t i = 0; i < cells; i++) {
      const state_t flux = want_flux(w, w->want, i);
      for (unsigned k = 0; k < NUMBERS; k++) w->flux[i + k * stride] = flux.q[k];
    }
    for (uint32_t i = 0; i < cells; i++)
      for (unsigned k = 0; k < NUMBERS; k++)
        w->want[i + k * stride] =
            fmaf(w->step[i] * share_of(stage), w->flux[i + k * stride], w->before[i + k * stride]);
  }
}

static bool cfd_check(const void *state, trouble_t *trouble) {
  const cfd_t *w = state;
  memcpy(w->want, w->start, (size_t)NUMBERS * w->mesh.stride * sizeof *w->want);
  for (uint32_t i = 0; i < w->iterations; i++) want_iteration(w);
  return data_equal_f32("variable", w->got, w->want, (size_t)NUMBERS * w->mesh.stride, trouble);
}

const workload_t workload_cfd = {KERNEL_WORKLOAD(cfd), .params = params,   .create = cfd_create,
                                 .run = cfd_run,       .check = cfd_check, .destroy = data_destroy};
