/* SPDX-License-Identifier: Apache-2.0
 *
 * The texture unit against the formulae of the CUDA C++ Programming Guide's appendix "Texture
 * Fetching", written out here in long double: a coordinate is addressed first, then T[i] is looked
 * up or T[i, j, k] and its neighbours are summed. Random textures of all formats and shapes,
 * coordinates at and beyond all edges.
 */
#include <math.h>
#include <string.h>

#include "texture.h"
#include "texture_decode.h"
#include "texture_table.h"
#include "unit_test.h"

enum { ROOM = 1 << 16, BASE = 4096 };
static uint8_t memory[ROOM];

/* ---- the reference --------------------------------------------------------------------------- */

/* An f16 by its definition. */
static long double half_number(uint16_t code) {
  const int exponent = code >> 10 & 31, fraction = code & 1023;
  const long double sign = code & 0x8000 ? -1 : 1;
  if (exponent == 31) return fraction ? NAN : sign * INFINITY;
  return exponent ? sign * ldexpl(1024 + fraction, exponent - 25) : sign * ldexpl(fraction, -24);
}

/* A channel of the texel at these bytes, as a number. */
static long double number_at(const rt_texture_t *t, const uint8_t *at) {
  uint8_t u8 = at[0];
  uint16_t u16;
  uint32_t u32;
  float f32;
  memcpy(&u16, at, 2), memcpy(&u32, at, 4), memcpy(&f32, at, 4);
  switch (t->format) {
  case RT_TEXEL_u8: return t->unit ? (float)(u8 / 255.0L) : u8;
  case RT_TEXEL_u16: return t->unit ? (float)(u16 / 65535.0L) : u16;
  case RT_TEXEL_u32: return u32;
  case RT_TEXEL_s8: return t->unit ? (float)fmaxl(-1, (int8_t)u8 / 127.0L) : (int8_t)u8;
  case RT_TEXEL_s16: return t->unit ? (float)fmaxl(-1, (int16_t)u16 / 32767.0L) : (int16_t)u16;
  case RT_TEXEL_s32: return (int32_t)u32;
  case RT_TEXEL_f16: return half_number(u16);
  default: return f32;
  }
}

/* Whether a fetch gives f32; other formats give whole numbers. */
static bool gives_numbers(const rt_texture_t *t) {
  return t->unit || t->format == RT_TEXEL_f16 || t->format == RT_TEXEL_f32;
}

/* An index that is out of range, as its dimension's mode has it; false: the border. */
static bool index_in(const rt_texture_t *t, unsigned dim, long double i, long double n, long double *to) {
  const unsigned mode = t->address[dim];
  *to = i;
  if (i >= 0 && i <= n - 1) return true;
  if (mode == RT_ADDRESS_BORDER) return false;
  if (mode == RT_ADDRESS_WRAP && t->normalized) *to = fmodl(fmodl(i, n) + n, n);
  else *to = i < 0 ? 0 : n - 1;
  return true;
}

/* A colour that whole numbers of the format have not is the nearest of them. */
static long double border_number(const rt_texture_t *t, unsigned channel) {
  static const long double least[RT_TEXELS] = {0, 0, 0, -128, -32768, -0x1p31L},
                           most[RT_TEXELS] = {255, 65535, 0x1p32L - 1, 127, 32767, 0x1p31L - 1};
  return gives_numbers(t) ? t->border[channel] : fmaxl(least[t->format], fminl(most[t->format], t->border[channel]));
}

/* T[i, j, k] of a layer and channel. */
static long double texel_at(const rt_texture_t *t, uint32_t layer, const long double i[3], unsigned channel) {
  const long double n[] = {t->width, t->height ? t->height : 1, t->depth ? t->depth : 1};
  long double at[3];
  for (unsigned d = 0; d < 3; d++)
    if (!index_in(t, d, i[d], n[d], &at[d])) return border_number(t, channel);
  const unsigned bytes = rt_texel_bytes(t->format);
  const uint64_t slice = (uint64_t)at[2] + layer;
  return number_at(t, memory + (t->at - BASE) + slice * t->slice + (uint64_t)at[1] * t->pitch +
                          ((uint64_t)at[0] * t->channels + channel) * bytes);
}

/* Texels by which an offset moves all coordinates, for each dimension. */
static int moved[3]; /* texels that all coordinates are moved by */

/* A coordinate in texels, addressed as a coordinate. */
static long double addressed_coordinate(const rt_texture_t *t, unsigned dim, float given) {
  const long double n[] = {t->width, t->height, t->depth};
  long double x = t->normalized ? given + moved[dim] / n[dim] : (long double)given + moved[dim];
  if (t->normalized) {
    const long double frac = x - floorl(x);
    if (t->address[dim] == RT_ADDRESS_WRAP) x = (double)frac;
    else if (t->address[dim] == RT_ADDRESS_MIRROR)
      x = fmodl(floorl(x), 2) == 0 ? (double)frac : (double)(1 - (long double)(double)frac);
    x *= n[dim];
  }
  return isnan(x) ? 0 : x;
}

/* T[floor x, floor y, floor z]. */
static long double nearest(const rt_texture_t *t, uint32_t layer, const float *x, unsigned channel) {
  long double i[3] = {0};
  for (unsigned d = 0; d < rt_texture_dims(t); d++) i[d] = floorl(addressed_coordinate(t, d, x[d]));
  return texel_at(t, layer, i, channel);
}

/* A texel without weight is not looked at: NaN and infinity times 0 are not 0. */
static long double weighted(long double weight, long double value) {
  return weight != 0 ? weight * value : 0;
}

/* tex(x) = (1 - a) T[i] + a T[i + 1], and so on: i = floor(xB),
 * a = frac(xB), xB = x - 0.5, a with 8 bits of fraction. */
static long double linear(const rt_texture_t *t, uint32_t layer, const float *x, unsigned channel) {
  long double i[3] = {0}, a[3] = {0}, sum = 0;
  for (unsigned d = 0; d < rt_texture_dims(t); d++) {
    const long double xb = addressed_coordinate(t, d, x[d]) - 0.5L;
    i[d] = floorl(xb);
    a[d] = isinf(xb) ? 0 : floorl((xb - i[d]) * 256 + 0.5L) / 256;
  }
  for (unsigned c = 0; c < 8; c++) {
    const unsigned p = c & 1, q = c >> 1 & 1, r = c >> 2;
    const long double weight = (p ? a[0] : 1 - a[0]) * (q ? a[1] : 1 - a[1]) * (r ? a[2] : 1 - a[2]);
    sum += weighted(weight,
                    weight != 0 ? texel_at(t, layer, (const long double[]){i[0] + p, i[1] + q, i[2] + r}, channel) : 0);
  }
  return sum;
}

/* ---- random textures ------------------------------------------------------------------------- */

/* Any format, one, two or four channels, up to 9 x
 * 7 x 5 texels or four layers, any address modes. */
static void draw_texture(uint64_t *random, rt_texture_t *t) {
  const unsigned shape = (unsigned)(test_random(random) % 5);
  static const unsigned channels[] = {1, 2, 4};
  memset(t, 0, sizeof *t);
  t->format = (uint32_t)(test_random(random) % RT_TEXELS), t->channels = channels[test_random(random) % 3];
  t->width = (uint32_t)(1 + test_random(random) % 9);
  if (shape == 1 || shape == 2 || shape == 4) t->height = (uint32_t)(1 + test_random(random) % 7);
  if (shape == 2) t->depth = (uint32_t)(1 + test_random(random) % 5);
  if (shape >= 3) t->layers = (uint32_t)(1 + test_random(random) % 4);
  t->at = BASE + 16 * (test_random(random) % 8);
  t->pitch = (t->width + test_random(random) % 3) * rt_texture_texel(t);
  t->slice = t->pitch * (t->height ? t->height : 1) + rt_texture_texel(t) * (test_random(random) % 3);
  for (unsigned d = 0; d < 3; d++) t->address[d] = (uint32_t)(test_random(random) % RT_ADDRESSES);
  t->normalized = test_random(random) & 1;
  t->unit = rt_texel_bytes(t->format) <= 2 && t->format != RT_TEXEL_f16 && test_random(random) & 1;
  t->filter = gives_numbers(t) && test_random(random) & 1;
  for (unsigned c = 0; c < 4; c++) t->border[c] = (float)(int)(test_random(random) % 200) - 40;
}

/* Numbers of a moderate size: sums are compared. */
static void draw_memory(uint64_t *random, const rt_texture_t *t) {
  for (unsigned i = 0; i < ROOM; i += 4) {
    const uint32_t bits = (uint32_t)test_random(random);
    const float number = ((float)(bits >> 8) / 65536 - 100) * (bits & 1 ? 1 : 1e-6f);
    if (t->format == RT_TEXEL_f32) memcpy(memory + i, &number, 4);
    else memcpy(memory + i, &bits, 4);
    if (t->format == RT_TEXEL_f16) memory[i + 1] &= 0xbb, memory[i + 3] &= 0xbb;
  }
}

/* Random within and about the texture, halves and whole numbers, and what is beyond all. */
static float draw_coordinate(uint64_t *random, const rt_texture_t *t, unsigned size) {
  static const float odd[] = {0,       -0.0f, 1,      -1,    0.5f,   -0.5f,    2,         1e-30f,
                              -1e-30f, 1e10f, -1e10f, 3e38f, -3e38f, INFINITY, -INFINITY, NAN};
  const unsigned kind = (unsigned)(test_random(random) % 4);
  const float scale = t->normalized ? 1 : (float)size, r = (float)(test_random(random) >> 40) * 0x1p-24f;
  if (kind == 0) return odd[test_random(random) % (sizeof odd / sizeof *odd)] * (float)(1 + test_random(random) % size);
  if (kind == 1)
    return ((float)(int)(test_random(random) % (6 * size)) - 2 * (float)size) * 0.5f /
           (t->normalized ? (float)size : 1);
  return (r * 4 - 1.5f) * scale;
}

static float float_of(uint32_t bits) {
  float f;
  memcpy(&f, &bits, 4);
  return f;
}

/* Where the texels are, and their bytes. None may be outside of the texture's memory. */
static void fetch_texels(const rt_texture_t *t, const texture_point_t *p, texture_fetch_t *f,
                         uint8_t texels[TEXTURE_TAPS][TEXTURE_TEXEL_BYTES]) {
  texture_locate(t, t, p, false, f);
  for (unsigned k = 0; k < f->taps; k++) {
    if (f->at[k] == TEXTURE_OUTSIDE || !f->weight[k]) continue;
    assert_true(f->at[k] >= t->at && f->at[k] - BASE + rt_texture_texel(t) <= ROOM);
    memcpy(texels[k], memory + (f->at[k] - BASE), rt_texture_texel(t));
  }
}

/* A register that a fetch gave, as the number that the format says it is. */
static double value_got(const rt_texture_t *t, uint32_t bits) {
  if (gives_numbers(t)) return (double)float_of(bits);
  return t->format == RT_TEXEL_u32 ? (double)bits : (double)(int32_t)bits;
}

/* Exact where nothing is filtered, else within 1e-6 and 1e-5: sums are of binary32. */
static void expect_texel(const rt_texture_t *t, const texture_point_t *p, const uint32_t got[4],
                         const long double want[4]) {
  for (unsigned c = 0; c < t->channels; c++) {
    const double value = (double)want[c], have = value_got(t, got[c]);
    if (have == (double)(float)value || (isnan(have) && isnan(value))) continue;
    if (t->filter && fabs(have - value) <= 1e-6 * fabs(value) + 1e-5) continue;
    if (!gives_numbers(t) && have == value) continue;
    fail_msg(
        "format %u channels %u of %ux%ux%u layers %u, modes %u %u %u filter %u normalized %u, at %a %a %a layer %u: "
        "channel %u is %.9g, not %.9g",
        t->format, t->channels, t->width, t->height, t->depth, t->layers, t->address[0], t->address[1], t->address[2],
        t->filter, t->normalized, (double)p->x.f[0], (double)p->x.f[1], (double)p->x.f[2], p->layer, c, have, value);
  }
}

/* 20000 random textures and points. Channels that a texture has not are 0, the last is 1. */
static void test_against_the_guide(void **state) {
  uint64_t random = 7;
  unsigned formats = 0;
  (void)state;
  for (unsigned n = 0; n < 20000; n++) {
    rt_texture_t t;
    texture_fetch_t f;
    uint8_t texels[TEXTURE_TAPS][TEXTURE_TEXEL_BYTES] = {{0}};
    uint32_t got[4];
    long double want[4] = {0};
    trouble_t wrong;
    draw_texture(&random, &t);
    if (!rt_texture_good(&t, &wrong)) fail_msg("%s", wrong.text);
    if (n % 16 == 0) draw_memory(&random, &t);
    else if (t.format == RT_TEXEL_f32 || t.format == RT_TEXEL_f16) draw_memory(&random, &t);
    texture_point_t p = {.layer = t.layers ? (uint32_t)(test_random(&random) % t.layers) : 0};
    const unsigned sizes[] = {t.width, t.height, t.depth};
    for (unsigned d = 0; d < rt_texture_dims(&t); d++) p.x.f[d] = draw_coordinate(&random, &t, sizes[d]);
    fetch_texels(&t, &p, &f, texels);
    texture_value(&t, &t, &f, texels, got);
    for (unsigned c = 0; c < t.channels; c++)
      want[c] = t.filter ? linear(&t, p.layer, p.x.f, c) : nearest(&t, p.layer, p.x.f, c);
    expect_texel(&t, &p, got, want);
    const uint32_t one = gives_numbers(&t) ? 0x3f800000 : 1;
    for (unsigned c = t.channels; c < 4; c++) assert_int_equal(got[c], c < 3 ? 0 : one);
    formats |= 1u << t.format;
  }
  assert_int_equal(formats, (1u << RT_TEXELS) - 1);
}

/* ---- cases by hand --------------------------------------------------------------------------- */

/* A line of f32 texels, clamped. */
static rt_texture_t line_texture(const float *numbers, unsigned count) {
  memcpy(memory, numbers, count * sizeof *numbers);
  return (rt_texture_t){
      .format = RT_TEXEL_f32, .channels = 1, .width = count, .at = BASE, .address = {RT_ADDRESS_CLAMP}};
}

/* The first channel that a fetch gives. */
static uint32_t read_at(const rt_texture_t *t, texture_point_t p) {
  uint8_t texels[TEXTURE_TAPS][TEXTURE_TEXEL_BYTES] = {{0}};
  uint32_t got[4];
  texture_fetch_t f;
  fetch_texels(t, &p, &f, texels);
  texture_value(t, t, &f, texels, got);
  return got[0];
}

/* T[0] = 0.2, T[1] = 1.5 at 1 is 0.85; a weight is the nearest of 256. */
static void test_filter(void **state) {
  (void)state;
  rt_texture_t t = line_texture((const float[]){0, 256}, 2);
  t.filter = RT_FILTER_LINEAR;
  assert_true(float_of(read_at(&t, (texture_point_t){.x.f = {1}})) == 128);
  assert_true(float_of(read_at(&t, (texture_point_t){.x.f = {0.5f}})) == 0);
  assert_true(float_of(read_at(&t, (texture_point_t){.x.f = {0.5f + 1.4f / 256}})) == 1);
  assert_true(float_of(read_at(&t, (texture_point_t){.x.f = {0.5f + 1.5f / 256}})) == 2);
  assert_true(float_of(read_at(&t, (texture_point_t){.x.f = {1.499f}})) == 256); /* 1 is a weight, too */
  t = line_texture((const float[]){1, INFINITY, NAN}, 3);
  t.filter = RT_FILTER_LINEAR;
  assert_true(float_of(read_at(&t, (texture_point_t){.x.f = {0.5f}})) == 1); /* a texel without weight is not read */
  assert_true(isinf(float_of(read_at(&t, (texture_point_t){.x.f = {1}}))));
  assert_int_equal(read_at(&t, (texture_point_t){.x.f = {2}}), 0x7fffffff);
}

/* Bits of f32 stay as they are where nothing is filtered. */
static void test_bits(void **state) {
  (void)state;
  rt_texture_t t = line_texture((const float[]){0, 0}, 2);
  const uint32_t bits[] = {0x7f812345, 0x80000001};
  memcpy(memory, bits, sizeof bits);
  for (unsigned i = 0; i < 2; i++) assert_int_equal(read_at(&t, (texture_point_t){.x.f = {(float)i + 0.9f}}), bits[i]);
}

/* Linear memory gives 0 beyond its ends; arrays follow their address mode, wrap as clamp. */
static void test_whole_coordinates(void **state) {
  static const struct {
    unsigned kind, mode;
    int32_t at;
    float want;
  } row[] = {{RT_TEXTURE_LINEAR, RT_ADDRESS_CLAMP, 0, 1},        {RT_TEXTURE_LINEAR, RT_ADDRESS_CLAMP, 2, 3},
             {RT_TEXTURE_LINEAR, RT_ADDRESS_CLAMP, 3, 0},        {RT_TEXTURE_LINEAR, RT_ADDRESS_CLAMP, -1, 0},
             {RT_TEXTURE_LINEAR, RT_ADDRESS_WRAP, INT32_MIN, 0}, {RT_TEXTURE_ARRAY, RT_ADDRESS_CLAMP, 3, 3},
             {RT_TEXTURE_ARRAY, RT_ADDRESS_WRAP, -1, 1},         {RT_TEXTURE_ARRAY, RT_ADDRESS_BORDER, 3, 9},
             {RT_TEXTURE_ARRAY, RT_ADDRESS_BORDER, 1, 2}};
  (void)state;
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    rt_texture_t t = line_texture((const float[]){1, 2, 3}, 3);
    t.kind = row[i].kind, t.address[0] = row[i].mode, t.border[0] = 9;
    const float got = float_of(read_at(&t, (texture_point_t){.whole = true, .x.i = {row[i].at}}));
    if (got != row[i].want) fail_msg("row %u: %g, not %g", i, (double)got, (double)row[i].want);
  }
}

/* Moved by texels, about every edge, at texels' middles. */
static void test_offsets(void **state) {
  uint64_t random = 11;
  (void)state;
  for (unsigned n = 0; n < 5000; n++) {
    rt_texture_t t;
    texture_fetch_t f;
    uint8_t texels[TEXTURE_TAPS][TEXTURE_TEXEL_BYTES] = {{0}};
    uint32_t got[4];
    long double want[4] = {0};
    texture_point_t p = {.whole = false};
    draw_texture(&random, &t);
    draw_memory(&random, &t);
    t.filter = RT_FILTER_POINT;
    const unsigned sizes[] = {t.width, t.height, t.depth};
    for (unsigned d = 0; d < rt_texture_dims(&t); d++) {
      p.x.f[d] = ((float)(int)(test_random(&random) % (3 * sizes[d])) - (float)sizes[d] + 0.5f) /
                 (t.normalized ? (float)sizes[d] : 1);
      p.offset[d] = moved[d] = (int)(test_random(&random) % 16) - 8;
    }
    fetch_texels(&t, &p, &f, texels);
    texture_value(&t, &t, &f, texels, got);
    for (unsigned c = 0; c < t.channels; c++) want[c] = nearest(&t, p.layer, p.x.f, c);
    expect_texel(&t, &p, got, want);
  }
  memset(moved, 0, sizeof moved);
}

/* A layer beyond the last is the last. */
static void test_layers(void **state) {
  (void)state;
  rt_texture_t t = line_texture((const float[]){1, 2, 3, 4}, 4);
  t.width = 2, t.layers = 2, t.slice = 8;
  assert_true(float_of(read_at(&t, (texture_point_t){.layer = 1, .x.f = {0}})) == 3);
  assert_true(float_of(read_at(&t, (texture_point_t){.layer = UINT32_MAX, .x.f = {1}})) == 4);
}

/* Counter-clockwise from the lower left, whatever the filter. */
static void test_gather(void **state) {
  (void)state;
  rt_texture_t t = line_texture((const float[]){1, 2, 3, 4}, 4);
  t.width = 2, t.height = 2, t.pitch = 8;
  uint8_t texels[TEXTURE_TAPS][TEXTURE_TEXEL_BYTES] = {{0}};
  uint32_t got[4];
  texture_fetch_t f;
  texture_locate(&t, &t, &(texture_point_t){.x.f = {0.5f, 0.5f}}, true, &f);
  assert_int_equal(f.taps, 4);
  for (unsigned k = 0; k < 4; k++) memcpy(texels[k], memory + (f.at[k] - BASE), 4);
  texture_gather(&t, &t, &f, texels, 0, got);
  static const float want[] = {3, 4, 2, 1};
  for (unsigned k = 0; k < 4; k++) assert_true(float_of(got[k]) == want[k]);
}

/* A sampler's own way of reading. */
static void test_sampler(void **state) {
  (void)state;
  const rt_texture_t t = line_texture((const float[]){10, 20}, 2);
  const rt_texture_t sampler = {
      .kind = RT_SAMPLER, .filter = RT_FILTER_LINEAR, .normalized = 1, .address = {RT_ADDRESS_WRAP}};
  texture_fetch_t f;
  texture_locate(&t, &sampler, &(texture_point_t){.x.f = {0}}, false, &f);
  assert_true(f.filtered && f.taps == 2);
  assert_int_equal(f.at[0], BASE + 4);
  assert_int_equal(f.at[1], BASE);
}

/* Widths and counts, then OpenCL's codes of channel type and order, then modes. */
static void test_queries(void **state) {
  (void)state;
  const rt_texture_t t = {.format = RT_TEXEL_s16,
                          .channels = 2,
                          .width = 5,
                          .height = 6,
                          .layers = 7,
                          .unit = 1,
                          .normalized = 1,
                          .filter = 1,
                          .address = {0, 1, 3}};
  static const uint32_t want[] = {5, 6, 0, 7, 0x10d1, 0x10b2, 1, 1, 1, 0, 1, 0, 3, 4, 0};
  for (unsigned i = 0; i < sizeof want / sizeof *want; i++)
    assert_int_equal(texture_query(&t, (texture_query_t)i), want[i]);
}

/* ---- what a texture may be, handles ---------------------------------------------------------- */

/* Each row breaks one rule of rt_texture_good(), beside rows that just keep it. */
static void test_what_is_wrong(void **state) {
  static const struct {
    rt_texture_t t;
    const char *says; /* NULL: it is good */
  } row[] = {
      {{.format = RT_TEXEL_u8, .channels = 4, .width = 3}, NULL},
      {{.kind = RT_SAMPLER}, NULL},
      {{.kind = RT_TEXTURE_KINDS}, "kind 5"},
      {{.kind = RT_SAMPLER, .address = {0, 4}}, "address mode 4 of dimension 1"},
      {{.kind = RT_SAMPLER, .filter = 2}, "filter mode 2"},
      {{.format = RT_TEXELS, .channels = 1, .width = 1}, "format 8"},
      {{.channels = 3, .width = 1}, "3 channels"},
      {{.channels = 1}, "0x0x0 texels"},
      {{.channels = 1, .width = 1, .depth = 1}, "1x0x1 texels"},
      {{.channels = 1, .width = (1u << 28) + 1}, "268435457x0x0"},
      {{.channels = 1, .width = 1, .layers = 2049, .slice = 1}, "2049 layers"},
      {{.channels = 1, .width = 1, .height = 1, .depth = 1, .layers = 1}, "layers of three"},
      {{.channels = 1, .width = 1, .filter = 1}, "linear filtering of whole"},
      {{.channels = 1, .width = 1, .filter = 1, .unit = 1}, NULL},
      {{.format = RT_TEXEL_u32, .channels = 1, .width = 1, .unit = 1}, "normalized reads"},
      {{.format = RT_TEXEL_f16, .channels = 1, .width = 1, .unit = 1}, "normalized reads"},
      {{.kind = RT_TEXTURE_LINEAR, .channels = 1, .width = 1, .height = 1}, "linear memory"},
      {{.kind = RT_TEXTURE_LINEAR, .format = RT_TEXEL_f32, .channels = 1, .width = 1, .filter = 1}, "linear memory"},
      {{.kind = RT_TEXTURE_PITCH, .channels = 1, .width = 1}, "pitch-linear memory"},
      {{.format = RT_TEXEL_f32, .channels = 4, .width = 1, .at = 8}, "a texel's 16 bytes"},
      {{.format = RT_TEXEL_f32, .channels = 1, .width = 4, .height = 2, .pitch = 18}, "pitch 18"},
      {{.format = RT_TEXEL_f32, .channels = 1, .width = 4, .height = 2, .pitch = 12}, "pitch of 12"},
      {{.format = RT_TEXEL_f32, .channels = 1, .width = 4, .height = 2, .layers = 2, .pitch = 16, .slice = 16},
       "16 bytes from layer"},
  };
  (void)state;
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    trouble_t wrong = {0};
    const bool good = rt_texture_good(&row[i].t, &wrong);
    if (good != !row[i].says || (row[i].says && !strstr(wrong.text, row[i].says)))
      fail_msg("row %u: %s", i, good ? "good" : wrong.text);
  }
}

/* Handles are unlike 0 and each other. One that was given
 * back stays wrong, though its place is used again. */
static void test_handles(void **state) {
  texture_table_t table = {0};
  trouble_t err = {0};
  uint64_t handle[40];
  (void)state;
  for (unsigned i = 0; i < 40; i++)
    assert_int_equal(texture_table_add(&table, &(rt_texture_t){.channels = 1, .width = i + 1}, &handle[i], &err), 0);
  for (unsigned i = 0; i < 40; i++) assert_int_equal(texture_table_find(&table, handle[i])->width, i + 1);
  assert_null(texture_table_find(&table, 0));
  assert_null(texture_table_find(&table, handle[39] + 1));
  assert_null(texture_table_find(&table, UINT64_MAX));
  assert_int_equal(texture_table_drop(&table, handle[3], &err), 0);
  assert_null(texture_table_find(&table, handle[3]));
  uint64_t again;
  assert_int_equal(texture_table_add(&table, &(rt_texture_t){.channels = 1, .width = 99}, &again, &err), 0);
  assert_true(again != handle[3] && !texture_table_find(&table, handle[3])); /* in the same place */
  assert_int_equal(texture_table_drop(&table, handle[3], &err), -1);
  assert_non_null(strstr(err.text, "no handle"));
  err = (trouble_t){0};
  assert_int_equal(texture_table_add(&table, &(rt_texture_t){.channels = 3, .width = 1}, &again, &err), -1);
  assert_non_null(strstr(err.text, "texture: 3 channels"));
  texture_table_free(&table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_the_guide),
      cmocka_unit_test(test_filter),
      cmocka_unit_test(test_bits),
      cmocka_unit_test(test_whole_coordinates),
      cmocka_unit_test(test_layers),
      cmocka_unit_test(test_offsets),
      cmocka_unit_test(test_gather),
      cmocka_unit_test(test_sampler),
      cmocka_unit_test(test_queries),
      cmocka_unit_test(test_what_is_wrong),
      cmocka_unit_test(test_handles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
