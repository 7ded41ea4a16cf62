/* SPDX-License-Identifier: Apache-2.0
 *
 * stcl: stream clustering, after Rodinia's streamcluster.
 *
 *    for each candidate:  gain               what would opening it save? (device, or reference)
 *                         decide_candidate   open it and close others, or not (host)
 *
 * Candidates come from the seed, one after another. The host opens one if that saves more than a
 * centre costs. It closes centres that are no longer worth their cost. All that the device computes
 * is compared; what is open in the end follows from it.
 */
#include "stcl/stcl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(stcl);

static const workload_param_t params[] = {
    /* in the order of stcl.h */
    {"points", "points", 8192, 1, 1 << 20, 16384},
    {"dims", "coordinates of a point", 256, 0, 1024, 0},
    {"centres", "centres that are open at the start", 8, 1, STCL_MOST, 0},
    {"candidates", "points that may become one, a launch each", 3, 1, STCL_MOST, 0},
    {"block", "threads a block", 256, 1, 1024, 0},
    {0},
};

/* As the kernel has it. */
typedef struct {
  float weight;
  uint64_t coordinates; /* the host's own address, which the device does not use */
  int64_t centre;
  float cost;
} point_t;
_Static_assert(sizeof(point_t) == 32, "stcl.cu has the same");

typedef struct {
  data_t data;
  uint32_t points, dims, centres, candidates, block;
  uint32_t stride; /* of a point's work: the centres there may be, and the candidate */
  float price;     /* of a centre */
  float *coordinate;
  point_t *point;
  int32_t *number;            /* of the centre that a point is */
  uint32_t *candidate, *open; /* points */
  uint8_t *moves;             /* 1: nearer to the candidate */
  float *work[2];             /* of all candidates: got, want */
  int32_t *moved[2];
} stcl_t;

/* Computes `work` and w->moves for candidate x. Row i of `work` has a column for each open centre,
 * and column `open` for x. */
typedef int gain_t(const stcl_t *w, const void *with, uint32_t x, uint32_t open, float *work);

/* The cost of point i at x: the squared distance times its weight. Coordinates go in order, each
 * square fused with the addition. */
static float cost_at(const stcl_t *w, uint32_t i, uint32_t x) {
  float distance = 0;
  for (size_t d = 0; d < w->dims; d++) {
    const float apart = w->coordinate[d * w->points + i] - w->coordinate[d * w->points + x];
    distance = fmaf(apart, apart, distance);
  }
  return distance * w->point[i].weight;
}

/* At first points take any centre. The price of a centre is a part of what that costs, so some
 * candidates are worth it. */
static void stcl_begin(stcl_t *w) {
  double sum = 0;
  for (uint32_t i = 0; i < w->points; i++) {
    const uint32_t x = i % w->centres;
    w->point[i].centre = x;
    w->point[i].cost = cost_at(w, i, x);
    sum += (double)w->point[i].cost;
  }
  w->price = (float)(sum / 64);
  for (uint32_t k = 0; k < w->centres; k++) w->open[k] = k;
}

void *stcl_create(const int64_t *values, uint64_t seed) {
  stcl_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->points = (uint32_t)values[STCL_POINTS];
  w->dims = (uint32_t)values[STCL_DIMS];
  w->centres = (uint32_t)data_least((uint64_t)values[STCL_CENTRES], w->points);
  w->candidates = (uint32_t)values[STCL_CANDIDATES];
  w->block = (uint32_t)values[STCL_BLOCK];
  w->stride = w->centres + w->candidates + 1;
  w->coordinate = data_floats(&w->data, &seed, (size_t)w->points * w->dims);
  w->point = data_array(&w->data, w->points, sizeof *w->point);
  w->number = data_array(&w->data, w->points, sizeof *w->number);
  w->candidate = data_array(&w->data, w->candidates, sizeof *w->candidate);
  w->open = data_array(&w->data, w->stride, sizeof *w->open);
  w->moves = data_array(&w->data, w->points, sizeof *w->moves);
  for (unsigned k = 0; k < 2; k++) {
    w->work[k] = data_array(&w->data, (size_t)w->points * w->stride * w->candidates, sizeof *w->work[k]);
    w->moved[k] = data_array(&w->data, (size_t)w->points * w->candidates, sizeof *w->moved[k]);
  }
  for (uint32_t i = 0; w->point && i < w->points; i++) w->point[i].weight = (float)(1 + data_random(&seed) % 3);
  for (uint32_t k = 0; w->candidate && k < w->candidates; k++)
    w->candidate[k] = (uint32_t)(data_random(&seed) % w->points);
  return data_made(w);
}

/* The sum over all points, in binary64. */
static double column_sum(const stcl_t *w, const float *work, uint32_t k) {
  double sum = 0;
  for (uint32_t i = 0; i < w->points; i++) sum += (double)work[(size_t)i * w->stride + k];
  return sum;
}

/* Moves points that are nearer to x, and those of closed centres, to x. */
static void move_points(const stcl_t *w, uint32_t x, const bool *closes) {
  for (uint32_t i = 0; i < w->points; i++) {
    point_t *p = &w->point[i];
    if (!w->moves[i] && !closes[w->number[p->centre]]) continue;
    p->centre = x;
    p->cost = cost_at(w, i, x);
  }
}

/* Opens x if that saves more than its price. Centres whose price exceeds what their points would
 * lose are closed. Returns how many centres are open. */
static uint32_t decide_candidate(const stcl_t *w, uint32_t x, uint32_t open, const float *work) {
  bool closes[2 * STCL_MOST + 1] = {false};
  double change = (double)w->price + column_sum(w, work, open);
  for (uint32_t k = 0; k < open; k++) {
    const double saved = (double)w->price + column_sum(w, work, k);
    closes[k] = saved > 0;
    if (closes[k]) change -= saved;
  }
  if (change >= 0) return open;
  move_points(w, x, closes);
  uint32_t left = 0;
  for (uint32_t k = 0; k < open; k++)
    if (!closes[k]) w->open[left++] = w->open[k];
  w->open[left++] = x;
  return left;
}

/* All candidates in order; `work` and `moved` get the results of each. */
static int stcl_cluster(stcl_t *w, gain_t *gain, const void *with, float *work, int32_t *moved) {
  uint32_t open = w->centres;
  stcl_begin(w);
  for (uint32_t c = 0; c < w->candidates; c++, work += (size_t)w->points * w->stride, moved += w->points) {
    for (uint32_t k = 0; k < open; k++) w->number[w->open[k]] = (int32_t)k;
    memset(work, 0, (size_t)w->points * w->stride * sizeof *work);
    memset(w->moves, 0, w->points);
    const int status = gain(w, with, w->candidate[c], open, work);
    if (status) return status;
    for (uint32_t i = 0; i < w->points; i++) moved[i] = w->moves[i];
    open = decide_candidate(w, w->candidate[c], open, work);
  }
  return 0;
}

typedef struct {
  const runtime_t *rt;
  rt_ptr_t point, coordinate, number, work, moves;
} stcl_device_t;

static int stcl_launch(const stcl_t *w, const stcl_device_t *d, uint32_t x, uint32_t open) {
  rt_args_t args;
  rt_args_init(&args, d->rt);
  rt_arg_ptr(&args, d->point);
  rt_arg_ptr(&args, d->coordinate);
  rt_arg_ptr(&args, d->number);
  rt_arg_ptr(&args, d->work);
  rt_arg_ptr(&args, d->moves);
  rt_arg_u32(&args, w->points);
  rt_arg_u32(&args, w->dims);
  rt_arg_u32(&args, x);
  rt_arg_u32(&args, open);
  rt_arg_u32(&args, w->stride);
  const rt_dim3_t grid = {data_blocks(w->points, w->block), 1, 1};
  const rt_launch_t launch = {"stcl",     grid,     {w->block, 1, 1}, w->dims * (uint32_t)sizeof *w->coordinate,
                              args.bytes, args.size};
  return d->rt->launch(d->rt->ctx, &launch);
}

static int gain_device(const stcl_t *w, const void *with, uint32_t x, uint32_t open, float *work) {
  const stcl_device_t *d = with;
  const runtime_t *rt = d->rt;
  const size_t bytes = (size_t)w->points * w->stride * sizeof *work;
  int status = rt->memcpy_h2d(rt->ctx, d->point, w->point, w->points * sizeof *w->point);
  if (!status) status = rt->memcpy_h2d(rt->ctx, d->number, w->number, w->points * sizeof *w->number);
  if (!status) status = rt->memcpy_h2d(rt->ctx, d->work, work, bytes);
  if (!status) status = rt->memcpy_h2d(rt->ctx, d->moves, w->moves, w->points);
  if (!status) status = stcl_launch(w, d, x, open);
  if (!status) status = rt->memcpy_d2h(rt->ctx, work, d->work, bytes);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->moves, d->moves, w->points);
}

static int gain_host(const stcl_t *w, const void *with, uint32_t x, uint32_t open, float *work) {
  (void)with;
  for (uint32_t i = 0; i < w->points; i++) {
    const point_t *p = &w->point[i];
    const float cost = cost_at(w, i, x);
    float *row = work + (size_t)i * w->stride;
    w->moves[i] = cost < p->cost;
    if (w->moves[i]) row[open] = cost - p->cost;
    else row[w->number[p->centre]] += p->cost - cost;
  }
  return 0;
}

int stcl_run(void *state, const runtime_t *rt) {
  stcl_t *w = state;
  stcl_device_t d = {.rt = rt};
  int status = data_to_device(rt, &d.coordinate, w->coordinate, (size_t)w->points * w->dims * sizeof *w->coordinate);
  if (!status) status = data_to_device(rt, &d.point, NULL, w->points * sizeof *w->point);
  if (!status) status = data_to_device(rt, &d.number, NULL, w->points * sizeof *w->number);
  if (!status) status = data_to_device(rt, &d.work, NULL, (size_t)w->points * w->stride * sizeof *w->work[0]);
  if (!status) status = data_to_device(rt, &d.moves, NULL, w->points);
  return status ? status : stcl_cluster(w, gain_device, &d, w->work[0], w->moved[0]);
}

bool stcl_check(const void *state, trouble_t *trouble) {
  stcl_t w = *(const stcl_t *)state; /* points and prices begin again */
  stcl_cluster(&w, gain_host, NULL, w.work[1], w.moved[1]);
  const size_t count = (size_t)w.points * w.candidates;
  return data_equal_s32("moves", w.moved[0], w.moved[1], count, trouble) &&
         data_equal_f32("work", w.work[0], w.work[1], count * w.stride, trouble);
}

const workload_t workload_stcl = {KERNEL_WORKLOAD(stcl), .params = params,    .create = stcl_create,
                                  .run = stcl_run,       .check = stcl_check, .destroy = data_destroy};
