/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of the workloads on many images of 32 by 32 words (tiles.h): images, launches,
 * and a comparison with what a function says of each pixel.
 */
#ifndef TILED_H
#define TILED_H

#include "data.h"
#include "tiles.h"
#include "workload.h"

/* Their parameters. */
#define TILED_PARAMS                                                                        \
  {                                                                                         \
    {"tiles", "images of 32 x 32 pixels", 256, 1, 1 << 18, 4096},                           \
        {"blocks", "blocks at most; they go on through what is left", 1024, 1, 65535, 0}, { \
      0                                                                                     \
    }                                                                                       \
  }

typedef struct {
  data_t data;
  uint32_t tiles, blocks;
  unsigned outputs; /* images of a tile's result, one behind all tiles of the other */
  float *in, *weight, *got, *want;
} tiled_t;

/* `in` is filled; end it with data_made, and data_destroy */
tiled_t *tiled_create(const int64_t *values, uint64_t *seed, unsigned outputs);

/* kernel(in, out, tiles, weights ...) */
int tiled_run(tiled_t *w, const runtime_t *rt, const char *kernel, unsigned weights);

typedef float tiled_pixel_t(const tiled_t *w, unsigned output, uint32_t tile, int x, int y);
bool tiled_check(const tiled_t *w, tiled_pixel_t *pixel, trouble_t *trouble);

static inline float tiled_at(const tiled_t *w, uint32_t tile, int x, int y) {
  return w->in[TILES_AT(w->tiles, tile, x, y)];
}

/* The nearest within the image. */
static inline int tiled_within(int at) {
  return at < 0 ? 0 : at < TILE ? at : TILE - 1;
}

#endif
