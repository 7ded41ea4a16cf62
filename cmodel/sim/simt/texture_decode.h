/* SPDX-License-Identifier: Apache-2.0
 *
 * Decoder of texture and surface instructions. It fills simt_op_t as follows:
 *
 *   tex, tld4    SIMT_TEXTURE, sub TEXTURE_FETCH or TEXTURE_GATHER
 *     v[0..3]               results
 *     v[TEXTURE_LAYER]      layer
 *     v[TEXTURE_X] and up   coordinates
 *     c                     handle of the sampler
 *     d, e, x               offsets in texels, or SIMT_NO_OPERAND
 *     round                 channel of tld4
 *   txq, suq     SIMT_TEXTURE, sub TEXTURE_QUERY
 *     v[0]                  result
 *     round                 what is asked for (texture_query_t)
 *   suld.b, sust.b    SIMT_LOAD, SIMT_STORE in space SIMT_SURFACE
 *     d                     layer
 *     a, b, c               coordinates
 *     round                 what happens outside (surface_outside_t)
 *
 * In all of them base is the handle and src_bytes the shape.
 */
#ifndef TEXTURE_DECODE_H
#define TEXTURE_DECODE_H

#include "simt_operand.h"
#include "texture.h"

/* Pseudo-space of surface accesses, above those of ptx_space_t. */
enum { SIMT_SURFACE = PTX_SPACE_LOCAL + 1 };
enum { TEXTURE_FETCH, TEXTURE_GATHER, TEXTURE_QUERY };
enum { TEXTURE_LAYER = 4, TEXTURE_X };
/* bits of the shape: number of dimensions; has layers */
enum { TEXTURE_DIMS = 3, TEXTURE_LAYERED = 4 };
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

/* Both return -1 if the instruction is refused. */
int texture_decode(simt_decoder_t *d, simt_op_t *op);
int surface_decode(simt_decoder_t *d, simt_op_t *op);

/* Value that txq or suq returns. */
uint32_t texture_query(const rt_texture_t *t, texture_query_t what);

#endif
