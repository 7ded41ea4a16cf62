/* SPDX-License-Identifier: Apache-2.0
 *
 * nn: nearest neighbours of several places, after Rodinia's nn. A launch does a place. Its
 * distances are compared at once, as the next place's take the same memory. A record is a structure
 * of latitude and longitude.
 */
#include <math.h>
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "knn/knn.h"
#include "workload.h"

KERNEL_PTX(nn);

enum { RECORDS, PLACES, NEAREST, BLOCK };
static const workload_param_t params[] = {
    {"records", "records", 200003, 1, 1 << 26, 5120000},
    {"places", "places that are looked for, a launch each", 2, 1, 1024, 16},
    {"nearest", "records to find for each", 5, 0, 1024, 0},
    {"block", "threads a block", 256, 1, 1024, 0},
    {0},
};

enum { LARGEST_GRID = 65535 }; /* blocks along x; more are in rows of so many */

typedef struct {
  data_t data;
  uint32_t records, places, nearest, block;
  float *place, *record; /* latitude and longitude of each, one after the other */
  float *got, *want;     /* distances */
  int32_t *list;         /* the nearest records, the nearest first */
  trouble_t wrong;       /* what a comparison found first; "": nothing */
} nn_t;

static void *nn_create(const int64_t *values, uint64_t seed) {
  nn_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->records = (uint32_t)values[RECORDS];
  w->places = (uint32_t)values[PLACES];
  w->nearest = (uint32_t)data_least((uint64_t)values[NEAREST], w->records);
  w->block = (uint32_t)values[BLOCK];
  w->place = data_floats(&w->data, &seed, 2 * w->places);
  w->record = data_floats(&w->data, &seed, 2 * (size_t)w->records);
  w->got = data_array(&w->data, w->records, sizeof *w->got);
  w->want = data_array(&w->data, w->records, sizeof *w->want);
  w->list = data_array(&w->data, w->nearest, sizeof *w->list);
  return data_made(w);
}

/* Large grids are two-dimensional, as x has a limit. */
static int nn_launch(const nn_t *w, const runtime_t *rt, const rt_args_t *args) {
  const uint32_t blocks = data_blocks(w->records, w->block), wide = (uint32_t)data_least(blocks, LARGEST_GRID);
  const rt_launch_t launch = {"nn", {wide, data_blocks(blocks, wide), 1}, {w->block, 1, 1}, 0, args->bytes, args->size};
  return rt->launch(rt->ctx, &launch);
}

/* Compares the place's distances and list; w->wrong keeps the first trouble. The square of the
 * latitudes' difference is fused with the addition. */
static bool nn_right(nn_t *w, const float *place) {
  for (size_t i = 0; i < w->records; i++) {
    const float north = place[0] - w->record[2 * i], east = place[1] - w->record[2 * i + 1];
    w->want[i] = sqrtf(fmaf(north, north, east * east));
  }
  return data_equal_f32("distance", w->got, w->want, w->records, &w->wrong) &&
         knn_list_right(w->got, w->records, w->nearest, w->list, &w->wrong);
}

/* One place: distances by the device, the nearest by the host. */
static int nn_look(nn_t *w, const runtime_t *rt, const float *place, rt_ptr_t record, rt_ptr_t distance) {
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, record);
  rt_arg_ptr(&args, distance);
  rt_arg_u32(&args, w->records);
  rt_arg_f32(&args, place[0]);
  rt_arg_f32(&args, place[1]);
  int status = nn_launch(w, rt, &args);
  if (!status) status = rt->memcpy_d2h(rt->ctx, w->got, distance, w->records * sizeof *w->got);
  if (!status) knn_select(w->got, w->records, w->nearest, w->list);
  return status;
}

static int nn_run(void *state, const runtime_t *rt) {
  nn_t *w = state;
  rt_ptr_t record, distance;
  int status = data_to_device(rt, &record, w->record, 2 * w->records * sizeof *w->record);
  if (!status) status = data_to_device(rt, &distance, NULL, w->records * sizeof *w->got);
  for (uint32_t p = 0; !status && p < w->places; p++) {
    status = nn_look(w, rt, &w->place[2 * p], record, distance);
    if (!status && !w->wrong.kind) nn_right(w, &w->place[2 * p]);
  }
  return status;
}

static bool nn_check(const void *state, trouble_t *trouble) {
  const nn_t *w = state;
  if (w->wrong.kind) *trouble = w->wrong;
  return !w->wrong.kind;
}

const workload_t workload_nn = {KERNEL_WORKLOAD(nn), .params = params,  .create = nn_create,
                                .run = nn_run,       .check = nn_check, .destroy = data_destroy};
