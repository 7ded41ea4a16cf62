/* SPDX-License-Identifier: Apache-2.0
 *
 * The MPU without running much: configurations, memory calls, and everything it refuses or stops
 * at, by the line it says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpu_bed.h"
#include "unit_test.h"

/* ---- Configuration --------------------------------------------------------------------------- */

/* The message names what is wrong and what would be
 * right. A machine is refused with the same text. */
static void expect_config_refused(mpu_config_t c, const char *what) {
  const char *text = REFUSAL(mpu_config_check, &c);
  trouble_t err = {0};
  const block_engine_t *none[1] = {NULL};
  if (!text || !strstr(text, what) || (!strstr(text, "would be right") && !strstr(text, "' is not ")))
    fail_msg("'%s', not '%s'", text ? text : "accepted", what);
  assert_null(mpu_new(&c, none, &err));
  assert_int_equal(err.kind, 2);
  assert_non_null(strstr(err.text, what));
}

/* Each limit, one value beyond it on either side. */
static void test_config(void **state) {
  (void)state;
  const mpu_config_t right = mpu_rig_config();
  assert_null(REFUSAL(mpu_config_check, &right));
  assert_int_equal(mpu_config_cores(&right), MPU_MAX_CORES);
#define REFUSED(what, ...)          \
  do {                              \
    mpu_config_t c = right;         \
    __VA_ARGS__;                    \
    expect_config_refused(c, what); \
  } while (0)
  REFUSED("processors", c.cubes_x = 3);
  REFUSED("mpu.cubes_y: 0 is out of range; from 1 to 8", c.cubes_y = 0);
  REFUSED("processors", c.cubes_x = c.cubes_y = 4);
  REFUSED("cores of a processor", c.cores_x = 5);
  REFUSED("mpu.cores_y: 0 is out of range; from 1 to 16", c.cores_y = 0);
  REFUSED("cores of a processor", c.cores_x = 8);
  REFUSED("mpu.warps: 0", c.warps = 0);
  REFUSED("mpu.warps: 17", c.warps = 17);
  REFUSED("mpu.blocks: 0", c.blocks = 0);
  REFUSED("mpu.blocks: 65", c.blocks = 65);
  REFUSED("addresses of a near-bank unit", c.unit_bytes = 96);
  REFUSED("mpu.unit_bytes: 16 is out of range", c.unit_bytes = 16);
  REFUSED("mpu.unit_bytes: 0", c.unit_bytes = 0);
  REFUSED("mpu.unit_bytes: 2048", c.unit_bytes = 2048);
  REFUSED("addresses of a core", c.core_bytes = 256);
  REFUSED("mpu.core_bytes: 131072", c.core_bytes = 131072);
  REFUSED("addresses of a core", c.core_bytes = 1000);
  REFUSED("mpu.blocks_to: '2' is not address or number", c.blocks_to = MPU_NUM_PLACES);
  REFUSED("rf.far_bytes: 100 is out of range", c.far_rf_bytes = 100);
  REFUSED("register files", c.far_rf_bytes = 200);
  REFUSED("register files", c.near_rf_bytes = 64);
  REFUSED("smem.bytes: 65664", c.smem_bytes = 65536 + 128);
  REFUSED("shared memory", c.smem_bytes = 100);
  REFUSED("tsv.beats: 0", c.tsv_beats = 0);
  REFUSED("tsv.beats: 3", c.tsv_beats = 3);
  REFUSED("mpu.exe_queue: 0", c.exe_queue = 0);
  REFUSED("mpu.exe_queue: 17", c.exe_queue = 17);
  REFUSED("mpu.policy: '4' is not annotated, default, near or far", c.policy = MPU_NUM_POLICIES);
  REFUSED("mpu.alu_latency: 0", c.alu_latency = 0);
  REFUSED("mpu.collect_latency: 61", c.collect_latency = 61);
  REFUSED("mpu.sfu_latency: 0", c.sfu_latency = 0);
  REFUSED("latencies", c.collect_latency = 57);
  REFUSED("mpu.collect_latency: 4294967295", c.collect_latency = ~0u);
  REFUSED("latencies", c.sfu_latency = 59);
  REFUSED("smem.latency: 61", c.smem_latency = 61);
  REFUSED("dram.queue: 7 is out of range; from 8 to 64", c.mc.vault.queue = 7);
#undef REFUSED
}

/* The last that is right, on either side. */
static void test_config_limits(void **state) {
  (void)state;
  const mpu_config_t right = mpu_rig_config();
#define ACCEPTED(...)                           \
  do {                                          \
    mpu_config_t c = right;                     \
    __VA_ARGS__;                                \
    assert_null(REFUSAL(mpu_config_check, &c)); \
  } while (0)
  ACCEPTED(c.cubes_x = 8, c.cubes_y = 1);
  ACCEPTED(c.cubes_x = 1, c.cubes_y = 8);
  ACCEPTED(c.cores_x = 16, c.cores_y = 1);
  ACCEPTED(c.cores_x = 1, c.cores_y = 16);
  ACCEPTED(c.warps = 1);
  ACCEPTED(c.warps = 16);
  ACCEPTED(c.blocks = 1);
  ACCEPTED(c.blocks = 64);
  ACCEPTED(c.unit_bytes = 32, c.core_bytes = 128);
  ACCEPTED(c.unit_bytes = 1024, c.core_bytes = 4096);
  ACCEPTED(c.core_bytes = 65536);
  ACCEPTED(c.blocks_to = MPU_NUM_PLACES - 1, c.batches = true);
  ACCEPTED(c.far_rf_bytes = 128, c.near_rf_bytes = 128);
  ACCEPTED(c.smem_bytes = 128);
  ACCEPTED(c.smem_bytes = 65536);
  ACCEPTED(c.tsv_beats = 1);
  ACCEPTED(c.tsv_beats = 2);
  ACCEPTED(c.exe_queue = 1);
  ACCEPTED(c.exe_queue = 16);
  ACCEPTED(c.policy = MPU_NUM_POLICIES - 1);
  ACCEPTED(c.alu_latency = 1, c.sfu_latency = 1, c.collect_latency = 0);
  ACCEPTED(c.alu_latency = 58, c.sfu_latency = 58, c.collect_latency = 2);
  ACCEPTED(c.smem_latency = 60);
  ACCEPTED(c.mc.vault.queue = 8);
#undef ACCEPTED
}

/* MPU paper, Tables II and III. */
static void test_config_paper(void **state) {
  (void)state;
  const mpu_config_t c = mpu_config_default();
  assert_int_equal(c.cubes_x * c.cubes_y, 8);
  assert_int_equal(c.cores_x * c.cores_y, 16);
  assert_int_equal(c.far_rf_bytes, 32768);
  assert_int_equal(c.near_rf_bytes, 16384);
  assert_int_equal(c.smem_bytes, 65536);
  assert_int_equal(c.tsv_beats, 2);
  assert_int_equal(c.exe_queue, 4);
  assert_true(c.smem_near && !c.ponb && c.policy == MPU_ANNOTATED);
}

/* ---- Memory calls ---------------------------------------------------------------------------- */

static mpu_config_t one_core(void) {
  mpu_config_t c = mpu_rig_config();
  c.cubes_x = c.cubes_y = c.cores_x = c.cores_y = 1;
  return c;
}

/* This status, in one line with this text. The error is cleared. */
static void expect_error(trouble_t *err, int status, const char *what) {
  if ((int)err->kind != status || !strstr(err->text, what))
    fail_msg("status %d, '%s': not %d, '%s'", err->kind, err->text, status, what);
  assert_null(strchr(err->text, '\n'));
  *err = (trouble_t){0};
}

/* Allocations start at multiples of the stripe: 4 cores of 4 KB, 16384 bytes.
 * Copies stay within one. What was freed is given out again and reads as zero. */
static void test_memory(void **state) {
  (void)state;
  mpu_config_t c = bed_machine(0);
  mpu_rig_t rig;
  trouble_t err = {0};
  uint8_t in[1000], out[1000];
  for (unsigned i = 0; i < sizeof in; i++) in[i] = (uint8_t)(i * 7);
  assert_int_equal(mpu_rig_open(&rig, &c), 0);
  mpu_t *m = rig.mpu;
  uint64_t none = mpu_malloc(m, 0, &err), a = mpu_malloc(m, 16384, &err), b = mpu_malloc(m, 16385, &err),
           d = mpu_malloc(m, 1, &err);
  assert_int_equal(err.kind, 0);
  assert_true(none && none != a && a % 16384 == 0 && b % 16384 == 0 && b >= a + 16384 && d >= b + 16385);
  assert_int_equal(mpu_copy_out(m, out, a + 15384, 1000, &err), 0);
  for (unsigned i = 0; i < 1000; i++) assert_int_equal(out[i], 0);
  for (unsigned at = 0; at < 15384; at += 3001) { /* over units and cores */
    assert_int_equal(mpu_copy_in(m, a + at, in, 1000, &err), 0);
    assert_int_equal(mpu_copy_out(m, out, a + at, 1000, &err), 0);
    assert_memory_equal(in, out, 1000);
  }
  assert_int_equal(mpu_copy_in(m, a + 16384, in, 0, &err), 0);
  assert_int_equal(mpu_copy_in(m, a + 16383, in, 2, &err), -1), expect_error(&err, 2, "copy of 2 bytes");
  assert_int_equal(mpu_copy_out(m, out, none, 1, &err), -1), expect_error(&err, 2, "out of bounds");
  assert_int_equal(mpu_copy_out(m, out, 0, 1, &err), -1), expect_error(&err, 2, "copy of 1 bytes at 0x0");
  assert_int_equal(mpu_copy_out(m, out, UINT64_MAX, 2, &err), -1), expect_error(&err, 2, "out of bounds");
  assert_int_equal(mpu_malloc(m, UINT64_C(1) << 30, &err), 0), expect_error(&err, 2, "1024 MB have no room");
  assert_int_equal(mpu_malloc(m, UINT64_MAX, &err), 0), expect_error(&err, 2, "use a smaller problem");
  assert_int_equal(mpu_release(m, a + 1, &err), -1), expect_error(&err, 2, "not the start of an allocation");
  assert_int_equal(mpu_release(m, a, &err), 0);
  assert_int_equal(mpu_release(m, a, &err), -1), expect_error(&err, 2, "free of");
  assert_int_equal(mpu_copy_in(m, a, in, 1, &err), -1), expect_error(&err, 2, "out of bounds");
  assert_int_equal(mpu_copy_in(m, b, in, 1, &err), 0);
  uint64_t first = mpu_malloc(m, 16383, &err), second = mpu_malloc(m, 20000, &err), third = mpu_malloc(m, 1, &err);
  assert_true(first == a && second > d && third == a + 16384); /* where there is room; what was there is gone */
  assert_int_equal(mpu_copy_out(m, out, first + 15000, 1000, &err), 0);
  for (unsigned i = 0; i < 1000; i++) assert_int_equal(out[i], 0);
  for (unsigned i = 0; i < 100; i++) assert_true(mpu_malloc(m, 100, &err) > second);
  for (unsigned i = 0; i < 5; i++) { /* half of the machine each time */
    uint64_t half = mpu_malloc(m, UINT64_C(1) << 29, &err);
    assert_int_equal(mpu_copy_in(m, half + i * 5000, in, 1000, &err) | mpu_release(m, half, &err), 0);
  }
  mpu_rig_close(&rig);
}

/* ---- What is refused ------------------------------------------------------------------------- */

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"
#define KERNEL(body)                                                            \
  HEAD ".visible .entry k(.param .u64 k_a, .param .u32 k_n)\n{\n"               \
       ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<99>; .reg .f32 %f<9>; " \
       ".reg .b64 %d<99>;\n" body "\nret;\n}\n"

/* The kernel is refused or stops, with status 2 and this text. */
static void expect_stop(const char *ptx, mpu_config_t c, uint32_t grid, uint32_t block, const char *what) {
  uint8_t data[4096] = {0};
  bed_t b = {.ptx = ptx,
             .grid = {grid, 1, 1},
             .block = {block, 1, 1},
             .data = data,
             .bytes = sizeof data,
             .cycle_limit = 200000};
  bed_run(&b, &c);
  expect_error(&b.error, 2, what);
}

/* What no near-bank machine executes is refused with its line when
 * the kernel is launched, and what cannot be read when the module is. */
static void test_load_errors(void **state) {
  (void)state;
  mpu_config_t c = bed_machine(0);
  expect_stop(KERNEL("ld.param.u64 %d1, [k_a];\natom.global.max.noftz.f16x2 %r1, [%d1], %r1;"), c, 1, 1,
              "module.ptx:8:1: kernel k: 'atom.global.max.noftz.f16x2' is not executed");
  expect_stop(KERNEL("mov.v2.u32 {%r1, %r2}, {%r2, %r1};"), c, 1, 1, "several results that it reads itself");
  expect_stop(KERNEL("mov.b64 %d1, {%h1, %h2, %h3, %h4};"), c, 1, 1, "more than three source registers");
  expect_stop(HEAD ".visible .entry k(.param .u64 k_a)\n{\n.reg .u32 %r<9>;\nfoo %r1;\n}\n", c, 1, 1, "module.ptx:7:1");
}

/* A kernel with so many registers alive at once. */
static char *kernel_with_registers(unsigned registers) {
  char *text = malloc(1000 + (size_t)registers * 100), *at = text;
  at += sprintf(
      at,
      HEAD ".visible .entry k(.param .u64 k_a)\n{\n.reg .b32 %%r<600>; .reg .b64 %%d<9>;\nld.param.u64 %%d1, [k_a];\n");
  for (unsigned i = 0; i < registers; i++) at += sprintf(at, "ld.global.u32 %%r%u, [%%d1+%u];\n", i, 4 * i);
  for (unsigned i = 0; i < registers; i++) at += sprintf(at, "st.global.u32 [%%d1+%u], %%r%u;\n", 4 * i, i);
  sprintf(at, "ret;\n}\n");
  return text;
}

/* 300 registers alive at once are too many, and 253 are with the address beside them.
 * 100 are too many for 8 warps: the two warps of a subcore need 200 rows of 128. */
static void test_registers(void **state) {
  (void)state;
  mpu_config_t c = bed_machine(0), p = bed_machine(8);
  char *text = kernel_with_registers(300);
  expect_stop(text, c, 1, 1, "registers of 32 bits");
  free(text);
  text = kernel_with_registers(253);
  expect_stop(text, c, 1, 1, "at most 254 together have a number");
  free(text);
  text = kernel_with_registers(100);
  expect_stop(
      text, c, 1, 256,
      "a block of 8 warps with 100 near-bank registers a thread needs 200 rows of a near-bank unit's register file, "
      "which has 128");
  expect_stop(text, p, 1, 384, "far-bank registers a thread needs");
  c.far_rf_bytes = 128;
  expect_stop(text, c, 1, 32, "needs 2 rows of a subcore's register file, which has 1");
  free(text);
}

/* Grids, blocks, parameters and shared memory
 * that do not fit; the message has both figures. */
static void test_launch_errors(void **state) {
  (void)state;
  mpu_config_t c = bed_machine(0);
  expect_stop(KERNEL(""), c, 0, 1, "kernel k: grid and block need at least 1");
  expect_stop(KERNEL(""), c, 1, 0, "kernel k: grid and block need at least 1");
  expect_stop(KERNEL(""), c, 1, 2049,
              "kernel k: a block of 65 warps is more than the 64 of a core; with mpu.warps=16 it has 64");
  expect_stop(KERNEL(""), c, 1, 1 << 21, "kernel k: grid or block is too large");
  bed_t huge = {.ptx = KERNEL(""), .grid = {1u << 20, 1u << 19, 1u << 25}, .block = {1, 1, 1}}; /* 2^64 */
  bed_run(&huge, &c);
  expect_error(&huge.error, 2, "grid or block is too large; 2^20 threads and 2^40 blocks are the most");
  c.warps = 1;
  expect_stop(KERNEL(""), c, 1, 129, "a block of 5 warps is more than the 4 of a core");
  expect_stop(HEAD ".visible .entry k(.param .u64 k_a)\n.reqntid 64, 1, 1\n{\nret;\n}\n", c, 1, 32,
              "kernel k: was compiled for blocks of 64x1x1 threads");
  expect_stop(HEAD ".visible .entry k(.param .u64 k_a)\n.maxntid 8, 4\n{\nret;\n}\n", c, 1, 33,
              "kernel k: was compiled for blocks of at most 32 threads (.maxntid), not 33");
  expect_stop(HEAD ".const .b8 c[65000]; .const .b32 d[135];\n.visible .entry k(.param .u64 k_a)\n{\n.reg .b32 %r<3>;\n"
                   "ld.const.u32 %r1, [d+4];\nret;\n}\n",
              c, 1, 32, "module.ptx:8:1: 'd' ends at byte 65540 of .const; 65536 are the most");
  expect_stop(HEAD ".visible .entry k(.param .u64 k_a, .param .u64 k_b, .param .u64 k_c)\n{\nret;\n}\n", c, 1, 32,
              "kernel k: 16 bytes of parameters were given, it has 24");
  c.smem_bytes = 1024;
  expect_stop(
      HEAD
      ".visible .entry k(.param .u64 k_a)\n{\n.shared .b8 sh[1025];\n.reg .b32 %r<9>;\nmov.u32 %r1, sh;\nret;\n}\n",
      c, 1, 32, "bytes of shared memory, more than the 1024 of a core");
}

/* Loading, selecting, launching and unloading in a
 * wrong order is refused, and the machine stays usable. */
static void test_launch_order(void **state) {
  (void)state;
  mpu_config_t c = one_core();
  mpu_rig_t rig;
  trouble_t err = {0};
  ptx_error_t bad;
  const char two[] = HEAD ".visible .entry a()\n{\nret;\n}\n.visible .entry b()\n{\nret;\n}\n",
             wrong[] = KERNEL("atom.global.max.noftz.f16x2 %r1, [%d1], %r1;") ".visible .entry other()\n{\nret;\n}\n";
  ptx_module_t *module = ptx_parse(two, sizeof two - 1, "two.ptx", &bad),
               *some_refused = ptx_parse(wrong, sizeof wrong - 1, "module.ptx", &bad);
  assert_int_equal(mpu_rig_open(&rig, &c), 0);
  mpu_launch_t l = {.kernel = "a", .grid = {1, 1, 1}, .block = {32, 1, 1}};
  assert_int_equal(mpu_launch(rig.mpu, &l, &err), -1), expect_error(&err, 2, "none is loaded");
  assert_int_equal(mpu_load(rig.mpu, some_refused, &err), 0); /* the other one runs */
  l.kernel = "k";
  assert_int_equal(mpu_launch(rig.mpu, &l, &err), -1),
      expect_error(&err, 2, "module.ptx:7:1: kernel k: 'atom.global.max.noftz.f16x2' is not executed");
  l.kernel = "other";
  assert_int_equal(mpu_launch(rig.mpu, &l, &err), 0);
  assert_int_equal(mpu_rig_run(&rig), 0);
  uint32_t registers;
  l.kernel = "a";
  assert_int_equal(mpu_load_also(rig.mpu, module, &err), 0);
  assert_true(mpu_occupancy(rig.mpu, &l, &registers, &err) > 0);
  assert_int_equal(mpu_select(rig.mpu, some_refused, &err), 0);
  assert_int_equal(mpu_occupancy(rig.mpu, &l, &registers, &err), 0), expect_error(&err, 2, "no kernel a in module.ptx");
  mpu_unload(rig.mpu, some_refused);
  assert_int_equal(mpu_select(rig.mpu, some_refused, &err), -1), expect_error(&err, 2, "module.ptx is not loaded");
  assert_true(mpu_variables(rig.mpu, module) && !mpu_variables(rig.mpu, some_refused));
  assert_int_equal(mpu_load(rig.mpu, module, &err), 0); /* instead of all */
  l.kernel = "c";
  assert_int_equal(mpu_launch(rig.mpu, &l, &err), -1), expect_error(&err, 2, "no kernel c in two.ptx");
  l.kernel = NULL;
  assert_int_equal(mpu_launch(rig.mpu, &l, &err), -1), expect_error(&err, 2, "in two.ptx");
  l.kernel = "b";
  assert_int_equal(mpu_launch(rig.mpu, &l, &err), 0);
  assert_int_equal(mpu_launch(rig.mpu, &l, &err), -1), expect_error(&err, 2, "while another runs");
  assert_int_equal(mpu_load(rig.mpu, module, &err), -1), expect_error(&err, 2, "while a kernel runs");
  assert_int_equal(mpu_rig_run(&rig), 0);
  assert_false(mpu_running(rig.mpu));
  assert_true(mpu_progress(rig.mpu) == 1);
  assert_int_equal(mpu_launch(rig.mpu, &l, &err), 0);
  assert_int_equal(mpu_rig_run(&rig), 0);
  mpu_rig_close(&rig);
  ptx_free(module);
  ptx_free(some_refused);
}

/* ---- What a running kernel stops at ---------------------------------------------------------- */

/* Thread 37 of the first block does it: all else is in order. */
#define ONE(body)                                                                                                      \
  KERNEL(".shared .align 8 .b8 sh[64];\n.local .align 8 .b8 lo[16];\nld.param.u64 %d1, [k_a];\nmov.u32 %r1, %tid.x;\n" \
         "mov.u32 %r2, %ctaid.x;\n"                                                                                    \
         "setp.eq.u32 %p1, %r1, 37;\nsetp.eq.and.u32 %p1, %r2, 0, %p1;\n" body)

/* Every machine stops at the same place with the same text. */
static void expect_stop_everywhere(const char *ptx, const char *what) {
  for (unsigned m = 0; m < BED_MACHINES; m++) expect_stop(ptx, bed_machine(m), 8, 64, what);
}

/* Each fault names file, line, block, instruction, thread and address. */
static void test_faults_name_the_thread(void **state) {
  (void)state;
  expect_stop_everywhere(
      ONE("@%p1 add.s64 %d1, %d1, 2;\nld.global.u32 %r3, [%d1];"),
      "module.ptx:15: kernel k: block (ctaid 0,0,0): 'ld.global.u32' of thread (tid 37,0,0): address 0x4002 is not "
      "aligned to the access's size");
  expect_stop_everywhere(
      ONE("@%p1 add.s64 %d1, %d1, 4088;\nst.global.u64 [%d1+8], %d1;"),
      "module.ptx:15: kernel k: block (ctaid 0,0,0): 'st.global.u64' of thread (tid 37,0,0): address 0x5000 is out of "
      "bounds of every allocation");
  expect_stop_everywhere(ONE("@%p1 mov.u64 %d1, 0;\nld.global.u8 %r3, [%d1];"),
                         "of thread (tid 37,0,0): address 0x0 is out of bounds of every allocation");
  expect_stop_everywhere(ONE("@%p1 mov.u64 %d1, -8;\nld.global.u64 %d3, [%d1];"),
                         "of thread (tid 37,0,0): address 0xfffffffffffffff8");
  expect_stop_everywhere(
      ONE("@%p1 mov.u64 %d1, 0x10000000000;\nld.u32 %r3, [%d1];"),
      "'ld.u32' of thread (tid 37,0,0): address 0x10000000000 is a generic address outside of global memory");
  expect_stop_everywhere(ONE("mov.u32 %r3, sh;\n@%p1 add.u32 %r3, %r3, 2;\nld.shared.u32 %r4, [%r3];"),
                         "'ld.shared.u32' of thread (tid 37,0,0): address 0x2 is not aligned");
  /* each element is aligned, the vector is not */
  expect_stop_everywhere(
      ONE("@%p1 add.s64 %d1, %d1, 4;\nld.global.v2.u32 {%r3, %r4}, [%d1];"),
      "'ld.global.v2.u32' of thread (tid 37,0,0): address 0x4004 is not aligned to the access's size");
  expect_stop_everywhere(ONE("@%p1 add.s64 %d1, %d1, 8;\nst.global.v4.u32 [%d1], {%r1, %r1, %r1, %r1};"),
                         "'st.global.v4.u32' of thread (tid 37,0,0): address 0x4008 is not aligned");
  expect_stop_everywhere(ONE("mov.u32 %r3, sh;\n@%p1 add.u32 %r3, %r3, 4;\nld.shared.v2.u32 {%r4, %r5}, [%r3];"),
                         "'ld.shared.v2.u32' of thread (tid 37,0,0): address 0x4 is not aligned");
  expect_stop_everywhere(ONE("mov.u64 %d2, lo;\n@%p1 add.s64 %d2, %d2, 4;\nst.local.v2.u32 [%d2], {%r1, %r1};"),
                         "'st.local.v2.u32' of thread (tid 37,0,0): address 0x4 is out of bounds or misaligned");
  expect_stop_everywhere(
      ONE("mov.u32 %r3, sh;\n@%p1 add.u32 %r3, %r3, 64;\nst.shared.u32 [%r3], %r1;"),
      "'st.shared.u32' of thread (tid 37,0,0): address 0x40 is outside of the block's shared memory");
  expect_stop_everywhere(ONE("mov.u32 %r3, sh;\n@%p1 sub.u32 %r3, %r3, 4;\nld.shared.u32 %r4, [%r3];"),
                         "address 0xfffffffc is outside of the block's shared memory");
  expect_stop_everywhere(ONE("mov.u64 %d2, lo;\n@%p1 add.s64 %d2, %d2, 16;\nst.local.u32 [%d2], %r1;"),
                         "'st.local.u32' of thread (tid 37,0,0): address 0x10 is out of bounds or misaligned");
  expect_stop_everywhere(ONE("mov.u64 %d2, lo;\n@%p1 add.s64 %d2, %d2, 1;\nld.local.u32 %r4, [%d2];"),
                         "address 0x1 is out of bounds or misaligned");
  expect_stop_everywhere(ONE("mov.u64 %d2, k_a;\n@%p1 add.s64 %d2, %d2, 16;\nld.param.u32 %r4, [%d2];"),
                         "'ld.param.u32' of thread (tid 37,0,0): address 0x10 is out of bounds or misaligned");
  expect_stop_everywhere(ONE("@%p1 trap;"), "module.ptx:14: kernel k: block (ctaid 0,0,0): 'trap' was executed");
}

/* Barriers 0 to 15, counts that are multiples of a warp,
 * and warps that wait for others that cannot come. */
static void test_barrier_faults(void **state) {
  (void)state;
  expect_stop_everywhere(
      ONE("mov.u32 %r3, 16;\nbar.sync %r3;"),
      "module.ptx:15: kernel k: block (ctaid 0,0,0): 'bar.sync' names barrier 16, which does not exist; they are 0 to "
      "15");
  expect_stop_everywhere(ONE("bar.sync 0, 33;"),
                         "gives a barrier a count of 33 threads, which is not a multiple of 32");
  expect_stop_everywhere(ONE("mov.u32 %r3, 0;\nbar.sync 0, %r3;"), "gives a barrier a count of 0 threads");
  expect_stop_everywhere(
      ONE("bar.sync 0, 96;"),
      "kernel k: block (ctaid 0,0,0) is deadlocked at a barrier: all of its 2 warps wait and none can arrive any more");
  expect_stop_everywhere(ONE("shr.u32 %r3, %r1, 5;\nbar.sync %r3;"), "is deadlocked at a barrier");
  expect_stop_everywhere(ONE("setp.gt.u32 %p2, %r1, 31;\n@%p2 exit;\nbar.sync 0, 64;"),
                         "is deadlocked at a barrier: all of its 1 warps wait");
}

/* All blocks stop in the same cycle: it is the first core's
 * whose line is said, whatever the order in which cores run. */
static void test_same_cycle(void **state) {
  (void)state;
  for (unsigned m = 0; m < BED_MACHINES; m++)
    for (unsigned order = 0; order < 2; order++) {
      mpu_config_t c = bed_machine(m);
      uint8_t data[64];
      bed_t b = {.ptx = KERNEL("mov.u64 %d1, 0;\nld.global.u32 %r1, [%d1];"),
                 .grid = {4, 1, 1},
                 .block = {1024, 1, 1},
                 .data = data,
                 .bytes = 64,
                 .backwards = order};
      bed_run(&b, &c);
      expect_error(&b.error, 2, "module.ptx:8: kernel k: block (ctaid 0,0,0): 'ld.global.u32' of thread (tid ");
    }
}

/* ---- Who waits for what ---------------------------------------------------------------------- */

/* The text of all that waits. Cut to any size it is what snprintf() would leave. */
static const char *waits_text(const mpu_t *m) {
  static char text[8000], part[8000];
  size_t all = mpu_describe_waits(m, text, sizeof text);
  assert_int_equal(all, strlen(text));
  for (size_t size = 1; size < all + 2; size += 1 + size / 3) { /* cut short, as snprintf does */
    memset(part, 'x', sizeof part);
    assert_int_equal(mpu_describe_waits(m, part, size), all);
    const size_t kept = size > all ? all : size - 1;
    assert_memory_equal(part, text, kept);
    assert_int_equal(part[kept], 0);
    assert_int_equal(part[kept + 1], 'x');
  }
  return text;
}

static void expect_wait(const mpu_t *m, const char *what) {
  if (!strstr(waits_text(m), what)) fail_msg("no '%s' in:\n%s", what, waits_text(m));
}

static void tick_machine(mpu_t *m, unsigned cycles) {
  for (unsigned i = 0; i < cycles; i++) {
    for (unsigned c = 0; c < mpu_cores(m); c++) mpu_core_tick(m, c);
    mpu_tick(m);
  }
}

/* The first warp wants a word of another core and nobody brings its
 * packet there, the second has exited, the others are at a barrier. */
static void test_waits(void **state) {
  (void)state;
  static const char text[] = KERNEL(
      "ld.param.u64 %d1, [k_a];\nmov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 32;\n@%p1 bra LOAD;\n"
      "setp.lt.u32 %p2, %r1, 64;\n"
      "@%p2 exit;\nbar.sync 0;\nbra END;\nLOAD:\nld.global.u32 %r2, [%d1+4096];\nadd.u32 %r2, %r2, 1;\nbar.sync 0;\n"
      "st.global.u32 [%d1], %r2;\nEND:");
  mpu_config_t c = bed_machine(0);
  mpu_rig_t rig;
  ptx_error_t bad;
  ptx_module_t *module = ptx_parse(text, sizeof text - 1, "waits.ptx", &bad);
  if (!module) fail_msg("%s", bad.trouble.text);
  assert_int_equal(mpu_rig_open(&rig, &c), 0);
  mpu_t *m = rig.mpu;
  assert_int_equal(mpu_describe_waits(m, NULL, 0), 0); /* nobody waits for anything */
  assert_int_equal(mpu_load(m, module, &rig.error), 0);
  struct {
    uint64_t data;
    uint32_t n, pad;
  } params = {mpu_malloc(m, 16384, &rig.error), 0, 0};
  mpu_launch_t l = {
      .grid = {1, 1, 1}, .block = {128, 1, 1}, .params = &params, .param_bytes = sizeof params - sizeof params.pad};
  assert_int_equal(mpu_launch(m, &l, &rig.error), 0);
  tick_machine(m, 1000);
  assert_true(mpu_running(m) && mpu_progress(m) == 0);
  expect_wait(m, "core 0 subcore 0 warp 0: waits at 'add.u32' (line 17), 1 instructions under way\n");
  expect_wait(m, "core 0 subcore 0: tag 0, 'ld.global.u32' (line 16) of warp 0, near\n");
  expect_wait(m, "core 0 subcore 2 warp 0: waits at a barrier at 'bra' (line 14), 0 instructions under way\n");
  expect_wait(m, "core 0 subcore 3 warp 0: waits at a barrier at 'bra' (line 14), 0 instructions under way\n");
  expect_wait(m, "core 0: 1 packets of class 0 wait for the network\n");
  if (strstr(waits_text(m), "subcore 1") || strstr(waits_text(m), "core 1")) fail_msg("%s", waits_text(m));
  assert_int_equal(mpu_rig_run(&rig), 0);
  assert_int_equal(mpu_describe_waits(m, NULL, 0), 0);
  mpu_rig_close(&rig);
  ptx_free(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_waits),          cmocka_unit_test(test_config),
      cmocka_unit_test(test_config_limits),  cmocka_unit_test(test_config_paper),
      cmocka_unit_test(test_memory),         cmocka_unit_test(test_load_errors),
      cmocka_unit_test(test_registers),      cmocka_unit_test(test_launch_errors),
      cmocka_unit_test(test_launch_order),   cmocka_unit_test(test_faults_name_the_thread),
      cmocka_unit_test(test_barrier_faults), cmocka_unit_test(test_same_cycle)};
  return cmocka_run_group_tests_name("mpu", tests, NULL, NULL);
}
