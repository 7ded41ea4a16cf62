/* SPDX-License-Identifier: Apache-2.0
 *
 * btree: keys and ranges of keys looked for in a B+ tree of order 256, after Rodinia's b+tree.
 *
 *    root   [ k0 | k1 | ... ]          the last node; index[i] is the node below key i
 *             /      |
 *    leaves [ keys ] [ keys ] ...      nodes 0 and up; index[i] is the record
 *
 * The tree is as insertions leave it: nodes are at least half full, except the last of a level. The
 * reference has no tree: it looks for keys in their order.
 */
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(btree);

enum { KEYS, FINDS, RANGES, SPAN, BATCHES };
static const workload_param_t params[] = {
    {"keys", "keys of the tree, a record each", 50021, 1, 1 << 22, 1000000},
    {"finds", "keys that are looked for, a block each", 500, 1, 65535, 10000},
    {"ranges", "ranges of keys that are looked for, a block each", 300, 1, 65535, 6000},
    {"span", "records of a range", 3000, 1, 1 << 22, 0},
    {"batches", "times both, with other keys", 1, 1, 1024, 7},
    {0},
};

enum { ORDER = 256 };

/* As the kernels have it. */
typedef struct {
  int32_t place;
  int32_t index[ORDER + 1], key[ORDER + 1];
  uint8_t leaf;
  int32_t keys;
} node_t;
_Static_assert(sizeof(node_t) == 2068, "btree.cu has the same");

typedef struct {
  data_t data;
  uint32_t keys, finds, ranges, span, batches;
  uint32_t nodes, height; /* level by level from the leaves: the root is the last */
  int32_t *key, *value;   /* of each record, in order of keys */
  node_t *node;
  int32_t *find, *from, *to; /* of all batches; from and to: a range's first and last */
  int32_t *got, *want;       /* of each batch: values; first records; lengths */
  int64_t *root;             /* where queries begin */
} btree_t;

/* ---- Data ---- */

/* Answers of a batch: a value for each key, a start and a length for each range. */
static size_t answers_of(const btree_t *w) {
  return w->finds + 2 * (size_t)w->ranges;
}

/* The larger number of queries of a launch. */
static size_t most_queries(const btree_t *w) {
  return w->finds > w->ranges ? w->finds : w->ranges;
}

/* Unused keys are larger than all others. */
static node_t *new_node(btree_t *w, bool leaf) {
  node_t *n = &w->node[w->nodes++];
  n->leaf = leaf;
  for (unsigned i = 0; i <= ORDER; i++) n->key[i] = INT32_MAX;
  return n;
}

/* Of `left` children or keys, how many the next node has: half of the order to `most`. */
static uint32_t share_of_node(uint32_t left, uint32_t most, uint64_t *seed) {
  return (uint32_t)data_least(left, ORDER / 2 + data_random(seed) % (most - ORDER / 2 + 1));
}

static void make_leaves(btree_t *w, uint64_t *seed) {
  for (uint32_t at = 0; at < w->keys;) {
    const uint32_t end = at + share_of_node(w->keys - at, ORDER - 1, seed);
    node_t *n = new_node(w, true);
    for (; at < end; at++, n->keys++) {
      n->key[n->keys] = w->key[at];
      n->index[n->keys] = (int32_t)at;
    }
  }
}

/* The least key below a node. */
static int32_t least_key(const btree_t *w, const node_t *n) {
  while (!n->leaf) n = &w->node[n->index[0]];
  return n->key[0];
}

/* Makes the nodes above nodes at .. below - 1. A first child has no lower bound. */
static void make_level(btree_t *w, uint32_t at, uint32_t below, uint64_t *seed) {
  while (at < below) {
    const uint32_t end = at + share_of_node(below - at, ORDER, seed);
    node_t *n = new_node(w, false);
    for (; at < end; at++, n->keys++) {
      n->key[n->keys] = n->keys ? least_key(w, &w->node[at]) : INT32_MIN;
      n->index[n->keys] = (int32_t)at;
    }
  }
}

/* Keys ascend in steps of 1 to 4, so some numbers are no keys. Levels follow until one has
 * a single node. */
static void make_tree(btree_t *w, uint64_t *seed) {
  int32_t key = 0;
  for (uint32_t i = 0; i < w->keys; i++) {
    w->key[i] = key += 1 + (int32_t)(data_random(seed) % 4);
    w->value[i] = (int32_t)(data_random(seed) >> 33);
  }
  make_leaves(w, seed);
  for (uint32_t first = 0, below = w->nodes; below - first > 1; w->height++) {
    make_level(w, first, below, seed);
    first = below;
    below = w->nodes;
  }
}

/* Of keys that are looked for, one in eight is one higher than an existing key, and
 * mostly not there. */
static void make_queries(btree_t *w, uint64_t *seed) {
  for (size_t i = 0; i < (size_t)w->finds * w->batches; i++)
    w->find[i] = w->key[data_random(seed) % w->keys] + (data_random(seed) % 8 == 0);
  for (size_t i = 0; i < (size_t)w->ranges * w->batches; i++) {
    const uint64_t first = data_random(seed) % (w->keys - w->span + 1);
    w->from[i] = w->key[first];
    w->to[i] = w->key[first + w->span - 1];
  }
  for (size_t i = 0; i < most_queries(w); i++) w->root[i] = w->nodes - 1;
}

static void *btree_create(const int64_t *values, uint64_t seed) {
  btree_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->keys = (uint32_t)values[KEYS];
  w->finds = (uint32_t)values[FINDS];
  w->ranges = (uint32_t)values[RANGES];
  w->span = (uint32_t)data_least((uint64_t)values[SPAN], w->keys);
  w->batches = (uint32_t)values[BATCHES];
  w->key = data_array(&w->data, w->keys, sizeof *w->key);
  w->value = data_array(&w->data, w->keys, sizeof *w->value);
  w->node = data_array(&w->data, w->keys / (ORDER / 4) + 8, sizeof *w->node);
  w->find = data_array(&w->data, (size_t)w->finds * w->batches, sizeof *w->find);
  w->from = data_array(&w->data, (size_t)w->ranges * w->batches, sizeof *w->from);
  w->to = data_array(&w->data, (size_t)w->ranges * w->batches, sizeof *w->to);
  w->got = data_array(&w->data, answers_of(w) * w->batches, sizeof *w->got);
  w->want = data_array(&w->data, answers_of(w) * w->batches, sizeof *w->want);
  w->root = data_array(&w->data, most_queries(w), sizeof *w->root);
  if (w->data.failed) return data_made(w);
  make_tree(w, &seed);
  make_queries(w, &seed);
  for (size_t i = 0; i < answers_of(w) * w->batches; i++) w->got[i] = w->want[i] = -1;
  return data_made(w);
}

/* ---- Launches ---- */

typedef struct {
  const btree_t *w;
  const runtime_t *rt;
  /* at: where queries are and where they go; of a range both ends */
  rt_ptr_t node, record, at[4], find, from, to, value, start, length;
} device_t;

/* The arguments that both kernels begin with. */
static void btree_tree(const device_t *d, rt_args_t *args) {
  const int64_t height = d->w->height, nodes = d->w->nodes;
  rt_arg(args, &height, sizeof height, sizeof height);
  rt_arg_ptr(args, d->node);
  rt_arg(args, &nodes, sizeof nodes, sizeof nodes);
}

static int btree_launch(const device_t *d, const char *kernel, uint32_t queries, const rt_args_t *args) {
  const rt_launch_t launch = {kernel, {queries, 1, 1}, {ORDER, 1, 1}, 0, args->bytes, args->size};
  return d->rt->launch(d->rt->ctx, &launch);
}

static int btree_find(const device_t *d) {
  rt_args_t args;
  rt_args_init(&args, d->rt);
  btree_tree(d, &args);
  rt_arg_ptr(&args, d->record);
  for (unsigned i = 0; i < 2; i++) rt_arg_ptr(&args, d->at[i]);
  rt_arg_ptr(&args, d->find);
  rt_arg_ptr(&args, d->value);
  return btree_launch(d, "btree_find", d->w->finds, &args);
}

static int btree_range(const device_t *d) {
  rt_args_t args;
  rt_args_init(&args, d->rt);
  btree_tree(d, &args);
  for (unsigned i = 0; i < 4; i++) rt_arg_ptr(&args, d->at[i]);
  rt_arg_ptr(&args, d->from);
  rt_arg_ptr(&args, d->to);
  rt_arg_ptr(&args, d->start);
  rt_arg_ptr(&args, d->length);
  return btree_launch(d, "btree_range", d->w->ranges, &args);
}

/* All queries begin at the root. */
static int btree_begin(const device_t *d, unsigned lists, uint32_t queries) {
  int status = 0;
  for (unsigned i = 0; !status && i < lists; i++)
    status = d->rt->memcpy_h2d(d->rt->ctx, d->at[i], d->w->root, queries * sizeof *d->w->root);
  return status;
}

/* Answers begin at -1, which stays where a key is not found. */
static int btree_finds(const device_t *d, const int32_t *find, int32_t *got) {
  const size_t bytes = d->w->finds * sizeof *find;
  int status = btree_begin(d, 2, d->w->finds);
  if (!status) status = d->rt->memcpy_h2d(d->rt->ctx, d->find, find, bytes);
  if (!status) status = d->rt->memcpy_h2d(d->rt->ctx, d->value, got, bytes);
  if (!status) status = btree_find(d);
  return status ? status : d->rt->memcpy_d2h(d->rt->ctx, got, d->value, bytes);
}

static int btree_ranges(const device_t *d, const int32_t *from, const int32_t *to, int32_t *start, int32_t *length) {
  const size_t bytes = d->w->ranges * sizeof *from;
  int status = btree_begin(d, 4, d->w->ranges);
  if (!status) status = d->rt->memcpy_h2d(d->rt->ctx, d->from, from, bytes);
  if (!status) status = d->rt->memcpy_h2d(d->rt->ctx, d->to, to, bytes);
  if (!status) status = d->rt->memcpy_h2d(d->rt->ctx, d->start, start, bytes);
  if (!status) status = d->rt->memcpy_h2d(d->rt->ctx, d->length, length, bytes);
  if (!status) status = btree_range(d);
  if (!status) status = d->rt->memcpy_d2h(d->rt->ctx, start, d->start, bytes);
  return status ? status : d->rt->memcpy_d2h(d->rt->ctx, length, d->length, bytes);
}

/* Device arrays for one batch; the next batch uses them again. */
static int btree_memory(device_t *d) {
  const btree_t *w = d->w;
  int status = data_to_device(d->rt, &d->node, w->node, w->nodes * sizeof *w->node);
  if (!status) status = data_to_device(d->rt, &d->record, w->value, w->keys * sizeof *w->value);
  for (unsigned i = 0; !status && i < 4; i++)
    status = data_to_device(d->rt, &d->at[i], NULL, most_queries(w) * sizeof *w->root);
  rt_ptr_t *const lists[] = {&d->find, &d->value, &d->from, &d->to, &d->start, &d->length};
  for (unsigned i = 0; !status && i < sizeof lists / sizeof *lists; i++)
    status = data_to_device(d->rt, lists[i], NULL, (i < 2 ? w->finds : w->ranges) * sizeof *w->find);
  return status;
}

static int btree_run(void *state, const runtime_t *rt) {
  btree_t *w = state;
  device_t d = {.w = w, .rt = rt};
  int status = btree_memory(&d);
  for (size_t b = 0; !status && b < w->batches; b++) {
    int32_t *value = w->got + b * answers_of(w), *start = value + w->finds, *length = start + w->ranges;
    status = btree_finds(&d, w->find + b * w->finds, value);
    if (!status) status = btree_ranges(&d, w->from + b * w->ranges, w->to + b * w->ranges, start, length);
  }
  return status;
}

/* ---- Reference ---- */

/* The key's record by bisection; -1: no such key. */
static int32_t want_record(const btree_t *w, int32_t key) {
  uint32_t low = 0, high = w->keys;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (w->key[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low < w->keys && w->key[low] == key ? (int32_t)low : -1;
}

static bool btree_check(const void *state, trouble_t *trouble) {
  const btree_t *w = state;
  for (size_t b = 0; b < w->batches; b++) {
    int32_t *value = w->want + b * answers_of(w), *start = value + w->finds, *length = start + w->ranges;
    for (size_t i = 0; i < w->finds; i++) {
      const int32_t record = want_record(w, w->find[b * w->finds + i]);
      if (record >= 0) value[i] = w->value[record];
    }
    for (size_t i = 0; i < w->ranges; i++) {
      start[i] = want_record(w, w->from[b * w->ranges + i]);
      length[i] = want_record(w, w->to[b * w->ranges + i]) - start[i] + 1;
    }
  }
  return data_equal_s32("answer", w->got, w->want, answers_of(w) * w->batches, trouble);
}

const workload_t workload_btree = {KERNEL_WORKLOAD(btree), .params = params,     .create = btree_create,
                                   .run = btree_run,       .check = btree_check, .destroy = data_destroy};
