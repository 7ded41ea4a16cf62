/* SPDX-License-Identifier: Apache-2.0
 *
 * A texture fetch of a warp on its way through the L1: the lines that it needs, the place of each
 * texel in them, and the texels that have arrived.
 */
#ifndef TEXELS_H
#define TEXELS_H

#include "simt.h"
#include "texture.h"

/* Most lines of a fetch. */
enum { TEXELS_LINES = GPU_WARP_WIDTH * TEXTURE_TAPS };

typedef struct {
  const rt_texture_t *texture[GPU_WARP_WIDTH], *sampler[GPU_WARP_WIDTH]; /* of each thread */
  texture_fetch_t fetch[GPU_WARP_WIDTH];                                 /* texels and weights of each thread */
  uint32_t mask;                                                         /* threads that fetch */
  unsigned lines;                                                        /* entries of `line` */
  /* physical addresses, in the order of the lowest thread that needs each */
  uint64_t line[TEXELS_LINES];
  /* of each texel: index of its line, byte offset in the line */
  uint8_t which[GPU_WARP_WIDTH][TEXTURE_TAPS], offset[GPU_WARP_WIDTH][TEXTURE_TAPS];
  uint8_t texel[GPU_WARP_WIDTH][TEXTURE_TAPS][TEXTURE_TEXEL_BYTES]; /* bytes that have arrived */
} texels_t;

/* True if the tap is read: inside the texture, with a weight above 0. */
static inline bool texels_wants(const texels_t *t, unsigned lane, unsigned tap) {
  return t->fetch[lane].at[tap] != TEXTURE_OUTSIDE && t->fetch[lane].weight[tap];
}

/* adds a texel at physical address paddr */
void texels_place(texels_t *t, unsigned lane, unsigned tap, uint64_t paddr);
/* line number `line` has arrived */
void texels_take(texels_t *t, unsigned line, const uint32_t *words);

/* Filters the texels and writes the threads' registers. All lines have arrived. */
void texels_write(const texels_t *t, const simt_op_t *op, simt_warp_t *w);

#endif
