/* SPDX-License-Identifier: Apache-2.0
 *
 * Texture fetches: addresses and filtering.
 *
 * Each dimension separately selects one or two texels, with weights. The texels of the fetch are
 * all combinations, and weights are products. A weight of a dimension has 9 bits, 8 of them
 * fraction, rounded to nearest. Products of three dimensions are exact in 24 bits.
 */
#include "texture.h"

#include <math.h>
#include <string.h>

#include "half.h"
#include "simt_lanes.h"

typedef struct {
  unsigned texels;
  int64_t texel[2]; /* -1: outside */
  uint32_t weight[2];
} axis_t;

/* ---- addresses ------------------------------------------------------------------------------- */

/* Only normalised coordinates can wrap or mirror; others are clamped. */
static unsigned mode_of(const rt_texture_t *sampler, unsigned dim) {
  const unsigned mode = sampler->address[dim];
  return !sampler->normalized && mode != RT_ADDRESS_BORDER ? RT_ADDRESS_CLAMP : mode;
}

/* A coordinate in texels, with the offset added, moved into the texture if it wraps or mirrors.
 * The product of an f32 and a size is exact, and so is fmod. NaN becomes 0. */
static double place_coordinate(double x, int32_t offset, unsigned size, unsigned mode, bool normalized) {
  x = (normalized ? x * size : x) + offset;
  if (normalized && mode == RT_ADDRESS_WRAP) {
    x = fmod(x, size);
    if (x < 0) x += size;
  }
  if (normalized && mode == RT_ADDRESS_MIRROR) {
    x = fmod(x, 2.0 * size);
    if (x < 0) x += 2.0 * size;
    if (x >= size) x = 2.0 * size - x;
  }
  return isnan(x) ? 0 : x;
}

/* Index of texel i, which may lie beyond either end. -1: outside. */
static int64_t texel_at(double i, unsigned size, unsigned mode) {
  if (i >= 0 && i < size) return (int64_t)i;
  if (mode == RT_ADDRESS_BORDER) return -1;
  return (i < 0) == (mode == RT_ADDRESS_WRAP) ? (int64_t)size - 1 : 0;
}

static axis_t one_texel(int64_t texel) {
  return (axis_t){1, {texel}, {256}};
}

/* Linear filter: T[i] and T[i + 1] with i = floor(x - 0.5). */
static axis_t two_texels(double x, unsigned size, unsigned mode) {
  const double from = x - 0.5, i = floor(from);
  const double part = isfinite(from) ? from - i : 0;
  const uint32_t weight = (uint32_t)floor(part * 256 + 0.5);
  return (axis_t){2, {texel_at(i, size, mode), texel_at(i + 1, size, mode)}, {256 - weight, weight}};
}

/* Texels of one dimension. Linear memory has no border: outside of it a fetch gives zero. */
static axis_t locate_axis(const rt_texture_t *t, const rt_texture_t *sampler, const texture_point_t *p, unsigned dim,
                          bool two) {
  const unsigned sizes[] = {t->width, t->height, t->depth}, size = sizes[dim], mode = mode_of(sampler, dim);
  const double whole = (double)p->x.i[dim] + p->offset[dim];
  if (t->kind == RT_TEXTURE_LINEAR) return one_texel(texel_at(whole, size, RT_ADDRESS_BORDER));
  if (p->whole) return one_texel(texel_at(whole, size, mode == RT_ADDRESS_BORDER ? mode : RT_ADDRESS_CLAMP));
  const double x = place_coordinate((double)p->x.f[dim], p->offset[dim], size, mode, sampler->normalized);
  return two ? two_texels(x, size, mode) : one_texel(texel_at(floor(x), size, mode));
}

/* The address of a texel adds layer or slice, row and column. */
void texture_locate(const rt_texture_t *t, const rt_texture_t *sampler, const texture_point_t *p, bool gather,
                    texture_fetch_t *f) {
  const unsigned dims = rt_texture_dims(t);
  const bool two = gather || (sampler->filter == RT_FILTER_LINEAR && !p->whole);
  axis_t a[3] = {one_texel(0), one_texel(0), one_texel(0)};
  for (unsigned d = 0; d < dims; d++) a[d] = locate_axis(t, sampler, p, d, two);
  uint64_t layer = 0;
  if (t->layers) layer = p->layer < t->layers ? p->layer : t->layers - 1;
  *f = (texture_fetch_t){.taps = a[0].texels * a[1].texels * a[2].texels, .filtered = two && !gather};
  for (unsigned k = 0; k < f->taps; k++) {
    const unsigned i = k % a[0].texels, j = k / a[0].texels % a[1].texels, l = k / (a[0].texels * a[1].texels);
    const int64_t x = a[0].texel[i], y = a[1].texel[j], z = a[2].texel[l];
    f->weight[k] = gather ? TEXTURE_ONE : a[0].weight[i] * a[1].weight[j] * a[2].weight[l];
    f->at[k] = x < 0 || y < 0 || z < 0 ? TEXTURE_OUTSIDE
                                       : t->at + ((uint64_t)z + layer) * t->slice + (uint64_t)y * t->pitch +
                                             (uint64_t)x * rt_texture_texel(t);
  }
}

/* ---- values ---------------------------------------------------------------------------------- */

bool texture_is_real(const rt_texture_t *t) {
  return t->unit || rt_texel_kind(t->format) == 'f';
}

/* An integer element, sign- or zero-extended. */
static int64_t whole_of(unsigned format, const uint8_t *bytes) {
  const unsigned shift = 64 - 8 * rt_texel_bytes(format);
  uint64_t x = 0;
  memcpy(&x, bytes, rt_texel_bytes(format));
  return rt_texel_kind(format) == 's' ? (int64_t)(x << shift) >> shift : (int64_t)x;
}

/* `unit` textures map the largest integer to 1. */
uint32_t texture_element(const rt_texture_t *t, const uint8_t *bytes) {
  const unsigned format = t->format, bits = 8 * rt_texel_bytes(format);
  if (format == RT_TEXEL_f16) {
    uint16_t half;
    memcpy(&half, bytes, 2);
    return bits_f32((float)half_value(HALF_F16, half));
  }
  const int64_t x = whole_of(format, bytes);
  if (!t->unit || format == RT_TEXEL_f32) return (uint32_t)x;
  const double most = rt_texel_kind(format) == 's' ? (double)((1 << (bits - 1)) - 1) : (double)((1 << bits) - 1);
  return bits_f32((float)fmax(-1, (double)x / most));
}

/* Value outside of the texture: the border colour, for integers the nearest value of the format.
 * Linear memory gives zero. */
static uint32_t outside_value(const rt_texture_t *t, const rt_texture_t *sampler, unsigned channel) {
  if (t->kind == RT_TEXTURE_LINEAR) return 0;
  if (texture_is_real(t)) return bits_f32(sampler->border[channel]);
  const unsigned bits = 8 * rt_texel_bytes(t->format);
  const double least = rt_texel_kind(t->format) == 's' ? -ldexp(1, (int)bits - 1) : 0,
               most = least + ldexp(1, (int)bits) - 1;
  return (uint32_t)(int64_t)fmax(least, fmin(most, (double)sampler->border[channel]));
}

/* A channel that the format lacks: green and blue are 0, alpha is 1. */
static uint32_t missing_value(const rt_texture_t *t, unsigned channel) {
  if (channel < 3) return 0;
  return texture_is_real(t) ? bits_f32(1) : 1;
}

/* One channel of one texel. */
static uint32_t tap_value(const rt_texture_t *t, const rt_texture_t *sampler, const texture_fetch_t *f,
                          const uint8_t *texel, unsigned k, unsigned channel) {
  if (channel >= t->channels) return missing_value(t, channel);
  return f->at[k] == TEXTURE_OUTSIDE ? outside_value(t, sampler, channel)
                                     : texture_element(t, texel + channel * rt_texel_bytes(t->format));
}

/* Products are exact in double, and their sum is rounded to f32 once. */
static uint32_t filter_taps(const rt_texture_t *t, const rt_texture_t *sampler, const texture_fetch_t *f,
                            const uint8_t texels[][TEXTURE_TEXEL_BYTES], unsigned channel) {
  double sum = 0;
  for (unsigned k = 0; k < f->taps; k++)
    if (f->weight[k]) sum += (double)f->weight[k] * (double)as_f32(tap_value(t, sampler, f, texels[k], k, channel));
  return isnan(sum) ? 0x7fffffff : bits_f32((float)(sum / TEXTURE_ONE));
}

void texture_value(const rt_texture_t *t, const rt_texture_t *sampler, const texture_fetch_t *f,
                   const uint8_t texels[TEXTURE_TAPS][TEXTURE_TEXEL_BYTES], uint32_t result[4]) {
  for (unsigned c = 0; c < 4; c++) {
    if (c < t->channels && f->filtered) result[c] = filter_taps(t, sampler, f, texels, c);
    else result[c] = tap_value(t, sampler, f, texels[0], 0, c);
  }
}

/* `order` is the order of tld4's four texels. */
void texture_gather(const rt_texture_t *t, const rt_texture_t *sampler, const texture_fetch_t *f,
                    const uint8_t texels[TEXTURE_TAPS][TEXTURE_TEXEL_BYTES], unsigned channel, uint32_t result[4]) {
  static const uint8_t order[] = {2, 3, 1, 0};
  for (unsigned k = 0; k < 4; k++) result[k] = tap_value(t, sampler, f, texels[order[k]], order[k], channel);
}
