/* SPDX-License-Identifier: Apache-2.0
 *
 * pf: the cheapest way through a wall from its first row to its last, after Rodinia's pathfinder. A
 * launch does up to `height` rows out of shared memory.
 *
 * After its last row a wall begins again with its second, as often as there are rounds: this gives
 * a very high wall in little memory.
 */
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(pf);

enum { COLUMNS, ROWS, HEIGHT, ROUNDS };
static const workload_param_t params[] = {
    {"columns", "columns of the wall", 20011, 1, 1 << 20, 100000},
    {"rows", "rows, the first of which are costs to begin with", 41, 2, 1024, 100},
    {"height", "rows a launch", 20, 1, 127, 0},
    {"rounds", "ways through the wall, one behind the other", 1, 1, 1024, 7},
    {0},
};

enum { BLOCK = 256 }; /* as the kernel has it */

typedef struct {
  data_t data;
  uint32_t columns, rows, height, rounds;
  int32_t *wall, *got, *want[2];
} pf_t;

static void *pf_create(const int64_t *values, uint64_t seed) {
  pf_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->columns = (uint32_t)values[COLUMNS];
  w->rows = (uint32_t)values[ROWS];
  w->height = (uint32_t)values[HEIGHT];
  w->rounds = (uint32_t)values[ROUNDS];
  const size_t all = (size_t)w->columns * w->rows;
  w->wall = data_array(&w->data, all, sizeof *w->wall);
  w->got = data_array(&w->data, w->columns, sizeof *w->got);
  for (unsigned i = 0; i < 2; i++) w->want[i] = data_array(&w->data, w->columns, sizeof *w->want[i]);
  for (size_t i = 0; w->wall && i < all; i++) w->wall[i] = (int32_t)(data_random(&seed) % 10);
  return data_made(w);
}

/* A block keeps BLOCK - 2 * steps columns: at each step one less to either side is right. */
static int pf_launch(const pf_t *w, const runtime_t *rt, rt_ptr_t wall, const rt_ptr_t costs[2], uint32_t first,
                     uint32_t steps) {
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_u32(&args, steps);
  rt_arg_ptr(&args, wall);
  rt_arg_ptr(&args, costs[0]);
  rt_arg_ptr(&args, costs[1]);
  rt_arg_u32(&args, w->columns);
  rt_arg_u32(&args, first);
  const rt_launch_t launch = {
      "pf", {data_blocks(w->columns, BLOCK - 2 * steps), 1, 1}, {BLOCK, 1, 1}, 0, args.bytes, args.size};
  return rt->launch(rt->ctx, &launch);
}

/* One way through the wall. Afterwards costs[0] are those of the last row. */
static int pf_round(const pf_t *w, const runtime_t *rt, rt_ptr_t wall, rt_ptr_t costs[2]) {
  int status = 0;
  for (uint32_t first = 1; !status && first < w->rows; first += w->height) {
    status = pf_launch(w, rt, wall, costs, first, (uint32_t)data_least(w->height, w->rows - first));
    const rt_ptr_t next = costs[1];
    costs[1] = costs[0];
    costs[0] = next;
  }
  return status;
}

static int pf_run(void *state, const runtime_t *rt) {
  pf_t *w = state;
  const size_t bytes = w->columns * sizeof *w->wall;
  rt_ptr_t wall, costs[2];
  int status = data_to_device(rt, &wall, w->wall, w->rows * bytes);
  if (!status) status = data_to_device(rt, &costs[0], w->wall, bytes);
  if (!status) status = data_to_device(rt, &costs[1], NULL, bytes);
  for (uint32_t r = 0; !status && r < w->rounds; r++) status = pf_round(w, rt, wall, costs);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->got, costs[0], bytes);
}

static int32_t lesser_cost(int32_t a, int32_t b) {
  return a < b ? a : b;
}

/* A step goes straight on or one column aside. */
static void want_row(const pf_t *w, const int32_t *wall, const int32_t *before, int32_t *after) {
  for (uint32_t x = 0; x < w->columns; x++) {
    int32_t cost = before[x];
    if (x > 0) cost = lesser_cost(cost, before[x - 1]);
    if (x + 1 < w->columns) cost = lesser_cost(cost, before[x + 1]);
    after[x] = cost + wall[x];
  }
}

static bool pf_check(const void *state, trouble_t *trouble) {
  const pf_t *w = state;
  unsigned at = 0;
  memcpy(w->want[at], w->wall, w->columns * sizeof *w->wall);
  for (uint32_t r = 0; r < w->rounds; r++)
    for (uint32_t row = 1; row < w->rows; row++, at ^= 1)
      want_row(w, w->wall + (size_t)row * w->columns, w->want[at], w->want[at ^ 1]);
  return data_equal_s32("cost", w->got, w->want[at], w->columns, trouble);
}

const workload_t workload_pf = {KERNEL_WORKLOAD(pf), .params = params,  .create = pf_create,
                                .run = pf_run,       .check = pf_check, .destroy = data_destroy};
