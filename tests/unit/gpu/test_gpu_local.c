/* SPDX-License-Identifier: Apache-2.0
 *
 * Local memory and constants on a GPU with ideal stacks. Random programs of loads and stores of all
 * widths, at addresses of the instruction and of each thread's own, local and generic, are held to
 * arrays of bytes here, on machines with little of everything; then lines by count, what faults,
 * room.
 */
#include <stdio.h>
#include <string.h>

#include "gpu_rig.h"
#include "program_text.h"
#include "unit_test.h"

/* BLOCK is no multiple of 32: each block's last
 * warp has 16 threads. BYTES: of a thread's memory. */
enum { BLOCKS = 3, BLOCK = 80, THREADS = BLOCKS * BLOCK, BYTES = 96, STEPS = 48 };

/* ---- Programs -------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  unsigned bytes;
  bool sign;
} type_t;

static const type_t types[] = {{"u8", 1, false},  {"s8", 1, true},  {"u16", 2, false}, {"s16", 2, true},
                               {"u32", 4, false}, {"s32", 4, true}, {"u64", 8, false}};
enum { TYPES = sizeof types / sizeof *types };

/* Where: in the instruction, in a register, generic,
 * generic with every second thread's in global memory. */
typedef enum { DIRECT, REGISTER, GENERIC, MIXED, WHERES } where_t;

typedef struct {
  bool store;
  const type_t *type;
  unsigned vec, times, plus; /* thread t's place: (t * times + plus) modulo the places there are */
  where_t where;
  unsigned guard; /* threads with bit guard - 1; 0: all */
} step_t;

typedef struct {
  step_t step[STEPS];
  program_text_t out;
} program_t;

/* Places of this size that BYTES has. */
static unsigned places_of(const step_t *s) {
  return BYTES / (s->type->bytes * s->vec);
}

/* %d10: the thread's place, from the base register of `where`. */
static void say_address(program_t *p, const step_t *s) {
  if (s->where == DIRECT) return;
  say(&p->out, "mad.lo.u32 %%r5, %%r0, %u, %u; rem.u32 %%r5, %%r5, %u; mul.wide.u32 %%d10, %%r5, %u;\n", s->times,
      s->plus, places_of(s), s->type->bytes * s->vec);
  static const unsigned base[WHERES] = {[REGISTER] = 6, [GENERIC] = 7, [MIXED] = 8};
  say(&p->out, "add.u64 %%d10, %%d10, %%d%u;\n", base[s->where]);
}

/* Its registers: %r10 and on, or %d11 and on. */
static void say_access(program_t *p, const step_t *s) {
  static const char *const vectors[] = {"", "", ".v2", "", ".v4"};
  char list[80] = "", where[40] = "[%d10]";
  for (unsigned k = 0; k < s->vec; k++)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%%%c1%u", k ? ", " : "",
             s->type->bytes == 8 ? 'd' : 'r', k + 1);
  if (s->where == DIRECT) snprintf(where, sizeof where, "[bytes+%u]", s->plus % places_of(s) * s->type->bytes * s->vec);
  if (s->guard) say(&p->out, "@%%p%u ", s->guard);
  say(&p->out, "%s%s%s.%s ", s->store ? "st" : "ld", s->where < GENERIC ? ".local" : "", vectors[s->vec],
      s->type->name);
  if (s->store) say(&p->out, "%s, {%s};\n", where, list);
  else say(&p->out, "{%s}, %s;\n", list, where);
}

/* Element k of what is stored: the sum so far and k; what is loaded comes into the sum. */
static void say_step(program_t *p, const step_t *s) {
  const bool wide = s->type->bytes == 8;
  say_address(p, s);
  for (unsigned k = 0; k < s->vec; k++) {
    if (!s->store) say(&p->out, wide ? "mov.u64 %%d1%u, 0;\n" : "mov.u32 %%r1%u, 0;\n", k + 1);
    else if (wide) say(&p->out, "add.u64 %%d1%u, %%d9, %u;\n", k + 1, k);
    else say(&p->out, "cvt.u32.u64 %%r1%u, %%d9; add.u32 %%r1%u, %%r1%u, %u;\n", k + 1, k + 1, k + 1, k);
  }
  say_access(p, s);
  for (unsigned k = 0; k < s->vec && !s->store; k++) {
    if (!wide) say(&p->out, "cvt.%s %%d1%u, %%r1%u;\n", s->type->sign ? "s64.s32" : "u64.u32", k + 1, k + 1);
    say(&p->out, "mad.lo.u64 %%d9, %%d9, 31, %%d1%u;\n", k + 1);
  }
}

/* A random program. %d9 is the sum, %p1 to %p4 are the thread number's low bits. */
static void make_program(program_t *p, uint64_t *random) {
  p->out.used = 0;
  say(&p->out,
      ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u64 global, .param .u64 out)\n{\n"
      ".local .align 16 .b8 bytes[%u];\n",
      BYTES);
  say(&p->out,
      ".reg .pred %%p<6>; .reg .b32 %%r<20>; .reg .b64 %%d<20>;\n"
      "mov.u32 %%r1, %%ctaid.x; mov.u32 %%r2, %%tid.x; mad.lo.u32 %%r0, %%r1, %u, %%r2;\n",
      BLOCK);
  say(&p->out,
      "ld.param.u64 %%d1, [global]; mad.wide.u32 %%d1, %%r0, %u, %%d1; ld.param.u64 %%d2, [out]; mad.wide.u32 %%d2, "
      "%%r0, 8, %%d2;\n",
      BYTES);
  say(&p->out, "mov.u64 %%d6, bytes; cvta.local.u64 %%d7, %%d6;\ncvt.u64.u32 %%d9, %%r0;\n");
  for (unsigned i = 0; i < 4; i++)
    say(&p->out, "shr.u32 %%r3, %%r0, %u; and.b32 %%r3, %%r3, 1; setp.ne.u32 %%p%u, %%r3, 0;\n", i, i + 1);
  say(&p->out, "selp.b64 %%d8, %%d1, %%d7, %%p1;\nmov.u64 %%d10, 0;\n");
  for (unsigned i = 0; i < BYTES; i += 8) say(&p->out, "st.local.u64 [bytes+%u], %%d10;\n", i);
  for (unsigned i = 0; i < STEPS; i++) {
    step_t *s = &p->step[i];
    *s = (step_t){.store = test_random(random) % 2,
                  .type = &types[test_random(random) % TYPES],
                  .where = test_random(random) % WHERES};
    do s->vec = 1u << test_random(random) % 3;
    while (s->vec * s->type->bytes > 16);
    s->times = (unsigned)(test_random(random) % 4 * 7), s->plus = (unsigned)(test_random(random) % 64);
    s->guard = test_random(random) % 3 ? 0 : 1 + (unsigned)(test_random(random) % 4);
    say_step(p, s);
  }
  say(&p->out, "st.global.u64 [%%d2], %%d9;\nret;\n}\n");
}

/* ---- Their results --------------------------------------------------------------------------- */

/* An element as a register of 64 bits has it. */
static uint64_t little_endian(const uint8_t *at, const type_t *t) {
  uint64_t x = 0;
  for (unsigned i = 0; i < t->bytes; i++) x |= (uint64_t)at[i] << 8 * i;
  if (t->sign && x >> (8 * t->bytes - 1)) x |= ~UINT64_C(0) << 8 * t->bytes;
  return x;
}

/* Thread t on the host. Local memory is zero at
 * first, `global` is what its part of the buffer has. */
static uint64_t expected_sum(const program_t *p, unsigned t, uint8_t *global) {
  uint8_t local[BYTES] = {0};
  uint64_t sum = t;
  for (unsigned i = 0; i < STEPS; i++) {
    const step_t *s = &p->step[i];
    const unsigned size = s->type->bytes,
                   place = (s->where == DIRECT ? s->plus : t * s->times + s->plus) % places_of(s);
    const bool does = !s->guard || t >> (s->guard - 1) & 1;
    uint8_t *at = (s->where == MIXED && t & 1 ? global : local) + place * size * s->vec;
    const uint64_t from = sum;
    for (unsigned k = 0; k < s->vec; k++) {
      if (!s->store) sum = sum * 31 + (does ? little_endian(at + k * size, s->type) : 0);
      for (unsigned b = 0; b < size && s->store && does; b++) at[k * size + b] = (uint8_t)((from + k) >> 8 * b);
    }
  }
  return sum;
}

/* ---- Machines -------------------------------------------------------------------------------- */

/* Machines that the programs run on: each has little of something. */
static void plain(gpu_config_t *c) {
  (void)c;
}
static void ideal(gpu_config_t *c) {
  c->local_ideal = c->constant.ideal = true;
}
static void one_miss(gpu_config_t *c) {
  c->l1.mshrs = c->l1.merges = 1;
}
static void small_cache(gpu_config_t *c) {
  c->l1.bytes = 512, c->l1.ways = 1, c->sm.lsu_queue = 1, c->sm.max_loads = 4;
}
static void thin(gpu_config_t *c) {
  c->xbar.bytes = 16, c->xbar.in_queue = c->xbar.out_queue = 2, c->link_queue = 2, c->l2.bytes = 4096,
  c->l2.mshrs = c->l2.merges = 2;
}
static void pages(gpu_config_t *c) {
  c->paging.demand = true, c->paging.latency = 50, c->paging.interval = 3;
}
static void one_warp(gpu_config_t *c) {
  c->sm.ctas = 1;
}
static void nodes(gpu_config_t *c) {
  c->num_stacks = 4, c->nodes = c->guard = true;
  strcpy(c->sm.node_sms, "1,1,0,0");
}

static const struct {
  const char *name;
  void (*set)(gpu_config_t *c);
  unsigned random, unruly;
} machines[] = {
    {"plain", plain, 0, 0}, {"ideal", ideal, 0, 0}, {"one miss", one_miss, 0, 0}, {"small cache", small_cache, 0, 0},
    {"thin", thin, 0, 0},   {"pages", pages, 0, 0}, {"late", plain, 5, 0},        {"one block", one_warp, 0, 0},
    {"nodes", nodes, 0, 40}};

/* To its end; an error fails the test. */
static void run_launch(gpu_rig_t *r, const gpu_launch_t *l) {
  if (rig_run(r, l, 4000000)) fail_msg("%s", r->err.text);
}

/* Twice: the second launch finds in local memory what the first one left. */
static void expect_program(const program_t *p, unsigned machine) {
  static uint8_t global[THREADS][BYTES], want[THREADS][BYTES], got[THREADS][BYTES];
  uint64_t sums[THREADS];
  trouble_t err = {0};
  gpu_config_t c = rig_two_sms();
  machines[machine].set(&c);
  gpu_rig_t *r = rig_new(&c, p->out.text, p->out.used, "local.ptx", false);
  if (r->err.kind) fail_msg("%s", r->err.text);
  r->random = machines[machine].random, r->unruly = machines[machine].unruly, r->unruly_random = 7;
  const uint64_t params[] = {gpu_malloc(r->gpu, sizeof global, &err), gpu_malloc(r->gpu, sizeof sums, &err)};
  const gpu_launch_t l = {
      .grid = {BLOCKS, 1, 1}, .block = {BLOCK, 1, 1}, .params = params, .param_bytes = sizeof params};
  memset(want, 0, sizeof want);
  assert_int_equal(gpu_copy_in(r->gpu, params[0], global, sizeof global, &err), 0);
  for (unsigned n = 0; n < 2; n++) {
    run_launch(r, &l);
    assert_int_equal(gpu_copy_out(r->gpu, sums, params[1], sizeof sums, &err), 0);
    for (unsigned t = 0; t < THREADS; t++)
      if (sums[t] != expected_sum(p, t, want[t]))
        fail_msg("%s, launch %u: thread %u is wrong\n%s", machines[machine].name, n, t, p->out.text);
  }
  assert_int_equal(gpu_copy_out(r->gpu, got, params[0], sizeof got, &err), 0);
  assert_memory_equal(got, want, sizeof got);
  assert_int_equal(packet_pool_live(r->pool), 0);
  assert_true((gpu_stats(r->gpu).local_lines == 0) == c.local_ideal);
  rig_free(r);
}

/* Six programs on nine machines. */
static void test_programs(void **state) {
  static program_t p;
  uint64_t random = 11;
  (void)state;
  for (unsigned i = 0; i < 6; i++) {
    make_program(&p, &random);
    for (unsigned m = 0; m < sizeof machines / sizeof *machines; m++) expect_program(&p, m);
  }
}

/* ---- Small kernels --------------------------------------------------------------------------- */

#define HEAD ".version 6.0\n.target sm_60\n.address_size 64\n"
/* Thread t: in[t] in %r1, its address in `bytes` %d4, generic %d5; %r10 to out[t]. */
#define KERNEL(name, locals, code)                                                                                 \
  ".visible .entry " name "(.param .u64 in, .param .u64 out)\n{\n" locals                                          \
  ".reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %d<20>;\n"                                                        \
  "ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; mov.u32 %r0, %tid.x;\n"                                        \
  "mad.wide.u32 %d1, %r0, 4, %d1; mad.wide.u32 %d2, %r0, 4, %d2; ld.global.u32 %r1, [%d1]; cvt.u64.u32 %d3, %r1; " \
  "mov.u32 %r10, 0;\n" code "\nst.global.u32 [%d2], %r10;\nret;\n}\n"
#define LOCAL(code)                                       \
  HEAD KERNEL("k", ".local .align 16 .b8 bytes[1024];\n", \
              "mov.u64 %d4, bytes; add.u64 %d4, %d4, %d3; cvta.local.u64 %d5, %d4;\n" code)
#define CONSTANT(code)                                \
  HEAD ".const .align 4 .u32 numbers[600];\n" KERNEL( \
      "k", "", "mov.u64 %d4, numbers; add.u64 %d4, %d4, %d3; cvta.const.u64 %d5, %d4;\n" code)

typedef struct {
  gpu_rig_t *rig;
  uint64_t params[2];
  uint32_t in[64], out[64];
} bed_t;

/* A machine with a kernel of KERNEL and its two buffers. */
static void open_bed(bed_t *b, const gpu_config_t *c, const char *ptx) {
  trouble_t err = {0};
  memset(b, 0, sizeof *b);
  b->rig = rig_new(c, ptx, strlen(ptx), "local.ptx", false);
  if (b->rig->err.kind) fail_msg("%s", b->rig->err.text);
  for (unsigned i = 0; i < 2; i++) b->params[i] = gpu_malloc(b->rig->gpu, sizeof b->in, &err);
}

/* in[] to memory, a launch of one block, out[] back. 0, or the exit status. */
static int run_bed(bed_t *b, const char *kernel, unsigned threads) {
  trouble_t err = {0};
  const gpu_launch_t l = {.kernel = kernel,
                          .grid = {1, 1, 1},
                          .block = {threads, 1, 1},
                          .params = b->params,
                          .param_bytes = sizeof b->params};
  assert_int_equal(gpu_copy_in(b->rig->gpu, b->params[0], b->in, sizeof b->in, &err), 0);
  const int status = rig_run(b->rig, &l, 1000000);
  if (!status) assert_int_equal(gpu_copy_out(b->rig->gpu, b->out, b->params[1], sizeof b->out, &err), 0);
  return status;
}

/* Kernel k, without an error. */
static void expect_run(bed_t *b, unsigned threads) {
  if (run_bed(b, "k", threads)) fail_msg("%s", b->rig->err.text);
}

/* A line for each word that some thread wants, of those of its bytes one after the other:
 * a warp's words with one number lie in one line of 128 bytes. 32 threads 8 bytes apart
 * want 64 words. The last row's second load hits the 32 lines that its first one missed. */
static void test_lines(void **state) {
  static const struct {
    const char *code;
    unsigned step, lines, accesses, hits; /* thread t is at byte t * step */
  } row[] = {
      {"st.local.u32 [%d4], %r0;", 0, 1, 1, 0},
      {"ld.local.u8 %r2, [%d4];", 0, 1, 1, 0},
      {"ld.local.u64 %d7, [%d4];", 0, 2, 1, 0},
      {"ld.local.v4.u32 {%r2, %r3, %r4, %r5}, [%d4];", 0, 4, 1, 0},
      {"ld.local.v4.u8 {%r2, %r3, %r4, %r5}, [%d4];", 0, 1, 1, 0},
      {"ld.local.v2.u16 {%r2, %r3}, [%d4];", 16, 32, 1, 0},
      {"ld.local.u32 %r2, [%d4];", 4, 32, 1, 0},
      {"ld.local.u8 %r2, [%d4];", 1, 8, 1, 0},
      {"st.local.u64 [%d4], %d4;", 8, 64, 1, 0},
      {"ld.u64 %d7, [%d5];", 8, 64, 1, 0},
      {"ld.local.u32 %r2, [%d4]; add.u32 %r3, %r2, 1; bar.sync 0; st.local.u32 [%d4], %r0; ld.local.u32 %r10, [%d4];",
       4, 96, 3, 32}};
  (void)state;
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    bed_t b;
    char ptx[4000];
    const gpu_config_t c = rig_two_sms();
    snprintf(ptx, sizeof ptx, "%s", LOCAL("CODE"));
    char *at = strstr(ptx, "CODE");
    snprintf(at, sizeof ptx - (size_t)(at - ptx), "%s%s", row[i].code, strstr(LOCAL("CODE"), "CODE") + 4);
    open_bed(&b, &c, ptx);
    for (unsigned t = 0; t < 32; t++) b.in[t] = t * row[i].step;
    expect_run(&b, 32);
    const gpu_stats_t s = gpu_stats(b.rig->gpu);
    if (s.local_lines != row[i].lines || s.local_accesses != row[i].accesses || s.l1_hits != row[i].hits)
      fail_msg("%s: %u lines, %u accesses, %u hits", row[i].code, (unsigned)s.local_lines, (unsigned)s.local_accesses,
               (unsigned)s.l1_hits);
    rig_free(b.rig);
  }
}

/* A cycle for each address; the first reader of a line waits for memory,
 * others hit; what the host changes is seen by the next launch. Conflicts:
 * two loads in two launches, each a cycle for every address after the first. */
static void test_constants(void **state) {
  static const struct {
    unsigned times, addresses, lines; /* misses of a launch */
    unsigned least, most;             /* and where there is room for one line, which is whichever came last */
  } row[] = {{0, 1, 1, 1, 1}, {4, 32, 2, 2, 2}, {64, 32, 16, 17, 32}, {8, 32, 2, 3, 4}};
  (void)state;
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++)
    for (unsigned tiny = 0; tiny < 2; tiny++) {
      bed_t b;
      gpu_config_t c = rig_two_sms();
      if (tiny) c.constant.bytes = 128, c.constant.ways = 1;
      open_bed(
          &b, &c,
          CONSTANT(
              "ld.const.u32 %r2, [%d4]; add.u32 %r10, %r2, 1; bar.sync 0; ld.const.u32 %r3, [%d4+4]; add.u32 %r10, "
              "%r10, %r3;"));
      uint32_t numbers[600];
      for (unsigned n = 0; n < 2; n++) {
        for (unsigned k = 0; k < 600; k++) numbers[k] = k * k + n;
        memcpy(gpu_variables(b.rig->gpu, b.rig->module)->const_segment, numbers, sizeof numbers);
        for (unsigned t = 0; t < 32; t++) b.in[t] = t * row[i].times;
        expect_run(&b, 32);
        for (unsigned t = 0; t < 32; t++)
          assert_int_equal(b.out[t], numbers[b.in[t] / 4] + numbers[b.in[t] / 4 + 1] + 1);
      }
      const gpu_stats_t s = gpu_stats(b.rig->gpu);
      assert_int_equal(s.constant_conflicts, 4 * (row[i].addresses - 1));
      assert_in_range(s.constant_misses, 2 * (tiny ? row[i].least : row[i].lines),
                      2 * (tiny ? row[i].most : row[i].lines));
      if (row[i].times == 0) assert_int_equal(s.constant_hits, 2);
      rig_free(b.rig);
    }
}

/* By a generic address the L1 has it; ideal constants are in no cache. */
static void test_other_constants(void **state) {
  (void)state;
  for (unsigned i = 0; i < 3; i++) {
    bed_t b;
    gpu_config_t c = rig_two_sms();
    c.constant.ideal = i == 2;
    open_bed(&b, &c, i ? CONSTANT("ld.u32 %r10, [%d5];") : CONSTANT("ld.const.u32 %r10, [%d4];"));
    ((uint32_t *)(void *)gpu_variables(b.rig->gpu, b.rig->module)->const_segment)[3] = 77;
    for (unsigned t = 0; t < 32; t++) b.in[t] = 12;
    expect_run(&b, 32);
    for (unsigned t = 0; t < 32; t++) assert_int_equal(b.out[t], 77);
    const gpu_stats_t s = gpu_stats(b.rig->gpu);
    assert_int_equal(s.constant_misses, i == 0);
    assert_int_equal(s.l1_misses, i == 1 ? 2 : 1);
    rig_free(b.rig);
  }
}

/* Thread 5's offset is `at`, all others have 0.
 * Local memory has 1024 bytes, constants 2400. */
static void test_bad_addresses_stop_the_run(void **state) {
  static const struct {
    const char *ptx;
    unsigned at;
    const char *says;
  } row[] = {
      {LOCAL("ld.local.u32 %r10, [%d4];"), 6, "reads 4 bytes at address 0x6, which is not aligned"},
      {LOCAL("ld.local.u64 %d7, [%d4];"), 1024, "reads 8 bytes at address 0x400, out of bounds of its local memory"},
      {LOCAL("st.local.v2.u64 [%d4], {%d4, %d4};"), 1016, "which is not aligned"},
      {LOCAL("st.u32 [%d5+8], %r1;"), 1020, "writes 4 bytes at address 0x404, out of bounds of its local memory"},
      {LOCAL("setp.eq.u32 %p1, %r0, 5; @%p1 atom.add.u32 %r10, [%d5], 1;"), 8,
       "changes 4 bytes at address 0x8, which is local memory, that has no atomics"},
      {CONSTANT("ld.const.u32 %r10, [%d4];"), 2400,
       "reads 4 bytes at address 0x960, out of bounds of its constant memory"},
      {CONSTANT("ld.const.u32 %r10, [%d4];"), 2, "which is not aligned"},
      {CONSTANT("setp.eq.u32 %p1, %r0, 5; @%p1 st.u32 [%d5], %r1;"), 8,
       "writes 4 bytes at address 0x8, which is constant memory"}};
  (void)state;
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    bed_t b;
    const gpu_config_t c = rig_two_sms();
    open_bed(&b, &c, row[i].ptx);
    b.in[5] = row[i].at;
    assert_int_equal(run_bed(&b, "k", 32), 2);
    if (!strstr(b.rig->err.text, row[i].says)) fail_msg("'%s' is not in '%s'", row[i].says, b.rig->err.text);
    assert_non_null(strstr(b.rig->err.text, "tid 5,0,0"));
    rig_free(b.rig);
  }
}

/* A launch that needs more than there is gets it, and what finds no room says how much that was. */
static void test_room(void **state) {
  static const char ptx[] = HEAD KERNEL("few", ".local .align 4 .b8 bytes[8];\n",
                                        "st.local.u32 [bytes+4], %r1; ld.local.u32 %r10, [bytes+4];")
      KERNEL("many", ".local .align 4 .b8 bytes[4096];\n",
             "st.local.u32 [bytes+4092], %r1; ld.local.u32 %r10, [bytes+4092];")
          KERNEL("all", ".local .align 4 .b8 bytes[65536];\n", "st.local.u32 [bytes], %r1;");
  static const char *const kernels[] = {"few", "many", "few"};
  (void)state;
  bed_t b;
  gpu_config_t c = rig_two_sms();
  c.stack_bytes = 16 << 20;
  open_bed(&b, &c, ptx);
  for (unsigned n = 0; n < 3; n++) {
    for (unsigned t = 0; t < 64; t++) b.in[t] = 1000 * n + t;
    assert_int_equal(run_bed(&b, kernels[n], 64), 0);
    assert_memory_equal(b.out, b.in, sizeof b.in);
  }
  assert_int_equal(run_bed(&b, "all", 64), 2);
  if (!strstr(b.rig->err.text, "kernel all, local memory of 65536 bytes a thread: the stacks have no room for"))
    fail_msg("%s", b.rig->err.text);
  rig_free(b.rig);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs),
                                     cmocka_unit_test(test_lines),
                                     cmocka_unit_test(test_constants),
                                     cmocka_unit_test(test_other_constants),
                                     cmocka_unit_test(test_bad_addresses_stop_the_run),
                                     cmocka_unit_test(test_room)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
