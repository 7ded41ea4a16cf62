/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU as its host and its links see it: memory calls, who waits for what, what stops a
 * kernel, packets that nobody asked for, several modules. Messages are held word by word,
 * and are one line each.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"
#include "memory_image.h"
#include "offload.h"
#include "unit_test.h"

typedef struct {
  gpu_t *gpu;
  memory_image_t *image;
  packet_pool_t *pool;
  gpu_config_t config;
  trouble_t err;
} bed_t;

static void image_read(void *ctx, uint64_t paddr, void *data, size_t bytes) {
  assert_true(bytes <= 4096 - paddr % 4096); /* never over a page */
  memory_image_read(ctx, paddr, data, bytes);
}
static void image_write(void *ctx, uint64_t paddr, const void *data, size_t bytes) {
  assert_true(bytes <= 4096 - paddr % 4096);
  assert_true(memory_image_write(ctx, paddr, data, bytes));
}

/* Two SMs and two stacks; `set` changes the configuration first. */
static bed_t *bed_new(void (*set)(gpu_config_t *c)) {
  bed_t *b = calloc(1, sizeof *b);
  assert_non_null(b);
  b->config = gpu_config_default();
  b->config.num_sms = b->config.num_stacks = 2;
  if (set) set(&b->config);
  b->image = memory_image_new();
  b->pool = packet_pool_new();
  gpu_memory_t memory = {b->image, image_read, image_write};
  b->gpu = gpu_new(&b->config, &memory, b->pool, &b->err);
  if (!b->gpu) fail_msg("%s", b->err.text);
  return b;
}

static void bed_free(bed_t *b) {
  gpu_free(b->gpu);
  packet_pool_free(b->pool);
  memory_image_free(b->image);
  free(b);
}

/* Status and text, of which `what` is a part; err is then empty again. */
static void expect_error(trouble_t *err, int status, const char *what) {
  if ((int)err->kind != status || !strstr(err->text, what))
    fail_msg("status %d, '%s': not %d, '%s'", err->kind, err->text, status, what);
  assert_null(strchr(err->text, '\n'));
  *err = (trouble_t){0};
}

/* ---- Memory calls ---------------------------------------------------------------------------- */

/* All starts and sizes around the ends of pages, against an array. */
static void test_copies(void **state) {
  (void)state;
  enum { BYTES = 3 * 4096 + 100 };
  static uint8_t in[BYTES], out[BYTES], want[BYTES];
  bed_t *b = bed_new(NULL);
  uint64_t a = gpu_malloc(b->gpu, BYTES, &b->err), next = gpu_malloc(b->gpu, 1, &b->err);
  assert_true(a && a % 256 == 0 && next >= a + BYTES);
  for (unsigned i = 0; i < BYTES; i++) in[i] = (uint8_t)(i * 7 + i / 256);
  assert_int_equal(gpu_copy_out(b->gpu, out, a, BYTES, &b->err), 0);
  assert_memory_equal(out, want, BYTES); /* zero before */
  static const unsigned at[] = {0, 1, 4095, 4096, 4097, 8191, 8192, 12287, 12288, BYTES - 1},
                        sizes[] = {1, 2, 95, 4095, 4096, 4097, 8192, 8193, BYTES};
  for (unsigned i = 0; i < sizeof at / sizeof *at; i++)
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      const bool fits = at[i] + sizes[k] <= BYTES;
      for (unsigned j = 0; j < BYTES; j++) in[j] ^= (uint8_t)(k + 1);
      if (gpu_copy_in(b->gpu, a + at[i], in, sizes[k], &b->err) != (fits ? 0 : -1))
        fail_msg("%u bytes at %u", sizes[k], at[i]);
      if (!fits) {
        char text[100];
        snprintf(text, sizeof text, "copy of %u bytes at 0x%" PRIx64 " is out of bounds of every allocation", sizes[k],
                 a + at[i]);
        expect_error(&b->err, 2, text);
        gpu_copy_in(b->gpu, a, want, BYTES, &b->err); /* what went in before its end */
        continue;
      }
      memcpy(want + at[i], in, sizes[k]);
      memset(out, 0xee, BYTES);
      assert_int_equal(gpu_copy_out(b->gpu, out, a, BYTES, &b->err), 0);
      assert_memory_equal(out, want, BYTES);
      memset(out, 0xee, BYTES);
      assert_int_equal(gpu_copy_out(b->gpu, out, a + at[i], sizes[k], &b->err), 0);
      assert_memory_equal(out, want + at[i], sizes[k]);
    }
  assert_int_equal(gpu_copy_out(b->gpu, out, a + BYTES, 1, &b->err), -1), expect_error(&b->err, 2, "out of bounds");
  assert_int_equal(gpu_release(b->gpu, a + 4096, &b->err), -1),
      expect_error(&b->err, 2, "which is not the start of an allocation");
  assert_int_equal(gpu_release(b->gpu, a + 1, &b->err), -1), expect_error(&b->err, 2, "free of 0x");
  assert_int_equal(gpu_release(b->gpu, 0, &b->err), -1), expect_error(&b->err, 2, "free of 0x0,");
  assert_int_equal(gpu_release(b->gpu, a, &b->err), 0);
  assert_int_equal(gpu_release(b->gpu, a, &b->err), -1), expect_error(&b->err, 2, "free of 0x");
  assert_int_equal(gpu_copy_out(b->gpu, out, a + 8192, 1, &b->err), -1), expect_error(&b->err, 2, "out of bounds");
  assert_int_equal(gpu_copy_out(b->gpu, out, next, 1, &b->err), 0);
  assert_int_equal(gpu_release(b->gpu, next, &b->err), 0);
  assert_int_equal(gpu_copy_out(b->gpu, out, next, 1, &b->err), -1), expect_error(&b->err, 2, "out of bounds");
  bed_free(b);
}

#define HEAD_OF(bits) ".version 8.0\n.target sm_80\n.address_size " bits "\n"
#define HEAD HEAD_OF("64")

/* Messages call it adds.ptx. */
static ptx_module_t *module_of_text(const char *text) {
  ptx_error_t bad = {0};
  ptx_module_t *module = ptx_parse(text, strlen(text), "adds.ptx", &bad);
  if (!module) fail_msg("%s", bad.trouble.text);
  return module;
}

/* What a module's pointers cannot reach is not given out. */
static void test_pointers(void **state) {
  (void)state;
  const uint64_t three_gb = UINT64_C(3) << 30, end = UINT64_C(1) << 32;
  for (unsigned wide = 0; wide < 2; wide++)
    for (unsigned more = 0; more < 2; more++) {
      bed_t *b = bed_new(NULL);
      ptx_module_t *module = module_of_text(wide ? HEAD_OF("64") : HEAD_OF("32"));
      assert_int_equal(gpu_load(b->gpu, module, NULL, &b->err), 0);
      assert_true(gpu_malloc(b->gpu, three_gb, &b->err));
      const uint64_t next = gpu_malloc(b->gpu, 1, &b->err) + 2 * 4096; /* its page, and one that is nobody's */
      const uint64_t last = gpu_malloc(b->gpu, end - next + more, &b->err);
      if (wide || !more) assert_int_equal(last, next);
      else assert_int_equal(last, 0), expect_error(&b->err, 2, "adds.ptx: its pointers have 32 bits, and ");
      const uint64_t beyond = gpu_malloc(b->gpu, 7, &b->err);
      if (wide) assert_true(beyond > end && !b->err.kind);
      else assert_int_equal(beyond, 0), expect_error(&b->err, 2, " 7 bytes more end above 4 GB; use a smaller problem");
      bed_free(b);
      ptx_free(module);
    }
}

/* Nor are its variables put there. */
static void test_pointers_to_variables(void **state) {
  (void)state;
  bed_t *b = bed_new(NULL);
  ptx_module_t *narrow = module_of_text(HEAD_OF("32") ".global .u32 few[7];\n"),
               *wide = module_of_text(HEAD_OF("64") ".global .u32 few[7];\n");
  assert_int_equal(gpu_load(b->gpu, narrow, NULL, &b->err), 0);
  assert_int_equal(gpu_load(b->gpu, wide, NULL, &b->err), 0);
  assert_true(gpu_malloc(b->gpu, UINT64_C(5) << 30, &b->err));
  assert_int_equal(gpu_load(b->gpu, narrow, NULL, &b->err), -1),
      expect_error(&b->err, 2, "and 28 bytes more end above 4 GB");
  assert_int_equal(gpu_load(b->gpu, wide, NULL, &b->err), 0);
  bed_free(b);
  ptx_free(narrow);
  ptx_free(wide);
}

static void two_mb(gpu_config_t *c) {
  c->stack_bytes = 1 << 20;
}

/* More than there is, than a size can be, than there
 * are addresses; then all there is, and a byte more. */
static void test_full(void **state) {
  (void)state;
  bed_t *b = bed_new(two_mb);
  assert_int_equal(gpu_malloc(b->gpu, 2 << 20, &b->err), 0),
      expect_error(&b->err, 2, "the stacks have no room for 2097152 bytes more; use a smaller problem");
  assert_int_equal(gpu_malloc(b->gpu, UINT64_MAX, &b->err), 0),
      expect_error(&b->err, 2, "have no room for 18446744073709551615 bytes");
  assert_int_equal(gpu_malloc(b->gpu, UINT64_C(0x8000000000) - 0x10000000 + 1, &b->err), 0),
      expect_error(&b->err, 2, "have no room");
  uint64_t a = gpu_malloc(b->gpu, (2 << 20) - 4096, &b->err); /* frame 0 of stack 0 is nobody's */
  assert_true(a && !b->err.kind);
  assert_int_equal(gpu_malloc(b->gpu, 1, &b->err), 0), expect_error(&b->err, 2, "have no room for 1 bytes more");
  bed_free(b);
}

/* ---- Configuration --------------------------------------------------------------------------- */

/* What gpu_config_check() says is the message of gpu_new(). */
static void test_new_refused(void **state) {
  (void)state;
  gpu_config_t c = gpu_config_default();
  trouble_t err = {0};
  gpu_memory_t memory = {NULL, image_read, image_write};
  c.num_sms = 0;
  assert_null(gpu_new(&c, &memory, NULL, &err));
  expect_error(&err, 2, "GPU configuration: gpu.sms: 0 is out of range; from 1 to 128 would be right");
}

/* ---- Who waits for what ---------------------------------------------------------------------- */

/* c[i] = a[i] + b[i], a block of two loads and a store between barriers. */
static const char adds[] =
    HEAD ".visible .entry adds(.param .u64 a, .param .u64 b, .param .u64 c)\n{\n.reg .b32 %r<9>; .reg .b64 %d<9>;\n"
         "ld.param.u64 %d1, [a];\nld.param.u64 %d2, [b];\nld.param.u64 %d3, [c];\nmov.u32 %r1, %tid.x;\n"
         "mul.wide.u32 %d4, %r1, 4;\nadd.s64 %d1, %d1, %d4;\n"
         "add.s64 %d2, %d2, %d4;\nadd.s64 %d3, %d3, %d4;\nbar.sync 0;\nld.global.u32 %r2, [%d1];\n"
         "ld.global.u32 %r3, [%d2];\nadd.u32 %r4, %r2, %r3;\n"
         "st.global.u32 [%d3], %r4;\nbar.sync 0;\nret;\n}\n";

typedef struct {
  bed_t *bed;
  ptx_module_t *module;
  offload_t *offload;
  unsigned commands; /* that came out */
  packet_t *command[8];
  bool invals; /* stores are told of */
} job_t;

/* `adds` on three CTAs of 64 threads, launched and not yet begun. */
static job_t job_new(void (*set)(gpu_config_t *c), bool offload) {
  job_t j = {.bed = bed_new(set), .module = module_of_text(adds)};
  if (offload) j.offload = offload_compile(j.module);
  if (gpu_load(j.bed->gpu, j.module, j.offload, &j.bed->err)) fail_msg("%s", j.bed->err.text);
  uint64_t params[3];
  for (unsigned i = 0; i < 3; i++) params[i] = gpu_malloc(j.bed->gpu, 1024, &j.bed->err);
  gpu_launch_t l = {.grid = {3, 1, 1}, .block = {64, 1, 1}, .params = params, .param_bytes = sizeof params};
  if (gpu_launch(j.bed->gpu, &l, &j.bed->err)) fail_msg("%s", j.bed->err.text);
  return j;
}

static void job_free(job_t *j) {
  for (unsigned i = 0; i < j->commands; i++)
    if (j->command[i]) packet_free(j->bed->pool, j->command[i]);
  bed_free(j->bed);
  if (j->offload) offload_free(j->offload);
  ptx_free(j->module);
}

/* Commands are kept, all else that comes out is forgotten. */
static void take_packets(job_t *j) {
  for (unsigned s = 0; s < 2; s++)
    for (unsigned cls = 0; cls < 2; cls++) {
      if (!gpu_front(j->bed->gpu, s, cls)) continue;
      packet_t *p = gpu_pop(j->bed->gpu, s, cls);
      if (p->hdr.type == PKT_CMD && j->commands < 8) j->command[j->commands++] = p;
      else packet_free(j->bed->pool, p);
    }
}

/* All clocks at the same rate. take: packets that come out are taken. */
static void tick_job(job_t *j, unsigned cycles, bool take) {
  for (unsigned i = 0; i < cycles; i++) {
    gpu_tick_core(j->bed->gpu);
    gpu_tick_l2(j->bed->gpu);
    gpu_tick_xbar(j->bed->gpu);
    if (take) take_packets(j);
  }
}

/* What gpu_describe_waits() says, which it says into a buffer of any size. */
static const char *waits_text(const job_t *j) {
  static char text[20000], part[20000];
  size_t all = gpu_describe_waits(j->bed->gpu, text, sizeof text);
  assert_int_equal(all, strlen(text));
  for (size_t size = 0; size < all + 2; size += 1 + size / 3) { /* cut short, as snprintf does */
    memset(part, 'x', sizeof part);
    assert_int_equal(gpu_describe_waits(j->bed->gpu, part, size), all);
    size_t kept = size ? size - 1 : 0;
    if (size > all) kept = all;
    assert_memory_equal(part, text, kept);
    if (size) assert_int_equal(part[kept], 0);
    assert_int_equal(part[size > all ? all + 1 : size], 'x');
  }
  return text;
}

/* The text has this, or has it not. */
static void expect_wait(const job_t *j, const char *what) {
  if (!strstr(waits_text(j), what)) fail_msg("no '%s' in:\n%s", what, waits_text(j));
}

static void expect_no_wait(const job_t *j, const char *what) {
  if (strstr(waits_text(j), what)) fail_msg("'%s' in:\n%s", what, waits_text(j));
}

/* All blocks go, and each NSU has two commands. */
static void offload_all(gpu_config_t *c) {
  c->nsu.ratio = 1;
  c->nsu_cmd_entries = 2;
}

/* Six warps in three CTAs, of which SM 0 has one and SM 1 two. 256
 * entries less two blocks of 2 reads and 1 write are 252 and 254. */
static void test_waits_offloaded(void **state) {
  (void)state;
  job_t j = job_new(offload_all, true);
  assert_true(gpu_progress(j.bed->gpu) == 0 && gpu_running(j.bed->gpu));
  tick_job(&j, 1500, true);
  /* All of six warps want the same page's stack: two have its entries. */
  assert_int_equal(j.commands, 2);
  expect_wait(
      &j,
      "SM 1: 4 warps live, 0 ready, 0 wait for loads, 0 for their accesses to end, 4 for NSUs, 0 at barriers, 0 for "
      "instructions, 0 for pages, 0 for room; "
      "LSU queue 0, L1 MSHRs 0, pending 12, ready packets 0\n");
  expect_wait(&j, "SM 0: 2 warps live, 0 ready, 0 wait for loads, 0 for their accesses to end, 2 for NSUs");
  expect_wait(&j, "block at line 16, target NSU ");
  expect_wait(&j, ": granted, waits for OFLD_ACK\n");
  expect_wait(&j, ": waits for 1 command, 2 read, 1 write entries\n");
  expect_wait(&j, "4 requests wait; free entries: 0 command, 252 read, 254 write; 2 writes under way\n");
  expect_no_wait(&j, "acknowledged");
  for (unsigned i = 0; i < 2; i++) { /* NSUs acknowledge and do not say what they wrote */
    packet_t *p = j.command[i];
    j.command[i] = NULL;
    const unsigned s = (unsigned)p->hdr.target;
    p->hdr.type = PKT_OFLD_ACK, p->src = (uint16_t)s, p->dst = PKT_GPU, p->hdr.count = 0;
    p->hdr.cr_cmd = 1, p->hdr.cr_rd = 2, p->hdr.cr_wr = 1;
    gpu_push(j.bed->gpu, s, p);
  }
  tick_job(&j, 500, true);
  expect_wait(&j, "acknowledged, waits for 1 INVALs\n");
  assert_int_equal(j.commands, 4); /* the next two */
  expect_wait(&j, "2 requests wait");
  expect_wait(&j, "4 writes under way");
  assert_true(gpu_progress(j.bed->gpu) == 0);
  for (unsigned i = 0; i < 2; i++) { /* what the first two wrote */
    packet_t *p = packet_new(j.bed->pool, PKT_INVAL);
    const unsigned s = (unsigned)j.command[2]->hdr.target;
    p->src = (uint16_t)s, p->dst = PKT_GPU, p->hdr.addr = (uint64_t)s << 32 | 0x5000, p->hdr.sm = 0, p->hdr.warp = i;
    gpu_push(j.bed->gpu, s, p);
    tick_job(&j, 3, true);
    expect_wait(&j, i ? "2 writes under way" : "3 writes under way");
  }
  tick_job(&j, 500, true);
  assert_null(gpu_fault(j.bed->gpu));
  expect_no_wait(&j, "acknowledged");
  expect_no_wait(&j, "SM 0:"); /* its block of threads has ended */
  assert_true(gpu_progress(j.bed->gpu) > 0.33 && gpu_progress(j.bed->gpu) < 0.34);
  job_free(&j);
}

/* Each of four warps of SM 1 waits for its two loads; memory does not answer. */
static void test_waits_alone(void **state) {
  (void)state;
  job_t j = job_new(NULL, false);
  tick_job(&j, 40, false);
  expect_wait(&j, "at barriers, 0 for instructions, 0 for pages, 0 for room; LSU queue ");
  tick_job(&j, 1500, false); /* nobody takes what is sent */
  expect_wait(
      &j,
      "SM 1: 4 warps live, 0 ready, 4 wait for loads, 0 for their accesses to end, 0 for NSUs, 0 at barriers, 0 for "
      "instructions, 0 for pages, 0 for room; "
      "LSU queue 0, L1 MSHRs 4, pending 0");
  expect_wait(
      &j, "L2 slice 1: 4 MSHRs wait for memory, 0 replies, link out 4 requests, 0 of offloaded blocks and 0 responses, "
          "link in 0\n");
  expect_no_wait(&j, "NDP manager");
  expect_no_wait(&j, "target NSU");
  expect_no_wait(&j, "crossbar:");
  assert_null(gpu_fault(j.bed->gpu));
  job_free(&j);
}

/* ---- What cannot be loaded or launched ------------------------------------------------------- */

/* One read entry, which is less than the block needs. */
static void few_entries(gpu_config_t *c) {
  c->nsu.ratio = 1;
  c->nsu_rd_entries = 1;
}

/* A block that can never get its entries, and code for which no page is left. */
static void test_blocks_refused(void **state) {
  (void)state;
  bed_t *b = bed_new(few_entries);
  ptx_module_t *module = module_of_text(adds);
  offload_t *offload = offload_compile(module);
  assert_int_equal(gpu_load(b->gpu, module, offload, &b->err), -1);
  expect_error(
      &b->err, 2,
      "adds.ptx:16: kernel adds: an offload block of 2 loads and 1 stores is larger than the NSU's buffers (1, 256)");
  bed_free(b);
  b = bed_new(two_mb);
  assert_true(gpu_malloc(b->gpu, (2 << 20) - 4096, &b->err) != 0); /* all there is */
  assert_int_equal(gpu_load(b->gpu, module, offload, &b->err), -1);
  expect_error(&b->err, 2, "no stack has room for ");
  bed_free(b);
  offload_free(offload);
  ptx_free(module);
}

static void two_mb_offloaded(gpu_config_t *c) {
  c->stack_bytes = 1 << 20;
  c->nsu.ratio = 1;
}

/* All pages that the code has left are given out before the launch. */
static void test_no_room_for_constants(void **state) {
  (void)state;
  bed_t *b = bed_new(two_mb_offloaded);
  ptx_module_t *module = module_of_text(adds);
  offload_t *offload = offload_compile(module);
  assert_int_equal(gpu_load(b->gpu, module, offload, &b->err), 0);
  uint64_t params[3] = {gpu_malloc(b->gpu, (2 << 20) - 2 * 4096, &b->err)};
  assert_true(params[0] != 0);
  gpu_launch_t l = {.grid = {3, 1, 1}, .block = {64, 1, 1}, .params = params, .param_bytes = sizeof params};
  assert_int_equal(gpu_launch(b->gpu, &l, &b->err), -1);
  expect_error(&b->err, 2, "no stack has room for constants");
  assert_false(gpu_running(b->gpu));
  bed_free(b);
  offload_free(offload);
  ptx_free(module);
}

/* ---- What a running kernel stops at ---------------------------------------------------------- */

static void offload_everything(gpu_config_t *c) {
  c->nsu.ratio = 1;
}

/* The whole line, for a kernel whose 17th line it is about; the buffer has 1000 bytes. */
static void expect_fault_line(const char *body, bool offloaded, const char *what) {
  char text[2000];
  snprintf(
      text, sizeof text,
      HEAD
      ".visible .entry k(.param .u64 a)\n{\n.reg .pred %%p<9>; .reg .b32 %%r<19>; .reg .b64 %%d<19>;\n"
      ".shared .align 8 .b8 sh[64];\n"
      ".local .align 8 .b8 lo[16];\nld.param.u64 %%d1, [a];\nmov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, %%ctaid.x;\n"
      "mov.u32 %%r3, %%tid.y;\n"
      "setp.eq.u32 %%p1, %%r1, 5;\nsetp.eq.and.u32 %%p1, %%r3, 3, %%p1;\nsetp.eq.and.u32 %%p1, %%r2, 1, %%p1;\n%s\n"
      "ret;\n}\n",
      body);
  bed_t *b = bed_new(offloaded ? offload_everything : NULL);
  ptx_module_t *module = module_of_text(text);
  offload_t *offload = offloaded ? offload_compile(module) : NULL;
  if (gpu_load(b->gpu, module, offload, &b->err)) fail_msg("%s", b->err.text);
  uint64_t buffer = gpu_malloc(b->gpu, 1000, &b->err);
  gpu_launch_t l = {.grid = {2, 1, 1}, .block = {12, 5, 1}, .params = &buffer, .param_bytes = sizeof buffer};
  if (gpu_launch(b->gpu, &l, &b->err)) fail_msg("%s", b->err.text);
  for (unsigned i = 0; i < 3000 && gpu_running(b->gpu); i++) {
    gpu_tick_core(b->gpu);
    gpu_tick_l2(b->gpu);
    gpu_tick_xbar(b->gpu);
  }
  if (!gpu_fault(b->gpu)) fail_msg("%s: no fault", body);
  trouble_t err = *gpu_fault(b->gpu);
  expect_error(&err, 2, what);
  bed_free(b);
  if (offload) offload_free(offload);
  ptx_free(module);
}

/* p1 is true in thread (5, 3) of CTA 1 alone. 12 x 5 threads:
 * it is thread 41, in the warp whose first thread is (8, 2). */
static void test_faults_name_the_thread(void **state) {
  (void)state;
#define THREAD "kernel k: thread (ctaid 1,0,0 tid 5,3,0) "
  expect_fault_line("@%p1 add.s64 %d1, %d1, 2;\nld.global.u32 %r4, [%d1];", false,
                    "adds.ptx:17: " THREAD "reads 4 bytes at address 0x10000002, which is not aligned");
  expect_fault_line("@%p1 add.s64 %d1, %d1, 1000;\nst.global.u8 [%d1], %r4;", false,
                    "adds.ptx:17: " THREAD "writes 1 bytes at address 0x100003e8, which is out of bounds");
  expect_fault_line("@%p1 add.s64 %d1, %d1, 992;\nld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%d1];", false,
                    THREAD "reads 16 bytes at address 0x100003e0, which is out of");
  expect_fault_line("@%p1 add.s64 %d1, %d1, 992;\nld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%d1];\n"
                    "st.global.v4.u32 [%d1], {%r7, %r6, %r5, %r4};",
                    true, THREAD "reads 16 bytes at address 0x100003e0, which is out of");
  expect_fault_line("@%p1 add.s64 %d1, %d1, 4000;\natom.global.add.u32 %r4, [%d1], 1;", false, "adds.ptx:17: " THREAD);
  expect_fault_line("@%p1 mov.u64 %d1, 0x50000000000;\nld.u32 %r4, [%d1];", false,
                    THREAD "reads 4 bytes at address 0x50000000000, which is out of bounds");
  expect_fault_line("@%p1 mov.u64 %d1, 0x10000000002;\nld.u32 %r4, [%d1];", false,
                    THREAD "reads 4 bytes at address 0x2, which is not aligned");
  expect_fault_line("mov.u32 %r4, sh;\n@%p1 add.u32 %r4, %r4, 64;\nst.shared.u32 [%r4], %r1;", false,
                    "adds.ptx:18: " THREAD "writes 4 bytes at address 0x40, out of bounds of its shared");
  expect_fault_line("mov.u64 %d4, sh;\n@%p1 sub.s64 %d4, %d4, 4;\nst.shared.u32 [%d4], %r1;", false,
                    "address 0xfffffffffffffffc, out of bounds of its shared memory");
  expect_fault_line("mov.u64 %d4, lo;\n@%p1 add.s64 %d4, %d4, 1;\nst.local.u32 [%d4], %r1;", false,
                    THREAD "writes 4 bytes at address 0x1, which is not aligned");
  expect_fault_line("mov.u64 %d4, lo;\n@%p1 add.s64 %d4, %d4, 16;\nst.local.u32 [%d4], %r1;", false,
                    "address 0x10, out of bounds of its local memory");
  expect_fault_line(
      "mov.u32 %r4, 16;\n@%p1 bar.sync %r4;", false,
      "adds.ptx:17: kernel k: the warp of thread (ctaid 1,0,0 tid 8,2,0) names barrier 16, which does not exist; they "
      "are 0 to 15");
  expect_fault_line(
      "@%p1 bar.sync 0, 33;", false,
      "adds.ptx:16: kernel k: the warp of thread (ctaid 1,0,0 tid 8,2,0) gives a barrier a count of 33 threads, which "
      "is not a multiple of 32");
  expect_fault_line("mov.u32 %r4, 0;\n@%p1 bar.sync 0, %r4;", false,
                    "gives a barrier a count of 0 threads, which is not a multiple of 32");
  expect_fault_line("@%p1 trap;", false,
                    "adds.ptx:16: kernel k: the warp of thread (ctaid 1,0,0 tid 8,2,0) executed trap");
  expect_fault_line("bar.sync 0, 96;", false,
                    "is deadlocked at a barrier: all of its 2 warps wait and none can arrive any more");
}

/* ---- Packets that nobody asked for ----------------------------------------------------------- */

/* A packet on link 1 while nothing runs: a fault
 * of kind TROUBLE_BROKEN within 100 cycles. */
static void expect_packet_fault(unsigned type, const char *what) {
  bed_t *b = bed_new(NULL);
  packet_t *p = packet_new(b->pool, type);
  p->src = 1, p->dst = PKT_GPU, p->hdr.addr = 1ull << 32, p->hdr.sm = 1, p->hdr.warp = 3;
  if (type == PKT_CREDIT) p->hdr.cr_rd = 1;
  p->tag = 5;
  assert_true(gpu_can_push(b->gpu, 1));
  gpu_push(b->gpu, 1, p);
  for (unsigned i = 0; i < 100; i++) {
    gpu_tick_core(b->gpu);
    gpu_tick_l2(b->gpu);
    gpu_tick_xbar(b->gpu);
  }
  assert_non_null(gpu_fault(b->gpu));
  trouble_t err = *gpu_fault(b->gpu);
  expect_error(&err, 1, what);
  const gpu_stats_t s = gpu_stats(b->gpu);
  assert_int_equal(s.got_packets[type], 1);
  assert_true(s.core_cycles < 100 && s.xbar_cycles < 100); /* it stands still */
  if (type == PKT_OFLD_ACK || type == PKT_CMD) assert_int_equal(packet_pool_live(b->pool), 0);
  bed_free(b);
}

/* While the L2 waits for lines: an answer with a number that
 * none has, of another line, and of one that has none. */
static void expect_answer_fault(unsigned tag, uint64_t other) {
  job_t j = job_new(NULL, false);
  uint64_t line = 0;
  for (unsigned i = 0; i < 200 && !line; i++) {
    tick_job(&j, 1, false);
    const packet_t *p = gpu_front(j.bed->gpu, 1, 0);
    if (p) line = p->hdr.addr;
  }
  assert_true(line != 0);
  tick_job(&j, 200, false); /* its number is 0 */
  packet_t *p = packet_new(j.bed->pool, PKT_READ_RESP);
  p->src = 1, p->dst = PKT_GPU, p->hdr.addr = line ^ other;
  p->tag = tag;
  gpu_push(j.bed->gpu, 1, p);
  tick_job(&j, 20, false);
  if (tag || other) {
    assert_non_null(gpu_fault(j.bed->gpu));
    trouble_t err = *gpu_fault(j.bed->gpu);
    expect_error(&err, 1, "L2 slice 1 got a READ_RESP it did not ask for");
  } else assert_null(gpu_fault(j.bed->gpu));
  job_free(&j);
}

/* Answers with number 0 and the right line are taken, all others are not. */
static void test_unasked(void **state) {
  (void)state;
  expect_answer_fault(0, 0);
  expect_answer_fault(0, 128);
  expect_answer_fault(64, 0);
  expect_answer_fault(4, 0);
  expect_answer_fault(50, 0);
  expect_packet_fault(PKT_READ_RESP, "L2 slice 1 got a READ_RESP it did not ask for");
  expect_packet_fault(PKT_INVAL, "stack 1 sent more INVALs than it has writes under way");
  expect_packet_fault(PKT_CREDIT, "the NSU of stack 1 returned more credits than it has entries");
  expect_packet_fault(PKT_CMD, "link 1 brought a CMD packet to the GPU");
  expect_packet_fault(PKT_OFLD_ACK, "SM 1 warp 3 got an OFLD_ACK it does not wait for, or with the wrong registers");
}

/* ---- Several modules ------------------------------------------------------------------------- */

#define MODULE(name, value) HEAD ".global .u32 v = " value ";\n.const .u32 c = " value ";\n.entry " name "() { ret; }\n"

/* What gpu_occupancy() says of a kernel in blocks of one warp; 0: err says why. */
static unsigned blocks_that_fit(const bed_t *b, const char *kernel, trouble_t *err) {
  uint32_t registers = 99;
  const unsigned blocks =
      gpu_occupancy(b->gpu, &(gpu_launch_t){.kernel = kernel, .grid = {1, 1, 1}, .block = {32, 1, 1}}, &registers, err);
  if (blocks) assert_true(registers < 99);
  return blocks;
}

/* Each has variables of its own; kernels are looked for in the one that was selected. */
static void test_modules(void **state) {
  (void)state;
  bed_t *b = bed_new(NULL);
  ptx_module_t *one = module_of_text(MODULE("first", "11")), *two = module_of_text(MODULE("second", "22"));
  uint32_t value = 0;
  assert_int_equal(gpu_load_also(b->gpu, one, NULL, &b->err), 0);
  assert_int_equal(gpu_load_also(b->gpu, two, NULL, &b->err), 0);
  const simt_variables_t *v = gpu_variables(b->gpu, one), *w = gpu_variables(b->gpu, two);
  const uint64_t at = w->global_base;
  assert_true(v && w && v->global_base != at);
  assert_int_equal(gpu_copy_out(b->gpu, &value, v->global_base, 4, &b->err), 0), assert_int_equal(value, 11);
  assert_int_equal(gpu_copy_out(b->gpu, &value, at, 4, &b->err), 0), assert_int_equal(value, 22);
  assert_int_equal(v->const_segment[0], 11), assert_int_equal(w->const_segment[0], 22);
  assert_int_equal(blocks_that_fit(b, "second", &b->err), b->config.sm.ctas); /* the last one */
  assert_int_equal(blocks_that_fit(b, "first", &b->err), 0), expect_error(&b->err, 2, "no kernel first in");
  assert_int_equal(gpu_select(b->gpu, one, &b->err), 0);
  assert_int_equal(blocks_that_fit(b, "first", &b->err), b->config.sm.ctas);
  assert_int_equal(
      gpu_launch(b->gpu, &(gpu_launch_t){.kernel = "second", .grid = {1, 1, 1}, .block = {32, 1, 1}}, &b->err), -1);
  expect_error(&b->err, 2, "no kernel second in");
  gpu_unload(b->gpu, two);
  assert_null(gpu_variables(b->gpu, two));
  assert_int_equal(gpu_copy_out(b->gpu, &value, at, 4, &b->err), -1), expect_error(&b->err, 2, "out of bounds");
  assert_int_equal(gpu_select(b->gpu, two, &b->err), -1), expect_error(&b->err, 2, "is not loaded");
  assert_int_equal(blocks_that_fit(b, "first", &b->err), b->config.sm.ctas); /* as before */
  gpu_unload(b->gpu, one);
  assert_int_equal(blocks_that_fit(b, "first", &b->err), 0), expect_error(&b->err, 2, "none is loaded");
  assert_int_equal(gpu_load_also(b->gpu, one, NULL, &b->err), 0);
  assert_int_equal(gpu_load(b->gpu, two, NULL, &b->err), 0); /* instead of it */
  assert_null(gpu_variables(b->gpu, one));
  bed_free(b);
  ptx_free(one);
  ptx_free(two);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_copies),
                                     cmocka_unit_test(test_full),
                                     cmocka_unit_test(test_new_refused),
                                     cmocka_unit_test(test_waits_offloaded),
                                     cmocka_unit_test(test_waits_alone),
                                     cmocka_unit_test(test_unasked),
                                     cmocka_unit_test(test_blocks_refused),
                                     cmocka_unit_test(test_no_room_for_constants),
                                     cmocka_unit_test(test_faults_name_the_thread),
                                     cmocka_unit_test(test_pointers),
                                     cmocka_unit_test(test_pointers_to_variables),
                                     cmocka_unit_test(test_modules)};
  return cmocka_run_group_tests_name("gpu_host", tests, NULL, NULL);
}
