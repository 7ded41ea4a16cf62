/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures and surfaces on a GPU with ideal stacks: eight texels a thread through caches of all
 * sizes, handles that differ by thread, guards, pages from the host, nodes' orders; how many lines
 * are looked up and how long it takes; what faults.
 */
#include <stdio.h>
#include <string.h>

#include "gpu_rig.h"
#include "unit_test.h"

/* Three warps; a volume of 24 x 10 x 6 texels. */
enum { THREADS = 96, X = 24, Y = 10, Z = 6, TEXELS = X * Y * Z };

#define HEAD ".version 6.0\n.target sm_60\n.address_size 64\n.global .texref reference;\n"
/* Thread i: in[i] to %f1.. and %r1.., handle %d9; results %r20 to %r23 to out[i]. */
#define ENTRY(code)                                                                                           \
  HEAD ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 handles)\n{\n"                         \
       ".reg .pred %p<4>; .reg .b32 %r<30>; .reg .b64 %d<20>;\n"                                              \
       "ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; ld.param.u64 %d3, [handles]; mov.u32 %r0, %tid.x;\n" \
       "mad.wide.u32 %d4, %r0, 16, %d1; mad.wide.u32 %d5, %r0, 16, %d2; mad.wide.u32 %d6, %r0, 8, %d3;\n"     \
       "ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%d4]; ld.global.u64 %d9, [%d6];\n"                            \
       "mov.u32 %r20, 7; mov.u32 %r21, 7; mov.u32 %r22, 7; mov.u32 %r23, 7;\n" code                           \
       "\nst.global.v4.b32 [%d5], {%r20, %r21, %r22, %r23};\nret;\n}\n"

/* The kernel of most tests: a texel at the thread's coordinates, interpolated. */
static const char volume[] = ENTRY("tex.3d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [%d9, {%r1, %r2, %r3, %r3}];");

typedef struct {
  uint32_t w[4];
} four_t;

typedef struct {
  gpu_rig_t *rig;
  uint64_t data, in, out, handles, handle[2];
  four_t at[THREADS], got[THREADS];
  uint64_t own[THREADS]; /* handles of threads */
} bed_t;

/* The register's bits of a number, and back. */
static uint32_t bits_of_float(float f) {
  uint32_t b;
  memcpy(&b, &f, 4);
  return b;
}

static float float_of_bits(uint32_t b) {
  float f;
  memcpy(&f, &b, 4);
  return f;
}

/* Two volumes of f32, the second one 1000 more: x + 100
 * y + 5000 z, so that what is interpolated is exact. */
static void open_bed(bed_t *b, const gpu_config_t *c, const char *ptx, const rt_texture_t *of) {
  static float texels[2 * TEXELS];
  trouble_t err = {0};
  memset(b, 0, sizeof *b);
  b->rig = rig_new(c, ptx, strlen(ptx), "textures.ptx", false);
  assert_non_null(b->rig);
  if (b->rig->err.kind) fail_msg("%s", b->rig->err.text);
  gpu_t *g = b->rig->gpu;
  for (unsigned i = 0; i < 2 * TEXELS; i++)
    texels[i] = (float)(i % X + 100 * (i / X % Y) + 5000 * (i / X / Y % Z) + (i < TEXELS ? 0 : 1000));
  b->data = gpu_malloc(g, sizeof texels, &err), b->in = gpu_malloc(g, sizeof b->at, &err);
  b->out = gpu_malloc(g, sizeof b->got, &err), b->handles = gpu_malloc(g, sizeof b->own, &err);
  assert_int_equal(gpu_copy_in(g, b->data, texels, sizeof texels, &err), 0);
  for (unsigned k = 0; k < 2; k++) {
    rt_texture_t t = *of;
    t.at = b->data + k * TEXELS * 4;
    assert_int_equal(gpu_texture(g, &t, &b->handle[k], &err), 0);
  }
  for (unsigned i = 0; i < THREADS; i++) b->own[i] = b->handle[0];
}

/* Coordinates and handles to memory, a launch, the results back. 0, or the exit status. */
static int run_bed(bed_t *b) {
  gpu_t *g = b->rig->gpu;
  trouble_t err = {0};
  const uint64_t params[] = {b->in, b->out, b->handles};
  const gpu_launch_t l = {.grid = {1, 1, 1}, .block = {THREADS, 1, 1}, .params = params, .param_bytes = sizeof params};
  assert_int_equal(gpu_copy_in(g, b->in, b->at, sizeof b->at, &err), 0);
  assert_int_equal(gpu_copy_in(g, b->handles, b->own, sizeof b->own, &err), 0);
  const int status = rig_run(b->rig, &l, 2000000);
  if (!status) assert_int_equal(gpu_copy_out(g, b->got, b->out, sizeof b->got, &err), 0);
  return status;
}

static void expect_run(bed_t *b) {
  if (run_bed(b)) fail_msg("%s", b->rig->err.text);
}

/* The first volume: clamped, linear, one channel of f32. */
static rt_texture_t volume_texture(void) {
  return (rt_texture_t){.format = RT_TEXEL_f32,
                        .channels = 1,
                        .width = X,
                        .height = Y,
                        .depth = Z,
                        .pitch = X * 4,
                        .slice = X * Y * 4,
                        .address = {RT_ADDRESS_CLAMP, RT_ADDRESS_CLAMP, RT_ADDRESS_CLAMP},
                        .filter = RT_FILTER_LINEAR};
}

/* Eight texels each, all over the volume, every third thread's in the other one. */
static void scatter(bed_t *b, uint64_t *random) {
  for (unsigned i = 0; i < THREADS; i++) {
    const uint32_t size[] = {X, Y, Z};
    for (unsigned d = 0; d < 3; d++)
      b->at[i].w[d] = bits_of_float(0.5f + (float)(test_random(random) % (256 * (size[d] - 1))) / 256);
    b->own[i] = b->handle[i % 3 == 2];
  }
}

/* Texel (x, y, z) is x + 100 y + 5000 z, and its middle is
 * half a texel further. The missing fourth channel is 1. */
static void expect_volume(const bed_t *b) {
  for (unsigned i = 0; i < THREADS; i++) {
    const float x = float_of_bits(b->at[i].w[0]) - 0.5f, y = float_of_bits(b->at[i].w[1]) - 0.5f,
                z = float_of_bits(b->at[i].w[2]) - 0.5f;
    const float want = x + 100 * y + 5000 * z + (i % 3 == 2 ? 1000 : 0), got = float_of_bits(b->got[i].w[0]);
    if (got < want - 0.01f || got > want + 0.01f || b->got[i].w[3] != bits_of_float(1))
      fail_msg("thread %u: %g, not %g", i, (double)got, (double)want);
  }
}

/* Plain, one miss register, a small L1, pages from the host, answers
 * after random times; each twice. The eight texels of a thread are
 * in more than one line on average, and in eight at most. */
static void test_caches(void **state) {
  uint64_t random = 3;
  (void)state;
  for (unsigned n = 0; n < 6; n++) {
    bed_t b;
    gpu_config_t c = rig_two_sms();
    const rt_texture_t t = volume_texture();
    if (n == 1) c.l1.mshrs = 1, c.l1.merges = 1;
    if (n == 2) c.l1.bytes = 4096, c.sm.lsu_queue = 1, c.sm.max_loads = 4;
    if (n == 3) c.paging.demand = true, c.paging.latency = 50, c.paging.interval = 3;
    open_bed(&b, &c, volume, &t);
    if (n >= 4) b.rig->random = n;
    scatter(&b, &random);
    expect_run(&b);
    expect_volume(&b);
    expect_run(&b);
    expect_volume(&b);
    const gpu_stats_t s = gpu_stats(b.rig->gpu);
    assert_int_equal(s.texture_fetches, 2 * THREADS / 32);
    assert_true(s.texture_lines > 2 * THREADS && s.texture_lines <= 2 * THREADS * 8);
    if (n == 3) assert_true(s.pages_in >= 3);
    rig_free(b.rig);
  }
}

/* A warp beside each other: as many lines as their texels lie in, once;
 * the texture unit's cycles behind them. Rows of 32 texels are a line.
 * Between two rows a warp needs two, between two slices as well four. */
static void test_cost(void **state) {
  static const struct {
    float y, z;
    unsigned lines; /* of a warp: 24 texels of 4 bytes are no whole line */
  } row[] = {{0.5f, 0.5f, 1}, {1, 0.5f, 2}, {1, 1, 4}};
  (void)state;
  for (unsigned r = 0; r < 3; r++) {
    uint64_t cycles[2];
    for (unsigned slow = 0; slow < 2; slow++) {
      bed_t b;
      gpu_config_t c = rig_two_sms();
      rt_texture_t t = volume_texture();
      t.pitch = 128, t.slice = 128 * Y, t.width = 32, t.height = 4, t.depth = 2;
      c.sm.texture_latency += slow * 100;
      open_bed(&b, &c, volume, &t);
      for (unsigned i = 0; i < THREADS; i++)
        b.at[i] = (four_t){{bits_of_float((float)(i % 32) + 0.5f), bits_of_float(row[r].y), bits_of_float(row[r].z)}};
      expect_run(&b);
      const gpu_stats_t s = gpu_stats(b.rig->gpu);
      assert_int_equal(s.texture_lines, 3 * row[r].lines);
      cycles[slow] = s.core_cycles;
      rig_free(b.rig);
    }
    assert_int_equal(cycles[1], cycles[0] + 100);
  }
}

/* Threads that a guard leaves out keep what they have; a warp of which none fetches looks
 * up nothing. 5203 is texel (3, 2, 1): 3 + 200 + 5000. Two warps fetch, a line each. */
static void test_guard(void **state) {
  bed_t b;
  const gpu_config_t c = rig_two_sms();
  const rt_texture_t t = volume_texture();
  (void)state;
  open_bed(
      &b, &c,
      ENTRY("setp.gt.u32 %p1, %r4, 5;\n@%p1 tex.3d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [%d9, {%r1, %r2, %r3, %r3}];"),
      &t);
  for (unsigned i = 0; i < THREADS; i++) {
    b.at[i] = (four_t){{bits_of_float(3.5f), bits_of_float(2.5f), bits_of_float(1.5f), i < 32 || i % 2 ? 0 : 9}};
    if (i < 32 || i % 2) b.own[i] = 77; /* which nobody looks at */
  }
  expect_run(&b);
  for (unsigned i = 0; i < THREADS; i++) assert_int_equal(b.got[i].w[0], i < 32 || i % 2 ? 7 : bits_of_float(5203));
  assert_int_equal(gpu_stats(b.rig->gpu).texture_lines, 2);
  rig_free(b.rig);
}

/* All outside: the border, without an access. */
static void test_border(void **state) {
  bed_t b;
  const gpu_config_t c = rig_two_sms();
  rt_texture_t t = volume_texture();
  (void)state;
  for (unsigned d = 0; d < 3; d++) t.address[d] = RT_ADDRESS_BORDER;
  t.border[0] = 0.5f;
  open_bed(&b, &c, volume, &t);
  for (unsigned i = 0; i < THREADS; i++)
    b.at[i] = (four_t){{bits_of_float(-9), bits_of_float(2.5f), bits_of_float(1.5f)}};
  expect_run(&b);
  for (unsigned i = 0; i < THREADS; i++) assert_int_equal(b.got[i].w[0], bits_of_float(0.5f));
  const gpu_stats_t s = gpu_stats(b.rig->gpu);
  assert_true(s.texture_lines == 0 && s.texture_fetches == 3);
  rig_free(b.rig);
}

/* A pair of texels is read, the first one written one higher, and read again. .zero reads
 * 0 outside, .clamp the row's last texel. Nine accesses: three of each of three warps. */
static void test_surface(void **state) {
  bed_t b;
  const gpu_config_t c = rig_two_sms();
  rt_texture_t t = volume_texture();
  (void)state;
  t.kind = RT_SURFACE, t.filter = RT_FILTER_POINT;
  open_bed(&b, &c,
           ENTRY("suld.b.3d.v2.b32.zero {%r20, %r21}, [%d9, {%r1, %r2, %r3, %r3}];\nadd.u32 %r5, %r20, 1;\n"
                 "sust.b.3d.b32.zero [%d9, {%r1, %r2, %r3, %r3}], %r5;\n"
                 "membar.gl;\nsuld.b.3d.b32.clamp {%r22}, [%d9, {%r1, %r2, %r3, %r3}];"),
           &t);
  /* 16 pairs: four of them are outside of a row */
  for (unsigned i = 0; i < THREADS; i++) b.at[i] = (four_t){{8 * (i % 16), i / 16, 2}};
  expect_run(&b);
  for (unsigned i = 0; i < THREADS; i++) {
    const unsigned x = 2 * (i % 16), y = i / 16;
    const bool in = x < X;
    const float value = (float)(x + 100 * y + 10000);
    assert_int_equal(b.got[i].w[0], in ? bits_of_float(value) : 0);
    assert_int_equal(b.got[i].w[1], in ? bits_of_float(value + 1) : 0);
    assert_int_equal(b.got[i].w[2], in ? bits_of_float(value) + 1 : bits_of_float((float)(X - 1 + 100 * y + 10000)));
  }
  assert_int_equal(gpu_stats(b.rig->gpu).surface_accesses, 9);
  rig_free(b.rig);
}

/* The volume's kernel with another instruction in place of its tex. */
static void test_wrong_uses_stop_the_run(void **state) {
  static const struct {
    const char *code, *says;
    unsigned kind;
    uint64_t handle; /* 0: the volume's */
  } row[] = {
      {"tex.2d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [%d9, {%r1, %r2}];", "tid 0,0,0) reads a 3d texture as 2d",
       RT_TEXTURE_ARRAY, 0},
      {"tex.3d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [%d9, {%r1, %r2, %r3, %r3}];",
       "uses handle 0x5, which is no texture's", RT_TEXTURE_ARRAY, 5},
      {"tex.3d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [reference, {%r1, %r2, %r3, %r3}];",
       "uses a texture that is bound to nothing", RT_TEXTURE_ARRAY, 0},
      {"tex.3d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [%d9, {%r1, %r2, %r3, %r3}];", "reads a surface as a texture",
       RT_SURFACE, 0},
      {"tex.3d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [%d9, reference, {%r1, %r2, %r3, %r3}];",
       "uses a sampler that is bound to nothing", RT_TEXTURE_ARRAY, 0},
      {"txq.width.b32 %r20, [reference];", "uses a texture that is bound to nothing", RT_TEXTURE_ARRAY, 0},
      {"suld.b.3d.b32.trap {%r20}, [%d9, {%r1, %r2, %r3, %r3}];", "uses a texture as a surface", RT_TEXTURE_ARRAY, 0},
      {"suld.b.2d.b32.trap {%r20}, [%d9, {%r1, %r2}];", "uses a 3d surface as 2d", RT_SURFACE, 0},
      {"suld.b.3d.b32.trap {%r20}, [%d9, {6, 0, 0, 0}];",
       "is at byte 6 of a surface's row, which is misaligned for 4 bytes", RT_SURFACE, 0},
      {"sust.b.3d.b32.trap [%d9, {96, 0, 0, 0}], %r1;",
       "is at byte 96, row 0, slice 0 of a surface, which is outside of it", RT_SURFACE, 0},
      {"sust.b.3d.b32.trap [%d9, {0, 0, -1, 0}], %r1;",
       "is at byte 0, row 0, slice -1 of a surface, which is outside of it", RT_SURFACE, 0},
  };
  (void)state;
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    bed_t b;
    char ptx[4096];
    const gpu_config_t c = rig_two_sms();
    rt_texture_t t = volume_texture();
    t.kind = row[i].kind;
    snprintf(ptx, sizeof ptx, "%s", volume);
    char *at = strstr(ptx, "tex.3d");
    snprintf(at, sizeof ptx - (size_t)(at - ptx), "%s%s", row[i].code, strchr(strstr(volume, "tex.3d"), '\n'));
    open_bed(&b, &c, ptx, &t);
    for (unsigned k = 0; row[i].handle && k < THREADS; k++) b.own[k] = row[i].handle;
    assert_int_equal(run_bed(&b), 2);
    if (!strstr(b.rig->err.text, row[i].says)) fail_msg("row %u: %s", i, b.rig->err.text);
    rig_free(b.rig);
  }
}

/* Memory that is given back, or was never as much. */
static void test_bounds(void **state) {
  bed_t b;
  const gpu_config_t c = rig_two_sms();
  rt_texture_t t = volume_texture();
  (void)state;
  t.depth = 4000;
  open_bed(&b, &c, volume, &t);
  for (unsigned i = 0; i < THREADS; i++) b.at[i] = (four_t){{bits_of_float(1), bits_of_float(1), bits_of_float(3500)}};
  assert_int_equal(run_bed(&b), 2);
  if (!strstr(b.rig->err.text, "reads a texel at address 0x") ||
      !strstr(b.rig->err.text, "out of bounds of every allocation"))
    fail_msg("%s", b.rig->err.text);
  rig_free(b.rig);
}

/* A sampler that the module declares: by it a texel outside is the border's,
 * by another one that the host binds the edge's, as by the texture itself. */
static void test_declared_sampler(void **state) {
  static const char declared[] =
      ".global .samplerref s = {addr_mode_0 = clamp_to_border, addr_mode_1 = clamp_to_border, addr_mode_2 = "
      "clamp_to_border,\n"
      "filter_mode = nearest, force_unnormalized_coords = 1};\n",
                    entry[] = ENTRY("tex.3d.v4.f32.f32 {%r20, %r21, %r22, %r23}, [%d9, s, {%r1, %r2, %r3, %r3}];");
  char ptx[4096];
  bed_t b;
  const gpu_config_t c = rig_two_sms();
  const rt_texture_t t = volume_texture();
  rt_texture_t edge = {.kind = RT_SAMPLER, .address = {RT_ADDRESS_CLAMP, RT_ADDRESS_CLAMP, RT_ADDRESS_CLAMP}};
  uint64_t handle;
  trouble_t err = {0};
  (void)state;
  snprintf(ptx, sizeof ptx, "%s%s%s", HEAD, declared, entry + strlen(HEAD));
  open_bed(&b, &c, ptx, &t);
  for (unsigned i = 0; i < THREADS; i++)
    b.at[i] = (four_t){{bits_of_float(i % 2 ? -9 : 3.5f), bits_of_float(2.5f), bits_of_float(1.5f)}};
  expect_run(&b);
  for (unsigned i = 0; i < THREADS; i++) assert_int_equal(b.got[i].w[0], bits_of_float(i % 2 ? 0 : 5203));
  assert_int_equal(gpu_texture(b.rig->gpu, &edge, &handle, &err), 0);
  assert_int_equal(simt_bind(gpu_variables(b.rig->gpu, b.rig->module), b.rig->module, "s", handle, &err), 0);
  expect_run(&b);
  for (unsigned i = 0; i < THREADS; i++) assert_int_equal(b.got[i].w[0], bits_of_float(i % 2 ? 5200 : 5203));
  rig_free(b.rig);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_caches),  cmocka_unit_test(test_cost),
                                     cmocka_unit_test(test_guard),   cmocka_unit_test(test_border),
                                     cmocka_unit_test(test_surface), cmocka_unit_test(test_wrong_uses_stop_the_run),
                                     cmocka_unit_test(test_bounds),  cmocka_unit_test(test_declared_sampler)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
