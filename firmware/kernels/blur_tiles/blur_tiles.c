/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "data.h"
#include "kernel_ptx.h"
#include "tiles.h"
#include "workload.h"

KERNEL_PTX(blur_tiles);

enum { TILES, BLOCKS };
static const workload_param_t params[] = {
    {"tiles", "images of 32 x 32 pixels", 256, 1, 1 << 18, 2048},
    {"blocks", "blocks at most; they go on through what is left", 1024, 1, 65535, 0},
    {0},
};

typedef struct {
  data_t data;
  uint32_t tiles, blocks;
  float *in, *got, *want;
} blur_tiles_t;

static void *blur_tiles_create(const int64_t *values, uint64_t seed) {
  blur_tiles_t *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->tiles = (uint32_t)values[TILES];
  w->blocks = (uint32_t)values[BLOCKS];
  const size_t words = (size_t)w->tiles * TILE_WORDS;
  w->in = data_floats(&w->data, &seed, words);
  w->got = data_array(&w->data, words, sizeof *w->got);
  w->want = data_array(&w->data, words, sizeof *w->want);
  return data_made(w);
}

static int blur_tiles_run(void *state, const runtime_t *rt) {
  blur_tiles_t *w = state;
  const size_t bytes = (size_t)w->tiles * TILE_WORDS * sizeof *w->in;
  rt_ptr_t in, out;
  int status = data_to_device(rt, &in, w->in, bytes);
  if (!status) status = data_to_device(rt, &out, NULL, bytes);
  if (status) return status;
  rt_args_t args;
  rt_args_init(&args, rt);
  rt_arg_ptr(&args, in);
  rt_arg_ptr(&args, out);
  rt_arg_u32(&args, w->tiles);
  const rt_launch_t launch = {"blur_tiles", {(uint32_t)data_least(w->tiles, w->blocks), 1, 1}, {TILE_THREADS, 1, 1}, 0, args.bytes, args.size};
  status = rt->launch(rt->ctx, &launch);
  return status ? status : rt->memcpy_d2h(rt->ctx, w->got, out, bytes);
}

static int within(int at) {
  return at < 0 ? 0 : at < TILE ? at : TILE - 1;
}

/* Three pixels from above to below. */
static float column_sum(const blur_tiles_t *w, uint32_t tile, int x, int y) {
  return w->in[TILES_AT(w->tiles, tile, within(x), within(y - 1))] + w->in[TILES_AT(w->tiles, tile, within(x), y)] +
         w->in[TILES_AT(w->tiles, tile, within(x), within(y + 1))];
}

/* Three such sums from left to right, and a product: nothing to fuse. */
static bool blur_tiles_check(const void *state, char *why, size_t size) {
  const blur_tiles_t *w = state;
  for (uint32_t tile = 0; tile < w->tiles; tile++)
    for (int y = 0; y < TILE; y++)
      for (int x = 0; x < TILE; x++)
        w->want[TILES_AT(w->tiles, tile, x, y)] = (column_sum(w, tile, x - 1, y) + column_sum(w, tile, x, y) + column_sum(w, tile, x + 1, y)) * (1.0f / 9.0f);
  return data_equal_f32("out", w->got, w->want, (size_t)w->tiles * TILE_WORDS, why, size);
}

const workload_t workload_blur_tiles = {KERNEL_WORKLOAD(blur_tiles), .params = params,          .create = blur_tiles_create,
                                        .run = blur_tiles_run,       .check = blur_tiles_check, .destroy = data_destroy};
