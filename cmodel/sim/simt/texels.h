/* SPDX-License-Identifier: Apache-2.0
 *
 * A texture fetch of a warp on its way through the L1: which lines it wants, which bytes of them
 * are whose texels, and what has come.
 */
#ifndef TEXELS_H
#define TEXELS_H

#include "simt.h"
#include "texture.h"

enum { TEXELS_LINES = GPU_WARP_WIDTH * TEXTURE_TAPS };

typedef struct {
  const rt_texture_t *texture[GPU_WARP_WIDTH], *sampler[GPU_WARP_WIDTH]; /* of each thread */
  texture_fetch_t fetch[GPU_WARP_WIDTH];
  uint32_t mask;
  unsigned lines;
  uint64_t line[TEXELS_LINES]; /* physical, in the order of the lowest thread that wants them */
  uint8_t which[GPU_WARP_WIDTH][TEXTURE_TAPS], offset[GPU_WARP_WIDTH][TEXTURE_TAPS];
  uint8_t texel[GPU_WARP_WIDTH][TEXTURE_TAPS][TEXTURE_TEXEL_BYTES];
} texels_t;

/* Is it read: not outside, and not without weight. */
static inline bool texels_wants(const texels_t *t, unsigned lane, unsigned tap) {
  return t->fetch[lane].at[tap] != TEXTURE_OUTSIDE && t->fetch[lane].weight[tap];
}

void texels_place(texels_t *t, unsigned lane, unsigned tap, uint64_t paddr); /* where it is in memory */
void texels_take(texels_t *t, unsigned line, const uint32_t *words);         /* that line has come */

/* All have come: the threads' registers. */
void texels_write(const texels_t *t, const simt_op_t *op, simt_warp_t *w);

#endif
