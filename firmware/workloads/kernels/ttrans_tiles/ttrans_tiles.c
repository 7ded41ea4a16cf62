/* SPDX-License-Identifier: Apache-2.0
 *
 * ttrans_tiles: transposition of many matrices of 32 by 32 words in the layout of tiles.h.
 */
#include "kernel_ptx.h"
#include "tiled.h"

KERNEL_PTX(ttrans_tiles);

static const workload_param_t params[] = TILED_PARAMS;

static void *ttrans_tiles_create(const int64_t *values, uint64_t seed) {
  return data_made(tiled_create(values, &seed, 1));
}

static int ttrans_tiles_run(void *state, const runtime_t *rt) {
  return tiled_run(state, rt, "ttrans_tiles", 0);
}

static float transposed(const tiled_t *w, unsigned output, uint32_t tile, int x, int y) {
  (void)output;
  return tiled_at(w, tile, y, x);
}

static bool ttrans_tiles_check(const void *state, trouble_t *trouble) {
  return tiled_check(state, transposed, trouble);
}

const workload_t workload_ttrans_tiles = {KERNEL_WORKLOAD(ttrans_tiles), .params = params,
                                          .create = ttrans_tiles_create, .run = ttrans_tiles_run,
                                          .check = ttrans_tiles_check,   .destroy = data_destroy};
