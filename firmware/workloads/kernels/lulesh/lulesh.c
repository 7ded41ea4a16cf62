/* SPDX-License-Identifier: Apache-2.0
 *
 * lulesh: Lagrangian shock hydrodynamics on hexahedra. A step launches all kernels of
 * lulesh_lists.def in order; then the host takes the shortest steps of all blocks and decides how
 * long the next step is.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "kernel_ptx.h"
#include "lulesh/lulesh_host.h"
#include "workload.h"

KERNEL_PTX(lulesh);

enum { EDGE, STEPS, LOG2BLOCK };
static const workload_param_t params[] = {
    {"edge", "elements along each edge of the cube", 10, 1, 100, 45},
    {"steps", "steps of time", 2, 1, 100000, 2},
    {"log2block", "threads a block, as a power of two", 7, 0, 7, 0},
    {0},
};

/* What is compared. */
static const struct {
  lulesh_array_t array;
  const char *name;
} results[] = {{LULESH_POSITION, "position"}, {LULESH_VELOCITY, "velocity"},   {LULESH_ENERGY, "energy"},
               {LULESH_PRESSURE, "pressure"}, {LULESH_VISCOSITY, "viscosity"}, {LULESH_VOLUME, "volume"},
               {LULESH_SOUND, "sound"}};
enum { RESULTS = sizeof results / sizeof *results };

typedef struct {
  lulesh_t lulesh;
  uint32_t steps;
  double *got[RESULTS], *courant, *hydro;
} state_t;

/* The seed plays no part: the problem is LULESH's own. */
static void *state_create(const int64_t *values, uint64_t seed) {
  (void)seed; /* the explosion is the public one */
  state_t *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  lulesh_t *l = &s->lulesh;
  s->steps = (uint32_t)values[STEPS];
  if (!lulesh_make(l, (uint32_t)values[EDGE], 1u << values[LOG2BLOCK])) return data_made(s);
  for (unsigned r = 0; r < RESULTS; r++)
    s->got[r] = data_array(&l->data, lulesh_numbers(l, results[r].array), sizeof(double));
  s->courant = data_array(&l->data, l->count[LULESH_BLOCKS], sizeof *s->courant);
  s->hydro = data_array(&l->data, l->count[LULESH_BLOCKS], sizeof *s->hydro);
  return data_made(s);
}

/* ---- Launches ---- */

typedef struct {
  const lulesh_t *l;
  const runtime_t *rt;
  rt_ptr_t array[LULESH_ARRAYS];
} device_t;

enum { MOST_ARRAYS = 12 };
#define LULESH_KERNEL(name, of, ...) {#name, LULESH_##of, sizeof((const uint8_t[]){__VA_ARGS__}), {__VA_ARGS__}},
static const struct {
  const char *name;
  lulesh_thing_t of;
  size_t arrays;
  uint8_t array[MOST_ARRAYS];
} kernels[] = {
#include "lulesh/lulesh_lists.def"
};

/* Reals and integers are kept apart in lulesh_t. */
static const void *array_at_start(const lulesh_t *l, lulesh_array_t array) {
  return array < LULESH_REALS ? (const void *)l->real[array] : l->number[array];
}

static int arrays_to_device(device_t *d) {
  int status = 0;
  for (unsigned a = 0; !status && a < LULESH_ARRAYS; a++) {
    const size_t each = a < LULESH_REALS ? sizeof(double) : sizeof(int32_t);
    status = data_to_device(d->rt, &d->array[a], array_at_start(d->l, a), lulesh_numbers(d->l, a) * each);
  }
  return status;
}

/* All kernels begin with the same four numbers; their arrays follow. */
static int launch_lulesh_kernel(const device_t *d, unsigned kernel, double step) {
  const lulesh_t *l = d->l;
  rt_args_t args;
  rt_args_init(&args, d->rt);
  rt_arg_u32(&args, l->count[LULESH_ELEMENTS]);
  rt_arg_u32(&args, l->count[LULESH_NODES]);
  rt_arg_u32(&args, l->count[LULESH_PLANE]);
  rt_arg(&args, &step, sizeof step, sizeof step);
  for (size_t i = 0; i < kernels[kernel].arrays; i++) rt_arg_ptr(&args, d->array[kernels[kernel].array[i]]);
  return rt_launch_1d(d->rt, kernels[kernel].name, l->count[kernels[kernel].of], l->block, &args);
}

/* One step of time on the device. */
static int step_device(const state_t *s, const device_t *d, lulesh_clock_t *clock) {
  const runtime_t *rt = d->rt;
  const size_t bytes = d->l->count[LULESH_BLOCKS] * sizeof *s->courant;
  int status = 0;
  lulesh_tick(clock);
  for (unsigned k = 0; !status && k < sizeof kernels / sizeof *kernels; k++)
    status = launch_lulesh_kernel(d, k, clock->step);
  if (!status) status = rt->memcpy_d2h(rt->ctx, s->courant, d->array[LULESH_COURANT], bytes);
  if (!status) status = rt->memcpy_d2h(rt->ctx, s->hydro, d->array[LULESH_HYDRO], bytes);
  lulesh_ask(d->l, s->courant, s->hydro, clock);
  return status;
}

/* Steps until the end of time, or as many as the user wants. */
static int state_run(void *state, const runtime_t *rt) {
  state_t *s = state;
  const lulesh_t *l = &s->lulesh;
  device_t d = {.l = l, .rt = rt};
  int status = arrays_to_device(&d);
  lulesh_clock_t clock = lulesh_start(l);
  for (uint32_t i = 0; !status && i < s->steps && !lulesh_done(&clock); i++) status = step_device(s, &d, &clock);
  for (unsigned r = 0; !status && r < RESULTS; r++)
    status = rt->memcpy_d2h(rt->ctx, s->got[r], d.array[results[r].array],
                            lulesh_numbers(l, results[r].array) * sizeof(double));
  return status;
}

/* The reference steps the same arrays from their start, with its own clock. */
static bool state_check(const void *state, trouble_t *trouble) {
  const state_t *s = state;
  lulesh_t l = s->lulesh;
  lulesh_begin(&l);
  lulesh_clock_t clock = lulesh_start(&l);
  for (uint32_t i = 0; i < s->steps && !lulesh_done(&clock); i++) {
    lulesh_tick(&clock);
    lulesh_step(&l, clock.step);
    lulesh_ask(&l, l.real[LULESH_COURANT], l.real[LULESH_HYDRO], &clock);
  }
  for (unsigned r = 0; r < RESULTS; r++)
    if (!data_equal_f64(results[r].name, s->got[r], l.real[results[r].array], lulesh_numbers(&l, results[r].array),
                        trouble))
      return false;
  return true;
}

const workload_t workload_lulesh = {KERNEL_WORKLOAD(lulesh), .params = params,     .create = state_create,
                                    .run = state_run,        .check = state_check, .destroy = data_destroy};
