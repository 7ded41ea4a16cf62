/* SPDX-License-Identifier: Apache-2.0
 *
 * nw: Needleman-Wunsch alignment, after Rodinia. Tiles of 16 by 16 scores, a launch for each
 * diagonal of tiles:
 *
 *    . 0 1 2        each number is a launch; a tile needs those above it and to its left
 *    . 1 2 3
 *    . 2 3 4        the first row and column are given
 *
 * A pair's matrix is (rows + 1) x (columns + 1).
 */
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "workload.h"

KERNEL_PTX(nw);

enum { ROWS, COLUMNS, PAIRS, PENALTY, TILE = 16, RESIDUES = 24 };
static const workload_param_t params[] = {
    {"rows", "length of the one sequence", 250, 1, 16384, 128},
    {"columns", "length of the other", 203, 1, 16384, 128},
    {"pairs", "pairs of sequences", 2, 1, 4096, 64},
    {"penalty", "of a gap, an element", 10, 0, 32768, 0},
    {0},
};

typedef struct {
  data_t data;
  uint32_t rows, columns, pairs;
  int32_t penalty;
  size_t matrix; /* scores of a pair */
  int32_t *similarity, *scores, *got;
} nw_t;

/* Alike residues score 4 to 11, others -4 to 3, the same both ways, as in the BLOSUM matrices. */
static void make_table(int32_t table[RESIDUES][RESIDUES], uint64_t *seed) {
  for (unsigned i = 0; i < RESIDUES; i++) {
    table[i][i] = 4 + (int32_t)(data_random(seed) % 8);
    for (unsigned j = 0; j < i; j++) table[i][j] = table[j][i] = (int32_t)(data_random(seed) % 8) - 4;
  }
}

/* Random sequences, their similarities by the table, and the given row and column of gaps. */
static void fill_pairs(nw_t *w, uint64_t *seed, uint8_t *other) {
  int32_t table[RESIDUES][RESIDUES], *similarity = w->similarity;
  make_table(table, seed);
  for (uint32_t pair = 0; pair < w->pairs; pair++) {
    for (uint32_t x = 0; x < w->columns; x++) other[x] = (uint8_t)(data_random(seed) % RESIDUES);
    for (uint32_t y = 0; y < w->rows; y++) {
      const int32_t *row = table[data_random(seed) % RESIDUES];
      for (uint32_t x = 0; x < w->columns; x++) *similarity++ = row[other[x]];
    }
    int32_t *scores = w->scores + pair * w->matrix;
    for (uint32_t x = 0; x <= w->columns; x++) scores[x] = -(int32_t)x * w->penalty;
    for (uint32_t y = 1; y <= w->rows; y++) scores[(size_t)y * (w->columns + 1)] = -(int32_t)y * w->penalty;
  }
}

static void *nw_create(const int64_t *values, uint64_t seed) {
  nw_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->rows = (uint32_t)values[ROWS];
  w->columns = (uint32_t)values[COLUMNS];
  w->pairs = (uint32_t)values[PAIRS];
  w->penalty = (int32_t)values[PENALTY];
  w->matrix = ((size_t)w->rows + 1) * (w->columns + 1);
  uint8_t *other = data_array(&w->data, w->columns, sizeof *other);
  w->similarity = data_array(&w->data, (size_t)w->pairs * w->rows * w->columns, sizeof *w->similarity);
  w->scores = data_array(&w->data, w->pairs * w->matrix, sizeof *w->scores);
  w->got = data_array(&w->data, w->pairs * w->matrix, sizeof *w->got);
  if (!w->data.failed) fill_pairs(w, &seed, other);
  return data_made(w);
}

/* Tiles top .. bottom of a diagonal, for all pairs at once. */
static int nw_diagonal(const nw_t *w, const runtime_t *rt, rt_ptr_t similarity, rt_ptr_t scores, uint32_t diagonal) {
  const uint32_t down = (w->rows + TILE - 1) / TILE, across = (w->columns + TILE - 1) / TILE;
  const uint32_t top = diagonal < across ? 0 : diagonal - across + 1;
  const uint32_t bottom = diagonal < down ? diagonal : down - 1;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, similarity);
  rt_arg_ptr(&args, scores);
  rt_arg_u32(&args, w->rows);
  rt_arg_u32(&args, w->columns);
  rt_arg_u32(&args, diagonal);
  rt_arg_u32(&args, top);
  rt_arg_u32(&args, (uint32_t)w->penalty);
  const rt_launch_t launch = {"nw", {bottom - top + 1, w->pairs, 1}, {TILE, 1, 1}, 0, args.bytes, args.size};
  return rt->launch(rt->ctx, &launch);
}

static int nw_run(void *state, const runtime_t *rt) {
  nw_t *w = state;
  const size_t bytes = w->pairs * w->matrix * sizeof *w->scores;
  const uint32_t diagonals = (w->rows + TILE - 1) / TILE + (w->columns + TILE - 1) / TILE - 1;
  rt_ptr_t similarity, scores;
  int status =
      data_to_device(rt, &similarity, w->similarity, (size_t)w->pairs * w->rows * w->columns * sizeof *w->similarity);
  if (!status) status = data_to_device(rt, &scores, w->scores, bytes);
  for (uint32_t diagonal = 0; diagonal < diagonals && !status; diagonal++)
    status = nw_diagonal(w, rt, similarity, scores, diagonal);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->got, scores, bytes);
}

/* Row by row: the best of going on along both sequences, or of a gap in one. */
static bool nw_check(const void *state, trouble_t *trouble) {
  const nw_t *w = state;
  const int32_t *similarity = w->similarity;
  const size_t pitch = (size_t)w->columns + 1;
  for (uint32_t pair = 0; pair < w->pairs; pair++)
    for (uint32_t y = 1; y <= w->rows; y++)
      for (uint32_t x = 1; x <= w->columns; x++) {
        int32_t *score = w->scores + pair * w->matrix + y * pitch + x;
        const int32_t both = score[-(ptrdiff_t)pitch - 1] + *similarity++;
        const int32_t up = score[-(ptrdiff_t)pitch] - w->penalty, left = score[-1] - w->penalty;
        *score = both > up ? both : up;
        if (left > *score) *score = left;
      }
  return data_equal_s32("scores", w->got, w->scores, w->pairs * w->matrix, trouble);
}

const workload_t workload_nw = {KERNEL_WORKLOAD(nw), .params = params,  .create = nw_create,
                                .run = nw_run,       .check = nw_check, .destroy = data_destroy};
