/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions of textures and surfaces, as they are decoded.
 *
 *   tex, tld4     SIMT_TEXTURE, sub FETCH or GATHER: v[0..3] results, v[TEXTURE_LAYER],
 *                 v[TEXTURE_X] and behind it coordinates, round the channel of tld4 d, e, x offsets
 *                 in texels, or SIMT_NO_OPERAND
 *   txq, suq      SIMT_TEXTURE, sub QUERY: v[0] result, round what is asked for (texture_query_t)
 *   suld.b        SIMT_LOAD in space SIMT_SURFACE, as sust.b is SIMT_STORE: d the layer, a, b, c
 *                 coordinates, round what is outside (surface_outside_t)
 *
 * Of all: base the handle, src_bytes the shape; of tex and tld4, c a sampler's handle.
 */
#ifndef TEXTURE_DECODE_H
#define TEXTURE_DECODE_H

#include "simt_operand.h"
#include "texture.h"

enum { SIMT_SURFACE = PTX_SPACE_LOCAL + 1 };
enum { TEXTURE_FETCH, TEXTURE_GATHER, TEXTURE_QUERY };
enum { TEXTURE_LAYER = 4, TEXTURE_X };
enum { TEXTURE_DIMS = 3, TEXTURE_LAYERED = 4 }; /* shape: dimensions, and whether there are layers */
typedef enum { SURFACE_TRAP, SURFACE_CLAMP, SURFACE_ZERO } surface_outside_t;

typedef enum {
  TEXTURE_WIDTH,
  TEXTURE_HEIGHT,
  TEXTURE_DEPTH,
  TEXTURE_ARRAY_SIZE,
  TEXTURE_DATA_TYPE,
  TEXTURE_ORDER,
  TEXTURE_NORMALIZED,
  TEXTURE_LEVELS,
  TEXTURE_SAMPLES,
  TEXTURE_UNNORMALIZED,
  TEXTURE_FILTER,
  TEXTURE_ADDRESS_0,
  TEXTURE_ADDRESS_1,
  TEXTURE_ADDRESS_2,
  TEXTURE_MEMORY_LAYOUT
} texture_query_t;

/* -1: refused. */
int texture_decode(simt_decoder_t *d, simt_op_t *op);
int surface_decode(simt_decoder_t *d, simt_op_t *op);

uint32_t texture_query(const rt_texture_t *t, texture_query_t what);

#endif
