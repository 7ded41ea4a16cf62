/* SPDX-License-Identifier: Apache-2.0
 *
 * conv_tiles: 3 x 3 convolution of many images of 32 by 32 pixels in the layout of tiles.h. The
 * nine weights are arguments.
 */
#include <math.h>

#include "kernel_ptx.h"
#include "tiled.h"

KERNEL_PTX(conv_tiles);

enum { TAPS = 9 };
static const workload_param_t params[] = TILED_PARAMS;

static void *conv_tiles_create(const int64_t *values, uint64_t seed) {
  tiled_t *w = tiled_create(values, &seed, 1);
  if (w) w->weight = data_floats(&w->data, &seed, TAPS);
  return data_made(w);
}

static int conv_tiles_run(void *state, const runtime_t *rt) {
  return tiled_run(state, rt, "conv_tiles", TAPS);
}

/* The pixel that tap k of pixel (x, y) multiplies: 0 outside of the image. */
static float tap_pixel(const tiled_t *w, uint32_t tile, int x, int y, int k) {
  const int i = x + k % 3 - 1, j = y + k / 3 - 1;
  return i == tiled_within(i) && j == tiled_within(j) ? tiled_at(w, tile, i, j) : 0.0f;
}

/* Tap 1's product is rounded; all others are fused with the addition, tap 0 first, then 2 to 8. */
static float convolved(const tiled_t *w, unsigned output, uint32_t tile, int x, int y) {
  (void)output;
  float sum = fmaf(tap_pixel(w, tile, x, y, 0), w->weight[0], tap_pixel(w, tile, x, y, 1) * w->weight[1]);
  for (int k = 2; k < TAPS; k++) sum = fmaf(tap_pixel(w, tile, x, y, k), w->weight[k], sum);
  return sum;
}

static bool conv_tiles_check(const void *state, trouble_t *trouble) {
  return tiled_check(state, convolved, trouble);
}

const workload_t workload_conv_tiles = {KERNEL_WORKLOAD(conv_tiles), .params = params,
                                        .create = conv_tiles_create, .run = conv_tiles_run,
                                        .check = conv_tiles_check,   .destroy = data_destroy};
