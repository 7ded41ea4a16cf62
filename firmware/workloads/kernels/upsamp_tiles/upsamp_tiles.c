/* SPDX-License-Identifier: Apache-2.0
 *
 * upsamp_tiles: many images of 32 by 32 pixels twice as wide and high, in the layout of tiles.h.
 * New pixels are four images: above and below an old pixel's middle, left and right of it.
 */
#include <math.h>

#include "kernel_ptx.h"
#include "tiled.h"

KERNEL_PTX(upsamp_tiles);

static const workload_param_t params[] = TILED_PARAMS;

static void *upsamp_tiles_create(const int64_t *values, uint64_t seed) {
  return data_made(tiled_create(values, &seed, 4));
}

static int upsamp_tiles_run(void *state, const runtime_t *rt) {
  return tiled_run(state, rt, "upsamp_tiles", 0);
}

/* The product with the nearest is rounded; the product with the next is fused with the addition. */
static float blend_pixels(float near, float next) {
  return fmaf(next, 0.25f, 0.75f * near);
}

static float blend_rows(const tiled_t *w, uint32_t tile, int x, int y, int next) {
  return blend_pixels(tiled_at(w, tile, tiled_within(x), y), tiled_at(w, tile, tiled_within(x), tiled_within(next)));
}

/* output: 0 above left, 1 above right, 2 below left, 3 below right. */
static float upsampled(const tiled_t *w, unsigned output, uint32_t tile, int x, int y) {
  const int next = output / 2 ? y + 1 : y - 1, beside = output % 2 ? x + 1 : x - 1;
  return blend_pixels(blend_rows(w, tile, x, y, next), blend_rows(w, tile, beside, y, next));
}

static bool upsamp_tiles_check(const void *state, trouble_t *trouble) {
  return tiled_check(state, upsampled, trouble);
}

const workload_t workload_upsamp_tiles = {KERNEL_WORKLOAD(upsamp_tiles), .params = params,
                                          .create = upsamp_tiles_create, .run = upsamp_tiles_run,
                                          .check = upsamp_tiles_check,   .destroy = data_destroy};
