/* SPDX-License-Identifier: Apache-2.0
 *
 * What can be wrong with a texture, a surface or a sampler, as one line for the user.
 */
#include "rt_texture.h"

#include <inttypes.h>

enum { MOST_LAYERS = 2048 };
/* texels of a dimension: CUDA's limit for linear memory, the largest one (CUDA C++ Programming
 * Guide, "Compute Capabilities") */
#define MOST_TEXELS (1u << 28)
#define MOST_BYTES (UINT64_C(1) << 40)

/* Address and filter modes, which samplers have, too. */
static bool check_sampling(const rt_texture_t *t, trouble_t *trouble) {
  for (unsigned d = 0; d < 3; d++)
    if (t->address[d] >= RT_ADDRESSES)
      return trouble_set(
          trouble, TROUBLE_INPUT,
          "address mode %u of dimension %u; wrap (0), clamp (1), mirror (2) or border (3) would be right",
          t->address[d], d);
  if (t->filter >= RT_FILTERS)
    return trouble_set(trouble, TROUBLE_INPUT, "filter mode %u; point (0) or linear (1) would be right", t->filter);
  return true;
}

/* Channels and reads that the texture unit has. */
static bool check_format(const rt_texture_t *t, trouble_t *trouble) {
  const char kind = rt_texel_kind(t->format);
  if (!kind)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "format %u of elements is none; whole numbers of 8, 16, 32 bits and f16, f32 are there",
                       t->format);
  if (t->channels != 1 && t->channels != 2 && t->channels != 4)
    return trouble_set(trouble, TROUBLE_INPUT, "%u channels; 1, 2 or 4 would be right", t->channels);
  if (t->unit && (kind == 'f' || rt_texel_bytes(t->format) > 2))
    return trouble_set(
        trouble, TROUBLE_INPUT,
        "normalized reads are of whole numbers of 8 or 16 bits; reads of the element type would be right");
  if (t->filter == RT_FILTER_LINEAR && kind != 'f' && !t->unit)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "linear filtering of whole numbers; normalized reads, or point filtering, would be right");
  return true;
}

/* Dimensions and layers within CUDA's limits, and as the kind allows. */
static bool check_shape(const rt_texture_t *t, trouble_t *trouble) {
  const unsigned dims = rt_texture_dims(t);
  if (!t->width || (t->depth && !t->height))
    return trouble_set(trouble, TROUBLE_INPUT, "%ux%ux%u texels; no dimension before the last may be 0", t->width,
                       t->height, t->depth);
  if (t->width > MOST_TEXELS || t->height > MOST_TEXELS || t->depth > MOST_TEXELS || t->layers > MOST_LAYERS)
    return trouble_set(trouble, TROUBLE_INPUT,
                       "%ux%ux%u texels, %u layers; 2^28 texels each way and %d layers are the most", t->width,
                       t->height, t->depth, t->layers, MOST_LAYERS);
  if (t->layers && dims == 3)
    return trouble_set(trouble, TROUBLE_INPUT, "layers of three dimensions; one or two would be right");
  if (t->kind == RT_TEXTURE_LINEAR && (dims != 1 || t->layers || t->filter != RT_FILTER_POINT))
    return trouble_set(trouble, TROUBLE_INPUT, "linear memory has one dimension, no layers, and is not filtered");
  if (t->kind == RT_TEXTURE_PITCH && (dims != 2 || t->layers))
    return trouble_set(trouble, TROUBLE_INPUT, "pitch-linear memory has two dimensions and no layers");
  return true;
}

/* Every texel must lie within one cache line, so addresses and pitches are multiples of a texel.
 * Rows and slices must not overlap. */
static bool check_place(const rt_texture_t *t, trouble_t *trouble) {
  const uint64_t texel = rt_texture_texel(t), row = t->width * texel;
  const bool rows = t->height > 1, slices = t->depth > 1 || t->layers > 1;
  if (t->at % texel || (rows && t->pitch % texel) || (slices && t->slice % texel))
    return trouble_set(trouble, TROUBLE_INPUT,
                       "address 0x%" PRIx64 ", pitch %" PRIu64 ": multiples of a texel's %" PRIu64
                       " bytes would be right",
                       t->at, t->pitch, texel);
  if (rows && (t->pitch < row || t->pitch > MOST_BYTES / t->height))
    return trouble_set(trouble, TROUBLE_INPUT, "pitch of %" PRIu64 " bytes, a row has %" PRIu64, t->pitch, row);
  if (slices && (t->slice < (rows ? t->pitch * t->height : row) || t->slice > MOST_BYTES / (t->depth + t->layers)))
    return trouble_set(trouble, TROUBLE_INPUT, "%" PRIu64 " bytes from layer to layer are not as many as a layer has",
                       t->slice);
  return true;
}

/* A sampler has no texels to check. */
bool rt_texture_good(const rt_texture_t *t, trouble_t *trouble) {
  if (t->kind >= RT_TEXTURE_KINDS) return trouble_set(trouble, TROUBLE_INPUT, "kind %u is none", t->kind);
  if (!check_sampling(t, trouble)) return false;
  return t->kind == RT_SAMPLER || (check_format(t, trouble) && check_shape(t, trouble) && check_place(t, trouble));
}
