/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures and surfaces by the driver API, part by part: exec_texture_driver PART... The program
 * makes a kernel for each instruction that it tries. A thread has four words of coordinates and
 * writes four words of results.
 */
#include "driver.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MOST = 256 };

typedef struct {
  uint32_t w[4];
} four_t;

static CUdeviceptr in, out;

/* The bits of a number, as registers hold it. */
static uint32_t float_bits(float f) {
  uint32_t b;
  memcpy(&b, &f, 4);
  return b;
}

/* The number of which these are the bits. */
static float as_float(uint32_t b) {
  float f;
  memcpy(&f, &b, 4);
  return f;
}

/* A kernel around the instruction: coordinates in %r10 to %r13, results in %r20 to %r23, a
 * handle in %rd5. */
static CUmodule make_module(const char *instruction) {
  static const char *const text =
      ".version 4.0\n.target sm_30\n.address_size 64\n.global .texref texture;\n.global .surfref surface;\n"
      ".visible .entry f(.param .u64 out, .param .u64 in, .param .u64 handle, .param .u32 n)\n{\n"
      ".reg .pred %%p1;\n.reg .b16 %%h<4>;\n.reg .b32 %%r<30>;\n.reg .b64 %%rd<10>;\n"
      "ld.param.u64 %%rd1, [out];\nld.param.u64 %%rd2, [in];\nld.param.u64 %%rd5, [handle];\nld.param.u32 %%r4, [n];\n"
      "mov.u32 %%r1, %%ctaid.x;\nmov.u32 %%r2, %%ntid.x;\nmov.u32 %%r3, %%tid.x;\nmad.lo.s32 %%r5, %%r1, %%r2, %%r3;\n"
      "setp.ge.u32 %%p1, %%r5, %%r4;\n@%%p1 bra END;\n"
      "mul.wide.u32 %%rd3, %%r5, 16;\nadd.s64 %%rd1, %%rd1, %%rd3;\nadd.s64 %%rd2, %%rd2, %%rd3;\n"
      "ld.global.v4.b32 {%%r10, %%r11, %%r12, %%r13}, [%%rd2];\n"
      "mov.u32 %%r20, 7;\nmov.u32 %%r21, 7;\nmov.u32 %%r22, 7;\nmov.u32 %%r23, 7;\n%s\n"
      "st.global.v4.b32 [%%rd1], {%%r20, %%r21, %%r22, %%r23};\nEND: ret;\n}\n";
  char ptx[4096];
  CUmodule module;
  snprintf(ptx, sizeof ptx, text, instruction);
  GOOD(cuModuleLoadData(&module, ptx));
  return module;
}

/* Launches the module's kernel with n threads, one for each row of coordinates. */
static void run_module(CUmodule module, uint64_t handle, const four_t *coordinates, four_t *results, unsigned n) {
  CUfunction f;
  GOOD(cuModuleGetFunction(&f, module, "f"));
  GOOD(cuMemcpyHtoD(in, coordinates, n * sizeof *coordinates));
  GOOD(cuLaunchKernel(f, (n + 63) / 64, 1, 1, 64, 1, 1, 0, NULL, (void *[]){&out, &in, &handle, &n}, NULL));
  GOOD(cuMemcpyDtoH(results, out, n * sizeof *results));
}

/* Runs the instruction with these coordinates, n threads. */
static void run_instruction(const char *instruction, uint64_t handle, const four_t *coordinates, four_t *results,
                            unsigned n) {
  CUmodule module = make_module(instruction);
  run_module(module, handle, coordinates, results, n);
  GOOD(cuModuleUnload(module));
}

/* An array of this format and size, filled from `data` unless that is NULL. */
static CUarray make_array(CUarray_format format, unsigned channels, size_t width, size_t height, size_t depth,
                          unsigned flags, const void *data, size_t texel) {
  CUarray a;
  const CUDA_ARRAY3D_DESCRIPTOR d = {width, height, depth, format, channels, flags};
  GOOD(cuArray3DCreate(&a, &d));
  const CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                           .srcHost = data,
                           .srcPitch = width * texel,
                           .srcHeight = height ? height : 1,
                           .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                           .dstArray = a,
                           .WidthInBytes = width * texel,
                           .Height = height ? height : 1,
                           .Depth = depth ? depth : 1};
  if (data) GOOD(cuMemcpy3D(&c));
  return a;
}

/* A texture object of the array with one address mode in all directions. */
static CUtexObject make_object(CUarray a, CUaddress_mode mode, CUfilter_mode filter, unsigned flags) {
  CUtexObject t;
  const CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a};
  const CUDA_TEXTURE_DESC d = {
      .addressMode = {mode, mode, mode}, .filterMode = filter, .flags = flags, .borderColor = {0.25f, 0.5f, 0.75f, 1}};
  GOOD(cuTexObjectCreate(&t, &r, &d, NULL));
  return t;
}

/* ---- two dimensions of f32 ---- */

enum { W = 13, H = 7 };

/* The test's picture: a texel's value by its place. */
static float image(int x, int y) {
  return (float)(x * x + 3 * y) * 0.5f;
}

/* The texel of an address that wraps round. */
static int wrapped(int i, int n) {
  return ((i % n) + n) % n;
}

/* The texel of an address that stops at the edges. */
static int clamped(int i, int n) {
  if (i < 0) return 0;
  return i < n ? i : n - 1;
}

/* Linear filtering by hand: weights have 8 bits behind the point, coordinates wrap. */
static float bilinear(float u, float v) {
  const double x = (double)u * W - 0.5, y = (double)v * H - 0.5;
  const int i = (int)floor(x), j = (int)floor(y);
  const double a = floor((x - i) * 256 + 0.5) / 256, b = floor((y - j) * 256 + 0.5) / 256;
  const int i0 = wrapped(i, W), i1 = wrapped(i + 1, W), j0 = wrapped(j, H), j1 = wrapped(j + 1, H);
  return (float)((1 - a) * (1 - b) * (double)image(i0, j0) + a * (1 - b) * (double)image(i1, j0) +
                 (1 - a) * b * (double)image(i0, j1) + a * b * (double)image(i1, j1));
}

/* Texture objects of two dimensions: filtered with wrapped addresses, plain with clamped ones,
 * with a level, with offsets, four texels at once, and what an object says of itself.
 * Coordinates go beyond the picture on all sides. */
static void objects(void) {
  float data[H][W];
  four_t at[MOST], got[MOST];
  for (int i = 0; i < W * H; i++) data[i / W][i % W] = image(i % W, i / W);
  CUarray a = make_array(CU_AD_FORMAT_FLOAT, 1, W, H, 0, 0, data, 4);
  CUtexObject smooth =
      make_object(a, CU_TR_ADDRESS_MODE_WRAP, CU_TR_FILTER_MODE_LINEAR, CU_TRSF_NORMALIZED_COORDINATES);
  CUtexObject sharp = make_object(a, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0);
  for (int i = 0; i < MOST; i++)
    at[i] = (four_t){{float_bits((float)i / 64 - 1.3f), float_bits((float)(i * 7 % 64) / 30 - 0.7f)}};
  run_instruction("tex.2d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [%rd5, {%r10, %r11}];", smooth, at, got, MOST);
  for (int i = 0; i < MOST; i++)
    TRUE(fabsf(as_float(got[i].w[0]) - bilinear(as_float(at[i].w[0]), as_float(at[i].w[1]))) < 1e-4f &&
         got[i].w[1] == 0);
  for (int i = 0; i < MOST; i++)
    at[i] = (four_t){{float_bits((float)(i % 20) - 3.5f), float_bits((float)(i / 20) - 2.5f)}};
  run_instruction("tex.2d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [%rd5, {%r10, %r11}];", sharp, at, got, MOST);
  for (int i = 0; i < MOST; i++) {
    const int x = i % 20 - 4, y = i / 20 - 3;
    TRUE(as_float(got[i].w[0]) == image(clamped(x, W), clamped(y, H)));
  }
  run_instruction("tex.level.2d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [%rd5, {%r10, %r11, %r10, %r10}], %r12;", sharp,
                  at, got, MOST);
  TRUE(as_float(got[MOST - 1].w[0]) == image(11, H - 1));
  for (int i = 0; i < W * H; i++)
    at[i] = (four_t){{float_bits((float)(i % W) + 0.5f), float_bits((float)(i / W) + 0.5f), (uint32_t)(i % 16 - 8)}};
  run_instruction("tex.2d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [%rd5, {%r10, %r11}], {%r12, -1};", sharp, at, got,
                  W * H);
  for (int i = 0; i < W * H; i++) {
    const int x = i % W + i % 16 - 8, y = i / W - 1;
    TRUE(as_float(got[i].w[0]) == image(clamped(x, W), clamped(y, H)));
  }
  at[0] = (four_t){{float_bits(2), float_bits(3)}};
  run_instruction("tld4.r.2d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [%rd5, {%r10, %r11}];", sharp, at, got, 1);
  TRUE(as_float(got[0].w[0]) == image(1, 3) && as_float(got[0].w[1]) == image(2, 3) &&
       as_float(got[0].w[2]) == image(2, 2) && as_float(got[0].w[3]) == image(1, 2));
  CUDA_TEXTURE_DESC d;
  CUDA_RESOURCE_DESC r;
  GOOD(cuTexObjectGetTextureDesc(&d, smooth));
  GOOD(cuTexObjectGetResourceDesc(&r, smooth));
  TRUE(d.filterMode == CU_TR_FILTER_MODE_LINEAR && r.res.array.hArray == a);
  IS(CUDA_ERROR_INVALID_VALUE, cuTexObjectGetResourceViewDesc(&(CUDA_RESOURCE_VIEW_DESC){0}, smooth));
  GOOD(cuTexObjectDestroy(smooth));
  IS(CUDA_ERROR_INVALID_VALUE, cuTexObjectDestroy(smooth));
  GOOD(cuTexObjectDestroy(sharp));
  GOOD(cuArrayDestroy(a));
}

/* ---- formats ---- */

static const struct {
  CUarray_format format;
  size_t bytes;
} formats[] = {{CU_AD_FORMAT_UNSIGNED_INT8, 1}, {CU_AD_FORMAT_UNSIGNED_INT16, 2}, {CU_AD_FORMAT_UNSIGNED_INT32, 4},
               {CU_AD_FORMAT_SIGNED_INT8, 1},   {CU_AD_FORMAT_SIGNED_INT16, 2},   {CU_AD_FORMAT_SIGNED_INT32, 4},
               {CU_AD_FORMAT_HALF, 2},          {CU_AD_FORMAT_FLOAT, 4}};

/* What a fetch gives for these bytes; unit: as numbers up to 1. */
static uint32_t texel_value(CUarray_format format, const uint8_t *at, bool unit) {
  int16_t s16;
  uint16_t u16;
  uint32_t u32;
  memcpy(&s16, at, 2), memcpy(&u16, at, 2), memcpy(&u32, at, 4);
  switch (format) {
  case CU_AD_FORMAT_UNSIGNED_INT8: return unit ? float_bits((float)(at[0] / 255.0)) : at[0];
  case CU_AD_FORMAT_UNSIGNED_INT16: return unit ? float_bits((float)(u16 / 65535.0)) : u16;
  case CU_AD_FORMAT_SIGNED_INT8:
    return unit ? float_bits((float)fmax(-1, (int8_t)at[0] / 127.0)) : (uint32_t)(int8_t)at[0];
  case CU_AD_FORMAT_SIGNED_INT16: return unit ? float_bits((float)fmax(-1, s16 / 32767.0)) : (uint32_t)s16;
  case CU_AD_FORMAT_HALF:
    return float_bits((u16 & 0x8000 ? -1 : 1) * ldexpf((float)(1024 + (u16 & 1023)), (u16 >> 10 & 31) - 25));
  default: return u32;
  }
}

/* Fetches all texels of a line of this format. */
static void try_format(unsigned f, unsigned channels, bool unit) {
  enum { N = 37 };
  uint8_t data[N * 16 + 4];
  four_t at[N], got[N];
  const size_t texel = formats[f].bytes * channels;
  for (unsigned i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i * 37 + 11);
  if (formats[f].format == CU_AD_FORMAT_HALF)
    for (unsigned i = 1; i < sizeof data; i += 2) data[i] = (uint8_t)((data[i] & 0xbb) | 0x10); /* finite and normal */
  CUarray a = make_array(formats[f].format, channels, N, 0, 0, 0, data, texel);
  CUtexObject t = make_object(a, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, unit ? 0 : CU_TRSF_READ_AS_INTEGER);
  for (unsigned i = 0; i < N; i++) at[i] = (four_t){{i}};
  run_instruction("tex.1d.v4.u32.s32 {%r20, %r21, %r22, %r23}, [%rd5, {%r10}];", t, at, got, N);
  for (unsigned i = 0; i < N; i++)
    for (unsigned c = 0; c < channels; c++)
      TRUE(got[i].w[c] == texel_value(formats[f].format, data + i * texel + c * formats[f].bytes, unit));
  GOOD(cuTexObjectDestroy(t));
  GOOD(cuArrayDestroy(a));
}

/* Results of 16 bits, one to a register and in pairs. */
static void halves(void) {
  const uint16_t data[8] = {0x3c00, 0xc000, 0x0001, 0x7bff, 0x3555, 0x8000, 0x7c00, 0x1234};
  four_t at[2] = {{{0}}, {{1}}}, got[2];
  CUarray a = make_array(CU_AD_FORMAT_HALF, 4, 2, 0, 0, 0, data, 8);
  CUtexObject t = make_object(a, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0);
  run_instruction(
      "tex.1d.v4.f16.s32 {%h1, %h2, %h3, %h0}, [%rd5, {%r10}];\ncvt.u32.u16 %r20, %h1;\ncvt.u32.u16 %r21, %h2;\n"
      "cvt.u32.u16 %r22, %h3;\ncvt.u32.u16 %r23, %h0;",
      t, at, got, 2);
  for (unsigned i = 0; i < 8; i++) TRUE(got[i / 4].w[i % 4] == data[i]);
  run_instruction("tex.1d.v2.f16x2.s32 {%r20, %r21}, [%rd5, {%r10}];", t, at, got, 2);
  for (unsigned i = 0; i < 8; i++) TRUE((got[i / 4].w[i % 4 / 2] >> i % 2 * 16 & 0xffff) == data[i]);
}

/* Each format with one, two and four channels, as it is and as numbers up to 1. */
static void all_formats(void) {
  halves();
  for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++)
    for (unsigned channels = 1; channels <= 4; channels *= 2)
      for (unsigned unit = 0; unit < 2; unit++) try_format(f, channels, unit);
}

/* ---- memory that is not an array ---- */

/* Textures of plain memory. Outside of a line everything is 0, outside of rows the border's -9
 * above and below and the nearest column at the sides. */
static void memory(void) {
  enum { N = 100, WIDTH = 10, HEIGHT = 9 };
  int data[N];
  four_t at[MOST], got[MOST];
  CUdeviceptr linear, rows;
  size_t pitch;
  CUtexObject t;
  for (int i = 0; i < N; i++) data[i] = i * i - 50;
  GOOD(cuMemAlloc(&linear, sizeof data));
  GOOD(cuMemcpyHtoD(linear, data, sizeof data));
  const CUDA_TEXTURE_DESC d = {.addressMode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_BORDER},
                               .flags = CU_TRSF_READ_AS_INTEGER,
                               .borderColor = {-9}};
  CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_LINEAR,
                          .res.linear = {linear, CU_AD_FORMAT_SIGNED_INT32, 1, sizeof data}};
  GOOD(cuTexObjectCreate(&t, &r, &d, NULL));
  for (int i = 0; i < MOST; i++) at[i] = (four_t){{(uint32_t)(i - 60)}};
  run_instruction("tex.1d.v4.s32.s32 {%r20, %r21, %r22, %r23}, [%rd5, {%r10}];", t, at, got, MOST);
  for (int i = 0; i < MOST; i++) TRUE((int)got[i].w[0] == (i < 60 || i >= 60 + N ? 0 : data[i - 60]));
  GOOD(cuTexObjectDestroy(t));
  GOOD(cuMemAllocPitch(&rows, &pitch, WIDTH * 4, HEIGHT, 4));
  const CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                           .srcHost = data,
                           .srcPitch = WIDTH * 4,
                           .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                           .dstDevice = rows,
                           .dstPitch = pitch,
                           .WidthInBytes = WIDTH * 4,
                           .Height = HEIGHT};
  GOOD(cuMemcpy2D(&c));
  r = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_PITCH2D,
                           .res.pitch2D = {rows, CU_AD_FORMAT_SIGNED_INT32, 1, WIDTH, HEIGHT, pitch}};
  GOOD(cuTexObjectCreate(&t, &r, &d, NULL));
  for (int i = 0; i < MOST; i++) at[i] = (four_t){{(uint32_t)(i % 16 - 2), (uint32_t)(i / 16 - 3)}};
  run_instruction("tex.2d.v4.s32.s32 {%r20, %r21, %r22, %r23}, [%rd5, {%r10, %r11}];", t, at, got, MOST);
  for (int i = 0; i < MOST; i++) {
    const int x = i % 16 - 2, y = i / 16 - 3;
    TRUE((int)got[i].w[0] == (y < 0 || y >= HEIGHT ? -9 : data[y * WIDTH + clamped(x, WIDTH)]));
  }
  GOOD(cuTexObjectDestroy(t));
  GOOD(cuMemFree(linear));
  GOOD(cuMemFree(rows));
}

/* ---- layers, volumes, queries ---- */

/* Arrays with layers and a volume: a texel's value is its place. At 0.75 of a row, the filter
 * takes 3/4 of its own row and 1/4 of the next one, or of the border's 0.25. */
static void layers(void) {
  enum { X = 5, Y = 4, Z = 3, N = X * Y * Z };
  float data[N];
  four_t at[MOST], got[MOST];
  for (int i = 0; i < N; i++) data[i] = (float)i;
  CUarray lines = make_array(CU_AD_FORMAT_FLOAT, 1, X * Y, 0, Z, CUDA_ARRAY3D_LAYERED, data, 4),
          sheets = make_array(CU_AD_FORMAT_FLOAT, 1, X, Y, Z, CUDA_ARRAY3D_LAYERED, data, 4),
          volume = make_array(CU_AD_FORMAT_FLOAT, 1, X, Y, Z, 0, data, 4);
  CUtexObject t1 = make_object(lines, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0),
              t2 = make_object(sheets, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_FILTER_MODE_POINT, 0),
              t3 = make_object(volume, CU_TR_ADDRESS_MODE_BORDER, CU_TR_FILTER_MODE_LINEAR, 0);
  for (int i = 0; i < N; i++) at[i] = (four_t){{(uint32_t)(i / (X * Y)), float_bits((float)(i % (X * Y)) + 0.5f)}};
  run_instruction("tex.a1d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [%rd5, {%r10, %r11}];", t1, at, got, N);
  for (int i = 0; i < N; i++) TRUE(as_float(got[i].w[0]) == data[i]);
  for (int i = 0; i < N; i++)
    at[i] =
        (four_t){{(uint32_t)(i / (X * Y)), float_bits((float)(i % X) + 0.5f), float_bits((float)(i / X % Y) + 0.5f)}};
  run_instruction("tex.a2d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [%rd5, {%r10, %r11, %r12, %r12}];", t2, at, got, N);
  for (int i = 0; i < N; i++) TRUE(as_float(got[i].w[0]) == data[i]);
  for (int i = 0; i < N; i++)
    at[i] = (four_t){{float_bits((float)(i % X) + 0.5f), float_bits((float)(i / X % Y) + 0.75f),
                      float_bits((float)(i / (X * Y)) + 0.5f)}};
  run_instruction("tex.3d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [%rd5, {%r10, %r11, %r12, %r12}];", t3, at, got, N);
  for (int i = 0; i < N; i++)
    TRUE(as_float(got[i].w[0]) == 0.75f * data[i] + 0.25f * (i / X % Y < Y - 1 ? data[i + X] : 0.25f));
  run_instruction("txq.width.b32 %r20, [%rd5];\ntxq.height.b32 %r21, [%rd5];\ntxq.depth.b32 %r22, [%rd5];\n"
                  "txq.channel_order.b32 %r23, [%rd5];",
                  t3, at, got, 1);
  TRUE(got[0].w[0] == X && got[0].w[1] == Y && got[0].w[2] == Z && got[0].w[3] == 0x10b0);
  run_instruction(
      "txq.array_size.b32 %r20, [%rd5];\ntxq.filter_mode.b32 %r21, [%rd5];\ntxq.normalized_coords.b32 %r22, [%rd5];",
      t2, at, got, 1);
  TRUE(got[0].w[0] == Z && got[0].w[1] == 0 && got[0].w[2] == 0);
}

/* ---- references ---- */

/* Texture references of modules, bound to an array, to linear memory and to rows. Settings count
 * from the next launch on. */
static void references(void) {
  float data[8], colour[4] = {3, 3, 3, 3};
  four_t at[8], got[8];
  CUtexref r, again;
  CUdeviceptr linear;
  CUarray_format format;
  CUarray bound;
  int channels;
  unsigned flags;
  size_t offset;
  for (int i = 0; i < 8; i++) data[i] = (float)(i + 1), at[i] = (four_t){{float_bits((float)i * 2 - 3.5f)}};
  CUarray a = make_array(CU_AD_FORMAT_FLOAT, 1, 8, 0, 0, 0, data, 4);
  CUmodule m = make_module("tex.1d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [texture, {%r10}];");
  GOOD(cuModuleGetTexRef(&r, m, "texture"));
  GOOD(cuModuleGetTexRef(&again, m, "texture"));
  TRUE(r == again);
  IS(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef(&again, m, "nothing"));
  IS(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef(&again, m, "surface"));
  GOOD(cuTexRefSetAddressMode(r, 0, CU_TR_ADDRESS_MODE_CLAMP));
  GOOD(cuTexRefSetFilterMode(r, CU_TR_FILTER_MODE_POINT));
  GOOD(cuTexRefSetFlags(r, 0));
  GOOD(cuTexRefSetArray(r, a, CU_TRSA_OVERRIDE_FORMAT));
  GOOD(cuTexRefGetArray(&bound, r));
  GOOD(cuTexRefGetFormat(&format, &channels, r));
  GOOD(cuTexRefGetFlags(&flags, r));
  TRUE(bound == a && format == CU_AD_FORMAT_FLOAT && channels == 1 && flags == 0);
  run_module(m, 0, at, got, 8);
  for (int i = 0; i < 8; i++) TRUE(as_float(got[i].w[0]) == data[clamped(2 * i - 4, 8)]);
  GOOD(cuTexRefSetAddressMode(r, 0, CU_TR_ADDRESS_MODE_BORDER)); /* from the next launch on */
  GOOD(cuTexRefSetBorderColor(r, colour));
  run_module(m, 0, at, got, 8);
  for (int i = 0; i < 8; i++) TRUE(as_float(got[i].w[0]) == (i < 2 || i > 5 ? 3 : (float)(2 * i - 3)));
  CUmodule fetch = make_module("mov.u64 %rd6, texture;\ntex.1d.v4.f32.s32 {%r20, %r21, %r22, %r23}, [%rd6, {%r10}];");
  GOOD(cuModuleGetTexRef(&r, fetch, "texture"));
  GOOD(cuMemAlloc(&linear, 4096));
  GOOD(cuMemcpyHtoD(linear + 64, data, sizeof data));
  GOOD(cuTexRefSetFormat(r, CU_AD_FORMAT_FLOAT, 1));
  IS(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddress(NULL, r, linear + 64, sizeof data));
  GOOD(cuTexRefSetAddress(&offset, r, linear + 64, sizeof data));
  TRUE(offset == 64);
  for (int i = 0; i < 8; i++) at[i] = (four_t){{(uint32_t)(i * 2 + 16)}};
  run_module(fetch, 0, at, got, 8);
  for (int i = 0; i < 8; i++) TRUE(as_float(got[i].w[0]) == (i < 4 ? data[2 * i] : 0));
  const CUDA_ARRAY_DESCRIPTOR two = {4, 2, CU_AD_FORMAT_FLOAT, 1};
  CUmodule rows = make_module("tex.2d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [texture, {%r10, %r11, %r10, %r10}];");
  GOOD(cuMemcpyHtoD(linear, data, 16));
  GOOD(cuMemcpyHtoD(linear + 32, data + 4, 16));
  GOOD(cuModuleGetTexRef(&r, rows, "texture"));
  GOOD(cuTexRefSetAddress2D(r, &two, linear, 32));
  for (int i = 0; i < 8; i++) at[i] = (four_t){{float_bits((float)(i % 4)), float_bits((float)(i / 4))}};
  run_module(rows, 0, at, got, 8);
  for (int i = 0; i < 8; i++) TRUE(as_float(got[i].w[0]) == data[i]);
  GOOD(cuModuleUnload(rows));
  GOOD(cuTexRefCreate(&r));
  GOOD(cuTexRefDestroy(r));
}

/* ---- surfaces ---- */

/* Loads and stores by bytes. Outside: zero, the nearest texel, or no store. Then a reference and
 * layers. x counts bytes, so a texel of 32 bits is at 4 x. */
static void surfaces(void) {
  enum { X = 8, Y = 4, N = X * Y };
  uint32_t data[N], back[N];
  four_t at[MOST], got[MOST];
  CUsurfObject s;
  CUsurfref r;
  CUarray bound;
  for (unsigned i = 0; i < N; i++) data[i] = 0x01010101 * i + 1;
  CUarray a = make_array(CU_AD_FORMAT_UNSIGNED_INT32, 1, X, Y, 0, CUDA_ARRAY3D_SURFACE_LDST, data, 4);
  const CUDA_RESOURCE_DESC d = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a};
  GOOD(cuSurfObjectCreate(&s, &d));
  for (int i = 0; i < MOST; i++) at[i] = (four_t){{(uint32_t)((i % 16 - 4) * 4), (uint32_t)(i / 16 - 6)}};
  run_instruction("suld.b.2d.b32.zero {%r20}, [%rd5, {%r10, %r11}];", s, at, got, MOST);
  for (int i = 0; i < MOST; i++) {
    const int x = i % 16 - 4, y = i / 16 - 6;
    TRUE(got[i].w[0] == (x < 0 || x >= X || y < 0 || y >= Y ? 0 : data[y * X + x]));
  }
  run_instruction("suld.b.2d.b32.clamp {%r20}, [%rd5, {%r10, %r11}];", s, at, got, MOST);
  for (int i = 0; i < MOST; i++) {
    const int x = i % 16 - 4, y = i / 16 - 6;
    TRUE(got[i].w[0] == data[clamped(y, Y) * X + clamped(x, X)]);
  }
  for (int i = 0; i < N; i++) at[i] = (four_t){{(uint32_t)(i % X * 4), (uint32_t)(i / X)}};
  static const char narrow[] =
      "suld.b.2d.b8.trap {%h1}, [%rd5, {%r10, %r11}];\ncvt.u32.u16 %r20, %h1;\nadd.u32 %r21, %r10, 2;\n"
      "suld.b.2d.b16.trap {%h2}, [%rd5, {%r21, %r11}];\ncvt.u32.u16 %r22, %h2;";
  run_instruction(narrow, s, at, got, N);
  for (int i = 0; i < N; i++) TRUE(got[i].w[0] == (data[i] & 0xff) && got[i].w[2] == data[i] >> 16);
  for (int i = 0; i < Y * 2; i++) at[i] = (four_t){{(uint32_t)(i % 2 * 16), (uint32_t)(i / 2)}};
  run_instruction("suld.b.2d.v4.b32.trap {%r20, %r21, %r22, %r23}, [%rd5, {%r10, %r11}];", s, at, got, Y * 2);
  for (int i = 0; i < N; i++) TRUE(got[i / 4].w[i % 4] == data[i]);
  /* Stores: those outside do nothing. */
  for (int i = 0; i < MOST; i++)
    at[i] = (four_t){{(uint32_t)((i % 16 - 4) * 4), (uint32_t)(i / 16 - 6), (uint32_t)(1000 + i)}};
  run_instruction("sust.b.2d.b32.zero [%rd5, {%r10, %r11}], {%r12};", s, at, got, MOST);
  const CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                           .srcArray = a,
                           .dstMemoryType = CU_MEMORYTYPE_HOST,
                           .dstHost = back,
                           .dstPitch = X * 4,
                           .WidthInBytes = X * 4,
                           .Height = Y};
  GOOD(cuMemcpy2D(&c));
  for (int i = 0; i < N; i++) TRUE(back[i] == (uint32_t)(1000 + (i / X + 6) * 16 + i % X + 4));
  CUmodule m = make_module("suld.b.2d.b32.trap {%r20}, [surface, {%r10, %r11}];\nsuq.width.b32 %r21, [surface];\n"
                           "suq.height.b32 %r22, [surface];");
  GOOD(cuModuleGetSurfRef(&r, m, "surface"));
  GOOD(cuSurfRefSetArray(r, a, 0));
  GOOD(cuSurfRefGetArray(&bound, r));
  for (int i = 0; i < N; i++) at[i] = (four_t){{(uint32_t)(i % X * 4), (uint32_t)(i / X)}};
  run_module(m, 0, at, got, N);
  for (int i = 0; i < N; i++) TRUE(bound == a && got[i].w[0] == back[i] && got[i].w[1] == X && got[i].w[2] == Y);
  GOOD(cuSurfObjectDestroy(s));
  CUarray deep =
      make_array(CU_AD_FORMAT_UNSIGNED_INT32, 1, X, 2, 2, CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_LAYERED, data, 4);
  GOOD(cuSurfObjectCreate(&s, &(CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = deep}));
  for (int i = 0; i < N; i++) at[i] = (four_t){{(uint32_t)(i / (2 * X)), (uint32_t)(i % X * 4), (uint32_t)(i / X % 2)}};
  run_instruction("suld.b.a2d.b32.trap {%r20}, [%rd5, {%r10, %r11, %r12, %r12}];", s, at, got, N);
  for (int i = 0; i < N; i++) TRUE(got[i].w[0] == data[i]);
}

/* ---- copies ---- */

/* Copies between arrays, device and host, in whole, from the middle, over the end of a row, and
 * of a box. */
static void copies(void) {
  enum { X = 10, Y = 5, N = X * Y };
  uint16_t data[N], back[N];
  CUDA_ARRAY3D_DESCRIPTOR d;
  CUDA_ARRAY_DESCRIPTOR flat;
  CUdeviceptr p;
  for (unsigned i = 0; i < N; i++) data[i] = (uint16_t)(i * 3);
  CUarray a = make_array(CU_AD_FORMAT_UNSIGNED_INT16, 1, X, Y, 0, 0, data, 2),
          b = make_array(CU_AD_FORMAT_UNSIGNED_INT16, 1, X, Y, 0, 0, NULL, 2);
  GOOD(cuArray3DGetDescriptor(&d, a));
  GOOD(cuArrayGetDescriptor(&flat, a));
  TRUE(d.Width == X && d.Height == Y && d.Depth == 0 && d.NumChannels == 1 && flat.Height == Y &&
       flat.Format == CU_AD_FORMAT_UNSIGNED_INT16);
  GOOD(cuMemcpyAtoA(b, 0, a, 0, sizeof data));
  GOOD(cuMemcpyAtoH(back, b, 0, sizeof back));
  TRUE(!memcmp(data, back, sizeof data));
  GOOD(cuMemAlloc(&p, sizeof data));
  GOOD(cuMemcpyAtoD(p, a, 6, sizeof data - 6));
  GOOD(cuMemcpyDtoA(b, 0, p, sizeof data - 6));
  GOOD(cuMemcpyAtoH(back, b, 0, sizeof back));
  TRUE(!memcmp(data + 3, back, sizeof data - 6));
  GOOD(cuMemcpyHtoA(b, 2 * X + 4, data, 3 * X)); /* over the end of a row */
  GOOD(cuMemcpyAtoH(back, b, 2 * X + 4, 3 * X));
  TRUE(!memcmp(data, back, 3 * X));
  IS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoA(b, sizeof data - 2, data, 4));
  CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                     .srcArray = a,
                     .srcXInBytes = 4,
                     .srcY = 1,
                     .dstMemoryType = CU_MEMORYTYPE_HOST,
                     .dstHost = back,
                     .dstPitch = 6,
                     .WidthInBytes = 6,
                     .Height = 3};
  GOOD(cuMemcpy2D(&c));
  for (unsigned i = 0; i < 9; i++) TRUE(back[i] == data[(1 + i / 3) * X + 2 + i % 3]);
  c.Height = 5;
  IS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&c));
  GOOD(cuArrayDestroy(a));
  GOOD(cuArrayDestroy(b));
}

/* ---- what is refused ---- */

/* Settings that no object or array can have: each call gives the error that CUDA has for it. */
static void refused_settings(void) {
  CUarray a = make_array(CU_AD_FORMAT_UNSIGNED_INT8, 4, 8, 8, 0, 0, NULL, 4), b;
  CUtexObject t;
  CUsurfObject s;
  CUdeviceptr p;
  CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a};
  CUDA_TEXTURE_DESC d = {.filterMode = CU_TR_FILTER_MODE_LINEAR, .flags = CU_TRSF_READ_AS_INTEGER};
  IS(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&t, &r, &d, NULL)); /* filters whole numbers */
  d.flags = 0;
  GOOD(cuTexObjectCreate(&t, &r, &d, NULL));
  d.addressMode[1] = (CUaddress_mode)4;
  IS(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&t, &r, &d, NULL));
  d.addressMode[1] = CU_TR_ADDRESS_MODE_WRAP;
  IS(CUDA_ERROR_INVALID_VALUE, cuSurfObjectCreate(&s, &r)); /* not made for surfaces */
  GOOD(cuMemAlloc(&p, 4096));
  r = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_LINEAR, .res.linear = {p + 4, CU_AD_FORMAT_FLOAT, 1, 64}};
  IS(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&t, &r, &d, NULL));
  r.res.linear.devPtr = p, r.res.linear.numChannels = 3;
  IS(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&t, &r, &d, NULL));
  r = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_PITCH2D, .res.pitch2D = {p, CU_AD_FORMAT_FLOAT, 1, 16, 4, 32}};
  IS(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&t, &r, &d, NULL)); /* rows overlap */
  r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  IS(CUDA_ERROR_NOT_SUPPORTED, cuTexObjectCreate(&t, &r, &d, NULL));
  IS(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate(&b, &(CUDA_ARRAY3D_DESCRIPTOR){4, 0, 2, CU_AD_FORMAT_FLOAT, 1, 0}));
  IS(CUDA_ERROR_INVALID_VALUE, cuArray3DCreate(&b, &(CUDA_ARRAY3D_DESCRIPTOR){4, 0, 0, (CUarray_format)5, 1, 0}));
  IS(CUDA_ERROR_NOT_SUPPORTED,
     cuArray3DCreate(&b, &(CUDA_ARRAY3D_DESCRIPTOR){4, 4, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP}));
}

/* The launch fails with this error, and a fresh machine follows. */
static void expect_fault(const char *instruction, uint64_t handle, CUresult wanted) {
  CUfunction f;
  unsigned n = 1;
  GOOD(cuModuleGetFunction(&f, make_module(instruction), "f"));
  IS(wanted, cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, (void *[]){&out, &in, &handle, &n}, NULL));
  if (wanted == CUDA_ERROR_NOT_SUPPORTED) return;
  GOOD(cuDevicePrimaryCtxReset(0));
  GOOD(cuMemAlloc(&in, MOST * sizeof(four_t)));
  GOOD(cuMemAlloc(&out, MOST * sizeof(four_t)));
}

/* What a launch fails with: an instruction that is not supported, an unbound reference, a handle
 * of nothing, an address mode that its coordinates do not allow, a surface outside of its array
 * or at an odd byte. */
static void faults(void) {
  expect_fault("tex.cube.v4.f32.f32 {%r20, %r21, %r22, %r23}, [%rd5, {%r10, %r11, %r12, %r13}];", 1,
               CUDA_ERROR_NOT_SUPPORTED);
  expect_fault("tex.1d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [texture, {%r10}];", 0, CUDA_ERROR_ILLEGAL_ADDRESS);
  expect_fault("tex.1d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [%rd5, {%r10}];", 0x123456789, CUDA_ERROR_ILLEGAL_ADDRESS);
  CUarray a = make_array(CU_AD_FORMAT_FLOAT, 1, 8, 8, 0, CUDA_ARRAY3D_SURFACE_LDST, NULL, 4);
  expect_fault("tex.1d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [%rd5, {%r10}];",
               make_object(a, CU_TR_ADDRESS_MODE_WRAP, CU_TR_FILTER_MODE_POINT, 0), CUDA_ERROR_ILLEGAL_ADDRESS);
  CUsurfObject s;
  a = make_array(CU_AD_FORMAT_FLOAT, 1, 8, 8, 0, CUDA_ARRAY3D_SURFACE_LDST, NULL, 4);
  GOOD(cuSurfObjectCreate(&s, &(CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a}));
  expect_fault("mov.u32 %r10, 32;\nsuld.b.2d.b32.trap {%r20}, [%rd5, {%r10, %r10}];", s, CUDA_ERROR_ILLEGAL_ADDRESS);
  a = make_array(CU_AD_FORMAT_FLOAT, 1, 8, 8, 0, CUDA_ARRAY3D_SURFACE_LDST, NULL, 4);
  GOOD(cuSurfObjectCreate(&s, &(CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a}));
  expect_fault("mov.u32 %r10, 2;\nsuld.b.2d.b32.trap {%r20}, [%rd5, {%r10, %r10}];", s, CUDA_ERROR_MISALIGNED_ADDRESS);
}

static const struct {
  const char *name;
  void (*run)(void);
} parts[] = {{"objects", objects}, {"formats", all_formats},    {"memory", memory},
             {"layers", layers},   {"references", references},  {"surfaces", surfaces},
             {"copies", copies},   {"wrong", refused_settings}, {"faults", faults}};

int main(int argc, char **argv) {
  driver_start();
  GOOD(cuMemAlloc(&in, MOST * sizeof(four_t)));
  GOOD(cuMemAlloc(&out, MOST * sizeof(four_t)));
  for (int a = 1; a < argc; a++)
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
      if (!strcmp(parts[i].name, argv[a])) {
        parts[i].run();
        printf("%s held\n", argv[a]);
      }
  return 0;
}
