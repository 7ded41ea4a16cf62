/* SPDX-License-Identifier: Apache-2.0
 *
 * What a texture or a surface is, as a host tells it to the machine: where its texels are and how
 * they are read.
 *
 * Texels lie one behind the other in a row, rows `pitch` bytes apart, layers or slices `slice`
 * bytes. A sampler has no texels; an instruction that names one reads its texture by the sampler's
 * address, filter, normalized and border (PTX ISA, section 5.3: independent mode).
 */
#ifndef RT_TEXTURE_H
#define RT_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "trouble.h"

typedef enum {
#define TEXEL(name, bytes, kind, number, whole, unit) RT_TEXEL_##name,
#include "texture_formats.def"
#undef TEXEL
  RT_TEXELS
} rt_texel_t;

/* ARRAY: filtered, of any shape. LINEAR: one dimension, read by whole coordinates alone
 * (tex1Dfetch). PITCH: two dimensions, with rows that are `pitch` bytes apart. */
typedef enum {
  RT_TEXTURE_ARRAY,
  RT_TEXTURE_LINEAR,
  RT_TEXTURE_PITCH,
  RT_SURFACE,
  RT_SAMPLER,
  RT_TEXTURE_KINDS
} rt_texture_kind_t;

/* As the driver API numbers them. */
typedef enum { RT_ADDRESS_WRAP, RT_ADDRESS_CLAMP, RT_ADDRESS_MIRROR, RT_ADDRESS_BORDER, RT_ADDRESSES } rt_address_t;
typedef enum { RT_FILTER_POINT, RT_FILTER_LINEAR, RT_FILTERS } rt_filter_t;

typedef struct {
  uint32_t kind, format, channels;       /* 1, 2 or 4 channels */
  uint32_t width, height, depth, layers; /* texels; 0: it has no such dimension, or no layers */
  uint64_t at, pitch, slice;             /* address of the first texel; bytes */
  uint32_t address[3], filter;           /* rt_address_t of each dimension, rt_filter_t */
  uint32_t normalized;                   /* coordinates: 1 is the texture's width, height, depth */
  uint32_t unit;                         /* whole numbers are read as numbers up to 1 */
  float border[4];
} rt_texture_t;

/* Bytes of one channel; 0: no such format. */
static inline unsigned rt_texel_bytes(unsigned format) {
  static const uint8_t bytes[] = {
#define TEXEL(name, bytes, kind, number, whole, unit) bytes,
#include "texture_formats.def"
#undef TEXEL
  };
  return format < RT_TEXELS ? bytes[format] : 0;
}

/* 'u', 's' or 'f'; 0: no such format. */
static inline char rt_texel_kind(unsigned format) {
  static const char kind[] = {
#define TEXEL(name, bytes, kind, number, whole, unit) #kind[0],
#include "texture_formats.def"
#undef TEXEL
  };
  return format < RT_TEXELS ? kind[format] : 0;
}

/* Bytes of a texel, all channels together. */
static inline unsigned rt_texture_texel(const rt_texture_t *t) {
  return rt_texel_bytes(t->format) * t->channels;
}

/* Can the machine use it? False: *trouble says what is wrong and what would be right. */
bool rt_texture_good(const rt_texture_t *t, trouble_t *trouble);

/* 1, 2 or 3. */
static inline unsigned rt_texture_dims(const rt_texture_t *t) {
  if (t->depth) return 3;
  return t->height ? 2 : 1;
}

#endif
