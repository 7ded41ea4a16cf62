/* SPDX-License-Identifier: Apache-2.0
 *
 * knn: k nearest neighbours, after Rodinia's nn, written for the MPU. The device computes all
 * distances; the host picks the nearest. Latitudes and longitudes are arrays of their own.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "knn.h"
#include "workload.h"

KERNEL_PTX(knn);

enum { RECORDS, NEAREST, BLOCK, BLOCKS };
static const workload_param_t params[] = {
    {"records", "records", 200003, 1, 1 << 26, 1 << 20},
    {"nearest", "records to find", 10, 0, 1024, 0},
    {"block", "threads a block; a core of the MPU has the words of 128", 256, 1, 256, 128},
    {"blocks", "blocks at most; the threads go on through what is left", 512, 1, 65535, 0},
    {0},
};

typedef struct {
  data_t data;
  uint32_t records, nearest, block, blocks;
  float place[2], *latitude, *longitude, *got, *want; /* place: what is looked for; got, want: distances */
  int32_t *list;                                      /* the nearest records, the nearest first */
} knn_t;

static void *knn_create(const int64_t *values, uint64_t seed) {
  knn_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->records = (uint32_t)values[RECORDS];
  w->nearest = (uint32_t)data_least((uint64_t)values[NEAREST], w->records);
  w->block = (uint32_t)values[BLOCK];
  w->blocks = (uint32_t)values[BLOCKS];
  for (unsigned i = 0; i < 2; i++) w->place[i] = (float)(int32_t)(uint32_t)(data_random(&seed) >> 32) * 0x1p-31f;
  w->latitude = data_floats(&w->data, &seed, w->records);
  w->longitude = data_floats(&w->data, &seed, w->records);
  w->got = data_array(&w->data, w->records, sizeof *w->got);
  w->want = data_array(&w->data, w->records, sizeof *w->want);
  w->list = data_array(&w->data, w->nearest, sizeof *w->list);
  return data_made(w);
}

/* A total order, so there is one right list. */
static bool is_nearer(const float *distance, int32_t a, int32_t b) {
  return distance[a] < distance[b] || (distance[a] == distance[b] && a < b);
}

/* Insertion into a sorted list: `nearest` is small. */
void knn_select(const float *distance, uint32_t records, uint32_t nearest, int32_t *list) {
  uint32_t found = 0;
  for (int32_t i = 0; nearest && i < (int32_t)records; i++) {
    if (found < nearest) found++;
    else if (!is_nearer(distance, i, list[found - 1])) continue;
    uint32_t at = found - 1;
    for (; at > 0 && is_nearer(distance, i, list[at - 1]); at--) list[at] = list[at - 1];
    list[at] = i;
  }
}

/* Distances on the device, then the list on the host. */
static int knn_run(void *state, const runtime_t *rt) {
  knn_t *w = state;
  const size_t bytes = w->records * sizeof *w->got;
  rt_ptr_t latitude, longitude, distance;
  int status = data_to_device(rt, &latitude, w->latitude, bytes);
  if (!status) status = data_to_device(rt, &longitude, w->longitude, bytes);
  if (!status) status = data_to_device(rt, &distance, NULL, bytes);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, latitude);
  rt_arg_ptr(&args, longitude);
  rt_arg_ptr(&args, distance);
  rt_arg_u32(&args, w->records);
  rt_arg_f32(&args, w->place[0]);
  rt_arg_f32(&args, w->place[1]);
  status = rt_launch_1d(rt, "knn", data_least(w->records, (uint64_t)w->blocks * w->block), w->block, &args);
  if (!status) status = rt->memcpy_d2h(rt->ctx, w->got, distance, bytes);
  if (!status) knn_select(w->got, w->records, w->nearest, w->list);
  return status;
}

/* The list ascends, and only its own records are as near as its last. So it is right without
 * being made again. */
bool knn_list_right(const float *distance, uint32_t records, uint32_t nearest, const int32_t *list,
                    trouble_t *trouble) {
  for (uint32_t i = 1; i < nearest; i++)
    if (!is_nearer(distance, list[i - 1], list[i]))
      return trouble_set(trouble, TROUBLE_BROKEN,
                         "list[%" PRIu32 "] is record %" PRId32 "; one further away than record %" PRId32
                         " would be right",
                         i, list[i], list[i - 1]);
  uint32_t near = 0;
  for (int32_t i = 0; nearest && i < (int32_t)records; i++) near += !is_nearer(distance, list[nearest - 1], i);
  if (near == nearest) return true;
  return trouble_set(trouble, TROUBLE_BROKEN,
                     "list: %" PRIu32 " records are as near as its last; %" PRIu32 " would be right", near, nearest);
}

/* The square of the latitudes' difference is fused with the addition. */
static bool knn_check(const void *state, trouble_t *trouble) {
  const knn_t *w = state;
  for (uint32_t i = 0; i < w->records; i++) {
    const float north = w->latitude[i] - w->place[0], east = w->longitude[i] - w->place[1];
    w->want[i] = sqrtf(fmaf(north, north, east * east));
  }
  return data_equal_f32("distance", w->got, w->want, w->records, trouble) &&
         knn_list_right(w->got, w->records, w->nearest, w->list, trouble);
}

const workload_t workload_knn = {KERNEL_WORKLOAD(knn), .params = params,   .create = knn_create,
                                 .run = knn_run,       .check = knn_check, .destroy = data_destroy};
