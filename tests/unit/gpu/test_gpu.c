/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU end to end on ideal stacks: every workload, offloaded or not, and what must
 * fail. Long file: its tests share one bed.
 *
 * Workloads check their own results. Kernels of our own are computed again on the host,
 * thread by thread. A run must end with all credits back and no packet alive.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_rig.h"
#include "unit_test.h"
#include "workload.h"

/* Four SMs. ratio: of blocks that are offloaded, 0 to 1. */
static gpu_config_t small_config(double ratio) {
  gpu_config_t c = gpu_config_default();
  c.num_sms = 4;
  c.nsu.ratio = ratio;
  return c;
}

/* Whatever kernel of the module runs, it has a block that can be offloaded. */
static bool all_have_blocks(const offload_t *o) {
  for (uint32_t i = 0; i < o->num_kernels; i++)
    if (!o->kernels[i].num_blocks) return false;
  return true;
}

/* A size at which a run is short. */
static void small_values(const workload_t *w, int64_t *values) {
  trouble_t trouble = {0};
  workload_defaults(w, values);
  for (unsigned i = 0; w->params[i].name; i++) {
    char text[32];
    int64_t v = values[i] > 1000 ? values[i] / 200 : values[i];
    if (v < w->params[i].least) v = w->params[i].least;
    snprintf(text, sizeof text, "%lld", (long long)v);
    /* sizes that must be powers of two */
    if (!workload_set(w, values, w->params[i].name, text, &trouble)) trouble.text[0] = 0;
  }
}

/* random: the rig's seed, 0: all answers take the same time. */
static void run_workload(const workload_t *w, gpu_config_t config, uint64_t random) {
  int64_t values[WORKLOAD_MAX_PARAMS];
  trouble_t trouble = {0};
  small_values(w, values);
  gpu_rig_t *r = rig_new(&config, w->ptx, (size_t)(w->ptx_end - w->ptx), w->ptx_file, config.nsu.ratio > 0);
  assert_string_equal(r->err.text, "");
  r->random = random;
  void *state = w->create(values, 7);
  assert_non_null(state);
  assert_int_equal(w->run(state, &r->runtime), 0);
  if (!w->check(state, &trouble)) fail_msg("%s at ratio %g: %s", w->name, config.nsu.ratio, trouble.text);
  if (r->broken) fail_msg("%s: %s", w->name, r->broken);
  gpu_stats_t s = gpu_stats(r->gpu);
  if (config.nsu.ratio == 1) assert_int_equal(s.blocks_kept, 0);
  if (config.nsu.ratio == 1 && all_have_blocks(r->offload)) assert_true(s.blocks_offloaded > 0);
  if (config.nsu.ratio == 0) assert_int_equal(s.blocks_offloaded, 0);
  for (unsigned k = 0; k < config.num_stacks; k++) { /* nothing is lost */
    gpu_credits_t c = gpu_credits(r->gpu, k);
    assert_int_equal(c.cmd, config.nsu_cmd_entries);
    assert_int_equal(c.rd, config.nsu_rd_entries);
    assert_int_equal(c.wr, config.nsu_wr_entries);
  }
  assert_int_equal(packet_pool_live(r->pool), 0);
  w->destroy(state);
  rig_free(r);
}

/* One after the other, each on a machine of its own. */
static void all_workloads(double ratio, uint64_t random) {
  for (unsigned i = 0; workloads[i]; i++) run_workload(workloads[i], small_config(ratio), random);
}

/* ---- What comes back from a machine is compared: all of it that is asked for ---- */

typedef struct {
  runtime_t runtime;
  unsigned copies, spoilt; /* copies out until now; of which one is to be spoilt, UINT_MAX: none */
  uint64_t seed;
} spoiler_t;

/* Flags that say whether to go on are smaller than a word. */
static int spoilt_copy(void *ctx, void *dst, rt_ptr_t src, uint64_t bytes) {
  spoiler_t *s = ctx;
  const int status = s->runtime.memcpy_d2h(s->runtime.ctx, dst, src, bytes);
  if (!status && bytes >= 4 && s->copies++ == s->spoilt)
    ((uint8_t *)dst)[test_random(&s->seed) % (bytes / 4) * 4 + 3] ^= 0x40;
  return status;
}

/* The other calls of the runtime, unchanged. */
static int through_malloc(void *ctx, uint64_t bytes, rt_ptr_t *ptr) {
  const spoiler_t *s = ctx;
  return s->runtime.malloc(s->runtime.ctx, bytes, ptr);
}
static int through_in(void *ctx, rt_ptr_t dst, const void *src, uint64_t bytes) {
  const spoiler_t *s = ctx;
  return s->runtime.memcpy_h2d(s->runtime.ctx, dst, src, bytes);
}
static int through_launch(void *ctx, const rt_launch_t *launch) {
  const spoiler_t *s = ctx;
  return s->runtime.launch(s->runtime.ctx, launch);
}

/* How many copies out there were. */
static unsigned run_spoilt(const workload_t *w, unsigned which) {
  int64_t values[WORKLOAD_MAX_PARAMS];
  trouble_t trouble = {0};
  const gpu_config_t config = small_config(0);
  small_values(w, values);
  gpu_rig_t *r = rig_new(&config, w->ptx, (size_t)(w->ptx_end - w->ptx), w->ptx_file, false);
  spoiler_t s = {r->runtime, 0, which, which};
  const runtime_t runtime = {
      &s,   through_malloc, NULL, through_in, spoilt_copy, through_launch, r->runtime.pointer_bytes,
      NULL, NULL,           NULL, NULL,       NULL};
  void *state = w->create(values, 7);
  assert_int_equal(w->run(state, &runtime), 0);
  const bool right = w->check(state, &trouble);
  if (right != (which >= s.copies)) fail_msg("%s, copy %u of %u spoilt: '%s'", w->name, which, s.copies, trouble.text);
  w->destroy(state);
  rig_free(r);
  return s.copies;
}

/* The last four copies out of each workload are
 * spoilt one by one: its check has to see each. */
static void test_spoilt(void **state) {
  (void)state;
  for (unsigned i = 0; workloads[i]; i++) {
    const unsigned copies = run_spoilt(workloads[i], UINT_MAX);
    for (unsigned k = copies > 4 ? copies - 4 : 0; k < copies; k++) run_spoilt(workloads[i], k);
  }
}

/* Nothing is offloaded. */
static void test_baseline(void **state) {
  (void)state;
  all_workloads(0, 0);
}

/* Every block is; answers take random times. */
static void test_offloaded(void **state) {
  (void)state;
  all_workloads(1, 3);
}

/* Half of them are. */
static void test_mixed(void **state) {
  (void)state;
  all_workloads(0.5, 5);
}

/* Buffers as small as they may be: still no deadlock, and the same results. */
static void test_tiny_buffers(void **state) {
  (void)state;
  gpu_config_t c = small_config(0.8);
  c.nsu_cmd_entries = 1;
  c.nsu_rd_entries = 16;
  c.nsu_wr_entries = 8;
  c.nsu.pending_packets = 256;
  c.nsu.ready_packets = 1;
  c.xbar.in_queue = c.xbar.out_queue = c.link_queue = 1;
  c.sm.lsu_queue = 1;
  c.sm.max_loads = 4;
  c.l1.mshrs = c.l2.mshrs = c.l1.merges = c.l2.merges = 1;
  for (unsigned i = 0; workloads[i]; i++) run_workload(workloads[i], c, 9);
}

/* The smallest machine: one of everything. */
static void test_one_stack_one_scheduler(void **state) {
  (void)state;
  gpu_config_t c = small_config(0.5);
  c.num_stacks = 1;
  c.num_sms = 1;
  c.sm.schedulers = 1;
  run_workload(workload_find("vadd"), c, 0);
}

/* Several slices of the L2 at a stack's link, SMs of 64
 * warps on four schedulers: alone, as nobody offloads. */
static void test_slices(void **state) {
  (void)state;
  static const char *const some[] = {"vadd", "hist", "bfs", "csr", "nw"};
  for (unsigned slices = 2; slices <= 16; slices *= 2) {
    gpu_config_t c = small_config(0);
    c.l2.slices = slices, c.l2.memory_latency = slices, c.sm.threads = 2048, c.sm.schedulers = slices <= 4 ? 3 : 4,
    c.sm.partitions = slices > 2;
    c.sm.fp_interval = c.sm.int_interval = 2, c.map.mode = slices == 8 ? GPU_MAP_hash : GPU_MAP_pages;
    for (unsigned i = 0; i < sizeof some / sizeof *some; i++)
      run_workload(workload_find(some[i]), c, slices == 4 ? 9 : 0);
  }
}

/* Core cycles of vadd on 5000 elements; the seed draws which blocks are offloaded. */
static uint64_t vadd_cycles(uint64_t seed) {
  const workload_t *w = workload_find("vadd");
  gpu_config_t c = small_config(0.5);
  c.seed = seed;
  int64_t values[WORKLOAD_MAX_PARAMS];
  workload_defaults(w, values);
  values[0] = 5000;
  gpu_rig_t *r = rig_new(&c, w->ptx, (size_t)(w->ptx_end - w->ptx), w->ptx_file, true);
  void *data = w->create(values, 1);
  assert_int_equal(w->run(data, &r->runtime), 0);
  uint64_t cycles = gpu_stats(r->gpu).core_cycles;
  w->destroy(data);
  rig_free(r);
  return cycles;
}

/* The same seed gives the same cycles, another one others. */
static void test_deterministic(void **state) {
  (void)state;
  assert_int_equal(vadd_cycles(1), vadd_cycles(1));
  assert_int_not_equal(vadd_cycles(1), vadd_cycles(2));
}

/* More SMs than a word has bits, all of which have blocks to offload (157 CTAs). */
static void test_many_sms(void **state) {
  (void)state;
  static const unsigned sms[] = {65, 72, 128};
  const workload_t *w = workload_find("vadd");
  for (unsigned k = 0; k < sizeof sms / sizeof *sms; k++) {
    gpu_config_t c = small_config(1);
    c.num_sms = sms[k];
    int64_t values[WORKLOAD_MAX_PARAMS];
    trouble_t trouble = {0};
    workload_defaults(w, values);
    values[0] = 40000;
    gpu_rig_t *r = rig_new(&c, w->ptx, (size_t)(w->ptx_end - w->ptx), w->ptx_file, true);
    void *data = w->create(values, 1);
    assert_int_equal(w->run(data, &r->runtime), 0);
    if (!w->check(data, &trouble)) fail_msg("%u SMs: %s", sms[k], trouble.text);
    if (r->broken) fail_msg("%u SMs: %s", sms[k], r->broken);
    assert_int_equal(gpu_stats(r->gpu).blocks_offloaded, 40000 / 32);
    assert_int_equal(packet_pool_live(r->pool), 0);
    w->destroy(data);
    rig_free(r);
  }
}

/* ---- Kernels of our own ---------------------------------------------------------------------- */

#define HEAD ".version 6.0\n.target sm_35\n.address_size 64\n"
#define REGS                                                                                                    \
  ".reg .pred %p<8>;\n.reg .b16 %rs<16>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<32>;\n.reg .f32 %f<16>;\n.reg .f64 " \
  "%fd<8>;\n"
/* i in %r1, i * 4 in %rd1, buffer in %rd2, its element i in %rd3 */
#define ENTRY(name)                                                                                            \
  HEAD ".visible .entry " name "(.param .u64 p, .param .u64 q)\n{\n" REGS                                      \
       "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\nmad.lo.s32 %r1, %r2, %r3, %r4;\n" \
       "mul.wide.u32 %rd1, %r1, 4;\nld.param.u64 %rd2, [p];\nadd.s64 %rd3, %rd2, %rd1;\nld.param.u64 %rd4, [q];\n"

typedef struct {
  gpu_rig_t *rig;
  uint64_t p, q;
} bed_t;

/* A machine with a kernel of two parameters, p and q: buffers of so many bytes. */
static bed_t bed_new(const gpu_config_t *config, const char *ptx, uint64_t p_bytes, uint64_t q_bytes) {
  bed_t b = {rig_new(config, ptx, strlen(ptx), "bed.ptx", config->nsu.ratio > 0), 0, 0};
  if (b.rig->err.kind) fail_msg("%s", b.rig->err.text);
  b.p = gpu_malloc(b.rig->gpu, p_bytes, &b.rig->err);
  b.q = gpu_malloc(b.rig->gpu, q_bytes, &b.rig->err);
  return b;
}

/* 0, or the exit status. */
static int bed_run(bed_t *b, uint32_t ctas, uint32_t threads) {
  uint64_t params[2] = {b->p, b->q};
  gpu_launch_t l = {.grid = {ctas, 1, 1}, .block = {threads, 1, 1}, .params = params, .param_bytes = sizeof params};
  return rig_run(b->rig, &l, 2000000);
}

/* Errors and broken promises fail the test. */
static void bed_ok(bed_t *b, uint32_t ctas, uint32_t threads) {
  if (bed_run(b, ctas, threads)) fail_msg("%s", b->rig->err.text);
  if (b->rig->broken) fail_msg("%s", b->rig->broken);
}

/* n words of memory, from an address on. */
static void bed_words(bed_t *b, uint64_t from, uint32_t *words, unsigned n) {
  assert_int_equal(gpu_copy_out(b->rig->gpu, words, from, n * 4, &b->rig->err), 0);
}

/* Vectors, bytes and halves, both ways. */
static void test_widths(void **state) {
  (void)state;
  gpu_config_t c = small_config(0);
  bed_t b = bed_new(
      &c,
      ENTRY("widths") "mul.wide.u32 %rd5, %r1, 16;\nadd.s64 %rd6, %rd2, %rd5;\nadd.s64 %rd7, %rd4, %rd5;\n"
                      "ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd6];\nst.global.v2.u32 [%rd7], {%r8, %r7};\n"
                      "ld.global.u64 %rd8, [%rd6];\nst.global.u32 [%rd7+8], %rd8;\nld.global.s8 %r9, [%rd6+1];\n"
                      "st.global.u16 [%rd7+12], %r9;\nld.global.u8 %rs1, [%rd6+2];\nst.global.u8 [%rd7+14], %rs1;\n"
                      "ld.global.s16 %rs2, [%rd6+4];\nshr.u16 %rs3, %rs2, 8;\nst.global.u8 [%rd7+15], %rs3;\nret;\n}\n",
      128 * 16, 128 * 16);
  uint8_t in[128 * 16], out[128 * 16];
  uint64_t seed = 2;
  for (unsigned i = 0; i < sizeof in; i++) in[i] = (uint8_t)test_random(&seed);
  gpu_copy_in(b.rig->gpu, b.p, in, sizeof in, &b.rig->err);
  bed_ok(&b, 2, 64);
  gpu_copy_out(b.rig->gpu, out, b.q, sizeof out, &b.rig->err);
  for (unsigned i = 0; i < 128; i++) {
    const uint8_t *x = in + 16 * i;
    uint8_t want[16];
    memcpy(want, x + 12, 4);
    memcpy(want + 4, x + 8, 4);
    memcpy(want + 8, x, 4);
    want[12] = x[1], want[13] = x[1] & 0x80 ? 0xff : 0, want[14] = x[2], want[15] = x[5];
    assert_memory_equal(out + 16 * i, want, 16);
  }
  rig_free(b.rig);
}

/* Block-wide reversal through shared memory: both sides of a barrier, with two warps and a
 * divergent branch around it.
 */
static void test_shared_and_barrier(void **state) {
  (void)state;
  gpu_config_t c = small_config(0);
  bed_t b = bed_new(
      &c,
      ENTRY(
          "reverse") ".shared .align 4 .b8 buf[512];\nmov.u32 %r5, buf;\nshl.b32 %r6, %r4, 2;\nadd.s32 %r7, %r5, %r6;\n"
                     "st.shared.u32 [%r7], %r1;\nsetp.gt.u32 %p1, %r4, 40;\n@%p1 bra L1;\nmul.lo.s32 %r1, %r1, 1;\n"
                     "L1:\n"
                     "bar.sync 0;\nsub.s32 %r8, 127, %r4;\nshl.b32 %r9, %r8, 2;\nadd.s32 %r10, %r5, %r9;\n"
                     "ld.shared.u32 %r11, [%r10];\nst.global.u32 [%rd3], %r11;\nret;\n}\n",
      4096, 16);
  bed_ok(&b, 8, 128);
  uint32_t out[1024];
  bed_words(&b, b.p, out, 1024);
  for (unsigned i = 0; i < 1024; i++) assert_int_equal(out[i], i / 128 * 128 + 127 - i % 128);
  /* one for each of 8 CTAs */
  assert_int_equal(gpu_stats(b.rig->gpu).barriers, 8);
  rig_free(b.rig);
}

/* Stride of two words: two accesses a bank. Generic and local addresses. */
static void test_spaces(void **state) {
  (void)state;
  gpu_config_t c = small_config(0);
  bed_t b = bed_new(
      &c,
      ENTRY("spaces") ".shared .align 8 .b8 buf[512];\n.local .align 8 .b8 stack[32];\nmov.u64 %rd5, stack;\n"
                      "cvta.local.u64 %rd6, %rd5;\nmov.u64 %rd7, buf;\ncvta.shared.u64 %rd8, %rd7;\n"
                      "mul.wide.u32 %rd9, %r4, 8;\nadd.s64 %rd10, %rd8, %rd9;\nst.u32 [%rd10], %r1;\n"
                      "ld.u32 %r5, [%rd10];\n"
                      "add.s32 %r6, %r5, 5;\nst.u32 [%rd6+8], %r6;\nld.local.u32 %r7, [%rd5+8];\nst.u32 [%rd3], %r7;\n"
                      "ret;\n}\n",
      4096, 16);
  bed_ok(&b, 4, 64);
  uint32_t out[256];
  bed_words(&b, b.p, out, 256);
  for (unsigned i = 0; i < 256; i++) assert_int_equal(out[i], i + 5);
  /* 8 warps, a load and a store of one extra cycle each */
  assert_int_equal(gpu_stats(b.rig->gpu).shared_conflicts, 8 * 2);
  rig_free(b.rig);
}

/* %globaltimer counts nanoseconds of the clock that the SMs are given: at 350 MHz a cycle is 20/7
 * of them. The two moves are issued in different cycles, the second some cycles after the first. */
static void test_timer(void **state) {
  (void)state;
  static const double mhz[] = {350, 700, 1400};
  for (unsigned i = 0; i < 3; i++) {
    gpu_config_t c = small_config(0);
    c.core_mhz = mhz[i];
    bed_t b = bed_new(&c,
                      ENTRY("timer") "mov.u64 %rd5, %clock64;\nmov.u64 %rd6, %globaltimer;\n"
                                     "st.global.u32 [%rd3], %rd5;\nst.global.u32 [%rd3+1024], %rd6;\nret;\n}\n",
                      4096, 16);
    bed_ok(&b, 1, 32);
    uint32_t out[512];
    bed_words(&b, b.p, out, 512);
    const double cycles = (double)out[256] * mhz[i] / 1000;
    if (!(out[0] > 0 && cycles > out[0] - 2.0 && cycles < out[0] + 64))
      fail_msg("%g MHz: %u cycles, %u ns", mhz[i], out[0], out[256]);
    rig_free(b.rig);
  }
}

/* Nested divergence with a loop whose trip count differs by thread. */
static void test_divergent_loop(void **state) {
  (void)state;
  gpu_config_t c = small_config(0);
  bed_t b = bed_new(
      &c,
      ENTRY("loop") "and.b32 %r5, %r1, 15;\nmov.u32 %r6, 0;\nmov.u32 %r7, 0;\nLOOP:\nsetp.ge.u32 %p1, %r6, %r5;\n"
                    "@%p1 bra DONE;\nand.b32 %r8, %r6, 1;\nsetp.eq.s32 %p2, %r8, 0;\n@%p2 bra EVEN;\n"
                    "add.s32 %r7, %r7, 100;\nbra NEXT;\nEVEN:\nadd.s32 %r7, %r7, 1;\nNEXT:\nadd.s32 %r6, %r6, 1;\n"
                    "bra LOOP;\nDONE:\nst.global.u32 [%rd3], %r7;\nret;\n}\n",
      4096, 16);
  bed_ok(&b, 4, 96);
  uint32_t out[384];
  bed_words(&b, b.p, out, 384);
  /* thread i goes round i modulo 16 times: 1 for each even round, 100 for each odd one */
  for (unsigned i = 0; i < 384; i++) assert_int_equal(out[i], (i % 16 + 1) / 2 + i % 16 / 2 * 100);
  assert_true(gpu_stats(b.rig->gpu).divergent_branches > 12);
  rig_free(b.rig);
}

/* All threads of all SMs on few words; the old values of an atomic add are all different. A plain
 * load after a red sees it. */
static void test_atomics(void **state) {
  (void)state;
  gpu_config_t c = small_config(0);
  bed_t b = bed_new(
      &c,
      ENTRY("atomics") "atom.global.add.u32 %r5, [%rd4], 1;\nmul.wide.u32 %rd5, %r5, 4;\nadd.s64 %rd6, %rd2, %rd5;\n"
                       "st.global.u32 [%rd6], 1;\nred.global.max.s32 [%rd4+4], %r1;\n"
                       "atom.global.cas.b32 %r6, [%rd4+8], 0, 7;\ncvt.u64.u32 %rd7, %r1;\n"
                       "red.global.add.u64 [%rd4+16], %rd7;\nred.global.add.u32 [%rd4+64], 1;\n"
                       "ld.global.u32 %r9, [%rd4+64];\nsetp.eq.s32 %p1, %r9, 0;\n@%p1 st.global.u32 [%rd4+12], %r9;\n"
                       "@%p1 trap;\nret;\n}\n",
      4096, 128);
  bed_ok(&b, 8, 128);
  uint32_t out[1024], q[32];
  bed_words(&b, b.p, out, 1024);
  bed_words(&b, b.q, q, 32);
  for (unsigned i = 0; i < 1024; i++) assert_int_equal(out[i], 1);
  /* one for each thread, the largest number, the first exchange, the sum of 0 to 1023 */
  assert_int_equal(q[0], 1024);
  assert_int_equal(q[1], 1023);
  assert_int_equal(q[2], 7);
  assert_int_equal(q[4], 1024 * 1023 / 2);
  assert_int_equal(q[16], 1024);
  rig_free(b.rig);
}

/* Blocks on both sides of a branch that end where the sides meet. */
static void test_block_before_reconvergence(void **state) {
  (void)state;
  gpu_config_t c = small_config(1);
  bed_t b = bed_new(
      &c,
      ENTRY("arms") "and.b32 %r5, %r4, 1;\nsetp.eq.s32 %p1, %r5, 0;\nadd.s64 %rd5, %rd4, %rd1;\n@%p1 bra EVEN;\n"
                    "ld.global.u32 %r6, [%rd3];\nld.global.u32 %r7, [%rd3+4096];\nadd.s32 %r8, %r6, %r7;\n"
                    "st.global.u32 [%rd5], %r8;\nbra JOIN;\nEVEN:\nld.global.u32 %r9, [%rd3];\n"
                    "ld.global.u32 %r10, [%rd3+4096];\nsub.s32 %r11, %r9, %r10;\nst.global.u32 [%rd5], %r11;\nJOIN:\n"
                    "ret;\n}\n",
      8192, 4096);
  uint32_t in[2048], out[1024];
  for (unsigned i = 0; i < 2048; i++) in[i] = i * i;
  gpu_copy_in(b.rig->gpu, b.p, in, sizeof in, &b.rig->err);
  bed_ok(&b, 8, 128);
  bed_words(&b, b.q, out, 1024);
  for (unsigned i = 0; i < 1024; i++) assert_int_equal(out[i], i & 1 ? in[i] + in[i + 1024] : in[i] - in[i + 1024]);
  /* 8 CTAs of 4 warps, each on both sides */
  assert_int_equal(gpu_stats(b.rig->gpu).blocks_offloaded, 64);
  rig_free(b.rig);
}

/* A line that a thread has loaded and then written is in the L1
 * as it wrote it. A load into nothing is a load like others. */
static void test_load_after_store(void **state) {
  (void)state;
  gpu_config_t c = small_config(0);
  bed_t b = bed_new(
      &c,
      ENTRY("again") "add.s64 %rd5, %rd4, %rd1;\nld.global.u32 _, [%rd3];\nld.global.u32 %r5, [%rd3];\n"
                     "mad.lo.s32 %r6, %r5, 3, 1;\n"
                     "st.global.u32 [%rd3], %r6;\nld.global.u32 %r7, [%rd3];\nst.global.u32 [%rd5], %r7;\nret;\n}\n",
      4096, 4096);
  uint32_t in[1024], out[1024];
  for (unsigned i = 0; i < 1024; i++) in[i] = i * i;
  gpu_copy_in(b.rig->gpu, b.p, in, sizeof in, &b.rig->err);
  bed_ok(&b, 8, 128);
  bed_words(&b, b.q, out, 1024);
  for (unsigned i = 0; i < 1024; i++) assert_int_equal(out[i], 3 * in[i] + 1);
  assert_true(gpu_stats(b.rig->gpu).l1_hits > 0);
  rig_free(b.rig);
}

/* Of most warps no thread does any of a block's loads and stores, on SMs
 * with numbers above the stacks' too: the block ends all the same. */
static void test_block_of_nobody(void **state) {
  (void)state;
  gpu_config_t c = small_config(1);
  c.num_sms = 5, c.num_stacks = 2;
  bed_t b = bed_new(
      &c,
      ENTRY("nobody") "setp.lt.s32 %p1, %r1, 100;\nadd.s64 %rd5, %rd4, %rd1;\nmov.u32 %r6, 0;\nmov.u32 %r8, 0;\n"
                      "@%p1 ld.global.nc.u32 %r6, [%rd3];\nadd.s32 %r7, %r6, 1;\n@%p1 st.global.u32 [%rd5], %r7;\n"
                      "@%p1 ld.global.nc.u32 %r8, [%rd3+4096];\nadd.s32 %r9, %r8, %r7;\n"
                      "@%p1 st.global.u32 [%rd5+4096], %r9;\nret;\n}\n",
      8192, 8192);
  uint32_t in[2048], out[2048];
  for (unsigned i = 0; i < 2048; i++) in[i] = i * i;
  gpu_copy_in(b.rig->gpu, b.p, in, sizeof in, &b.rig->err);
  bed_ok(&b, 8, 128);
  bed_words(&b, b.q, out, 2048);
  for (unsigned i = 0; i < 1024; i++) {
    assert_int_equal(out[i], i < 100 ? in[i] + 1 : 0);
    assert_int_equal(out[i + 1024], i < 100 ? in[i + 1024] + in[i] + 1 : 0);
  }
  /* 8 CTAs of 4 warps */
  assert_int_equal(gpu_stats(b.rig->gpu).blocks_offloaded, 32);
  rig_free(b.rig);
}

/* A thread's accesses to one address stay in order while an atomic waits for its line. */
static void test_atomic_order(void **state) {
  (void)state;
  gpu_config_t c = small_config(0);
  bed_t b =
      bed_new(&c,
              ENTRY("order") "red.global.add.u32 [%rd3], 5;\nst.global.u32 [%rd3], %r1;\nadd.s64 %rd5, %rd4, %rd1;\n"
                             "red.global.add.u32 [%rd5], 7;\nld.global.u32 %r5, [%rd5];\nshl.b32 %r6, %r5, 1;\n"
                             "st.global.u32 [%rd5], %r6;\nret;\n}\n",
              4096, 4096);
  bed_ok(&b, 8, 128);
  uint32_t p[1024], q[1024];
  bed_words(&b, b.p, p, 1024);
  bed_words(&b, b.q, q, 1024);
  for (unsigned i = 0; i < 1024; i++) {
    assert_int_equal(p[i], i);
    assert_int_equal(q[i], 14);
  }
  rig_free(b.rig);
}

/* A line that the SM has is no longer what a thread sees
 * after its atomic; the value put there has eight bytes. */
static void test_atomic_of_a_cached_line(void **state) {
  (void)state;
  gpu_config_t c = small_config(0);
  bed_t b = bed_new(&c,
                    ENTRY("cached") "add.s64 %rd5, %rd4, %rd1;\nld.global.u32 %r5, [%rd5];\nadd.u32 %r6, %r5, 7;\n"
                                    "red.global.add.u32 [%rd5], %r6;\n"
                                    "ld.global.u32 %r5, [%rd5];\nst.global.u32 [%rd3], %r5;\nret;\n}\n",
                    4096, 4096);
  bed_ok(&b, 8, 128);
  uint32_t words[1024];
  bed_words(&b, b.p, words, 1024);
  for (unsigned i = 0; i < 1024; i++) assert_int_equal(words[i], 7);
  rig_free(b.rig);

  b = bed_new(
      &c,
      ENTRY(
          "wide") "add.s64 %rd5, %rd3, %rd1;\ncvt.u64.u32 %rd6, %r1;\nshl.b64 %rd7, %rd6, 40;\nadd.s64 %rd7, %rd7, 5;\n"
                  "atom.global.cas.b64 %rd6, [%rd5], 0, %rd7;\nret;\n}\n",
      8192, 4096);
  bed_ok(&b, 8, 128);
  static uint32_t wide[2048];
  bed_words(&b, b.p, wide, 2048);
  for (unsigned i = 0; i < 1024; i++) {
    assert_int_equal(wide[2 * i], 5);
    assert_int_equal(wide[2 * i + 1], i << 8);
  }
  rig_free(b.rig);
}

/* ---- Coherence ------------------------------------------------------------------------------- */

/* Every thread has its SM cache c[j] of another warp, an NSU writes c, every thread looks at c[j]
 * again. Each load of c stands alone between barriers, so that it is no block of its own; `gap`
 * waits for the first one, or does not. */
#define STALE(gap)                                                                                                     \
  HEAD                                                                                                                 \
      ".visible .entry stale(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 out)\n{\n" REGS                  \
      "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\nld.param.u64 %rd3, [c];\nld.param.u64 %rd4, [out];\nmov.u32 " \
      "%r2, %ctaid.x;\n"                                                                                               \
      "mov.u32 %r4, %tid.x;\nshl.b32 %r5, %r2, 6;\nadd.s32 %r1, %r5, %r4;\nadd.s32 %r6, %r4, 37;\nand.b32 %r7, %r6, "  \
      "63;\n"                                                                                                          \
      "add.s32 %r8, %r5, %r7;\nmul.wide.u32 %rd5, %r1, 4;\nmul.wide.u32 %rd6, %r8, 4;\nadd.s64 %rd7, %rd1, %rd5;\n"    \
      "add.s64 %rd8, %rd2, %rd5;\nadd.s64 %rd9, %rd3, %rd5;\nadd.s64 %rd10, %rd3, %rd6;\nadd.s64 %rd11, %rd4, %rd5;\n" \
      "ld.global.f32 %f1, [%rd10];\nbar.sync 0;\n" gap                                                                 \
      "ld.global.f32 %f2, [%rd7];\nld.global.f32 %f3, [%rd8];\nadd.f32 %f4, %f2, %f3;\nst.global.f32 [%rd9], "         \
      "%f4;\nbar.sync 0;\n"                                                                                            \
      "ld.global.f32 %f5, [%rd10];\nbar.sync 0;\nst.global.f32 [%rd11], %f5;\nsetp.gt.f32 %p1, %f1, "                  \
      "0f7F000000;\n@%p1 trap;\nret;\n}\n"

/* How many threads saw an old value of c[j] at last. */
static unsigned stale_results(const char *ptx, bool lose_invals, unsigned slow_reads, gpu_stats_t *stats) {
  enum { N = 64 * 40 };
  gpu_config_t c = small_config(1);
  gpu_rig_t *r = rig_new(&c, ptx, strlen(ptx), "stale.ptx", true);
  if (r->err.kind) fail_msg("%s", r->err.text);
  static float a[N], out[N];
  uint64_t buffer[4];
  for (unsigned i = 0; i < N; i++) a[i] = (float)(i + 1);
  for (unsigned k = 0; k < 4; k++) buffer[k] = gpu_malloc(r->gpu, sizeof a, &r->err);
  for (unsigned k = 0; k < 2; k++) gpu_copy_in(r->gpu, buffer[k], a, sizeof a, &r->err);
  r->lose_invals_addr = lose_invals;
  r->slow_reads = slow_reads;
  gpu_launch_t l = {.grid = {N / 64, 1, 1}, .block = {64, 1, 1}, .params = buffer, .param_bytes = sizeof buffer};
  if (rig_run(r, &l, 2000000)) fail_msg("%s", r->err.text);
  if (r->broken) fail_msg("%s", r->broken);
  gpu_copy_out(r->gpu, out, buffer[3], sizeof out, &r->err);
  unsigned wrong = 0;
  for (unsigned i = 0; i < N; i++) wrong += out[i] != 2 * a[i / 64 * 64 + (i + 37) % 64];
  *stats = gpu_stats(r->gpu);
  rig_free(r);
  return wrong;
}

/* 40 CTAs of two warps: 80 blocks, and an INVAL at least of each. Slow reads come
 * back after the INVAL of their line: they may be used by nobody who asks later. */
static void test_coherence(void **state) {
  (void)state;
  gpu_stats_t s;
  const char *waits = STALE("setp.gt.f32 %p1, %f1, 0f7F000000;\n@%p1 trap;\nbar.sync 0;\n"), *races = STALE("");
  assert_int_equal(stale_results(waits, false, 0, &s), 0);
  assert_true(s.blocks_offloaded >= 80 && s.invals >= 80);
  /* the check fires: with INVALs for other lines, old values are seen */
  assert_true(stale_results(waits, true, 0, &s) > 0);
  for (unsigned slow = 0; slow < 2000; slow += 250) assert_int_equal(stale_results(races, false, slow, &s), 0);
}

/* What the host copies in between launches is seen, though the L2 holds the lines around it. */
static void test_copy_in_is_seen(void **state) {
  (void)state;
  enum { N = 1024 };
  gpu_config_t c = small_config(0);
  bed_t b = bed_new(&c,
                    ENTRY("copied") "mul.wide.u32 %rd5, %r1, 4;\nadd.s64 %rd6, %rd2, %rd5;\nadd.s64 %rd7, %rd4, %rd5;\n"
                                    "ld.global.u32 %r5, [%rd6];\nst.global.u32 [%rd7], %r5;\nret;\n}\n",
                    4 * N, 4 * N);
  uint32_t in[N], out[N];
  for (unsigned i = 0; i < N; i++) in[i] = i;
  gpu_copy_in(b.rig->gpu, b.p, in, sizeof in, &b.rig->err);
  bed_ok(&b, 8, N / 8);
  static const struct { unsigned first, count; } parts[] = {{0, 1}, {31, 2}, {64, 32}, {100, 300}, {N - 1, 1}};
  for (unsigned k = 0; k < sizeof parts / sizeof *parts; k++) {
    for (unsigned i = 0; i < parts[k].count; i++) in[parts[k].first + i] += 1000 * (k + 1);
    gpu_copy_in(b.rig->gpu, b.p + 4 * parts[k].first, in + parts[k].first, 4 * parts[k].count, &b.rig->err);
    const uint64_t hits = gpu_stats(b.rig->gpu).l2_hits,
                   lines = (parts[k].first + parts[k].count - 1) / 32 - parts[k].first / 32 + 1;
    bed_ok(&b, 8, N / 8);
    bed_words(&b, b.q, out, N);
    assert_memory_equal(out, in, sizeof in);
    assert_int_equal(gpu_stats(b.rig->gpu).l2_hits - hits, N / 32 - lines); /* the rest is still there */
  }
  rig_free(b.rig);
}

/* ---- Faults ---------------------------------------------------------------------------------- */

/* A buffer of 1000 bytes; the message is one line and has all of the words. */
static void check_fault(const char *ptx, uint32_t threads, double ratio, const char *const *words) {
  gpu_config_t c = small_config(ratio);
  bed_t b = bed_new(&c, ptx, 1000, 4096);
  assert_int_equal(bed_run(&b, 2, threads), 2);
  for (; *words; words++)
    if (!strstr(b.rig->err.text, *words)) fail_msg("no '%s' in: %s", *words, b.rig->err.text);
  assert_null(strchr(b.rig->err.text, '\n'));
  rig_free(b.rig);
}

/* File, kernel, thread and access, in one line; the offloaded kernel says the same. */
static void test_faults_name_the_thread(void **state) {
  (void)state;
  /* 1000 bytes are elements 0 to 249: thread 250 is
   * the first outside, in the second block of 128 */
  check_fault(ENTRY("over") "ld.global.u32 %r5, [%rd3];\nst.global.u32 [%rd3], %r5;\nret;\n}\n", 128, 0,
              (const char *const[]){"bed.ptx:", "kernel over", "ctaid 1,0,0 tid 122,0,0", "reads 4 bytes",
                                    "out of bounds", NULL});
  check_fault(ENTRY("over") "ld.global.u32 %r5, [%rd3];\nld.global.u32 %r6, [%rd3];\nadd.s32 %r7, %r5, %r6;\n"
                            "st.global.u32 [%rd3], %r7;\nret;\n}\n",
              128, 1, (const char *const[]){"kernel over", "ctaid 1,0,0 tid 122,0,0", "reads 4 bytes", NULL});
  check_fault(ENTRY("null") "mov.u64 %rd5, 16;\nst.global.u32 [%rd5], %r1;\nret;\n}\n", 32, 0,
              (const char *const[]){"kernel null", "writes 4 bytes at address 0x10", NULL});
  check_fault(ENTRY("odd") "st.global.u32 [%rd2+2], %r1;\nret;\n}\n", 32, 0,
              (const char *const[]){"kernel odd", "not aligned", NULL});
  check_fault(
      ENTRY("sh") ".shared .b8 s[64];\nmov.u64 %rd5, s;\nadd.s64 %rd5, %rd5, %rd1;\nst.shared.u32 [%rd5], %r1;\nret;\n"
                  "}\n",
      32, 0, (const char *const[]){"kernel sh", "tid 16,0,0", "shared", NULL});
  check_fault(
      ENTRY("dead") "setp.lt.u32 %p1, %r4, 32;\n@%p1 bra A;\nbar.sync 1;\nbra E;\nA:\nbar.sync 0;\nE:\nret;\n}\n", 64,
      0, (const char *const[]){"kernel dead", "deadlocked at a barrier", NULL});
  check_fault(ENTRY("tr") "trap;\n}\n", 32, 0, (const char *const[]){"kernel tr", "trap", NULL});
}

/* 30000 bytes of shared memory are its own: 20000 more do not
 * fit into 48 KB. After each refusal the machine still runs. */
static void test_launch_refused(void **state) {
  (void)state;
  gpu_config_t c = small_config(0);
  bed_t b = bed_new(
      &c, ENTRY("k") ".shared .b8 s[30000];\nst.shared.u32 [s], %r1;\nst.global.u32 [%rd3], %r1;\nret;\n}\n", 64, 64);
  uint64_t params[2] = {b.p, b.q};
  gpu_launch_t good = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .params = params, .param_bytes = 16}, l = good;
  assert_int_equal(rig_run(b.rig, &good, 10000), 0);
  l.block[0] = 2000;
  assert_int_equal(rig_run(b.rig, &l, 10000), 2);
  l = good, l.grid[1] = 0;
  assert_int_equal(rig_run(b.rig, &l, 10000), 2);
  l = good, l.param_bytes = 8;
  assert_int_equal(rig_run(b.rig, &l, 10000), 2);
  assert_non_null(strstr(b.rig->err.text, "kernel k: 8 bytes of parameters were given, it has 16"));
  l = good, l.param_bytes = 17;
  assert_int_equal(rig_run(b.rig, &l, 10000), 2);
  assert_non_null(strstr(b.rig->err.text, "kernel k: 17 bytes of parameters were given, it has 16"));
  l = good, l.shared_bytes = 20000;
  assert_int_equal(rig_run(b.rig, &l, 10000), 2);
  assert_non_null(strstr(b.rig->err.text, "shared"));
  l = good, l.kernel = "nobody";
  assert_int_equal(rig_run(b.rig, &l, 10000), 2);
  assert_int_equal(rig_run(b.rig, &good, 10000), 0);
  rig_free(b.rig);
}

/* When an NSU does not answer, the watchdog's text says who waits for what. */
static void test_describe(void **state) {
  (void)state;
  const workload_t *w = workload_find("vadd");
  gpu_config_t c = small_config(1);
  gpu_rig_t *r = rig_new(&c, w->ptx, (size_t)(w->ptx_end - w->ptx), w->ptx_file, true);
  uint64_t args[4];
  for (unsigned i = 0; i < 3; i++) args[i] = gpu_malloc(r->gpu, 4096, &r->err);
  args[3] = 1024;
  gpu_launch_t l = {.grid = {4, 1, 1}, .block = {256, 1, 1}, .params = args, .param_bytes = 28};
  assert_int_equal(gpu_launch(r->gpu, &l, &r->err), 0);
  for (unsigned i = 0; i < 3000; i++) { /* nobody takes the packets */
    gpu_tick_core(r->gpu);
    gpu_tick_l2(r->gpu);
    gpu_tick_xbar(r->gpu);
  }
  assert_true(gpu_running(r->gpu));
  char text[8192], little[10];
  assert_true(gpu_describe_waits(r->gpu, text, sizeof text) > 100);
  assert_non_null(strstr(text, "waits for OFLD_ACK"));
  assert_non_null(strstr(text, "NDP manager, stack"));
  gpu_describe_waits(r->gpu, little, sizeof little);
  rig_free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_widths),
      cmocka_unit_test(test_shared_and_barrier),
      cmocka_unit_test(test_spaces),
      cmocka_unit_test(test_timer),
      cmocka_unit_test(test_divergent_loop),
      cmocka_unit_test(test_atomics),
      cmocka_unit_test(test_load_after_store),
      cmocka_unit_test(test_block_of_nobody),
      cmocka_unit_test(test_atomic_order),
      cmocka_unit_test(test_atomic_of_a_cached_line),
      cmocka_unit_test(test_block_before_reconvergence),
      cmocka_unit_test(test_coherence),
      cmocka_unit_test(test_copy_in_is_seen),
      cmocka_unit_test(test_faults_name_the_thread),
      cmocka_unit_test(test_launch_refused),
      cmocka_unit_test(test_describe),
      cmocka_unit_test(test_baseline),
      cmocka_unit_test(test_spoilt),
      cmocka_unit_test(test_offloaded),
      cmocka_unit_test(test_mixed),
      cmocka_unit_test(test_tiny_buffers),
      cmocka_unit_test(test_one_stack_one_scheduler),
      cmocka_unit_test(test_slices),
      cmocka_unit_test(test_deterministic),
      cmocka_unit_test(test_many_sms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
