/* SPDX-License-Identifier: Apache-2.0
 *
 * The texture unit of an SM: which texels a thread's fetch reads, and what comes of them. Formulae:
 * CUDA C++ Programming Guide, appendix "Texture Fetching".
 *
 *   texture_locate(&texture, &sampler, &point, gather, &fetch)
 *   ... the texels at fetch.at[] ...
 *   texture_value(&texture, &fetch, texels, result)        of tex;   texture_gather(..., channel,
 *                                                          result) of tld4
 */
#ifndef CMODEL_TEXTURE_H
#define CMODEL_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "rt_texture.h"

enum { TEXTURE_TAPS = 8, TEXTURE_TEXEL_BYTES = 16, TEXTURE_ONE_BITS = 24 };
#define TEXTURE_ONE (1u << TEXTURE_ONE_BITS) /* weights: of three dimensions, 8 bits of fraction each */
#define TEXTURE_OUTSIDE UINT64_MAX           /* in the place of an address: the border's colour, or zero */

/* Where a thread reads: floating-point coordinates, or
 * whole ones, which count texels; and texels from there. */
typedef struct {
  bool whole;
  uint32_t layer;
  int32_t offset[3];
  union {
    float f[3];
    int32_t i[3];
  } x;
} texture_point_t;

typedef struct {
  unsigned taps; /* 1, 2, 4, 8: x first */
  bool filtered;
  uint64_t at[TEXTURE_TAPS];
  uint32_t weight[TEXTURE_TAPS]; /* of TEXTURE_ONE; 0: it is not read */
} texture_fetch_t;

/* gather: the four texels of a bilinear footprint, whatever the filter (tld4). */
void texture_locate(const rt_texture_t *t, const rt_texture_t *sampler, const texture_point_t *point, bool gather,
                    texture_fetch_t *f);

/* Red, green, blue, alpha as 32 bits each: f32 where the texture is
 * floating-point or its numbers are read as such, else whole numbers. */
void texture_value(const rt_texture_t *t, const rt_texture_t *sampler, const texture_fetch_t *f,
                   const uint8_t texels[TEXTURE_TAPS][TEXTURE_TEXEL_BYTES], uint32_t result[4]);

/* One channel of each of the four, counter-clockwise from the lower left (PTX ISA, tld4). */
void texture_gather(const rt_texture_t *t, const rt_texture_t *sampler, const texture_fetch_t *f,
                    const uint8_t texels[TEXTURE_TAPS][TEXTURE_TEXEL_BYTES], unsigned channel, uint32_t result[4]);

/* Its results are f32: it is floating-point, or its whole numbers are read as numbers up to 1. */
bool texture_is_real(const rt_texture_t *t);

/* f32 of the texel's numbers, into and out of memory: also what sust.p stores. */
uint32_t texture_element(const rt_texture_t *t, const uint8_t *bytes);

#endif
