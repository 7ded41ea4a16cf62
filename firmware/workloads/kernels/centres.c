/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of k-means' assignment step. Points are compared with all centres on the host,
 * too, in the order of operations that the kernels have.
 */
#include "centres.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "data.h"

/* by_points: the features of a point are neighbours in memory, else the points of a feature are. */
typedef struct {
  data_t data;
  uint32_t points, features, clusters, block;
  uint64_t threads; /* of a launch */
  bool by_points;
  float *feature, *centre;
  int32_t *got, *want;
} centres_t;

void *centres_create(const int64_t *values, uint64_t seed) {
  centres_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->points = (uint32_t)values[CENTRES_POINTS];
  w->features = (uint32_t)values[CENTRES_FEATURES];
  w->clusters = (uint32_t)values[CENTRES_CLUSTERS];
  w->block = (uint32_t)values[CENTRES_BLOCK];
  w->threads = w->points;
  w->feature = data_floats(&w->data, &seed, (size_t)w->points * w->features);
  w->centre = data_floats(&w->data, &seed, (size_t)w->clusters * w->features);
  w->got = data_array(&w->data, w->points, sizeof *w->got);
  w->want = data_array(&w->data, w->points, sizeof *w->want);
  return data_made(w);
}

void *centres_create_by_points(const int64_t *values, uint64_t seed) {
  centres_t *w = centres_create(values, seed);
  if (w) w->by_points = true;
  return w;
}

void *centres_limit(void *state, int64_t blocks) {
  centres_t *w = state;
  if (w) w->threads = data_least(w->points, (uint64_t)blocks * w->block);
  return w;
}

int centres_run(void *state, const runtime_t *rt, const char *kernel) {
  centres_t *w = state;
  rt_ptr_t feature, centre, membership;
  int status = data_to_device(rt, &feature, w->feature, (size_t)w->points * w->features * sizeof *w->feature);
  if (!status) status = data_to_device(rt, &centre, w->centre, (size_t)w->clusters * w->features * sizeof *w->centre);
  if (!status) status = data_to_device(rt, &membership, NULL, w->points * sizeof *w->got);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, feature);
  rt_arg_ptr(&args, centre);
  rt_arg_ptr(&args, membership);
  rt_arg_u32(&args, w->points);
  rt_arg_u32(&args, w->clusters);
  rt_arg_u32(&args, w->features);
  status = rt_launch_1d(rt, kernel, w->threads, w->block, &args);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->got, membership, w->points * sizeof *w->got);
}

/* The squared distance: features in order, each square fused with the addition. */
static float distance_of(const centres_t *w, uint32_t point, uint32_t cluster) {
  float distance = 0;
  for (uint32_t f = 0; f < w->features; f++) {
    const size_t at = w->by_points ? (size_t)point * w->features + f : (size_t)f * w->points + point;
    const float diff = w->feature[at] - w->centre[(size_t)cluster * w->features + f];
    distance = fmaf(diff, diff, distance);
  }
  return distance;
}

bool centres_check(const void *state, trouble_t *trouble) {
  const centres_t *w = state;
  for (uint32_t i = 0; i < w->points; i++) {
    float best = FLT_MAX;
    w->want[i] = 0;
    for (uint32_t k = 0; k < w->clusters; k++) {
      const float distance = distance_of(w, i, k);
      if (!(distance < best)) continue;
      best = distance;
      w->want[i] = (int32_t)k;
    }
  }
  return data_equal_s32("membership", w->got, w->want, w->points, trouble);
}
