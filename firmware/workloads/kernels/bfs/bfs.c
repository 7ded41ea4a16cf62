/* SPDX-License-Identifier: Apache-2.0
 *
 * bfs: breadth-first search from node 0, after Rodinia.
 *
 *    level:   visit    frontier's neighbours get a level and a mark
 *             advance  the marked become the frontier; *more says whether there are any
 *
 * Levels follow each other until no node is marked. A node's edges are at edge[first] .. edge[first
 * + edges - 1].
 */
#include "bfs/bfs.h"

#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(bfs);

static const workload_param_t params[] = {
    /* in the order of bfs.h */
    {"nodes", "nodes of the graph", 32768, 1, 1 << 24, 1000000},
    {"edges", "edges of a node on the average; each is drawn by one of its ends", 6, 2, 64, 0},
    {"block", "threads a block", 256, 1, 1024, 0},
    {0},
};

typedef struct {
  uint32_t first, edges;
} node_t;

typedef struct {
  data_t data;
  uint32_t nodes, block, num_edges, *edge, *queue;
  node_t *node;
  uint8_t *start; /* 1: the node the search begins at */
  int32_t *unknown, *got, *want;
} bfs_t;

typedef struct {
  rt_ptr_t node, edge, frontier, marked, seen, level, more;
} bfs_device_t;

/* How many neighbours a node draws: 1 to edges - 1, which is edges / 2 on the average. */
static uint32_t drawn_neighbours(const int64_t *values, uint64_t *seed) {
  return 1 + (uint32_t)(data_random(seed) % (uint64_t)(values[BFS_EDGES] - 1));
}

/* Puts every edge into the lists of both its ends. The seed is drawn from twice: once to count,
 * once to fill. */
static void bfs_edges(bfs_t *w, const int64_t *values, uint64_t seed, bool fill) {
  for (uint32_t i = 0; i < w->nodes; i++)
    for (uint32_t k = drawn_neighbours(values, &seed); k; k--) {
      const uint32_t to = (uint32_t)(data_random(&seed) % w->nodes);
      if (fill) {
        w->edge[w->node[i].first + w->node[i].edges] = to;
        w->edge[w->node[to].first + w->node[to].edges + (to == i)] = i;
      }
      w->node[i].edges++;
      w->node[to].edges++;
    }
}

/* Counts, places the lists one behind the other, fills. */
static void bfs_graph(bfs_t *w, const int64_t *values, uint64_t seed) {
  bfs_edges(w, values, seed, false);
  for (uint32_t i = 0; i < w->nodes; i++) {
    w->node[i].first = w->num_edges;
    w->num_edges += w->node[i].edges;
    w->node[i].edges = 0;
  }
  w->edge = data_array(&w->data, w->num_edges, sizeof *w->edge);
  if (w->edge) bfs_edges(w, values, seed, true);
}

void *bfs_create(const int64_t *values, uint64_t seed) {
  bfs_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->nodes = (uint32_t)values[BFS_NODES];
  w->block = (uint32_t)values[BFS_BLOCK];
  w->node = data_array(&w->data, w->nodes, sizeof *w->node);
  w->start = data_array(&w->data, w->nodes, sizeof *w->start);
  w->unknown = data_array(&w->data, w->nodes, sizeof *w->unknown);
  w->got = data_array(&w->data, w->nodes, sizeof *w->got);
  w->want = data_array(&w->data, w->nodes, sizeof *w->want);
  w->queue = data_array(&w->data, w->nodes, sizeof *w->queue);
  if (!w->data.failed) {
    bfs_graph(w, values, seed);
    for (uint32_t i = 0; i < w->nodes; i++) w->unknown[i] = -1;
    w->start[0] = 1;
    w->unknown[0] = 0;
  }
  return data_made(w);
}

static int bfs_visit(const bfs_t *w, const runtime_t *rt, const bfs_device_t *d) {
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, d->node);
  rt_arg_ptr(&args, d->edge);
  rt_arg_ptr(&args, d->frontier);
  rt_arg_ptr(&args, d->marked);
  rt_arg_ptr(&args, d->seen);
  rt_arg_ptr(&args, d->level);
  rt_arg_u32(&args, w->nodes);
  return rt_launch_1d(rt, "bfs_visit", w->nodes, w->block, &args);
}

static int bfs_advance(const bfs_t *w, const runtime_t *rt, const bfs_device_t *d) {
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, d->frontier);
  rt_arg_ptr(&args, d->marked);
  rt_arg_ptr(&args, d->seen);
  rt_arg_ptr(&args, d->more);
  rt_arg_u32(&args, w->nodes);
  return rt_launch_1d(rt, "bfs_advance", w->nodes, w->block, &args);
}

/* One level: both kernels, and whether there is another. */
static int bfs_level(const bfs_t *w, const runtime_t *rt, const bfs_device_t *d, uint8_t *more) {
  *more = 0;
  int status = rt->memcpy_h2d(rt->ctx, d->more, more, sizeof *more);
  if (!status) status = bfs_visit(w, rt, d);
  if (!status) status = bfs_advance(w, rt, d);
  return status ? status : rt->memcpy_d2h(rt->ctx, more, d->more, sizeof *more);
}

/* `marked` begins with the zeros of `got`. */
static int bfs_load(const bfs_t *w, const runtime_t *rt, bfs_device_t *d) {
  static const uint8_t none;
  int status = data_to_device(rt, &d->node, w->node, w->nodes * sizeof *w->node);
  if (!status) status = data_to_device(rt, &d->edge, w->edge, w->num_edges * sizeof *w->edge);
  if (!status) status = data_to_device(rt, &d->frontier, w->start, w->nodes);
  if (!status) status = data_to_device(rt, &d->seen, w->start, w->nodes);
  if (!status) status = data_to_device(rt, &d->level, w->unknown, w->nodes * sizeof *w->unknown);
  if (!status) status = data_to_device(rt, &d->more, &none, sizeof none);
  return status ? status : data_to_device(rt, &d->marked, w->got, w->nodes); /* zeroes */
}

int bfs_run(void *state, const runtime_t *rt) {
  bfs_t *w = state;
  bfs_device_t device;
  uint8_t more = 1;
  int status = bfs_load(w, rt, &device);
  while (!status && more) status = bfs_level(w, rt, &device, &more);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->got, device.level, w->nodes * sizeof *w->got);
}

/* The reference takes nodes from a queue, so they come in the order of their levels. */
bool bfs_check(const void *state, trouble_t *trouble) {
  const bfs_t *w = state;
  uint32_t tail = 1;
  for (uint32_t i = 0; i < w->nodes; i++) w->want[i] = w->unknown[i];
  w->queue[0] = 0;
  for (uint32_t head = 0; head < tail; head++) {
    const uint32_t from = w->queue[head];
    for (uint32_t k = 0; k < w->node[from].edges; k++) {
      const uint32_t to = w->edge[w->node[from].first + k];
      if (w->want[to] >= 0) continue;
      w->want[to] = w->want[from] + 1;
      w->queue[tail++] = to;
    }
  }
  return data_equal_s32("level", w->got, w->want, w->nodes, trouble);
}

const workload_t workload_bfs = {KERNEL_WORKLOAD(bfs), .params = params,   .create = bfs_create,
                                 .run = bfs_run,       .check = bfs_check, .destroy = data_destroy};
