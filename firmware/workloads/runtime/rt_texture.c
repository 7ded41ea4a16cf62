/* SPDX-License-Identifier: Apache-2.0 */
#include "rt_texture.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { MOST_LAYERS = 2048 };
/* of a dimension: that of linear memory, the largest
 * (CUDA C++ Programming Guide, "Compute Capabilities") */
#define MOST_TEXELS (1u << 28)
#define MOST_BYTES (UINT64_C(1) << 40)

static bool fail(char wrong[RT_TEXTURE_WRONG], const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(char wrong[RT_TEXTURE_WRONG], const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(wrong, RT_TEXTURE_WRONG, format, args);
  va_end(args);
  return false;
}

static bool check_sampling(const rt_texture_t *t, char wrong[RT_TEXTURE_WRONG]) {
  for (unsigned d = 0; d < 3; d++)
    if (t->address[d] >= RT_ADDRESSES)
      return fail(wrong,
                  "address mode %u of dimension %u; wrap (0), clamp (1), mirror (2) or border (3) would be right",
                  t->address[d], d);
  if (t->filter >= RT_FILTERS) return fail(wrong, "filter mode %u; point (0) or linear (1) would be right", t->filter);
  return true;
}

static bool check_format(const rt_texture_t *t, char wrong[RT_TEXTURE_WRONG]) {
  const char kind = rt_texel_kind(t->format);
  if (!kind)
    return fail(wrong, "format %u of elements is none; whole numbers of 8, 16, 32 bits and f16, f32 are there",
                t->format);
  if (t->channels != 1 && t->channels != 2 && t->channels != 4)
    return fail(wrong, "%u channels; 1, 2 or 4 would be right", t->channels);
  if (t->unit && (kind == 'f' || rt_texel_bytes(t->format) > 2))
    return fail(wrong,
                "normalized reads are of whole numbers of 8 or 16 bits; reads of the element type would be right");
  if (t->filter == RT_FILTER_LINEAR && kind != 'f' && !t->unit)
    return fail(wrong, "linear filtering of whole numbers; normalized reads, or point filtering, would be right");
  return true;
}

static bool check_shape(const rt_texture_t *t, char wrong[RT_TEXTURE_WRONG]) {
  const unsigned dims = rt_texture_dims(t);
  if (!t->width || (t->depth && !t->height))
    return fail(wrong, "%ux%ux%u texels; no dimension before the last may be 0", t->width, t->height, t->depth);
  if (t->width > MOST_TEXELS || t->height > MOST_TEXELS || t->depth > MOST_TEXELS || t->layers > MOST_LAYERS)
    return fail(wrong, "%ux%ux%u texels, %u layers; 2^28 texels each way and %d layers are the most", t->width,
                t->height, t->depth, t->layers, MOST_LAYERS);
  if (t->layers && dims == 3) return fail(wrong, "layers of three dimensions; one or two would be right");
  if (t->kind == RT_TEXTURE_LINEAR && (dims != 1 || t->layers || t->filter != RT_FILTER_POINT))
    return fail(wrong, "linear memory has one dimension, no layers, and is not filtered");
  if (t->kind == RT_TEXTURE_PITCH && (dims != 2 || t->layers))
    return fail(wrong, "pitch-linear memory has two dimensions and no layers");
  return true;
}

/* A texel lies within a line of the cache. */
static bool check_place(const rt_texture_t *t, char wrong[RT_TEXTURE_WRONG]) {
  const uint64_t texel = rt_texture_texel(t), row = t->width * texel;
  const bool rows = t->height > 1, slices = t->depth > 1 || t->layers > 1;
  if (t->at % texel || (rows && t->pitch % texel) || (slices && t->slice % texel))
    return fail(wrong,
                "address 0x%" PRIx64 ", pitch %" PRIu64 ": multiples of a texel's %" PRIu64 " bytes would be right",
                t->at, t->pitch, texel);
  if (rows && (t->pitch < row || t->pitch > MOST_BYTES / t->height))
    return fail(wrong, "pitch of %" PRIu64 " bytes, a row has %" PRIu64, t->pitch, row);
  if (slices && (t->slice < (rows ? t->pitch * t->height : row) || t->slice > MOST_BYTES / (t->depth + t->layers)))
    return fail(wrong, "%" PRIu64 " bytes from layer to layer are not as many as a layer has", t->slice);
  return true;
}

bool rt_texture_good(const rt_texture_t *t, char wrong[RT_TEXTURE_WRONG]) {
  if (t->kind >= RT_TEXTURE_KINDS) return fail(wrong, "kind %u is none", t->kind);
  if (!check_sampling(t, wrong)) return false;
  return t->kind == RT_SAMPLER || (check_format(t, wrong) && check_shape(t, wrong) && check_place(t, wrong));
}
