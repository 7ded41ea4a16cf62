/* SPDX-License-Identifier: Apache-2.0
 *
 * The texture unit of an SM: which texels a thread's fetch reads, and their filtered value.
 * Formulae: CUDA C++ Programming Guide, appendix "Texture Fetching".
 *
 *   texture_locate(&texture, &sampler, &point, gather, &fetch)
 *   ... the caller reads the texels at fetch.at[] ...
 *   texture_value(&texture, &sampler, &fetch, texels, result)              for tex
 *   texture_gather(&texture, &sampler, &fetch, texels, channel, result)    for tld4
 */
#ifndef CMODEL_TEXTURE_H
#define CMODEL_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "rt_texture.h"

enum { TEXTURE_TAPS = 8, TEXTURE_TEXEL_BYTES = 16, TEXTURE_ONE_BITS = 24 };
/* Weight 1. A weight is the product of three dimensions with 8 fraction bits each. */
#define TEXTURE_ONE (1u << TEXTURE_ONE_BITS)
/* Instead of an address: the texel is outside, and is the border colour or zero. */
#define TEXTURE_OUTSIDE UINT64_MAX

/* Where a thread reads: a layer, coordinates, and an offset in texels. */
typedef struct {
  bool whole; /* coordinates are integers, in texels */
  uint32_t layer;
  int32_t offset[3];
  union {
    float f[3];
    int32_t i[3];
  } x;
} texture_point_t;

/* The texels of one thread's fetch. */
typedef struct {
  unsigned taps; /* entries of at and weight: 1, 2, 4, 8; x varies fastest */
  bool filtered;
  uint64_t at[TEXTURE_TAPS];     /* virtual address of each texel, or TEXTURE_OUTSIDE */
  uint32_t weight[TEXTURE_TAPS]; /* in units of 1 / TEXTURE_ONE; 0: the texel is not read */
} texture_fetch_t;

/* Finds the texels of a fetch. gather: the four texels of the bilinear footprint, whatever the
 * filter (tld4). */
void texture_locate(const rt_texture_t *t, const rt_texture_t *sampler, const texture_point_t *point, bool gather,
                    texture_fetch_t *f);

/* Filtered value: red, green, blue, alpha of 32 bits each. They are f32 if texture_is_real, else
 * integers. */
void texture_value(const rt_texture_t *t, const rt_texture_t *sampler, const texture_fetch_t *f,
                   const uint8_t texels[TEXTURE_TAPS][TEXTURE_TEXEL_BYTES], uint32_t result[4]);

/* One channel of the four texels, counter-clockwise from the lower left (PTX ISA, tld4). */
void texture_gather(const rt_texture_t *t, const rt_texture_t *sampler, const texture_fetch_t *f,
                    const uint8_t texels[TEXTURE_TAPS][TEXTURE_TEXEL_BYTES], unsigned channel, uint32_t result[4]);

/* True if results are f32: a floating-point texture, or integers read as normalised numbers. */
bool texture_is_real(const rt_texture_t *t);

/* An element of a texel as a 32-bit result: f32 if texture_is_real, else an integer. bytes: the
 * element as memory has it. */
uint32_t texture_element(const rt_texture_t *t, const uint8_t *bytes);

#endif
