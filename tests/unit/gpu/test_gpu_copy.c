/* SPDX-License-Identifier: Apache-2.0
 *
 * cp.async on a GPU with ideal stacks: all sizes, caches, sources and ways to read less, against a
 * plain copy of bytes; on machines with small caches, pages from the host, packets that overtake
 * each other; groups and what waits for them; what is under way when its block ends; what is
 * refused; what faults.
 */
#include <stdio.h>
#include <string.h>

#include "gpu_rig.h"
#include "program_text.h"
#include "unit_test.h"

enum { THREADS = 64, IN = 16384, OUT = 4096, SHARED = 4096 };

/* %r0 the thread, %r1 its warp's thread, %d1 in, %d2 out, %r5 shared memory,
 * of which a block's threads take 4096 bytes of `out` each at the end. */
#define HEAD                                                                                                       \
  ".version 8.0\n.target sm_80\n.address_size 64\n"                                                                \
  ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 size)\n{\n"                                      \
  ".shared .align 128 .b8 sh[4096];\n.reg .pred %p<4>; .reg .b32 %r<40>; .reg .b64 %d<20>;\n"                      \
  "ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; mov.u32 %r0, %tid.x; mov.u32 %r5, sh; mov.u32 %r2, %ctaid.x; " \
  "and.b32 %r1, %r0, 31;\n"                                                                                        \
  "mul.wide.u32 %d3, %r2, 4096; add.u64 %d2, %d2, %d3;\n"

/* Code that copies all of shared memory to `out`, and ends. */
static void say_out(program_text_t *p) {
  say(p, "bar.sync 0;\nmov.u32 %%r30, 0;\n"
         "OUT: mad.lo.u32 %%r31, %%r0, 4, %%r30; cvt.u64.u32 %%d10, %%r31; add.u64 %%d10, %%d2, %%d10;\n");
  say(p, "add.u32 %%r31, %%r31, %%r5; ld.shared.u32 %%r32, [%%r31]; st.global.u32 [%%d10], %%r32;\n");
  say(p, "add.u32 %%r30, %%r30, %u; setp.lt.u32 %%p3, %%r30, %u;\n@%%p3 bra OUT;\nret;\n}\n", 4 * THREADS, SHARED);
}

typedef struct {
  uint8_t in[IN], out[8 * OUT];
  gpu_stats_t stats;
  char says[sizeof((trouble_t *)0)->text];
  /* the rig's `random`, and how far packets between
   * nodes overtake each other; blocks 0: one */
  uint64_t order;
  unsigned unruly, blocks;
} bed_t;

/* `in_bytes` of b->in are there. 0, or the exit status; b->says why. */
static int run_ptx(bed_t *b, const gpu_config_t *c, const char *ptx, unsigned threads, size_t in_bytes) {
  trouble_t err = {0};
  gpu_rig_t *r = rig_new(c, ptx, strlen(ptx), "copy.ptx", false);
  if (r->err.kind) fail_msg("%s\n%s", r->err.text, ptx);
  r->random = b->order, r->unruly = b->unruly, r->unruly_random = 7;
  const unsigned blocks = b->blocks ? b->blocks : 1;
  const uint64_t params[] = {gpu_malloc(r->gpu, in_bytes, &err), gpu_malloc(r->gpu, sizeof b->out, &err), in_bytes};
  const gpu_launch_t l = {
      .grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .params = params, .param_bytes = sizeof params};
  assert_int_equal(gpu_copy_in(r->gpu, params[0], b->in, in_bytes, &err), 0);
  assert_int_equal(gpu_copy_in(r->gpu, params[1], b->out, sizeof b->out, &err), 0);
  const int status = rig_run(r, &l, 2000000);
  if (!status) assert_int_equal(gpu_copy_out(r->gpu, b->out, params[1], sizeof b->out, &err), 0);
  b->stats = gpu_stats(r->gpu);
  snprintf(b->says, sizeof b->says, "%s", r->err.text);
  rig_free(r);
  return status;
}

static void random_bytes(bed_t *b, uint64_t *seed) {
  for (unsigned i = 0; i < IN; i++) b->in[i] = (uint8_t)test_random(seed);
}

/* ---- Copies ---------------------------------------------------------------------------------- */

typedef enum { READ_ALL, READ_CONSTANT, READ_REGISTER, READ_NOT, READ_WAYS } read_t;

/* One instruction: thread i copies from piece (i * step + from) of `in`
 * to piece (i * 3 + to) of shared memory; `even`: even threads alone. */
typedef struct {
  unsigned bytes, step, from, to, read;
  bool l2, even, wide, hints;
  read_t how;
} copy_t;

/* A random copy; .cg has 16 bytes only. */
static copy_t draw_copy(uint64_t *seed) {
  copy_t c = {.bytes = 4u << test_random(seed) % 3,
              .step = (unsigned)(test_random(seed) % 9),
              .how = (read_t)(test_random(seed) % READ_WAYS)};
  c.l2 = c.bytes == 16 && test_random(seed) % 2;
  c.from = (unsigned)(test_random(seed) % 20), c.to = (unsigned)(test_random(seed) % 4);
  c.read = (unsigned)(test_random(seed) % (c.bytes + 1));
  c.even = test_random(seed) % 3 == 0, c.wide = test_random(seed) % 2, c.hints = test_random(seed) % 3 == 0;
  return c;
}

/* Bytes that thread i reads. */
static unsigned bytes_read(const copy_t *c, unsigned i) {
  switch (c->how) {
  case READ_CONSTANT: return c->read;
  case READ_REGISTER: return (i + c->read) % (c->bytes + 1);
  case READ_NOT: return i % 3 == 0 ? 0 : c->bytes;
  default: return c->bytes;
  }
}

/* The instruction of a copy, and the registers that it needs. */
static void say_copy(program_text_t *p, const copy_t *c) {
  say(p,
      "mul.lo.u32 %%r10, %%r0, %u; mad.wide.u32 %%d5, %%r10, %u, %%d1; mad.lo.u32 %%r6, %%r0, %u, %%r5; cvt.u64.u32 "
      "%%d6, %%r6;\n",
      c->step, c->bytes, 3 * c->bytes);
  if (c->how == READ_REGISTER) say(p, "add.u32 %%r7, %%r0, %u; rem.u32 %%r7, %%r7, %u;\n", c->read, c->bytes + 1);
  if (c->how == READ_NOT) say(p, "rem.u32 %%r7, %%r0, 3; setp.eq.u32 %%p1, %%r7, 0;\n");
  say(p, "and.b32 %%r8, %%r0, 1; setp.eq.u32 %%p2, %%r8, 0; mov.u64 %%d7, 0;\n");
  if (c->even) say(p, "@%%p2 ");
  say(p, "cp.async.%s.shared%s.global%s [%s+%u], [%%d5+%u], %u", c->l2 ? "cg" : "ca", c->wide ? "::cta" : "",
      c->hints ? ".L2::cache_hint.L2::128B" : "", c->wide ? "%d6" : "%r6", c->to * c->bytes, c->from * c->bytes,
      c->bytes);
  if (c->how == READ_CONSTANT) say(p, ", %u", c->read);
  if (c->how == READ_REGISTER) say(p, ", %%r7");
  if (c->how == READ_NOT) say(p, ", %%p1");
  say(p, "%s;\n", c->hints ? ", %d7" : "");
}

/* The same on the host: bytes that are not read become zero. */
static void do_copy(const bed_t *b, const copy_t *c, uint8_t *shared) {
  for (unsigned i = 0; i < THREADS; i++) {
    uint8_t *to = shared + (i * 3 + c->to) * c->bytes;
    if (c->even && i % 2) continue;
    memset(to, 0, c->bytes);
    memcpy(to, b->in + (i * c->step + c->from) * c->bytes, bytes_read(c, i));
  }
}

/* So many copies after each other, each awaited, by both ways of waiting in turn. */
static void check_copies(const gpu_config_t *config, unsigned count, uint64_t order, uint64_t *seed) {
  static bed_t b;
  static program_text_t p;
  uint8_t want[SHARED] = {0};
  unsigned issued = 0;
  memset(&b, 0, sizeof b);
  random_bytes(&b, seed);
  p.used = 0;
  say(&p, "%s", HEAD);
  for (unsigned n = 0; n < count; n++) {
    const copy_t c = draw_copy(seed);
    say_copy(&p, &c);
    do_copy(&b, &c, want);
    issued += 2; /* warps */
    if (n % 3 == 2) say(&p, "cp.async.commit_group;\n");
    /* others may go there, too */
    say(&p,
        n % 2 ? "cp.async.wait_all;\nbar.sync 0;\n" : "cp.async.commit_group;\ncp.async.wait_group 0;\nbar.sync 0;\n");
  }
  say_out(&p);
  b.order = order, b.unruly = order ? 30 : 0;
  if (run_ptx(&b, config, p.text, THREADS, IN)) fail_msg("%s\n%s", b.says, p.text);
  for (unsigned i = 0; i < SHARED; i++)
    if (b.out[i] != want[i]) fail_msg("byte %u is 0x%02x, not 0x%02x:\n%s", i, b.out[i], want[i], p.text);
  assert_int_equal(b.stats.async_copies, issued);
}

/* 300 programs of one to four copies. */
static void test_copies(void **state) {
  uint64_t seed = 3;
  const gpu_config_t c = rig_two_sms();
  (void)state;
  for (unsigned n = 0; n < 300; n++) check_copies(&c, 1 + n % 4, 0, &seed);
}

/* Six machines in turn: plain, one miss register, a small L1, pages from the host,
 * nodes whose packets overtake each other with a guard of 256 lines, and of two. */
static void test_machines(void **state) {
  uint64_t seed = 4;
  (void)state;
  for (unsigned n = 0; n < 60; n++) {
    gpu_config_t c = rig_two_sms();
    if (n % 6 == 1) c.l1.mshrs = 1, c.l1.merges = 1;
    if (n % 6 == 2) c.l1.bytes = 4096, c.sm.lsu_queue = 1, c.sm.max_loads = 4;
    if (n % 6 == 3) c.paging.demand = true, c.paging.latency = 50, c.paging.interval = 3;
    if (n % 6 >= 4) {
      c.num_sms = 6, c.num_stacks = 4, c.nodes = c.guard = true, c.map.mode = GPU_MAP_fixed, c.map.bit = 8,
      c.offload_policy = GPU_OFFLOAD_none;
      strcpy(c.sm.node_sms, "1,0,3,2");
      c.sm.guard_lines = n % 6 == 4 ? 256 : 2;
    }
    check_copies(&c, 4, n % 6 >= 4 ? n : 0, &seed);
  }
}

/* What lies behind the source does not have to be there, if it is not read. */
static void test_end(void **state) {
  static bed_t b;
  static program_text_t p;
  const gpu_config_t c = rig_two_sms();
  uint64_t seed = 5;
  (void)state;
  for (unsigned rest = 0; rest < 16; rest++) {
    const size_t bytes = 1024 - 16 + rest;
    uint8_t want[SHARED] = {0};
    random_bytes(&b, &seed);
    p.used = 0;
    say(&p,
        "%smad.wide.u32 %%d5, %%r0, 16, %%d1; mad.lo.u32 %%r6, %%r0, 16, %%r5; setp.eq.u32 %%p1, %%r0, 63; selp.u32 "
        "%%r7, %u, 16, %%p1;\n",
        HEAD, rest);
    say(&p, "cp.async.ca.shared.global [%%r6], [%%d5], 16, %%r7;\ncp.async.wait_all;\n");
    say_out(&p);
    memcpy(want, b.in, bytes);
    if (run_ptx(&b, &c, p.text, THREADS, bytes)) fail_msg("%s", b.says);
    assert_memory_equal(b.out, want, SHARED);
  }
}

/* ---- Groups ---------------------------------------------------------------------------------- */

/* Cycles that the waiting takes, with a line in L1 that is copied
 * in the first group and others that are not in the second. */
static unsigned wait_cycles(const char *wait) {
  static bed_t b;
  static program_text_t p;
  uint32_t cycles;
  const gpu_config_t c = rig_two_sms();
  p.used = 0;
  say(&p,
      "%smad.wide.u32 %%d5, %%r0, 16, %%d1; mad.lo.u32 %%r6, %%r0, 16, %%r5; ld.global.v4.u32 {%%r10, %%r11, %%r12, "
      "%%r13}, [%%d5];\n",
      HEAD);
  say(&p, "add.u32 %%r14, %%r10, %%r11; membar.gl; mov.u32 %%r20, %%clock;\n");
  say(&p, "cp.async.ca.shared.global [%%r6], [%%d5], 16;\ncp.async.commit_group;\n");
  say(&p, "cp.async.ca.shared.global [%%r6+1024], [%%d5+4096], 16;\ncp.async.commit_group;\n%s;\n", wait);
  say(&p, "mov.u32 %%r21, %%clock; sub.u32 %%r21, %%r21, %%r20; cp.async.wait_all; st.shared.u32 [%%r6], %%r21;\n");
  say_out(&p);
  if (run_ptx(&b, &c, p.text, 32, IN)) fail_msg("%s", b.says);
  memcpy(&cycles, b.out, 4);
  return cycles;
}

/* Of two groups: a wait for two leaves none to
 * wait for, for one the first, for none both. */
static void test_groups(void **state) {
  const gpu_config_t c = rig_two_sms();
  (void)state;
  const unsigned none = wait_cycles("cp.async.wait_group 2"), first = wait_cycles("cp.async.wait_group 1"),
                 both = wait_cycles("cp.async.wait_group 0");
  /* nothing to wait for; a hit in the L1; the way to memory */
  assert_true(none < 20);
  assert_true(first >= c.l1.latency && first < 3 * c.l1.latency);
  assert_true(both > first + c.l1.latency);
  assert_int_equal(wait_cycles("cp.async.wait_all"), both);
  assert_int_equal(wait_cycles("cp.async.wait_group 1000000"), none);
}

/* Four stages, of which the next three are on their way while a thread
 * adds up the oldest one; stages beyond the last are empty groups. */
static void test_pipeline(void **state) {
  static bed_t b;
  static program_text_t p;
  uint64_t seed = 6;
  const gpu_config_t c = rig_two_sms();
  (void)state;
  random_bytes(&b, &seed);
  p.used = 0;
  say(&p,
      "%smad.wide.u32 %%d5, %%r0, 4, %%d1; mad.lo.u32 %%r6, %%r0, 4, %%r5; mov.u32 %%r10, 0; mov.u32 %%r11, 0; "
      "mov.u32 %%r12, 0;\n",
      HEAD);
  say(&p, "AHEAD: mad.lo.u32 %%r13, %%r11, 256, %%r6;\ncp.async.ca.shared.global [%%r13], [%%d5], 4;\n"
          "cp.async.commit_group;\n");
  say(&p, "add.u64 %%d5, %%d5, 256; add.u32 %%r11, %%r11, 1; setp.lt.u32 %%p1, %%r11, 3;\n@%%p1 bra AHEAD;\n");
  say(&p, "STAGE: and.b32 %%r14, %%r11, 3; mad.lo.u32 %%r13, %%r14, 256, %%r6; setp.lt.u32 %%p1, %%r11, 64;\n");
  say(&p, "@%%p1 cp.async.ca.shared.global [%%r13], [%%d5], 4;\ncp.async.commit_group;\ncp.async.wait_group 3;\n");
  say(&p,
      "and.b32 %%r14, %%r10, 3; mad.lo.u32 %%r13, %%r14, 256, %%r6; ld.shared.u32 %%r15, [%%r13]; mad.lo.u32 %%r12, "
      "%%r12, 31, %%r15;\n");
  say(&p, "add.u64 %%d5, %%d5, 256; add.u32 %%r11, %%r11, 1; add.u32 %%r10, %%r10, 1; setp.lt.u32 %%p2, %%r10, 64;\n"
          "@%%p2 bra STAGE;\n");
  say(&p, "bar.sync 0; st.shared.u32 [%%r6], %%r12;\n");
  say_out(&p);
  if (run_ptx(&b, &c, p.text, THREADS, IN)) fail_msg("%s", b.says);
  for (unsigned i = 0; i < THREADS; i++) {
    uint32_t sum = 0, word, is;
    for (unsigned s = 0; s < 64; s++) memcpy(&word, b.in + 256 * s + 4 * i, 4), sum = sum * 31 + word;
    memcpy(&is, b.out + 4 * i, 4);
    assert_int_equal(is, sum);
  }
}

/* Threads on two paths, each with a group of its own. */
static void test_diverged(void **state) {
  static bed_t b;
  static program_text_t p;
  uint64_t seed = 7;
  const gpu_config_t c = rig_two_sms();
  (void)state;
  random_bytes(&b, &seed);
  p.used = 0;
  say(&p,
      "%smad.wide.u32 %%d5, %%r0, 16, %%d1; mad.lo.u32 %%r6, %%r0, 16, %%r5; setp.lt.u32 %%p1, %%r1, 11;\n"
      "@%%p1 bra FEW;\n",
      HEAD);
  say(&p, "cp.async.cg.shared.global [%%r6], [%%d5], 16;\ncp.async.commit_group;\nbra.uni MEET;\n");
  say(&p, "FEW: cp.async.ca.shared.global [%%r6], [%%d5+8192], 16;\ncp.async.commit_group;\n"
          "MEET: cp.async.wait_group 0;\n");
  say(&p, "ld.shared.v4.u32 {%%r10, %%r11, %%r12, %%r13}, [%%r6]; st.shared.v4.u32 [%%r6+2048], {%%r10, %%r11, %%r12, "
          "%%r13};\n");
  say_out(&p);
  if (run_ptx(&b, &c, p.text, THREADS, IN)) fail_msg("%s", b.says);
  for (unsigned i = 0; i < THREADS; i++)
    assert_memory_equal(b.out + 2048 + 16 * i, b.in + 16 * i + (i % 32 < 11 ? 8192 : 0), 16);
}

/* Without a wait, a load reads what was there; and a block that ends
 * with copies under way harms none that has its memory next. */
static void test_not_awaited(void **state) {
  static bed_t b;
  static program_text_t p;
  uint64_t seed = 8;
  const uint8_t nothing[OUT] = {0};
  gpu_config_t c = rig_two_sms();
  (void)state;
  random_bytes(&b, &seed);
  p.used = 0;
  say(&p,
      "%smad.wide.u32 %%d5, %%r0, 16, %%d1; mad.lo.u32 %%r6, %%r0, 16, %%r5; cp.async.cg.shared.global [%%r6], "
      "[%%d5], 16;\n",
      HEAD);
  say(&p, "ld.shared.v4.u32 {%%r10, %%r11, %%r12, %%r13}, [%%r6]; cp.async.wait_all; st.shared.v4.u32 [%%r6], {%%r10, "
          "%%r11, %%r12, %%r13};\n");
  say_out(&p);
  if (run_ptx(&b, &c, p.text, THREADS, IN)) fail_msg("%s", b.says);
  assert_memory_equal(b.out, nothing, OUT);

  p.used = 0;
  say(&p,
      "%smad.wide.u32 %%d5, %%r0, 16, %%d1; mad.lo.u32 %%r6, %%r0, 16, %%r5; and.b32 %%r7, %%r2, 1; setp.eq.u32 %%p1, "
      "%%r7, 0;\n",
      HEAD);
  say(&p, "@%%p1 cp.async.cg.shared.global [%%r6], [%%d5], 16;\n@%%p1 exit;\n");
  say_out(&p);
  c.num_sms = 1, c.sm.ctas = 1;
  b.blocks = 8;
  memset(b.out, 0x5a, sizeof b.out);
  if (run_ptx(&b, &c, p.text, THREADS, IN)) fail_msg("%s", b.says);
  for (unsigned block = 1; block < 8; block += 2) assert_memory_equal(b.out + block * OUT, nothing, OUT);
  assert_int_equal(b.stats.async_copies, 8);
}

/* ---- What it costs --------------------------------------------------------------------------- */

/* lines: distinct lines of 128 bytes that the threads read. conflicts: 32
 * banks of a word, and the bank with the most words takes a cycle for each
 * but the first. 32 threads of 16 bytes write 128 words, four a bank;
 * words 128 bytes apart are all in one bank; 8 bytes each are 64 words,
 * two a bank. The last row reads nothing and writes zeros all the same. */
static void test_cost(void **state) {
  static const struct {
    const char *code;
    unsigned lines, conflicts;
  } row[] = {
      {"mad.wide.u32 %d5, %r0, 16, %d1; mad.lo.u32 %r6, %r0, 16, %r5; cp.async.ca.shared.global [%r6], [%d5], 16;", 4,
       3},
      {"mad.wide.u32 %d5, %r0, 4, %d1; mad.lo.u32 %r6, %r0, 4, %r5; cp.async.ca.shared.global [%r6], [%d5], 4;", 1, 0},
      {"mad.wide.u32 %d5, %r0, 4, %d1; mad.lo.u32 %r6, %r0, 128, %r5; cp.async.ca.shared.global [%r6], [%d5], 4;", 1,
       31},
      {"mad.wide.u32 %d5, %r0, 128, %d1; mad.lo.u32 %r6, %r0, 8, %r5; cp.async.ca.shared.global [%r6], [%d5], 8;", 32,
       1},
      {"mad.wide.u32 %d5, %r0, 128, %d1; mad.lo.u32 %r6, %r0, 8, %r5; cp.async.ca.shared.global [%r6], [%d5], 8, 0;", 0,
       1}};
  static program_text_t p;
  (void)state;
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    static bed_t b;
    const gpu_config_t c = rig_two_sms();
    p.used = 0;
    say(&p, "%s%s\nret;\n}\n", HEAD, row[i].code);
    if (run_ptx(&b, &c, p.text, 32, IN)) fail_msg("%s", b.says);
    if (b.stats.lines_accessed != row[i].lines || b.stats.shared_conflicts != row[i].conflicts)
      fail_msg("'%s': %llu lines, %llu conflicts", row[i].code, (unsigned long long)b.stats.lines_accessed,
               (unsigned long long)b.stats.shared_conflicts);
  }
}

/* ---- What is refused, what faults ------------------------------------------------------------ */

/* A launch that ends with status 2 and says so. */
static void check_wrong(const char *code, const char *says) {
  static bed_t b;
  static program_text_t p;
  const gpu_config_t c = rig_two_sms();
  p.used = 0;
  say(&p, "%s%s\nret;\n}\n", HEAD, code);
  assert_int_equal(run_ptx(&b, &c, p.text, 32, IN), 2);
  if (!strstr(b.says, says)) fail_msg("'%s', not '%s'", b.says, says);
}

/* First what is refused when the kernel is decoded, then what stops a running one. */
static void test_wrong(void **state) {
  (void)state;
  check_wrong("cp.async.cg.shared.global [%r5], [%d1], 8;", "a size other than 16");
  check_wrong("cp.async.ca.shared.global [%r5], [%d1], 12;", "a size other than 4, 8 and 16");
  check_wrong("cp.async.ca.shared.global [%r5], [%d1], %r1;", "a size other than 4, 8 and 16");
  check_wrong("cp.async.ca.shared::cluster.global [%r5], [%d1], 16;", "form");
  check_wrong("cp.async.shared.global [%r5], [%d1], 16;", "form");
  check_wrong("cp.async.ca.shared.global [%r5], [%d1];", "form");
  check_wrong("cp.async.ca.shared.global [%r5], [%d1], 16, %r1, %d1;", "form");
  check_wrong("cp.async.ca.shared.global [%r5], [sh], 16;", "out of bounds of every allocation");
  check_wrong("cp.async.wait_group;", "form");
  check_wrong("cp.async.wait_group %r1;", "a number of groups that is none");
  check_wrong("cp.async.wait_group -1;", "a number of groups that is none");
  check_wrong("cp.async.wait_all 1;", "form");
  check_wrong("cp.async.commit_group.shared;", "form");
  check_wrong("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%d1], 16, [%r5];",
              "copies in bulk, or to an mbarrier");
  check_wrong("cp.async.mbarrier.arrive.shared.b64 [%r5];", "copies in bulk, or to an mbarrier");
  check_wrong("cp.async.ca.shared.global [%r5], [%d1], 16, 17;", "reads more bytes than it copies");
  check_wrong("cp.async.ca.shared.global [%r5+4], [%d1], 8;", "writes 8 bytes at address 0x4, which is not aligned");
  check_wrong("cp.async.ca.shared.global [%r5+4096], [%d1], 4;",
              "writes 4 bytes at address 0x1000, out of bounds of its shared memory");
  check_wrong("cp.async.ca.shared.global [%r5], [%d1+4], 8;", "which is not aligned");
  check_wrong("cp.async.ca.shared.global [%r5], [%d1+4], 8, 3;", "which is not aligned");
  check_wrong("cp.async.ca.shared.global [%r5], [%d1+1048576], 8;", "reads 8 bytes");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_copies),      cmocka_unit_test(test_machines), cmocka_unit_test(test_end),
      cmocka_unit_test(test_groups),      cmocka_unit_test(test_pipeline), cmocka_unit_test(test_diverged),
      cmocka_unit_test(test_not_awaited), cmocka_unit_test(test_cost),     cmocka_unit_test(test_wrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
