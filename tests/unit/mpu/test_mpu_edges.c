/* SPDX-License-Identifier: Apache-2.0
 *
 * The MPU at its edges: what each of small kernels computes on machines of mpu_bed.h
 * (mpu_edges.def), faults and where they are said to be, allocations that just fit or have been
 * freed, launches after each other, what cores want of each other, engines that err.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_remote.h"
#include "lsu_ext.h"
#include "mpu_bed.h"
#include "mpu_map.h"
#include "unit_test.h"

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"
#define KERNEL(name, body)                                                          \
  ".visible .entry " name "(.param .u64 " name "_a, .param .u32 " name              \
  "_n)\n{\n.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<99>; .reg .b64 %d<9>;\n" \
  ".shared .align 16 .b8 sh[4096];\nld.param.u64 %d1, [" name                       \
  "_a];\nmov.u32 %r1, %tid.x;\nmad.wide.u32 %d2, %r1, 4, %d1;\n" body "\nret;\n}\n"

/* ---- Results --------------------------------------------------------------------------------- */

enum { INPUTS = 1024, WORDS = 2 * INPUTS };

#define MASKED(n) ((1u << (n)) - 1)
#define FOUR(a, b, c, d, at) "ld.global.v4.u32 {%r" #a ", %r" #b ", %r" #c ", %r" #d "}, [%d5+" #at "];\n"
#define ADD(a) "mad.lo.u32 %r0, %r0, 3, %r" #a ";\n"
#define ADD4(a, b, c, d) ADD(a) ADD(b) ADD(c) ADD(d)

/* For the row many_registers: 36 registers, folded in order. */
static uint32_t sum_of_36(const uint32_t *in, uint32_t t) {
  uint32_t sum = 0;
  for (unsigned k = 0; k < 36; k++) sum = 3 * sum + in[4 * t + 16 * (k / 4) + k % 4];
  return sum;
}

#define ROW(name, threads, body, expr)                            \
  static uint32_t expect_##name(const uint32_t *in, uint32_t t) { \
    const uint32_t x = in[t];                                     \
    (void)x;                                                      \
    return (uint32_t)(expr);                                      \
  }
#include "mpu_edges.def"
#undef ROW

typedef struct {
  const char *name, *ptx;
  uint32_t threads;
  uint32_t (*expect)(const uint32_t *in, uint32_t t);
  uint32_t dynamic; /* bytes of shared memory besides its own */
} row_t;

static row_t rows[] = {
#define ROW(name, threads, body, expr) \
  {#name, HEAD KERNEL("k", body "\nst.global.u32 [%d2+4096], %r0;"), threads, expect_##name, 0},
#include "mpu_edges.def"
#undef ROW
};
enum { ROWS = sizeof rows / sizeof *rows };

static void fill_inputs(uint32_t *data) {
  uint64_t seed = 77;
  for (unsigned i = 0; i < WORDS; i++) data[i] = i < INPUTS ? (uint32_t)test_random(&seed) : 0;
}

/* One row of mpu_edges.def on six machines. */
static void test_row(void **state) {
  const row_t *row = *state;
  /* every policy, shared memory near and far, all on the base die */
  static const unsigned machines[] = {0, 2, 4, 5, 6, BED_MACHINES - 1};
  for (unsigned k = 0; k < sizeof machines / sizeof *machines; k++) {
    const unsigned m = machines[k];
    static uint32_t in[WORDS], data[WORDS];
    fill_inputs(in);
    fill_inputs(data);
    mpu_config_t c = bed_machine(m);
    bed_t bed = {.ptx = row->ptx, .grid = {1, 1, 1}, .block = {row->threads, 1, 1}, .data = data, .bytes = sizeof data};
    if (bed_run(&bed, &c)) fail_msg("%s: %s", bed_machine_name(m), bed.error.text);
    for (uint32_t t = 0; t < row->threads; t++)
      if (data[INPUTS + t] != row->expect(in, t))
        fail_msg("%s: thread %u has 0x%x, not 0x%x", bed_machine_name(m), t, data[INPUTS + t], row->expect(in, t));
  }
}

/* ---- Faults ---------------------------------------------------------------------------------- */

/* An access below the buffer, the block and thread of
 * a three-dimensional launch, and shared memory's end. */
static void test_faults_and_their_places(void **state) {
  (void)state;
  static const struct {
    const char *ptx, *what;
    uint32_t grid[3], block[3];
  } row[] = {
      {HEAD KERNEL("k", "ld.global.u32 %r2, [%d1];\nld.global.u32 %r3, [%d1+-4];\nadd.u32 %r2, %r2, %r3;\n"
                        "st.global.u32 [%d1], %r2;"),
       "is out of bounds of every allocation",
       {1, 1, 1},
       {1, 1, 1}},
      {HEAD KERNEL("k", "ld.global.u64 %d3, [%d1];\nld.global.u64 %d4, [%d1+-8];\nadd.s64 %d3, %d3, %d4;\n"
                        "st.global.u64 [%d1], %d3;"),
       "is out of bounds of every allocation",
       {1, 1, 1},
       {1, 1, 1}},
      {HEAD KERNEL(
           "k", "mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ctaid.y;\nmad.lo.u32 %r3, %r4, 16, %r3;\nmov.u32 %r5, %tid.y;\n"
                "mov.u32 %r6, %tid.z;\n"
                "mad.lo.u32 %r5, %r5, 16, %r1;\nmad.lo.u32 %r5, %r6, 256, %r5;\nsetp.eq.u32 %p1, %r3, 18;\n"
                "setp.eq.and.u32 %p2, %r5, 531, %p1;\n"
                "@%p2 ld.global.u32 %r7, [%d1+4000000];\nst.global.u32 [%d2], %r7;"),
       "block (ctaid 2,1,0): 'ld.global.u32' of thread (tid 3,1,2): address 0x",
       {3, 2, 1},
       {4, 2, 3}},
      {HEAD KERNEL("k", "mov.u32 %r20, sh;\nmad.lo.u32 %r20, %r1, 4, %r20;\nst.shared.u32 [%r20+4000], %r1;"),
       "is outside of the block's shared memory",
       {1, 1, 1},
       {32, 1, 1}},
  };
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    static uint32_t data[WORDS];
    mpu_config_t c = bed_machine(0);
    bed_t bed = {.ptx = row[i].ptx, .data = data, .bytes = sizeof data};
    memcpy(bed.grid, row[i].grid, sizeof bed.grid);
    memcpy(bed.block, row[i].block, sizeof bed.block);
    if (bed_run(&bed, &c) != 2 || !strstr(bed.error.text, row[i].what))
      fail_msg("row %u: %d, '%s'", i, bed.error.kind, bed.error.text);
  }
}

/* ---- Where instructions run ------------------------------------------------------------------ */

/* Under the default policy an instruction without a source register runs far, all near: near. */
static void test_default_policy(void **state) {
  (void)state;
  static const char
      few[] = HEAD KERNEL("k", "st.global.u32 [%d2], %r1;"),
      more[] = HEAD KERNEL(
          "k", "mov.u32 %r2, 1;\nmov.u32 %r3, 2;\nmov.u32 %r4, 3;\nmov.u32 %r5, 4;\nst.global.u32 [%d2], %r1;");
  for (unsigned near = 0; near < 2; near++) {
    static uint32_t data[WORDS];
    mpu_stats_t stats[2];
    for (unsigned k = 0; k < 2; k++) {
      mpu_config_t c = bed_machine(0);
      c.policy = near ? MPU_ALL_NEAR : MPU_HW_DEFAULT;
      bed_t bed = {.ptx = k ? more : few, .grid = {1, 1, 1}, .block = {128, 1, 1}, .data = data, .bytes = sizeof data};
      if (bed_run(&bed, &c)) fail_msg("%s", bed.error.text);
      stats[k] = bed.stats;
    }
    assert_int_equal(stats[1].near_instructions - stats[0].near_instructions, near ? 16 : 0); /* four of each warp */
    assert_int_equal(stats[1].far_instructions - stats[0].far_instructions, near ? 0 : 16);
  }
}

/* Blocks that just fit in a core run beside each other: cycles are
 * those of a core with room for more, but not for one more. */
static uint64_t cycles_of(const row_t *row, const mpu_config_t *c) {
  static uint32_t data[WORDS];
  bed_t bed = {.ptx = row->ptx,
               .grid = {8, 1, 1},
               .block = {row->threads, 1, 1},
               .shared_bytes = row->dynamic,
               .data = data,
               .bytes = sizeof data};
  if (bed_run(&bed, c)) fail_msg("%s", bed.error.text);
  return bed.stats.cycles;
}

/* A row of mpu_edges.def by its name. */
static const row_t *find_row(const char *name) {
  unsigned i = 0;
  while (strcmp(rows[i].name, name)) i++;
  return &rows[i];
}

/* The machine of a system that names no figures. */
static void test_defaults(void **state) {
  (void)state;
  const mpu_config_t c = mpu_config_default();
  const unsigned is[] = {
      c.cubes_x,    c.cubes_y,          c.cores_x,          c.cores_y,           c.warps,       c.blocks,    c.net.vcs,
      c.net.depth,  c.net.mesh_latency, c.net.cube_latency, c.net.cube_interval, c.core_bytes,  c.blocks_to, c.batches,
      c.tsv_duplex, c.alu_latency,      c.collect_latency,  c.sfu_latency,       c.smem_latency};
  static const unsigned should_be[] = {4,    2,    4, 4, 4,  16, 2, 64, 1, 1, 2, 512, MPU_BLOCKS_BY_NUMBER,
                                       true, true, 1, 1, 57, 1};
  for (unsigned i = 0; i < sizeof is / sizeof *is; i++) assert_int_equal(is[i], should_be[i]);
}

static void test_just_fits(void **state) {
  (void)state;
  /* 4 KB of shared memory each; 64 and 128 threads */
  const row_t *small = find_row("last_shared_word"), *large = find_row("guarded_barrier");
  mpu_config_t c = bed_machine(0), more;
  c.cores_x = c.cores_y = 1;
  more = c;
  c.smem_bytes = 2 * 4096, more.smem_bytes = 3 * 4096 - 128;
  assert_int_equal(cycles_of(small, &c), cycles_of(small, &more));
  c.smem_bytes = more.smem_bytes = 65536;
  c.blocks = more.blocks = 2, c.warps = 2, more.warps = 3; /* four warps a block: one a subcore */
  assert_int_equal(cycles_of(large, &c), cycles_of(large, &more));
}

/* Shared memory is given out by 128 bytes: two blocks of 4096
 * and a byte do not fit where two of 4096 and 128 more do. */
static void test_shared_is_rounded(void **state) {
  (void)state;
  row_t odd = *find_row("last_shared_word");
  mpu_config_t c = bed_machine(0), alone;
  odd.dynamic = 1;
  c.cores_x = c.cores_y = 1;
  c.smem_bytes = 2 * 4096 + 128;
  alone = c;
  alone.blocks = 1;
  assert_int_equal(cycles_of(&odd, &c), cycles_of(&odd, &alone));
  c.smem_bytes += 128;
  assert_true(cycles_of(&odd, &c) < cycles_of(&odd, &alone));
}

#define SIX(op)                                                                                  \
  op " %d3, %d1, %d1;\n" op " %d4, %d1, %d1;\n" op " %d5, %d1, %d1;\n" op " %d6, %d1, %d1;\n" op \
     " %d7, %d1, %d1;\n" op " %d8, %d1, %d1;\n"

/* Double precision on the base die, four warps a subcore: an interval of one cycle is none, so that
 * additions take as long as those of integers; a longer one holds them back. */
static void test_double_interval(void **state) {
  (void)state;
  static const row_t integers = {"integers", HEAD KERNEL("k", SIX("add.s64")), 512, NULL, 0},
                     doubles = {"doubles", HEAD KERNEL("k", SIX("add.f64")), 512, NULL, 0};
  mpu_config_t c = bed_machine(BED_MACHINES - 1);
  assert_true(c.ponb);
  const uint64_t least = cycles_of(&integers, &c);
  c.dp_interval = 1;
  assert_int_equal(cycles_of(&doubles, &c), least);
  c.dp_interval = 4;
  assert_true(cycles_of(&doubles, &c) > least);
}

/* An access of shared memory that no thread does takes as long as one that one thread does. */
static void test_nobody_in_shared(void **state) {
  (void)state;
  static const row_t
      nobody =
          {"nobody",
           HEAD KERNEL(
               "k",
               "mov.u32 %r2, sh;\nsetp.eq.u32 %p1, %r1, 500;\n@%p1 ld.shared.u32 %r3, [%r2];\nadd.u32 %r4, %r3, 1;"),
           32, NULL, 0},
      somebody = {
          "somebody",
          HEAD KERNEL(
              "k", "mov.u32 %r2, sh;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 ld.shared.u32 %r3, [%r2];\nadd.u32 %r4, %r3, 1;"),
          32, NULL, 0};
  const mpu_config_t c = bed_machine(BED_MACHINES - 1);
  assert_int_equal(cycles_of(&nobody, &c), cycles_of(&somebody, &c));
}

/* All on the base die needs no near-bank register file. */
static void test_no_near_registers(void **state) {
  (void)state;
  static uint32_t data[WORDS];
  mpu_config_t c = bed_machine(BED_MACHINES - 1);
  assert_true(c.ponb);
  c.near_rf_bytes = 0;
  bed_t bed = {
      .ptx = rows[0].ptx, .grid = {1, 1, 1}, .block = {rows[0].threads, 1, 1}, .data = data, .bytes = sizeof data};
  if (bed_run(&bed, &c)) fail_msg("%s", bed.error.text);
}

/* ---- One machine, several calls -------------------------------------------------------------- */

/* Machine 0 with this module loaded. */
static void open_with(mpu_rig_t *rig, const char *ptx, ptx_module_t **module) {
  ptx_error_t bad = {0};
  mpu_config_t c = bed_machine(0);
  *module = ptx_parse(ptx, strlen(ptx), "edges.ptx", &bad);
  if (!*module) fail_msg("%s", bad.trouble.text);
  if (mpu_rig_open(rig, &c) || mpu_load(rig->mpu, *module, &rig->error)) fail_msg("%s", rig->error.text);
}

static void close_with(mpu_rig_t *rig, ptx_module_t *module) {
  mpu_rig_close(rig);
  ptx_free(module);
}

/* A launch whose only parameter that counts is the buffer. */
static void start_kernel(mpu_rig_t *rig, const char *kernel, uint64_t buffer, uint32_t blocks, uint32_t threads) {
  struct {
    uint64_t data;
    uint32_t n, pad;
  } params = {buffer, 0, 0};
  mpu_launch_t l = {.kernel = kernel,
                    .grid = {blocks, 1, 1},
                    .block = {threads, 1, 1},
                    .params = &params,
                    .param_bytes = sizeof params - sizeof params.pad};
  if (mpu_launch(rig->mpu, &l, &rig->error)) fail_msg("%s", rig->error.text);
}

/* A module's functions that are no kernels are not executed, whatever they have. A small kernel
 * first, then one with far more registers in more blocks: each gets files of its size. */
static const char two[] = HEAD
    ".func helper()\n{\n.reg .b32 %r<3>; .reg .b64 %d<3>;\nmov.u64 %d1, 0;\natom.global.add.u32 %r1, [%d1], 1;\nret;\n"
    "}\n" KERNEL("small", "mov.u64 %d3, %gridid;\nst.global.u64 [%d1], %d3;")
        KERNEL("large",
               "mad.wide.u32 %d5, %r1, 16, %d1;\nmov.u32 %r0, 0;\n" FOUR(20, 21, 22, 23, 0) FOUR(24, 25, 26, 27, 64)
                   FOUR(28, 29, 30, 31, 128) FOUR(32, 33, 34, 35, 192) FOUR(36, 37, 38, 39, 256)
                       FOUR(40, 41, 42, 43, 320) "bar.sync 0;\n" ADD4(20, 21, 22, 23) ADD4(24, 25, 26, 27)
                           ADD4(28, 29, 30, 31) ADD4(32, 33, 34, 35) ADD4(36, 37, 38, 39)
                               ADD4(40, 41, 42, 43) "mov.u32 %r2, %ctaid.x;\nmad.wide.u32 %d2, %r2, 512, %d2;\n"
                                                    "st.global.u32 [%d2+4096], %r0;");

static void test_launches(void **state) {
  (void)state;
  enum { BLOCKS = 16, THREADS = 128, ALL = INPUTS + BLOCKS * THREADS };
  static uint32_t data[ALL];
  mpu_rig_t rig;
  ptx_module_t *module;
  open_with(&rig, two, &module);
  uint64_t buffer = mpu_malloc(rig.mpu, sizeof data, &rig.error);
  start_kernel(&rig, "small", buffer, 1, 1);
  if (mpu_rig_run(&rig)) fail_msg("%s", rig.error.text);
  fill_inputs(data);
  assert_int_equal(mpu_copy_in(rig.mpu, buffer, data, sizeof data, &rig.error), 0);
  start_kernel(&rig, "large", buffer, BLOCKS, THREADS);
  if (mpu_rig_run(&rig)) fail_msg("%s", rig.error.text);
  assert_int_equal(mpu_copy_out(rig.mpu, data, buffer, sizeof data, &rig.error), 0);
  for (unsigned i = 0; i < BLOCKS * THREADS; i++) {
    uint32_t sum = 0;
    for (unsigned k = 0; k < 24; k++) sum = 3 * sum + data[4 * (i % THREADS) + 16 * (k / 4) + k % 4];
    if (data[INPUTS + i] != sum) fail_msg("thread %u: 0x%x, not 0x%x", i, data[INPUTS + i], sum);
  }
  close_with(&rig, module);
}

/* Every launch is a grid of its own. */
static void test_grids(void **state) {
  (void)state;
  mpu_rig_t rig;
  ptx_module_t *module;
  uint64_t grid[3];
  open_with(&rig, two, &module);
  uint64_t buffer = mpu_malloc(rig.mpu, sizeof *grid, &rig.error);
  for (unsigned i = 0; i < 3; i++) {
    start_kernel(&rig, "small", buffer, 1, 1);
    if (mpu_rig_run(&rig)) fail_msg("%s", rig.error.text);
    assert_int_equal(mpu_copy_out(rig.mpu, &grid[i], buffer, sizeof grid[i], &rig.error), 0);
    for (unsigned k = 0; k < i; k++) assert_true(grid[k] != grid[i]);
  }
  close_with(&rig, module);
}

/* A guard that is the kernel's first register is no source besides the three that the MPU takes. */
static void test_guard_is_no_source(void **state) {
  (void)state;
  mpu_rig_t rig;
  ptx_module_t *module;
  open_with(&rig,
            HEAD ".visible .entry k(.param .u64 a)\n{\n.reg .pred %p<2>; .reg .b32 %r<9>;\nsetp.lt.u32 %p1, 5, 7;\n"
                 "@%p1 mad.lo.u32 %r0, %r1, %r2, %r3;\nret;\n}\n",
            &module);
  close_with(&rig, module);
}

/* An allocation may end with the machine's memory; the first stripe is nobody's. */
static void test_all_memory(void **state) {
  (void)state;
  mpu_rig_t rig;
  ptx_module_t *module;
  open_with(&rig, two, &module);
  const mpu_config_t config = bed_machine(0); /* four cores */
  const mpu_map_t map = mpu_map(&config);
  const uint64_t total = mpu_map_bytes(map), stripe = 4 * 4096;
  assert_int_equal(mpu_malloc(rig.mpu, total - stripe + 1, &rig.error), 0);
  assert_int_equal(rig.error.kind, 2);
  rig.error = (trouble_t){0};
  assert_int_equal(mpu_malloc(rig.mpu, total - stripe, &rig.error), stripe);
  assert_int_equal(mpu_malloc(rig.mpu, 1, &rig.error), 0);
  close_with(&rig, module);
}

/* On a machine of 8 GB a module with 32-bit pointers has 4. */
static void test_pointers(void **state) {
  (void)state;
  for (unsigned wide = 0; wide < 2; wide++) {
    static const char *const texts[] = {".version 8.0\n.target sm_80\n.address_size 32\n", HEAD};
    mpu_rig_t rig;
    mpu_config_t c = bed_machine(0);
    ptx_error_t bad = {0};
    ptx_module_t *module = ptx_parse(texts[wide], strlen(texts[wide]), "edges.ptx", &bad);
    assert_non_null(module);
    c.cubes_x = 2, c.cores_x = c.cores_y = 4;
    if (mpu_rig_open(&rig, &c) || mpu_load(rig.mpu, module, &rig.error)) fail_msg("%s", rig.error.text);
    const uint64_t end = UINT64_C(1) << 32, first = mpu_malloc(rig.mpu, end - (1 << 20), &rig.error);
    assert_true(first && first < 1 << 20);
    const uint64_t second = mpu_malloc(rig.mpu, 1 << 20, &rig.error);
    if (wide) assert_true(second && second + (1 << 20) > end);
    else
      assert_int_equal(second, 0),
          assert_non_null(strstr(rig.error.text, "pointers have 32 bits, and 1048576 bytes more end above 4 GB"));
    rig.error = (trouble_t){0};
    assert_true(mpu_malloc(rig.mpu, 4096, &rig.error) && !rig.error.kind);
    close_with(&rig, module);
  }
}

/* What has been freed is nobody's: it cannot be freed
 * again, copied to or from, and is given out again. */
static void test_freed(void **state) {
  (void)state;
  mpu_rig_t rig;
  ptx_module_t *module;
  uint32_t word = 0;
  open_with(&rig, two, &module);
  assert_true(mpu_progress(rig.mpu) == 0); /* before the first launch */
  const uint64_t first = mpu_malloc(rig.mpu, 4096, &rig.error), second = mpu_malloc(rig.mpu, 4096, &rig.error);
  assert_true(first && second && first != second);
  for (unsigned k = 0; k < 2; k++) { /* the last of two, then the only one */
    const uint64_t which = k ? first : second;
    assert_int_equal(mpu_release(rig.mpu, which, &rig.error), 0);
    assert_int_equal(mpu_copy_out(rig.mpu, &word, which, sizeof word, &rig.error), -1);
    rig.error = (trouble_t){0};
    assert_int_equal(mpu_release(rig.mpu, which, &rig.error), -1);
    if (!strstr(rig.error.text, "which is not the start of an allocation")) fail_msg("%s", rig.error.text);
    rig.error = (trouble_t){0};
  }
  assert_int_equal(mpu_malloc(rig.mpu, 4096, &rig.error), first);
  close_with(&rig, module);
}

/* Nor may a kernel write there, though the last one did. */
static void test_kernel_after_free(void **state) {
  (void)state;
  mpu_rig_t rig;
  ptx_module_t *module;
  open_with(&rig, two, &module);
  const uint64_t first = mpu_malloc(rig.mpu, 4096, &rig.error), second = mpu_malloc(rig.mpu, 4096, &rig.error);
  assert_true(first && second);
  start_kernel(&rig, "small", second, 1, 1);
  if (mpu_rig_run(&rig)) fail_msg("%s", rig.error.text);
  assert_int_equal(mpu_release(rig.mpu, second, &rig.error), 0);
  start_kernel(&rig, "small", second, 1, 1);
  if (mpu_rig_run(&rig) != 2 || !strstr(rig.error.text, "is out of bounds of every allocation"))
    fail_msg("%d, '%s'", rig.error.kind, rig.error.text);
  close_with(&rig, module);
}

/* mpu_given is of the last tick alone. Of a subcore's instructions
 * under way at most one is in the offload engine, and said to be. */
static void test_seen_from_outside(void **state) {
  (void)state;
  mpu_rig_t rig;
  ptx_module_t *module;
  static char text[65536];
  unsigned given = 0, engine = 0;
  open_with(&rig, two, &module);
  uint64_t buffer = mpu_malloc(rig.mpu, 65536, &rig.error);
  start_kernel(&rig, "large", buffer, 4, 256);
  for (unsigned t = 0; t < 300; t++) {
    for (unsigned c = 0; c < mpu_cores(rig.mpu); c++) mpu_core_tick(rig.mpu, c);
    mpu_tick(rig.mpu);
    given += (unsigned)__builtin_popcountll(mpu_given(rig.mpu, 0));
    mpu_describe_waits(rig.mpu, text, sizeof text);
    char last[40] = "";
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
      if (!strstr(line, ", in the offload engine")) continue;
      assert_true(strncmp(line, last, strlen(last)) || !*last); /* "core 0 subcore 1: " */
      snprintf(last, sizeof last, "%.*s", (int)strcspn(line, ":") + 1, line);
      engine++;
    }
  }
  assert_int_equal(given, 4); /* each block once */
  assert_true(engine > 100);
  close_with(&rig, module);
}

/* The first tick gives each of 128 cores one of as many blocks. */
static void test_given_to_all(void **state) {
  (void)state;
  mpu_rig_t rig;
  mpu_config_t c = bed_machine(0);
  ptx_error_t bad = {0};
  c.cubes_x = 4, c.cubes_y = 2, c.cores_x = c.cores_y = 4;
  ptx_module_t *module = ptx_parse(two, strlen(two), "edges.ptx", &bad);
  if (!module) fail_msg("%s", bad.trouble.text);
  if (mpu_rig_open(&rig, &c) || mpu_load(rig.mpu, module, &rig.error)) fail_msg("%s", rig.error.text);
  start_kernel(&rig, "small", mpu_malloc(rig.mpu, 65536, &rig.error), 128, 1);
  for (unsigned k = 0; k < 128; k++) mpu_core_tick(rig.mpu, k);
  mpu_tick(rig.mpu);
  for (unsigned word = 0; word < 2; word++) assert_true(mpu_given(rig.mpu, word) == ~UINT64_C(0));
  close_with(&rig, module);
}

/* Requests that the network does not take wait in a core; when it does, each comes once. */
static void test_requests_wait(void **state) {
  (void)state;
  mpu_rig_t rig;
  ptx_module_t *module;
  unsigned most = 0;
  open_with(&rig, two, &module);
  start_kernel(&rig, "large", mpu_malloc(rig.mpu, 65536, &rig.error), 4, 256);
  for (unsigned t = 0; t < 300; t++) {
    for (unsigned k = 0; k < mpu_cores(rig.mpu); k++) mpu_core_tick(rig.mpu, k);
    mpu_tick(rig.mpu);
  }
  for (unsigned k = 0; k < mpu_cores(rig.mpu); k++) {
    bool seen[4][256] = {{false}};
    unsigned n = 0;
    for (const mpu_packet_t *p; (p = mpu_core_front(rig.mpu, k, 0)); n++) {
      assert_false(seen[p->subcore][p->id]);
      seen[p->subcore][p->id] = true;
      mpu_core_pop(rig.mpu, k, 0);
    }
    if (n > most) most = n;
  }
  assert_true(most > 2);
  close_with(&rig, module);
}

/* ---- Requests of other cores ----------------------------------------------------------------- */

/* Near-bank units may answer two in one cycle: each answer goes to the one who asked. */
static void test_two_answers_at_once(void **state) {
  (void)state;
  core_remote_t *r = core_remote_new();
  core_base_t base = {.id = 0};
  tsv_offer_t offer;
  mpu_packet_t answer;
  unsigned asked = 0, offered = 0, came = 0, id[2];
  assert_non_null(r);
  for (unsigned t = 0; t < 200 && came < 2; t++) {
    if (asked < 2 && core_remote_room(r)) {
      core_remote_push(r, &(mpu_packet_t){.source = 1,
                                          .subcore = (uint8_t)asked,
                                          .id = (uint8_t)(5 + asked),
                                          .nbu = (uint8_t)asked,
                                          .write = true,
                                          .mask = 1});
      asked++;
    }
    const bool offers = core_remote_begin(r, &base, &offer);
    if (offers) id[offered++] = (unsigned)LSU_GET(offer.hdr, id);
    if (core_remote_end(r, &base, offers, true, &answer)) {
      assert_true(answer.dest == 1 && answer.write && answer.subcore == came && answer.id == 5 + came);
      came++;
    }
    if (offers && offered == 2)
      for (unsigned k = 0; k < 2; k++) core_remote_answer(r, id[k], NULL);
  }
  if (base.fault.kind) fail_msg("%s", base.fault.text);
  assert_int_equal(came, 2);
  core_remote_free(r);
}

/* ---- An engine that errs --------------------------------------------------------------------- */

/* The model's outputs, with an error raised. */
static const void *erring_out(void *state) {
  static lsu_ext_out_t out;
  out = *(const lsu_ext_out_t *)mpu_rig_model.out(state);
  out.err = 4;
  return &out;
}

/* Unit 2 of core 3 is lsu_ext[14]: 3 * 4 + 2. Its error ends the run with status 1. */
static void test_engine_errs(void **state) {
  (void)state;
  block_engine_t erring = mpu_rig_model;
  erring.out = erring_out;
  mpu_config_t c = bed_machine(0);
  mpu_rig_t rig;
  ptx_error_t bad = {0};
  ptx_module_t *module = ptx_parse(two, strlen(two), "edges.ptx", &bad);
  if (!module) fail_msg("%s", bad.trouble.text);
  mpu_rig_open(&rig, &c);
  mpu_rig_close(&rig);
  mpu_rig_t one;
  mpu_rig_open(&one, &c); /* again, with unit 2 of core 3 another */
  mpu_free(one.mpu);
  one.engines[3 * MPU_SUBCORES + 2] = &erring;
  one.mpu = mpu_new(&c, one.engines, &one.error);
  if (!one.mpu || mpu_load(one.mpu, module, &one.error)) fail_msg("%s", one.error.text);
  start_kernel(&one, "large", mpu_malloc(one.mpu, 65536, &one.error), 4, 256);
  assert_int_equal(mpu_rig_run(&one), 1);
  if (!strstr(one.error.text, "lsu_ext[14]: error output 0x4;")) fail_msg("%s", one.error.text);
  mpu_rig_close(&one);
  ptx_free(module);
}

int main(void) {
  static const struct CMUnitTest others[] = {cmocka_unit_test(test_faults_and_their_places),
                                             cmocka_unit_test(test_default_policy),
                                             cmocka_unit_test(test_no_near_registers),
                                             cmocka_unit_test(test_launches),
                                             cmocka_unit_test(test_all_memory),
                                             cmocka_unit_test(test_pointers),
                                             cmocka_unit_test(test_freed),
                                             cmocka_unit_test(test_kernel_after_free),
                                             cmocka_unit_test(test_shared_is_rounded),
                                             cmocka_unit_test(test_double_interval),
                                             cmocka_unit_test(test_nobody_in_shared),
                                             cmocka_unit_test(test_seen_from_outside),
                                             cmocka_unit_test(test_engine_errs),
                                             cmocka_unit_test(test_two_answers_at_once),
                                             cmocka_unit_test(test_given_to_all),
                                             cmocka_unit_test(test_requests_wait),
                                             cmocka_unit_test(test_guard_is_no_source),
                                             cmocka_unit_test(test_grids),
                                             cmocka_unit_test(test_just_fits),
                                             cmocka_unit_test(test_defaults)};
  static struct CMUnitTest tests[ROWS + sizeof others / sizeof *others];
  for (unsigned i = 0; i < ROWS; i++)
    tests[i] = (struct CMUnitTest){.name = rows[i].name, .test_func = test_row, .initial_state = &rows[i]};
  memcpy(tests + ROWS, others, sizeof others);
  return cmocka_run_group_tests_name("mpu_edges", tests, NULL, NULL);
}
