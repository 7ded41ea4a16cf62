/* SPDX-License-Identifier: Apache-2.0
 *
 * nw_rows: Needleman-Wunsch alignment of many pairs of 32 elements, a warp a pair, in a layout
 * for near-bank units:
 *
 *    | row 0 of pair 0 | of pair 1 | ... | row 1 of pair 0 | ...        128 bytes each
 */
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(nw_rows);

enum { PAIRS, BLOCKS, PENALTY, LENGTH = 32, PAIRS_A_BLOCK = 4, RESIDUES = 24 };
static const workload_param_t params[] = {
    {"pairs", "pairs of sequences of 32 elements; a multiple of 4,096 for rows at one core each", 256, 1, 1 << 20,
     4096},
    {"blocks", "blocks of four pairs at most; they go on through what is left", 512, 1, 65535, 0},
    {"penalty", "of a gap, an element", 1, 0, 32768, 0},
    {0},
};

typedef struct {
  data_t data;
  uint32_t pairs, blocks;
  int32_t penalty;
  int32_t *similarity, *got, *want;
} nw_rows_t;

/* The word of a pair's cell: by row, then pair, then column. */
static size_t cell_index(const nw_rows_t *w, uint32_t pair, uint32_t y, uint32_t x) {
  return ((size_t)y * w->pairs + pair) * LENGTH + x;
}

/* Alike residues score 4, others -2 to 1. */
static void fill_pairs(nw_rows_t *w, uint64_t *seed) {
  for (uint32_t pair = 0; pair < w->pairs; pair++) {
    uint8_t along[LENGTH];
    for (uint32_t x = 0; x < LENGTH; x++) along[x] = (uint8_t)(data_random(seed) % RESIDUES);
    for (uint32_t y = 0; y < LENGTH; y++) {
      const uint8_t down = (uint8_t)(data_random(seed) % RESIDUES);
      for (uint32_t x = 0; x < LENGTH; x++)
        w->similarity[cell_index(w, pair, y, x)] = down == along[x] ? 4 : (down * along[x]) % 4 - 2;
    }
  }
}

static void *nw_rows_create(const int64_t *values, uint64_t seed) {
  nw_rows_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->pairs = (uint32_t)values[PAIRS];
  w->blocks = (uint32_t)values[BLOCKS];
  w->penalty = (int32_t)values[PENALTY];
  const size_t words = (size_t)w->pairs * LENGTH * LENGTH;
  w->similarity = data_array(&w->data, words, sizeof *w->similarity);
  w->got = data_array(&w->data, words, sizeof *w->got);
  w->want = data_array(&w->data, words, sizeof *w->want);
  if (!w->data.failed) fill_pairs(w, &seed);
  return data_made(w);
}

static int nw_rows_run(void *state, const runtime_t *rt) {
  nw_rows_t *w = state;
  const size_t bytes = (size_t)w->pairs * LENGTH * LENGTH * sizeof *w->got;
  rt_ptr_t similarity, scores;
  int status = data_to_device(rt, &similarity, w->similarity, bytes);
  if (!status) status = data_to_device(rt, &scores, NULL, bytes);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, similarity);
  rt_arg_ptr(&args, scores);
  rt_arg_u32(&args, w->pairs);
  rt_arg_u32(&args, (uint32_t)w->penalty);
  const uint32_t blocks = (uint32_t)data_least(data_blocks(w->pairs, PAIRS_A_BLOCK), w->blocks);
  const rt_launch_t launch = {"nw_rows", {blocks, 1, 1}, {LENGTH * PAIRS_A_BLOCK, 1, 1}, 0, args.bytes, args.size};
  status = rt->launch(rt->ctx, &launch);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->got, scores, bytes);
}

/* The score of the first y elements of the one sequence with the first x of the other. */
static int32_t score_before(const nw_rows_t *w, uint32_t pair, uint32_t y, uint32_t x) {
  return y && x ? w->want[cell_index(w, pair, y - 1, x - 1)] : -(int32_t)(x + y) * w->penalty;
}

/* Row by row: the best of going on along both sequences, or of a gap in one. */
static void align_pair(const nw_rows_t *w, uint32_t pair) {
  for (uint32_t y = 0; y < LENGTH; y++)
    for (uint32_t x = 0; x < LENGTH; x++) {
      const int32_t both = score_before(w, pair, y, x) + w->similarity[cell_index(w, pair, y, x)];
      const int32_t up = score_before(w, pair, y, x + 1) - w->penalty,
                    left = score_before(w, pair, y + 1, x) - w->penalty;
      const int32_t gap = up > left ? up : left;
      w->want[cell_index(w, pair, y, x)] = both > gap ? both : gap;
    }
}

static bool nw_rows_check(const void *state, trouble_t *trouble) {
  const nw_rows_t *w = state;
  for (uint32_t pair = 0; pair < w->pairs; pair++) align_pair(w, pair);
  return data_equal_s32("scores", w->got, w->want, (size_t)w->pairs * LENGTH * LENGTH, trouble);
}

const workload_t workload_nw_rows = {KERNEL_WORKLOAD(nw_rows), .params = params,       .create = nw_rows_create,
                                     .run = nw_rows_run,       .check = nw_rows_check, .destroy = data_destroy};
