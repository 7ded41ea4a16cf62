/* SPDX-License-Identifier: Apache-2.0
 *
 * blur_tiles: blur of many images of 32 by 32 pixels in the layout of tiles.h.
 */
#include "kernel_ptx.h"
#include "tiled.h"

KERNEL_PTX(blur_tiles);

static const workload_param_t params[] = TILED_PARAMS;

static void *blur_tiles_create(const int64_t *values, uint64_t seed) {
  return data_made(tiled_create(values, &seed, 1));
}

static int blur_tiles_run(void *state, const runtime_t *rt) {
  return tiled_run(state, rt, "blur_tiles", 0);
}

/* Three pixels from above to below. */
static float column_sum(const tiled_t *w, uint32_t tile, int x, int y) {
  x = tiled_within(x);
  return tiled_at(w, tile, x, tiled_within(y - 1)) + tiled_at(w, tile, x, y) +
         tiled_at(w, tile, x, tiled_within(y + 1));
}

/* Three such sums from left to right, and a product: nothing to fuse. */
static float blurred(const tiled_t *w, unsigned output, uint32_t tile, int x, int y) {
  (void)output;
  return (column_sum(w, tile, x - 1, y) + column_sum(w, tile, x, y) + column_sum(w, tile, x + 1, y)) * (1.0f / 9.0f);
}

static bool blur_tiles_check(const void *state, trouble_t *trouble) {
  return tiled_check(state, blurred, trouble);
}

const workload_t workload_blur_tiles = {KERNEL_WORKLOAD(blur_tiles), .params = params,
                                        .create = blur_tiles_create, .run = blur_tiles_run,
                                        .check = blur_tiles_check,   .destroy = data_destroy};
