/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of the workloads on many images of 32 by 32 words (tiles.h): images, launches,
 * and a comparison with a function that gives each pixel.
 */
#ifndef TILED_H
#define TILED_H

#include "data.h"
#include "tiles.h"
#include "workload.h"

/* The parameters of all these workloads. */
#define TILED_PARAMS                                                                        \
  {                                                                                         \
    {"tiles", "images of 32 x 32 pixels", 256, 1, 1 << 18, 4096},                           \
        {"blocks", "blocks at most; they go on through what is left", 1024, 1, 65535, 0}, { \
      0                                                                                     \
    }                                                                                       \
  }

/* The state of a workload on tiles. `weight` is the workload's own to fill. */
typedef struct {
  data_t data;
  uint32_t tiles, blocks;
  unsigned outputs; /* images of a tile's result; image 0 of all tiles comes first */
  float *in, *weight, *got, *want;
} tiled_t;

/* Makes the state, with `in` from the seed and room for `outputs` images a tile. The caller ends
 * with data_made; data_destroy frees it. */
tiled_t *tiled_create(const int64_t *values, uint64_t *seed, unsigned outputs);

/* Launches kernel(in, out, tiles, weights ...). Returns 0 or the failed call's status. */
int tiled_run(tiled_t *w, const runtime_t *rt, const char *kernel, unsigned weights);

/* A pixel of the reference: (x, y) of a tile's result `output`. */
typedef float tiled_pixel_t(const tiled_t *w, unsigned output, uint32_t tile, int x, int y);
bool tiled_check(const tiled_t *w, tiled_pixel_t *pixel, trouble_t *trouble);

/* Pixel (x, y) of a tile of the input, which must be inside. */
static inline float tiled_at(const tiled_t *w, uint32_t tile, int x, int y) {
  return w->in[TILES_AT(w->tiles, tile, x, y)];
}

/* The nearest coordinate within the image. */
static inline int tiled_within(int at) {
  if (at < 0) return 0;
  return at < TILE ? at : TILE - 1;
}

#endif
